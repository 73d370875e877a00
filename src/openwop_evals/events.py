"""The payloads of a run's eval.* events, for hosts to emit (RFC 0081; RFC 0244 §B).

They are content-free, like the summary: ids, scores, verdicts and counts.
"""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, json
from msgspec.structs import replace

from ._contract import violations
from ._json import parse, pointer_step, shortened
from ._roundtrip import require
from .errors import ValidationError, Violation
from .grading import GradedRun, GradedTrial
from .models import (
    PAYLOADS,
    RUN_ID_SCHEMA,
    AgentEvalSuite,
    EvalCompleted,
    EvalScored,
    EvalStarted,
    EventType,
    Payload,
)

__all__ = ["eval_completed", "eval_events", "eval_scored", "eval_started"]


def eval_events(suite: AgentEvalSuite, run: GradedRun) -> Iterator[tuple[EventType, Payload]]:
    """Every eval.* event of a run in its order: one started, the scored ones, one completed.

    Args:
        suite: The suite that was run.
        run: What ``grade_run`` made of it.

    Returns:
        The type and the payload of each. The envelope, and the run.completed that follows, are
        the host's.
    """
    regression = run.summary.regression
    baseline = None if regression is UNSET else regression.baseline_run_id
    yield "eval.started", eval_started(suite, baseline_run_id=baseline)
    for scored in eval_scored(run):
        yield "eval.scored", scored
    yield "eval.completed", eval_completed(run)


def eval_started(
    suite: AgentEvalSuite,
    *,
    baseline_run_id: str | None = None,
    fixture_runs: Mapping[str, str] | None = None,
) -> EvalStarted:
    """The payload of eval.started (RFC 0081).

    Args:
        suite: The suite that is run.
        baseline_run_id: The run that this one is compared with.
        fixture_runs: By task: the run whose recorded tool calls are its fixtures (RFC 0244 §D).

    Raises:
        TypeError: The suite is of another type.
        ValidationError: A run has no id of a run, a task is none of the suite, or the suite was
            built outside its schema.
    """
    require(suite, "suite")
    payload = EvalStarted(
        suite_id=suite.suite_id,
        suite_version=suite.version,
        task_count=len(suite.tasks),
        modes=suite.modes,
        baseline_run_id=UNSET if baseline_run_id is None else baseline_run_id,
        fixture_runs=UNSET if fixture_runs is None else dict(fixture_runs),
    )
    found = violations(PAYLOADS["eval.started"].schema_id, parse(json.encode(payload)))
    if found := [*found, *_wrong_fixture_runs(suite, fixture_runs or {})]:
        raise ValidationError(found)
    return payload


def _wrong_fixture_runs(
    suite: AgentEvalSuite, fixture_runs: Mapping[str, str]
) -> Iterator[Violation]:
    """What the schema leaves open: that each run is one, and is of a task of the suite."""
    task_ids = {task.task_id for task in suite.tasks}
    for task_id, run_id in fixture_runs.items():
        pointer = f"/fixtureRuns{pointer_step(task_id)}"
        if task_id not in task_ids:
            message = f"found {shortened(repr(task_id))}, expected a task of the suite"
            yield Violation(pointer=pointer, rule="taskId", value=task_id, message=message)
        for violation in violations(RUN_ID_SCHEMA, run_id):
            yield replace(violation, pointer=pointer)


def eval_scored(run: GradedRun) -> Iterator[EvalScored]:
    """The payload of eval.scored of each trial, the tasks in suite order (RFC 0244 §A, §B).

    Its score, 0 to 1, is the reported one: a wrong path makes it no smaller (RFC 0246 §C), and
    makes passed false.
    """
    has_trials = run.summary.trial_stats is not UNSET
    for task in run.tasks:
        for trial in task.trials:
            yield _scored(task.result.task_id, trial, has_trials=has_trials)


def eval_completed(run: GradedRun) -> EvalCompleted:
    """The payload of eval.completed, in agreement with the summary (RFC 0081)."""
    summary = run.summary
    regression = summary.regression
    return EvalCompleted(
        aggregate_score=summary.aggregate_score,
        passed=summary.passed,
        task_count=summary.task_count,
        passed_count=summary.passed_count,
        regression_vs_baseline=UNSET if regression is UNSET else regression.score_delta,
    )


def _scored(task_id: str, trial: GradedTrial, *, has_trials: bool) -> EvalScored:
    findings = trial.safety_findings
    return EvalScored(
        task_id=task_id,
        score=trial.score,
        passed=trial.passed,
        cost_usd=trial.cost_usd,
        latency_ms=trial.latency_ms,
        schema_valid=trial.schema_valid,
        safety_finding_count=UNSET if findings is UNSET else len(findings),
        trial=trial.trial if has_trials else UNSET,
    )
