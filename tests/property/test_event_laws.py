"""Laws of the payloads of eval.* events that hold for every graded run and every payload."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from openwop_evals import GradedRun, grade_run
from openwop_evals._contract import violations
from openwop_evals._json import parse
from openwop_evals.events import eval_events
from openwop_evals.models import EVENT_SCHEMA, PAYLOADS, AgentEvalSuite, EventType
from tests.support.builders import Json
from tests.support.events import (
    ENVELOPE,
    WHOLE_PAYLOADS,
    is_valid_event,
    is_valid_payload,
    on_the_wire,
)
from tests.support.strategies import SCORES, Run, runs

laws = settings(max_examples=150, deadline=None)
RUN_ID = "acme/0123456789abcdef"
ANSWER, OTHER, ARGUMENT = "the golden answer", "another answer", "the argument of a call"
TYPES = st.sampled_from(list(PAYLOADS))
NAMES = st.sampled_from(
    [
        *("openwop-", "x-", "vendor.", "openwop-a", "x-a", "x-\n", "vendor.a", "openwop", "x"),
        *("X-a", "xa", "vendor", "vendora", "a-x-a", " x-a", "\nx-a", "", "note", "taskID"),
    ]
)
VALUES = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 2, 1.0, 0.5, 1.5, -0.5, -1.5, -0.0, 2.0**53, 1e-320),
        *("", "t1", "T1", "t1\n", "golden", "1.0.0", "1.0.0\n", "acme.evals.sample", "1"),
        *(RUN_ID, f"{RUN_ID}\n", f"anon:{RUN_ID}", "acme/short", "node:1", "eval.scored"),
        *([], ["golden"], ["golden", "golden"], ["gold"], [1, 1], [None], [RUN_ID], [RUN_ID] * 2),
        *([RUN_ID, "acme/short"], {}, {"x-": 1}),
    ]
)


def told(drawn: Run) -> tuple[AgentEvalSuite, GradedRun]:
    """A run whose outputs and arguments are texts that stand nowhere else."""
    texts = {"yes": ANSWER, "no": OTHER}
    document = copy.deepcopy(drawn.suite)
    for one in document["tasks"]:
        one["input"] = ARGUMENT
        one["expected"]["match"]["value"] = ANSWER
    rows = copy.deepcopy(drawn.rows)
    for row in rows:
        if "output" in row:
            row["output"] = texts.get(row["output"], row["output"])
        for call in row.get("toolCalls", ()):
            call["args"] = call.get("args", {}) | {"note": ARGUMENT}
    suite_, records = Run(document, rows).decoded()
    return suite_, grade_run(suite_, records)


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from strings(child)
    elif isinstance(value, list):
        for child in value:
            yield from strings(child)


@st.composite
def mutated(draw: st.DrawFn, whole: Json) -> Json:
    """A whole object with one to three of its members changed, taken away or added."""
    value = dict(whole)
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(whole)) | NAMES)
        if draw(st.booleans()):
            value[name] = draw(VALUES)
        else:
            value.pop(name, None)
    return value


@laws
@given(runs())
def test_every_payload_is_valid(drawn: Run) -> None:
    suite_, records = drawn.decoded()
    for type_, payload in eval_events(suite_, grade_run(suite_, records)):
        wire = on_the_wire(payload)
        assert is_valid_payload(type_, wire), (type_, wire)


@laws
@given(runs(clean=True), SCORES)
def test_every_payload_of_a_compared_run_is_valid(drawn: Run, before: float) -> None:
    suite_, records = drawn.decoded()
    first = grade_run(suite_, records).summary
    rows = [{"taskId": row["taskId"], "trial": row["trial"]} for row in drawn.rows]
    calls = {(row["taskId"], row["trial"]): row.get("toolCalls") for row in drawn.rows}
    scored = [
        row
        | {"score": before}
        | ({"toolCalls": called} if (called := calls[row["taskId"], row["trial"]]) else {})
        | {"trajectoryMatched": True}
        for row in rows
    ]
    _, again = Run(drawn.suite, scored).decoded()
    run = grade_run(suite_, again, baseline=first, baseline_run_id=RUN_ID)
    wires = [(type_, on_the_wire(payload)) for type_, payload in eval_events(suite_, run)]
    assert all(is_valid_payload(type_, wire) for type_, wire in wires)
    assert wires[0][1]["baselineRunId"] == RUN_ID
    regression: Any = run.summary.regression
    assert wires[-1][1]["regressionVsBaseline"] == regression.score_delta


@laws
@given(runs())
def test_the_payloads_agree_with_the_summary(drawn: Run) -> None:
    suite_, records = drawn.decoded()
    run = grade_run(suite_, records)
    summary = run.summary
    events = [(type_, on_the_wire(payload)) for type_, payload in eval_events(suite_, run)]
    (_, started), *scored, (_, completed) = events
    assert [started[name] for name in ("suiteId", "suiteVersion", "taskCount")] == [
        summary.suite_id,
        summary.suite_version,
        summary.task_count,
    ]
    assert completed == {
        "aggregateScore": summary.aggregate_score,
        "passed": summary.passed,
        "taskCount": summary.task_count,
        "passedCount": summary.passed_count,
    }
    count = 1 if "trials" not in drawn.suite else drawn.suite["trials"]["count"]
    assert [(type_, payload["taskId"], payload.get("trial", 0)) for type_, payload in scored] == [
        ("eval.scored", row.task_id, at) for row in summary.tasks for at in range(count)
    ]
    graded = [one for graded in run.tasks for one in graded.trials]
    assert [(payload["score"], payload["passed"]) for _, payload in scored] == [
        (one.score, one.passed) for one in graded
    ]


@laws
@given(runs())
def test_no_payload_carries_content(drawn: Run) -> None:
    suite_, run = told(drawn)
    ids = {suite_.suite_id, suite_.version, *suite_.modes, *(one.task_id for one in suite_.tasks)}
    for _, payload in eval_events(suite_, run):
        wire = on_the_wire(payload)
        assert ids.issuperset(strings(wire))
        text = json.dumps(wire)
        assert not any(private in text for private in (ANSWER, OTHER, ARGUMENT, "x:"))


@settings(max_examples=600, deadline=None)
@given(TYPES.flatmap(lambda type_: st.tuples(st.just(type_), mutated(WHOLE_PAYLOADS[type_]))))
def test_two_judges_agree_on_payloads(drawn: tuple[EventType, Json]) -> None:
    type_, payload = drawn
    ours = violations(PAYLOADS[type_].schema_id, parse(json.dumps(payload).encode()))
    assert (not ours) is is_valid_payload(type_, payload)


@settings(max_examples=300, deadline=None)
@given(mutated(ENVELOPE))
def test_two_judges_agree_on_envelopes(event: Json) -> None:
    ours = violations(EVENT_SCHEMA, parse(json.dumps(event).encode()))
    assert (not ours) is is_valid_event(event)
