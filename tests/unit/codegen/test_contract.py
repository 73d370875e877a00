"""What the generator would not keep exactly is refused, with its file and its place."""

from typing import Any

import pytest

from codegen import contract
from tests.support.documents import SCHEMAS

Schema = dict[str, Any]

FILE = "sub/one.schema.json"
TEXT: Schema = {"type": "string"}
OPEN: Schema = {"type": "object"}
CLOSED: Schema = {
    "title": "Part",
    "type": "object",
    "additionalProperties": False,
    "properties": {"a": TEXT},
}
LIST: Schema = {"type": "array", "items": TEXT}


def schemas_with(member: object, **others: Schema) -> dict[str, Schema]:
    """A schema with one member to look at, and one file of definitions to refer to."""
    return {
        FILE: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "urn:one",
            "title": "Whole",
            "description": "What stands at the root.",
            "type": "object",
            "additionalProperties": False,
            "required": ["m"],
            "properties": {"m": member},
            **others,
        },
        "sub/ids.schema.json": {"$defs": {"id": TEXT, "part": CLOSED | {"title": "Other"}}},
    }


def test_the_schemas_of_the_project_are_kept() -> None:
    contract.check(contract.load(SCHEMAS))


@pytest.mark.parametrize(
    "member",
    [
        pytest.param({}, id="any value"),
        pytest.param({"description": "any value"}, id="any value, described"),
        pytest.param({"type": "boolean"}, id="boolean"),
        pytest.param({"type": "integer", "minimum": -1, "maximum": 3}, id="integer"),
        pytest.param({"type": "number", "minimum": 0, "maximum": 0.5}, id="number"),
        pytest.param({"type": ["number", "null"], "minimum": 0}, id="number or null"),
        pytest.param({"type": "string", "minLength": 1, "maxLength": 2}, id="string"),
        pytest.param({"type": "string", "enum": ["a", "b"]}, id="enum"),
        pytest.param({"type": "string", "pattern": "^a$"}, id="pattern"),
        pytest.param({"type": "string", "pattern": r"^(x:)?[a-z0-9._~-]{1,9}\.b+c*/$"}, id="sets"),
        pytest.param({"$ref": "ids.schema.json#/$defs/id", "description": "d"}, id="reference"),
        pytest.param(OPEN, id="open object"),
        pytest.param(CLOSED, id="closed object"),
        pytest.param(LIST | {"minItems": 1, "maxItems": 2, "uniqueItems": True}, id="array"),
        pytest.param(
            CLOSED | {"patternProperties": {r"^(openwop-|x-|vendor\.)": {}}}, id="extensions"
        ),
        pytest.param({"type": "array", "items": CLOSED}, id="array of objects"),
        pytest.param(TEXT | {"x-openwop-evals-basis": "assumed"}, id="our annotation"),
    ],
)
def test_keeps(member: Schema) -> None:
    contract.check(schemas_with(member))


def refused_at(schemas: dict[str, Schema]) -> str:
    with pytest.raises(contract.Unsupported) as refusal:
        contract.check(schemas)
    assert refusal.value.reason
    assert str(refusal.value).startswith(f"{refusal.value.file}#{refusal.value.pointer}: ")
    return f"{refusal.value.file}#{refusal.value.pointer}"


@pytest.mark.parametrize(
    ("member", "pointer"),
    [
        ({"not": TEXT}, "/not"),
        ({"if": TEXT, "then": TEXT}, "/if"),
        ({"oneOf": [TEXT]}, "/oneOf"),
        ({"anyOf": [TEXT]}, "/anyOf"),
        ({"allOf": [TEXT]}, "/allOf"),
        ({"const": 1}, "/const"),
        ({"default": 1}, "/default"),
        ({"enum": ["a"]}, "/enum"),
        ({"minimum": 0}, "/minimum"),
        ({"pattern": "^a$"}, "/pattern"),
        ({"items": TEXT}, "/items"),
        ({"properties": {"a": TEXT}}, "/properties"),
        ({"$defs": {"a": TEXT}}, "/$defs"),
        ({"$dynamicRef": "#a"}, "/$dynamicRef"),
        (TEXT | {"const": "a"}, "/const"),
        (TEXT | {"default": "a"}, "/default"),
        (TEXT | {"format": "date"}, "/format"),
        (TEXT | {"contentEncoding": "base64"}, "/contentEncoding"),
        (TEXT | {"minimum": 1}, "/minimum"),
        (TEXT | {"x-python-type": "Any"}, "/x-python-type"),
        (TEXT | {"enum": []}, "/enum"),
        (TEXT | {"enum": ["a", 1]}, "/enum"),
        (TEXT | {"enum": ["a", None]}, "/enum"),
        (TEXT | {"enum": ["a"], "minLength": 1}, "/minLength"),
        (TEXT | {"title": "Name", "minLength": 1}, "/title"),
        ({"type": "integer", "multipleOf": 2}, "/multipleOf"),
        ({"type": "integer", "enum": [1]}, "/enum"),
        ({"type": "integer", "minimum": 0.5}, "/minimum"),
        ({"type": "integer", "maximum": 1.0}, "/maximum"),
        ({"type": "integer", "maximum": True}, "/maximum"),
        ({"type": "number", "minimum": "0"}, "/minimum"),
        ({"type": "number", "minimum": False}, "/minimum"),
        ({"type": "number", "exclusiveMinimum": 0}, "/exclusiveMinimum"),
        ({"type": "number", "default": 0}, "/default"),
        ({"type": "boolean", "const": True}, "/const"),
        ({"type": ["string", "null"]}, "/type"),
        ({"type": ["number", "string"]}, "/type"),
        ({"type": ["string"]}, "/type"),
        ({"type": "null"}, "/type"),
        (LIST | {"contains": TEXT}, "/contains"),
        (LIST | {"prefixItems": [TEXT]}, "/prefixItems"),
        (LIST | {"unevaluatedItems": False}, "/unevaluatedItems"),
        (LIST | {"items": {"type": "integer", "not": {}}}, "/items/not"),
        (LIST | {"items": False}, "/items"),
        ({"type": "array", "items": CLOSED, "uniqueItems": True}, "/uniqueItems"),
        ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, "/uniqueItems"),
        ({"type": "array", "items": {}, "uniqueItems": True}, "/uniqueItems"),
        ({"type": "array", "uniqueItems": True}, "/items"),
        (
            {"type": "array", "items": {"type": "array", "items": TEXT, "uniqueItems": True}},
            "/items/uniqueItems",
        ),
        ({"type": "number", "minimum": 2**53 + 1}, "/minimum"),
        ({"type": "string", "minLength": -1}, "/minLength"),
        ({"type": "array", "items": TEXT, "minItems": "2"}, "/minItems"),
        (OPEN | {"additionalProperties": False}, "/additionalProperties"),
        (OPEN | {"additionalProperties": TEXT}, "/additionalProperties"),
        (OPEN | {"propertyNames": {"pattern": "^a$"}}, "/propertyNames"),
        (OPEN | {"patternProperties": {"^a$": TEXT}}, "/patternProperties"),
        (OPEN | {"minProperties": 1}, "/minProperties"),
        (OPEN | {"required": ["a"]}, "/required"),
        (CLOSED | {"minProperties": 1}, "/minProperties"),
        (CLOSED | {"patternProperties": {"^a$": TEXT}}, "/patternProperties"),
        (
            CLOSED | {"patternProperties": {r"^(openwop-|x-|vendor\.)": TEXT}},
            "/patternProperties",
        ),
        (CLOSED | {"dependentRequired": {"a": ["b"]}}, "/dependentRequired"),
        (CLOSED | {"unevaluatedProperties": False}, "/unevaluatedProperties"),
        (CLOSED | {"additionalProperties": True}, "/additionalProperties"),
        (OPEN | {"title": "Part", "properties": {"a": TEXT}}, "/additionalProperties"),
        (CLOSED | {"required": ["b"]}, "/required"),
        (CLOSED | {"title": "Part1"}, "/title"),
        (CLOSED | {"title": "part"}, "/title"),
        (CLOSED | {"title": "Two parts"}, "/title"),
        (CLOSED | {"title": "Part\n"}, "/title"),
        ({name: CLOSED[name] for name in CLOSED if name != "title"}, "/title"),
        (CLOSED | {"title": "Whole"}, "/title"),
        (CLOSED | {"properties": {"a/b~": {"const": 1}}}, "/properties/a~1b~0/const"),
        (CLOSED | {"properties": {"a": True}}, "/properties/a"),
        ({"$ref": "ids.schema.json#/$defs/part"}, "/$ref"),
        ({"$ref": "ids.schema.json#/$defs/none"}, "/$ref"),
        ({"$ref": "ids.schema.json"}, "/$ref"),
        ({"$ref": "none.schema.json#/$defs/id"}, "/$ref"),
        ({"$ref": "#/properties/m"}, "/$ref"),
        ({"$ref": "ids.schema.json#/$defs/id", "minLength": 1}, "/minLength"),
        ({"$ref": "ids.schema.json#/$defs/id", "type": "integer"}, "/type"),
        (True, ""),
    ],
    ids=repr,
)
def test_refuses(member: object, pointer: str) -> None:
    assert refused_at(schemas_with(member)) == f"{FILE}#/properties/m{pointer}"


@pytest.mark.parametrize(
    "pattern",
    [
        "^a|b$",
        "^(a|b)$",
        "a",
        "^a",
        "a$",
        r"^\d$",
        r"^\w$",
        r"^\s$",
        "^.$",
        "^a.b$",
        "^[^a]$",
        r"^[\d]$",
        "^a\n$",
        "^a$\n",
        "^(?=a)a$",
        "^(?:a)$",
        "^(?!a)b$",
        "^(a(b))$",
        "^a+?$",
        "^a++$",
        r"^(a)\1$",
        r"^\bab$",
        "^a$b$",
        "^a{,2}$",
        r"^\u0041$",
        "^é$",
        "^$",
        "",
    ],
    ids=repr,
)
def test_refuses_a_pattern(pattern: str) -> None:
    place = refused_at(schemas_with(TEXT | {"pattern": pattern}))
    assert place == f"{FILE}#/properties/m/pattern"


@pytest.mark.parametrize("keyword", ["not", "if", "oneOf", "dependentSchemas", "$anchor"])
def test_refuses_a_keyword_at_the_root(keyword: str) -> None:
    assert refused_at(schemas_with(TEXT, **{keyword: {}})) == f"{FILE}#/{keyword}"


def test_refuses_a_keyword_in_a_definition() -> None:
    schemas = schemas_with(TEXT, **{"$defs": {"other": TEXT | {"format": "uri"}}})
    assert refused_at(schemas) == f"{FILE}#/$defs/other/format"


def test_refuses_a_title_that_another_file_has() -> None:
    assert refused_at(schemas_with(CLOSED | {"title": "Other"})) == (
        "sub/ids.schema.json#/$defs/part/title"
    )
