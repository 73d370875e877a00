"""RFC 0246 and nothing else: what a trial counts in the decisions, and the decisions.

A score is a measurement and stays what it was (§C). The gate reads gating scores: a trial that
took a wrong path counts 0 there, however good its answer.
"""

from collections.abc import Callable, Sequence

import msgspec

from openwop_evals.models import AgentEvalSuite, EvalTask
from openwop_evals.numbers import exact_mean

__all__ = [
    "gating_aggregate",
    "gating_score",
    "mean_passes",
    "must_carry_gated_aggregate",
    "must_carry_gated_score",
    "suite_passes",
    "task_gating_score",
]


def gating_score(score: float, *, trajectory_matched: bool, fixture_miss: bool) -> float:
    """A trial's gating score: 0 for a wrong path or a fixture miss, else its score (RFC 0246 §A).

    Args:
        score: The trial's reported score, 0 to 1.
        trajectory_matched: False when the task has expected.trajectory and the trial failed it, a
            forbidden call included; True for a task without one.
        fixture_miss: The trial failed closed on a fixture miss (RFC 0244 §D).

    Returns:
        The gating score, 0 to 1, never above the score.
    """
    return score if trajectory_matched and not fixture_miss else 0.0


def task_gating_score(gating_scores: Sequence[float]) -> float:
    """A task's gating score: the mean of its trials' gating scores (RFC 0246 §A).

    Args:
        gating_scores: One a trial, each 0 to 1; at least one.

    Returns:
        The mean, 0 to 1, exact and rounded once.

    Raises:
        ZeroDivisionError: There are no trials.
    """
    return exact_mean(gating_scores)


def gating_aggregate(
    aggregate: Callable[[Sequence[float]], float], task_gating_scores: Sequence[float]
) -> float:
    """The suite's gating aggregate (RFC 0246 §A).

    Args:
        aggregate: The same aggregation that makes aggregateScore from the tasks' scores.
        task_gating_scores: One a task, each 0 to 1, in suite order.
    """
    return aggregate(task_gating_scores)


def mean_passes(gating: float, pass_score: float) -> bool:
    """Whether a task passes under the rule mean (RFC 0246 §B).

    Args:
        gating: The task's gating score, 0 to 1, in place of its meanScore.
        pass_score: The suite's bar, 0 to 1, inclusive.
    """
    return gating >= pass_score


def suite_passes(gating: float, pass_score: float, *, cost_met: bool, latency_met: bool) -> bool:
    """Whether a run passes: EvalSummary.passed (RFC 0246 §B).

    Args:
        gating: The gating aggregate, 0 to 1, in place of aggregateScore.
        pass_score: The suite's bar, 0 to 1, inclusive.
        cost_met: Whether the cost is within its bar, if the suite has one (RFC 0081 §A).
        latency_met: Whether the latency is within its bar, if the suite has one (RFC 0081 §A).
    """
    return gating >= pass_score and cost_met and latency_met


def must_carry_gated_score(task: EvalTask) -> bool:
    """Whether a task's row must carry gatedScore, equal to its score or not (RFC 0246 §D)."""
    return task.expected.trajectory is not msgspec.UNSET


def must_carry_gated_aggregate(suite: AgentEvalSuite) -> bool:
    """Whether a suite's summary must carry gatedAggregateScore (RFC 0246 §D)."""
    return any(map(must_carry_gated_score, suite.tasks))
