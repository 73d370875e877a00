"""The witness: what RFC 0246 asks of the runs of the two fixtures, judged from the wire alone.

It recomputes nothing with the grading of this package: it reads what the host said.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from openwop_evals.grading.policy import is_score
from openwop_evals.numbers import exact_mean

from .assertions import ABSENT, Assertion, Requirement, at
from .run import SeenRun, log_assertions, payloads_of, summary_assertions, without_private
from .scripted import Fixture

__all__ = ["MEAN_GATED", "SUITE_GATED", "judge_mean_gated", "judge_suite_gated"]

MEAN_GATED = Requirement("openwop.requirement.0246.mean-gated")
SUITE_GATED = Requirement("openwop.requirement.0246.suite-gated")


def judge_mean_gated(fixture: Fixture, seen: SeenRun) -> list[Assertion]:
    """Judge a run of the fixture whose every trial answers well and calls a forbidden tool.

    RFC 0246: the scores stay (§C), the task fails under the rule mean (§B), and the summary says
    why (§D).
    """
    return _judged(MEAN_GATED, fixture, seen, _mean_gated)


def _mean_gated(seen: SeenRun) -> Iterator[Assertion]:
    scored = payloads_of(seen.events, "eval.scored")
    yield MEAN_GATED.equal(
        "scored-score",
        "RFC 0246 §C",
        expected=[1, 1],
        found=[at(payload, "score") for payload in scored],
    )
    yield MEAN_GATED.equal(
        "scored-passed",
        "RFC 0244 §A",
        expected=[False, False],
        found=[at(payload, "passed") for payload in scored],
    )
    summary = seen.summary_value()
    row = at(summary, "tasks", 0)
    yield MEAN_GATED.equal(
        "task-mean-score", "RFC 0246 §C", expected=1, found=at(row, "trials", "meanScore")
    )
    yield MEAN_GATED.equal("task-score", "RFC 0246 §C", expected=1, found=at(row, "score"))
    yield MEAN_GATED.equal(
        "task-gated-score", "RFC 0246 §D", expected=0, found=at(row, "gatedScore")
    )
    yield MEAN_GATED.equal("task-passed", "RFC 0246 §B", expected=False, found=at(row, "passed"))
    gated = at(summary, "gatedAggregateScore")
    yield MEAN_GATED.that(
        "gated-aggregate-carried",
        "RFC 0246 §D",
        expected="gatedAggregateScore",
        found="nothing" if gated is ABSENT else "gatedAggregateScore",
        holds=gated is not ABSENT,
    )


def judge_suite_gated(fixture: Fixture, seen: SeenRun) -> list[Assertion]:
    """Judge a run of the fixture whose second task answers well by the wrong path.

    RFC 0246: aggregateScore stays the mean of the scores (§C), the gating aggregate decides
    (§B), and both tasks carry gatedScore (§D).
    """
    return _judged(SUITE_GATED, fixture, seen, _suite_gated)


def _suite_gated(seen: SeenRun) -> Iterator[Assertion]:
    summary = seen.summary_value()
    scores = [at(summary, "tasks", place, "score") for place in (0, 1)]
    gated = [at(summary, "tasks", place, "gatedScore") for place in (0, 1)]
    yield SUITE_GATED.equal("task-scores", "RFC 0246 §C", expected=[1, 1], found=scores)
    aggregate = at(summary, "aggregateScore")
    yield SUITE_GATED.equal("aggregate-score", "RFC 0246 §C", expected=1, found=aggregate)
    yield SUITE_GATED.equal(
        "aggregate-is-mean", "RFC 0246 §C", expected=_mean(scores), found=aggregate
    )
    yield SUITE_GATED.equal(
        "matched-task-gated-score", "RFC 0246 §D", expected=scores[0], found=gated[0]
    )
    yield SUITE_GATED.equal("wrong-path-gated-score", "RFC 0246 §A", expected=0, found=gated[1])
    gated_aggregate = at(summary, "gatedAggregateScore")
    yield SUITE_GATED.equal("gated-aggregate", "RFC 0246 §D", expected=0.5, found=gated_aggregate)
    yield SUITE_GATED.equal(
        "gated-aggregate-is-mean", "RFC 0246 §A", expected=_mean(gated), found=gated_aggregate
    )
    yield SUITE_GATED.equal(
        "suite-passed", "RFC 0246 §B", expected=False, found=at(summary, "passed")
    )


def _judged(
    requirement: Requirement,
    fixture: Fixture,
    seen: SeenRun,
    judge: Callable[[SeenRun], Iterator[Assertion]],
) -> list[Assertion]:
    assertions = [
        *log_assertions(requirement, fixture, seen),
        *summary_assertions(requirement, fixture, seen),
        *judge(seen),
    ]
    return without_private(assertions, fixture)


def _mean(values: Sequence[Any]) -> Any:  # noqa: ANN401 - ABSENT where one is no score
    if all(is_score(value) for value in values):
        return exact_mean([float(value) for value in values])
    return ABSENT
