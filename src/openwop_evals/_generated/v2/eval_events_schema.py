# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from typing import Annotated, Any, Literal
from msgspec import Meta, UNSET, UnsetType
from openwop_evals._struct import Closed, check_unique
from .ids_schema import NodeId, RunId


class EvalScored(Closed, kw_only=True, frozen=True, gc=False):
    """The payload of eval.scored: one a task, one a trial when the suite has trials (RFC 0081; RFC 0244 §B)."""

    task_id: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*\\Z")]
    "The task (RFC 0081)."
    score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "The reported score. A wrong path does not change it (RFC 0081; RFC 0246 §C)."
    passed: bool
    "The verdict on the trial: false when its trajectory did not match, however good its score (RFC 0244 §A)."
    cost_usd: Annotated[float, Meta(ge=0.0)] | UnsetType = UNSET
    "Its cost in US dollars (RFC 0081)."
    latency_ms: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "Its latency in milliseconds (RFC 0081)."
    schema_valid: bool | UnsetType = UNSET
    "Whether the output met the agent's schema (RFC 0081)."
    safety_finding_count: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "How many things safety checks found (RFC 0081)."
    trial: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "Which trial of its task, from 0; present when the suite has trials (RFC 0244 §B)."


class EvalCompleted(Closed, kw_only=True, frozen=True, gc=False):
    """The payload of eval.completed: one, after every score; it agrees with the summary (RFC 0081)."""

    aggregate_score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "The summary's aggregateScore. A measurement (RFC 0081; RFC 0246 §C)."
    passed: bool
    "The summary's passed: the gating aggregate decides (RFC 0246 §B)."
    task_count: Annotated[int, Meta(ge=0)]
    "Tasks of the suite (RFC 0081)."
    passed_count: Annotated[int, Meta(ge=0)]
    "Tasks that passed (RFC 0081)."
    regression_vs_baseline: Annotated[float, Meta(ge=-1.0, le=1.0)] | UnsetType = UNSET
    "The summary's scoreDelta against the baseline (RFC 0081)."


class RunEvent(Closed, kw_only=True, frozen=True):
    """The envelope of one event of a run's log. The payloads of eval.started, eval.scored and eval.completed are defined below; those of other types are not looked into."""

    event_id: Annotated[str, Meta(min_length=1)]
    "Identifies the event (RFC 0081)."
    run_id: RunId
    "The run (RFC 0081)."
    type: Annotated[str, Meta(min_length=1)]
    "What happened, such as eval.scored. Readers tolerate types that they do not know (RFC 0081)."
    payload: Any
    "What the type defines (RFC 0081)."
    timestamp: Annotated[str, Meta(min_length=1)]
    "When it happened, in ISO 8601 (RFC 0081)."
    sequence: Annotated[int, Meta(ge=0)]
    "Its place in the log: from 0, strictly increasing (RFC 0081)."
    schema_version: Annotated[int, Meta(ge=1)]
    "Version of the payload's shape (RFC 0081)."
    node_id: NodeId | UnsetType = UNSET
    "The node that it is about (RFC 0081)."
    engine_version: int | UnsetType = UNSET
    "Version of the engine that wrote it (RFC 0081)."
    causation_id: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET
    "The event that caused it (RFC 0081)."


class EvalStarted(Closed, kw_only=True, frozen=True):
    """The payload of eval.started: one, before every score (RFC 0081)."""

    suite_id: Annotated[str, Meta(pattern="^[a-z0-9.-]+\\.evals\\.[a-z0-9-]+\\Z")]
    "The suite that is run (RFC 0081)."
    suite_version: Annotated[str, Meta(pattern="^[0-9]+\\.[0-9]+\\.[0-9]+\\Z")]
    "Its version (RFC 0081)."
    task_count: Annotated[int, Meta(ge=0)]
    "Tasks of the suite (RFC 0081)."
    modes: Annotated[
        tuple[Literal["golden", "rubric", "adversarial", "regression", "live-shadow"], ...],
        Meta(min_length=1),
    ]
    "The modes of the suite (RFC 0081)."
    baseline_run_id: RunId | UnsetType = UNSET
    "The run that this one is compared with (RFC 0081)."
    fixture_runs: dict[str, Any] | UnsetType = UNSET
    "By task: the run whose recorded tool calls are the fixtures of the task (RFC 0244 §D)."

    def __post_init__(self) -> None:
        check_unique("modes", self.modes)
