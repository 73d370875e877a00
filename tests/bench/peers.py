"""What else reads and writes these documents. Only here are the peers imported.

Those that the type checker's environment lacks are imported by name, as Any to it. The models of
pydantic check what ours do, but for one thing: they refuse 1.0 where an integer must stand.
"""

import json
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, Literal

import jsonschema
import msgspec
from referencing import Registry, Resource

from tests.support.documents import is_valid, load_schema

__all__ = ["DECODERS", "ENCODERS", "LINE_DECODERS", "Summary", "dump_json", "versions"]

orjson: Any = import_module("orjson")
pydantic: Any = import_module("pydantic")
_client: Any = import_module("openwop_client.client")

_UNTYPED = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()
_ABSENT: Any = None  # the default of a member that may be absent but not null

_Count = Annotated[int, pydantic.Field(ge=0)]
_CountFromOne = Annotated[int, pydantic.Field(ge=1)]
_Unit = Annotated[float, pydantic.Field(ge=0, le=1)]
_Cost = Annotated[float, pydantic.Field(ge=0)]
_NodeId = Annotated[str, pydantic.Field(pattern=r"^[A-Za-z0-9._~:-]{1,128}$")]


class _Closed(pydantic.BaseModel):  # type: ignore[misc] # a class of type Any
    model_config = pydantic.ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        alias_generator=import_module("pydantic.alias_generators").to_camel,
    )


class _TrialStats(_Closed):
    count: _CountFromOne
    pass_rule: Literal["all", "any", "mean"]
    pass_at_k: _Unit
    pass_hat_k: _Unit


class _TaskTrials(_Closed):
    count: _CountFromOne
    passed_count: _Count
    mean_score: _Unit
    pass_at_k: _Unit
    pass_hat_k: _Unit


class _SafetyFinding(_Closed):
    kind: Annotated[str, pydantic.Field(min_length=1)]
    severity: Literal["low", "medium", "high", "critical"]


class _TaskResult(_Closed):
    task_id: Annotated[str, pydantic.Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    score: _Unit
    gated_score: _Unit = _ABSENT
    passed: bool
    trials: _TaskTrials = _ABSENT
    cost_usd: _Cost = _ABSENT
    latency_ms: _Count = _ABSENT
    schema_valid: bool = _ABSENT
    safety_findings: list[_SafetyFinding] = _ABSENT


class _Regression(_Closed):
    baseline_run_id: Annotated[
        str, pydantic.Field(pattern=r"^(anon:)?[A-Za-z0-9._~-]{1,128}/[A-Za-z0-9._~-]{16,128}$")
    ]
    score_delta: Annotated[float, pydantic.Field(ge=-1, le=1)]
    diff_ref: str = _ABSENT


def _unique(ids: list[str]) -> list[str]:
    if len(set(ids)) != len(ids):
        raise ValueError("an id is repeated")
    return ids


class Summary(_Closed):
    suite_id: Annotated[str, pydantic.Field(pattern=r"^[a-z0-9.-]+\.evals\.[a-z0-9-]+$")]
    suite_version: Annotated[str, pydantic.Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    evaluated_model_class: Literal[
        "reasoning", "writing", "coding", "research", "classification", "general"
    ] = _ABSENT
    aggregate_score: _Unit
    gated_aggregate_score: _Unit = _ABSENT
    passed: bool
    task_count: _Count
    passed_count: _Count
    total_cost_usd: _Cost = _ABSENT
    trial_stats: _TrialStats = _ABSENT
    tasks: list[_TaskResult]
    pinned_node_ids: Annotated[list[_NodeId], pydantic.AfterValidator(_unique)] = _ABSENT
    regression: _Regression = _ABSENT


def _python_validator() -> jsonschema.Draft202012Validator:
    ids = Resource.from_contents(load_schema("v2/ids.schema.json"))
    return jsonschema.Draft202012Validator(
        load_schema("v2/eval-summary.schema.json"), registry=ids @ Registry[Any]()
    )


_VALIDATOR = _python_validator()


def dump_json(summary: Summary) -> str:
    """Write a pydantic summary, absent members left out in the way that is quickest."""
    text: str = summary.model_dump_json(by_alias=True, exclude_none=True)
    return text


def _dump_compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


DECODERS: dict[str, Callable[[bytes], object]] = {
    "orjson.loads, untyped": orjson.loads,
    "msgspec, untyped": _UNTYPED.decode,
    "json.loads, untyped": json.loads,
    "pydantic, the same checks": Summary.model_validate_json,
    "orjson.loads + jsonschema-rs": lambda text: is_valid("summary", orjson.loads(text)),
    "json.loads + openwop-client, no checks": lambda text: _client._eval_summary_from_dict(
        json.loads(text)
    ),
    "json.loads + jsonschema": lambda text: _VALIDATOR.is_valid(json.loads(text)),
}

ENCODERS: dict[str, Callable[[object], object]] = {
    "orjson.dumps, a dict": orjson.dumps,
    "msgspec, a dict": _ENCODER.encode,
    "json.dumps, a dict": _dump_compact,
}

LINE_DECODERS: dict[str, Callable[[bytes], object]] = {
    "msgspec, untyped, no grading": _UNTYPED.decode,
    "orjson.loads, untyped, no grading": orjson.loads,
    "json.loads, untyped, no grading": json.loads,
}


def versions() -> str:
    """The peers and their versions."""
    names = ["msgspec", "orjson", "pydantic", "jsonschema-rs", "jsonschema", "openwop-client"]
    return ", ".join(f"{name} {version(name)}" for name in names)
