"""The gate of RFC 0246, function by function."""

from collections.abc import Sequence

import pytest

from openwop_evals import gating_score, task_gating_score
from openwop_evals.grading.gating import (
    gating_aggregate,
    mean_passes,
    must_carry_gated_aggregate,
    must_carry_gated_score,
    suite_passes,
)
from tests.support.builders import Json, golden, suite, task


@pytest.mark.parametrize(
    ("matched", "miss", "gating"),
    [
        pytest.param(True, False, 0.9, id="right path"),
        pytest.param(False, False, 0.0, id="wrong path"),
        pytest.param(True, True, 0.0, id="fixture miss"),
        pytest.param(False, True, 0.0, id="both"),
    ],
)
def test_gating_score(*, matched: bool, miss: bool, gating: float) -> None:
    assert gating_score(0.9, trajectory_matched=matched, fixture_miss=miss) == gating


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        pytest.param([0.9], 0.9, id="one trial"),
        pytest.param([0.7, 0.7, 0.7], 0.7, id="exact"),
        pytest.param([0.9, 0.0], 0.45, id="one gated"),
    ],
)
def test_task_gating_score(scores: list[float], mean: float) -> None:
    assert task_gating_score(scores) == mean


def test_task_gating_score_refuses_no_trials() -> None:
    with pytest.raises(ZeroDivisionError):
        task_gating_score([])


def test_gating_aggregate_is_the_hosts_own_over_the_gating_scores() -> None:
    def second(scores: Sequence[float]) -> float:
        return scores[1]

    assert gating_aggregate(second, [0.1, 0.2, 0.3]) == 0.2


@pytest.mark.parametrize(
    ("gating", "bar", "passed"),
    [
        pytest.param(0.7, 0.7, True, id="on the bar"),
        pytest.param(0.6999, 0.7, False, id="under it"),
        pytest.param(0.0, 0.0, True, id="a bar of 0"),
        pytest.param(float("nan"), 0.0, False, id="no number never passes"),
    ],
)
def test_mean_passes(gating: float, bar: float, *, passed: bool) -> None:
    assert mean_passes(gating, bar) is passed


@pytest.mark.parametrize(
    ("gating", "cost_met", "latency_met", "passed"),
    [
        pytest.param(0.7, True, True, True, id="all met"),
        pytest.param(0.6999, True, True, False, id="gating aggregate under the bar"),
        pytest.param(1.0, False, True, False, id="cost not met"),
        pytest.param(1.0, True, False, False, id="latency not met"),
        pytest.param(float("nan"), True, True, False, id="no number never passes"),
    ],
)
def test_suite_passes(gating: float, *, cost_met: bool, latency_met: bool, passed: bool) -> None:
    assert suite_passes(gating, 0.7, cost_met=cost_met, latency_met=latency_met) is passed


@pytest.mark.parametrize(
    ("trajectories", "rows", "aggregate"),
    [
        pytest.param([None, None], [False, False], False, id="no trajectory"),
        pytest.param([None, {}], [False, True], True, id="one, empty"),
        pytest.param([{"forbidden": ["x:a"]}] * 2, [True, True], True, id="both"),
    ],
)
def test_what_must_carry_gated_scores(
    trajectories: list[Json | None], rows: list[bool], *, aggregate: bool
) -> None:
    carrying = suite(*(task(f"t{at}", golden(one)) for at, one in enumerate(trajectories)))
    assert [must_carry_gated_score(one) for one in carrying.tasks] == rows
    assert must_carry_gated_aggregate(carrying) is aggregate
