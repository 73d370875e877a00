"""The command: its parts, and the one place that writes results and makes exit codes."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TextIO

import click

from openwop_evals import __version__

from .conformance import conformance
from .files import remove, write_whole
from .gate import gate
from .grade import grade
from .outcome import InputError, Outcome
from .report import line_of, printable
from .reporters import write_report
from .schema import schema
from .validate import validate
from .verify import verify

__all__ = ["run"]

_NAME = "openwop-evals"


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=_NAME)
def _command() -> None:
    """Grade OpenWOP agent evals by the gate of RFC 0246.

    A trial whose tool path was wrong keeps its score and counts 0 in every decision.

    Exit codes: 0 yes, 1 no, 2 could not decide (bad input, bad usage, a fault), 130 interrupted.
    """


for _part in (grade, verify, gate, validate, conformance, schema):
    _command.add_command(_part)


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        The exit code: 0 and 1 come only from a decision.
    """
    has_stdout = sys.stdout is not None
    _open_streams()
    try:
        outcome = _command.main(list(arguments), prog_name=_NAME, standalone_mode=False)
        if not has_stdout:
            raise OSError("stdout is closed")
        code = _deliver(outcome) if isinstance(outcome, Outcome) else 0  # 0: help or version
        sys.stdout.flush()
        sys.stderr.flush()
    except (KeyboardInterrupt, click.Abort):
        return 130
    except SystemExit:  # click's own answer to a closed pipe
        code = 2
    except Exception as error:  # noqa: BLE001 - whatever it is, 1 must mean a decision
        code = 2
        with suppress(OSError):
            sys.stderr.writelines(f"{_NAME}: {printable(line)}\n" for line in _why(error))
    _abandon_broken_streams()
    return code


def _why(error: Exception) -> Iterator[str]:
    """What made a decision impossible, a line each."""
    if isinstance(error, InputError):
        yield from map(line_of, error.notes)
        return
    if isinstance(error, click.UsageError):
        text = error.format_message().rstrip(".")
        text = f"{text}; see {error.ctx.command_path} --help" if error.ctx else text
    elif isinstance(error, OSError):
        text = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    else:
        text = f"unexpected {type(error).__name__}: {error}".rstrip(": ")
    yield " ".join(text.split())


def _deliver(outcome: Outcome) -> int:
    """Write the reports and the result; the report's answer is the exit code."""
    report = outcome.report
    targets = () if report is None else outcome.targets
    files = [target for target in targets if target.file is not None]
    try:
        if report is not None:
            for target in files:
                text = io.StringIO()
                write_report(report, target.format, text)
                write_whole(target.file or "", text.getvalue().encode())
        if outcome.result is not None and outcome.output is None:
            sys.stdout.buffer.write(outcome.result)
        elif outcome.result is not None:
            write_whole(outcome.output or "", outcome.result)
        stream = sys.stdout if outcome.report_to == "stdout" else sys.stderr
        if report is not None:
            for target in targets:
                if target.file is None:
                    write_report(report, target.format, stream)
        stream.flush()
        sys.stdout.flush()
    except OSError:
        remove(target.file for target in files)  # what says an answer beside exit 2 would lie
        raise
    if outcome.undecided:
        return 2
    return 0 if report is None or report.ok else 1


def _open_streams() -> None:
    """Write UTF-8 whatever the locale, and to nowhere where a stream is closed."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _abandon_broken_streams() -> None:
    """Keep the interpreter from flushing to a closed pipe or a full disk when it ends."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, ValueError):
            setattr(sys, name, _nowhere())


def _nowhere() -> TextIO:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
