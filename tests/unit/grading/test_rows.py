"""One record of a trial log, graded or refused."""

import pytest
from msgspec import UNSET

from openwop_evals import GradedTrial, Mismatch, Problem, TrialRecord
from openwop_evals.grading.rows import grade_record, trial_of
from tests.support.builders import Json, golden, rubric, suite, task, trial

PLAIN = golden()
GUARDED = golden({"forbidden": ["x:bad"]})
CRITERIA = rubric(0.6, 0.4)
CLEAN: list[Json] = []
HIT: list[Json] = [{"tool": "x:ok"}, {"tool": "x:bad"}]
FORBIDDEN = Mismatch(reason="forbidden", tool="x:bad", call_index=1)
HOST = Mismatch(reason="host")


def graded(expected: Json, bar: float = 0.7, **members: object) -> GradedTrial | Problem:
    (one,) = suite(task("t1", expected)).tasks
    return grade_record(one, trial("t1", 2, **members), 7, bar)


def measured(expected: Json, **members: object) -> GradedTrial:
    result = graded(expected, 0.7, **members)
    assert isinstance(result, GradedTrial)
    return result


@pytest.mark.parametrize(("at", "which"), [(None, 0), (0, 0), (3, 3)])
def test_trial_of(at: int | None, which: int) -> None:
    assert trial_of(trial("t1", at, score=1)) == which


@pytest.mark.parametrize(
    ("expected", "members", "score", "gating", "passed"),
    [
        pytest.param(PLAIN, {"score": 0.9}, 0.9, 0.9, True, id="score"),
        pytest.param(PLAIN, {"score": 1}, 1.0, 1.0, True, id="score: an integer"),
        pytest.param(PLAIN, {"score": 0.6}, 0.6, 0.6, False, id="score under the bar"),
        pytest.param(CRITERIA, {"score": 0.8}, 0.8, 0.8, True, id="score of a rubric task"),
        pytest.param(PLAIN, {"output": "yes"}, 1.0, 1.0, True, id="output"),
        pytest.param(PLAIN, {"output": None}, 0.0, 0.0, False, id="output: null is one"),
        pytest.param(CRITERIA, {"rubricMet": [True, False]}, 0.6, 0.6, False, id="rubricMet"),
        pytest.param(PLAIN, {"error": "timeout"}, 0.0, 0.0, False, id="errored"),
        pytest.param(PLAIN, {"fixtureMiss": True}, 0.0, 0.0, False, id="miss"),
        pytest.param(PLAIN, {"fixtureMiss": True, "score": 0}, 0.0, 0.0, False, id="miss, score 0"),
        pytest.param(PLAIN, {"fixtureMiss": False, "score": 1}, 1.0, 1.0, True, id="no miss"),
        pytest.param(
            PLAIN, {"fixtureMiss": True, "error": "x"}, 0.0, 0.0, False, id="miss and errored"
        ),
        pytest.param(GUARDED, {"score": 0.9, "toolCalls": CLEAN}, 0.9, 0.9, True, id="clean"),
        pytest.param(GUARDED, {"score": 0.9, "toolCalls": HIT}, 0.9, 0.0, False, id="forbidden"),
        pytest.param(
            PLAIN, {"score": 0.9, "trajectoryMatched": False}, 0.9, 0.9, True, id="host ignored"
        ),
    ],
)
def test_scores_and_verdict(
    expected: Json, members: Json, score: float, gating: float, *, passed: bool
) -> None:
    result = measured(expected, **members)
    assert (result.trial, result.position) == (2, 7)
    assert (result.score, result.gating_score, result.passed) == (score, gating, passed)
    assert type(result.score) is float


def test_an_integer_built_by_hand_becomes_a_score() -> None:
    (one,) = suite(task("t1")).tasks
    result = grade_record(one, TrialRecord(task_id="t1", score=1), 0, 0.7)
    assert isinstance(result, GradedTrial)
    assert type(result.score) is float


@pytest.mark.parametrize(
    ("expected", "members", "passed"),
    [
        pytest.param(PLAIN, {"score": 0}, True, id="score 0"),
        pytest.param(PLAIN, {"error": "timeout"}, False, id="errored"),
        pytest.param(PLAIN, {"fixtureMiss": True}, False, id="miss"),
        pytest.param(GUARDED, {"score": 0, "toolCalls": HIT}, False, id="forbidden"),
    ],
)
def test_verdict_at_a_bar_of_0(expected: Json, members: Json, *, passed: bool) -> None:
    result = graded(expected, 0.0, **members)
    assert isinstance(result, GradedTrial)
    assert result.passed is passed


@pytest.mark.parametrize(
    ("members", "mismatches"),
    [
        pytest.param({"score": 1, "toolCalls": CLEAN}, [], id="calls"),
        pytest.param({"score": 1, "toolCalls": HIT}, [FORBIDDEN], id="forbidden call"),
        pytest.param({"score": 1, "trajectoryMatched": True}, [], id="host alone says yes"),
        pytest.param({"score": 1, "trajectoryMatched": False}, [HOST], id="host alone says no"),
        pytest.param(
            {"score": 1, "toolCalls": CLEAN, "trajectoryMatched": True}, [], id="both say yes"
        ),
        pytest.param(
            {"score": 1, "toolCalls": CLEAN, "trajectoryMatched": False}, [HOST], id="host stricter"
        ),
        pytest.param(
            {"score": 1, "toolCalls": HIT, "trajectoryMatched": True}, [FORBIDDEN], id="we stricter"
        ),
        pytest.param(
            {"score": 1, "toolCalls": HIT, "trajectoryMatched": False}, [FORBIDDEN], id="both no"
        ),
        pytest.param({"error": "x", "toolCalls": HIT}, [FORBIDDEN], id="errored, with calls"),
        pytest.param({"fixtureMiss": True, "toolCalls": CLEAN}, [], id="miss, with calls"),
    ],
)
def test_trajectory_verdict(members: Json, mismatches: list[Mismatch]) -> None:
    verdict = measured(GUARDED, **members).trajectory
    assert verdict is not None
    assert list(verdict.mismatches) == mismatches


@pytest.mark.parametrize(
    ("expected", "members"),
    [
        pytest.param(PLAIN, {"score": 1, "toolCalls": HIT}, id="no trajectory"),
        pytest.param(GUARDED, {"error": "timeout"}, id="errored before its calls"),
        pytest.param(GUARDED, {"fixtureMiss": True}, id="failed closed before its calls"),
    ],
)
def test_no_trajectory_verdict(expected: Json, members: Json) -> None:
    assert measured(expected, **members).trajectory is None


def test_what_is_carried_over() -> None:
    finding = {"kind": "leak", "severity": "high"}
    result = measured(
        PLAIN, score=1, costUsd=0.5, latencyMs=12, schemaValid=False, safetyFindings=[finding]
    )
    assert (result.cost_usd, result.latency_ms, result.schema_valid) == (0.5, 12, False)
    assert result.safety_findings is not UNSET
    assert [(one.kind, one.severity) for one in result.safety_findings] == [("leak", "high")]
    assert (result.fixture_miss, result.error) == (False, None)


def test_what_is_absent_stays_absent() -> None:
    result = measured(PLAIN, error="timeout", costUsd=None)
    assert result.error == "timeout"
    absent = (result.cost_usd, result.latency_ms, result.schema_valid, result.safety_findings)
    assert absent == (UNSET,) * 4


@pytest.mark.parametrize(
    ("expected", "members", "pointer"),
    [
        pytest.param(PLAIN, {}, None, id="nothing to score"),
        pytest.param(PLAIN, {"score": 1, "output": "yes"}, None, id="score and output"),
        pytest.param(PLAIN, {"score": 1, "rubricMet": [True]}, None, id="score and rubricMet"),
        pytest.param(PLAIN, {"error": "x", "score": 0}, None, id="error and score"),
        pytest.param(PLAIN, {"error": "x", "output": None}, None, id="error and output"),
        pytest.param(PLAIN, {"error": "x", "rubricMet": []}, None, id="error and rubricMet"),
        pytest.param(PLAIN, {"fixtureMiss": True, "score": 0.1}, None, id="miss and a score"),
        pytest.param(PLAIN, {"fixtureMiss": True, "output": "yes"}, None, id="miss and output"),
        pytest.param(
            PLAIN, {"fixtureMiss": True, "error": "x", "score": 0}, None, id="miss, error and score"
        ),
        pytest.param(CRITERIA, {"output": "yes"}, "/output", id="output of a rubric task"),
        pytest.param(PLAIN, {"rubricMet": [True]}, "/rubricMet", id="rubricMet of a golden task"),
        pytest.param(CRITERIA, {"rubricMet": [True]}, "/rubricMet", id="a verdict less"),
        pytest.param(GUARDED, {"score": 1}, None, id="path unknown"),
    ],
)
def test_refused(expected: Json, members: Json, pointer: str | None) -> None:
    result = graded(expected, **members)
    assert isinstance(result, Problem)
    place = (result.task_id, result.trial, result.position, result.pointer)
    assert place == ("t1", 2, 7, pointer)


@pytest.mark.parametrize(
    ("members", "parts"),
    [
        pytest.param({}, ["found none"], id="nothing to score"),
        pytest.param({"score": 1, "output": 1}, ["score and output"], id="score and output"),
        pytest.param({"error": "x", "score": 0}, ["found score", "error"], id="error and score"),
        pytest.param(
            {"fixtureMiss": True, "score": 1}, ["found score", "fixtureMiss"], id="miss and score"
        ),
    ],
)
def test_a_refusal_in_words_says_what_was_found(members: Json, parts: list[str]) -> None:
    result = graded(PLAIN, **members)
    assert isinstance(result, Problem)
    assert [part for part in parts if part not in result.reason] == []
