"""What verification finds, and when a number that a host wrote is the one that it should be."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

__all__ = ["Finding", "are_one", "is_aggregation", "is_consistent"]

_EXACTLY = 1e-9
_LEAST_DECIMALS = 4


class Finding(Struct, frozen=True, kw_only=True):
    """One place where a summary is not true.

    Attributes:
        code: What is wrong; stable, in kebab-case.
        pointer: JSON Pointer into the summary.
        expected: What should stand there, in words or as the value.
        found: What does; None where nothing does.
        section: The section that asks for it, such as ``RFC 0246 §B``.
        task_id: The task, where it is about one.
    """

    code: str
    pointer: str
    expected: Any
    found: Any
    section: str
    task_id: str | None = None

    def __str__(self) -> str:
        """The finding in words."""
        return f"{self.code}: expected {self.expected}, found {self.found} ({self.section})"


def is_consistent(reported: float, exact: float, slack: float = 0.0) -> bool:
    """Whether a host that adds floats, or rounds, can have written a number for the exact one.

    It can within 1e-9, and at the precision that the number is written with, four decimals or more.

    Args:
        reported: The number as written.
        exact: The number that it should be.
        slack: How far off the exact one may be itself.
    """
    # The factor is for the binary form of half a unit of the last place.
    half_unit = _half_unit(max(_decimals(reported), _LEAST_DECIMALS))
    return abs(reported - exact) <= max(_EXACTLY, (half_unit + slack) * (1 + 1e-9))


def is_aggregation(reported: float, exact: float, parts: Sequence[float]) -> bool:
    """The same of an aggregate, whose parts may each have been rounded after it was made."""
    decimals = max(map(_decimals, parts))
    rounded = decimals >= _LEAST_DECIMALS and _decimals(reported) <= decimals
    return is_consistent(reported, exact, _half_unit(decimals) if rounded else 0.0)


def are_one(one: float, other: float) -> bool:
    """Whether two reported numbers can be of one exact number, either of them rounded."""
    return is_consistent(one, other) or is_consistent(other, one)


def _half_unit(decimals: int) -> float:
    return 0.5 * 10.0**-decimals


def _decimals(number: float) -> int:
    digits, _, exponent = repr(number).partition("e")
    return len(digits.partition(".")[2]) - int(exponent or 0)
