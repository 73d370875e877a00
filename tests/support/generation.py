"""Random JSON documents of a kind, as text, so that every spelling of a value can stand in them.

A scalar is its JSON text, and so is the name of a member: ``1.0``, ``1e2`` and ``"\\u0061"`` reach
the reader as they were drawn.
"""

import json
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any, TypeAlias

from openwop_evals.models import DOCUMENTS, Kind

from .documents import load_schema

__all__ = ["Generator"]

Json = dict[str, Any]


class Array(list["Node"]):
    """Items, each a node."""


class Object(list[tuple[str, "Node"]]):
    """Members as they stand, repeated ones too."""


Node: TypeAlias = str | Array | Object
_Slot: TypeAlias = tuple[Array | Object, int]

_PATTERNED = {
    r"^[a-z0-9.-]+\.evals\.[a-z0-9-]+$": ["a.evals.b", "-.evals.-", "acme.x.evals.c-2"],
    r"^[0-9]+\.[0-9]+\.[0-9]+$": ["0.0.0", "1.0.0", "007.20.30"],
    r"^[a-z0-9][a-z0-9-]*$": ["a", "0", "t-1", "1-b-", "a" * 200],
    r"^(anon:)?[A-Za-z0-9._~-]{1,128}/[A-Za-z0-9._~-]{16,128}$": [
        "a/" + "b" * 16,
        "anon:A.b_c~d-e/" + "b" * 128,
        "a" * 128 + "/" + "B._~-" * 4,
    ],
    r"^[A-Za-z0-9._~:-]{1,128}$": ["a", "A.b_c~d:e-f", "~2F", "a" * 128, "node:1"],
}
_STRINGS = [
    "",
    "a",
    "a\n",
    "\n",
    "\r\n",
    "a\nb",
    "A",
    "golden",
    "golden\n",
    "1.0.0\n",
    "\u0661.0.0",
    "\uff11",
    "a\u2028",
    "\u2029\u0085",
    "\u00e9",
    "e\u0301",
    "\x00\x1f\x7f",
    '"\\/\b\f\n\r\t',
    "\\",
    '\\"',
    "\\u0022",
    "\U0001f600",
    "\ufeff",
    "a" * 129,
    "a/" + "b" * 15,
    "a/" + "b" * 16 + "\n",
    "NaN",
    "[{",
]
_NAMES = ["extra", "", "taskid", "task_id", "$schema", "__proto__", "a", "b", "tasks", "passed"]
_INTEGERS = [0, 1, 2, 90, 2**53, 2**53 + 1, 2**63, 2**64 - 1, 2**64, 10**308, 10**30 - 1]
_BEYOND = [2**1024 - 2**970 - 1, 2**1024 - 2**970, 10**400 - 1, 10**4300 - 1]
_NUMBERS = [
    *map(str, [*_INTEGERS, *_BEYOND]),
    *(f"-{number}" for number in [*_INTEGERS, *_BEYOND]),
    *("0.0", "-0.0", "1.0", "1e0", "1e2", "1E+2", "0.5e1", "5e-1", "100e-2", "10.0e-1", "0.5"),
    *("0.1", "1e-2", "5e-324", "-5e-324", "1e-400", "-1e-400", "0e999999999", "1e22", "1e23"),
    *("0.99999999999999999999", "1.00000000000000000001", "1.0000000000000002", "1.0000001"),
    *("-1.0", "-1.0000001", "-0.1", "9007199254740993.0", "9007199254740992.5"),
    *("1e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e400", "-1e400"),
    "9" * 4301,
]
_NO_JSON = [
    *("NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1.", "1e", "0x1", "-", "True", "''"),
    *(
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\\x"',
        '"\\u12"',
        '"a\nb"',
        '"\x1f"',
        '"',
        "/**/1",
        "[1,]",
    ),
]


class Generator:
    """Draws texts of documents; the same numbers make the same texts."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def text(self, kind: Kind) -> bytes:
        """A document: about half of them valid, the others changed in a place or more."""
        root = Array([self._value(*_schema(kind))])
        chance = self._random.random()
        for _ in range((chance > 0.45) + (chance > 0.85) + (chance > 0.95)):
            self._change(root)
        text = _render(root[0], self._random.choice(["", "", " ", "\n\t", "\r\n"]))
        if self._random.random() < 0.02:
            return self._broken(text)
        return text.encode(errors="surrogatepass")

    def _value(self, schema: Json, file: str) -> Node:
        """A value that the schema allows."""
        if "$ref" in schema:
            return self._value(*_referred(schema["$ref"], file))
        if "enum" in schema:
            return self._string(self._random.choice(schema["enum"]))
        if "type" not in schema:
            return self._free(3)
        types = schema["type"]
        type_ = self._random.choice(types) if isinstance(types, list) else types
        if type_ == "object":
            return self._object(schema, file)
        if type_ == "array":
            return self._array(schema, file)
        return self._scalar(type_, schema)

    def _scalar(self, type_: str, schema: Json) -> str:
        if type_ in {"number", "integer"}:
            return self._number(type_, schema.get("minimum"), schema.get("maximum"))
        if type_ == "string":
            return self._text(schema)
        return self._random.choice({"boolean": ["true", "false"], "null": ["null"]}[type_])

    def _object(self, schema: Json, file: str) -> Object:
        if "properties" not in schema:
            return self._free_object(2)
        share = self._random.choice([0.1, 0.5, 0.9])
        members = Object(
            (self._string(name), self._value(member, file))
            for name, member in schema["properties"].items()
            if name in schema.get("required", ()) or self._random.random() < share
        )
        if self._random.random() < 0.2:
            self._random.shuffle(members)
        return members

    def _array(self, schema: Json, file: str) -> Array:
        least = schema.get("minItems", 0)
        scalar = "properties" not in schema["items"]
        sizes = [least, 1, 1, 2, 3] if scalar else [least, 1, 1, 1, 2]
        size = self._random.choice(sizes)
        if self._random.random() < 0.01:
            size = self._random.choice([5, 10, 20]) * (5 if scalar else 1)
        items = Array(self._value(schema["items"], file) for _ in range(size))
        if schema.get("uniqueItems"):
            items = Array({json.loads(str(item)): item for item in items}.values())
        return items

    def _number(self, type_: str, least: float | None, most: float | None) -> str:
        if self._random.random() < 0.3:
            if type_ == "number":
                return repr(self._random.random())
            return str(self._random.randint(1, 1000))
        return self._random.choice(_numbers(type_, least, most))

    def _text(self, schema: Json) -> str:
        if "pattern" in schema:
            return self._string(self._random.choice(_PATTERNED[schema["pattern"]]))
        least = schema.get("minLength", 0)
        return self._string(self._random.choice([s for s in _STRINGS if len(s) >= least]))

    def _string(self, value: str) -> str:
        """The JSON text of a string, at times with more escapes than it needs."""
        chance = self._random.random()
        if chance < 0.95:
            return json.dumps(value, ensure_ascii=chance < 0.5)
        escaped = [json.dumps(character)[1:-1] for character in value]
        return '"' + "".join(self._escaped(one) for one in escaped) + '"'

    def _escaped(self, character: str) -> str:
        if len(character) > 1 or self._random.random() < 0.5:
            return character
        return f"\\u{ord(character):04{self._random.choice('xX')}}"

    def _free(self, depth: int) -> Node:
        """Any JSON value."""
        chance = self._random.random()
        if chance < 0.2 and depth:
            return self._free_object(depth)
        if chance < 0.4 and depth:
            return Array(self._free(depth - 1) for _ in range(self._random.randrange(4)))
        if chance < 0.6:
            return self._string(self._random.choice(_STRINGS))
        if chance < 0.8:
            return self._random.choice(_numbers("number", None, None))
        if chance < 0.81:
            return self._nested()
        return self._random.choice(["null", "true", "false", "{}", "[]", '""', "0", "1", "1.0"])

    def _free_object(self, depth: int) -> Object:
        names = self._random.sample(_NAMES, self._random.randrange(4))
        return Object((self._string(name), self._free(depth - 1)) for name in names)

    def _nested(self) -> str:
        depth = self._random.randint(248, 258)
        before, after = self._random.choice([("[", "]"), ('{"a":', "}"), ('{"[":[', "]}")])
        depth //= before.count("[") + before.count("{") - before.count('"[')
        return before * depth + self._random.choice(["0", '"]"', "[]"]) + after * depth

    def _change(self, root: Array) -> None:
        """Change a random place."""
        slots = _slots(root)
        holder, at = self._random.choice(slots)
        value = _value_of(holder, at)
        chance = self._random.random()
        if chance < 0.15 and holder is not root:
            del holder[at]
        elif chance < 0.35:
            self._add(slots)
        elif chance < 0.4:
            _put(holder, at, "null")
        elif chance < 0.5:
            _put(holder, at, self._free(2))
        elif isinstance(value, str) and value[0] == '"':
            _put(holder, at, self._other_string(value))
        elif isinstance(value, str) and value[0] in "-0123456789":
            _put(holder, at, self._other_number(value))
        elif isinstance(value, Array):
            del value[self._random.randint(0, len(value)) :]
        elif chance < 0.7:
            _put(holder, at, self._random.choice(_NUMBERS))
        elif chance < 0.75:
            _put(holder, at, self._random.choice(_NO_JSON))

    def _add(self, slots: list[_Slot]) -> None:
        """Add an unknown member or a repeated one to an object, a repeated item to an array."""
        holders = [value for slot in slots if not isinstance(value := _value_of(*slot), str)]
        if not holders:
            return
        value = self._random.choice(holders)
        if isinstance(value, Array):
            if value:
                value.insert(self._random.randint(0, len(value)), self._random.choice(value))
            return
        name, member = self._string(self._random.choice(_NAMES)), self._free(1)
        if value and self._random.random() < 0.4:
            name, same = self._random.choice(value)
            name = self._string(json.loads(name))
            member = self._random.choice([member, same])
        value.insert(self._random.randint(0, len(value)), (name, member))

    def _other_string(self, text: str) -> str:
        try:
            value: str = json.loads(text)
        except json.JSONDecodeError:
            return '""'
        others = [
            *(value + "\n", "\n" + value, value + "\u2028", " " + value, value.upper(), value * 2),
            *(value[:-1], value.translate({ord("0") + d: 0x660 + d for d in range(10)})),
            self._random.choice(_STRINGS),
            self._random.choice(_STRINGS),
        ]
        return self._string(self._random.choice(others))

    def _other_number(self, text: str) -> str:
        spellings = [f"{text}.0", f"{text}e0", f"{text}E+2", f"-{text}", f"{text}00e-2", f"{text}0"]
        return self._random.choice([*spellings, *self._random.choices(_NUMBERS, k=8)])

    def _broken(self, characters: str) -> bytes:
        """A text that is most likely not JSON in UTF-8."""
        text = characters.encode(errors="surrogatepass")
        at = self._random.randint(0, len(text))
        return self._random.choice(
            [
                b"\xef\xbb\xbf" + text,
                characters.encode("utf-16", "surrogatepass"),
                characters.encode("utf-16-le", "surrogatepass"),
                text[:at],
                text + self._random.choice([b" {}", b"\x00", b",", b"\xc2\xa0", b" \r\n\t"]),
                text[:at]
                + self._random.choice([b"\xff", b"\xed\xa0\x80", b"\xc0\x80"])
                + text[at:],
                b"",
            ]
        )


def _schema(kind: Kind) -> tuple[Json, str]:
    file = DOCUMENTS[kind].file
    return _loaded(file), file


_loaded = cache(load_schema)


def _referred(reference: str, file: str) -> tuple[Json, str]:
    """What a reference such as ``ids.schema.json#/$defs/nodeId`` stands for, and its file."""
    name, _, pointer = reference.partition("#")
    folder = file.rpartition("/")[0]
    target = f"{folder}/{name}".lstrip("/") if name else file
    schema = _loaded(target)
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return schema, target


@cache
def _numbers(type_: str, least: float | None, most: float | None) -> list[str]:
    """The spellings of numbers of a type from least to most, those without a double left out."""
    return [
        text
        for text in _NUMBERS
        if abs(value := Decimal(text)) < 2**1023
        and (least is None or value >= least)
        and (most is None or value <= most)
        and (type_ == "number" or value == value.to_integral_value())
    ]


def _slots(root: Array) -> list[_Slot]:
    """Every place where a value stands."""
    slots: list[_Slot] = []
    waiting: list[Node] = [root]
    while waiting:
        holder = waiting.pop()
        if not isinstance(holder, str):
            slots += [(holder, at) for at in range(len(holder))]
            waiting += [_value_of(holder, at) for at in range(len(holder))]
    return slots


def _value_of(holder: Array | Object, at: int) -> Node:
    return holder[at][1] if isinstance(holder, Object) else holder[at]


def _put(holder: Array | Object, at: int, value: Node) -> None:
    if isinstance(holder, Object):
        holder[at] = (holder[at][0], value)
    else:
        holder[at] = value


def _render(node: Node, space: str) -> str:
    if isinstance(node, str):
        return node
    comma = f",{space}"
    if isinstance(node, Object):
        members = comma.join(f"{name}:{space}{_render(value, space)}" for name, value in node)
        return f"{{{space}{members}{space}}}"
    return f"[{space}{comma.join(_render(item, space) for item in node)}{space}]"
