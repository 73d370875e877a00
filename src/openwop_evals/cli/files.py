"""Reading and writing files, whole or not at all."""

import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import click

__all__ = [
    "open_input",
    "prepare_reports",
    "read_input",
    "refuse_repeated_stdin",
    "remove",
    "shown_name",
    "write_whole",
]

_OPEN_FILE = re.compile(r"/dev/(?:std(?:in|out|err)$|fd/)|/proc/[^/]+/fd/")


def shown_name(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == "-" else path


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file, or stdin for ``-``, as bytes."""
    if path == "-":
        if sys.stdin is None:
            raise OSError("stdin is closed")
        yield sys.stdin.buffer
    else:
        with Path(path).open("rb") as file:
            yield file


def read_input(path: str) -> bytes:
    """All bytes of a file, or of stdin for ``-``."""
    with open_input(path) as file:
        return file.read()


def refuse_repeated_stdin(*paths: str | None) -> None:
    """Refuse to read stdin twice."""
    if paths.count("-") > 1:
        raise click.UsageError("only one input can be stdin")


def _refuse_shared_outputs(
    inputs: Sequence[str | None], outputs: Sequence[str | None], folders: Sequence[str] = ()
) -> None:
    """Refuse to write two results to one file, or a result over an input or among the inputs."""
    taken = {os.path.realpath(path) for path in inputs if path not in {None, "-"}}
    inside = [Path(os.path.realpath(folder)) for folder in folders]
    for path in outputs:
        if path is None or _is_stream(path):
            continue
        target = os.path.realpath(path)
        if target in taken or any(folder in Path(target).parents for folder in inside):
            raise click.UsageError(f"{path} is an input, among the inputs, or another output")
        taken.add(target)


def prepare_reports(
    inputs: Sequence[str | None],
    reports: Sequence[str | None],
    *,
    output: str | None = None,
    folders: Sequence[str] = (),
) -> None:
    """Refuse outputs that collide, and remove the reports of an earlier answer."""
    _refuse_shared_outputs(inputs, (output, *reports), folders)
    remove(reports)


def remove(paths: Iterable[str | None]) -> None:
    """Remove the files of an answer that no longer holds."""
    for path in paths:
        if path is not None and not _is_stream(path):
            with suppress(OSError):
                Path(path).unlink()


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    target = Path(os.path.realpath(path))
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        if _is_stream(path):
            with Path(path).open("ab") as stream:
                stream.write(data)
            return
        with aside.open("xb") as file:
            file.write(data)
        if target.exists():
            aside.chmod(target.stat().st_mode)
        aside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        with suppress(OSError):
            aside.unlink()


def _is_stream(path: str) -> bool:
    """Whether a path is a pipe, a device or an open file's, which has no name to replace."""
    given = Path(path)
    return _OPEN_FILE.match(path) is not None or (given.exists() and not given.is_file())
