"""Bytes to documents and back, each exactly as its schema allows.

Decoding refuses more than JSON Schema does in these cases, and accepts nothing that it refuses:

- text that is not RFC 8259 JSON in UTF-8: a byte order mark, NaN, a lone surrogate, text after
  the value;
- a member name given twice in one object (unless ``check_names=False``);
- a number that has no finite double, and an integer of more than 4,300 characters;
- a fraction that rounds to an integer, where an integer must stand;
- nesting beyond 256 levels.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import msgspec

from . import _contract
from ._json import (
    MAX_DEPTH,
    Number,
    as_bytes,
    explain,
    json_lines,
    parse,
    refuse_depth,
    refuse_repeated_names,
)
from ._roundtrip import Decoded, decoder_of, kind_of, written
from .errors import DecodeError, ValidationError, Violation
from .models import DOCUMENTS, AgentEvalSuite, Document, EvalSummary, Kind, TrialRecord

__all__ = [
    "decode_suite",
    "decode_summary",
    "decode_trial",
    "encode",
    "iter_trials",
    "validate",
]

_Data = bytes | bytearray | memoryview | str
_ENCODER = msgspec.json.Encoder()
_MOST_LINES = 256
_MOST_BYTES = 2**20


def decode_suite(data: _Data, *, check_names: bool = True) -> AgentEvalSuite:
    """Decode an AgentEvalSuite (RFC 0081 §A).

    Args:
        data: One JSON text.
        check_names: Refuse a member name that one object gives twice. Without it the last one
            wins, which no decision should hang on.

    Raises:
        DecodeError: The data is not such a text.
        ValidationError: It breaks the schema.
    """
    suite: AgentEvalSuite = _decode("suite", data, check_names=check_names)
    return suite


def decode_summary(data: _Data, *, check_names: bool = True) -> EvalSummary:
    """Decode an EvalSummary (RFC 0081; its gated fields: RFC 0246 §D).

    Args:
        data: One JSON text.
        check_names: Refuse a member name that one object gives twice. Without it the last one
            wins, which no decision should hang on.

    Raises:
        DecodeError: The data is not such a text.
        ValidationError: It breaks the schema.
    """
    summary: EvalSummary = _decode("summary", data, check_names=check_names)
    return summary


def decode_trial(line: _Data, *, check_names: bool = True) -> TrialRecord:
    """Decode one line of a trial log.

    Args:
        line: One JSON text, with or without the end of its line.
        check_names: Refuse a member name that one object gives twice. Without it the last one
            wins, which no decision should hang on.

    Raises:
        DecodeError: The line is not such a text.
        ValidationError: It breaks the schema.
    """
    record: TrialRecord = _decode("trial", line, check_names=check_names)
    return record


def iter_trials(file: Iterable[bytes]) -> Iterator[TrialRecord]:
    """Decode a trial log in JSON Lines, some lines at a time: at most 256, or about a MiB.

    Lines end at LF alone; a CR before it is white space to JSON. A byte order mark at the start of
    the log is skipped. Every line holds one record, so a record's position, from 0, is its line
    less 1.

    Args:
        file: A file open in binary mode, or any iterable of its lines.

    Raises:
        DecodeError: A line is not JSON, is empty or was cut; with its line.
        ValidationError: A line breaks the schema; with its line.
        TypeError: The lines are not bytes, such as those of a file open in text mode.
    """
    return Decoded(_records(file))


def _records(file: Iterable[bytes]) -> Iterator[TrialRecord]:
    for records, errors in decode_chunks(file):
        yield from records
        if errors:
            raise errors[0]


def decode_chunks(
    file: Iterable[bytes],
) -> Iterator[tuple[list[TrialRecord], list[DecodeError | ValidationError]]]:
    """Some lines of a trial log at a time: the records before the first bad line, the errors."""
    lines = iter(file)
    first = size = 1  # so that a live log gives its first record at once
    while chunk := list(islice(lines, size)):
        records = _decode_at_once(chunk)
        yield (records, []) if records else _decode_each(chunk, first)
        first += len(chunk)
        average = 1 + sum(map(len, chunk)) // len(chunk)
        size = max(1, min(2 * size, _MOST_LINES, _MOST_BYTES // average))


def _decode_at_once(lines: list[bytes]) -> list[TrialRecord]:
    """Lines decoded with what is cheaper for many; none where one needs a closer look."""
    decode = decoder_of("trial").decode
    try:
        records = [decode(line) for line in lines]
        if max(map(len, lines)) >= 2 * MAX_DEPTH:
            for line in lines:
                refuse_depth(line)
        refuse_repeated_names(b"".join(lines), records)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, DecodeError, TypeError):
        return []
    return records


def _decode_each(
    lines: list[bytes], first: int
) -> tuple[list[TrialRecord], list[DecodeError | ValidationError]]:
    records: list[TrialRecord] = []
    errors: list[DecodeError | ValidationError] = []
    for number, text in json_lines(lines, first):
        try:
            record = _decode("trial", text, check_names=True)
        except DecodeError as error:
            error.line = number
            errors.append(error)
        except ValidationError as error:
            error.line = number
            error.task_id, error.trial = _named_trial(text)
            errors.append(error)
        else:
            if not errors:
                records.append(record)
    return records, errors


def _named_trial(text: bytes) -> tuple[str | None, int | None]:
    """The task and the trial that a refused line names, as far as it does."""
    value = parse(text)
    members = value if isinstance(value, dict) else {}
    task_id, trial = members.get("taskId"), members.get("trial")
    return (
        task_id if isinstance(task_id, str) else None,
        trial if isinstance(trial, int) and not isinstance(trial, bool) else None,
    )


def encode(document: Document, *, check: bool = True) -> bytes:
    """Encode a document as compact JSON, absent members left out.

    Args:
        document: An AgentEvalSuite, an EvalSummary or a TrialRecord.
        check: Decode what was written and compare, since constructors check nothing: without it a
            NaN is written as null.

    Raises:
        ValidationError: The document is outside its schema.
        TypeError: It is none of these types.
    """
    kind = kind_of(document)
    return written(kind, document) if check else _ENCODER.encode(document)


def validate(kind: Kind, data: _Data) -> list[Violation]:
    """Validate a JSON text by jsonschema: a second opinion on the schema, shared with no decoder.

    Args:
        kind: ``suite``, ``summary`` or ``trial``.
        data: One JSON text.

    Returns:
        Every place that breaks the schema, by pointer; empty when the text is valid.

    Raises:
        DecodeError: The data is no such text.
    """
    text = as_bytes(data)
    value = parse(text)
    refuse_repeated_names(text, value)
    return _contract.violations(DOCUMENTS[kind].schema_id, value)


def _decode(kind: Kind, data: _Data, *, check_names: bool) -> Any:  # noqa: ANN401 - kind tells
    text = data if type(data) is bytes else as_bytes(data)
    try:
        document = decoder_of(kind).decode(text)
    except msgspec.ValidationError:
        document = _decode_slowly(kind, text, check_names=check_names)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise explain(text) from None
    if DOCUMENTS[kind].nests:
        refuse_depth(text)
    if check_names:
        refuse_repeated_names(text, document)
    return document


def _decode_slowly(kind: Kind, text: bytes, *, check_names: bool) -> Document:
    """Decode what the fast path refused: perhaps 1.0 stands where an integer must."""
    value = parse(text)
    if check_names:
        refuse_repeated_names(text, value)
    entry = DOCUMENTS[kind]
    try:
        return msgspec.convert(_settled(value, _type_info(kind)), entry.type)
    except msgspec.ValidationError as error:
        violations = _contract.why_refused(entry.schema_id, value, str(error))
        raise ValidationError(violations) from None


@cache
def _type_info(kind: Kind) -> msgspec.inspect.Type:
    return msgspec.inspect.type_info(DOCUMENTS[kind].type)


def _settled(value: Any, expected: msgspec.inspect.Type) -> Any:  # noqa: ANN401
    """The value with each Number made an int where an integer must stand, else a float."""
    if isinstance(value, Number):
        return _settled_number(value, expected)
    for option in _options(expected):
        if isinstance(value, dict) and isinstance(option, msgspec.inspect.StructType):
            fields = {field.encode_name: field.type for field in option.fields}
            return {name: _settled(child, fields.get(name, _FREE)) for name, child in value.items()}
        if isinstance(value, list) and isinstance(option, msgspec.inspect.VarTupleType):
            return [_settled(child, option.item_type) for child in value]
    if isinstance(value, dict):
        return {name: _settled(child, _FREE) for name, child in value.items()}
    if isinstance(value, list):
        return [_settled(child, _FREE) for child in value]
    return value


_FREE = msgspec.inspect.AnyType()


def _settled_number(number: Number, expected: msgspec.inspect.Type) -> int | float:
    if any(isinstance(option, msgspec.inspect.IntType) for option in _options(expected)):
        integer = number.integer()
        if integer is not None:
            return integer
    return float(number)


def _options(expected: msgspec.inspect.Type) -> tuple[msgspec.inspect.Type, ...]:
    if isinstance(expected, msgspec.inspect.UnionType):
        return tuple(option for member in expected.types for option in _options(member))
    if isinstance(expected, msgspec.inspect.Metadata):
        return _options(expected.type)
    return (expected,)
