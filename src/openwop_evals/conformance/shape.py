"""The server-free requirement: the two fields of RFC 0246 in the schema and in the types."""

import json
from collections.abc import Iterator
from typing import Any

from openwop_evals._contract import violations
from openwop_evals._json import parse
from openwop_evals.codec import decode_summary
from openwop_evals.errors import DecodeError, ValidationError
from openwop_evals.models import DOCUMENTS

from .assertions import Assertion, Requirement

__all__ = ["GATED_FIELDS_SHAPE", "judge_gated_fields_shape"]

GATED_FIELDS_SHAPE = Requirement("openwop.requirement.0246.gated-fields-shape")

_ALLOWED = {"zero": "0", "half": "0.5", "one": "1", "one-point-zero": "1.0"}
_REFUSED = {
    "below-zero": "-0.1",
    "above-one": "1.0000001",
    "two": "2",
    "null": "null",
    "text": '"0.5"',
    "boolean": "true",
    "array": "[]",
    "object": "{}",
    "nan": "NaN",
    "infinity": "Infinity",
}
_SUMMARY = {
    "suiteId": "openwop.conformance.evals.shape",
    "suiteVersion": "1.0.0",
    "aggregateScore": 1,
    "passed": False,
    "taskCount": 1,
    "passedCount": 0,
    "tasks": [{"taskId": "shape", "score": 1, "passed": False}],
}
_PLACES = {
    "gatedAggregateScore": ('"passed": false, "taskCount"', '"passed": false, {}, "taskCount"'),
    "gatedScore": ('"score": 1, "passed"', '"score": 1, {}, "passed"'),
}


def judge_gated_fields_shape() -> list[Assertion]:
    """Judge that gatedScore and gatedAggregateScore take a number from 0 to 1, and nothing else.

    Asked of the schema, by jsonschema, and of decoding (RFC 0246 §D).
    """
    return list(_judged())


def _judged() -> Iterator[Assertion]:
    for field, (before, after) in _PLACES.items():
        for values, expected in ((_ALLOWED, True), (_REFUSED, False)):
            for kind, value in values.items():
                member = f'"{field}": {value}'
                text = json.dumps(_SUMMARY).replace(before, after.format(member)).encode()
                by_schema, by_decoding = _is_valid(text), _is_decoded(text)
                yield GATED_FIELDS_SHAPE.that(
                    f"{field}-{kind}",
                    "RFC 0246 §D",
                    expected=_verdict(expected, expected),
                    found=_verdict(by_schema, by_decoding),
                    holds=by_schema is expected and by_decoding is expected,
                )


def _is_valid(text: bytes) -> bool:
    try:
        value: Any = parse(text)
    except DecodeError:
        return False
    return not violations(DOCUMENTS["summary"].schema_id, value)


def _is_decoded(text: bytes) -> bool:
    try:
        decode_summary(text)
    except (DecodeError, ValidationError):
        return False
    return True


def _verdict(by_schema: bool, by_decoding: bool) -> str:  # noqa: FBT001 - two of a kind
    words = {True: "accepted", False: "refused"}
    return f"{words[by_schema]} by the schema, {words[by_decoding]} by decoding"
