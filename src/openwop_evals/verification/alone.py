"""A summary judged by its own numbers."""

from collections.abc import Callable, Iterator, Sequence
from math import inf

from msgspec import UNSET

from openwop_evals.grading.trials import pass_at_k, pass_hat_k
from openwop_evals.models import EvalSummary, TaskResult, TaskTrials
from openwop_evals.numbers import exact_mean, exact_sum

from .findings import Finding, are_one, is_aggregation, is_consistent

__all__ = ["contradictions", "gating_of", "rows_cost"]

_Aggregation = Callable[[Sequence[float]], float]
_RELATIVE = 1e-9
_ROUNDING = 1e-4  # two numbers of four decimals


def gating_of(row: TaskResult) -> float:
    """What a row counts in the gating aggregate: its gatedScore, else its score (RFC 0246 §D)."""
    return row.score if row.gated_score is UNSET else row.gated_score


def contradictions(
    summary: EvalSummary, aggregate: _Aggregation, *, gating_is_known: bool = True
) -> Iterator[Finding]:
    """Where a summary contradicts itself.

    Args:
        summary: The summary.
        aggregate: The host's aggregation.
        gating_is_known: Whether every gating score can be read from the rows.
    """
    yield from _counts(summary)
    yield from _aggregates(summary, aggregate, gating_is_known=gating_is_known)
    yield from _cost(summary)
    for at, row in enumerate(summary.tasks):
        yield from _row(row, f"/tasks/{at}")
    yield from _trial_stats(summary)
    if summary.regression is not UNSET:
        baseline = summary.aggregate_score - summary.regression.score_delta
        if not (-_ROUNDING <= baseline <= 1 + _ROUNDING):
            yield Finding(
                code="regression-delta",
                pointer="/regression/scoreDelta",
                expected="a difference from a baseline between 0 and 1",
                found=summary.regression.score_delta,
                section="RFC 0081",
            )


def _counts(summary: EvalSummary) -> Iterator[Finding]:
    passed = sum(row.passed for row in summary.tasks)
    for code, pointer, expected, found in (
        ("task-count", "/taskCount", len(summary.tasks), summary.task_count),
        ("passed-count", "/passedCount", passed, summary.passed_count),
    ):
        if found != expected:
            yield Finding(
                code=code, pointer=pointer, expected=expected, found=found, section="RFC 0081"
            )
    seen = set()
    for at, row in enumerate(summary.tasks):
        if row.task_id in seen:
            yield Finding(
                code="task-repeated",
                pointer=f"/tasks/{at}/taskId",
                expected="each task once",
                found=row.task_id,
                section="RFC 0081",
                task_id=row.task_id,
            )
        seen.add(row.task_id)


def _aggregates(
    summary: EvalSummary, aggregate: _Aggregation, *, gating_is_known: bool
) -> Iterator[Finding]:
    if not summary.tasks:
        return
    scores = [row.score for row in summary.tasks]
    score = aggregate(scores)
    if not is_aggregation(summary.aggregate_score, score, scores):
        yield Finding(
            code="aggregate-score",
            pointer="/aggregateScore",
            expected=score,
            found=summary.aggregate_score,
            section="RFC 0246 §C",
        )
    gated = summary.gated_aggregate_score
    if gated is not UNSET and gating_is_known:
        gating_scores = [gating_of(row) for row in summary.tasks]
        gating = aggregate(gating_scores)
        if not is_aggregation(gated, gating, gating_scores):
            yield Finding(
                code="gated-aggregate-score",
                pointer="/gatedAggregateScore",
                expected=gating,
                found=gated,
                section="RFC 0246 §A",
            )


def rows_cost(summary: EvalSummary) -> float:
    """The sum of the costs that the rows give, in US dollars; infinite where it is no double."""
    try:
        return exact_sum(row.cost_usd for row in summary.tasks if row.cost_usd is not UNSET)
    except OverflowError:
        return inf


def _cost(summary: EvalSummary) -> Iterator[Finding]:
    total = summary.total_cost_usd
    if total is UNSET:
        return
    rows = rows_cost(summary)
    if total < rows * (1 - _RELATIVE) and not is_consistent(total, rows):
        yield Finding(
            code="total-cost",
            pointer="/totalCostUsd",
            expected=f"at least {rows!r}, the sum of the tasks",
            found=total,
            section="RFC 0081",
        )


def _row(row: TaskResult, pointer: str) -> Iterator[Finding]:
    gated = row.gated_score
    if gated is not UNSET and gated > row.score and not are_one(gated, row.score):
        yield Finding(
            code="gated-above-score",
            pointer=f"{pointer}/gatedScore",
            expected=f"at most {row.score!r}, the score",
            found=gated,
            section="RFC 0246 §A",
            task_id=row.task_id,
        )
    if row.trials is not UNSET:
        yield from _trials(row, row.trials, f"{pointer}/trials")


def _trials(row: TaskResult, trials: TaskTrials, pointer: str) -> Iterator[Finding]:
    n, c = trials.count, trials.passed_count
    if c > n:
        yield Finding(
            code="trials-passed-count",
            pointer=f"{pointer}/passedCount",
            expected=f"at most {n}, the count",
            found=c,
            section="RFC 0244 §B",
            task_id=row.task_id,
        )
        return
    if not are_one(trials.mean_score, row.score):
        yield Finding(
            code="trials-mean-score",
            pointer=f"{pointer}/meanScore",
            expected=row.score,
            found=trials.mean_score,
            section="RFC 0246 §C",
            task_id=row.task_id,
        )
    for code, name, exact, found in (
        ("trials-pass-at-k", "passAtK", pass_at_k(n, c, n), trials.pass_at_k),
        ("trials-pass-hat-k", "passHatK", pass_hat_k(n, c, n), trials.pass_hat_k),
    ):
        if exact is not None and not is_consistent(found, exact):
            yield Finding(
                code=code,
                pointer=f"{pointer}/{name}",
                expected=exact,
                found=found,
                section="RFC 0244 §B",
                task_id=row.task_id,
            )


def _trial_stats(summary: EvalSummary) -> Iterator[Finding]:
    stats = summary.trial_stats
    blocks = [row.trials for row in summary.tasks if row.trials is not UNSET]
    if stats is UNSET or not blocks or len(blocks) != len(summary.tasks):
        return
    for code, name, exact, found in (
        (
            "trial-stats-pass-at-k",
            "passAtK",
            exact_mean([block.pass_at_k for block in blocks]),
            stats.pass_at_k,
        ),
        (
            "trial-stats-pass-hat-k",
            "passHatK",
            exact_mean([block.pass_hat_k for block in blocks]),
            stats.pass_hat_k,
        ),
    ):
        if not is_consistent(found, exact):
            yield Finding(
                code=code,
                pointer=f"/trialStats/{name}",
                expected=exact,
                found=found,
                section="RFC 0244 §B",
            )
