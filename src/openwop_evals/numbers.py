"""Exact arithmetic over the decimals that numbers show.

A score is the decimal that its shortest text form shows: 0.7 is seven tenths, not the binary
fraction beside it. A result is the exact one, rounded once to the nearest double. So three scores
of 0.7 have the mean 0.7, and no order of adding changes a total.
"""

from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, Inexact
from functools import reduce

__all__ = ["exact_difference", "exact_mean", "exact_ratio", "exact_sum"]

# The widest sum of doubles, 1e308 and 5e-324 side by side, has fewer than 700 digits.
_EXACT = Context(prec=1000, traps=[Inexact])
_SMALL = 1e8


def exact_sum(values: Iterable[float]) -> float:
    """The sum of the values as decimals, rounded once.

    Args:
        values: Finite numbers.

    Raises:
        OverflowError: The sum is no finite double.
    """
    numerator, denominator = _total(list(values))
    return numerator / denominator


def exact_mean(values: Sequence[float]) -> float:
    """The arithmetic mean of the values as decimals, rounded once (RFC 0246 §A).

    Args:
        values: Finite numbers, at least one.

    Raises:
        ZeroDivisionError: There are no values.
    """
    numerator, denominator = _total(values)
    return numerator / (denominator * len(values))


def exact_difference(minuend: float, subtrahend: float) -> float:
    """The difference of two finite numbers as decimals, rounded once."""
    return exact_sum((minuend, -subtrahend))


def exact_ratio(parts: Iterable[float], whole: Iterable[float]) -> float:
    """The sum of some values over the sum of others, as decimals, rounded once.

    Raises:
        ZeroDivisionError: The whole sums to 0.
    """
    numerator, denominator = _total(list(parts))
    whole_numerator, whole_denominator = _total(list(whole))
    return (numerator * whole_denominator) / (denominator * whole_numerator)


def _total(values: Sequence[float]) -> tuple[int, int]:
    """The sum of the values as decimals: numerator and denominator."""
    # Most scores have few decimals. No two decimals of 15 digits or fewer share a double, so a
    # number of millionths that gives a value back is the decimal that the value shows.
    millionths = [round(value * 1e6) for value in values if -_SMALL < value < _SMALL]
    if [number / 1e6 for number in millionths] == list(values):
        return sum(millionths), 10**6
    return reduce(_EXACT.add, map(Decimal, map(repr, values)), Decimal(0)).as_integer_ratio()
