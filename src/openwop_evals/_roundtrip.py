"""Values built by hand: proof that what is written gives back what was meant."""

from functools import cache
from typing import Any

import msgspec

from ._contract import violations
from ._json import parse, refuse_depth
from .errors import DecodeError, ValidationError, Violation
from .models import DOCUMENTS, Document

__all__ = ["decoder_of", "require", "written"]

_ENCODER = msgspec.json.Encoder()


@cache
def decoder_of(type_: type[Any]) -> msgspec.json.Decoder[Any]:
    """The decoder of a type, made when it is first asked for."""
    return msgspec.json.Decoder(type_)


def require(document: object, type_: type[Document]) -> None:
    """Refuse a value built by hand that is no document of that type.

    Raises:
        TypeError: It is of another type.
        ValidationError: It is outside its schema.
    """
    if type(document) is not type_:
        raise TypeError(f"found {type(document).__name__}, expected {type_.__name__}")
    written(document)


def written(document: Document) -> bytes:
    """The JSON text of a document, once decoding it has given back an equal one.

    Constructors check nothing: here a NaN, which is written as null, a score out of range or a
    member of the wrong type is found.

    Raises:
        TypeError: It is no document.
        ValidationError: It is outside its schema.
    """
    text = b""
    try:
        text = _ENCODER.encode(document)
        again = decoder_of(type(document)).decode(text)
        refuse_depth(text)
    except msgspec.ValidationError:
        raise ValidationError(_violations(document, text)) from None
    except (TypeError, ValueError, OverflowError, RecursionError, DecodeError) as error:
        raise ValidationError([_not_json(str(error))]) from None
    if again != document:
        raise ValidationError([_not_json("JSON does not give a value back as it was")])
    return text


def _violations(document: Document, text: bytes) -> list[Violation]:
    kind = next(kind for kind, entry in DOCUMENTS.items() if entry.type is type(document))
    return [
        msgspec.structs.replace(
            violation, message=f"{violation.message} (a NaN or an infinity is written as null)"
        )
        if violation.value is None
        else violation
        for violation in violations(kind, parse(text))
    ]


def _not_json(reason: str) -> Violation:
    return Violation(pointer="", rule="json", value=None, message=reason)
