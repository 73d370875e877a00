"""A summary judged by its suite: the tasks, the fields that must be there, the decisions."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from openwop_evals.grading.bars import bars_of, is_met, p95_latency
from openwop_evals.grading.gating import (
    mean_passes,
    must_carry_gated_aggregate,
    must_carry_gated_score,
    suite_passes,
)
from openwop_evals.grading.policy import pass_rule_of
from openwop_evals.models import AgentEvalSuite, EvalSummary, EvalTask, TaskResult

from .alone import gating_of, rows_cost
from .findings import Finding, are_one, is_consistent

__all__ = [
    "decisions",
    "gating_aggregate_of",
    "gating_is_known",
    "identity",
    "paired",
    "predates_gate",
    "presence",
    "trial_blocks",
    "unmet_bars",
]


def identity(summary: EvalSummary, suite: AgentEvalSuite) -> Iterator[Finding]:
    """Whether the summary is of this suite: its id, its version, its tasks in its order."""
    for code, pointer, expected, found in (
        ("suite-id", "/suiteId", suite.suite_id, summary.suite_id),
        ("suite-version", "/suiteVersion", suite.version, summary.suite_version),
    ):
        if found != expected:
            yield Finding(
                code=code, pointer=pointer, expected=expected, found=found, section="RFC 0081"
            )
    model, allowed = summary.evaluated_model_class, suite.allowed_models
    if model is not UNSET and allowed is not UNSET and model not in allowed:
        yield Finding(
            code="model-class",
            pointer="/evaluatedModelClass",
            expected=f"one of {', '.join(allowed)}",
            found=model,
            section="RFC 0081 §A",
        )
    yield from _tasks(summary, suite)


def _tasks(summary: EvalSummary, suite: AgentEvalSuite) -> Iterator[Finding]:
    wanted = [task.task_id for task in suite.tasks]
    known = set(wanted)
    present = dict.fromkeys(row.task_id for row in summary.tasks)
    for task_id in wanted:
        if task_id not in present:
            yield Finding(
                code="task-missing",
                pointer="/tasks",
                expected=f"a row for {task_id}",
                found=None,
                section="RFC 0081",
                task_id=task_id,
            )
    for at, row in enumerate(summary.tasks):
        if row.task_id not in known:
            yield Finding(
                code="task-extra",
                pointer=f"/tasks/{at}/taskId",
                expected="a task of the suite",
                found=row.task_id,
                section="RFC 0081",
                task_id=row.task_id,
            )
    order = [task_id for task_id in wanted if task_id in present]
    for at, task_id in enumerate(task_id for task_id in present if task_id in known):
        if task_id != order[at]:
            yield Finding(
                code="task-order",
                pointer="/tasks",
                expected=f"{order[at]} before {task_id}, as in the suite",
                found=f"{task_id} first",
                section="RFC 0081",
                task_id=task_id,
            )
            return


def predates_gate(summary: EvalSummary, suite: AgentEvalSuite) -> bool:
    """Whether the host has not heard of RFC 0246: a suite with trajectories, neither field."""
    return (
        must_carry_gated_aggregate(suite)
        and summary.gated_aggregate_score is UNSET
        and all(row.gated_score is UNSET for row in summary.tasks)
    )


def presence(summary: EvalSummary, suite: AgentEvalSuite) -> Iterator[Finding]:
    """Whether the gated fields are where they must be, and nowhere else (RFC 0246 §D)."""
    if predates_gate(summary, suite):
        yield Finding(
            code="predates-rfc-0246",
            pointer="",
            expected="gatedScore and gatedAggregateScore, since a task has a trajectory",
            found=None,
            section="RFC 0246 §D",
        )
        return
    for pointer, row, task in paired(summary, suite):
        if must_carry_gated_score(task) and row.gated_score is UNSET:
            yield Finding(
                code="gated-score-absent",
                pointer=f"{pointer}/gatedScore",
                expected="gatedScore, since the task has a trajectory",
                found=None,
                section="RFC 0246 §D",
                task_id=row.task_id,
            )
        if not must_carry_gated_score(task) and row.gated_score == row.score:
            yield Finding(
                code="gated-score-unexpected",
                pointer=f"{pointer}/gatedScore",
                expected="no gatedScore, since it does not differ and there is no trajectory",
                found=row.gated_score,
                section="RFC 0246 §D",
                task_id=row.task_id,
            )
    gated, must = summary.gated_aggregate_score, must_carry_gated_aggregate(suite)
    if must and gated is UNSET:
        yield Finding(
            code="gated-aggregate-absent",
            pointer="/gatedAggregateScore",
            expected="gatedAggregateScore, since a task has a trajectory",
            found=None,
            section="RFC 0246 §D",
        )
    if not must and gated is not UNSET and all(row.gated_score is UNSET for row in summary.tasks):
        yield Finding(
            code="gated-aggregate-unexpected",
            pointer="/gatedAggregateScore",
            expected="no gatedAggregateScore, since no task has a trajectory or a gatedScore",
            found=gated,
            section="RFC 0246 §D",
        )


def trial_blocks(summary: EvalSummary, suite: AgentEvalSuite) -> Iterator[Finding]:
    """Whether the trials are reported where the suite has them, and as many (RFC 0244 §B)."""
    has_trials = suite.trials is not UNSET
    count = 1 if suite.trials is UNSET else suite.trials.count
    for pointer, row, _ in paired(summary, suite):
        yield from _block("trials", f"{pointer}/trials", row.trials, row.task_id, has=has_trials)
        if has_trials and row.trials is not UNSET and row.trials.count != count:
            found = row.trials.count
            yield _differs("trials-count", f"{pointer}/trials/count", count, found, row.task_id)
    stats = summary.trial_stats
    yield from _block("trial-stats", "/trialStats", stats, None, has=has_trials)
    if has_trials and stats is not UNSET:
        if stats.count != count:
            yield _differs("trial-stats-count", "/trialStats/count", count, stats.count)
        rule = pass_rule_of(suite)
        if stats.pass_rule != rule:
            yield _differs("trial-stats-pass-rule", "/trialStats/passRule", rule, stats.pass_rule)


def _block(
    name: str, pointer: str, block: object, task_id: str | None, *, has: bool
) -> Iterator[Finding]:
    if has is not (block is UNSET):
        return
    yield Finding(
        code=f"{name}-absent" if has else f"{name}-unexpected",
        pointer=pointer,
        expected="the block, since the suite has trials"
        if has
        else "none: the suite has no trials",
        found=None if has else "the block",
        section="RFC 0244 §B",
        task_id=task_id,
    )


def _differs(
    code: str, pointer: str, expected: object, found: object, task_id: str | None = None
) -> Finding:
    return Finding(
        code=code,
        pointer=pointer,
        expected=expected,
        found=found,
        section="RFC 0244 §B",
        task_id=task_id,
    )


def decisions(summary: EvalSummary, suite: AgentEvalSuite, pass_score: float) -> Iterator[Finding]:
    """Whether the verdicts follow from the numbers as they are written (RFC 0246 §B)."""
    for pointer, row, task in paired(summary, suite):
        verdict = _task_verdict(row, task, suite, pass_score)
        if verdict is not None and row.passed is not verdict:
            yield Finding(
                code="task-passed",
                pointer=f"{pointer}/passed",
                expected=verdict,
                found=row.passed,
                section="RFC 0246 §B" if pass_rule_of(suite) == "mean" else "RFC 0244 §A",
                task_id=row.task_id,
            )
        yield from _gating_bounds(row, task, pointer, pass_score)
    met = not unmet_bars(summary, suite)
    gating = gating_aggregate_of(summary, suite)
    if gating is None:  # the aggregate is no less than what the gate reads
        verdict = None if summary.aggregate_score >= pass_score and met else False
    else:
        verdict = suite_passes(gating, pass_score, cost_met=met, latency_met=met)
    if verdict is not None and summary.passed is not verdict:
        yield Finding(
            code="passed",
            pointer="/passed",
            expected=verdict,
            found=summary.passed,
            section="RFC 0246 §B",
        )


def _gating_bounds(
    row: TaskResult, task: EvalTask, pointer: str, pass_score: float
) -> Iterator[Finding]:
    """A trial that passed counts passScore to 1, one that did not at most passScore."""
    if row.trials is UNSET or (must_carry_gated_score(task) and row.gated_score is UNSET):
        return
    passed = min(row.trials.passed_count / row.trials.count, 1.0)
    least, most = passed * pass_score, passed + (1 - passed) * pass_score
    gating = gating_of(row)
    below = gating < least and not is_consistent(gating, least)
    above = gating > most and not is_consistent(gating, most)
    if below or above:
        limits = f"{least!r} to {most!r}, since {row.trials.passed_count} trials passed"
        yield Finding(
            code="trials-passed-score",
            pointer=f"{pointer}/trials/passedCount",
            expected=f"a gating score of {limits}",
            found=gating,
            section="RFC 0244 §A",
            task_id=row.task_id,
        )


def gating_aggregate_of(summary: EvalSummary, suite: AgentEvalSuite) -> float | None:
    """The gating aggregate as written, never above the aggregate; None where it is not told."""
    if summary.gated_aggregate_score is not UNSET:
        return min(summary.gated_aggregate_score, summary.aggregate_score)
    gates = must_carry_gated_aggregate(suite) or any(
        row.gated_score is not UNSET for row in summary.tasks
    )
    return None if gates else summary.aggregate_score


def gating_is_known(summary: EvalSummary, suite: AgentEvalSuite) -> bool:
    """Whether the rows tell every gating score that must be told (RFC 0246 §D)."""
    return not any(
        must_carry_gated_score(task) and row.gated_score is UNSET
        for _, row, task in paired(summary, suite)
    )


def unmet_bars(summary: EvalSummary, suite: AgentEvalSuite) -> list[str]:
    """The bars on cost and latency that the run does not meet, in words (RFC 0081 §A)."""
    bars = bars_of(suite)
    unmet = []
    cost = cost_of(summary)
    if not is_met(cost, bars.max_cost_usd):
        shown = "unknown" if cost is UNSET else repr(cost)
        unmet.append(f"cost {shown} against maxCostUsd {bars.max_cost_usd!r}")
    p95 = p95_latency([row.latency_ms for row in summary.tasks]) if summary.tasks else None
    if not is_met(p95, bars.max_p95_latency_ms):
        shown = "unknown" if p95 is None else repr(p95)
        unmet.append(f"p95 latency {shown} against maxP95LatencyMs {bars.max_p95_latency_ms!r}")
    return unmet


def cost_of(summary: EvalSummary) -> float | UnsetType:
    """The cost of the run: its total, or that of its rows where they come to more."""
    if summary.total_cost_usd is UNSET:
        return UNSET
    return max(summary.total_cost_usd, rows_cost(summary))


def _task_verdict(
    row: TaskResult, task: EvalTask, suite: AgentEvalSuite, pass_score: float
) -> bool | None:
    """What a row's own numbers say of its verdict; None where they leave it open."""
    rule = pass_rule_of(suite)
    untold = must_carry_gated_score(task) and row.gated_score is UNSET
    gating = min(gating_of(row), row.score)
    if rule == "mean":
        if untold:  # the score is no less than what the gate reads
            return None if row.score >= pass_score else False
        return mean_passes(gating, pass_score)
    if suite.trials is not UNSET:
        if row.trials is UNSET:
            return None
        c, n = row.trials.passed_count, row.trials.count
        return c == n if rule == "all" else c > 0
    if not (row.score >= pass_score) or not _is_whole(gating, row.score):
        return False
    # A trial that scored 0 may have failed its path, missed a fixture or errored.
    return None if untold or not row.score else True


def _is_whole(gating: float, score: float) -> bool:
    """Whether the one trial was not gated: it counts its score or 0, and nothing between."""
    return gating == score or (gating > 0 and are_one(gating, score))


def paired(
    summary: EvalSummary, suite: AgentEvalSuite
) -> Iterator[tuple[str, TaskResult, EvalTask]]:
    """Each row of a task of the suite, with its pointer and its task."""
    tasks = {task.task_id: task for task in suite.tasks}
    for at, row in enumerate(summary.tasks):
        if row.task_id in tasks:
            yield f"/tasks/{at}", row, tasks[row.task_id]
