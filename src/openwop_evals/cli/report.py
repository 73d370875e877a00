"""What reporters share: a note's place, and text that nothing obeys."""

from typing import Any, Literal

from msgspec import UNSET

from openwop_evals.models import ReportNote

__all__ = ["REPORT_VERSION", "line_of", "note", "place_of", "printable"]

REPORT_VERSION = 1


def note(
    level: Literal["error", "warning", "note"],
    code: str,
    message: str,
    **where: Any,  # noqa: ANN401 - a member's own type
) -> ReportNote:
    """One thing that was found; what is None of its place is not known."""
    known = {name: value for name, value in where.items() if value is not None}
    if "file" in known:
        known["file"] = printable(known["file"])
    return ReportNote(level=level, code=code, message=printable(message), **known)


def place_of(found: ReportNote) -> str:
    """The file, line and column, the task and the trial, as far as each is known."""
    file = [str(part) for part in (found.file, found.line, found.column) if part is not UNSET]
    inside = [
        f"{name} {value}"
        for name, value in (("task", found.task_id), ("trial", found.trial))
        if value is not UNSET
    ]
    return ": ".join(filter(None, (":".join(file), ", ".join(inside))))


def line_of(found: ReportNote) -> str:
    """The place and the message, in one printable line."""
    return printable(": ".join(filter(None, (place_of(found), found.message))))


def printable(text: str) -> str:
    """The text in one line, with nothing in it that a terminal or a log would obey."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
