"""Exact arithmetic over the decimals that numbers show."""

from itertools import permutations

import pytest

from openwop_evals.numbers import exact_difference, exact_mean, exact_ratio, exact_sum

LARGEST = 1.7976931348623157e308
LEAST = 5e-324


@pytest.mark.parametrize(
    ("values", "total"),
    [
        pytest.param([], 0.0, id="nothing"),
        pytest.param([0.1, 0.2], 0.3, id="not 0.30000000000000004"),
        pytest.param([0.1] * 10, 1.0, id="ten tenths"),
        pytest.param([1e16, 1.0, -1e16], 1.0, id="a small part beside a large"),
        pytest.param([LARGEST, LEAST, -LARGEST], LEAST, id="the widest sum"),
        pytest.param([2**53, 1, 0.5], 2**53 + 2, id="rounded once"),
        pytest.param([1, 2], 3.0, id="integers"),
    ],
)
def test_exact_sum(values: list[float], total: float) -> None:
    assert exact_sum(values) == total
    assert exact_sum(iter(values)) == total


def test_exact_sum_refuses_what_no_double_holds() -> None:
    with pytest.raises(OverflowError):
        exact_sum([LARGEST, LARGEST])


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        pytest.param([0.7], 0.7, id="one"),
        pytest.param([0.7, 0.7, 0.7], 0.7, id="three sevenths of ten"),
        pytest.param([0, 0.3, 0.3], 0.2, id="thirds that a sum of floats misses"),
        pytest.param([0, 1, 1], 2 / 3, id="rounded once"),
        pytest.param([LARGEST, LARGEST], LARGEST, id="a sum that no double holds"),
        pytest.param([LEAST, LEAST], LEAST, id="the least double"),
    ],
)
def test_exact_mean(values: list[float], mean: float) -> None:
    assert exact_mean(values) == mean


def test_exact_mean_is_the_same_in_every_order() -> None:
    assert {exact_mean(order) for order in permutations([0.6, 0.7, 0.8, 0.1])} == {0.55}


def test_exact_mean_refuses_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        exact_mean([])


@pytest.mark.parametrize(
    ("minuend", "subtrahend", "difference"),
    [(0.3, 0.1, 0.2), (0.1, 0.3, -0.2), (0.7, 0.7, 0.0), (1, 0, 1.0), (1e-7, 0, 1e-7)],
)
def test_exact_difference(minuend: float, subtrahend: float, difference: float) -> None:
    assert exact_difference(minuend, subtrahend) == difference


@pytest.mark.parametrize(
    ("parts", "whole", "ratio"),
    [
        pytest.param([0.1, 0.2], [0.1, 0.2, 0.3], 0.5, id="half"),
        pytest.param([0.1, 0.2], [0.3], 1.0, id="all, exactly"),
        pytest.param([], [0.3], 0.0, id="nothing of something"),
        pytest.param([LARGEST] * 2, [LARGEST] * 4, 0.5, id="sums that no double holds"),
    ],
)
def test_exact_ratio(parts: list[float], whole: list[float], ratio: float) -> None:
    assert exact_ratio(parts, whole) == ratio


@pytest.mark.parametrize("whole", [[], [0, 0.0]], ids=["nothing", "zeros"])
def test_exact_ratio_refuses_a_whole_of_0(whole: list[float]) -> None:
    with pytest.raises(ZeroDivisionError):
        exact_ratio([0.0], whole)
