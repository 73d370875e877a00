# Generated from schemas/ (OpenWOP v2) by `nox -s codegen`; not to be edited.

from __future__ import annotations

from typing import Annotated, Literal
from msgspec import Meta, UNSET, UnsetType
from openwop_evals._struct import Closed, check_ids, check_unique, ids_pattern
from .ids_schema import NodeId, RunId

_TASK_RESULT_TASK_ID = ids_pattern("^[a-z0-9][a-z0-9-]*$")


class TrialStats(Closed, kw_only=True, frozen=True, gc=False):
    """The trials of the whole run, over outcomes and not over gating scores. Present when the suite has trials (RFC 0244 §B; RFC 0246 §C)."""

    count: Annotated[int, Meta(ge=1)]
    "Trials of each task (RFC 0244 §B)."
    pass_rule: Literal["all", "any", "mean"]
    "The rule in force: how a task's trials decide the task; mean reads gating scores (RFC 0244 §B; RFC 0246 §B)."
    pass_at_k: Annotated[float, Meta(ge=0.0, le=1.0)]
    "Mean over the tasks of pass@k at k = count (RFC 0244 §B)."
    pass_hat_k: Annotated[float, Meta(ge=0.0, le=1.0)]
    "Mean over the tasks of pass^k at k = count (RFC 0244 §B)."


class TaskTrials(Closed, kw_only=True, frozen=True, gc=False):
    """The task's trials, over outcomes. Present when the suite has trials (RFC 0244 §B)."""

    count: Annotated[int, Meta(ge=1)]
    "Trials of the task (RFC 0244 §B)."
    passed_count: Annotated[int, Meta(ge=0)]
    "Trials that passed (RFC 0244 §B)."
    mean_score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "Mean of the trials' scores (RFC 0244 §B). The rule mean compares the gating score instead: RFC 0246 (2026-10-15) §B."
    pass_at_k: Annotated[float, Meta(ge=0.0, le=1.0)]
    "pass@k at k = count: 1 when a trial passed, else 0 (RFC 0244 §B)."
    pass_hat_k: Annotated[float, Meta(ge=0.0, le=1.0)]
    "pass^k at k = count: 1 when every trial passed, else 0 (RFC 0244 §B)."


class SafetyFinding(Closed, kw_only=True, frozen=True, gc=False):
    """One finding, without the content that caused it (RFC 0081)."""

    kind: Annotated[str, Meta(min_length=1)]
    "What was found (RFC 0081)."
    severity: Literal["low", "medium", "high", "critical"]
    "How grave it is (RFC 0081)."


class TaskResult(Closed, kw_only=True, frozen=True, gc=False):
    """The result of one task (RFC 0081)."""

    task_id: str
    "The task (RFC 0081)."
    score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "The task's score: its trial's, or the mean of its trials'. A measurement that no gate changes (RFC 0081; RFC 0246 §C)."
    gated_score: Annotated[float, Meta(ge=0.0, le=1.0)] | UnsetType = UNSET
    "The task's gating score: the mean over its trials, a trial whose trajectory failed or that failed closed counting 0. Always present on a task with expected.trajectory, elsewhere only where it differs from score (RFC 0246 §A, §D)."
    passed: bool
    "Whether the task passed: by its trials' verdicts, or under mean by its gating score (RFC 0244 §B; RFC 0246 §B)."
    trials: TaskTrials | UnsetType = UNSET
    "The task's trials, over outcomes. Present when the suite has trials (RFC 0244 §B)."
    cost_usd: Annotated[float, Meta(ge=0.0)] | UnsetType = UNSET
    "Cost of the task in US dollars, all trials (RFC 0081)."
    latency_ms: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    "Latency of the task in milliseconds (RFC 0081)."
    schema_valid: bool | UnsetType = UNSET
    "Whether the outputs met the agent's declared output schema (RFC 0081)."
    safety_findings: tuple[SafetyFinding, ...] | UnsetType = UNSET
    "What safety checks found in the task's trials (RFC 0081)."


class Regression(Closed, kw_only=True, frozen=True, gc=False):
    """The comparison with an earlier run of the same suite and version (RFC 0081)."""

    baseline_run_id: RunId
    "The run that this one is compared with (RFC 0081)."
    score_delta: Annotated[float, Meta(ge=-1.0, le=1.0)]
    "This run's aggregateScore less the baseline's (RFC 0081)."
    diff_ref: str | UnsetType = UNSET
    "Where a detailed comparison can be found (RFC 0081)."


class EvalSummary(Closed, kw_only=True, frozen=True, gc=False):
    """The result of one run of a suite (RFC 0081). It is content-free: scores, ids and counts, never an output, a prompt or an argument."""

    suite_id: Annotated[str, Meta(pattern="^[a-z0-9.-]+\\.evals\\.[a-z0-9-]+\\Z")]
    "The suite that was run (RFC 0081)."
    suite_version: Annotated[str, Meta(pattern="^[0-9]+\\.[0-9]+\\.[0-9]+\\Z")]
    "The version of the suite that was run (RFC 0081)."
    evaluated_model_class: (
        Literal["reasoning", "writing", "coding", "research", "classification", "general"]
        | UnsetType
    ) = UNSET
    "The class of the model that was evaluated (RFC 0081)."
    aggregate_score: Annotated[float, Meta(ge=0.0, le=1.0)]
    "The host's aggregation of the tasks' scores. A measurement: the gate reads gatedAggregateScore where a task has a trajectory (RFC 0081; RFC 0246 §C)."
    gated_aggregate_score: Annotated[float, Meta(ge=0.0, le=1.0)] | UnsetType = UNSET
    "The gating aggregate: the aggregation that makes aggregateScore, over the tasks' gating scores. Present whenever a task of the suite has expected.trajectory (RFC 0246 §A, §D)."
    passed: bool
    "Whether the run passed: the gating aggregate is at least passScore, and cost and latency are within their bars where the suite declares them. Deployment gates read this (RFC 0246 §B; RFC 0082)."
    task_count: Annotated[int, Meta(ge=0)]
    "Tasks of the suite (RFC 0081)."
    passed_count: Annotated[int, Meta(ge=0)]
    "Tasks that passed (RFC 0081)."
    total_cost_usd: Annotated[float, Meta(ge=0.0)] | UnsetType = UNSET
    "Cost of the run in US dollars (RFC 0081)."
    trial_stats: TrialStats | UnsetType = UNSET
    "The trials of the whole run, over outcomes and not over gating scores. Present when the suite has trials (RFC 0244 §B; RFC 0246 §C)."
    tasks: tuple[TaskResult, ...]
    "One row a task, in the order of the suite (RFC 0081)."
    pinned_node_ids: tuple[NodeId, ...] | UnsetType = UNSET
    "Workflow nodes that were held to recorded results during the run (RFC 0081)."
    regression: Regression | UnsetType = UNSET
    "The comparison with an earlier run of the same suite and version (RFC 0081)."

    def __post_init__(self) -> None:
        check_ids("tasks", _TASK_RESULT_TASK_ID, [item.task_id for item in self.tasks])
        if self.pinned_node_ids is not UNSET:
            check_unique("pinnedNodeIds", self.pinned_node_ids)
