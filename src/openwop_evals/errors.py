"""The errors of this package: data first, text built last. The wording is not API."""

from collections.abc import Sequence
from typing import Any

import msgspec

__all__ = [
    "DecodeError",
    "EvalsError",
    "GradingError",
    "Problem",
    "ValidationError",
    "Violation",
]


class EvalsError(Exception):
    """Base of every error that this package raises on purpose."""


class DecodeError(EvalsError):
    """The bytes are not one JSON text (RFC 8259, UTF-8) with each member name given once.

    Attributes:
        reason: What is wrong.
        line: Line of the text, from 1, where it is known.
        column: Character in that line, from 1, where it is known.
        pointer: JSON Pointer to the value concerned, where it is known.
    """

    def __init__(
        self,
        reason: str,
        *,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.pointer = pointer

    def __str__(self) -> str:
        """The place, then the reason."""
        pointer = "the root" if self.pointer == "" else self.pointer
        return f"{_place(line=self.line, column=self.column, at=pointer)}{self.reason}"


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a JSON value breaks its schema.

    Attributes:
        pointer: JSON Pointer to the value; empty for the whole document.
        rule: The keyword of the schema that is broken, such as ``maximum``.
        value: The value found.
        message: Both in words, the value shortened.
    """

    pointer: str
    rule: str
    value: Any
    message: str

    def __str__(self) -> str:
        """The place, then the message."""
        return f"at {self.pointer or 'the root'}: {self.message}"


class ValidationError(EvalsError):
    """JSON, or a value built by hand, that breaks its schema.

    Attributes:
        violations: Every broken place; never empty.
        line: Line of the trial log, from 1, where the value came from one.
        task_id: Its task, where it came from a trial log and names one.
        trial: Its trial, where it came from a trial log and names one.
    """

    def __init__(
        self,
        violations: Sequence[Violation],
        *,
        line: int | None = None,
        task_id: str | None = None,
        trial: int | None = None,
    ) -> None:
        super().__init__(violations)
        self.violations = tuple(violations)
        self.line = line
        self.task_id = task_id
        self.trial = trial

    def __str__(self) -> str:
        """One line a violation."""
        place = _place(line=self.line, task=self.task_id, trial=self.trial)
        return "\n".join(f"{place}{violation}" for violation in self.violations)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One reason why a suite and its trials cannot be graded.

    Attributes:
        reason: What was found and what was expected.
        task_id: The task concerned, if one is.
        trial: The trial concerned, from 0, if one is.
        position: Position in the iterable of trials, from 0, if one record is concerned.
        pointer: JSON Pointer into the suite or the record, if one member is concerned.
        first_position: Position of the record that was there first, of a repeated trial.
    """

    reason: str
    task_id: str | None = None
    trial: int | None = None
    position: int | None = None
    pointer: str | None = None
    first_position: int | None = None

    def __str__(self) -> str:
        """The place, then the reason; records are counted from 0."""
        first = "" if self.first_position is None else f", first as record {self.first_position}"
        place = _place(record=self.position, task=self.task_id, trial=self.trial, at=self.pointer)
        return f"{place}{self.reason}{first}"


class GradingError(EvalsError):
    """A suite and its trials that cannot be graded.

    Attributes:
        problems: Every offender; never empty.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        """One line a problem."""
        return "\n".join(map(str, self.problems))


def _place(**parts: str | int | None) -> str:
    """The parts that are known, each by its name, to stand before a reason."""
    known = [f"{name} {value}" for name, value in parts.items() if value is not None]
    return f"{', '.join(known)}: " if known else ""
