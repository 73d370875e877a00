"""What a suite leaves to the host."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from openwop_evals import AgentEvalSuite, GradingError, GradingPolicy
from openwop_evals.grading.policy import aggregation_of, pass_score_of
from tests.support.builders import suite

Aggregate: TypeAlias = Literal["mean", "min", "median"] | Callable[[Sequence[float]], float]

NAN = float("nan")
NO_THRESHOLDS = replace(suite(), thresholds=UNSET)


@pytest.mark.parametrize(
    ("bars", "default", "bar"),
    [
        pytest.param({"passScore": 0.6}, None, 0.6, id="the suite's"),
        pytest.param({"passScore": 0.6}, 0.8, 0.6, id="the suite's before the default"),
        pytest.param({"passScore": 0}, 0.8, 0.0, id="the suite's, 0"),
        pytest.param({"maxCostUsd": 1}, 0.8, 0.8, id="the default"),
        pytest.param({}, 0, 0.0, id="the default, 0"),
        pytest.param({}, 1, 1.0, id="the default, 1"),
    ],
)
def test_pass_score(bars: dict[str, float], default: float | None, bar: float) -> None:
    assert pass_score_of(suite(bars=bars), GradingPolicy(default_pass_score=default)) == bar


def test_pass_score_of_a_suite_without_thresholds() -> None:
    assert pass_score_of(NO_THRESHOLDS, GradingPolicy(default_pass_score=0.8)) == 0.8


@pytest.mark.parametrize(
    "bare",
    [pytest.param(suite(bars={}), id="no passScore"), pytest.param(NO_THRESHOLDS, id="no bars")],
)
def test_no_pass_score_at_all_is_refused(bare: AgentEvalSuite) -> None:
    with pytest.raises(GradingError, match="no passScore"):
        pass_score_of(bare, GradingPolicy())


@pytest.mark.parametrize("default", [NAN, -0.1, 1.0000001, 70, True, "0.7"])
@pytest.mark.parametrize("bars", [{}, {"passScore": 0.7}], ids=["needed", "not needed"])
def test_a_default_that_is_no_score_is_refused(default: object, bars: dict[str, float]) -> None:
    policy = GradingPolicy(default_pass_score=default)  # type: ignore[arg-type]
    with pytest.raises(GradingError, match="default_pass_score"):
        pass_score_of(suite(bars=bars), policy)


@pytest.mark.parametrize(
    ("aggregate", "scores", "result"),
    [
        pytest.param("mean", [0.7, 0.7, 0.7], 0.7, id="mean"),
        pytest.param("min", [0.9, 0.2, 0.5], 0.2, id="min"),
        pytest.param("median", [0.9, 0.2, 0.5], 0.5, id="median of three"),
        pytest.param("median", [0.9, 0.1, 0.2, 0.6], 0.4, id="median of four"),
        pytest.param("median", [0.3], 0.3, id="median of one"),
        pytest.param(max, [0.9, 0.2], 0.9, id="a function"),
        pytest.param(lambda scores: int(scores[0]), [1.0, 0.0], 1.0, id="a function, an integer"),
    ],
)
def test_aggregation(aggregate: Aggregate, scores: list[float], result: float) -> None:
    found = aggregation_of(GradingPolicy(aggregate=aggregate))(scores)
    assert found == result
    assert type(found) is float


def test_mean_is_the_aggregation_unnamed() -> None:
    assert aggregation_of(GradingPolicy())([0.0, 0.3, 0.3]) == 0.2


@pytest.mark.parametrize("aggregate", ["max", "", None])
def test_an_unknown_aggregation_is_refused(aggregate: object) -> None:
    policy = GradingPolicy(aggregate=aggregate)  # type: ignore[arg-type]
    with pytest.raises(GradingError, match="expected mean, min, median or a function"):
        aggregation_of(policy)


@pytest.mark.parametrize("result", [NAN, -0.1, 1.1, True, None, "0.5"])
def test_an_aggregation_that_gives_no_score_is_refused(result: object) -> None:
    policy = GradingPolicy(aggregate=lambda _: result)  # type: ignore[arg-type,return-value]
    with pytest.raises(GradingError, match="the aggregation gave"):
        aggregation_of(policy)([1.0])
