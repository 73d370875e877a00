"""The words for what breaks a schema."""

import pytest

from codegen import contract
from openwop_evals import DecodeError, decode_trial, validate
from openwop_evals._contract import _EXPECTED, schema_folder


def test_every_rule_of_the_schemas_has_words() -> None:
    rules = {
        keyword
        for schema in contract.load(schema_folder()).values()
        for _, part, _ in contract._subschemas(schema, "", "")
        for keyword in part
    }
    annotations = {"$schema", "$id", "$defs", "$ref", "title", "description"}
    applied = {"properties", "patternProperties", "items"}  # what they hold is judged, not they
    worded_apart = {"required", "additionalProperties"}
    plain = {
        rule for rule in rules - annotations - applied - worded_apart if not rule.startswith("x-")
    }
    assert plain <= _EXPECTED.keys()
    assert plain  # else nothing was looked at


@pytest.mark.parametrize(
    "text",
    [
        r'{"taskId":"t","output":{"k\\":1,"k\\":2}}',
        r'{"taskId":"t","output":{"k\\\"":1,"k\\\"":2}}',
        r'{"taskId":"t","taskId":"t","output":"\\"}',
        r'{"taskId":"t","t\u0061skId":"t"}',
    ],
)
def test_a_repeated_name_is_found_whatever_its_escapes(text: str) -> None:
    with pytest.raises(DecodeError):
        decode_trial(text)
    with pytest.raises(DecodeError):
        validate("trial", text)


@pytest.mark.parametrize(
    "text",
    [
        r'{"taskId":"t","output":{"k\\":1,"k\\\"":2}}',
        r'{"taskId":"t","output":"a \\\" b \\"}',
        r'{"taskId":"t","output":["\\\\","\"\"","\u0022"]}',
    ],
)
def test_escapes_are_no_repeated_names(text: str) -> None:
    assert decode_trial(text).task_id == "t"
    assert validate("trial", text) == []
