"""A summary judged by its trials: every score and verdict recomputed."""

from collections.abc import Iterator

from msgspec import UNSET

from openwop_evals.grading.run import GradedRun, GradedTask
from openwop_evals.models import EvalSummary, TaskResult

from .findings import Finding, is_consistent

__all__ = ["recomputed"]


def recomputed(summary: EvalSummary, run: GradedRun, rule: str) -> Iterator[Finding]:
    """Where a summary differs from what its trials come to (RFC 0246 §A to §C).

    Args:
        summary: The summary.
        run: What the trials come to.
        rule: The pass rule in force.
    """
    graded = {task.result.task_id: task for task in run.tasks}
    for at, row in enumerate(summary.tasks):
        if row.task_id in graded:
            yield from _row(row, graded[row.task_id], f"/tasks/{at}", rule)
    over = (run.summary.total_cost_usd is not UNSET and not run.cost_met) or (
        run.p95_latency_ms is not None and not run.latency_met
    )
    if summary.passed and over:
        yield Finding(
            code="passed",
            pointer="/passed",
            expected="false, since the trials' cost or latency is over its bar",
            found=True,
            section="RFC 0246 §B",
        )


def _row(row: TaskResult, task: GradedTask, pointer: str, rule: str) -> Iterator[Finding]:
    exact = task.result
    if not is_consistent(row.score, exact.score):
        zeroed = is_consistent(row.score, task.gating_score)
        yield Finding(
            code="score-zeroed" if zeroed else "score",
            pointer=f"{pointer}/score",
            expected=exact.score,
            found=row.score,
            section="RFC 0246 §C",
            task_id=row.task_id,
        )
    if row.gated_score is not UNSET and not is_consistent(row.gated_score, task.gating_score):
        yield Finding(
            code="gated-score",
            pointer=f"{pointer}/gatedScore",
            expected=task.gating_score,
            found=row.gated_score,
            section="RFC 0246 §A",
            task_id=row.task_id,
        )
    # A verdict that hangs on a mean is judged by the number as it is written, with the decisions.
    by_number = rule == "mean" or (exact.trials is UNSET and row.score > 0)
    if not by_number and row.passed is not exact.passed:
        yield Finding(
            code="task-verdict",
            pointer=f"{pointer}/passed",
            expected=exact.passed,
            found=row.passed,
            section="RFC 0246 §B",
            task_id=row.task_id,
        )
    if row.trials is not UNSET and exact.trials is not UNSET:
        expected, found = exact.trials.passed_count, row.trials.passed_count
        if found != expected:
            yield Finding(
                code="trials-passed",
                pointer=f"{pointer}/trials/passedCount",
                expected=expected,
                found=found,
                section="RFC 0244 §B",
                task_id=row.task_id,
            )
