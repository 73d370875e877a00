"""Grading: pure functions from a suite and its trials to a gated summary. No I/O, no clock."""

from .gating import gating_score, task_gating_score
from .output import score_output, score_rubric
from .policy import GradingPolicy
from .run import GradedRun, GradedTask, GradedTrial
from .summary import grade, grade_run
from .trajectory import Mismatch, TrajectoryVerdict, match_trajectory
from .trials import pass_at_k, pass_hat_k

__all__ = [
    "GradedRun",
    "GradedTask",
    "GradedTrial",
    "GradingPolicy",
    "Mismatch",
    "TrajectoryVerdict",
    "gating_score",
    "grade",
    "grade_run",
    "match_trajectory",
    "pass_at_k",
    "pass_hat_k",
    "score_output",
    "score_rubric",
    "task_gating_score",
]
