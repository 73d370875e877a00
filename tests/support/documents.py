"""A whole document of each kind, ways to change one place of it, and who judges it."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from openwop_evals import decode_suite, decode_summary, decode_trial
from openwop_evals.models import DOCUMENTS, Document, Kind

__all__ = [
    "DECODE",
    "SCHEMAS",
    "WHOLE",
    "changed",
    "is_valid",
    "load_schema",
    "value_at",
    "without",
]

Json = dict[str, Any]

SCHEMAS = Path(__file__).parents[2] / "schemas"

RUN_ID = "acme/0123456789abcdef"

# Every member that the schemas name stands here once.
WHOLE: dict[Kind, Json] = {
    "suite": {
        "suiteId": "acme.evals.sample",
        "version": "1.0.0",
        "targetAgentId": "acme:helper",
        "modes": ["golden", "rubric"],
        "allowedModels": ["coding", "general"],
        "thresholds": {"passScore": 0.7, "maxCostUsd": 2.5, "maxP95LatencyMs": 900},
        "trials": {"count": 3, "passRule": "mean"},
        "tasks": [
            {
                "taskId": "t1",
                "input": {"ask": "which?"},
                "expected": {
                    "kind": "golden",
                    "match": {"strategy": "exact", "value": "yes"},
                    "rubric": [{"criterion": "polite", "weight": 1.0}],
                    "trajectory": {
                        "match": "in-order",
                        "toolCalls": [{"tool": "shop:find", "args": {"id": 1}}],
                        "forbidden": ["shop:delete"],
                    },
                },
                "fixtures": {
                    "toolResponses": [{"tool": "shop:find", "response": [1]}],
                    "memorySeed": [{"note": "x"}],
                    "onMiss": "fail",
                },
            }
        ],
    },
    "summary": {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "evaluatedModelClass": "coding",
        "aggregateScore": 0.9,
        "gatedAggregateScore": 0.45,
        "passed": False,
        "taskCount": 1,
        "passedCount": 0,
        "totalCostUsd": 0.25,
        "trialStats": {"count": 3, "passRule": "all", "passAtK": 1.0, "passHatK": 0.0},
        "tasks": [
            {
                "taskId": "t1",
                "score": 0.9,
                "gatedScore": 0.45,
                "passed": False,
                "trials": {
                    "count": 3,
                    "passedCount": 1,
                    "meanScore": 0.9,
                    "passAtK": 1.0,
                    "passHatK": 0.0,
                },
                "costUsd": 0.25,
                "latencyMs": 120,
                "schemaValid": True,
                "safetyFindings": [{"kind": "pii", "severity": "low"}],
            }
        ],
        "pinnedNodeIds": ["node:1", "node:2"],
        "regression": {"baselineRunId": RUN_ID, "scoreDelta": -0.05, "diffRef": "diffs/1"},
    },
    "trial": {
        "taskId": "t1",
        "trial": 2,
        "score": 0.9,
        "output": {"answer": "yes"},
        "rubricMet": [True, False],
        "toolCalls": [{"tool": "shop:find", "args": {"id": 1}}],
        "trajectoryMatched": True,
        "fixtureMiss": False,
        "error": "timeout",
        "costUsd": 0.25,
        "latencyMs": 120,
        "schemaValid": True,
        "safetyFindings": [{"kind": "pii", "severity": "low"}],
    },
}

DECODE: dict[Kind, Callable[..., Document]] = {
    "suite": decode_suite,
    "summary": decode_summary,
    "trial": decode_trial,
}


def load_schema(file: str) -> Json:
    """One schema of the project."""
    schema: Json = json.loads((SCHEMAS / file).read_text("utf-8"))
    return schema


def is_valid(kind: Kind, value: object) -> bool:
    """What jsonschema-rs says of a value, an implementation that shares nothing with ours."""
    return _validator(kind).is_valid(value)


@cache
def _validator(kind: Kind) -> jsonschema_rs.Draft202012Validator:
    ids = load_schema("v2/ids.schema.json")
    return jsonschema_rs.Draft202012Validator(
        load_schema(DOCUMENTS[kind].file), registry=jsonschema_rs.Registry([(ids["$id"], ids)])
    )


def value_at(document: Json, pointer: str) -> Any:  # noqa: ANN401 - any JSON value
    """The value at a JSON Pointer."""
    value: Any = document
    for step in _steps(pointer):
        value = value[int(step) if isinstance(value, list) else step]
    return value


def changed(kind: Kind, pointer: str, value: object) -> Json:
    """The whole document of a kind with another value at a pointer, or a new member there."""
    document = copy.deepcopy(WHOLE[kind])
    parent, step = _parent(document, pointer)
    parent[step] = value
    return document


def without(kind: Kind, pointer: str) -> Json:
    """The whole document of a kind without the member at a pointer."""
    document = copy.deepcopy(WHOLE[kind])
    parent, step = _parent(document, pointer)
    del parent[step]
    return document


def _parent(document: Json, pointer: str) -> tuple[Any, Any]:
    parent = value_at(document, pointer.rpartition("/")[0])
    step = _steps(pointer)[-1]
    return parent, int(step) if isinstance(parent, list) else step


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
