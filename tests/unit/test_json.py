"""JSON text: what is refused before any schema is asked, and where it goes wrong."""

import io
import json
from collections.abc import Iterable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openwop_evals import DecodeError, decode_trial, validate
from openwop_evals._json import (
    MAX_DEPTH,
    Number,
    json_lines,
    parse,
    pointer_step,
    refuse_repeated_names,
    shortened,
)
from openwop_evals.models import Kind
from tests.support.documents import DECODE, WHOLE

RECORD = '{"taskId":"t1"}'


def trial_with(members: str) -> str:
    return f'{{"taskId":"t1",{members}}}'


def refusals(text: bytes | str, *kinds: Kind) -> list[DecodeError]:
    """What each reader of a kind says of a text: every one must refuse."""
    found = []
    for kind in kinds:
        for read in (DECODE[kind], partial(validate, kind)):
            with pytest.raises(DecodeError) as refusal:
                read(text)
            found.append(refusal.value)
    return found


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param(b"", 1, 1, id="nothing"),
        pytest.param(b" \n ", 1, 1, id="white space"),
        pytest.param(b"\xef\xbb\xbf{}", 1, 1, id="byte order mark"),
        pytest.param("\ufeff{}", 1, 1, id="byte order mark in a str"),
        pytest.param('{"a":1}'.encode("utf-16"), 1, 1, id="UTF-16"),
        pytest.param('{"a":1}'.encode("utf-16-le"), 1, 2, id="UTF-16 without a mark"),
        pytest.param(b'{\n"a\xc3\xa9":"\xff"}', 2, 7, id="not UTF-8"),
        pytest.param(b'["\xed\xa0\x80"]', 1, 3, id="surrogate in UTF-8"),
        pytest.param(b'["\xc0\x80"]', 1, 3, id="overlong UTF-8"),
        pytest.param('{\n"a": "\ud800"}', 2, 7, id="lone surrogate in a str"),
        pytest.param(rb'["\ud83d\ude00 \ud83d"]', 1, 16, id="lone high surrogate"),
        pytest.param(rb'["\\ud800", "\uDC00"]', 1, 14, id="lone low surrogate"),
        pytest.param(rb'["\udc00\ud800"]', 1, 3, id="surrogates in the wrong order"),
        pytest.param(b'{"a":\n NaN}', 2, 2, id="NaN"),
        pytest.param(b"[1,\nInfinity]", 2, 1, id="Infinity"),
        pytest.param(b'["NaN", -Infinity]', 1, 9, id="-Infinity"),
        pytest.param(b"{}\n{}", 2, 1, id="two texts"),
        pytest.param(b"{} x", 1, 4, id="text after the value"),
        pytest.param(b"{'a':1}", 1, 2, id="single quotes"),
        pytest.param(b"{a:1}", 1, 2, id="bare name"),
        pytest.param(b"[01]", 1, 3, id="leading 0"),
        pytest.param(b"[.5]", 1, 2, id="no digit before the point"),
        pytest.param(b"[+1]", 1, 2, id="plus sign"),
        pytest.param(b"[0x10]", 1, 3, id="hexadecimal"),
        pytest.param(b"// x\n{}", 1, 1, id="comment"),
        pytest.param(b"[True]", 1, 2, id="Python's true"),
        pytest.param(rb'["\x41"]', 1, 3, id="unknown escape"),
        pytest.param(b'["a\tb"]', 1, 4, id="raw tab in a string"),
        pytest.param(b'["a\nb"]', 1, 4, id="raw line feed in a string"),
        pytest.param(b'["a\x0bb"]', 1, 4, id="raw vertical tab in a string"),
        pytest.param(b'{"a":"', 1, 6, id="cut in a string"),
        pytest.param('{"é\u2028":1,\n"é":x}', 2, 5, id="place in characters, lines at LF"),
    ],
)
def test_refuses_what_is_not_json_and_says_where(text: bytes | str, line: int, column: int) -> None:
    for refusal in refusals(text, *DECODE):
        assert (refusal.line, refusal.column, refusal.pointer) == (line, column, None)
        assert str(refusal) == f"line {line}, column {column}: {refusal.reason}"


@pytest.mark.parametrize("text", ["[1,]", '{"a":1,}'])
def test_refuses_a_comma_before_the_end(text: str) -> None:
    for refusal in refusals(text, *DECODE):
        # Pythons differ in whether the comma is the place, or what follows it.
        assert (refusal.line, refusal.column) in {(1, len(text) - 1), (1, len(text))}


@pytest.mark.parametrize(
    "number", ["1e400", "-1e309", "1" + "0" * 309 + ".0", "1.8e308"], ids=lambda text: text[:9]
)
@pytest.mark.parametrize("member", ["score", "costUsd", "latencyMs", "output"])
def test_refuses_a_number_without_a_finite_double(member: str, number: str) -> None:
    text = trial_with(f'"{member}":{number}')
    for refusal in refusals(text, "trial"):
        assert shortened(number) in refusal.reason


def test_accepts_an_integer_of_4300_digits() -> None:
    assert decode_trial(trial_with(f'"output":{"9" * 4300}')).output == 10**4300 - 1


def test_refuses_an_integer_of_more_digits() -> None:
    for refusal in refusals(trial_with(f'"output":{"9" * 4301}'), "trial"):
        assert "digits" in refusal.reason


@pytest.mark.parametrize(
    ("text", "integer"),
    [
        ("1.0", 1),
        ("-0.0", 0),
        ("1e2", 100),
        ("1E+2", 100),
        ("1200e-2", 12),
        ("0.12e2", 12),
        ("9007199254740993.0", 2**53 + 1),
        ("1e308", 10**308),
        ("12345678901234567890123456789012345678901234567890.0", int("1234567890" * 5)),
        ("0e400", 0),
        ("0.5", None),
        ("1.00000000000000000000000000000001", None),
        ("9007199254740993.5", None),
        ("1e-400", None),
        ("1e-99999999999999999999", None),
    ],
)
def test_the_integer_that_was_written(text: str, integer: int | None) -> None:
    assert Number(text).integer() == integer


def nested(levels: int, opening: str = "[", closing: str = "]") -> str:
    return opening * levels + closing * levels


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(nested(MAX_DEPTH - 1), id="as deep as may be"),
        pytest.param(nested(MAX_DEPTH - 2, '{"a":', "}").replace(":}", ":[]}"), id="objects"),
        pytest.param(json.dumps("[{" * 1000), id="brackets in a string"),
        pytest.param(json.dumps('"\\' * 3 + "[" * 1000), id="brackets after escaped quotes"),
        pytest.param(json.dumps([[], {}] * 1000), id="many and shallow"),
    ],
)
def test_accepts_nesting_up_to_256_levels(output: str) -> None:
    text = trial_with(f'"output":{output}')
    assert decode_trial(text).output == json.loads(output)
    assert validate("trial", text) == []


@pytest.mark.parametrize(
    "members",
    [
        pytest.param(f'"output":{nested(MAX_DEPTH)}', id="one too deep"),
        pytest.param(f'"output":{nested(MAX_DEPTH, "[[],", "]")}'.replace(",]", "]"), id="beside"),
        pytest.param(f'"unknown":{nested(MAX_DEPTH)}', id="in an unknown member"),
        pytest.param(f'"latencyMs":1.0,"output":{nested(MAX_DEPTH)}', id="on the slow path"),
        pytest.param(f'"output":{nested(5_000)}', id="beyond recursion"),
        pytest.param(f'"output":{nested(100_000)}', id="far beyond recursion"),
    ],
)
def test_refuses_nesting_beyond_256_levels(members: str) -> None:
    for refusal in refusals(trial_with(members), "trial"):
        assert refusal.reason == "nested deeper than 256 levels"


def test_refuses_every_document_that_is_nested_too_deep() -> None:
    for refusal in refusals(nested(MAX_DEPTH + 1), *DECODE):
        assert refusal.reason == "nested deeper than 256 levels"


@pytest.mark.parametrize(
    ("text", "pointer", "name"),
    [
        pytest.param('{"taskId":"t1","taskId":"t1"}', "/taskId", "taskId", id="the same twice"),
        pytest.param('{"taskId":"t1","taskId":"t2"}', "/taskId", "taskId", id="another value"),
        pytest.param(r'{"taskId":"t1","t\u0061skId":"t1"}', "/taskId", "taskId", id="escaped"),
        pytest.param(trial_with('"latencyMs":1.0,"latencyMs":1.0'), "/latencyMs", "latencyMs"),
        pytest.param(trial_with('"output":{"a":1,"b":2,"a":3}'), "/output/a", "a", id="free"),
        pytest.param(trial_with('"output":{"":1,"":2}'), "/output/", "", id="empty name"),
        pytest.param(trial_with('"output":[0,[{"a":1,"a":1}]]'), "/output/1/0/a", "a", id="deep"),
        pytest.param(trial_with('"output":{"a":{},"a":[]}'), "/output/a", "a", id="containers"),
        pytest.param(trial_with('"output":{"a":"x","a":""}'), "/output/a", "a", id="texts"),
        pytest.param(trial_with(r'"output":{"\u0061":1,"a":2}'), "/output/a", "a", id="escape"),
        pytest.param(trial_with(r'"output":{"q\"":1,"q\"":2}'), '/output/q"', 'q"', id="quote"),
        pytest.param(trial_with(r'"output":{"q\u0022":1,"q\"":2}'), '/output/q"', 'q"', id="quote"),
        pytest.param(trial_with(r'"output":{"\\":1,"\\":2}'), "/output/\\", "\\", id="backslash"),
        pytest.param(trial_with(r'"output":{"\\\"":1,"\\\"":2}'), '/output/\\"', '\\"', id="both"),
        pytest.param(
            trial_with('"output":{"a/~":1,"a/~":2}'), "/output/a~1~0", "a/~", id="/ and ~"
        ),
        pytest.param(trial_with(r'"output":{"/":1,"\/":2}'), "/output/~1", "/", id="escaped /"),
        pytest.param(
            trial_with('"output":{"\n":1,"\\n":2}'.replace("\n", "\\u000a")),
            "/output/\n",
            "\n",
            id="LF",
        ),
        pytest.param(
            trial_with('"toolCalls":[{"tool":"a","tool":"b"}]'),
            "/toolCalls/0/tool",
            "tool",
            id="typed",
        ),
        pytest.param(
            trial_with('"toolCalls":[{"tool":"a","args":{"é":1,"é":2}}]'),
            "/toolCalls/0/args/é",
            "é",
            id="arguments",
        ),
    ],
)
def test_refuses_a_repeated_name(text: str, pointer: str, name: str) -> None:
    for refusal in refusals(text, "trial"):
        assert (refusal.line, refusal.column, refusal.pointer) == (None, None, pointer)
        assert json.dumps(name) in refusal.reason


@pytest.mark.parametrize("kind", DECODE)
def test_refuses_a_repeated_name_in_every_document(kind: Kind) -> None:
    text = json.dumps(WHOLE[kind])
    repeated = text.replace('"taskId":', '"taskId": "other", "taskId":')
    pointer = "/taskId" if kind == "trial" else "/tasks/0/taskId"
    assert [refusal.pointer for refusal in refusals(repeated, kind)] == [pointer, pointer]


def test_without_the_check_the_last_of_a_repeated_name_wins() -> None:
    text = trial_with('"output":1,"output":{"a":1,"a":2}')
    assert decode_trial(text, check_names=False).output == {"a": 2}
    with pytest.raises(DecodeError):
        decode_trial(text, check_names=True)


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(r'"\""', id="a quote"),
        pytest.param(r'"\\"', id="a backslash"),
        pytest.param(r'"\\\""', id="a backslash and a quote"),
        pytest.param(r'"\\\\\"\\"', id="many"),
        pytest.param(r'"\u0022\u005c"', id="both as escapes"),
        pytest.param(r'"\u005c\u0022a\u0022:"', id="a member in a string"),
        pytest.param(r'"\/\b\f\n\r\t"', id="every other escape"),
        pytest.param(r'{"\"":"\"","\\\"":"\\"}', id="in names"),
        pytest.param(r'[{"a":1},{"a":1}]', id="one name in two objects"),
        pytest.param(r'{"a":{"a":{"a":1}}}', id="one name at three levels"),
        pytest.param(r'{"a":1,"A":2,"a ":3}', id="names that look alike"),
        pytest.param("[1e5,1.50,-0.0,1E-7]", id="numbers that are written anew"),
    ],
)
def test_accepts_text_that_only_looks_as_if_a_name_were_repeated(output: str) -> None:
    text = trial_with(f'"output":{output}')
    assert decode_trial(text).output == json.loads(output)
    assert validate("trial", text) == []


names = st.text(st.sampled_from('ab"\\/~u0é\n'), max_size=3)
values = st.recursive(
    st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@given(values, st.booleans())
def test_no_value_is_accused_of_a_repeated_name(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    refuse_repeated_names(text, parse(text))


@given(names, values, values, st.booleans())
def test_every_repeated_name_is_found(
    name: str, first: object, second: object, ascii_only: bool
) -> None:
    written = json.dumps(name, ensure_ascii=ascii_only), json.dumps(name)
    text = f"[{{{written[0]}:{json.dumps(first)},{written[1]}:{json.dumps(second)}}}]".encode()
    with pytest.raises(DecodeError) as refusal:
        refuse_repeated_names(text, parse(text))
    assert refusal.value.pointer == "/0" + pointer_step(name)


@pytest.mark.parametrize(
    "data",
    [RECORD, RECORD.encode(), bytearray(RECORD.encode()), memoryview(RECORD.encode())],
    ids=lambda data: type(data).__name__,
)
def test_reads_text_and_every_kind_of_bytes(data: str | bytes | bytearray | memoryview) -> None:
    assert decode_trial(data).task_id == "t1"
    assert validate("trial", data) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"{}", [(1, b"{}")], id="no LF at the end"),
        pytest.param(b"{}\n\n", [(1, b"{}"), (2, b"")], id="an empty line"),
        pytest.param(b"{}\n[]\n", [(1, b"{}"), (2, b"[]")], id="LF"),
        pytest.param(b"{}\r\n[]\r\n", [(1, b"{}"), (2, b"[]")], id="CRLF"),
        pytest.param(b"\xef\xbb\xbf{}\n[]", [(1, b"{}"), (2, b"[]")], id="byte order mark"),
        pytest.param(
            b"{}\n\xef\xbb\xbf[]", [(1, b"{}"), (2, b"\xef\xbb\xbf[]")], id="mark further on"
        ),
        pytest.param(
            '"\u2028\x85\x0b\r"'.encode(), [(1, '"\u2028\x85\x0b\r"'.encode())], id="LF alone"
        ),
    ],
)
def test_lines_end_at_line_feeds_alone(text: bytes, lines: list[tuple[int, bytes]]) -> None:
    assert list(json_lines(io.BytesIO(text))) == lines


@pytest.mark.parametrize("lines", [io.StringIO("{}\n"), ["{}"], [b"{}", "{}"], [None]])
def test_refuses_lines_that_are_not_bytes(lines: Iterable[bytes]) -> None:
    with pytest.raises(TypeError):
        list(json_lines(lines))


@pytest.mark.parametrize(
    ("name", "step"), [("a", "/a"), (0, "/0"), ("", "/"), ("a/b", "/a~1b"), ("~1", "/~01")]
)
def test_a_step_of_a_pointer_is_escaped(name: str | int, step: str) -> None:
    assert pointer_step(name) == step


def test_a_long_text_is_shortened_and_a_short_one_is_not() -> None:
    assert shortened("x" * 60) == "x" * 60
    assert shortened("x" * 61) == "x" * 57 + "..."
