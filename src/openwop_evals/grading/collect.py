"""The records of a trial log, in any order, to the graded trials of each task."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias, cast

from msgspec import UNSET

from openwop_evals._roundtrip import Decoded, require
from openwop_evals.errors import GradingError, Problem, ValidationError
from openwop_evals.models import AgentEvalSuite, TrialRecord

from .rows import grade_record, trial_of
from .run import GradedTrial

__all__ = ["grade_trials"]

_Rows: TypeAlias = dict[int, GradedTrial | Problem]


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
    seen: dict[str, _Rows] = {task_id: {} for task_id in tasks}
    problems: list[Problem] = []
    are_decoded = isinstance(trials, Decoded)
    for position, record in enumerate(trials):
        if not are_decoded and (faults := _contract_faults(record, position)):
            problems += faults
            _keep_from_missing(record, seen, faults[0])
            continue
        trial = trial_of(record)
        rows = seen.get(record.task_id)
        if rows is None or trial >= count or trial in rows:
            problems.append(_misplaced(record, position, rows, count))
            continue
        graded = grade_record(tasks[record.task_id], record, position, pass_score)
        rows[trial] = graded
        if isinstance(graded, Problem):
            problems.append(graded)
    for task_id, rows in seen.items():
        if len(rows) < count:
            problems += _missing(task_id, rows, count)
    if problems:
        raise GradingError(problems)
    # Without a problem every value is a graded trial.
    graded_rows = [[cast("GradedTrial", rows[at]) for at in sorted(rows)] for rows in seen.values()]
    if all(row.error is not None for rows in graded_rows for row in rows):
        raise GradingError([Problem(reason="every trial errored: nothing was measured")])
    return graded_rows


def _contract_faults(record: object, position: int) -> list[Problem]:
    """Why a record built by hand is none."""
    try:
        require(record, "trial")
    except TypeError as error:
        return [Problem(reason=str(error), position=position)]
    except ValidationError as error:
        return [
            Problem(reason=found.message, position=position, pointer=found.pointer)
            for found in error.violations
        ]
    return []


def _keep_from_missing(record: object, seen: dict[str, _Rows], fault: Problem) -> None:
    """A record that is refused is there all the same, if it says which trial it is."""
    if not isinstance(record, TrialRecord) or not isinstance(record.task_id, str):
        return
    rows, trial = seen.get(record.task_id), trial_of(record)
    if rows is not None and isinstance(trial, int) and trial >= 0:
        rows.setdefault(trial, fault)


def _misplaced(record: TrialRecord, position: int, rows: _Rows | None, count: int) -> Problem:
    """Why a record has no place in the run."""
    trial = trial_of(record)
    first = None
    if rows is None:
        reason = "the suite has no such task"
    elif trial >= count:
        reason = f"expected a trial from 0 to {count - 1}"
    else:
        reason, first = "the trial is repeated", rows[trial].position
    return Problem(
        reason=reason,
        task_id=record.task_id,
        trial=trial,
        position=position,
        first_position=first,
    )


def _missing(task_id: str, present: Iterable[int], count: int) -> Iterator[Problem]:
    """The trials that a task lacks, runs of them together: a count may be any number."""
    start = 0
    for trial in [*sorted(trial for trial in present if trial < count), count]:
        if trial == start + 1:
            reason = f"the trial has no record, expected {count} in all"
            yield Problem(reason=reason, task_id=task_id, trial=start)
        elif trial > start:
            reason = f"trials {start} to {trial - 1} have no record, expected {count} in all"
            yield Problem(reason=reason, task_id=task_id)
        start = trial + 1
