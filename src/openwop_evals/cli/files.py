"""Reading and writing files, whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["open_input", "read_input", "shown_name", "write_whole"]


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


def write_whole(path: str, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # a pipe or a device
        target.write_bytes(data)
        return
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with aside.open("xb") as file:
            file.write(data)
        aside.replace(target)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
