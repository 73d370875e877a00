"""Trial verdicts, pass@k and pass^k."""

from collections.abc import Callable
from typing import Literal

import pytest

from openwop_evals import pass_at_k, pass_hat_k
from openwop_evals.grading.trials import trial_passes, verdicts_pass


@pytest.mark.parametrize(
    ("score", "bar", "matched", "failed_closed", "passed"),
    [
        pytest.param(0.7, 0.7, True, False, True, id="on the bar"),
        pytest.param(0.6999999999999999, 0.7, True, False, False, id="under the bar"),
        pytest.param(1.0, 0.7, False, False, False, id="wrong path"),
        pytest.param(1.0, 0.7, True, True, False, id="failed closed"),
        pytest.param(0.0, 0.0, True, False, True, id="a bar of 0"),
        pytest.param(0.0, 0.0, False, False, False, id="a bar of 0, wrong path"),
        pytest.param(0.0, 0.0, True, True, False, id="a bar of 0, failed closed"),
    ],
)
def test_trial_passes(
    score: float, bar: float, *, matched: bool, failed_closed: bool, passed: bool
) -> None:
    verdict = trial_passes(score, bar, trajectory_matched=matched, failed_closed=failed_closed)
    assert verdict is passed


@pytest.mark.parametrize(
    ("rule", "verdicts", "passed"),
    [
        pytest.param("all", [True, True], True, id="all: all of them"),
        pytest.param("all", [True, False], False, id="all: one failed"),
        pytest.param("all", [], False, id="all: none were run"),
        pytest.param("any", [False, True], True, id="any: one of them"),
        pytest.param("any", [False, False], False, id="any: none of them"),
        pytest.param("any", [], False, id="any: none were run"),
    ],
)
def test_verdicts_pass(rule: Literal["all", "any"], verdicts: list[bool], *, passed: bool) -> None:
    assert verdicts_pass(rule, verdicts) is passed


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [
        pytest.param(4, 0, 2, 0.0, 0.0, id="none passed"),
        pytest.param(4, 4, 4, 1.0, 1.0, id="all passed"),
        pytest.param(4, 3, 2, 1.0, 0.5, id="hat is not (c/n)^k"),
        pytest.param(4, 2, 3, 1.0, 0.0, id="fewer passed than drawn"),
        pytest.param(4, 1, 1, 0.25, 0.25, id="one drawn"),
        pytest.param(10, 3, 2, 24 / 45, 3 / 45, id="ten"),
        pytest.param(4, 4, 5, None, None, id="more drawn than run"),
        pytest.param(2, 0, 5, None, None, id="more drawn than run, none passed"),
        pytest.param(2000, 1000, 1, 0.5, 0.5, id="numbers beyond a double"),
    ],
)
def test_pass_at_k_and_pass_hat_k(
    n: int, c: int, k: int, at: float | None, hat: float | None
) -> None:
    assert (pass_at_k(n, c, k), pass_hat_k(n, c, k)) == (at, hat)


@pytest.mark.parametrize("function", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(
    ("n", "c", "k"),
    [
        pytest.param(0, 0, 1, id="no trial"),
        pytest.param(2, 3, 1, id="more passed than run"),
        pytest.param(2, -1, 1, id="less than none passed"),
        pytest.param(2, 1, 0, id="none drawn"),
    ],
)
def test_pass_at_k_and_pass_hat_k_refuse(
    function: Callable[[int, int, int], float | None], n: int, c: int, k: int
) -> None:
    with pytest.raises(ValueError, match=f"n={n}, c={c}, k={k}"):
        function(n, c, k)
