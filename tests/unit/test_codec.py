"""Bytes to documents and back: where msgspec and JSON Schema differ, and what was meant by hand."""

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, structs

from openwop_evals import (
    AgentEvalSuite,
    DecodeError,
    EvalSummary,
    TaskResult,
    Thresholds,
    ToolCall,
    TrialRecord,
    ValidationError,
    decode_suite,
    decode_summary,
    decode_trial,
    encode,
    iter_trials,
    validate,
)
from openwop_evals.models import DOCUMENTS, Document, Kind
from tests.support.builders import suite_json, task
from tests.support.documents import DECODE, WHOLE, changed

NAN = float("nan")
INFINITY = float("inf")


def attribute(document: object, path: str) -> Any:  # noqa: ANN401 - any value of a document
    """The value at a path of attributes and indices, such as tasks.0.score."""
    value: Any = document
    for step in path.split("."):
        value = value[int(step)] if step.isdigit() else getattr(value, step)
    return value


@pytest.mark.parametrize(
    ("text", "number"), [("1.0", 1), ("1e2", 100), ("9007199254740993.0", 2**53 + 1)]
)
@pytest.mark.parametrize(
    ("kind", "pointer", "path"),
    [
        ("suite", "/trials/count", "trials.count"),
        ("suite", "/thresholds/maxP95LatencyMs", "thresholds.max_p95_latency_ms"),
        ("summary", "/taskCount", "task_count"),
        ("summary", "/trialStats/count", "trial_stats.count"),
        ("summary", "/tasks/0/latencyMs", "tasks.0.latency_ms"),
        ("summary", "/tasks/0/trials/passedCount", "tasks.0.trials.passed_count"),
        ("trial", "/trial", "trial"),
        ("trial", "/latencyMs", "latency_ms"),
    ],
)
def test_accepts_an_integer_with_a_fraction_or_an_exponent(
    kind: Kind, pointer: str, path: str, text: str, number: int
) -> None:
    document = json.dumps(changed(kind, pointer, "HERE")).replace('"HERE"', text)
    found = attribute(DECODE[kind](document), path)
    assert (type(found), found) == (int, number)
    assert validate(kind, document) == []


@pytest.mark.parametrize("latency", ["1", "1.0"], ids=["fast path", "slow path"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("1.0", 1.0),
        ('[1.0,{"a":1.0}]', [1.0, {"a": 1.0}]),
        ("1e2", 100.0),
        ("0.1", 0.1),
        ("9007199254740993", 2**53 + 1),
        ("9007199254740993.0", float(2**53)),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-123456789012345678901234567890", -123456789012345678901234567890),
        ("5e-324", 5e-324),
        ("1e-400", 0.0),
    ],
)
def test_a_number_of_a_free_value_stays_what_it_was(latency: str, text: str, value: object) -> None:
    record = decode_trial(f'{{"taskId":"t1","latencyMs":{latency},"output":{text}}}')
    assert repr(record.output) == repr(value)
    assert record.latency_ms == 1


@pytest.mark.parametrize("latency", ["1", "1.0"], ids=["fast path", "slow path"])
def test_an_integer_where_a_float_stands_is_the_same_number(latency: str) -> None:
    record = decode_trial(f'{{"taskId":"t1","latencyMs":{latency},"score":1,"costUsd":3}}')
    assert (record.score, record.cost_usd) == (1.0, 3.0)
    assert encode(record) == b'{"taskId":"t1","score":1.0,"costUsd":3.0,"latencyMs":1}'


def test_accepts_an_integer_of_any_size() -> None:
    record = decode_trial('{"taskId":"t1","latencyMs":' + "9" * 4300 + "}")
    assert record.latency_ms == 10**4300 - 1


def test_refuses_an_integer_beyond_every_double_where_a_float_stands() -> None:
    text = '{"taskId":"t1","costUsd":' + "9" * 400 + "}"
    with pytest.raises(ValidationError) as refusal:
        decode_trial(text)
    (found,) = refusal.value.violations
    assert (found.pointer, found.rule, found.value) == ("/costUsd", "type", 10**400 - 1)
    assert len(found.message) < 150
    assert validate("trial", text) == [found]


@pytest.mark.parametrize("count", [2, 4096, 4097, 8193])
@pytest.mark.parametrize("bad", ["t\n", "T"])
def test_finds_one_bad_id_among_many(count: int, bad: str) -> None:
    tasks = [task(f"t{at}") for at in range(count)]
    tasks[-1]["taskId"] = bad
    text = json.dumps(suite_json(*tasks))
    with pytest.raises(ValidationError) as refusal:
        decode_suite(text)
    assert [(found.pointer, found.rule, found.value) for found in refusal.value.violations] == [
        (f"/tasks/{count - 1}/taskId", "pattern", bad)
    ]


def test_names_every_broken_place_in_order() -> None:
    tasks = [task("BAD" if at in (2, 10) else f"t{at}") for at in range(11)]
    document = suite_json(*tasks, modes=["golden", "golden"], bars={"passScore": 2}, extra=1)
    text = json.dumps(document | {"version": None})
    with pytest.raises(ValidationError) as refusal:
        decode_suite(text)
    assert [(found.pointer, found.rule, found.value) for found in refusal.value.violations] == [
        ("/extra", "additionalProperties", 1),
        ("/modes", "uniqueItems", ["golden", "golden"]),
        ("/tasks/2/taskId", "pattern", "BAD"),
        ("/tasks/10/taskId", "pattern", "BAD"),
        ("/thresholds/passScore", "maximum", 2),
        ("/version", "type", None),
    ]
    assert validate("suite", text) == list(refusal.value.violations)
    assert len(str(refusal.value).splitlines()) == 6


@pytest.mark.parametrize(
    ("kind", "pointer", "value", "message"),
    [
        ("suite", "/thresholds/passscore", 1, 'did you mean "passScore"?'),
        ("suite", "/thresholds/passScore", 90, "found 90, expected at most 1"),
        ("suite", "/tasks/0/taskId", "A\n", r'found "A\n", expected text that matches ^[a-z0-9]'),
        ("suite", "/modes/0", "gold", 'found "gold", expected one of golden, rubric, adversarial'),
        ("summary", "/passed", "false", 'found "false", expected boolean'),
        ("summary", "/tasks", {}, "found {}, expected array"),
        ("trial", "/toolCalls", None, "found null, expected array"),
        ("trial", "/costUsd", -1, "found -1, expected at least 0"),
        ("trial", "/costUsd", "1", "expected number or null"),
        ("trial", "/toolCalls/0/tool", "", "expected a length of at least 1"),
        ("suite", "/tasks", [], "expected at least 1 item"),
        ("trial", "/toolCalls/0", {}, 'the member "tool" is missing'),
        ("trial", "/error", ["x" * 1000], "..."),
    ],
)
def test_a_violation_says_what_was_found_and_expected(
    kind: Kind, pointer: str, value: object, message: str
) -> None:
    with pytest.raises(ValidationError) as refusal:
        DECODE[kind](json.dumps(changed(kind, pointer, value)))
    (found,) = refusal.value.violations
    assert (found.pointer, found.value) == (pointer, value)
    assert message in found.message
    assert len(found.message) < 200
    assert str(refusal.value) == str(found) == f"at {pointer}: {found.message}"


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_is_written_as_it_was_read(kind: Kind) -> None:
    text = json.dumps(WHOLE[kind], separators=(",", ":")).encode()
    document = DECODE[kind](text)
    assert encode(document) == text
    assert encode(document, check=False) == text
    assert DECODE[kind](encode(document)) == document


@pytest.mark.parametrize(
    "members",
    [
        pytest.param("", id="absent"),
        pytest.param(',"output":null', id="null"),
        pytest.param(',"output":{}', id="empty object"),
        pytest.param(',"output":[]', id="empty array"),
        pytest.param(',"output":""', id="empty text"),
        pytest.param(',"output":0', id="0"),
        pytest.param(',"output":false', id="false"),
        pytest.param(',"costUsd":null', id="no cost known"),
        pytest.param(',"toolCalls":[]', id="no call"),
        pytest.param(',"toolCalls":[{"tool":"a"}]', id="no arguments said"),
        pytest.param(',"toolCalls":[{"tool":"a","args":{}}]', id="no arguments"),
        pytest.param(',"output":{"b":1,"a":[123456789012345678901234567890,1.5]}', id="numbers"),
        pytest.param(',"output":"\u2028é\\u0000\\""', id="characters"),
    ],
)
def test_absent_null_and_empty_stay_apart(members: str) -> None:
    text = f'{{"taskId":"t1"{members}}}'.encode()
    assert encode(decode_trial(text)) == text


def test_an_absent_member_is_unset_and_arrays_are_tuples() -> None:
    record = decode_trial('{"taskId":"t1","toolCalls":[{"tool":"a"}],"rubricMet":[]}')
    assert record == TrialRecord(task_id="t1", tool_calls=(ToolCall(tool="a"),), rubric_met=())
    assert record.output is UNSET


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_cannot_be_changed(kind: Kind) -> None:
    document = DECODE[kind](json.dumps(WHOLE[kind]))
    with pytest.raises(AttributeError):
        setattr(document, structs.fields(document)[0].name, "other")


SUITE = decode_suite(json.dumps(suite_json()))
SUMMARY = decode_summary(json.dumps(WHOLE["summary"]))
RECORD = TrialRecord(task_id="t1")


@pytest.mark.parametrize(
    ("document", "pointer", "rule"),
    [
        pytest.param(structs.replace(RECORD, score=NAN), "/score", "type", id="NaN"),
        pytest.param(structs.replace(RECORD, score=INFINITY), "/score", "type", id="infinity"),
        pytest.param(structs.replace(RECORD, score=True), "/score", "type", id="bool for a number"),
        pytest.param(structs.replace(RECORD, score="0.9"), "/score", "type", id="text"),
        pytest.param(structs.replace(RECORD, score=None), "/score", "type", id="None for absent"),
        pytest.param(structs.replace(RECORD, score=1.5), "/score", "maximum", id="out of range"),
        pytest.param(structs.replace(RECORD, trial=-1), "/trial", "minimum", id="negative"),
        pytest.param(structs.replace(RECORD, trial=True), "/trial", "type", id="bool"),
        pytest.param(structs.replace(RECORD, trial=0.5), "/trial", "type", id="fraction"),
        pytest.param(structs.replace(RECORD, task_id="A"), "/taskId", "pattern", id="pattern"),
        pytest.param(structs.replace(RECORD, task_id="a\n"), "/taskId", "pattern", id="line feed"),
        pytest.param(structs.replace(RECORD, task_id=UNSET), "", "required", id="missing"),
        pytest.param(structs.replace(SUMMARY, passed="false"), "/passed", "type", id="verdict"),
        pytest.param(structs.replace(SUMMARY, passed=1), "/passed", "type", id="1 for true"),
        pytest.param(structs.replace(SUMMARY, suite_id=None), "/suiteId", "type", id="no suite"),
        pytest.param(
            structs.replace(SUMMARY, aggregate_score=NAN), "/aggregateScore", "type", id="NaN mean"
        ),
        pytest.param(
            structs.replace(SUMMARY, tasks=(TaskResult(task_id="t1", score=NAN, passed=True),)),
            "/tasks/0/score",
            "type",
            id="NaN in a row",
        ),
        pytest.param(structs.replace(SUITE, tasks=()), "/tasks", "minItems", id="no task"),
        pytest.param(
            structs.replace(SUITE, thresholds=Thresholds(pass_score=-1)),
            "/thresholds/passScore",
            "minimum",
            id="nested",
        ),
    ],
)
def test_encode_refuses_what_breaks_the_schema(document: Document, pointer: str, rule: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        encode(document)
    assert [(found.pointer, found.rule) for found in refusal.value.violations] == [(pointer, rule)]
    assert isinstance(encode(document, check=False), bytes)


def cyclic() -> list[object]:
    values: list[object] = []
    values.append(values)
    return values


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(structs.replace(RECORD, cost_usd=NAN), id="NaN where null may stand"),
        pytest.param(structs.replace(RECORD, output=NAN), id="NaN"),
        pytest.param(structs.replace(RECORD, output={"a": [1, INFINITY]}), id="infinity"),
        pytest.param(
            structs.replace(RECORD, tool_calls=(ToolCall(tool="a", args={"x": NAN}),)),
            id="NaN in an argument",
        ),
        pytest.param(structs.replace(RECORD, output={1: 2}), id="a name that is no text"),
        pytest.param(structs.replace(RECORD, output=b"x"), id="bytes"),
        pytest.param(structs.replace(RECORD, output={1, 2}), id="a set"),
        pytest.param(structs.replace(RECORD, output=object()), id="an object"),
        pytest.param(structs.replace(RECORD, output="\ud800"), id="a lone surrogate"),
        pytest.param(structs.replace(RECORD, output={"a": UNSET}), id="UNSET in a free value"),
        pytest.param(structs.replace(RECORD, output=cyclic()), id="a cycle"),
        pytest.param(
            structs.replace(RECORD, output=json.loads("[" * 256 + "]" * 256)), id="too deep"
        ),
        pytest.param(structs.replace(RECORD, trial=2.0), id="a float for an integer"),
    ],
)
def test_encode_refuses_what_json_does_not_give_back(document: Document) -> None:
    with pytest.raises(ValidationError) as refusal:
        encode(document)
    assert refusal.value.violations
    assert str(refusal.value)


def test_encode_without_the_check_writes_what_it_is_given() -> None:
    record = structs.replace(RECORD, score=NAN, trial=-1, output=[INFINITY])
    assert encode(record, check=False) == b'{"taskId":"t1","trial":-1,"score":null,"output":[null]}'


class Derived(TrialRecord, frozen=True):
    pass


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    "document", [{"taskId": "t1"}, ToolCall(tool="a"), None, TrialRecord, Derived(task_id="t1")]
)
def test_encode_refuses_what_is_no_document(document: Any, *, check: bool) -> None:  # noqa: ANN401
    with pytest.raises(TypeError):
        encode(document, check=check)


def log(*lines: str, end: str = "\n") -> io.BytesIO:
    return io.BytesIO("".join(line + end for line in lines).encode())


FIRST, SECOND = '{"taskId":"t1"}', '{"taskId":"t2","trial":1}'
RECORDS = [TrialRecord(task_id="t1"), TrialRecord(task_id="t2", trial=1)]


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(log(FIRST, SECOND), id="LF"),
        pytest.param(log(FIRST, SECOND, end="\r\n"), id="CRLF"),
        pytest.param(log("\ufeff" + FIRST, SECOND), id="byte order mark"),
        pytest.param(io.BytesIO(f"{FIRST}\n{SECOND}".encode()), id="no LF at the end"),
        pytest.param(log(f"  {FIRST}\t", SECOND), id="white space"),
        pytest.param([FIRST.encode(), SECOND.encode()], id="lines from elsewhere"),
    ],
)
def test_reads_a_log(file: Iterable[bytes]) -> None:
    assert list(iter_trials(file)) == RECORDS


def test_reads_a_file_and_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    path.write_bytes(log(FIRST, SECOND).getvalue())
    with path.open("rb") as file:
        assert list(iter_trials(file)) == RECORDS
    assert list(iter_trials(io.BytesIO(b""))) == []


def test_a_line_is_cut_at_line_feeds_alone() -> None:
    text = "a\u2028b\x85c\u2029d\x7fe"
    (record,) = iter_trials(log(f'{{"taskId":"t1","output":"{text}\\u000b\\r"}}'))
    assert record.output == text + "\x0b\r"


def test_a_log_is_read_as_it_is_asked_for() -> None:
    records = iter_trials(log(FIRST, "{"))
    assert next(records) == RECORDS[0]
    with pytest.raises(DecodeError):
        next(records)


@pytest.mark.parametrize(
    ("file", "line", "column", "pointer"),
    [
        pytest.param(log(FIRST, '{"taskId":"t'), 2, 11, None, id="a string cut"),
        pytest.param(io.BytesIO(b'{"taskId":"t1"}\n{"taskId":'), 2, 11, None, id="last line cut"),
        pytest.param(log(FIRST, '{"taskId":"t1"'), 2, 15, None, id="an object cut before its LF"),
        pytest.param(log(FIRST, SECOND + FIRST), 2, 26, None, id="two records in a line"),
        pytest.param(log(FIRST, "", SECOND), 2, 1, None, id="empty line"),
        pytest.param(log(FIRST, ""), 2, 1, None, id="empty last line"),
        pytest.param(log(FIRST, "\ufeff" + SECOND), 2, 1, None, id="mark further on"),
        pytest.param(log("\ufeff\ufeff" + FIRST), 1, 1, None, id="two marks"),
        pytest.param(
            log(FIRST, '{"taskId":"t1","output":"a\x0bb"}'), 2, 27, None, id="control character"
        ),
        pytest.param(
            log(FIRST, '{"taskId":"t1","output":{"a":1,"a":2}}'),
            2,
            None,
            "/output/a",
            id="repeated name",
        ),
        pytest.param(log(FIRST, '{"taskId":"t1","score":NaN}'), 2, 24, None, id="NaN"),
        pytest.param(io.BytesIO(FIRST.encode("utf-16")), 1, 1, None, id="UTF-16"),
    ],
)
def test_names_the_line_that_is_not_json(
    file: io.BytesIO, line: int, column: int | None, pointer: str | None
) -> None:
    with pytest.raises(DecodeError) as refusal:
        list(iter_trials(file))
    place = refusal.value.line, refusal.value.column, refusal.value.pointer
    assert place == (line, column, pointer)


@pytest.mark.parametrize(
    ("line", "pointers"),
    [
        ('{"taskId":"t1","score":1.5,"trial":-1}', ["/score", "/trial"]),
        ('{"score":1}', [""]),
        ('{"taskId":"t1","toolCalls":["a"]}', ["/toolCalls/0"]),
        ('{"taskId":"t1","toolCalls":[{"name":"a"}]}', ["/toolCalls/0", "/toolCalls/0/name"]),
        ('{"taskId":"t1","toolCalls":null}', ["/toolCalls"]),
        ("[]", [""]),
    ],
)
def test_names_the_line_that_breaks_the_schema(line: str, pointers: list[str]) -> None:
    with pytest.raises(ValidationError) as refusal:
        list(iter_trials(log(FIRST, SECOND, line)))
    assert refusal.value.line == 3
    assert sorted(found.pointer for found in refusal.value.violations) == pointers
    assert all(text.startswith("line 3") for text in str(refusal.value).splitlines())
    assert refusal.value.task_id == (None if "taskId" not in line else "t1")
    assert refusal.value.trial == (-1 if "trial" in line else None)


def test_refuses_a_log_that_is_open_as_text(tmp_path: Path) -> None:
    path = tmp_path / "trials.jsonl"
    path.write_text(FIRST, "utf-8")
    with path.open(encoding="utf-8") as file, pytest.raises(TypeError):
        list(iter_trials(file))  # type: ignore[arg-type] # what the test is about


def test_the_types_are_those_of_the_documents() -> None:
    assert {kind: entry.type for kind, entry in DOCUMENTS.items()} == {
        "suite": AgentEvalSuite,
        "summary": EvalSummary,
        "trial": TrialRecord,
    }
    assert all(issubclass(entry.type, msgspec.Struct) for entry in DOCUMENTS.values())
