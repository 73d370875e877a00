"""Laws of verification and of the deployment gate, for every suite and every run."""

from collections.abc import Callable, Iterable, Sequence
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from openwop_evals import (
    AgentEvalSuite,
    EvalSummary,
    GradedRun,
    GradedTask,
    TrialRecord,
    decode_summary,
    encode,
    gate,
    grade,
    grade_run,
    verify,
)
from openwop_evals.grading.gating import must_carry_gated_aggregate
from openwop_evals.grading.policy import pass_rule_of
from openwop_evals.models import TaskResult
from openwop_evals.verification.findings import is_consistent
from tests.support.strategies import SCORES, Run, runs

laws = settings(max_examples=100, deadline=None)
PRESENCE = {
    "predates-rfc-0246",
    "gated-score-absent",
    "gated-score-unexpected",
    "gated-aggregate-absent",
    "gated-aggregate-unexpected",
}


def codes(
    summary: EvalSummary, suite: AgentEvalSuite, trials: list[TrialRecord] | None = None
) -> list[str]:
    """The codes of what is found in a summary, read from the wire."""
    return [finding.code for finding in verify(decode_summary(encode(summary)), suite, trials)]


@laws
@given(runs())
def test_what_grade_writes_is_clean(drawn: Run) -> None:
    suite, records = drawn.decoded()
    summary = grade(suite, records)
    assert codes(summary, suite) == []
    assert codes(summary, suite, records) == []


class Host:
    """A host that adds floats in some order and writes each number in some way.

    It aggregates the rows as it wrote them, and decides by the numbers that it wrote.
    """

    def __init__(
        self, ordered: Callable[[Sequence[float]], Sequence[float]], write: Callable[[float], float]
    ) -> None:
        self._ordered = ordered
        self._write = write

    def _sum(self, values: Iterable[float]) -> float:
        return sum(self._ordered(list(values)), 0.0)

    def _mean(self, values: Iterable[float]) -> float:
        given_ = list(values)
        return self._write(self._sum(given_) / len(given_))

    def summary(self, suite: AgentEvalSuite, run: GradedRun) -> EvalSummary:
        """Its summary of a run."""
        bars = suite.thresholds
        assert bars is not UNSET
        rows = tuple(self._row(suite, task, run.pass_score) for task in run.tasks)
        score = self._mean(row.score for row in rows)
        gated: float | UnsetType = UNSET
        if run.summary.gated_aggregate_score is not UNSET:
            gated = self._mean(_gate(row.gated_score, row.score) for row in rows)
        costs = [row.cost_usd for row in rows if row.cost_usd is not UNSET]
        total = self._write(self._sum(costs)) if len(costs) == len(rows) else UNSET
        cost_met = bars.max_cost_usd is UNSET or (total is not UNSET and total <= bars.max_cost_usd)
        stats, blocks = run.summary.trial_stats, [row.trials for row in rows]
        if stats is not UNSET:
            stats = replace(
                stats,
                pass_at_k=self._mean(one.pass_at_k for one in blocks if one is not UNSET),
                pass_hat_k=self._mean(one.pass_hat_k for one in blocks if one is not UNSET),
            )
        return replace(
            run.summary,
            aggregate_score=score,
            gated_aggregate_score=gated,
            passed=_gate(gated, score) >= run.pass_score and cost_met and run.latency_met,
            passed_count=sum(row.passed for row in rows),
            total_cost_usd=total,
            trial_stats=stats,
            tasks=rows,
        )

    def _row(self, suite: AgentEvalSuite, task: GradedTask, pass_score: float) -> TaskResult:
        row = task.result
        score = self._mean(one.score for one in task.trials)
        gated: float | UnsetType = UNSET
        if row.gated_score is not UNSET:
            gated = self._mean(one.gating_score for one in task.trials)
        passed = row.passed
        if suite.trials is UNSET:
            (only,) = task.trials
            matched = only.trajectory is None or only.trajectory.matched
            clean = matched and only.error is None and not only.fixture_miss
            passed = score >= pass_score and clean
        elif pass_rule_of(suite) == "mean":
            passed = _gate(gated, score) >= pass_score
        costs = [one.cost_usd for one in task.trials if one.cost_usd is not UNSET]
        whole = len(costs) == len(task.trials)
        return replace(
            row,
            score=score,
            gated_score=gated,
            passed=passed,
            trials=UNSET if row.trials is UNSET else replace(row.trials, mean_score=score),
            cost_usd=self._write(self._sum(costs)) if whole else UNSET,
        )


def _gate(gated: float | UnsetType, score: float) -> float:
    return score if gated is UNSET else gated


@laws
@given(runs(), st.randoms(use_true_random=False))
def test_a_host_that_adds_floats_in_any_order_is_not_accused(drawn: Run, random: Random) -> None:
    suite, records = drawn.decoded()
    host = Host(lambda values: random.sample(values, len(values)), float)
    assert codes(host.summary(suite, grade_run(suite, records)), suite) == []


@laws
@given(runs(), st.integers(4, 8))
def test_a_host_that_rounds_is_not_accused(drawn: Run, decimals: int) -> None:
    suite, records = drawn.decoded()
    host = Host(lambda values: values, lambda number: round(number, decimals))
    assert codes(host.summary(suite, grade_run(suite, records)), suite) == []


@laws
@given(runs(), st.sampled_from([float, lambda number: round(number, 4)]))
def test_a_host_that_adds_or_rounds_is_not_accused_by_its_trials(
    drawn: Run, write: Callable[[float], float]
) -> None:
    suite, records = drawn.decoded()
    host = Host(lambda values: values, write)
    assert codes(host.summary(suite, grade_run(suite, records)), suite, records) == []


@laws
@given(runs())
def test_a_flipped_verdict_is_found(drawn: Run) -> None:
    suite, records = drawn.decoded()
    summary = grade(suite, records)
    assert codes(replace(summary, passed=not summary.passed), suite) == ["passed"]


def _stripped(summary: EvalSummary) -> EvalSummary:
    """The summary of a host that has not heard of RFC 0246."""
    rows = tuple(replace(row, gated_score=UNSET) for row in summary.tasks)
    return replace(summary, gated_aggregate_score=UNSET, tasks=rows)


@laws
@given(runs())
def test_a_host_without_the_gated_fields_is_named_as_such(drawn: Run) -> None:
    suite, records = drawn.decoded()
    assume(must_carry_gated_aggregate(suite))
    stripped = _stripped(grade(suite, records))
    assert codes(stripped, suite) == ["predates-rfc-0246"]
    assert PRESENCE & {*codes(stripped, suite, records)} == {"predates-rfc-0246"}


@laws
@given(runs())
def test_without_the_gated_fields_a_flipped_verdict_is_found_unless_the_score_leaves_it_open(
    drawn: Run,
) -> None:
    suite, records = drawn.decoded()
    assume(must_carry_gated_aggregate(suite))
    run = grade_run(suite, records)
    # The score may be all that counts or more: only under the bar, or beyond another, it decides.
    score_met = run.summary.aggregate_score >= run.pass_score
    is_open = score_met and run.cost_met and run.latency_met
    flipped = replace(_stripped(run.summary), passed=not run.summary.passed)
    expected = ["predates-rfc-0246"] if is_open else ["predates-rfc-0246", "passed"]
    assert codes(flipped, suite) == expected


@laws
@given(runs(), st.data())
def test_a_flipped_verdict_of_a_task_is_found_by_the_trials(
    drawn: Run, data: st.DataObject
) -> None:
    suite, records = drawn.decoded()
    summary = grade(suite, records)
    at = data.draw(st.integers(0, len(summary.tasks) - 1))
    rows = list(summary.tasks)
    rows[at] = replace(rows[at], passed=not rows[at].passed)
    count = sum(row.passed for row in rows)
    flipped = replace(summary, passed_count=count, tasks=tuple(rows))
    found = verify(flipped, suite, records)
    assert {finding.pointer for finding in found} == {f"/tasks/{at}/passed"}
    assert {"task-verdict", "task-passed"} & {finding.code for finding in found}


@laws
@given(runs())
def test_scores_that_were_zeroed_and_not_gated_are_found(drawn: Run) -> None:
    suite, records = drawn.decoded()
    run = grade_run(suite, records)
    gates = [task.gating_score for task in run.tasks]
    # A score that no host can be asked to write otherwise is no evidence.
    zeroed = [
        f"/tasks/{at}/score"
        for at, task in enumerate(run.tasks)
        if not is_consistent(gates[at], task.result.score)
    ]
    rows = tuple(
        replace(
            task.result,
            score=task.gating_score,
            trials=task.result.trials and replace(task.result.trials, mean_score=task.gating_score),
        )
        for task in run.tasks
    )
    summary = replace(run.summary, aggregate_score=run.gating_aggregate, tasks=rows)
    found = verify(summary, suite, records)
    assert [one.pointer for one in found if one.code == "score-zeroed"] == zeroed
    assert verify(run.summary, suite, records) == []


@laws
@given(runs())
def test_the_gate_opens_for_what_passed(drawn: Run) -> None:
    suite, records = drawn.decoded()
    summary = grade(suite, records)
    decision = gate(summary, suite)
    assert decision.open is summary.passed
    assert decision.code == (None if summary.passed else "eval_gate_unmet")
    assert bool(decision.reasons) is not decision.open
    if must_carry_gated_aggregate(suite):
        assert gate(summary).open is (summary.passed and summary.gated_aggregate_score != 0)


@laws
@given(runs(), SCORES)
def test_the_gate_opens_for_what_passed_and_meets_the_required_score(
    drawn: Run, required: float
) -> None:
    suite, records = drawn.decoded()
    run = grade_run(suite, records)
    met = run.summary.passed and run.gating_aggregate >= required
    assert gate(run.summary, suite, required_pass_score=required).open is met


@laws
@given(runs(), st.booleans(), st.none() | SCORES)
def test_the_gate_never_opens_without_the_gated_fields(
    drawn: Run, passed: bool, required: float | None
) -> None:
    suite, records = drawn.decoded()
    assume(must_carry_gated_aggregate(suite))
    stripped = replace(_stripped(grade(suite, records)), passed=passed)
    for known in (suite, None):
        decision = gate(stripped, known, required_pass_score=required)
        assert not decision.open
        assert "unproven" in [reason.code for reason in decision.reasons]


@laws
@given(runs(), st.booleans(), st.none() | SCORES)
def test_the_gate_never_opens_for_what_did_not_pass(
    drawn: Run, with_suite: bool, required: float | None
) -> None:
    suite, records = drawn.decoded()
    failed = replace(grade(suite, records), passed=False)
    known = suite if with_suite else None
    assert not gate(failed, known, required_pass_score=required).open
