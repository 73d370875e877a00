"""A whole event and a whole payload of each type, and who judges them."""

import json
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec

from openwop_evals.models import EVENT_SCHEMA, PAYLOADS, EventType, Payload

from .builders import Json
from .documents import RUN_ID, load_schema

__all__ = ["ENVELOPE", "WHOLE_PAYLOADS", "is_valid_event", "is_valid_payload", "on_the_wire"]

# Every member that the schema names stands here once.
ENVELOPE: Json = {
    "eventId": "event-1",
    "runId": RUN_ID,
    "type": "eval.scored",
    "payload": {"taskId": "t1", "score": 0.9, "passed": True},
    "timestamp": "2026-10-15T00:00:00Z",
    "sequence": 1,
    "schemaVersion": 1,
    "nodeId": "node:1",
    "engineVersion": 3,
    "causationId": "event-0",
}
WHOLE_PAYLOADS: dict[EventType, Json] = {
    "eval.started": {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "taskCount": 2,
        "modes": ["golden", "rubric"],
        "baselineRunId": RUN_ID,
        "fixtureRuns": {"t1": RUN_ID},
    },
    "eval.scored": {
        "taskId": "t1",
        "score": 0.9,
        "passed": False,
        "costUsd": 0.25,
        "latencyMs": 120,
        "schemaValid": True,
        "safetyFindingCount": 2,
        "trial": 1,
    },
    "eval.completed": {
        "aggregateScore": 0.9,
        "passed": False,
        "taskCount": 2,
        "passedCount": 1,
        "regressionVsBaseline": -0.05,
    },
}


def is_valid_event(value: object) -> bool:
    """What jsonschema-rs says of an envelope."""
    return _validator(EVENT_SCHEMA).is_valid(value)


def is_valid_payload(type_: EventType, value: object) -> bool:
    """What jsonschema-rs says of the payload of a type."""
    return _validator(PAYLOADS[type_].schema_id).is_valid(value)


@cache
def _validator(schema_id: str) -> jsonschema_rs.Draft202012Validator:
    schemas = [load_schema("v2/eval-events.schema.json"), load_schema("v2/ids.schema.json")]
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas])
    return jsonschema_rs.Draft202012Validator({"$ref": schema_id}, registry=registry)


def on_the_wire(payload: Payload) -> Json:
    """A payload as a reader of the wire sees it."""
    read: Any = json.loads(msgspec.json.encode(payload))
    assert isinstance(read, dict)
    return read
