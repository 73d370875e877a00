"""``validate``: suites, summaries and trial logs against their schemas, by jsonschema."""

from collections.abc import Iterable, Iterator
from io import BytesIO

import click

from openwop_evals._json import json_lines, parse
from openwop_evals.codec import validate as violations_of
from openwop_evals.errors import DecodeError
from openwop_evals.models import Kind, Report, ReportFact, ReportNote

from .files import prepare_reports, read_input, refuse_repeated_stdin, shown_name
from .inputs import decode_note, violation_notes
from .outcome import InputError, Outcome
from .report import REPORT_VERSION, note, printable
from .reporters import ReportTarget, report_option

__all__ = ["validate"]

_KINDS: dict[str, Kind] = {"suite": "suite", "summary": "summary", "trials": "trial"}
_MEMBERS: dict[Kind, set[str]] = {
    "suite": {"version", "modes", "thresholds"},
    "summary": {"suiteVersion", "aggregateScore", "passed"},
    "trial": {"taskId"},
}


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--kind",
    type=click.Choice(list(_KINDS)),
    help="What the files are; by default each file's members tell.",
)
@report_option
def validate(
    *, files: tuple[str, ...], kind: str | None, reports: tuple[ReportTarget, ...]
) -> Outcome:
    """Validate suites, summaries and trial logs (JSON Lines) against their schemas.

    Exits 0 when every FILE is valid, 1 when one is not, 2 when one could not be read.
    """
    refuse_repeated_stdin(*files)
    prepare_reports(files, [target.file for target in reports])
    notes: list[ReportNote] = []
    invalid = 0
    for file in files:
        found = list(_check(file, None if kind is None else _KINDS[kind]))
        invalid += bool(found)
        notes += found
    names = files[0] if len(files) == 1 else f"{len(files)} files"
    report = Report(
        version=REPORT_VERSION,
        command="validate",
        subject=printable(shown_name(names)),
        verdict="not valid" if invalid else "valid",
        ok=not invalid,
        facts=(ReportFact(name="valid", value=f"{len(files) - invalid} of {len(files)} files"),),
        tasks=(),
        notes=tuple(notes),
    )
    return Outcome(report=report, targets=reports)


def _check(file: str, kind: Kind | None) -> Iterator[ReportNote]:
    text = read_input(file)
    name = shown_name(file)
    try:
        if kind is None:
            kind = _kind_of(text, name)
        if kind == "trial":
            yield from _check_log(BytesIO(text), name)
        else:
            yield from violation_notes(violations_of(kind, text), text, name)
    except DecodeError as error:
        yield decode_note(error, text, name)


def _check_log(lines: Iterable[bytes], name: str) -> Iterator[ReportNote]:
    number = 0
    for number, text in json_lines(lines):
        try:
            yield from violation_notes(violations_of("trial", text), text, name, number)
        except DecodeError as error:
            yield decode_note(error, text, name, number)
    if not number:
        yield note("error", code="json", message="the log holds no record", file=name)


def _kind_of(text: bytes, name: str) -> Kind:
    """The kind of a document, or that of a log's first line.

    Raises:
        DecodeError: Neither the whole nor the first line is JSON.
        InputError: The members do not tell.
    """
    try:
        value = parse(text)
    except DecodeError as error:
        first_line = text.split(b"\n", 1)[0].removeprefix(b"\xef\xbb\xbf")
        try:
            value = parse(first_line)
        except DecodeError:
            raise error from None
        if isinstance(value, dict) and "taskId" in value:
            return "trial"
        raise
    members = value.keys() if isinstance(value, dict) else set()
    for kind, names in _MEMBERS.items():
        if names & members:
            return kind
    message = "the members do not tell what this is; give --kind"
    raise InputError([note("error", code="kind", message=message, file=name)])
