"""The formats of a report, and the option that names them."""

from collections.abc import Callable
from typing import Any, TextIO

import click
import msgspec

from openwop_evals.models import Report

from .github import write_github
from .junit import write_junit
from .markdown import write_markdown
from .text import write_text

__all__ = ["ReportTarget", "report_option", "write_report"]


class ReportTarget(msgspec.Struct, frozen=True):
    """One ``--report FORMAT[=FILE]``."""

    format: str
    file: str | None = None


def write_report(report: Report, format_: str, stream: TextIO) -> None:
    """Print a report in one of the formats."""
    _FORMATS[format_](report, stream)


def _write_json(report: Report, stream: TextIO) -> None:
    text = msgspec.json.format(msgspec.json.encode(report), indent=2)
    stream.write(text.decode() + "\n")


_FORMATS: dict[str, Callable[[Report, TextIO], None]] = {
    "text": write_text,
    "json": _write_json,
    "github": write_github,
    "markdown": write_markdown,
    "junit": write_junit,
}


class _TargetType(click.ParamType[ReportTarget]):
    name = "FORMAT[=FILE]"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> ReportTarget:
        format_, equals, file = value.partition("=")
        if format_ not in _FORMATS:
            self.fail(f"found {format_!r}, expected one of {', '.join(_FORMATS)}", param, ctx)
        if equals and not file:
            self.fail("a file is expected after =", param, ctx)
        return ReportTarget(format_, file or None)


def report_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--report`` to a command."""
    return click.option(
        "--report",
        "reports",
        type=_TargetType(),
        multiple=True,
        default=["text"],
        metavar="FORMAT[=FILE]",
        help=f"Report as {', '.join(_FORMATS)}; to FILE if given; repeatable.",
    )(command)
