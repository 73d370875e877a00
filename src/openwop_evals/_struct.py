"""The base class of the generated types, and the checks that they call when decoded."""

import re
from collections.abc import Sequence

import msgspec

__all__ = ["Closed", "check_ids", "check_unique", "ids_pattern"]

_CHUNK = 4096


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """An object of a schema: immutable, camelCase on the wire, closed to unknown members."""


def ids_pattern(pattern: str) -> re.Pattern[str]:
    r"""Compile the pattern of one id, ``^body$``, into that of many, each ended by a newline.

    The body must not match a newline; the generator sees to that.
    """
    return re.compile(f"(?:{pattern[1:-1]}\n)*")


def check_ids(name: str, pattern: re.Pattern[str], ids: list[str]) -> None:
    """Check every id of an array in a few matches instead of one an id.

    Raises:
        ValueError: An id does not meet the pattern. msgspec makes it a ValidationError.
    """
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK]
        text = "\n".join(chunk) + "\n"
        if text.count("\n") != len(chunk) or not pattern.fullmatch(text):
            raise ValueError(f"an id in {name} does not match its pattern")


def check_unique(name: str, items: Sequence[str]) -> None:
    """Check that no item of an array stands twice.

    Raises:
        ValueError: An item is repeated. msgspec makes it a ValidationError.
    """
    if len(set(items)) != len(items):
        raise ValueError(f"an item of {name} is repeated")
