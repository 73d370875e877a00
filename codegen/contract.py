"""Which schemas the generator keeps exactly; every other construct is refused.

The generator drops what it does not know without a word, so a schema says nothing here that is
not known to become an equal check in the generated types.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

__all__ = ["Unsupported", "check", "load", "objects"]

Schema = dict[str, Any]

_ANNOTATIONS = {"description", "x-openwop-evals-basis"}
_ROOT = {"$schema", "$id", "$defs", "title"}
_BOUNDS = {"minimum", "maximum"}
_LENGTHS = {"minLength", "maxLength", "minItems", "maxItems"}
_CLOSED = {"properties", "required", "additionalProperties", "patternProperties"}
_TYPES = {"object", "array", "string", "number", "integer", "boolean"}
_NULLABLE = ["number", "null"]
# Members that others may add to a payload and nobody interprets: the types, which are for writing
# payloads, leave them out.
_EXTENSIONS: dict[str, Schema] = {r"^(openwop-|x-|vendor\.)": {}}

_ATOM = r"(?:[A-Za-z0-9:/_~-]|\\\.|\[[A-Za-z0-9._~:-]+\])"
_TIMES = r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})?"
_PIECES = f"(?:{_ATOM}{_TIMES})+"
# The same set in ECMA-262 and in Python's re, once `$` is written \Z, and none that matches a
# newline: so the patterns of many ids can be joined into one.
_PATTERN = re.compile(rf"\^(?:{_ATOM}{_TIMES}|\({_PIECES}\){_TIMES})+\$")
_TITLE = re.compile(r"[A-Z][A-Za-z0-9]*[A-Za-z]")


class Unsupported(Exception):  # noqa: N818 - it names the construct, as the message does
    """A schema says something that would not become an equal check in the generated types."""

    def __init__(self, file: str, pointer: str, reason: str) -> None:
        super().__init__(f"{file}#{pointer}: {reason}")
        self.file = file
        self.pointer = pointer
        self.reason = reason


def load(folder: Path) -> dict[str, Schema]:
    """Read every schema under a folder, by its path relative to it."""
    return {
        path.relative_to(folder).as_posix(): json.loads(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.json"))
    }


def check(schemas: dict[str, Schema]) -> None:
    """Refuse the first construct that generation would not keep exactly.

    Raises:
        Unsupported: With the file, the JSON Pointer and the reason.
    """
    titles: dict[str, str] = {}
    for file, root in schemas.items():
        for pointer, schema, is_member in _subschemas(root, "", file):
            for step, reason in _faults(schema, is_root=not pointer, is_member=is_member):
                raise Unsupported(file, pointer + step, reason)
            if "$ref" in schema and not _names_a_string(schema["$ref"], file, schemas):
                raise Unsupported(file, f"{pointer}/$ref", "must name a string under $defs")
            if _is_closed(schema):
                title = schema["title"]
                if title in titles:
                    raise Unsupported(file, f"{pointer}/title", f"is also {titles[title]}")
                titles[title] = f"{file}#{pointer}"


def objects(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Every closed object of the schemas, by its title."""
    return {
        schema["title"]: schema
        for file, root in schemas.items()
        for _, schema, _ in _subschemas(root, "", file)
        if _is_closed(schema)
    }


def _names_a_string(ref: str, file: str, schemas: dict[str, Schema]) -> bool:
    target, _, pointer = ref.partition("#/$defs/")
    root = schemas.get((PurePosixPath(file).parent / target).as_posix() if target else file, {})
    return bool(root.get("$defs", {}).get(pointer, {}).get("type") == "string")


def _is_closed(schema: Schema) -> bool:
    return "properties" in schema


def _subschemas(
    schema: object, pointer: str, file: str, *, is_member: bool = False
) -> Iterator[tuple[str, Schema, bool]]:
    """Every schema within a schema, and whether it is that of a closed object's member."""
    if not isinstance(schema, dict):
        raise Unsupported(file, pointer, "a schema must be an object")
    yield pointer, schema, is_member
    for keyword in ("properties", "$defs"):
        for name, child in schema.get(keyword, {}).items():
            step = name.replace("~", "~0").replace("/", "~1")
            here = f"{pointer}/{keyword}/{step}"
            yield from _subschemas(child, here, file, is_member=keyword == "properties")
    if "items" in schema:
        yield from _subschemas(schema["items"], f"{pointer}/items", file)


def _faults(schema: Schema, *, is_root: bool, is_member: bool) -> Iterator[tuple[str, str]]:
    kind = schema.get("type")
    if "type" in schema and kind not in [*_TYPES, _NULLABLE]:
        yield "/type", f"must be one of {', '.join(sorted(_TYPES))}, or {_NULLABLE}"
    allowed = _ANNOTATIONS | _allowed(schema) | (_ROOT if is_root else set())
    for keyword in schema:
        if keyword not in allowed:
            yield f"/{keyword}", "the generated types would not keep this keyword here"
    if "pattern" in schema and not _is_kept(schema["pattern"]):
        yield "/pattern", "must be ^body$ of plain characters, sets, groups and repeats"
    if "enum" in schema and not _are_texts(schema["enum"]):
        yield "/enum", "needs values, each a string"
    for keyword in schema.keys() & (_BOUNDS | _LENGTHS):
        if not _is_bound(schema[keyword], keyword, integer=kind == "integer"):
            yield f"/{keyword}", "must be a plain number that the generated type keeps"
    if kind == "array":
        yield from _array_faults(schema, is_member=is_member)
    if _is_closed(schema):
        yield from _object_faults(schema)


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(v, str) for v in values)


def _is_kept(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return _PATTERN.fullmatch(pattern) is not None


def _array_faults(schema: Schema, *, is_member: bool) -> Iterator[tuple[str, str]]:
    items = schema.get("items")
    if items is None:
        yield "/items", "is missing"
    elif schema.get("uniqueItems") and not (
        is_member and ("$ref" in items or items.get("type") == "string")
    ):
        yield "/uniqueItems", "is kept for an object's member that holds strings, only"


def _object_faults(schema: Schema) -> Iterator[tuple[str, str]]:
    if schema.get("additionalProperties") is not False:
        yield "/additionalProperties", "an object with properties must be closed"
    if schema.get("patternProperties", _EXTENSIONS) != _EXTENSIONS:
        yield "/patternProperties", f"must be {json.dumps(_EXTENSIONS)}"
    if not _TITLE.fullmatch(schema.get("title", "")):
        yield "/title", "an object needs a title that is a class name without a final digit"
    for name in schema.get("required", ()):
        if name not in schema["properties"]:
            yield "/required", f"{name} is not among the properties"


def _is_bound(value: object, keyword: str, *, integer: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if keyword in _LENGTHS:
        return isinstance(value, int) and value >= 0
    return isinstance(value, int) if integer else float(value) == value


def _allowed(schema: Schema) -> set[str]:
    """The keywords that the recipe keeps beside a schema's type."""
    if "$ref" in schema:
        return {"$ref"}
    kind = schema.get("type")
    if kind == "object":
        return {"type", "title"} | (_CLOSED if _is_closed(schema) else set())
    if kind == "array":
        return {"type", "items", "minItems", "maxItems", "uniqueItems"}
    if kind == "string":
        return {"type"} | ({"enum"} if "enum" in schema else {"pattern", "minLength", "maxLength"})
    if kind in ("number", "integer", _NULLABLE):
        return {"type"} | _BOUNDS
    return {"type"}
