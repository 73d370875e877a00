"""The deployment gate: open only when that is proved, and why it is not."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from openwop_evals import (
    AgentEvalSuite,
    GateDecision,
    GradingError,
    GradingPolicy,
    ValidationError,
    decode_suite,
    gate,
)
from tests.support.builders import Json, golden, suite, suite_json, task
from tests.support.summaries import ABSENT, as_summary, row

PLAIN = suite_json(task("t1"), task("t2"))
PATHS = suite_json(task("t1", golden({"forbidden": ["x:bad"]})), task("t2"))
# Task t1 scored 0.9 by a wrong path.
GATED: Json = {
    "/tasks/0/gatedScore": 0.0,
    "/tasks/0/passed": False,
    "/passedCount": 1,
    "/gatedAggregateScore": 0.45,
    "/passed": False,
}
STRIPPED = {"/tasks/0/gatedScore": ABSENT, "/gatedAggregateScore": ABSENT}
FAILED = {"/tasks/0/score": 0.3, "/tasks/0/passed": False, "/passedCount": 1}
UNDER = FAILED | {"/aggregateScore": 0.6, "/passed": False}
BOTH_FAILED = UNDER | {
    "/aggregateScore": 0.3,
    "/tasks/1": row("t2", 0.3, passed=False),
    "/passedCount": 0,
}


def decide(
    document: Json,
    edits: Json | None = None,
    required: float | None = None,
    *,
    with_suite: bool = True,
) -> GateDecision:
    """The decision on a run of a suite."""
    known = decode_suite(json.dumps(document)) if with_suite else None
    return gate(as_summary(document, edits), known, required_pass_score=required)


def reasons(decision: GateDecision) -> list[tuple[str, str | None]]:
    """The reasons by their codes, each with that of its finding."""
    return [
        (reason.code, None if reason.finding is None else reason.finding.code)
        for reason in decision.reasons
    ]


def words(decision: GateDecision) -> str:
    """The reasons in words."""
    return "\n".join(reason.message for reason in decision.reasons)


@pytest.mark.parametrize(
    ("document", "with_suite", "required"),
    [
        pytest.param(PLAIN, True, None, id="no trajectory"),
        pytest.param(PLAIN, True, 0.9, id="no trajectory, on the required score"),
        pytest.param(PATHS, True, None, id="a trajectory"),
        pytest.param(PATHS, True, 0.9, id="a trajectory, on the required score"),
        pytest.param(PATHS, True, 0, id="a required score of 0"),
        pytest.param(PATHS, False, None, id="no suite, a gated aggregate"),
        pytest.param(PATHS, False, 0.9, id="no suite, on the required score"),
    ],
)
def test_open_when_proved(document: Json, required: float | None, *, with_suite: bool) -> None:
    decision = decide(document, None, required, with_suite=with_suite)
    assert decision == GateDecision(open=True, reasons=(), rfc_0082_alone=True)
    assert decision.code is None


def test_not_passed() -> None:
    decision = decide(PLAIN, UNDER)
    assert (decision.open, decision.code) == (False, "eval_gate_unmet")
    assert reasons(decision) == [("not-passed", None)]
    assert words(decision) == "the run did not pass: aggregate score 0.6 against passScore 0.7"
    assert decision.reasons[0].section == "RFC 0246 §B"


def test_not_passed_by_the_gate() -> None:
    decision = decide(PATHS, GATED)
    assert reasons(decision) == [("not-passed", None)]
    assert words(decision) == (
        "the run did not pass: gating aggregate 0.45 against passScore 0.7; "
        "1 of 2 tasks have a gatedScore below their score"
    )


def test_not_passed_without_the_suite() -> None:
    decision = decide(PATHS, GATED, with_suite=False)
    assert reasons(decision) == [("not-passed", None)]
    assert "gating aggregate 0.45 against the suite's bar" in words(decision)


@pytest.mark.parametrize("with_suite", [True, False])
def test_the_gating_aggregate_is_under_the_required_score(*, with_suite: bool) -> None:
    decision = decide(PATHS, GATED, 0.5, with_suite=with_suite)
    assert reasons(decision) == [("not-passed", None), ("required-pass-score", None)]
    assert decision.reasons[1].message == (
        "the gating aggregate 0.45 is under the required 0.5; "
        "1 of 2 tasks have a gatedScore below their score; RFC 0082 alone would have opened"
    )
    assert decision.reasons[1].section == "RFC 0082, RFC 0246 §B"


@pytest.mark.parametrize("document", [PLAIN, PATHS], ids=["no trajectory", "a trajectory"])
def test_the_required_score_counts_besides_passed(document: Json) -> None:
    decision = decide(document, None, 0.9000000000000001)
    assert reasons(decision) == [("required-pass-score", None)]
    assert "0.9 is under the required 0.9000000000000001" in words(decision)


def test_the_required_score_does_not_replace_passed() -> None:
    assert reasons(decide(PATHS, GATED, 0.4)) == [("not-passed", None)]
    assert reasons(decide(PLAIN, UNDER, 0.6)) == [("not-passed", None)]


def test_unproved_without_the_suite_or_the_gated_aggregate() -> None:
    decision = decide(PLAIN, None, 0.5, with_suite=False)
    assert (decision.open, decision.code) == (False, "eval_gate_unmet")
    assert reasons(decision) == [("unproven", None)]
    assert words(decision) == (
        "nothing proves that no wrong path counted; supply the gated fields, or the suite to "
        "show that no task has a trajectory; RFC 0082 alone would have opened"
    )
    assert decision.reasons[0].section == "RFC 0246 §D"


@pytest.mark.parametrize("required", [None, 0.9, 1])
def test_unproved_when_the_host_predates_the_gated_fields(required: float | None) -> None:
    decision = decide(PATHS, STRIPPED, required)
    assert reasons(decision) == [("unproven", None)]
    assert "supply gatedScore and gatedAggregateScore" in words(decision)
    assert decision.rfc_0082_alone


def test_unproved_when_only_the_aggregate_is_left_out() -> None:
    decision = decide(PATHS, {"/gatedAggregateScore": ABSENT})
    assert reasons(decision) == [("unproven", None), ("inconsistent", "gated-aggregate-absent")]


def test_unproved_and_not_passed() -> None:
    decision = decide(PATHS, STRIPPED | UNDER)
    assert reasons(decision) == [("unproven", None), ("not-passed", None)]


@pytest.mark.parametrize(
    ("edits", "required", "alone"),
    [
        pytest.param({}, None, True, id="passed"),
        pytest.param({}, 1, True, id="passed, and under the required score"),
        pytest.param(GATED, None, False, id="not passed"),
        pytest.param(GATED, 0.9, True, id="not passed, on the required score"),
        pytest.param(GATED, 0.91, False, id="not passed, under the required score"),
        pytest.param(STRIPPED, None, True, id="passed, without the gated fields"),
    ],
)
@pytest.mark.parametrize("with_suite", [True, False])
def test_what_rfc_0082_alone_decides(
    edits: Json, required: float | None, *, alone: bool, with_suite: bool
) -> None:
    decision = decide(PATHS, edits, required, with_suite=with_suite)
    assert decision.rfc_0082_alone is alone
    for reason in decision.reasons:
        assert reason.message.endswith("; RFC 0082 alone would have opened") is alone


@pytest.mark.parametrize(
    ("document", "edits", "code"),
    [
        pytest.param(PLAIN, UNDER | {"/passed": True}, "passed", id="passed is hard-wired"),
        pytest.param(
            PLAIN, BOTH_FAILED | {"/passed": True}, "passed", id="0.3 passed against a bar of 0.7"
        ),
        pytest.param(PATHS, GATED | {"/passed": True}, "passed", id="the gate was not read"),
        pytest.param(PLAIN, {"/aggregateScore": 0.95}, "aggregate-score", id="another aggregate"),
        pytest.param(PLAIN, {"/suiteId": "acme.evals.other"}, "suite-id", id="another suite"),
        pytest.param(PLAIN, {"/suiteVersion": "2.0.0"}, "suite-version", id="another version"),
    ],
)
def test_a_contradiction_closes(document: Json, edits: Json, code: str) -> None:
    decision = decide(document, edits)
    assert (decision.open, decision.code) == (False, "eval_gate_unmet")
    assert reasons(decision) == [("inconsistent", code)]
    (reason,) = decision.reasons
    assert reason.finding is not None
    assert reason.message.startswith(str(reason.finding))
    assert reason.section == reason.finding.section


def test_a_failure_that_contradicts_its_numbers_closes_too() -> None:
    decision = decide(PLAIN, {"/passed": False})
    assert reasons(decision) == [("not-passed", None), ("inconsistent", "passed")]
    assert "passed: expected True, found False" in words(decision)


def test_a_contradiction_is_found_without_the_suite() -> None:
    decision = decide(PATHS, GATED | {"/gatedAggregateScore": 0.9, "/passed": True}, None)
    assert reasons(decision) == [("inconsistent", "gated-aggregate-score")]
    wrong = GATED | {"/gatedAggregateScore": 0.9, "/passed": True}
    assert reasons(decide(PATHS, wrong, with_suite=False)) == reasons(decision)


def test_a_task_without_a_row_is_named() -> None:
    three = suite_json(task("t1"), task("t2"), task("t3"))
    decision = decide(three, {"/tasks/2": ABSENT, "/taskCount": 2, "/passedCount": 2})
    assert reasons(decision) == [("inconsistent", "task-missing")]
    assert "a row for t3" in words(decision)


def test_a_row_without_a_task_is_named() -> None:
    extra = {"/tasks": [row("t1"), row("t2"), row("t4")], "/taskCount": 3, "/passedCount": 3}
    decision = decide(PLAIN, extra)
    assert reasons(decision) == [("inconsistent", "task-extra")]
    assert "found t4" in words(decision)


NO_ROWS = {"/tasks": [], "/taskCount": 0, "/passedCount": 0}


def test_nothing_was_run() -> None:
    assert not decide(PATHS, NO_ROWS).open
    assert not decide(PATHS, NO_ROWS | {"/gatedAggregateScore": ABSENT}, with_suite=False).open


def test_nothing_was_run_and_the_suite_is_not_known() -> None:
    assert not decide(PATHS, NO_ROWS, with_suite=False).open


def test_a_gated_aggregate_of_rows_that_are_not_gated_proves_nothing() -> None:
    assert not decide(PATHS, {"/tasks/0/gatedScore": ABSENT}, with_suite=False).open


def test_a_gated_row_of_a_suite_without_trajectories_is_not_laid_to_one() -> None:
    missed = FAILED | {"/tasks/0/score": 0.9, "/tasks/0/gatedScore": 0.0}
    decision = decide(PLAIN, missed)
    assert reasons(decision)[0] == ("unproven", None)
    assert "a task of the suite has a trajectory" not in words(decision)


@pytest.mark.parametrize(
    ("edits", "name"),
    [({"/totalCostUsd": 2}, "cost"), ({"/tasks/0/latencyMs": 200}, "latency")],
)
def test_a_run_that_failed_by_another_bar_says_which(edits: Json, name: str) -> None:
    bars = {"passScore": 0.7, "maxCostUsd": 1, "maxP95LatencyMs": 100}
    within = {"/totalCostUsd": 1, "/tasks/0/latencyMs": 100, "/passed": False}
    decision = decide(suite_json(bars=bars), within | edits)
    assert reasons(decision) == [("not-passed", None)]
    assert name in words(decision)


def test_the_bar_of_the_policy_counts_where_the_suite_has_none() -> None:
    document = suite_json(bars={})
    summary, barless = as_summary(document), decode_suite(json.dumps(document))
    assert gate(summary, barless, policy=GradingPolicy(default_pass_score=0.9)).open
    higher = gate(summary, barless, policy=GradingPolicy(default_pass_score=0.95))
    assert reasons(higher) == [("inconsistent", "task-passed"), ("inconsistent", "passed")]
    with pytest.raises(GradingError, match="declares no passScore"):
        gate(summary, barless)


@pytest.mark.parametrize("with_suite", [True, False])
def test_the_aggregation_of_the_policy_counts(*, with_suite: bool) -> None:
    least = as_summary(PATHS, {"/tasks/1/score": 1})
    known = decode_suite(json.dumps(PATHS)) if with_suite else None
    assert not gate(least, known).open
    assert gate(least, known, policy=GradingPolicy(aggregate="min")).open


@pytest.mark.parametrize("required", [float("nan"), 2, -1, 1.0000001, True, "0.5"])
@pytest.mark.parametrize("known", [None, suite()], ids=["no suite", "a suite"])
def test_a_required_score_that_is_no_score_is_refused(
    required: float, known: AgentEvalSuite | None
) -> None:
    with pytest.raises(GradingError, match=r"required_pass_score is .*, expected a number from 0"):
        gate(as_summary(suite_json()), known, required_pass_score=required)


@pytest.mark.parametrize(
    "members",
    [
        {"aggregate_score": float("nan")},
        {"gated_aggregate_score": float("nan")},
        {"gated_aggregate_score": 1.5},
        {"gated_aggregate_score": None},
        {"passed": "false"},
        {"passed": 1},
        {"task_count": -1},
    ],
    ids=str,
)
@pytest.mark.parametrize("known", [None, suite()], ids=["no suite", "a suite"])
def test_values_built_by_hand_are_checked(
    members: dict[str, Any], known: AgentEvalSuite | None
) -> None:
    with pytest.raises(ValidationError):
        gate(replace(as_summary(suite_json()), **members), known)


def test_what_is_no_summary_or_no_suite_is_refused() -> None:
    document: Any = suite()
    with pytest.raises(TypeError, match="expected EvalSummary"):
        gate(document)
    with pytest.raises(TypeError, match="expected AgentEvalSuite"):
        gate(as_summary(suite_json()), as_summary(suite_json()))  # type: ignore[arg-type]
    with pytest.raises(GradingError, match="stands at"):
        gate(as_summary(suite_json()), suite(task("t1"), task("t1")))
