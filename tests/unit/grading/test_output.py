"""The score of an output: match strategies and rubrics."""

import pytest

from openwop_evals import Expected, score_output, score_rubric
from tests.support.builders import Json, golden, rubric, suite, task


def expecting(strategy: str, value: object) -> Expected:
    match = {"strategy": strategy, "value": value}
    return suite(task(expected={"kind": "golden", "match": match})).tasks[0].expected


def criteria(*weights: float) -> Expected:
    return suite(task(expected=rubric(*weights))).tasks[0].expected


@pytest.mark.parametrize(
    ("strategy", "value", "output", "score"),
    [
        pytest.param("exact", "yes", "yes", 1.0, id="exact: same text"),
        pytest.param("exact", "yes", "yes ", 0.0, id="exact: a space more"),
        pytest.param("exact", "yes", "Yes", 0.0, id="exact: another case"),
        pytest.param("exact", {"b": 1, "a": "é"}, '{"a":"é","b":1}', 1.0, id="exact: JSON text"),
        pytest.param("exact", [1, 2], "[1, 2]", 0.0, id="exact: JSON text is compact"),
        pytest.param("exact", "1", 1, 1.0, id="exact: a number's text"),
        pytest.param("exact", 1, 1.0, 0.0, id="exact: 1 and 1.0 are other texts"),
        pytest.param("exact", None, "null", 1.0, id="exact: null is a value"),
        pytest.param("contains", "err", "an error", 1.0, id="contains: within"),
        pytest.param("contains", "err", "fine", 0.0, id="contains: not within"),
        pytest.param("contains", "", "anything", 1.0, id="contains: empty text"),
        pytest.param("contains", 42, "it is 42.", 1.0, id="contains: a number's text"),
        pytest.param("contains", "b", {"a": "b"}, 1.0, id="contains: in an object's text"),
        pytest.param("contains", "ab", ["ab", "c"], 1.0, id="contains: an item"),
        pytest.param("contains", "a", ["ab", "c"], 0.0, id="contains: part of an item"),
        pytest.param("contains", 1, [1.0], 1.0, id="contains: an equal item"),
        pytest.param("contains", 1, [True], 0.0, id="contains: true is not 1"),
        pytest.param("contains", [1], [[1], 2], 1.0, id="contains: an array as an item"),
        pytest.param("contains", "a", [], 0.0, id="contains: no item"),
        pytest.param("json-match", {"a": 1, "b": 2}, {"b": 2.0, "a": 1}, 1.0, id="json: equal"),
        pytest.param("json-match", {"a": 1}, {"a": 1, "b": 2}, 0.0, id="json: a member more"),
        pytest.param("json-match", [1, 2], [2, 1], 0.0, id="json: another order"),
        pytest.param("json-match", 1, True, 0.0, id="json: true is not 1"),
        pytest.param("json-match", {"a": 1}, '{"a":1}', 0.0, id="json: a text is no object"),
        pytest.param("json-match", 2**53 + 1, 2**53, 0.0, id="json: large integers"),
        pytest.param("json-match", None, None, 1.0, id="json: null"),
    ],
)
def test_score_output(strategy: str, value: object, output: object, score: float) -> None:
    assert score_output(expecting(strategy, value), output) == score


def test_score_output_refuses_without_match() -> None:
    with pytest.raises(ValueError, match="no match"):
        score_output(criteria(1), "yes")


@pytest.mark.parametrize(
    ("weights", "met", "score"),
    [
        pytest.param((0.5, 0.3, 0.2), (True, False, True), 0.7, id="part"),
        pytest.param((0.1, 0.2), (True, True), 1.0, id="all of a sum below 1"),
        pytest.param((1, 1, 1), (True, True, False), 2 / 3, id="sum above 1"),
        pytest.param((0.1, 0.2, 0.7), (True, True, False), 0.3, id="exact, not a sum of floats"),
        pytest.param((0, 1), (True, False), 0.0, id="only what weighs nothing"),
        pytest.param((1,), (False,), 0.0, id="none"),
    ],
)
def test_score_rubric(weights: tuple[float, ...], met: tuple[bool, ...], score: float) -> None:
    assert score_rubric(criteria(*weights), met) == score


@pytest.mark.parametrize(
    ("expected", "met", "reason"),
    [
        pytest.param(golden(), [], "no rubric", id="no rubric"),
        pytest.param(rubric(0, 0), [True, True], "weight", id="no weight"),
        pytest.param(rubric(1, 1), [True], "found 1", id="a verdict less"),
        pytest.param(rubric(1), [True, True], "found 2", id="a verdict more"),
    ],
)
def test_score_rubric_refuses(expected: Json, met: list[bool], reason: str) -> None:
    judged = suite(task(expected=expected)).tasks[0].expected
    with pytest.raises(ValueError, match=reason):
        score_rubric(judged, met)
