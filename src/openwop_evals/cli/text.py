"""The text report: a rich table on a terminal, plain lines anywhere else."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from msgspec import UNSET

from openwop_evals.models import Report, ReportFact, ReportTask, ReportTrial

from .report import line_of, printable

__all__ = ["shown_trials", "write_text"]

_HEADER = ("task", "score", "gated", "verdict", "trials")


def write_text(report: Report, stream: TextIO) -> None:
    """Print a report for a person. Numbers are never rounded, so none looks like its bar."""
    stream.write(f"{printable(report.subject)}: {report.verdict}\n")
    if report.tasks:
        stream.write("\n")
        rows = [_cells(row) for row in report.tasks]
        if stream.isatty():
            _write_table(rows, stream)
        else:
            stream.writelines(_aligned([_HEADER, *rows]))
    if report.legs:
        stream.write("\n")
        stream.writelines(
            _aligned([(leg.disposition, leg.requirement, leg.reason) for leg in report.legs])
        )
    if report.notes:
        stream.write("\n")
        stream.writelines(f"{note.level}: {line_of(note)}\n" for note in report.notes)
    if report.facts:
        stream.write("\n")
        stream.writelines(_aligned([_fact(fact) for fact in report.facts]))


def _cells(row: ReportTask) -> tuple[str, ...]:
    gated = "" if row.gated_score is UNSET else repr(row.gated_score)
    verdict = "passed" if row.passed else "failed"
    return (row.task_id, repr(row.score), gated, verdict, shown_trials(row))


def shown_trials(row: ReportTask) -> str:
    """What each trial scored, and what it counts where that is another number."""
    return " ".join(map(_trial, row.trials))


def _trial(cell: ReportTrial) -> str:
    if cell.state != "measured":
        return cell.state
    shown = f"{cell.score:g}" if cell.score == float(f"{cell.score:g}") else repr(cell.score)
    return shown if cell.gating_score == cell.score else f"{shown}>{cell.gating_score:g}"


def _fact(fact: ReportFact) -> tuple[str, ...]:
    value = "unknown" if fact.value is None else str(fact.value)
    return (fact.name, value, "" if fact.remark is UNSET else fact.remark)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[-1] = 0  # the last column needs none, and may be long
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip() + "\n"


def _write_table(rows: Sequence[Sequence[str]], stream: TextIO) -> None:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table()
    for heading, column in zip(_HEADER, zip(*rows, strict=True), strict=True):
        # The name may be folded, a score never, so none looks like its bar.
        words = [] if heading == "task" else [word for cell in column for word in cell.split()]
        table.add_column(heading, overflow="fold", min_width=max(map(len, words), default=None))
    for row in rows:
        styles = (
            "green" if cell == "passed" else "red" if cell == "failed" else "" for cell in row
        )
        table.add_row(*map(Text, row, styles))
    Console(file=stream).print(table)
