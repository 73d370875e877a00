# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from typing import Annotated, Any, Literal
from msgspec import Meta, UNSET, UnsetType
from openwop_evals._struct import Closed


class ToolCall(Closed, kw_only=True, frozen=True):
    """One tool call (RFC 0244 §A)."""

    tool: Annotated[str, Meta(min_length=1)]
    "The tool, named <scope>:<tool-id> (RFC 0244 §A)."
    args: dict[str, Any] | UnsetType = UNSET
    "Its arguments; absent means none (RFC 0244 §A)."


class TrialSafetyFinding(Closed, kw_only=True, frozen=True, gc=False):
    """One finding, without the content that caused it (RFC 0081)."""

    kind: Annotated[str, Meta(min_length=1)]
    "What was found (RFC 0081)."
    severity: Literal["low", "medium", "high", "critical"]
    "How grave it is (RFC 0081)."


class TrialRecord(Closed, kw_only=True, frozen=True):
    """One line of a trial log: what one trial of one task did. The format is this project's own; what its members mean for the gate: RFC 0244 §A, RFC 0246 §A. It carries exactly one of score, output and rubricMet; with error none of them, with fixtureMiss none or a score of 0."""

    task_id: Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*\\Z")]
    "The task of the suite (RFC 0081 §A)."
    trial: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "Which trial of the task, counted from 0; absent means 0 (RFC 0244 §B)."
    score: Annotated[float, Meta(ge=0.0, le=1.0)] | UnsetType = UNSET
    "The output's score as the host judged it; the trajectory has no part in it (RFC 0244 §A)."
    output: Any | UnsetType = UNSET
    "The output of a golden task, to be scored here; any JSON value (RFC 0081 §A)."
    rubric_met: tuple[bool, ...] | UnsetType = UNSET
    "For a rubric task, whether each criterion was met, in the suite's order (RFC 0081 §A)."
    tool_calls: tuple[ToolCall, ...] | UnsetType = UNSET
    "Every tool call of the trial in order, refused and failed ones too. Empty: no call was made. Absent: not recorded (RFC 0244 §A)."
    trajectory_matched: bool | UnsetType = UNSET
    "The host's own verdict on the trajectory; with toolCalls the stricter of the two holds (RFC 0244 §A)."
    fixture_miss: bool | UnsetType = UNSET
    "Whether the trial failed closed because a tool had no recorded answer (RFC 0244 §D)."
    error: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET
    "The trial errored: a short code without content. It counts as a failed trial with score 0 (RFC 0081)."
    cost_usd: Annotated[float, Meta(ge=0.0)] | None | UnsetType = UNSET
    "Cost of the trial in US dollars; null, like absent, where the host cannot tell it (RFC 0081)."
    latency_ms: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "Latency of the trial in milliseconds (RFC 0081)."
    schema_valid: bool | UnsetType = UNSET
    "Whether the output met the agent's declared output schema (RFC 0081)."
    safety_findings: tuple[TrialSafetyFinding, ...] | UnsetType = UNSET
    "What safety checks found in the trial (RFC 0081)."
