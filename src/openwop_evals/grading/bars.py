"""The bars on cost and latency, and what they are compared with (RFC 0081 §A)."""

from typing import TypeVar, cast

from msgspec import UNSET, UnsetType

from openwop_evals.errors import GradingError, Problem
from openwop_evals.models import AgentEvalSuite, Thresholds
from openwop_evals.numbers import exact_sum

__all__ = ["all_given", "bars_of", "is_met", "p95_latency", "total_cost"]

_T = TypeVar("_T")


def bars_of(suite: AgentEvalSuite) -> Thresholds:
    """The bars that a suite declares, if any."""
    return Thresholds() if suite.thresholds is UNSET else suite.thresholds


def all_given(values: list[_T | UnsetType]) -> list[_T] | UnsetType:
    """The values, or nothing at all where one of them is absent: never a part."""
    for value in values:
        if value is UNSET:
            return UNSET
    return cast("list[_T]", values)


def total_cost(costs: list[float | UnsetType]) -> float | UnsetType:
    """The sum of the costs in US dollars; absent where one of them is.

    Raises:
        GradingError: They have no finite sum.
    """
    given = all_given(costs)
    if given is UNSET:
        return UNSET
    try:
        return exact_sum(given)
    except OverflowError:
        raise GradingError([Problem(reason="the costs have no finite sum")]) from None


def p95_latency(latencies: list[int | UnsetType]) -> int | None:
    """The 95th percentile by nearest rank, the ceil(0.95 n)-th smallest, in milliseconds.

    Args:
        latencies: The tasks' latencies in milliseconds, in any order; at least one.

    Returns:
        The percentile; None where a latency is absent.
    """
    given = all_given(latencies)
    if given is UNSET:
        return None
    return sorted(given)[(len(given) * 95 + 99) // 100 - 1]


def is_met(value: float | UnsetType | None, bar: float | UnsetType) -> bool:
    """Whether a bar is met: always where none is declared, never by an absent value."""
    if bar is UNSET:
        return True
    return value is not UNSET and value is not None and value <= bar
