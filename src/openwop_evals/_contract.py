"""The packaged schemas, and the second opinion of jsonschema on what breaks them."""

import json
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._json import Number, pointer_step, shortened
from .errors import Violation

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError as SchemaError
    from jsonschema.protocols import Validator

__all__ = ["schema_folder", "violations", "why_refused"]

_PACKAGED = Path(__file__).with_name("schemas")
_CHECKOUT = Path(__file__).parents[2] / "schemas"


def schema_folder() -> Path:
    """The folder of the packaged schemas; in an editable install, that of the checkout."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


def violations(schema_id: str, value: Any) -> list[Violation]:  # noqa: ANN401 - any JSON value
    """Every place where a JSON value breaks a packaged schema, by pointer.

    Args:
        schema_id: The ``$id`` of the schema, with the pointer to a definition of it or without.
        value: The value, as ``_json.parse`` gives it.
    """
    errors = sorted(_validator(schema_id).iter_errors(value), key=_order)
    return [violation for error in errors for violation in _violations_of(error)]


def why_refused(schema_id: str, value: Any, refusal: str) -> list[Violation]:  # noqa: ANN401
    """What makes decoding refuse a value; its own words where jsonschema finds nothing."""
    found = violations(schema_id, value)
    return found or [Violation(pointer="", rule="type", value=None, message=refusal)]


def _order(error: "SchemaError") -> list[tuple[int, str]]:
    """Members by name, items by number."""
    return [(step, "") if isinstance(step, int) else (0, str(step)) for step in error.absolute_path]


@cache
def _validator(schema_id: str) -> "Validator":
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - it is slow to import
    from referencing import Registry, Resource  # noqa: PLC0415

    schemas = [json.loads(path.read_text("utf-8")) for path in schema_folder().rglob("*.json")]
    by_id = {schema["$id"]: schema for schema in schemas}
    exact: type[Validator] = validators.extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {"pattern": _ecma_pattern, "type": _type, "uniqueItems": _unique_items},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
    )
    registry = Registry[Any]().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in by_id.items()
    )
    # A reference to a whole file would hand over to the class that its $schema names.
    return exact(by_id.get(schema_id, {"$ref": schema_id}), registry=registry)


def _is_integer(_checker: object, value: object) -> bool:
    if isinstance(value, Number):
        return value.integer() is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _type(
    validator: "Validator",
    types: str | list[str],
    value: Any,  # noqa: ANN401 - any JSON value
    _schema: object,
) -> Iterator["SchemaError"]:
    """The keyword, less the integers that a number's double cannot hold."""
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    allowed = [types] if isinstance(types, str) else types
    is_one = any(validator.is_type(value, name) for name in allowed)
    if not is_one or ("number" in allowed and isinstance(value, int) and not _has_double(value)):
        yield ValidationError("type")


def _has_double(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return False
    return True


def _ecma_pattern(
    _validator: object, pattern: str, value: object, _schema: object
) -> Iterator["SchemaError"]:
    """The keyword with the ECMA meaning of `$`; every pattern of ours ends with it."""
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    if isinstance(value, str) and not re.search(pattern[:-1] + r"\Z", value):
        yield ValidationError("pattern")


def _unique_items(
    _validator: object, unique: object, value: object, _schema: object
) -> Iterator["SchemaError"]:
    """The keyword over strings, which are all that our unique arrays may hold, in linear time."""
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    if unique and isinstance(value, list):
        texts = [item for item in value if isinstance(item, str)]
        if len(set(texts)) != len(texts):
            yield ValidationError("uniqueItems")


def _violations_of(error: "SchemaError") -> Iterator[Violation]:
    pointer = "".join(map(pointer_step, error.absolute_path))
    rule, limit = str(error.validator), error.validator_value
    value: Any = error.instance
    schema: Any = error.schema
    if rule == "additionalProperties":  # one error for all of them; here each has its own
        known = list(schema["properties"])
        open_names = [re.compile(pattern) for pattern in schema.get("patternProperties", ())]
        for name in sorted(value.keys() - set(known)):
            if any(pattern.search(name) for pattern in open_names):
                continue
            message = f"the member {json.dumps(name)} is unknown"
            if close := get_close_matches(name, known, n=1):
                message += f"; did you mean {json.dumps(close[0])}?"
            step = pointer_step(name)
            yield Violation(pointer=pointer + step, rule=rule, value=value[name], message=message)
        return
    if rule == "required":  # one error each, which names its member in its text alone
        missing = next(name for name in schema[rule] if error.message.startswith(repr(name)))
        message = f"the member {json.dumps(missing)} is missing"
    else:
        message = f"found {_shown(value)}, expected {_EXPECTED[rule](limit)}"
    yield Violation(pointer=pointer, rule=rule, value=value, message=message)


_EXPECTED: dict[str, Callable[[Any], str]] = {
    "type": lambda types: types if isinstance(types, str) else " or ".join(types),
    "enum": lambda values: f"one of {', '.join(values)}",
    "pattern": lambda pattern: f"text that matches {pattern}",
    "minimum": lambda bound: f"at least {bound}",
    "maximum": lambda bound: f"at most {bound}",
    "minLength": lambda length: f"a length of at least {length}",
    "maxLength": lambda length: f"a length of at most {length}",
    "minItems": lambda length: f"at least {length} items",
    "maxItems": lambda length: f"at most {length} items",
    "uniqueItems": lambda _: "no item twice",
}


def _shown(value: object) -> str:
    return shortened(json.dumps(value, ensure_ascii=False))
