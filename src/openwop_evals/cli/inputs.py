"""Documents from files, their errors with file, line and column."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from msgspec import UNSET, Struct, structs

from openwop_evals._roundtrip import Decoded
from openwop_evals.codec import decode_chunks, decode_suite, decode_summary
from openwop_evals.errors import DecodeError, GradingError, Problem, ValidationError, Violation
from openwop_evals.grading.policy import GradingPolicy, pass_score_of
from openwop_evals.grading.preconditions import suite_warnings
from openwop_evals.models import AgentEvalSuite, EvalSummary, ReportNote, TrialRecord

from .files import open_input, read_input, shown_name
from .locate import Place, locate
from .outcome import InputError
from .report import note

__all__ = [
    "Source",
    "decode_note",
    "open_trials",
    "read_suite",
    "read_summary",
    "refuse_ungradable",
    "violation_notes",
    "warning_notes",
]

_T = TypeVar("_T")


class Source(Struct, Generic[_T], frozen=True):
    """A document, the text that it came from, and the name of the file in messages."""

    document: _T
    text: bytes
    name: str

    def places(self, pointers: Iterable[str]) -> dict[str, Place]:
        """Line and column of the pointers that have a place in the text."""
        return locate(self.text.decode(), set(pointers))


def read_suite(path: str) -> Source[AgentEvalSuite]:
    """Read a suite from a file."""
    return _read(decode_suite, path)


def read_summary(path: str) -> Source[EvalSummary]:
    """Read a summary from a file."""
    return _read(decode_summary, path)


@contextmanager
def open_trials(path: str) -> Iterator[Iterator[TrialRecord]]:
    """Open a trial log; its records are read as they are asked for."""
    with open_input(path) as file:
        yield Decoded(_trials(file, shown_name(path)))


@contextmanager
def refuse_ungradable(suite: Source[AgentEvalSuite] | None, trials: str) -> Iterator[None]:
    """Name the files and lines of what cannot be graded."""
    try:
        yield
    except GradingError as error:
        pointers = [problem.pointer for problem in error.problems if problem.pointer]
        places = {} if suite is None else suite.places(pointers)
        name = None if suite is None else suite.name
        raise InputError(
            [
                _record_problem(problem, problem.position, shown_name(trials))
                if problem.position is not None
                else _suite_problem(problem, name, places)
                for problem in error.problems
            ]
        ) from None
    except ValidationError as error:  # of the summary: an option that no schema allows
        raise InputError(
            [note("error", code=found.rule, message=str(found)) for found in error.violations]
        ) from None


def warning_notes(suite: Source[AgentEvalSuite], policy: GradingPolicy) -> list[ReportNote]:
    """What makes a suite say less than it seems to."""
    warnings = suite_warnings(suite.document, pass_score_of(suite.document, policy))
    return [note("warning", "suite", text, file=suite.name) for text in warnings]


def decode_note(error: DecodeError, text: bytes, file: str, line: int | None = None) -> ReportNote:
    """The place of what is not JSON.

    Args:
        error: What is wrong.
        text: The document, or the line of a log.
        file: The file's name.
        line: The line of the log, from 1.
    """
    line, column, message = line or error.line, error.column, error.reason
    if error.pointer is not None:
        message = f"at {error.pointer}: {message}"
        if line is None:
            line, column = locate(text.decode(), [error.pointer]).get(error.pointer, (None, None))
    return note(
        level="error",
        code="json",
        message=message,
        file=file,
        line=line,
        column=column,
        pointer=error.pointer,
    )


def violation_notes(
    violations: Sequence[Violation], text: bytes, file: str, line: int | None = None
) -> list[ReportNote]:
    """The places of what breaks a schema; the arguments are those of ``decode_note``."""
    pointers = {found.pointer for found in violations}
    places: dict[str, Place] = locate(text.decode(), pointers) if line is None else {}
    notes = []
    for found in violations:
        at, column = (line, None) if line else places.get(found.pointer, (None, None))
        notes.append(
            note(
                level="error",
                code=found.rule,
                message=str(found),
                file=file,
                line=at,
                column=column,
                pointer=found.pointer,
            )
        )
    return notes


def _read(decode: Callable[[bytes], _T], path: str) -> Source[_T]:
    text = read_input(path)
    name = shown_name(path)
    try:
        return Source(decode(text), text, name)
    except DecodeError as error:
        raise InputError([decode_note(error, text, name)]) from None
    except ValidationError as error:
        raise InputError(violation_notes(error.violations, text, name)) from None


def _trials(file: Iterable[bytes], name: str) -> Iterator[TrialRecord]:
    """The records of a log; once one is refused the rest is only searched for others."""
    notes: list[ReportNote] = []
    for records, errors in decode_chunks(file):
        if not notes:
            yield from records
        for error in errors:
            notes += _record_notes(error, name)
    if notes:
        raise InputError(notes)


def _record_notes(error: DecodeError | ValidationError, name: str) -> list[ReportNote]:
    if isinstance(error, DecodeError):
        return [decode_note(error, b"", name, error.line)]
    notes = violation_notes(error.violations, b"", name, error.line)
    return [_named(found, error) for found in notes]


def _named(found: ReportNote, error: ValidationError) -> ReportNote:
    return structs.replace(
        found,
        task_id=UNSET if error.task_id is None else error.task_id,
        trial=UNSET if error.trial is None else error.trial,
    )


def _suite_problem(problem: Problem, file: str | None, places: dict[str, Place]) -> ReportNote:
    line, column = places.get(problem.pointer or "", (None, None))
    return note(
        level="error",
        code="grading",
        message=str(Problem(reason=problem.reason, pointer=problem.pointer)),
        file=file if problem.pointer else None,
        line=line,
        column=column,
        pointer=problem.pointer,
        task_id=problem.task_id,
        trial=problem.trial,
    )


def _record_problem(problem: Problem, position: int, file: str) -> ReportNote:
    reason = problem.reason
    if problem.first_position is not None:
        reason += f", first at line {problem.first_position + 1}"
    return note(
        level="error",
        code="grading",
        message=str(Problem(reason=reason, pointer=problem.pointer)),
        file=file,
        line=position + 1,
        pointer=problem.pointer,
        task_id=problem.task_id,
        trial=problem.trial,
    )
