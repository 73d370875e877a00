"""Hosts that grade with this package and then break exactly one thing."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from openwop_evals import AgentEvalSuite, EvalSummary, GradedRun, TaskResult, encode, grade_run
from openwop_evals.conformance import Evaluation, ScriptedAgent
from openwop_evals.events import eval_events
from openwop_evals.grading.policy import pass_rule_of
from openwop_evals.numbers import exact_mean

__all__ = ["MUTANTS", "Mutant"]

Mutant = Callable[[AgentEvalSuite, ScriptedAgent], Evaluation]


def unmigrated(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
    """Decide as RFC 0244 did: on meanScore and on aggregateScore, with no gated field."""
    run = grade_run(suite, agent.script)
    by_mean = pass_rule_of(suite) == "mean"
    rows = tuple(
        replace(
            row,
            gated_score=UNSET,
            passed=row.score >= run.pass_score if by_mean else row.passed,
        )
        for row in run.summary.tasks
    )
    return _emitted(
        suite,
        run,
        replace(
            run.summary,
            gated_aggregate_score=UNSET,
            passed=run.summary.aggregate_score >= run.pass_score,
            passed_count=sum(row.passed for row in rows),
            tasks=rows,
        ),
    )


def zeroed_score(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
    """Report the score of a trial that failed its trajectory as 0, in the log and the summary."""
    run = grade_run(suite, agent.script)
    tasks = tuple(
        replace(task, trials=tuple(replace(one, score=one.gating_score) for one in task.trials))
        for task in run.tasks
    )
    rows = tuple(
        replace(
            row,
            score=task.gating_score,
            trials=row.trials and replace(row.trials, mean_score=task.gating_score),
        )
        for row, task in zip(run.summary.tasks, run.tasks, strict=True)
    )
    aggregate = exact_mean([row.score for row in rows])
    summary = replace(run.summary, aggregate_score=aggregate, tasks=rows)
    return _emitted(suite, replace(run, tasks=tasks), summary)


def no_gated_score_where_equal(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
    """Carry gatedScore only where it differs from the score."""
    run = grade_run(suite, agent.script)

    def shown(row: TaskResult) -> TaskResult:
        return replace(row, gated_score=UNSET) if row.gated_score == row.score else row

    return _emitted(suite, run, replace(run.summary, tasks=tuple(map(shown, run.summary.tasks))))


def no_gated_aggregate(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
    """Carry no gatedAggregateScore."""
    run = grade_run(suite, agent.script)
    return _emitted(suite, run, replace(run.summary, gated_aggregate_score=UNSET))


def _emitted(suite: AgentEvalSuite, run: GradedRun, summary: EvalSummary) -> Evaluation:
    """The log and the summary of a run that came to another summary; they agree."""
    return Evaluation(eval_events(suite, replace(run, summary=summary)), encode(summary))


MUTANTS: Final[dict[str, Mutant]] = {
    "unmigrated": unmigrated,
    "zeroed score": zeroed_score,
    "no gatedScore where equal": no_gated_score_where_equal,
    "no gatedAggregateScore": no_gated_aggregate,
}
