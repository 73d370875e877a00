"""Decoding accepts what JSON Schema accepts: four judges over random texts, and what they share.

``OPENWOP_EVALS_CASES`` sets how many texts are judged.
"""

import json
import os
import re
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from math import isinf
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError, validators
from referencing import Registry, Resource

from openwop_evals import DecodeError, EvalsError, encode, iter_trials, validate
from openwop_evals.models import DOCUMENTS, Kind
from tests.support.documents import DECODE, SCHEMAS, WHOLE, changed, is_valid, load_schema, value_at
from tests.support.generation import Generator

CASES = int(os.environ.get("OPENWOP_EVALS_CASES", "6000"))
SEED = 20261015
KINDS = list(DOCUMENTS)

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|[\]}]', re.DOTALL)


class NoJson(Exception):  # noqa: N818 - a finding
    """The text is refused before any schema is asked."""


class Reading:
    """What Python's own parser finds in a text, and which documented differences stand in it."""

    def __init__(self, text: bytes) -> None:
        try:
            characters = text.decode()
            if _depth(characters) > 256:
                raise NoJson("nested too deep")
            self.value: Any = json.loads(
                characters,
                object_pairs_hook=_object,
                parse_int=self._integer,
                parse_float=self._fraction,
                parse_constant=_refuse,
            )
            if "\\u" in characters:
                json.dumps(self.value, ensure_ascii=False).encode()
        except ValueError as error:  # no UTF-8, no JSON, or a lone surrogate
            raise NoJson(str(error)) from None

    # Whether a fraction that rounds to an integer or an integer beyond every double stands in it.
    is_odd = False

    def _integer(self, text: str) -> int:
        if len(text) > 4300:  # a minus counts as a digit
            raise NoJson("an integer of more than 4,300 digits")
        value = int(text)
        self.is_odd |= is_odd(value)
        return value

    def _fraction(self, text: str) -> float:
        value = float(text)
        if isinf(value):
            raise NoJson("no finite double")
        self.is_odd |= value.is_integer() and _is_fraction(text)
        return value


def is_odd(value: object) -> bool:
    """Whether decoding may refuse a number that jsonschema-rs accepts."""
    if isinstance(value, float):
        return value.is_integer()
    try:
        return isinstance(value, int) and isinf(float(value))
    except OverflowError:
        return True


def _is_fraction(text: str) -> bool:
    exact = Decimal(text)
    return exact != exact.to_integral_value()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise NoJson("a repeated name")
    return dict(pairs)


def _refuse(constant: str) -> None:
    raise NoJson(constant)


def _depth(characters: str) -> int:
    depth = deepest = 0
    for match in _BRACKET.finditer(characters):
        if match[1]:
            depth += 1
            deepest = max(deepest, depth)
        elif match[0][0] != '"':
            depth -= 1
    return deepest


@cache
def python_validator(kind: Kind) -> Any:  # noqa: ANN401 - jsonschema makes the class
    """Python's jsonschema with `$` as ECMA means it."""

    def pattern(_: object, text: str, value: object, __: object) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", text), value):
            yield ValidationError(text)

    schemas = [
        load_schema(path.relative_to(SCHEMAS).as_posix()) for path in SCHEMAS.rglob("*.json")
    ]
    registry: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas
    )
    class_ = validators.extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
    return class_(load_schema(DOCUMENTS[kind].file), registry=registry)


def judge(kind: Kind, text: bytes, *, with_python: bool) -> str:
    """What all judges say of a text: accepted, refused or excepted.

    Raises:
        AssertionError: They disagree.
    """
    document, refusal = None, None
    try:
        document = DECODE[kind](text)
    except EvalsError as error:
        refusal = error
    try:
        found = validate(kind, text)
    except DecodeError:
        found = None
    assert (found == []) == (document is not None), "validate and decode disagree"
    try:
        reading = Reading(text)
    except NoJson:
        assert isinstance(refusal, DecodeError), "this must be refused as no JSON"
        assert found is None, "this must be refused as no JSON by validate"
        return "excepted"
    assert not isinstance(refusal, DecodeError), "this is JSON"
    expected = is_valid(kind, reading.value)
    if expected and document is None and reading.is_odd:
        assert found is not None
        assert all(is_odd(one.value) for one in found), "something else was refused"
        return "excepted"
    assert expected == (document is not None), "jsonschema-rs and decode disagree"
    if with_python:
        assert expected == python_validator(kind).is_valid(reading.value), "jsonschema disagrees"
    if document is None:
        return "refused"
    written = encode(document, check=True)
    again = DECODE[kind](written)
    assert again == document
    assert repr(again) == repr(document), "the round trip changes a value"
    # Absent, null and empty stay apart; an integer may become a float and is compared as one.
    assert json.loads(written, parse_int=float) == json.loads(text, parse_int=float)
    return "accepted"


def generator_of(seed: int) -> Generator:
    return Generator(Random(seed))  # noqa: S311 - no secret hangs on it


def test_four_judges_agree(capsys: pytest.CaptureFixture[str]) -> None:
    generator = generator_of(SEED)
    counts: Counter[str] = Counter()
    disagreements: list[tuple[str, Kind, bytes]] = []
    for case in range(CASES):
        kind = KINDS[case % len(KINDS)]
        text = generator.text(kind)
        try:
            counts[judge(kind, text, with_python=case % 20 == 0)] += 1
        except AssertionError as error:
            disagreements.append((str(error).partition("\n")[0], kind, text))
    line = ", ".join(f"{counts[name]:,} {name}" for name in ("accepted", "refused", "excepted"))
    with capsys.disabled():
        sys.stdout.write(f"\n{CASES:,} texts: {line}, {len(disagreements):,} disagreements\n")
    assert disagreements[:5] == []
    assert min(counts["accepted"], counts["refused"]) > CASES / 10
    assert counts["excepted"] > CASES / 100


def test_a_seed_makes_the_same_texts() -> None:
    one, other, third = map(generator_of, (1, 1, 2))
    texts = [one.text("suite") for _ in range(50)]
    assert texts == [other.text("suite") for _ in range(50)]
    assert texts != [third.text("suite") for _ in range(50)]


def objects(kind: Kind) -> Iterator[tuple[str, bool]]:
    """The pointer of every object of a schema, and whether it is closed to other members."""

    def walk(schema: dict[str, Any], pointer: str) -> Iterator[tuple[str, bool]]:
        assert schema.get("$ref", "ids.").startswith("ids."), "an id has no members"
        if schema.get("type") == "object":
            yield pointer, schema.get("additionalProperties") is False
        for name, member in schema.get("properties", {}).items():
            yield from walk(member, f"{pointer}/{name}")
        if "items" in schema:
            yield from walk(schema["items"], f"{pointer}/0")

    yield from walk(load_schema(DOCUMENTS[kind].file), "")


CLOSED = [(kind, pointer) for kind in KINDS for pointer, closed in objects(kind) if closed]
OPEN = [(kind, pointer) for kind in KINDS for pointer, closed in objects(kind) if not closed]


def test_every_object_with_members_is_closed() -> None:
    assert (len(CLOSED), len(OPEN)) == (20, 3)
    for kind in KINDS:
        text = (SCHEMAS / DOCUMENTS[kind].file).read_text("utf-8")
        closed = sum(one == kind for one, _ in CLOSED)
        assert text.count('"properties"') == text.count('"additionalProperties": false') == closed


@pytest.mark.parametrize("name", ["extra", "", "TASKID", "$schema", "a/b~c"])
@pytest.mark.parametrize(("kind", "pointer"), CLOSED)
def test_a_closed_object_refuses_an_extra_member(kind: Kind, pointer: str, name: str) -> None:
    step = name.replace("~", "~0").replace("/", "~1")
    document = changed(kind, f"{pointer}/{step}", None)
    text = json.dumps(document)
    with pytest.raises(EvalsError) as refusal:
        DECODE[kind](text)
    (found,) = validate(kind, text)
    assert getattr(refusal.value, "violations", None) == (found,)
    assert (found.pointer, found.rule) == (f"{pointer}/{step}", "additionalProperties")
    assert not is_valid(kind, document)


@pytest.mark.parametrize(("kind", "pointer"), OPEN)
def test_an_open_object_takes_any_member(kind: Kind, pointer: str) -> None:
    text = json.dumps(changed(kind, f"{pointer}/extra", None))
    assert DECODE[kind](text)
    assert validate(kind, text) == []


@pytest.mark.parametrize("is_escaped", [False, True], ids=["plain", "escaped"])
@pytest.mark.parametrize(("kind", "pointer"), CLOSED + OPEN)
def test_an_object_refuses_a_repeated_member(kind: Kind, pointer: str, is_escaped: bool) -> None:
    value = value_at(WHOLE[kind], pointer)
    name = next(iter(value))
    again = f'"\\u{ord(name[0]):04x}{name[1:]}"' if is_escaped else json.dumps(name)
    repeated = f"{json.dumps(value)[:-1]}, {again}: {json.dumps(value[name])}}}"
    whole = json.dumps(changed(kind, pointer, "HERE")) if pointer else '"HERE"'
    text = whole.replace('"HERE"', repeated)
    assert json.loads(text) == WHOLE[kind]
    for read in (DECODE[kind], lambda text: validate(kind, text)):
        with pytest.raises(DecodeError) as refusal:
            read(text)
        assert refusal.value.pointer == f"{pointer}/{name}"
    assert DECODE[kind](text, check_names=False) == DECODE[kind](json.dumps(WHOLE[kind]))


def test_a_log_streams_in_memory_that_does_not_grow() -> None:
    lines = (
        b'{"taskId":"t%d","trial":%d,"output":[%d,null]}\n' % (at, at, at) for at in range(200_000)
    )
    tracemalloc.start()
    try:
        assert sum(1 for _ in iter_trials(lines)) == 200_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000
