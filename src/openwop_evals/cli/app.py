"""The command: its parts, and the one place that writes results and makes exit codes."""

import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from openwop_evals import __version__

from .files import write_whole
from .grade import grade
from .outcome import InputError, Outcome
from .reporters import write_report
from .schema import schema
from .validate import validate

__all__ = ["run"]

_NAME = "openwop-evals"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=_NAME)
def _command() -> None:
    """Grade OpenWOP agent evals by the gate of RFC 0246.

    A trial whose tool path was wrong keeps its score and counts 0 in every decision.

    Exit codes: 0 yes, 1 no, 2 could not decide (bad input, bad usage, a fault), 130 interrupted.
    """


for _part in (grade, validate, schema):
    _command.add_command(_part)


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        The exit code: 0 and 1 come only from a decision.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        outcome = _command.main(list(arguments), prog_name=_NAME, standalone_mode=False)
        code = _deliver(outcome) if isinstance(outcome, Outcome) else 0  # 0: help or version
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        return 130
    except Exception as error:  # noqa: BLE001 - whatever it is, 1 must mean a decision
        for line in _why(error):
            sys.stderr.write(f"{_NAME}: {line}\n")
        if isinstance(error, BrokenPipeError):
            _abandon_stdout()
        return 2
    return code


def _why(error: Exception) -> Iterator[str]:
    """What made a decision impossible, a line each."""
    if isinstance(error, InputError):
        for note in error.notes:
            yield f"{note.place}: {note.message}" if note.place else note.message
    elif isinstance(error, click.UsageError):
        text = error.format_message().rstrip(".")
        yield f"{text}; see {error.ctx.command_path} --help" if error.ctx else text
    elif isinstance(error, OSError):
        yield f"{error.filename}: {error.strerror}" if error.filename else str(error)
    else:
        yield f"unexpected {type(error).__name__}: {error}"


def _deliver(outcome: Outcome) -> int:
    """Write the result and the reports; the report's answer is the exit code."""
    if outcome.result is not None:
        if outcome.output is None:
            sys.stdout.buffer.write(outcome.result)
        else:
            write_whole(outcome.output, outcome.result)
    if outcome.report is None:
        return 0
    for target in outcome.targets:
        if target.file is None:
            stream = sys.stdout if outcome.report_to == "stdout" else sys.stderr
            write_report(outcome.report, target.format, stream)
        else:
            text = io.StringIO()
            write_report(outcome.report, target.format, text)
            write_whole(target.file, text.getvalue().encode())
    return 0 if outcome.report.ok else 1


def _abandon_stdout() -> None:
    """Keep the interpreter from flushing to the closed pipe when it ends."""
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open to the end
