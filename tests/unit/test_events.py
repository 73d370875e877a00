"""The payloads of eval.* events, and what their schema takes."""

import msgspec
import pytest
from msgspec.structs import replace

from openwop_evals import (
    EvalCompleted,
    EvalScored,
    EvalStarted,
    GradedRun,
    TrialRecord,
    ValidationError,
    grade,
    grade_run,
)
from openwop_evals._contract import violations
from openwop_evals._json import parse
from openwop_evals.events import eval_completed, eval_events, eval_scored, eval_started
from openwop_evals.models import EVENT_SCHEMA, PAYLOADS, EventType
from tests.support.builders import Json, golden, suite, task, trial
from tests.support.events import (
    ENVELOPE,
    WHOLE_PAYLOADS,
    is_valid_event,
    is_valid_payload,
    on_the_wire,
)

BASELINE = "acme/0123456789abcdef"
GUARDED = golden({"forbidden": ["x:bad"]})
HIT = [{"tool": "x:bad"}]
TYPES = list(PAYLOADS)
OPEN_NAMES = ["openwop-", "openwop-note", "x-", "x-note", "vendor.", "vendor.acme.note"]
CLOSED_NAMES = [
    *("note", "", "openwop", "openwopnote", "x", "xnote", "vendor", "vendor-note", "vendorxnote"),
    *("X-note", "OpenWOP-note", "Vendor.note", "a-x-note", " x-note", "my.vendor.note"),
]


def scored(*trials: TrialRecord, count: int | None = None, expected: Json | None = None) -> Json:
    """The first score of a run of one task."""
    run = grade_run(suite(task("t1", expected), count=count), trials)
    return on_the_wire(next(eval_scored(run)))


def compared() -> GradedRun:
    """A run that scored 0.6, compared with one that scored 0.9."""
    before = grade(suite(), [trial(score=0.9)])
    return grade_run(suite(), [trial(score=0.6)], baseline=before, baseline_run_id=BASELINE)


def judged_valid(schema_id: str, value: Json) -> bool:
    return not violations(schema_id, parse(msgspec.json.encode(value)))


def test_started_with_every_member() -> None:
    sample = suite(task("t1"), task("t2"), modes=["golden", "regression"])
    payload = eval_started(sample, baseline_run_id=BASELINE, fixture_runs={"t2": BASELINE})
    assert on_the_wire(payload) == {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "taskCount": 2,
        "modes": ["golden", "regression"],
        "baselineRunId": BASELINE,
        "fixtureRuns": {"t2": BASELINE},
    }


def test_started_with_no_more_than_it_must_have() -> None:
    assert on_the_wire(eval_started(suite())) == {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "taskCount": 1,
        "modes": ["golden"],
    }


def test_no_fixture_run_is_not_an_absent_member() -> None:
    assert on_the_wire(eval_started(suite(), fixture_runs={}))["fixtureRuns"] == {}


@pytest.mark.parametrize(
    "run_id",
    ["", "acme", "acme/short", "/0123456789abcdef", f"{BASELINE}\n", f"{BASELINE}/x", "a b/" * 9],
)
def test_started_refuses_what_is_no_id_of_a_run(run_id: str) -> None:
    with pytest.raises(ValidationError) as caught:
        eval_started(suite(), baseline_run_id=run_id)
    assert [(one.pointer, one.rule) for one in caught.value.violations] == [
        ("/baselineRunId", "pattern")
    ]


@pytest.mark.parametrize(
    ("members", "pointer", "rule"),
    [
        pytest.param({"suite_id": "acme.sample"}, "/suiteId", "pattern", id="suite id"),
        pytest.param({"suite_id": None}, "/suiteId", "type", id="suite id: null"),
        pytest.param({"version": "1.0"}, "/version", "pattern", id="version"),
        pytest.param({"version": "1.0.0\n"}, "/version", "pattern", id="version: line feed"),
        pytest.param({"modes": ()}, "/modes", "minItems", id="no mode"),
        pytest.param({"modes": ("gold",)}, "/modes/0", "enum", id="unknown mode"),
        pytest.param({"modes": "golden"}, "/modes", "type", id="modes as text"),
    ],
)
def test_started_refuses_a_suite_built_outside_its_schema(
    members: Json, pointer: str, rule: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        eval_started(replace(suite(), **members))
    assert [(one.pointer, one.rule) for one in caught.value.violations] == [(pointer, rule)]


def test_scored_with_every_member() -> None:
    members: Json = {
        "score": 0.9,
        "costUsd": 0.25,
        "latencyMs": 120,
        "schemaValid": False,
        "safetyFindings": [{"kind": "pii", "severity": "low"}, {"kind": "pii", "severity": "high"}],
    }
    assert scored(trial(trial=0, **members), count=1) == {
        "taskId": "t1",
        "score": 0.9,
        "passed": True,
        "costUsd": 0.25,
        "latencyMs": 120,
        "schemaValid": False,
        "safetyFindingCount": 2,
        "trial": 0,
    }


def test_scored_with_no_more_than_it_must_have() -> None:
    assert scored(trial(score=0.9)) == {"taskId": "t1", "score": 0.9, "passed": True}


def test_a_cost_of_null_is_an_absent_one() -> None:
    assert "costUsd" not in scored(trial(score=0.9, costUsd=None))


def test_no_finding_is_counted_as_0() -> None:
    assert scored(trial(score=0.9, safetyFindings=[]))["safetyFindingCount"] == 0


@pytest.mark.parametrize("measure", [{"costUsd": 0}, {"latencyMs": 0}, {"schemaValid": False}])
def test_a_measure_of_0_or_false_is_carried(measure: Json) -> None:
    payload = scored(trial(score=0.9, **measure))
    assert payload == {"taskId": "t1", "score": 0.9, "passed": True} | measure


def test_one_score_each_trial_in_suite_order() -> None:
    two = suite(task("t2"), task("t1"), count=2)
    rows = [trial(id_, at, score=at) for id_ in ("t1", "t2") for at in (1, 0)]
    payloads = map(on_the_wire, eval_scored(grade_run(two, rows)))
    assert [(one["taskId"], one["trial"], one["score"]) for one in payloads] == [
        ("t2", 0, 0),
        ("t2", 1, 1),
        ("t1", 0, 0),
        ("t1", 1, 1),
    ]


def test_the_trial_is_not_numbered_without_trials() -> None:
    assert "trial" not in scored(trial(trial=0, score=0.9))


def test_the_trial_is_numbered_when_the_suite_has_one_trial() -> None:
    assert scored(trial(score=0.9), count=1)["trial"] == 0


@pytest.mark.parametrize("count", [None, 1])
def test_a_wrong_path_leaves_the_score_and_does_not_pass(count: int | None) -> None:
    payload = scored(trial(score=0.9, toolCalls=HIT), count=count, expected=GUARDED)
    assert (payload["score"], payload["passed"]) == (0.9, False)


def test_a_right_path_passes() -> None:
    payload = scored(trial(score=0.9, toolCalls=[]), expected=GUARDED)
    assert (payload["score"], payload["passed"]) == (0.9, True)


@pytest.mark.parametrize("outcome", [{"error": "timeout"}, {"fixtureMiss": True}], ids=str)
def test_what_was_not_measured_scores_0(outcome: Json) -> None:
    rows = [trial(trial=0, latencyMs=7, **outcome), trial(trial=1, score=1)]
    payload = scored(*rows, count=2)
    assert payload == {"taskId": "t1", "score": 0, "passed": False, "latencyMs": 7, "trial": 0}


def test_completed_agrees_with_its_summary() -> None:
    two = suite(task("t1", GUARDED), task("t2"))
    run = grade_run(two, [trial("t1", score=0.9, toolCalls=HIT), trial("t2", score=0.8)])
    assert on_the_wire(eval_completed(run)) == {
        "aggregateScore": 0.85,
        "passed": False,
        "taskCount": 2,
        "passedCount": 1,
    }


def test_completed_tells_the_regression() -> None:
    assert on_the_wire(eval_completed(compared()))["regressionVsBaseline"] == -0.3


def test_no_change_against_the_baseline_is_carried() -> None:
    same = grade(suite(), [trial(score=0.9)])
    run = grade_run(suite(), [trial(score=0.9)], baseline=same, baseline_run_id=BASELINE)
    assert on_the_wire(eval_completed(run))["regressionVsBaseline"] == 0


def test_the_events_of_a_run_in_their_order() -> None:
    two = suite(task("t1"), task("t2"), count=2)
    run = grade_run(two, [trial(id_, at, score=1) for id_ in ("t1", "t2") for at in range(2)])
    assert [(type_, type(payload)) for type_, payload in eval_events(two, run)] == [
        ("eval.started", EvalStarted),
        *[("eval.scored", EvalScored)] * 4,
        ("eval.completed", EvalCompleted),
    ]


def test_the_events_of_a_run_without_a_baseline_name_none() -> None:
    run = grade_run(suite(), [trial(score=1)])
    events = {type_: on_the_wire(payload) for type_, payload in eval_events(suite(), run)}
    assert "baselineRunId" not in events["eval.started"]
    assert "regressionVsBaseline" not in events["eval.completed"]


def test_the_events_of_a_compared_run_name_its_baseline() -> None:
    events = {type_: on_the_wire(payload) for type_, payload in eval_events(suite(), compared())}
    assert events["eval.started"]["baselineRunId"] == BASELINE
    assert events["eval.completed"]["regressionVsBaseline"] == -0.3


@pytest.mark.parametrize("type_", TYPES)
def test_the_schema_takes_a_whole_payload(type_: EventType) -> None:
    payload = WHOLE_PAYLOADS[type_]
    assert is_valid_payload(type_, payload)
    assert judged_valid(PAYLOADS[type_].schema_id, payload)
    decoded = msgspec.convert(payload, PAYLOADS[type_].type)
    assert on_the_wire(decoded) == payload


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", OPEN_NAMES)
@pytest.mark.parametrize("value", [1, {"any": [None]}], ids=str)
def test_an_extension_may_stand_in_a_payload(type_: EventType, name: str, value: object) -> None:
    payload = WHOLE_PAYLOADS[type_] | {name: value}
    assert is_valid_payload(type_, payload)
    assert judged_valid(PAYLOADS[type_].schema_id, payload)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", CLOSED_NAMES)
def test_another_unknown_name_may_not_stand_in_a_payload(type_: EventType, name: str) -> None:
    payload = WHOLE_PAYLOADS[type_] | {name: 1}
    assert not is_valid_payload(type_, payload)
    (violation,) = violations(PAYLOADS[type_].schema_id, payload)
    assert (violation.pointer, violation.rule) == (f"/{name}", "additionalProperties")


@pytest.mark.parametrize("type_", TYPES)
def test_of_many_names_only_the_unknown_are_told(type_: EventType) -> None:
    payload = WHOLE_PAYLOADS[type_] | dict.fromkeys([*OPEN_NAMES, "note", "other"], 1)
    found = violations(PAYLOADS[type_].schema_id, payload)
    assert [violation.pointer for violation in found] == ["/note", "/other"]


def test_the_schema_takes_a_whole_event() -> None:
    assert is_valid_event(ENVELOPE)
    assert judged_valid(EVENT_SCHEMA, ENVELOPE)


@pytest.mark.parametrize("type_", ["run.completed", "agent.tool-called", "never.heard-of"])
@pytest.mark.parametrize("payload", [{"any": 1}, None, []], ids=str)
def test_an_event_of_another_type_has_any_payload(type_: str, payload: object) -> None:
    event = ENVELOPE | {"type": type_, "payload": payload}
    assert is_valid_event(event)
    assert judged_valid(EVENT_SCHEMA, event)


@pytest.mark.parametrize("name", [*OPEN_NAMES, "note"])
def test_an_envelope_is_closed(name: str) -> None:
    event = ENVELOPE | {name: 1}
    assert not is_valid_event(event)
    (violation,) = violations(EVENT_SCHEMA, event)
    assert (violation.pointer, violation.rule) == (f"/{name}", "additionalProperties")


@pytest.mark.parametrize(
    ("runs", "pointer", "rule"),
    [
        ({"none": BASELINE}, "/fixtureRuns/none", "taskId"),
        ({"a/b~c": BASELINE}, "/fixtureRuns/a~1b~0c", "taskId"),
        ({"FIRST": "short"}, "/fixtureRuns/FIRST", "pattern"),
        ({"FIRST": None}, "/fixtureRuns/FIRST", "type"),
    ],
    ids=repr,
)
def test_started_refuses_fixture_runs_that_are_none(runs: Json, pointer: str, rule: str) -> None:
    first = suite().tasks[0].task_id
    named = {task.replace("FIRST", first): run_id for task, run_id in runs.items()}
    with pytest.raises(ValidationError) as caught:
        eval_started(suite(), fixture_runs=named)
    found = [(one.pointer, one.rule) for one in caught.value.violations]
    assert found == [(pointer.replace("FIRST", first), rule)]


def test_started_refuses_what_is_no_suite() -> None:
    with pytest.raises(TypeError, match="expected AgentEvalSuite"):
        eval_started("suite")  # type: ignore[arg-type]
