"""May this run be promoted? The deployment gate of RFC 0082, read with RFC 0246.

Stricter than RFC 0082 on purpose: that opens on ``passed`` or on an aggregateScore of at least
requiredPassScore. Here both must hold, and the gating aggregate stands for the aggregate.
"""

from collections.abc import Iterator

from msgspec import UNSET, Struct, structs

from ._roundtrip import require
from .errors import GradingError, Problem
from .grading.policy import (
    GradingPolicy,
    aggregation_of,
    is_score,
    pass_score_of,
    require_policy,
)
from .models import AgentEvalSuite, EvalSummary
from .verification import verify
from .verification.alone import contradictions
from .verification.findings import Finding
from .verification.suite import gating_aggregate_of, unmet_bars

__all__ = ["GateDecision", "GateReason", "gate"]


class GateReason(Struct, frozen=True, kw_only=True):
    """One reason why the gate is closed.

    Attributes:
        code: ``not-passed``, ``required-pass-score``, ``inconsistent`` or ``unproven``.
        message: The reason in words, with its numbers.
        section: The section that it rests on.
        finding: What the summary contradicts, for ``inconsistent``.
    """

    code: str
    message: str
    section: str
    finding: Finding | None = None


class GateDecision(Struct, frozen=True, kw_only=True):
    """Whether a run may be promoted.

    Attributes:
        open: Whether it may.
        reasons: Why it may not; empty when the gate is open.
        rfc_0082_alone: Whether RFC 0082 without RFC 0246 would have opened.
    """

    open: bool
    reasons: tuple[GateReason, ...]
    rfc_0082_alone: bool

    @property
    def code(self) -> str | None:
        """``eval_gate_unmet`` for a host to answer with when the gate is closed (RFC 0082)."""
        return None if self.open else "eval_gate_unmet"


def gate(
    summary: EvalSummary,
    suite: AgentEvalSuite | None = None,
    *,
    required_pass_score: float | None = None,
    policy: GradingPolicy = GradingPolicy(),
) -> GateDecision:
    """Decide the deployment gate for a reported summary: open only when that is proved.

    Args:
        summary: The summary, of any host.
        suite: Its suite. Without it a summary that carries no gatedAggregateScore proves nothing.
        required_pass_score: The deployment's own bar, 0 to 1, inclusive (RFC 0082).
        policy: The default bar and the host's aggregation; mean unless told otherwise.

    Returns:
        The decision, closed unless every condition is proved, with each reason.

    Raises:
        GradingError: The suite cannot be graded, or the required score is no score.
        ValidationError: A value built by hand is outside its schema.
        TypeError: A summary or a suite is of another type.
    """
    require(summary, "summary")
    require_policy(policy)
    if required_pass_score is not None and not is_score(required_pass_score):
        reason = f"required_pass_score is {required_pass_score!r}, expected a number from 0 to 1"
        raise GradingError([Problem(reason=reason)])
    alone = summary.passed or (
        required_pass_score is not None and summary.aggregate_score >= required_pass_score
    )
    said = "; RFC 0082 alone would have opened" if alone else ""
    reasons = tuple(
        structs.replace(reason, message=reason.message + said)
        for reason in _reasons(summary, suite, required_pass_score, policy)
    )
    return GateDecision(open=not reasons, reasons=reasons, rfc_0082_alone=alone)


def _reasons(
    summary: EvalSummary,
    suite: AgentEvalSuite | None,
    required_pass_score: float | None,
    policy: GradingPolicy,
) -> Iterator[GateReason]:
    if suite is None:
        findings = list(contradictions(summary, aggregation_of(policy)))
        gating = _gating_without_suite(summary)
        missing = "the gated fields, or the suite to show that no task has a trajectory"
    else:
        findings = verify(summary, suite, policy=policy)
        gating = gating_aggregate_of(summary, suite)
        missing = "gatedScore and gatedAggregateScore, since a task can be gated"
    if gating is None:
        yield GateReason(
            code="unproven",
            message=f"nothing proves that no wrong path counted; supply {missing}",
            section="RFC 0246 §D",
        )
    if not summary.passed:
        yield GateReason(
            code="not-passed", message=_not_passed(summary, suite, policy), section="RFC 0246 §B"
        )
    if (
        required_pass_score is not None
        and gating is not None
        and not (gating >= required_pass_score)
    ):
        yield GateReason(
            code="required-pass-score",
            message=(
                f"the gating aggregate {gating!r} is under the required {required_pass_score!r}"
                + _gated_tasks(summary)
            ),
            section="RFC 0082, RFC 0246 §B",
        )
    for finding in findings:
        if finding.code == "predates-rfc-0246":
            continue  # said above, as unproven
        yield GateReason(
            code="inconsistent", message=str(finding), section=finding.section, finding=finding
        )


def _gating_without_suite(summary: EvalSummary) -> float | None:
    """The gating aggregate, where the rows show what it is made of and it is not 0."""
    gated = summary.gated_aggregate_score
    if gated is UNSET or all(row.gated_score is UNSET for row in summary.tasks):
        return None
    return min(gated, summary.aggregate_score) or None


def _not_passed(summary: EvalSummary, suite: AgentEvalSuite | None, policy: GradingPolicy) -> str:
    unmet = "; ".join(_unmet(summary, suite, policy)) or "it says so, and meets its bars"
    return f"the run did not pass: {unmet}"


def _unmet(
    summary: EvalSummary, suite: AgentEvalSuite | None, policy: GradingPolicy
) -> Iterator[str]:
    """The bars that the run did not meet; without the suite only what it was judged by."""
    gated = summary.gated_aggregate_score
    name = "aggregate score" if gated is UNSET else "gating aggregate"
    score = summary.aggregate_score if gated is UNSET else gated
    if suite is None:
        yield f"{name} {score!r} against the suite's bar{_gated_tasks(summary)}"
        return
    pass_score = pass_score_of(suite, policy)
    if not (score >= pass_score):
        yield f"{name} {score!r} against passScore {pass_score!r}{_gated_tasks(summary)}"
    yield from unmet_bars(summary, suite)


def _gated_tasks(summary: EvalSummary) -> str:
    gated = sum(
        row.gated_score is not UNSET and row.gated_score < row.score for row in summary.tasks
    )
    return f"; {gated} of {len(summary.tasks)} tasks have a gatedScore below their score" * bool(
        gated
    )
