"""JSON text, exactly: what is refused beyond msgspec's own parsing, and where a text goes wrong."""

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from math import isinf
from typing import Any

import msgspec

from .errors import DecodeError

__all__ = [
    "MAX_DEPTH",
    "Number",
    "as_bytes",
    "explain",
    "json_lines",
    "parse",
    "pointer_step",
    "refuse_depth",
    "refuse_repeated_names",
    "shortened",
]

MAX_DEPTH = 256
_SHORT = 60

_BOM = b"\xef\xbb\xbf"
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_CONSTANTS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|(?P<constant>NaN|-?Infinity)')
_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\."
)


class Number(float):
    """A number with a fraction or an exponent, and the text that it was written as."""

    __slots__ = ("text",)

    def __new__(cls, text: str) -> "Number":  # noqa: PYI034 - Self is of Python 3.11
        """Read the number.

        Raises:
            DecodeError: It has no finite double.
        """
        self = super().__new__(cls, text)
        if isinf(self):
            raise DecodeError(f"the number {shortened(text)} has no finite double")
        self.text = text
        return self

    text: str

    def integer(self) -> int | None:
        """The integer that was written, such as 1.0 or 1e2; None where it is none."""
        try:
            exact = Decimal(self.text)
        except InvalidOperation:  # an exponent beyond Decimal's, so 0 or next to it
            digits = self.text.lower().partition("e")[0]
            return None if digits.strip("-0.") else 0
        return int(exact) if exact == exact.to_integral_value() else None


_UNTYPED = msgspec.json.Decoder(float_hook=Number)


def as_bytes(data: bytes | bytearray | memoryview | str) -> bytes:
    """The text as UTF-8.

    Raises:
        DecodeError: A str that holds a lone surrogate.
        TypeError: Neither bytes nor str.
    """
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError as error:
            raise _error_at("a lone surrogate is not text", data, error.start) from None
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"found {type(data).__name__}, expected bytes or str")
    return bytes(data)


def json_lines(file: Iterable[bytes], first: int = 1) -> Iterator[tuple[int, bytes]]:
    """The lines of JSON Lines with their numbers, from 1 unless ``first`` tells otherwise.

    Lines end at LF alone; a CR before it is white space to JSON. A byte order mark at the start is
    skipped.

    Raises:
        TypeError: The lines are not bytes, such as those of a file open in text mode.
    """
    for number, line in enumerate(file, first):
        if not isinstance(line, bytes):
            raise TypeError(f"found {type(line).__name__}, expected lines of bytes")
        yield number, (line.removeprefix(_BOM) if number == 1 else line).rstrip(b"\r\n")


def parse(text: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Any JSON value, its numbers with a fraction or an exponent as Number.

    Raises:
        DecodeError: The text is not JSON, is nested beyond MAX_DEPTH, or holds a number that has
            no finite double.
    """
    try:
        value = _UNTYPED.decode(text)
    except msgspec.ValidationError:
        raise DecodeError("an integer has more digits than can be read") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise explain(text) from None
    refuse_depth(text)
    return value


def refuse_depth(text: bytes) -> None:
    """Refuse a valid text that is nested beyond MAX_DEPTH.

    Raises:
        DecodeError: It is.
    """
    # A level takes two brackets of the text.
    if len(text) < 2 * MAX_DEPTH or text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return
    outside = b"".join(_without_escapes(text).split(b'"')[::2])
    brackets = outside.translate(_BRACKETS, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return
    raise DecodeError(f"nested deeper than {MAX_DEPTH} levels")


def refuse_repeated_names(text: bytes, document: object) -> None:
    """Refuse a valid text that gives a member name twice in one object.

    Args:
        text: The text, or many texts one after another.
        document: What it was decoded to, every repetition dropped; of many texts a list.

    Raises:
        DecodeError: With the name and the pointer; of many texts without them.
    """
    # A dropped member takes the two quotes of its name with it.
    written = msgspec.json.encode(document, enc_hook=float)
    if _without_escapes(text).count(b'"') != _without_escapes(written).count(b'"'):
        raise _find_repeated_name(text)


def explain(text: bytes) -> DecodeError:
    """Why a text that was refused is not JSON, and where."""
    if text.startswith(_BOM):
        return DecodeError("a byte order mark is not JSON", line=1, column=1)
    try:
        characters = text.decode()
    except UnicodeDecodeError as error:
        before = text[: error.start].decode()
        return _error_at("not UTF-8", before, len(before))
    for match in _CONSTANTS.finditer(characters):
        if match["constant"]:
            return _error_at(f"{match['constant']} is not JSON", characters, match.start())
    return _explain_syntax(characters)


def _explain_syntax(characters: str) -> DecodeError:
    if not characters.strip():
        return DecodeError("not JSON: the text is empty", line=1, column=1)
    try:
        json.loads(characters, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        return DecodeError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno)
    except RecursionError:
        return DecodeError(f"nested deeper than {MAX_DEPTH} levels")
    return _explain_surrogate(characters)


def shortened(text: str) -> str:
    """A text of any length, short enough for a line of an error."""
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."


def pointer_step(name: str | int) -> str:
    """One step of a JSON Pointer."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def _error_at(reason: str, text: str, at: int) -> DecodeError:
    before = text[:at]
    return DecodeError(reason, line=before.count("\n") + 1, column=at - before.rfind("\n"))


def _without_escapes(text: bytes) -> bytes:
    """The text with no quote left but those that begin and end strings."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return text


class _Pairs(list[tuple[str, Any]]):
    """The members of an object as they stand, repeated ones too."""


def _find_repeated_name(text: bytes) -> DecodeError:
    try:
        root = json.loads(text, object_pairs_hook=_Pairs, parse_int=str, parse_float=str)
    except json.JSONDecodeError:  # many texts
        root = None
    waiting = [("", root)]
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, _Pairs):
            seen = set()
            for name, _ in value:
                if name in seen:
                    reason = f"the member name {json.dumps(name)} is given twice"
                    return DecodeError(reason, pointer=pointer + pointer_step(name))
                seen.add(name)
            waiting += [(pointer + pointer_step(name), child) for name, child in value]
        elif isinstance(value, list):
            waiting += [(pointer + pointer_step(at), child) for at, child in enumerate(value)]
    return DecodeError("a member name is given twice")


def _explain_surrogate(characters: str) -> DecodeError:
    for match in _ESCAPES.finditer(characters):
        if match["lone"]:
            reason = "the escape of a lone surrogate is not text"
            return _error_at(reason, characters, match.start())
    return DecodeError("not JSON")
