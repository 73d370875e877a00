"""The markdown report: tables for a pull request or a job summary."""

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from msgspec import UNSET

from openwop_evals.models import Report

from .report import line_of, printable
from .text import shown_trials

__all__ = ["write_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def write_markdown(report: Report, stream: TextIO) -> None:
    """Print a report as GitHub-flavoured Markdown."""
    stream.write(f"### {_escaped(f'{report.command}: {report.subject}: {report.verdict}')}\n\n")
    facts = [
        (fact.name, "unknown" if fact.value is None else str(fact.value), fact.remark or "")
        for fact in report.facts
    ]
    if facts:
        stream.writelines(_table(("value", "", ""), facts))
    if report.notes:
        stream.writelines(
            f"- **{found.level}** {_escaped(line_of(found))}\n" for found in report.notes
        )
        stream.write("\n")
    if report.legs:
        legs = [(leg.disposition, leg.requirement, leg.reason) for leg in report.legs]
        stream.writelines(_table(("leg", "requirement", "reason"), legs))
    if report.tasks:
        rows = [
            (
                task.task_id,
                repr(task.score),
                "" if task.gated_score is UNSET else repr(task.gated_score),
                "passed" if task.passed else "failed",
                shown_trials(task),
            )
            for task in report.tasks
        ]
        stream.writelines(_table(("task", "score", "gated", "verdict", "trials"), rows))


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |\n"
    yield f"|{'---|' * len(header)}\n"
    for row in rows:
        yield f"| {' | '.join(_escaped(str(cell)) for cell in row)} |\n"
    yield "\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text)).replace("@", "&#64;")
