"""The records of a trial log, in any order, to the graded trials of each task."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET

from openwop_evals._roundtrip import require
from openwop_evals.errors import GradingError, Problem, ValidationError
from openwop_evals.models import AgentEvalSuite, TrialRecord

from .rows import grade_record, trial_of
from .run import GradedTrial

__all__ = ["grade_trials"]


def grade_trials(
    suite: AgentEvalSuite, trials: Iterable[TrialRecord], pass_score: float
) -> list[list[GradedTrial]]:
    """Grade every record of a run.

    Args:
        suite: The suite; it must be gradable.
        trials: Its trials, each (taskId, trial) once, in any order.
        pass_score: The bar, 0 to 1.

    Returns:
        The trials of each task in their order, the tasks in suite order.

    Raises:
        GradingError: A record cannot be graded, is repeated or belongs nowhere, a trial is
            missing, or every trial errored. Every offender is named.
    """
    count = 1 if suite.trials is UNSET else suite.trials.count
    tasks = {task.task_id: task for task in suite.tasks}
    seen: dict[str, dict[int, GradedTrial | Problem]] = {task_id: {} for task_id in tasks}
    problems: list[Problem] = []
    for position, record in enumerate(trials):
        faults = list(_faults(record, position, seen, count))
        if not faults:
            graded = grade_record(tasks[record.task_id], record, position, pass_score)
            seen[record.task_id][trial_of(record)] = graded
            faults = [graded] if isinstance(graded, Problem) else []
        problems += faults
    for task_id, rows in seen.items():
        problems += _missing(task_id, rows, count)
    if problems:
        raise GradingError(problems)
    # Without a problem every value is a graded trial.
    graded_rows = [
        [row for _, row in sorted(rows.items()) if isinstance(row, GradedTrial)]
        for rows in seen.values()
    ]
    if all(row.error is not None for rows in graded_rows for row in rows):
        raise GradingError([Problem(reason="every trial errored: nothing was measured")])
    return graded_rows


def _faults(
    record: TrialRecord,
    position: int,
    seen: dict[str, dict[int, GradedTrial | Problem]],
    count: int,
) -> Iterator[Problem]:
    """Why a record has no place in the run."""
    try:
        require(record, "trial")
    except TypeError as error:
        yield Problem(reason=str(error), position=position)
        return
    except ValidationError as error:
        problems = [
            Problem(reason=found.message, position=position, pointer=found.pointer)
            for found in error.violations
        ]
        _keep_from_missing(record, seen, problems[0], count)
        yield from problems
        return
    trial = trial_of(record)
    rows = seen.get(record.task_id)
    reason = first = None
    if rows is None:
        reason = "the suite has no such task"
    elif trial >= count:
        reason = f"expected a trial from 0 to {count - 1}"
    elif trial in rows:
        reason, first = "the trial is repeated", rows[trial].position
    if reason is not None:
        yield Problem(
            reason=reason,
            task_id=record.task_id,
            trial=trial,
            position=position,
            first_position=first,
        )


def _keep_from_missing(
    record: TrialRecord,
    seen: dict[str, dict[int, GradedTrial | Problem]],
    problem: Problem,
    count: int,
) -> None:
    """A record that is refused is there all the same, if it says which trial it is."""
    rows = seen.get(record.task_id) if isinstance(record.task_id, str) else None
    trial = trial_of(record)
    if rows is not None and isinstance(trial, int) and 0 <= trial < count:
        rows.setdefault(trial, problem)


def _missing(task_id: str, present: Iterable[int], count: int) -> Iterator[Problem]:
    """The trials that a task lacks, runs of them together: a count may be any number."""
    start = 0
    for trial in [*sorted(present), count]:
        if trial == start + 1:
            reason = f"the trial has no record, expected {count} in all"
            yield Problem(reason=reason, task_id=task_id, trial=start)
        elif trial > start:
            reason = f"trials {start} to {trial - 1} have no record, expected {count} in all"
            yield Problem(reason=reason, task_id=task_id)
        start = trial + 1
