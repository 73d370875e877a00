"""``validate``: suites, summaries and trial logs against their schemas, by jsonschema."""

from collections.abc import Iterable, Iterator
from io import BytesIO

import click

from openwop_evals._json import json_lines, parse
from openwop_evals.codec import validate as violations_of
from openwop_evals.errors import DecodeError
from openwop_evals.models import Kind

from .files import read_input, shown_name
from .inputs import decode_note, violation_notes
from .outcome import InputError, Outcome
from .report import Fact, Note, Report
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
    notes: list[Note] = []
    invalid = 0
    for file in files:
        found = list(_check(file, None if kind is None else _KINDS[kind]))
        invalid += bool(found)
        notes += found
    names = files[0] if len(files) == 1 else f"{len(files)} files"
    report = Report(
        command="validate",
        subject=shown_name(names),
        verdict="not valid" if invalid else "valid",
        ok=not invalid,
        facts=(Fact(name="valid", value=f"{len(files) - invalid} of {len(files)} files"),),
        notes=tuple(notes),
    )
    return Outcome(report=report, targets=reports)


def _check(file: str, kind: Kind | None) -> Iterator[Note]:
    text = read_input(file)
    name = shown_name(file)
    if kind is None:
        kind = _kind_of(text, name)
    if kind == "trial":
        yield from _check_log(BytesIO(text), name)
        return
    try:
        yield from violation_notes(violations_of(kind, text), text, name)
    except DecodeError as error:
        yield decode_note(error, text, name)


def _check_log(lines: Iterable[bytes], name: str) -> Iterator[Note]:
    number = 0
    try:
        for number, text in json_lines(lines):
            try:
                yield from violation_notes(violations_of("trial", text), text, name, number)
            except DecodeError as error:
                yield decode_note(error, text, name, number)
    except DecodeError as error:
        yield decode_note(error, b"", name)
    if not number:
        yield Note(level="error", code="json", message="the log holds no record", file=name)


def _kind_of(text: bytes, name: str) -> Kind:
    """The kind of the document, or that of the first line where the whole is no JSON value."""
    for part in (text, text.split(b"\n", 1)[0].removeprefix(b"\xef\xbb\xbf")):
        try:
            value = parse(part)
        except DecodeError:
            continue
        members = value.keys() if isinstance(value, dict) else set()
        for kind, names in _MEMBERS.items():
            if names & members:
                return kind
        break
    raise InputError(
        [
            Note(
                level="error",
                code="kind",
                message="the members do not tell what this is; give --kind",
                file=name,
            )
        ]
    )
