"""Deep equality of JSON values."""

import json

import pytest

from openwop_evals._equality import first_difference, json_equal

EQUAL = [
    pytest.param("1", "1.0", id="1 and 1.0"),
    pytest.param("100", "1e2", id="an exponent"),
    pytest.param("0", "-0.0", id="a zero with a sign"),
    pytest.param("null", "null", id="null"),
    pytest.param("true", "true", id="true"),
    pytest.param('{"a":1,"b":[2,{}]}', '{"b":[2.0,{}],"a":1.0}', id="names in another order"),
    pytest.param("[]", "[]", id="empty arrays"),
    pytest.param("{}", "{}", id="empty objects"),
    pytest.param('"\\u00e9"', '"é"', id="an escape"),
    pytest.param("12345678901234567890123", "12345678901234567890123", id="a large integer"),
]

DIFFERENT = [
    pytest.param("1", "true", "", id="1 is not true"),
    pytest.param("0", "false", "", id="0 is not false"),
    pytest.param("1.0", "true", "", id="1.0 is not true"),
    pytest.param("true", "false", "", id="true is not false"),
    pytest.param("1", '"1"', "", id="1 is not a text"),
    pytest.param("null", "false", "", id="null is not false"),
    pytest.param("null", "0", "", id="null is not 0"),
    pytest.param("[]", "{}", "", id="an array is not an object"),
    pytest.param("[1]", "1", "", id="an array is not its item"),
    pytest.param("9007199254740993", "9007199254740992.0", "", id="large integers are exact"),
    pytest.param('"é"', '"e\\u0301"', "", id="text is not normalised"),
    pytest.param("[1,2]", "[2,1]", "/0", id="items in another order"),
    pytest.param("[1,2]", "[1]", "/1", id="an item more"),
    pytest.param("[1]", "[1,null]", "/1", id="a null more"),
    pytest.param("[1,2]", "[3]", "/0", id="an earlier item before a missing one"),
    pytest.param('{"a":1}', "{}", "/a", id="a member more"),
    pytest.param('{"a":null}', "{}", "/a", id="null is not absent"),
    pytest.param('{"a":1}', '{"b":1}', "/a", id="another name"),
    pytest.param('{"a":{"b":[0,{"c":1}]}}', '{"a":{"b":[0,{"c":2}]}}', "/a/b/1/c", id="deep"),
    pytest.param('{"a":[1],"b":1}', '{"a":[true],"b":2}', "/a/0", id="the first of two"),
    pytest.param('{"b":1,"a":1}', '{"a":2,"b":2}', "/b", id="the first of the left"),
    pytest.param('{"a/b~c":1}', '{"a/b~c":2}', "/a~1b~0c", id="a name that is escaped"),
    pytest.param('{"":1}', '{"":2}', "/", id="an empty name"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal(left: str, right: str) -> None:
    one, other = json.loads(left), json.loads(right)
    assert json_equal(one, other)
    assert json_equal(other, one)
    assert first_difference(one, other) is None


@pytest.mark.parametrize(("left", "right", "pointer"), DIFFERENT)
def test_different(left: str, right: str, pointer: str) -> None:
    one, other = json.loads(left), json.loads(right)
    assert first_difference(one, other) == pointer
    assert not json_equal(one, other)
    assert not json_equal(other, one)


def test_depth_is_no_limit() -> None:
    def nested(value: object) -> object:
        for _ in range(5_000):
            value = [value]
        return value

    assert json_equal(nested(1), nested(1.0))
    assert first_difference(nested(1), nested(2)) == "/0" * 5_000
