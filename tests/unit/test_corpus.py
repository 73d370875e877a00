"""Documents in files, accepted and refused: one row a file here, one file a row there."""

from pathlib import Path
from typing import NamedTuple

import pytest

from openwop_evals import DecodeError, ValidationError, encode, validate
from openwop_evals.models import DOCUMENTS, Kind
from tests.support.documents import DECODE

CORPUS = Path(__file__).parents[1] / "corpus"


class NoJson(NamedTuple):
    """A DecodeError and where it points; a column that is None may be any."""

    line: int | None = None
    column: int | None = None
    pointer: str | None = None


class Broken(NamedTuple):
    """A ValidationError with one violation."""

    pointer: str
    rule: str


ACCEPTED: dict[Kind, str] = {
    "suite": """
        count-with-exponent
        count-with-fraction
        escaped-names
        every-member
        every-mode
        input-null-and-empty
        least
        members-reversed
        nested-256
        pass-score-ends
        repeated-task-id
        white-space-crlf
    """,
    "summary": """
        anonymous-baseline
        count-of-30-digits
        count-with-fraction
        escaped-names
        every-member
        least
        members-reversed
        no-pinned-node
        no-task
        score-ends
        score-minus-zero
        score-underflows
        white-space-crlf
    """,
    "trial": """
        arguments-empty
        cost-null
        escaped-names
        every-member
        latency-of-400-digits
        latency-with-exponent
        least
        line-separators-in-text
        members-reversed
        nested-256
        no-tool-call
        output-2-to-53-and-1
        output-empty-object
        output-null
        surrogate-pair
        white-space-crlf
    """,
}

REFUSED: dict[Kind, dict[str, NoJson | Broken]] = {
    "suite": {
        "count-half": Broken("/trials/count", "type"),
        "count-zero": Broken("/trials/count", "minimum"),
        "criterion-empty": Broken("/tasks/0/expected/rubric/0/criterion", "minLength"),
        "forbidden-empty": Broken("/tasks/0/expected/trajectory/forbidden", "minItems"),
        "kind-missing": Broken("/tasks/0/expected", "required"),
        "mode-repeated": Broken("/modes", "uniqueItems"),
        "mode-unknown": Broken("/modes/0", "enum"),
        "no-json-byte-order-mark": NoJson(line=1, column=1),
        "no-json-empty": NoJson(line=1, column=1),
        "no-json-latin-1": NoJson(line=1, column=97),
        "no-json-lone-surrogate": NoJson(line=1, column=46),
        "no-json-nan": NoJson(line=1, column=179),
        "no-json-nested-257": NoJson(),
        "no-json-no-double": NoJson(),
        "no-json-null-byte": NoJson(line=1, column=150),
        "no-json-repeated-escaped-name": NoJson(pointer="/thresholds/passScore"),
        "no-json-repeated-name": NoJson(pointer="/version"),
        "no-json-text-after": NoJson(line=2, column=1),
        "no-json-trailing-comma": NoJson(line=1),
        "no-json-truncated": NoJson(line=1, column=75),
        "no-json-utf-16": NoJson(line=1, column=1),
        "no-json-utf-16-le-without-mark": NoJson(line=1, column=2),
        "no-mode": Broken("/modes", "minItems"),
        "no-task": Broken("/tasks", "minItems"),
        "pass-score-over-1": Broken("/thresholds/passScore", "maximum"),
        "root-array": Broken("", "type"),
        "root-null": Broken("", "type"),
        "task-id-ends-in-line-feed": Broken("/tasks/0/taskId", "pattern"),
        "thresholds-null": Broken("/thresholds", "type"),
        "unknown-member": Broken("/extra", "additionalProperties"),
        "version-ends-in-line-feed": Broken("/version", "pattern"),
        "version-in-arabic-digits": Broken("/version", "pattern"),
    },
    "summary": {
        "cost-of-400-digits": Broken("/totalCostUsd", "type"),
        "count-negative": Broken("/taskCount", "minimum"),
        "count-rounds-to-an-integer": Broken("/taskCount", "type"),
        "delta-under-minus-1": Broken("/regression/scoreDelta", "minimum"),
        "model-class-in-capitals": Broken("/evaluatedModelClass", "enum"),
        "no-json-byte-order-mark": NoJson(line=1, column=1),
        "no-json-empty": NoJson(line=1, column=1),
        "no-json-infinity": NoJson(line=1, column=207),
        "no-json-latin-1": NoJson(line=1, column=154),
        "no-json-no-double": NoJson(),
        "no-json-null-byte": NoJson(line=1, column=190),
        "no-json-repeated-name": NoJson(pointer="/passed"),
        "no-json-repeated-name-in-row": NoJson(pointer="/tasks/0/score"),
        "no-json-text-after": NoJson(line=2, column=1),
        "no-json-trailing-comma": NoJson(line=1),
        "no-json-truncated": NoJson(line=1, column=96),
        "no-json-utf-16": NoJson(line=1, column=1),
        "no-json-utf-16-le-without-mark": NoJson(line=1, column=2),
        "node-repeated": Broken("/pinnedNodeIds", "uniqueItems"),
        "passed-as-1": Broken("/passed", "type"),
        "passed-as-text": Broken("/passed", "type"),
        "root-array": Broken("", "type"),
        "root-null": Broken("", "type"),
        "run-id-short": Broken("/regression/baselineRunId", "pattern"),
        "score-negative": Broken("/aggregateScore", "minimum"),
        "score-true": Broken("/aggregateScore", "type"),
        "task-id-ends-in-line-feed": Broken("/tasks/0/taskId", "pattern"),
        "tasks-missing": Broken("", "required"),
        "unknown-member": Broken("/extra", "additionalProperties"),
    },
    "trial": {
        "arguments-array": Broken("/toolCalls/0/args", "type"),
        "cost-negative": Broken("/costUsd", "minimum"),
        "error-empty": Broken("/error", "minLength"),
        "latency-half": Broken("/latencyMs", "type"),
        "no-json-byte-order-mark": NoJson(line=1, column=1),
        "no-json-empty": NoJson(line=1, column=1),
        "no-json-integer-of-4301-digits": NoJson(),
        "no-json-latin-1": NoJson(line=1, column=13),
        "no-json-lone-surrogate": NoJson(line=1, column=29),
        "no-json-nan": NoJson(line=1, column=27),
        "no-json-nested-257": NoJson(),
        "no-json-no-double": NoJson(),
        "no-json-null-byte": NoJson(line=1, column=17),
        "no-json-raw-control-character": NoJson(line=1, column=30),
        "no-json-repeated-name": NoJson(pointer="/taskId"),
        "no-json-repeated-name-in-output": NoJson(pointer="/output/a/0/b"),
        "no-json-text-after": NoJson(line=2, column=1),
        "no-json-trailing-comma": NoJson(line=1),
        "no-json-truncated": NoJson(line=1, column=2),
        "no-json-two-records": NoJson(line=1, column=16),
        "no-json-utf-16": NoJson(line=1, column=1),
        "no-json-utf-16-le-without-mark": NoJson(line=1, column=2),
        "root-array": Broken("", "type"),
        "root-null": Broken("", "type"),
        "rubric-of-numbers": Broken("/rubricMet/1", "type"),
        "score-null": Broken("/score", "type"),
        "score-over-1": Broken("/score", "maximum"),
        "severity-unknown": Broken("/safetyFindings/0/severity", "enum"),
        "task-id-ends-in-line-feed": Broken("/taskId", "pattern"),
        "tool-missing": Broken("/toolCalls/0", "required"),
        "trial-negative": Broken("/trial", "minimum"),
        "trial-true": Broken("/trial", "type"),
        "unknown-member": Broken("/extra", "additionalProperties"),
    },
}

ACCEPTED_FILES = [(kind, name) for kind, names in ACCEPTED.items() for name in names.split()]
REFUSED_FILES = [(kind, name) for kind, rows in REFUSED.items() for name in rows]


def text_of(verdict: str, kind: Kind, name: str) -> bytes:
    return (CORPUS / verdict / kind / f"{name}.json").read_bytes()


@pytest.mark.parametrize(
    ("verdict", "rows"), [("accept", ACCEPTED_FILES), ("reject", REFUSED_FILES)]
)
def test_every_file_has_its_row(verdict: str, rows: list[tuple[Kind, str]]) -> None:
    files = {path.relative_to(CORPUS / verdict) for path in (CORPUS / verdict).rglob("*.*")}
    assert files == {Path(kind, f"{name}.json") for kind, name in rows}
    assert {kind for kind, _ in rows} == set(DOCUMENTS)
    assert {path.name for path in CORPUS.iterdir()} == {"accept", "reject"}


@pytest.mark.parametrize(("kind", "name"), ACCEPTED_FILES)
def test_accepts(kind: Kind, name: str) -> None:
    text = text_of("accept", kind, name)
    document = DECODE[kind](text)
    assert validate(kind, text) == []
    assert DECODE[kind](encode(document)) == document


@pytest.mark.parametrize(("kind", "name"), REFUSED_FILES)
def test_refuses(kind: Kind, name: str) -> None:
    text, expected = text_of("reject", kind, name), REFUSED[kind][name]
    if isinstance(expected, Broken):
        with pytest.raises(ValidationError) as broken:
            DECODE[kind](text)
        (found,) = broken.value.violations
        assert (found.pointer, found.rule) == expected
        assert validate(kind, text) == [found]
        return
    for read in (DECODE[kind], lambda text: validate(kind, text)):
        with pytest.raises(DecodeError) as refusal:
            read(text)
        assert (refusal.value.line, refusal.value.pointer) == (expected.line, expected.pointer)
        assert expected.column in {None, refusal.value.column}
