"""Reading and writing files, whole or not at all."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import click

__all__ = ["open_input", "read_input", "refuse_repeated_stdin", "shown_name", "write_whole"]


def shown_name(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == "-" else path


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file, or stdin for ``-``, as bytes."""
    if path == "-":
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


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    target = Path(os.path.realpath(path))
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device
            target.write_bytes(data)
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
