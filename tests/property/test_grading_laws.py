"""Laws of grading that hold for every suite and every run."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from openwop_evals import (
    AgentEvalSuite,
    EvalSummary,
    GradingError,
    GradingPolicy,
    decode_summary,
    encode,
    grade,
    grade_run,
    match_trajectory,
    pass_at_k,
    pass_hat_k,
)
from openwop_evals.numbers import exact_mean, exact_sum
from tests.support.builders import Json, golden, suite, task, trial
from tests.support.strategies import (
    CALLS,
    COSTS,
    EXPECTED_CALLS,
    SCORES,
    TRAJECTORIES,
    Run,
    runs,
)

laws = settings(max_examples=150, deadline=None)
POLICIES = st.sampled_from(
    [
        GradingPolicy(aggregate="mean"),
        GradingPolicy(aggregate="min"),
        GradingPolicy(aggregate="median"),
        GradingPolicy(aggregate=max),
    ]
)


@laws
@given(runs(), POLICIES)
def test_the_gate_never_reads_more_than_the_score(drawn: Run, policy: GradingPolicy) -> None:
    run = grade_run(*drawn.decoded(), policy=policy)
    for graded in run.tasks:
        assert all(one.gating_score <= one.score for one in graded.trials)
        assert graded.gating_score <= graded.result.score
        assert graded.result.gated_score in (UNSET, graded.gating_score)
    assert run.gating_aggregate <= run.summary.aggregate_score
    assert run.summary.gated_aggregate_score in (UNSET, run.gating_aggregate)


@laws
@given(runs(clean=True), POLICIES)
def test_right_paths_and_no_misses_leave_the_gate_at_the_score(
    drawn: Run, policy: GradingPolicy
) -> None:
    run = grade_run(*drawn.decoded(), policy=policy)
    paths = [one.trajectory for graded in run.tasks for one in graded.trials]
    assert all(path.matched for path in paths if path is not None)
    assert all(graded.gating_score == graded.result.score for graded in run.tasks)
    assert run.gating_aggregate == run.summary.aggregate_score


@laws
@given(runs(), st.data())
def test_the_order_of_the_log_changes_no_byte(drawn: Run, data: st.DataObject) -> None:
    suite_, records = drawn.decoded()
    shuffled = data.draw(st.permutations(records))
    assert encode(grade(suite_, shuffled)) == encode(grade(suite_, records))


def _gate(gated: float | UnsetType, score: float) -> float:
    return score if gated is UNSET else gated


def _p95(summary: EvalSummary) -> int | None:
    told = sorted(one.latency_ms for one in summary.tasks if one.latency_ms is not UNSET)
    rank = ceil(Fraction(95, 100) * len(summary.tasks))
    return told[rank - 1] if len(told) == len(summary.tasks) else None


def _reread(suite_: AgentEvalSuite, summary: EvalSummary) -> bool:
    """Whether a run passed, by nothing but the summary's own numbers."""
    bars = suite_.thresholds
    assert bars is not UNSET
    assert bars.pass_score is not UNSET
    gate = _gate(summary.gated_aggregate_score, summary.aggregate_score)
    met = [gate >= bars.pass_score]
    if bars.max_cost_usd is not UNSET:
        total = summary.total_cost_usd
        met.append(total is not UNSET and total <= bars.max_cost_usd)
    if bars.max_p95_latency_ms is not UNSET:
        p95 = _p95(summary)
        met.append(p95 is not None and p95 <= bars.max_p95_latency_ms)
    return all(met)


@laws
@given(runs())
def test_a_reader_of_the_summary_decides_the_same(drawn: Run) -> None:
    suite_, records = drawn.decoded()
    run = grade_run(suite_, records)
    summary = decode_summary(encode(run.summary))
    assert summary.passed is _reread(suite_, summary)
    assert run.p95_latency_ms == _p95(summary)
    assert summary.passed_count == sum(one.passed for one in summary.tasks)
    assert summary.aggregate_score == _fraction_mean([one.score for one in summary.tasks])
    if summary.gated_aggregate_score is not UNSET:
        gates = [_gate(one.gated_score, one.score) for one in summary.tasks]
        assert summary.gated_aggregate_score == _fraction_mean(gates)
    told = [one.cost_usd for one in summary.tasks if one.cost_usd is not UNSET]
    if len(told) == len(summary.tasks):
        assert summary.total_cost_usd == float(sum(Fraction(repr(one)) for one in told))
    else:
        assert summary.total_cost_usd is UNSET


@laws
@given(runs(rule="mean"))
def test_a_reader_of_the_summary_decides_each_task_the_same(drawn: Run) -> None:
    suite_, records = drawn.decoded()
    summary = decode_summary(encode(grade(suite_, records)))
    bar = drawn.suite["thresholds"]["passScore"]
    for row in summary.tasks:
        assert row.passed is (_gate(row.gated_score, row.score) >= bar)


def _errored(row: Json, _: Json) -> Json:
    kept = ("taskId", "trial", "costUsd", "latencyMs")
    return {name: row[name] for name in kept if name in row} | {"error": "broken"}


def _scored_0(row: Json, _: Json) -> Json:
    return {name: value for name, value in row.items() if name != "output"} | {"score": 0}


def _misled(row: Json, expected: Json) -> Json:
    if "trajectory" not in expected:
        return _scored_0(row, expected)
    return row | {"trajectoryMatched": False}


@pytest.mark.parametrize("broken", [_errored, _scored_0, _misled])
@laws
@given(drawn=runs(), policy=POLICIES, data=st.data())
def test_a_trial_that_fails_never_helps(
    broken: Callable[[Json, Json], Json], drawn: Run, policy: GradingPolicy, data: st.DataObject
) -> None:
    before = grade_run(*drawn.decoded(), policy=policy)
    trials = [one for graded in before.tasks for one in graded.trials]
    passed = [one for one in trials if one.passed]
    measured = [one for one in trials if one.error is None and not one.fixture_miss]
    assume(measured)
    at = data.draw(st.sampled_from(passed or measured)).position
    expected = {one["taskId"]: one["expected"] for one in drawn.suite["tasks"]}
    row = broken(drawn.rows[at], expected[drawn.rows[at]["taskId"]])
    worse = Run(drawn.suite, [*drawn.rows[:at], row, *drawn.rows[at + 1 :]])
    try:
        after = grade_run(*worse.decoded(), policy=policy)
    except GradingError:  # the only trial that was measured
        assert broken is _errored
        assert len(measured) == 1
        return
    assert after.summary.passed <= before.summary.passed
    assert after.gating_aggregate <= before.gating_aggregate
    for one, other in zip(after.tasks, before.tasks, strict=True):
        assert one.result.passed <= other.result.passed
        assert one.gating_score <= other.gating_score


def _fraction_mean(values: list[float]) -> float:
    return float(sum(Fraction(str(one)) for one in values) / len(values))


@laws
@given(st.lists(SCORES, min_size=1, max_size=12), st.data())
def test_exact_mean_is_that_of_the_decimals_in_any_order(
    values: list[float], data: st.DataObject
) -> None:
    assert exact_mean(values) == _fraction_mean(values)
    assert exact_mean(data.draw(st.permutations(values))) == exact_mean(values)
    assert min(values) <= exact_mean(values) <= max(values)


@laws
@given(st.lists(COSTS | st.floats(-1e300, 1e300), max_size=12), st.data())
def test_exact_sum_is_that_of_the_decimals_in_any_order(
    values: list[float], data: st.DataObject
) -> None:
    assert exact_sum(values) == float(sum(Fraction(str(one)) for one in values))
    assert exact_sum(data.draw(st.permutations(values))) == exact_sum(values)


@pytest.mark.parametrize("n", range(1, 9))
def test_pass_at_k_and_pass_hat_k_count_every_draw(n: int) -> None:
    for c in range(n + 1):
        verdicts = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            draws = list(combinations(verdicts, k))
            assert pass_at_k(n, c, k) == sum(map(any, draws)) / len(draws)
            assert pass_hat_k(n, c, k) == sum(map(all, draws)) / len(draws)
        assert (pass_at_k(n, c, n + 1), pass_hat_k(n, c, n + 1)) == (None, None)


def _tagged(value: object) -> object:
    """A JSON value that Python compares as JSON does."""
    if isinstance(value, dict):
        return {name: _tagged(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_tagged(one) for one in value]
    return (isinstance(value, bool), value)


def _takes(expected: Json, call: Json) -> bool:
    if expected["tool"] != call["tool"]:
        return False
    return "args" not in expected or _tagged(expected["args"]) == _tagged(call.get("args", {}))


def _pairs_up(expected: list[Json], made: tuple[Json, ...]) -> bool:
    return all(_takes(one, call) for one, call in zip(expected, made, strict=True))


def _brute_force(match: str, expected: list[Json], made: list[Json]) -> bool:
    if match == "exact":
        return len(expected) == len(made) and _pairs_up(expected, tuple(made))
    draw = combinations if match == "in-order" else permutations
    return any(_pairs_up(expected, some) for some in draw(made, len(expected)))


def _matched(trajectory: Json, made: list[Json]) -> bool:
    expected = suite(task(expected=golden(trajectory))).tasks[0].expected.trajectory
    calls_ = trial(toolCalls=made).tool_calls
    assert expected is not UNSET
    assert calls_ is not UNSET
    return match_trajectory(expected, calls_).matched


@pytest.mark.parametrize("match", ["exact", "in-order", "any-order"])
@laws
@given(expected=EXPECTED_CALLS, made=CALLS, data=st.data())
def test_matching_agrees_with_brute_force(
    match: str, expected: list[Json], made: list[Json], data: st.DataObject
) -> None:
    likely = data.draw(st.permutations(expected + made[:1]))
    for tried in (made, expected, expected[::-1], expected[1:], likely):
        found = _matched({"match": match, "toolCalls": expected}, tried)
        assert found is _brute_force(match, expected, tried)


@laws
@given(TRAJECTORIES, CALLS)
def test_a_trajectory_is_its_calls_and_what_it_forbids(trajectory: Json, made: list[Json]) -> None:
    match = trajectory.get("match", "in-order")
    clean = not any(one["tool"] in trajectory.get("forbidden", []) for one in made)
    right = "toolCalls" not in trajectory or _brute_force(match, trajectory["toolCalls"], made)
    assert _matched(trajectory, made) is (clean and right)
