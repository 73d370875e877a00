"""What a command comes to: a report, and the result that goes to stdout or a file."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from openwop_evals.models import Report, ReportNote

from .reporters import ReportTarget

__all__ = ["InputError", "Outcome"]


class Outcome(Struct, frozen=True, kw_only=True):
    """What a command comes to.

    Attributes:
        report: What it found; None for a command that only prints.
        targets: The formats and files of the report.
        report_to: Where a report without a file goes: stderr where stdout holds a result.
        result: What goes to stdout, or to the output file.
        output: The output file.
        undecided: The report says why there is no answer: exit 2.
    """

    report: Report | None = None
    targets: tuple[ReportTarget, ...] = ()
    report_to: Literal["stdout", "stderr"] = "stdout"
    result: bytes | None = None
    output: str | None = None
    undecided: bool = False


class InputError(Exception):
    """Input that no decision can rest on: exit 2.

    Attributes:
        notes: One for each offender, with its place.
    """

    def __init__(self, notes: Sequence[ReportNote]) -> None:
        super().__init__(notes)
        self.notes = tuple(notes)
