"""What a suite leaves to the host: the default bar, the aggregation, the model's class."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec

from openwop_evals.errors import GradingError, Problem
from openwop_evals.models import AgentEvalSuite
from openwop_evals.numbers import exact_mean

__all__ = [
    "GradingPolicy",
    "aggregation_of",
    "is_score",
    "pass_rule_of",
    "pass_score_of",
    "require_policy",
]

_Aggregation: TypeAlias = Callable[[Sequence[float]], float]


class GradingPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What a suite leaves to the host.

    Attributes:
        default_pass_score: The bar, 0 to 1, of a suite that declares no passScore.
        aggregate: How aggregateScore is made of the tasks' scores, and the gating aggregate of
            their gating scores (RFC 0246 §A): ``mean``, ``min``, ``median``, or a function of the
            scores in suite order, which must not rise when a score falls.
        evaluated_model_class: The class of the model that was evaluated (RFC 0081).
    """

    default_pass_score: float | None = None
    aggregate: Literal["mean", "min", "median"] | _Aggregation = "mean"
    evaluated_model_class: str | None = None


def require_policy(policy: GradingPolicy) -> None:
    """Refuse a default bar that is no score.

    Raises:
        GradingError: It is none.
    """
    default = policy.default_pass_score
    if default is not None and not is_score(default):
        raise _refusal(f"default_pass_score is {default!r}, expected a number from 0 to 1")


def pass_score_of(suite: AgentEvalSuite, policy: GradingPolicy) -> float:
    """The bar of a suite, 0 to 1: its own, else the policy's.

    Raises:
        GradingError: There is none, or the policy's is no score.
    """
    require_policy(policy)
    default = policy.default_pass_score
    thresholds = suite.thresholds
    if thresholds is not msgspec.UNSET and thresholds.pass_score is not msgspec.UNSET:
        return thresholds.pass_score
    if default is None:
        raise _refusal("the suite declares no passScore, and no default pass score is given")
    return default


def pass_rule_of(suite: AgentEvalSuite) -> Literal["all", "any", "mean"]:
    """The rule in force; without a trials block the one trial's verdict decides (RFC 0244 §B)."""
    if suite.trials is msgspec.UNSET or suite.trials.pass_rule is msgspec.UNSET:
        return "all"
    return suite.trials.pass_rule


def aggregation_of(policy: GradingPolicy) -> _Aggregation:
    """The policy's aggregation, made to refuse a result that is no score.

    Raises:
        GradingError: No aggregation has that name.
    """
    if not callable(policy.aggregate):
        if policy.aggregate not in _AGGREGATIONS:
            names = ", ".join(_AGGREGATIONS)
            raise _refusal(f"aggregate is {policy.aggregate!r}, expected {names} or a function")
        return _AGGREGATIONS[policy.aggregate]
    function = policy.aggregate

    def checked(scores: Sequence[float]) -> float:
        score = function(scores)
        if not is_score(score):
            raise _refusal(f"the aggregation gave {score!r}, expected a number from 0 to 1")
        return float(score)

    return checked


def _median(scores: Sequence[float]) -> float:
    ordered = sorted(scores)
    middle = (len(ordered) - 1) // 2
    return exact_mean(ordered[middle : len(ordered) // 2 + 1])


_AGGREGATIONS: dict[str, _Aggregation] = {"mean": exact_mean, "min": min, "median": _median}


def is_score(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _refusal(reason: str) -> GradingError:
    return GradingError([Problem(reason=reason)])
