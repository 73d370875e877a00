"""The github report: annotations in the log, and the job summary."""

import os
from pathlib import Path
from typing import TextIO

from msgspec import UNSET

from openwop_evals.models import Report, ReportNote

from .markdown import write_markdown
from .report import line_of, printable

__all__ = ["write_github"]

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def write_github(report: Report, stream: TextIO) -> None:
    """Print workflow commands, errors first; the markdown goes to GITHUB_STEP_SUMMARY if set."""
    for level, command in _LEVELS.items():
        for found in report.notes:
            if found.level == level:
                stream.write(_annotation(command, found))
    level = "notice" if report.ok else "error"
    stream.write(
        f"::{level}::{_data(printable(f'{report.command}: {report.subject}: {report.verdict}'))}\n"
    )
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            write_markdown(report, file)


def _annotation(command: str, found: ReportNote) -> str:
    members = {"file": found.file, "line": found.line, "col": found.column, "title": found.code}
    properties = ",".join(
        f"{name}={_property(str(value))}" for name, value in members.items() if value is not UNSET
    )
    return f"::{command} {properties}::{_data(line_of(found))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
