"""Values built by hand: proof that what is written gives back what was meant."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from ._contract import why_refused
from ._equality import first_difference
from ._json import parse, refuse_depth
from .errors import DecodeError, ValidationError, Violation
from .models import DOCUMENTS, Document, Kind, TrialRecord

__all__ = ["Decoded", "decoder_of", "kind_of", "require", "written"]

_ENCODER = msgspec.json.Encoder()
_KINDS: dict[type, Kind] = {entry.type: kind for kind, entry in DOCUMENTS.items()}


class Decoded(Iterator[TrialRecord]):
    """Records straight from decoding, which need no second check."""

    def __init__(self, records: Iterator[TrialRecord]) -> None:
        """Take the records of a decoder."""
        self._records = records

    def __iter__(self) -> Iterator[TrialRecord]:  # noqa: PYI034 - it saves a call for each
        """The records themselves."""
        return self._records

    def __next__(self) -> TrialRecord:
        """The next record."""
        return next(self._records)


@cache
def decoder_of(kind: Kind) -> msgspec.json.Decoder[Any]:
    """The decoder of a kind of document, made when it is first asked for."""
    return msgspec.json.Decoder(DOCUMENTS[kind].type)


def kind_of(document: object) -> Kind:
    """The kind of a document.

    Raises:
        TypeError: It is no document.
    """
    kind = _KINDS.get(type(document))
    if kind is None:
        expected = ", ".join(type_.__name__ for type_ in _KINDS)
        raise TypeError(f"found {type(document).__name__}, expected one of {expected}")
    return kind


def require(document: object, kind: Kind) -> None:
    """Refuse a value built by hand that is no document of a kind.

    Raises:
        TypeError: It is of another type.
        ValidationError: It is outside its schema.
    """
    expected = DOCUMENTS[kind].type
    if type(document) is not expected:
        raise TypeError(f"found {type(document).__name__}, expected {expected.__name__}")
    _proved(kind, document)


def written(kind: Kind, document: Document) -> bytes:
    """The JSON text of a document, once decoding it has given back an equal one.

    Constructors check nothing: here a NaN, which is written as null, a score out of range or a
    member of the wrong type is found.

    Raises:
        ValidationError: The document is outside its schema.
    """
    text = _proved(kind, document)
    if DOCUMENTS[kind].nests:
        try:
            refuse_depth(text)
        except DecodeError as error:
            raise ValidationError([_not_json("", str(error))]) from None
    return text


def _proved(kind: Kind, document: Document) -> bytes:
    text = b""
    try:
        text = _ENCODER.encode(document)
        again = decoder_of(kind).decode(text)
    except msgspec.ValidationError as error:
        raise ValidationError(_violations(kind, text, str(error))) from None
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValidationError([_not_json("", str(error))]) from None
    if again != document:
        pointer = first_difference(msgspec.to_builtins(document), msgspec.to_builtins(again))
        raise ValidationError([_not_json(pointer or "", "JSON does not give this value back")])
    return text


def _violations(kind: Kind, text: bytes, refusal: str) -> list[Violation]:
    return [
        msgspec.structs.replace(
            violation, message=f"{violation.message} (a NaN or an infinity is written as null)"
        )
        if violation.value is None
        else violation
        for violation in why_refused(DOCUMENTS[kind].schema_id, parse(text), refusal)
    ]


def _not_json(pointer: str, reason: str) -> Violation:
    return Violation(pointer=pointer, rule="json", value=None, message=reason)
