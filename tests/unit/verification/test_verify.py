"""What verify takes, what it leaves open, and what it refuses."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from openwop_evals import (
    GradingError,
    GradingPolicy,
    ValidationError,
    decode_suite,
    decode_summary,
    grade,
    verify,
)
from tests.support.builders import Json, golden, suite, suite_json, task, trial
from tests.support.summaries import ABSENT, as_summary, block, summary_json

MEAN = GradingPolicy()
GUARDED = task("t1", golden({"forbidden": ["x:bad"]}))
HIT = [{"tool": "x:bad"}]
PATHS = suite_json(GUARDED)
PREDATES = {"/tasks/0/gatedScore": ABSENT, "/gatedAggregateScore": ABSENT}
COSTLY = suite_json(bars={"passScore": 0.7, "maxCostUsd": 1, "maxP95LatencyMs": 100})
WITHIN = {"/totalCostUsd": 1, "/tasks/0/latencyMs": 100}
RUN_ID = "acme/0123456789abcdef"


def codes(document: Json, edits: Json, policy: GradingPolicy = MEAN) -> list[str]:
    """The codes of what is found."""
    found = verify(
        as_summary(document, edits),
        decode_suite(json.dumps(document)),
        policy=policy,
    )
    return [finding.code for finding in found]


@pytest.mark.parametrize("passed", [True, False])
@pytest.mark.parametrize(
    ("document", "given"),
    [
        pytest.param(suite_json(GUARDED, count=1, rule="mean"), PREDATES, id="mean"),
        pytest.param(PATHS, PREDATES, id="one verdict"),
    ],
)
def test_without_the_gated_fields_a_score_over_the_bar_leaves_both_verdicts_open(
    document: Json, given: Json, *, passed: bool
) -> None:
    verdicts = {"/passed": passed, "/tasks/0/passed": passed, "/passedCount": int(passed)}
    assert codes(document, given | verdicts) == ["predates-rfc-0246"]


@pytest.mark.parametrize(
    "document", [suite_json(GUARDED, count=1, rule="mean"), PATHS], ids=["mean", "one verdict"]
)
def test_without_the_gated_fields_a_score_under_the_bar_still_decides(document: Json) -> None:
    under = PREDATES | {"/aggregateScore": 0.3, "/tasks/0/score": 0.3}
    if "trials" in document:
        under["/tasks/0/trials/meanScore"] = 0.3
    assert codes(document, under) == ["predates-rfc-0246", "task-passed", "passed"]


@pytest.mark.parametrize("passed", [True, False])
def test_a_score_of_0_at_a_bar_of_0_may_be_that_of_an_error(*, passed: bool) -> None:
    nothing = {"/aggregateScore": 0, "/tasks/0/score": 0, "/tasks/0/passed": passed}
    document = suite_json(bars={"passScore": 0})
    assert codes(document, nothing | {"/passedCount": int(passed)}) == []


@pytest.mark.parametrize(
    ("rule", "passed_trials", "passes"),
    [
        pytest.param("all", 2, True, id="all"),
        pytest.param("all", 1, False, id="not all"),
        pytest.param("any", 1, True, id="any"),
        pytest.param("any", 0, False, id="not any"),
    ],
)
def test_the_trials_decide_by_their_number(rule: str, passed_trials: int, *, passes: bool) -> None:
    document = suite_json(count=2, rule=rule, bars={"passScore": 0.9})
    trials = block(2, passed_trials)
    edits: Json = {"/tasks/0/trials": trials}
    edits |= {f"/trialStats/{name}": trials[name] for name in ("passAtK", "passHatK")}
    for told in (True, False):
        verdict = {"/tasks/0/passed": told, "/passedCount": int(told)}
        assert codes(document, edits | verdict) == ([] if told is passes else ["task-passed"])


@pytest.mark.parametrize("bar", ["/totalCostUsd", "/tasks/0/latencyMs"])
@pytest.mark.parametrize("excess", [0.001, None])
def test_a_bar_that_is_exceeded_or_not_told_contradicts_passed(
    bar: str, excess: float | None
) -> None:
    beyond = ABSENT if excess is None else 1.001 if bar == "/totalCostUsd" else 101
    assert codes(COSTLY, WITHIN) == []
    assert codes(COSTLY, WITHIN | {bar: beyond}) == ["passed"]
    assert codes(COSTLY, WITHIN | {bar: beyond, "/passed": False}) == []


def test_a_miss_that_another_host_gates() -> None:
    document = suite_json(task("t1"), task("t2"))
    gated = {"/tasks/0/gatedScore": 0, "/tasks/0/passed": False, "/passedCount": 1}
    told = gated | {"/gatedAggregateScore": 0.45, "/passed": False}
    assert codes(document, told) == []
    assert codes(document, told | {"/passed": True}) == ["passed"]


def test_a_summary_without_rows_lacks_every_task() -> None:
    nothing = {"/tasks": [], "/taskCount": 0, "/passedCount": 0}
    assert codes(suite_json(task("t1"), task("t2")), nothing) == ["task-missing", "task-missing"]


def test_the_aggregation_is_the_one_that_the_caller_names() -> None:
    document = suite_json(task("t1"), task("t2"))
    least = {"/aggregateScore": 0.9, "/tasks/1/score": 1}
    assert codes(document, least) == ["aggregate-score"]
    assert codes(document, least, GradingPolicy(aggregate="min")) == []


def test_the_default_bar_is_the_one_that_the_caller_names() -> None:
    document = suite_json(bars={})
    assert codes(document, {}, GradingPolicy(default_pass_score=0.9)) == []
    assert codes(document, {}, GradingPolicy(default_pass_score=0.91)) == ["task-passed", "passed"]


@pytest.mark.parametrize(
    ("score", "delta"), [(0.9, 0.9), (0.9, -0.1), (1 / 3, 0.3333), (0.6667, 0.6667)]
)
def test_a_difference_from_a_baseline_that_can_be(score: float, delta: float) -> None:
    regression = {"baselineRunId": RUN_ID, "scoreDelta": delta}
    edits = {"/aggregateScore": score, "/tasks/0/score": score, "/regression": regression}
    assert codes(suite_json(bars={"passScore": 0.1}), edits) == []


@pytest.mark.parametrize("delta", [0.9002, -0.1002])
def test_a_difference_from_no_baseline(delta: float) -> None:
    regression = {"baselineRunId": RUN_ID, "scoreDelta": delta}
    assert codes(suite_json(), {"/regression": regression}) == ["regression-delta"]


@pytest.mark.parametrize(
    ("score", "delta"),
    [
        pytest.param(2 / 3, 0.6667, id="from 0"),
        pytest.param(1 / 3, -0.6667, id="from 1"),
        pytest.param(0.3333, 1 / 3, id="only the score is rounded"),
    ],
)
def test_a_difference_may_be_rounded_too(score: float, delta: float) -> None:
    regression = {"baselineRunId": RUN_ID, "scoreDelta": delta}
    edits = {"/aggregateScore": score, "/tasks/0/score": score, "/regression": regression}
    assert codes(suite_json(bars={"passScore": 0.1}), edits) == []


@pytest.mark.parametrize("total", [0.3, 0.30000000000000004, 0.29999999999999993, 5.0])
def test_a_total_may_be_above_its_rows_or_added_as_floats(total: float) -> None:
    costs = {"/tasks/0/costUsd": 0.1, "/tasks/1/costUsd": 0.2, "/totalCostUsd": total}
    assert codes(suite_json(task("t1"), task("t2")), costs) == []


def test_a_great_total_may_be_added_as_floats() -> None:
    costs = {"/tasks/0/costUsd": 1e16, "/tasks/1/costUsd": 1e-3, "/totalCostUsd": 1e16 - 2}
    assert codes(suite_json(task("t1"), task("t2")), costs) == []


def test_costs_without_a_finite_sum_are_above_every_total() -> None:
    costs = {"/tasks/0/costUsd": 1e308, "/tasks/1/costUsd": 1e308, "/totalCostUsd": 1e308}
    assert codes(suite_json(task("t1"), task("t2")), costs) == ["total-cost"]


def test_a_score_that_was_zeroed_is_told_from_one_that_was_gated() -> None:
    guarded, records = suite(GUARDED), [trial("t1", score=0.9, toolCalls=HIT)]
    gated = grade(guarded, records)
    zeroed = replace(gated, aggregate_score=0.0, tasks=(replace(gated.tasks[0], score=0.0),))
    assert (gated.tasks[0].score, gated.tasks[0].gated_score) == (0.9, 0.0)
    assert verify(gated, guarded, records) == []
    assert [one.code for one in verify(zeroed, guarded, records)] == ["score-zeroed"]


def test_a_row_of_another_suite_has_no_trials_to_differ_from() -> None:
    extra = summary_json(suite_json(task("t1"), task("t4")))
    found = verify(decode_summary(json.dumps(extra)), suite(), [trial(score=0.9)])
    assert [one.code for one in found] == ["task-extra"]


def test_a_score_too_small_for_four_decimals_is_gated_all_the_same() -> None:
    guarded = suite(GUARDED, bars={"passScore": 0})
    records = [trial("t1", score=1e-5, toolCalls=HIT)]
    assert verify(grade(guarded, records), guarded, records) == []


def test_a_verdict_on_a_mean_that_was_added_as_floats_is_no_fault() -> None:
    document = suite(task("t1"), count=3, rule="mean")
    records = [trial("t1", at, score=0.7) for at in range(3)]
    exact = grade(document, records)
    mean = (0.7 + 0.7 + 0.7) / 3
    (row,) = exact.tasks
    added = replace(
        exact,
        aggregate_score=mean,
        passed=False,
        passed_count=0,
        tasks=(replace(row, score=mean, passed=False),),
    )
    assert (mean < 0.7, row.passed) == (True, True)
    assert verify(added, document) == []
    assert verify(added, document, records) == []


def test_a_summary_and_a_suite_are_told_apart() -> None:
    document: Any = suite()
    with pytest.raises(TypeError, match="expected EvalSummary"):
        verify(document, document)
    with pytest.raises(TypeError, match="expected AgentEvalSuite"):
        verify(as_summary(suite_json()), as_summary(suite_json()))  # type: ignore[arg-type]


def test_values_built_by_hand_are_checked() -> None:
    summary = as_summary(suite_json())
    with pytest.raises(ValidationError):
        verify(replace(summary, aggregate_score=float("nan")), suite())
    with pytest.raises(ValidationError):
        verify(summary, replace(suite(), version="one"))


@pytest.mark.parametrize(
    ("document", "policy", "reason"),
    [
        pytest.param(suite_json(bars={}), {}, "no passScore", id="no bar"),
        pytest.param(suite_json(), {"default_pass_score": 2}, "expected a number", id="no score"),
        pytest.param(suite_json(), {"aggregate": "sum"}, "expected mean, min", id="no aggregation"),
        pytest.param(suite_json(task(), task()), {}, "stands at", id="a task twice"),
        pytest.param(suite_json(), {"aggregate": sum}, "the aggregation gave", id="no mean"),
    ],
)
def test_what_cannot_be_graded_is_refused(document: Json, policy: Json, reason: str) -> None:
    two = suite_json(task("t1"), task("t2"))
    with pytest.raises(GradingError, match=reason):
        verify(as_summary(two), decode_suite(json.dumps(document)), policy=GradingPolicy(**policy))


@pytest.mark.parametrize("records", [[], [trial("t2", score=1)]], ids=["none", "of another task"])
def test_trials_of_another_run_are_refused(records: list[Any]) -> None:
    with pytest.raises(GradingError, match="task t1, trial 0: the trial has no record"):
        verify(as_summary(suite_json()), suite(), records)
