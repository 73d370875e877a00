# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from msgspec import Meta, UNSET, UnsetType
from typing import Annotated, Any, Literal, TypeAlias
from openwop_evals._struct import Closed, check_ids, check_unique, ids_pattern
from .ids_schema import AgentId

_EVAL_TASK_TASK_ID = ids_pattern("^[a-z0-9][a-z0-9-]*$")


class Thresholds(Closed, kw_only=True, frozen=True, gc=False):
    """The bars of the run; each is inclusive (RFC 0081 §A)."""

    pass_score: Annotated[float, Meta(ge=0.0, le=1.0)] | UnsetType = UNSET
    "The least score that passes: a trial by its score, a task under the rule mean and the suite by their gating scores (RFC 0081 §A; RFC 0246 §B)."
    max_cost_usd: Annotated[float, Meta(ge=0.0)] | UnsetType = UNSET
    "The most that the whole run may cost, in US dollars (RFC 0081 §A)."
    max_p95_latency_ms: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "The most that the 95th percentile of the tasks' latencies may be, in milliseconds (RFC 0081 §A)."


class Trials(Closed, kw_only=True, frozen=True, gc=False):
    """How often every task of the suite is run, and how its trials decide the task (RFC 0244 §B). Absent means one trial a task."""

    count: Annotated[int, Meta(ge=1)]
    "Trials of each task (RFC 0244 §B)."
    pass_rule: Literal["all", "any", "mean"] | UnsetType = UNSET
    "How a task passes: all of its trials pass, any of them passes, or, for mean, the task's gating score (the mean of its trials' gating scores) is at least passScore. Absent means all (RFC 0244 §B; mean: RFC 0246 §B)."


class Match(Closed, kw_only=True, frozen=True):
    """The comparison of a golden task (RFC 0081 §A)."""

    strategy: Literal["exact", "contains", "json-match"]
    "exact: the same text. contains: the value's text within the output's. json-match: the same JSON value (RFC 0081 §A)."
    value: Any
    "What the output is compared with; any JSON value (RFC 0081 §A)."


class RubricCriterion(Closed, kw_only=True, frozen=True, gc=False):
    """One criterion and its share of the score (RFC 0081 §A)."""

    criterion: Annotated[str, Meta(min_length=1)]
    "What must be true of the output, in words (RFC 0081 §A)."
    weight: Annotated[float, Meta(ge=0.0, le=1.0)]
    "The criterion's share of the score (RFC 0081 §A)."


class ExpectedToolCall(Closed, kw_only=True, frozen=True):
    """One expected call (RFC 0244 §A)."""

    tool: Annotated[str, Meta(min_length=1)]
    "The tool, named <scope>:<tool-id> (RFC 0244 §A)."
    args: dict[str, Any] | UnsetType = UNSET
    "The arguments, compared as JSON values. Absent: any arguments (RFC 0244 §A)."


ForbiddenItem: TypeAlias = Annotated[str, Meta(min_length=1)]


class Trajectory(Closed, kw_only=True, frozen=True):
    """Which tool calls a trial may and must make (RFC 0244 §A). A trial that fails it keeps its score and counts 0 in the decisions: RFC 0246 (2026-10-15) §A."""

    match: Literal["exact", "in-order", "any-order"] | UnsetType = UNSET
    "How the calls are compared with toolCalls. exact: the same calls in the same order and no others. in-order: the expected calls in order, others between them allowed. any-order: each expected call by a call of its own. Absent means in-order (RFC 0244 §A)."
    tool_calls: tuple[ExpectedToolCall, ...] | UnsetType = UNSET
    "The expected calls. Absent: only forbidden constrains (RFC 0244 §A)."
    forbidden: Annotated[tuple[ForbiddenItem, ...], Meta(min_length=1)] | UnsetType = UNSET
    "Tools that must not be called, whatever became of the call (RFC 0244 §A)."

    def __post_init__(self) -> None:
        if self.forbidden is not UNSET:
            check_unique("forbidden", self.forbidden)


class Expected(Closed, kw_only=True, frozen=True):
    """How the task is judged: its output by match or rubric, its tool calls by trajectory (RFC 0081 §A; RFC 0244 §A)."""

    kind: Literal["golden", "rubric"]
    "golden: the output is compared with a value. rubric: the output is judged by criteria (RFC 0081 §A)."
    match: Match | UnsetType = UNSET
    "The comparison of a golden task (RFC 0081 §A)."
    rubric: Annotated[tuple[RubricCriterion, ...], Meta(min_length=1)] | UnsetType = UNSET
    "The criteria of a rubric task; their weights should sum to 1 (RFC 0081 §A)."
    trajectory: Trajectory | UnsetType = UNSET
    "Which tool calls a trial may and must make (RFC 0244 §A). A trial that fails it keeps its score and counts 0 in the decisions: RFC 0246 (2026-10-15) §A."


class ToolResponse(Closed, kw_only=True, frozen=True):
    """The recorded answer of one tool (RFC 0244 §D)."""

    tool: Annotated[str, Meta(min_length=1)]
    "The tool that answers (RFC 0244 §D)."
    response: Any
    "Its answer; any JSON value (RFC 0244 §D)."


class Fixtures(Closed, kw_only=True, frozen=True):
    """Recorded surroundings that make the task repeatable (RFC 0081 §A; RFC 0244 §D)."""

    tool_responses: tuple[ToolResponse, ...] | UnsetType = UNSET
    "Recorded answers of tools (RFC 0244 §D)."
    memory_seed: tuple[dict[str, Any], ...] | UnsetType = UNSET
    "What the agent's memory holds at the start (RFC 0081 §A)."
    on_miss: Literal["fail", "live"] | UnsetType = UNSET
    "What happens when a tool has no recorded answer. fail: the trial fails closed and scores 0. live: the real tool is called (RFC 0244 §D)."


class EvalTask(Closed, kw_only=True, frozen=True):
    """One task: what the agent is given and what is expected of it (RFC 0081 §A)."""

    task_id: str
    "Names the task in its suite (RFC 0081 §A)."
    input: Any
    "What the agent is given; any JSON value, not interpreted (RFC 0081 §A)."
    expected: Expected
    "How the task is judged: its output by match or rubric, its tool calls by trajectory (RFC 0081 §A; RFC 0244 §A)."
    fixtures: Fixtures | UnsetType = UNSET
    "Recorded surroundings that make the task repeatable (RFC 0081 §A; RFC 0244 §D)."


class AgentEvalSuite(Closed, kw_only=True, frozen=True):
    """What an agent is asked to do, what each task must produce, which tool calls it may make, and the bars that the run must meet (RFC 0081 §A; trajectories, trials and fixtures: RFC 0244)."""

    suite_id: Annotated[str, Meta(pattern="^[a-z0-9.-]+\\.evals\\.[a-z0-9-]+\\Z")]
    "Names the suite across its versions (RFC 0081 §A)."
    version: Annotated[str, Meta(pattern="^[0-9]+\\.[0-9]+\\.[0-9]+\\Z")]
    "Version of the suite: three numbers, major.minor.patch (RFC 0081 §A)."
    target_agent_id: AgentId | UnsetType = UNSET
    "The agent that the suite was written for, where it was written for one (RFC 0081 §A)."
    modes: Annotated[
        tuple[Literal["golden", "rubric", "adversarial", "regression", "live-shadow"], ...],
        Meta(min_length=1),
    ]
    "The kinds of evaluation that the suite takes part in (RFC 0081 §A)."
    allowed_models: (
        tuple[
            Literal["reasoning", "writing", "coding", "research", "classification", "general"], ...
        ]
        | UnsetType
    ) = UNSET
    "The model classes that may be evaluated; absent means any (RFC 0081 §A)."
    thresholds: Thresholds | UnsetType = UNSET
    "The bars of the run; each is inclusive (RFC 0081 §A)."
    trials: Trials | UnsetType = UNSET
    "How often every task of the suite is run, and how its trials decide the task (RFC 0244 §B). Absent means one trial a task."
    tasks: Annotated[tuple[EvalTask, ...], Meta(min_length=1)]
    "The tasks. Each taskId stands once in a suite (RFC 0081 §A)."

    def __post_init__(self) -> None:
        check_ids("tasks", _EVAL_TASK_TASK_ID, [item.task_id for item in self.tasks])
        check_unique("modes", self.modes)
        if self.allowed_models is not UNSET:
            check_unique("allowedModels", self.allowed_models)
