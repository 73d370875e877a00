"""The server-free leg: the two gated fields take a number from 0 to 1, and this can fail."""

import copy
import json
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from openwop_evals import EvalSummary, decode_summary
from openwop_evals.conformance import Assertion, judge_gated_fields_shape, shape
from openwop_evals.errors import Violation
from tests.support.builders import Json
from tests.support.documents import load_schema

FIELDS = ["gatedAggregateScore", "gatedScore"]
ALLOWED = ["zero", "half", "one", "one-point-zero"]
REFUSED = [
    *("below-zero", "above-one", "two", "null", "text"),
    *("boolean", "array", "object", "nan", "infinity"),
]
REQUIREMENT = "openwop.requirement.0246.gated-fields-shape"


def red(assertions: list[Assertion]) -> list[str]:
    return [assertion.name for assertion in assertions if not assertion.holds]


def test_every_assertion_holds() -> None:
    assert red(judge_gated_fields_shape()) == []


def test_each_field_is_tried_with_each_value() -> None:
    assertions = judge_gated_fields_shape()
    tried = [assertion.name.partition("-")[0] for assertion in assertions]
    assert tried == [field for field in FIELDS for _ in (*ALLOWED, *REFUSED)]
    accepted, refused = (
        f"{word} by the schema, {word} by decoding" for word in ("accepted", "refused")
    )
    verdicts = [accepted] * len(ALLOWED) + [refused] * len(REFUSED)
    assert [assertion.expected for assertion in assertions] == verdicts * 2
    assert [assertion.found for assertion in assertions] == verdicts * 2


def test_every_assertion_names_its_requirement_and_section() -> None:
    assertions = judge_gated_fields_shape()
    named = {(assertion.requirement, assertion.section) for assertion in assertions}
    assert named == {(REQUIREMENT, "RFC 0246 §D")}


def test_no_two_assertions_share_a_name() -> None:
    names = [assertion.name for assertion in judge_gated_fields_shape()]
    assert [name for name in names if names.count(name) > 1] == []


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [*ALLOWED, *REFUSED])
def test_an_assertion_is_named_by_its_field_and_value(field: str, value: str) -> None:
    assert f"{field}-{value}" in [assertion.name for assertion in judge_gated_fields_shape()]


def judged_by(schema: Json, monkeypatch: pytest.MonkeyPatch) -> list[Assertion]:
    """The assertions when a changed schema of summaries judges."""
    ids = load_schema("v2/ids.schema.json")
    registry = jsonschema_rs.Registry([(ids["$id"], ids)])
    validator = jsonschema_rs.Draft202012Validator(schema, registry=registry)

    def violations(_schema_id: str, value: object) -> list[Violation]:
        plain = json.loads(msgspec.json.encode(value, enc_hook=float))
        if validator.is_valid(plain):
            return []
        return [Violation(pointer="", rule="any", value=None, message="refused")]

    monkeypatch.setattr(shape, "violations", violations)
    return judge_gated_fields_shape()


def properties_with(field: str, schema: Json) -> Json:
    """The properties among which a field stands."""
    root: Json = schema["properties"]
    row: Json = root["tasks"]["items"]["properties"]
    return row if field == "gatedScore" else root


@pytest.fixture(name="schema")
def _schema() -> Json:
    return copy.deepcopy(load_schema("v2/eval-summary.schema.json"))


def test_the_schema_as_it_is_turns_nothing_red(
    schema: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert red(judged_by(schema, monkeypatch)) == []


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    ("bound", "names"), [("maximum", ["above-one", "two"]), ("minimum", ["below-zero"])]
)
def test_a_schema_without_a_bound_is_found(
    schema: Json, monkeypatch: pytest.MonkeyPatch, field: str, bound: str, names: list[str]
) -> None:
    del properties_with(field, schema)[field][bound]
    assertions = judged_by(schema, monkeypatch)
    assert red(assertions) == [f"{field}-{name}" for name in names]
    for assertion in assertions:
        if not assertion.holds:
            assert assertion.found == "accepted by the schema, refused by decoding"


@pytest.mark.parametrize("field", FIELDS)
def test_a_schema_without_the_type_is_found(
    schema: Json, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    del properties_with(field, schema)[field]["type"]
    broken = [one for one in judged_by(schema, monkeypatch) if not one.holds]
    assert len(broken) == 5  # null, a text, true, an array and an object
    assert all(one.name.startswith(f"{field}-") for one in broken)
    assert {one.found for one in broken} == {"accepted by the schema, refused by decoding"}


@pytest.mark.parametrize("field", FIELDS)
def test_a_schema_without_the_field_is_found(
    schema: Json, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    del properties_with(field, schema)[field]
    assert red(judged_by(schema, monkeypatch)) == [f"{field}-{value}" for value in ALLOWED]


def test_decoding_without_a_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(text: bytes) -> EvalSummary:
        return decode_summary(text.replace(b"1.0000001", b"1"))

    monkeypatch.setattr(shape, "decode_summary", lenient)
    assertions = judge_gated_fields_shape()
    assert red(assertions) == [f"{field}-above-one" for field in FIELDS]
    found = {one.found for one in assertions if not one.holds}
    assert found == {"refused by the schema, accepted by decoding"}


def test_decoding_that_takes_everything_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(_text: bytes) -> Any:  # noqa: ANN401 - it is not looked at
        return None

    monkeypatch.setattr(shape, "decode_summary", deaf)
    assert len(red(judge_gated_fields_shape())) == 2 * len(REFUSED)


def test_a_field_that_decoding_does_not_know_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def ignorant(text: bytes) -> EvalSummary:
        return decode_summary(text.replace(b"gatedScore", b"gateScore"))

    monkeypatch.setattr(shape, "decode_summary", ignorant)
    assert red(judge_gated_fields_shape()) == [f"gatedScore-{value}" for value in ALLOWED]
