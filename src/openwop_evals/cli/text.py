"""The text report: a rich table on a terminal, plain lines anywhere else."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from .report import Fact, Note, Report, TaskRow, TrialCell

__all__ = ["printable", "write_text"]

_HEADER = ("task", "score", "gated", "verdict", "trials")


def printable(text: str) -> str:
    """The text in one line, with nothing in it that a terminal or a log would obey."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


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
    if report.notes:
        stream.write("\n")
        stream.writelines(f"{printable(_note(note))}\n" for note in report.notes)
    if report.facts:
        stream.write("\n")
        stream.writelines(_aligned([_fact(fact) for fact in report.facts]))


def _cells(row: TaskRow) -> tuple[str, ...]:
    gated = "" if row.gated_score is None else repr(row.gated_score)
    verdict = "passed" if row.passed else "failed"
    return (row.task_id, repr(row.score), gated, verdict, " ".join(map(_trial, row.trials)))


def _trial(cell: TrialCell) -> str:
    if cell.state != "measured":
        return cell.state.replace(" ", "-")
    shown = f"{cell.score:g}" if cell.score == float(f"{cell.score:g}") else repr(cell.score)
    return shown if cell.gating_score == cell.score else f"{shown}>{cell.gating_score:g}"


def _fact(fact: Fact) -> tuple[str, ...]:
    value = "unknown" if fact.value is None else str(fact.value)
    return (fact.name, value, fact.remark or "")


def _note(note: Note) -> str:
    place = f"{note.place}: " if note.place else ""
    return f"{note.level}: {place}{note.message}"


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
