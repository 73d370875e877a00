"""One record of a trial log, graded."""

from collections.abc import Sequence

from msgspec import UNSET

from openwop_evals.errors import Problem
from openwop_evals.models import EvalTask, TrialRecord

from .gating import gating_score
from .output import score_output, score_rubric
from .run import GradedTrial
from .trajectory import Mismatch, TrajectoryVerdict, match_trajectory
from .trials import trial_passes

__all__ = ["grade_record", "trial_of"]


_SCORES = ("score", "output", "rubricMet")
_ANY_SCORE = "score, output and rubricMet"
_NONE = (UNSET, UNSET, UNSET)
_ZERO = (0, UNSET, UNSET)


class Ungradable(Exception):  # noqa: N818 - a reason, made a Problem in this module
    """Why a record cannot be graded, and the member that shows it."""

    def __init__(self, reason: str, pointer: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pointer = pointer


def trial_of(record: TrialRecord) -> int:
    """Which trial of its task a record is, from 0."""
    return 0 if record.trial is UNSET else record.trial


def grade_record(
    task: EvalTask, record: TrialRecord, position: int, pass_score: float
) -> GradedTrial | Problem:
    """Grade one trial of a task (RFC 0244 §A, §D; RFC 0246 §A).

    Args:
        task: The task; it must be judgeable.
        record: What the trial did.
        position: The record's position in the iterable of trials, from 0.
        pass_score: The bar, 0 to 1.

    Returns:
        What the trial came to, or why it cannot be graded.
    """
    errored = record.error is not UNSET
    fixture_miss = record.fixture_miss is True
    try:
        score = _score(task, record, errored=errored, fixture_miss=fixture_miss)
        verdict = _trajectory(task, record, may_lack_calls=errored or fixture_miss)
    except Ungradable as why:
        return Problem(
            reason=why.reason,
            task_id=task.task_id,
            trial=trial_of(record),
            position=position,
            pointer=why.pointer,
        )
    matched = verdict is None or verdict.matched
    return GradedTrial(
        trial=trial_of(record),
        position=position,
        score=score,
        gating_score=gating_score(score, trajectory_matched=matched, fixture_miss=fixture_miss),
        passed=trial_passes(
            score,
            pass_score,
            trajectory_matched=matched,
            failed_closed=errored or fixture_miss,
        ),
        trajectory=verdict,
        fixture_miss=fixture_miss,
        error=None if record.error is UNSET else record.error,
        cost_usd=UNSET if record.cost_usd is None else record.cost_usd,
        latency_ms=record.latency_ms,
        schema_valid=record.schema_valid,
        safety_findings=record.safety_findings,
    )


def _score(task: EvalTask, record: TrialRecord, *, errored: bool, fixture_miss: bool) -> float:
    score, output, rubric_met = record.score, record.output, record.rubric_met
    failed = errored or fixture_miss
    if score is not UNSET and output is UNSET and rubric_met is UNSET and not failed:
        return float(score)
    scores = (score, output, rubric_met)
    if failed:
        if scores == _NONE or (fixture_miss and not errored and scores == _ZERO):
            return 0.0
        why = "error goes with" if errored else "fixtureMiss goes with a score of 0 or"
        raise Ungradable(f"found {_given(scores)}; {why} none of {_ANY_SCORE}")
    if scores.count(UNSET) != len(scores) - 1:
        raise Ungradable(f"found {_given(scores)}; expected exactly one of {_ANY_SCORE}")
    if output is not UNSET:
        if task.expected.kind != "golden":
            raise Ungradable("the output of a rubric task cannot be scored here", "/output")
        return score_output(task.expected, output)
    if task.expected.kind != "rubric" or rubric_met is UNSET:
        raise Ungradable("a golden task is not judged by criteria", "/rubricMet")
    try:
        return score_rubric(task.expected, rubric_met)
    except ValueError as error:
        raise Ungradable(str(error), "/rubricMet") from None


def _trajectory(
    task: EvalTask, record: TrialRecord, *, may_lack_calls: bool
) -> TrajectoryVerdict | None:
    trajectory = task.expected.trajectory
    if trajectory is UNSET:
        return None
    host = record.trajectory_matched
    if record.tool_calls is UNSET:
        if host is UNSET:
            if may_lack_calls:
                return None
            raise Ungradable(
                "the task has a trajectory and the record has neither toolCalls nor "
                "trajectoryMatched, so its path cannot be shown clean"
            )
        verdict = TrajectoryVerdict()
    else:
        verdict = match_trajectory(trajectory, record.tool_calls)
    if verdict.matched and host is False:
        return TrajectoryVerdict(mismatches=(Mismatch(reason="host"),))
    return verdict


def _given(scores: Sequence[object]) -> str:
    named = zip(_SCORES, scores, strict=True)
    return " and ".join(name for name, value in named if value is not UNSET) or "none"
