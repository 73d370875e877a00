"""``grade``: a suite and a trial log to a gated summary."""

from collections.abc import Iterator

import click
from msgspec import UNSET

from openwop_evals.codec import encode
from openwop_evals.grading import GradedRun, GradedTask, GradedTrial, GradingPolicy, grade_run
from openwop_evals.models import (
    AgentEvalSuite,
    Report,
    ReportFact,
    ReportNote,
    ReportTask,
    ReportTrial,
    Thresholds,
)

from .files import prepare_reports, refuse_repeated_stdin
from .inputs import open_trials, read_suite, read_summary, refuse_ungradable
from .options import policy_options
from .outcome import Outcome
from .report import REPORT_VERSION, note
from .reporters import ReportTarget, report_option

__all__ = ["grade"]


@click.command()
@click.argument("suite")
@click.argument("trials")
@click.option("-o", "--output", metavar="FILE", help="Write the summary to FILE, not to stdout.")
@policy_options
@click.option("--model-class", metavar="CLASS", help="The class of the model evaluated.")
@click.option("--baseline", metavar="SUMMARY", help="Compare with this earlier summary.")
@click.option("--baseline-run-id", metavar="ID", help="The run of the earlier summary.")
@report_option
def grade(  # noqa: PLR0913 - one for each option
    *,
    suite: str,
    trials: str,
    output: str | None,
    default_pass_score: float | None,
    aggregate: str,
    model_class: str | None,
    baseline: str | None,
    baseline_run_id: str | None,
    reports: tuple[ReportTarget, ...],
) -> Outcome:
    """Grade a trial log by its SUITE into an EvalSummary.

    TRIALS is JSON Lines, one trial a line, in any order; - reads stdin. The summary goes to stdout
    as JSON, the report to stderr.

    Exits 0 when the run passed, 1 when it did not, 2 when it could not be graded.
    """
    refuse_repeated_stdin(suite, trials, baseline)
    files = [target.file for target in reports]
    prepare_reports((suite, trials, baseline), files, output=output)
    policy = GradingPolicy(
        default_pass_score=default_pass_score,
        aggregate=aggregate,  # type: ignore[arg-type] # the option allows the names only
        evaluated_model_class=model_class,
    )
    source = read_suite(suite)
    earlier = None if baseline is None else read_summary(baseline).document
    with refuse_ungradable(source, trials), open_trials(trials) as records:
        run = grade_run(
            source.document,
            records,
            policy=policy,
            baseline=earlier,
            baseline_run_id=baseline_run_id,
        )
    return Outcome(
        report=_report(source.document, run, policy),
        targets=reports,
        report_to="stderr",
        result=encode(run.summary) + b"\n",
        output=output,
    )


def _report(suite: AgentEvalSuite, run: GradedRun, policy: GradingPolicy) -> Report:
    passed = run.summary.passed
    return Report(
        version=REPORT_VERSION,
        command="grade",
        subject=f"{suite.suite_id} {suite.version}",
        verdict="passed" if passed else "not passed",
        ok=passed,
        facts=tuple(_facts(suite, run, policy)),
        tasks=tuple(map(_row, run.tasks)),
        notes=(
            *_reasons(suite, run),
            *(note for task in run.tasks for note in _gated(task)),
            *_unmeasured(run),
            *(note("warning", code="suite", message=text) for text in run.warnings),
        ),
    )


def _facts(suite: AgentEvalSuite, run: GradedRun, policy: GradingPolicy) -> Iterator[ReportFact]:
    summary, bars = run.summary, _bars(suite)
    measured, planned = _measured(run)
    yield ReportFact(
        name="aggregate score", value=summary.aggregate_score, remark=f"{policy.aggregate} of tasks"
    )
    yield ReportFact(
        name="gating aggregate",
        value=run.gating_aggregate,
        remark=f"passScore {run.pass_score!r}: " + _met(met=run.gating_aggregate >= run.pass_score),
    )
    cost = None if summary.total_cost_usd is UNSET else summary.total_cost_usd
    yield ReportFact(
        name="cost USD",
        value=cost,
        remark=_bar("maxCostUsd", bars.max_cost_usd, met=run.cost_met),
    )
    yield ReportFact(
        name="p95 latency ms",
        value=run.p95_latency_ms,
        remark=_bar("maxP95LatencyMs", bars.max_p95_latency_ms, met=run.latency_met),
    )
    yield ReportFact(name="tasks passed", value=f"{summary.passed_count} of {summary.task_count}")
    yield ReportFact(name="measured", value=f"{measured} of {planned} trials")
    if summary.regression is not UNSET:
        yield ReportFact(name="score delta", value=summary.regression.score_delta)


def _measured(run: GradedRun) -> tuple[int, int]:
    """Trials that did not error, and all trials."""
    trials = [trial for task in run.tasks for trial in task.trials]
    return sum(trial.error is None for trial in trials), len(trials)


def _bars(suite: AgentEvalSuite) -> Thresholds:
    return Thresholds() if suite.thresholds is UNSET else suite.thresholds


def _bar(name: str, bar: object, *, met: bool) -> str:
    return "no bar" if bar is UNSET else f"{name} {bar!r}: {_met(met=met)}"


def _met(*, met: bool) -> str:
    return "met" if met else "not met"


def _reasons(suite: AgentEvalSuite, run: GradedRun) -> Iterator[ReportNote]:
    """Why the run did not pass."""
    summary, bars = run.summary, _bars(suite)
    if not (run.gating_aggregate >= run.pass_score):
        message = (
            f"the gating aggregate {run.gating_aggregate!r} is under passScore {run.pass_score!r}"
        )
        if summary.aggregate_score >= run.pass_score:
            message += (
                f", which the aggregate score {summary.aggregate_score!r} meets (RFC 0246 §B)"
            )
        yield note("error", code="gating-aggregate", message=message)
    if not run.cost_met:
        message = (
            f"a trial has no cost, so maxCostUsd {bars.max_cost_usd!r} is not met"
            if summary.total_cost_usd is UNSET
            else f"the cost {summary.total_cost_usd!r} is over maxCostUsd {bars.max_cost_usd!r}"
        )
        yield note("error", code="cost", message=message)
    if not run.latency_met:
        bar = bars.max_p95_latency_ms
        message = (
            f"a trial has no latency, so maxP95LatencyMs {bar!r} is not met"
            if run.p95_latency_ms is None
            else f"the p95 latency {run.p95_latency_ms} is over maxP95LatencyMs {bar!r}"
        )
        yield note("error", code="latency", message=message)


def _unmeasured(run: GradedRun) -> Iterator[ReportNote]:
    measured, planned = _measured(run)
    if measured < planned:
        message = f"measured {measured} of {planned} trials; an errored one counts as failed with 0"
        yield note("warning", code="measured", message=message)


def _gated(task: GradedTask) -> Iterator[ReportNote]:
    """Where each gated trial went wrong, and which trials were not measured."""
    for trial in task.trials:
        for code, message, call_index, tool in _trial_findings(trial):
            yield note(
                level="warning",
                code=code,
                message=message,
                task_id=task.result.task_id,
                trial=trial.trial,
                call_index=call_index,
                tool=tool,
            )


def _trial_findings(
    trial: GradedTrial,
) -> Iterator[tuple[str, str, int | None, str | None]]:
    if trial.error is not None:
        yield "errored", f"errored with {trial.error}, counts 0", None, None
    if trial.fixture_miss:
        yield "fixture-miss", "failed closed on a fixture miss, counts 0", None, None
    if trial.trajectory is not None:
        for mismatch in trial.trajectory.mismatches:
            code = f"trajectory-{mismatch.reason}"
            yield code, f"{mismatch}; counts 0", mismatch.call_index, mismatch.tool


def _row(task: GradedTask) -> ReportTask:
    return ReportTask(
        task_id=task.result.task_id,
        score=task.result.score,
        gated_score=task.result.gated_score,
        passed=task.result.passed,
        trials=tuple(map(_cell, task.trials)),
    )


def _cell(trial: GradedTrial) -> ReportTrial:
    return ReportTrial(
        trial=trial.trial,
        score=trial.score,
        gating_score=trial.gating_score,
        passed=trial.passed,
        state="errored"
        if trial.error is not None
        else "fixture-miss"
        if trial.fixture_miss
        else "measured",
    )
