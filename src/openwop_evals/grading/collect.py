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
        try:
            require(record, TrialRecord)
        except TypeError as error:
            problems.append(Problem(reason=str(error), position=position))
            continue
        except ValidationError as error:
            problems += _contract_problems(error, position)
            continue
        trial = trial_of(record)
        task = tasks.get(record.task_id)
        if task is None:
            problem: Problem | None = _misplaced(record, position, "the suite has no such task")
        elif trial >= count:
            problem = _misplaced(record, position, f"expected a trial from 0 to {count - 1}")
        elif trial in seen[record.task_id]:
            first = seen[record.task_id][trial].position
            problem = _misplaced(record, position, "the trial is repeated", first)
        else:
            graded = grade_record(task, record, position, pass_score)
            seen[record.task_id][trial] = graded
            problem = graded if isinstance(graded, Problem) else None
        if problem is not None:
            problems.append(problem)
    for task_id, rows in seen.items():
        problems += (
            Problem(reason=f"no record of {which}, expected {count} in all", task_id=task_id)
            for which in _missing(rows, count)
        )
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


def _contract_problems(error: ValidationError, position: int) -> Iterator[Problem]:
    for violation in error.violations:
        yield Problem(reason=violation.message, position=position, pointer=violation.pointer)


def _misplaced(
    record: TrialRecord, position: int, reason: str, first_position: int | None = None
) -> Problem:
    return Problem(
        reason=reason,
        task_id=record.task_id,
        trial=trial_of(record),
        position=position,
        first_position=first_position,
    )


def _missing(present: Iterable[int], count: int) -> Iterator[str]:
    """The trials that are missing, runs of them together: a count may be any number."""
    start = 0
    for trial in [*sorted(present), count]:
        if trial > start:
            yield f"trial {start}" if trial == start + 1 else f"trials {start} to {trial - 1}"
        start = trial + 1
