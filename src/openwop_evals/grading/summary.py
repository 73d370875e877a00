"""A suite and its trials to a gated EvalSummary."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from openwop_evals._roundtrip import require
from openwop_evals.errors import GradingError, Problem
from openwop_evals.models import (
    AgentEvalSuite,
    EvalSummary,
    EvalTask,
    Regression,
    SafetyFinding,
    TaskResult,
    TaskTrials,
    TrialRecord,
    TrialStats,
)
from openwop_evals.numbers import exact_difference, exact_mean

from .bars import all_given, bars_of, is_met, p95_latency, total_cost
from .collect import grade_trials
from .gating import (
    gating_aggregate,
    mean_passes,
    must_carry_gated_aggregate,
    must_carry_gated_score,
    suite_passes,
    task_gating_score,
)
from .policy import GradingPolicy, aggregation_of, pass_rule_of, pass_score_of
from .preconditions import baseline_problems, suite_problems, suite_warnings
from .run import GradedRun, GradedTask, GradedTrial
from .trials import verdicts_pass

__all__ = ["grade", "grade_run"]


def grade(
    suite: AgentEvalSuite,
    trials: Iterable[TrialRecord],
    *,
    policy: GradingPolicy = GradingPolicy(),
    baseline: EvalSummary | None = None,
    baseline_run_id: str | None = None,
) -> EvalSummary:
    """Grade the trials of a suite into its summary, by the gate of RFC 0246.

    See ``grade_run``: the arguments and the errors are the same, and this is its summary.
    """
    return grade_run(
        suite, trials, policy=policy, baseline=baseline, baseline_run_id=baseline_run_id
    ).summary


def grade_run(
    suite: AgentEvalSuite,
    trials: Iterable[TrialRecord],
    *,
    policy: GradingPolicy = GradingPolicy(),
    baseline: EvalSummary | None = None,
    baseline_run_id: str | None = None,
) -> GradedRun:
    """Grade the trials of a suite by the gate of RFC 0246, and keep what each came to.

    Args:
        suite: The suite (RFC 0081 §A).
        trials: Its trials, each (taskId, trial) once, in any order.
        policy: What the suite leaves to the host.
        baseline: An earlier summary of the same suite and version to compare with.
        baseline_run_id: The run of that summary; the two go together.

    Raises:
        GradingError: The suite and the trials cannot be graded; every offender is named.
        ValidationError: A value built by hand is outside its schema.
        TypeError: A suite or a baseline is of another type.
    """
    require(suite, "suite")
    problems = list(suite_problems(suite, policy.evaluated_model_class))
    if (baseline is None) is not (baseline_run_id is None):
        problems.append(Problem(reason="a baseline and the id of its run go together"))
    if baseline is not None:
        require(baseline, "summary")
        problems += baseline_problems(suite, baseline)
    try:
        pass_score = pass_score_of(suite, policy)
        aggregate = aggregation_of(policy)
    except GradingError as error:
        raise GradingError([*error.problems, *problems]) from None
    if problems:
        raise GradingError(problems)
    model_class: Any = (
        UNSET if policy.evaluated_model_class is None else policy.evaluated_model_class
    )
    _require_carried(suite, model_class, baseline_run_id)

    graded = grade_trials(suite, trials, pass_score)
    tasks = tuple(
        _graded_task(suite, task, rows, pass_score)
        for task, rows in zip(suite.tasks, graded, strict=True)
    )
    rows = [task.result for task in tasks]
    score = aggregate([row.score for row in rows])
    gating = gating_aggregate(aggregate, [task.gating_score for task in tasks])
    if gating > score:
        raise GradingError([Problem(reason="the aggregation rises when a score falls")])
    bars = bars_of(suite)
    cost = total_cost([row.cost_usd for row in rows])
    p95 = p95_latency([row.latency_ms for row in rows])
    cost_met = is_met(cost, bars.max_cost_usd)
    latency_met = is_met(p95, bars.max_p95_latency_ms)
    summary = EvalSummary(
        suite_id=suite.suite_id,
        suite_version=suite.version,
        evaluated_model_class=model_class,
        aggregate_score=score,
        gated_aggregate_score=gating if must_carry_gated_aggregate(suite) else UNSET,
        passed=suite_passes(gating, pass_score, cost_met=cost_met, latency_met=latency_met),
        task_count=len(rows),
        passed_count=sum(row.passed for row in rows),
        total_cost_usd=cost,
        trial_stats=_trial_stats(suite, rows),
        tasks=tuple(rows),
        regression=_regression(score, baseline, baseline_run_id),
    )
    return GradedRun(
        summary=summary,
        tasks=tasks,
        pass_score=pass_score,
        gating_aggregate=gating,
        p95_latency_ms=p95,
        cost_met=cost_met,
        latency_met=latency_met,
        warnings=tuple(suite_warnings(suite, pass_score)),
    )


def _require_carried(suite: AgentEvalSuite, model_class: Any, run_id: str | None) -> None:  # noqa: ANN401
    """Refuse before the trials are read what no summary could carry."""
    empty = EvalSummary(
        suite_id=suite.suite_id,
        suite_version=suite.version,
        evaluated_model_class=model_class,
        aggregate_score=0.0,
        passed=False,
        task_count=0,
        passed_count=0,
        tasks=(),
        regression=UNSET if run_id is None else Regression(baseline_run_id=run_id, score_delta=0.0),
    )
    require(empty, "summary")


def _graded_task(
    suite: AgentEvalSuite, task: EvalTask, trials: Sequence[GradedTrial], pass_score: float
) -> GradedTask:
    scores = [trial.score for trial in trials]
    gating_scores = [trial.gating_score for trial in trials]
    score = exact_mean(scores)
    gating = score if gating_scores == scores else task_gating_score(gating_scores)
    verdicts = [trial.passed for trial in trials]
    rule = pass_rule_of(suite)
    latencies = all_given([trial.latency_ms for trial in trials])
    schema_valid = all_given([trial.schema_valid for trial in trials])
    result = TaskResult(
        task_id=task.task_id,
        score=score,
        gated_score=gating if must_carry_gated_score(task) else UNSET,
        passed=(
            mean_passes(gating, pass_score) if rule == "mean" else verdicts_pass(rule, verdicts)
        ),
        trials=UNSET if suite.trials is UNSET else _task_trials(score, verdicts),
        cost_usd=total_cost([trial.cost_usd for trial in trials]),
        latency_ms=UNSET if latencies is UNSET else max(latencies),
        schema_valid=UNSET if schema_valid is UNSET else all(schema_valid),
        safety_findings=_safety_findings(trials) or UNSET,
    )
    return GradedTask(result=result, gating_score=gating, trials=tuple(trials))


def _task_trials(score: float, verdicts: Sequence[bool]) -> TaskTrials:
    count, passed = len(verdicts), sum(verdicts)
    return TaskTrials(
        count=count,
        passed_count=passed,
        mean_score=score,
        pass_at_k=1.0 if passed else 0.0,  # pass@k and pass^k at k = count
        pass_hat_k=1.0 if passed == count else 0.0,
    )


def _trial_stats(suite: AgentEvalSuite, rows: Sequence[TaskResult]) -> TrialStats | UnsetType:
    if suite.trials is UNSET:
        return UNSET
    return TrialStats(
        count=suite.trials.count,
        pass_rule=pass_rule_of(suite),
        pass_at_k=exact_mean([row.trials.pass_at_k for row in rows if row.trials is not UNSET]),
        pass_hat_k=exact_mean([row.trials.pass_hat_k for row in rows if row.trials is not UNSET]),
    )


def _safety_findings(trials: Iterable[GradedTrial]) -> tuple[SafetyFinding, ...]:
    given = [trial.safety_findings for trial in trials if trial.safety_findings is not UNSET]
    return tuple(
        SafetyFinding(kind=finding.kind, severity=finding.severity)
        for findings in given
        for finding in findings
    )


def _regression(
    score: float, baseline: EvalSummary | None, run_id: str | None
) -> Regression | UnsetType:
    if baseline is None or run_id is None:
        return UNSET
    delta = exact_difference(score, baseline.aggregate_score)
    return Regression(baseline_run_id=run_id, score_delta=delta)
