"""A graded run: the summary, and what every trial came to."""

from msgspec import UNSET, Struct, UnsetType

from openwop_evals.models import EvalSummary, TaskResult, TrialSafetyFinding

from .trajectory import TrajectoryVerdict

__all__ = ["GradedRun", "GradedTask", "GradedTrial"]


class GradedTrial(Struct, frozen=True, kw_only=True, gc=False):
    """What one trial came to.

    Attributes:
        trial: Which trial of its task, from 0.
        position: The record's position in the iterable of trials, from 0.
        score: Its reported score, 0 to 1; 0 when it errored or failed closed (RFC 0244 §A, §D).
        gating_score: What it counts in the decisions, 0 to 1 (RFC 0246 §A).
        passed: Its verdict (RFC 0244 §A).
        trajectory: The verdict on its calls; None where the task has no trajectory, or where the
            trial errored or failed closed before its calls were recorded.
        fixture_miss: It failed closed on a fixture miss (RFC 0244 §D).
        error: The code of the error that ended it; None when it was measured.
        cost_usd: Its cost in US dollars.
        latency_ms: Its latency in milliseconds.
        schema_valid: Whether its output met the agent's schema.
        safety_findings: What safety checks found in it.
    """

    trial: int
    position: int
    score: float
    gating_score: float
    passed: bool
    trajectory: TrajectoryVerdict | None
    fixture_miss: bool
    error: str | None
    cost_usd: float | UnsetType = UNSET
    latency_ms: int | UnsetType = UNSET
    schema_valid: bool | UnsetType = UNSET
    safety_findings: tuple[TrialSafetyFinding, ...] | UnsetType = UNSET


class GradedTask(Struct, frozen=True, kw_only=True):
    """What one task came to.

    Attributes:
        result: Its row of the summary.
        gating_score: What it counts in the gating aggregate, 0 to 1, whether the row carries it
            or not (RFC 0246 §A).
        trials: Its trials, in their order.
    """

    result: TaskResult
    gating_score: float
    trials: tuple[GradedTrial, ...]


class GradedRun(Struct, frozen=True, kw_only=True):
    """A summary, and what it was made of.

    Attributes:
        summary: The summary.
        tasks: What every task came to, in suite order.
        pass_score: The bar in force, 0 to 1.
        gating_aggregate: What the bar was compared with, 0 to 1, whether the summary carries it
            or not (RFC 0246 §A).
        p95_latency_ms: The 95th percentile of the tasks' latencies in milliseconds, by nearest
            rank; None when a latency is missing.
        cost_met: Whether the cost is within its bar; True when the suite has none.
        latency_met: Whether the latency is within its bar; True when the suite has none.
        warnings: What the caller should know and no decision hangs on.
    """

    summary: EvalSummary
    tasks: tuple[GradedTask, ...]
    pass_score: float
    gating_aggregate: float
    p95_latency_ms: int | None
    cost_met: bool
    latency_met: bool
    warnings: tuple[str, ...]
