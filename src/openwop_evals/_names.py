"""How many strings a document is written with: a cheap proof that no member name was dropped."""

from collections.abc import Callable
from functools import cache, partial
from itertools import chain
from operator import attrgetter
from typing import Any

from msgspec import UNSET, Struct, inspect

__all__ = ["count_strings"]

_Count = Callable[[list[Any]], int]
_CHUNK = 512  # a few columns of so many objects stay in the processor's cache
_NO_STRINGS = (inspect.IntType, inspect.FloatType, inspect.BoolType)


def count_strings(document: Struct) -> int | None:
    """The names and texts in a document's JSON; None where its type holds free values."""
    count = _counter(type(document))
    return None if count is None else count([document])


class _FreeError(Exception):
    """The type holds free values."""


@cache
def _counter(type_: type[Struct]) -> _Count | None:
    try:
        return _of_type(inspect.type_info(type_))
    except _FreeError:
        return None


def _of_type(type_: inspect.Type) -> _Count:
    """What counts the strings of many values of a type at once."""
    if isinstance(type_, inspect.Metadata):
        return _of_type(type_.type)
    if isinstance(type_, inspect.StructType):
        return _of_struct(type_)
    if isinstance(type_, inspect.VarTupleType):
        return partial(_count_items, _of_type(type_.item_type))
    if isinstance(type_, (inspect.StrType, inspect.LiteralType)):
        return len
    if isinstance(type_, _NO_STRINGS):
        return lambda _: 0
    raise _FreeError


def _count_items(of_item: _Count, arrays: list[Any]) -> int:
    items = list(chain.from_iterable(arrays))
    return sum(of_item(items[at : at + _CHUNK]) for at in range(0, len(items), _CHUNK))


def _of_struct(type_: inspect.StructType) -> _Count:
    always = 0
    columns: list[tuple[Callable[[Any], Any], bool, _Count | None]] = []
    for field in type_.fields:
        always += field.required
        has_strings = not isinstance(_bare(field.type), _NO_STRINGS)
        if has_strings or not field.required:
            count = _of_type(field.type) if has_strings else None
            columns.append((attrgetter(field.name), not field.required, count))

    def count_all(structs: list[Any]) -> int:
        total = always * len(structs)
        for column, is_optional, count in columns:
            values = list(map(column, structs))
            if is_optional:
                values = [value for value in values if value is not UNSET]
                total += len(values)
            if count is not None:
                total += count(values)
        return total

    return count_all


def _bare(type_: inspect.Type) -> inspect.Type:
    return type_.type if isinstance(type_, inspect.Metadata) else type_
