# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from typing import Annotated, Any, Literal
from msgspec import Meta, UNSET, UnsetType
from openwop_evals._struct import Closed


class ReportFact(Closed, kw_only=True, frozen=True):
    """One named value that the answer rests on."""

    name: str
    "What it is, such as gating aggregate."
    value: Any
    "The value; null where it is unknown."
    remark: str | UnsetType = UNSET
    "What is to be said of it, such as the bar and whether it is met."


class ReportTrial(Closed, kw_only=True, frozen=True, gc=False):
    """One trial of a task."""

    trial: Annotated[int, Meta(ge=0)]
    "Which trial, from 0."
    score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "Its score."
    gating_score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "What it counts in the decisions (RFC 0246 §A)."
    passed: bool
    "Its verdict (RFC 0244 §A)."
    state: Literal["measured", "errored", "fixture-miss"]
    "measured, or why it was not."


class ReportTask(Closed, kw_only=True, frozen=True, gc=False):
    """One task: its two scores, its verdict, its trials."""

    task_id: str
    "The task."
    score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "Its score."
    gated_score: Annotated[float, Meta(ge=0.0, le=1.0)] | UnsetType = UNSET
    "Its gating score, where the summary carries it (RFC 0246 §D)."
    passed: bool
    "Its verdict (RFC 0246 §B)."
    trials: tuple[ReportTrial, ...]
    "Its trials, in order."


class ReportNote(Closed, kw_only=True, frozen=True, gc=False):
    """One thing that was found, and where."""

    level: Literal["error", "warning", "note"]
    "error: a reason for the answer no. warning: what a reader should know. note: what else was seen."
    code: str
    "What was found; stable."
    message: str
    "The same in words."
    section: str | UnsetType = UNSET
    "The section of an RFC that it rests on."
    file: str | UnsetType = UNSET
    "The file."
    line: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    "The line in the file, from 1."
    column: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    "The character in the line, from 1."
    pointer: str | UnsetType = UNSET
    "JSON Pointer to the value in the document."
    task_id: str | UnsetType = UNSET
    "The task."
    trial: int | UnsetType = UNSET
    "The trial, from 0."
    call_index: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "The tool call of the trial, from 0."
    tool: str | UnsetType = UNSET
    "The tool."


class ReportAssertion(Closed, kw_only=True, frozen=True, gc=False):
    """One thing that the requirement asks of the run."""

    name: str
    "Names the assertion within the requirement."
    section: str
    "The section that asks for it."
    expected: str
    "What was expected."
    found: str
    "What was found."
    holds: bool
    "Whether that is what was expected."


class ReportLeg(Closed, kw_only=True, frozen=True, gc=False):
    """One leg: a requirement, and what it came to on the host."""

    requirement: str
    "The id of the requirement."
    disposition: Literal["passed", "failed", "inapplicable", "blocked"]
    "What it came to: inapplicable where the host makes no such claim, blocked where it could not be judged."
    reason: str
    "Why."
    assertions: tuple[ReportAssertion, ...]
    "What was asserted."


class Report(Closed, kw_only=True, frozen=True):
    """What a command found, as --report json prints it."""

    version: Annotated[int, Meta(ge=1, le=1)]
    "Version of this shape: 1."
    command: Literal["grade", "gate", "verify", "validate", "conformance"]
    "The command."
    subject: str
    "What it looked at."
    verdict: str
    "Its answer in words, such as not passed."
    ok: bool
    "Whether the answer is yes, so that the command exits 0."
    facts: tuple[ReportFact, ...]
    "The values that the answer rests on."
    tasks: tuple[ReportTask, ...]
    "The tasks, where the command looks at them."
    notes: tuple[ReportNote, ...]
    "What was found, the reasons for the answer first."
    legs: tuple[ReportLeg, ...] | UnsetType = UNSET
    "The legs of the command conformance."
