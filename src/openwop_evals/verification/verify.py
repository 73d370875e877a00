"""``verify``: every way in which a summary is not true, in one list."""

from collections.abc import Iterable

from openwop_evals._roundtrip import require
from openwop_evals.errors import GradingError
from openwop_evals.grading.policy import GradingPolicy, aggregation_of, pass_rule_of, pass_score_of
from openwop_evals.grading.preconditions import suite_problems
from openwop_evals.grading.summary import grade_run
from openwop_evals.models import AgentEvalSuite, EvalSummary, TrialRecord

from .alone import contradictions
from .findings import Finding
from .suite import decisions, gating_is_known, identity, presence, trial_blocks
from .trials import recomputed

__all__ = ["verify"]


def verify(
    summary: EvalSummary,
    suite: AgentEvalSuite,
    trials: Iterable[TrialRecord] | None = None,
    *,
    policy: GradingPolicy = GradingPolicy(),
) -> list[Finding]:
    """Verify a summary that any host wrote against its suite, and its trials if given.

    A reported mean may be off by what adding floats or rounding to four decimals or more explains;
    decisions are compared as they are written, with no tolerance (RFC 0246 §A to §D).

    Args:
        summary: The summary.
        suite: Its suite.
        trials: Its trials; with them every score and verdict is recomputed.
        policy: The default bar and the host's aggregation; mean unless told otherwise.

    Returns:
        The findings; empty when the summary is true.

    Raises:
        GradingError: The suite, or the trials, cannot be graded.
        ValidationError: A value built by hand is outside its schema.
        TypeError: A summary or a suite is of another type.
    """
    require(summary, "summary")
    require(suite, "suite")
    aggregate, pass_score = aggregation_of(policy), pass_score_of(suite, policy)
    if problems := list(suite_problems(suite, None)):
        raise GradingError(problems)
    findings = [
        *identity(summary, suite),
        *presence(summary, suite),
        *contradictions(summary, aggregate, gating_is_known=gating_is_known(summary, suite)),
        *trial_blocks(summary, suite),
        *decisions(summary, suite, pass_score),
    ]
    if trials is not None:
        run = grade_run(suite, trials, policy=policy)
        findings += recomputed(summary, run, pass_rule_of(suite))
    return findings
