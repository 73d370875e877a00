"""The examples and the two conformance fixtures of RFC 0246, with its figures."""

import json
from typing import Any

import pytest

from openwop_evals import AgentEvalSuite, TrialRecord, encode, grade, grade_run
from tests.support.builders import Json, golden, suite, task, trial

FORBIDDEN: Json = {"forbidden": ["acme:refund"]}
LOOKUP: Json = {"toolCalls": [{"tool": "acme:lookup"}]}
RIGHT = [{"tool": "acme:lookup"}]
WRONG = [{"tool": "acme:guess"}]
HIT = [{"tool": "acme:refund"}]


def written(graded_suite: AgentEvalSuite, trials: list[TrialRecord]) -> Json:
    """The summary as a reader of the wire sees it."""
    summary: Json = json.loads(encode(grade(graded_suite, trials)))
    return summary


def test_example_task_under_mean() -> None:
    example = suite(task("t1", golden(FORBIDDEN)), count=3, rule="mean")
    summary = written(example, [trial("t1", at, score=0.9, toolCalls=HIT) for at in range(3)])
    assert summary["tasks"] == [
        {
            "taskId": "t1",
            "score": 0.9,
            "gatedScore": 0.0,
            "passed": False,
            "trials": {
                "count": 3,
                "passedCount": 0,
                "meanScore": 0.9,
                "passAtK": 0.0,
                "passHatK": 0.0,
            },
        }
    ]
    assert (summary["aggregateScore"], summary["gatedAggregateScore"]) == (0.9, 0.0)
    assert summary["passed"] is False


def test_example_suite_at_count_1() -> None:
    example = suite(task("t1", golden(LOOKUP)), task("t2", golden(LOOKUP)))
    summary = written(
        example,
        [trial("t1", score=0.9, toolCalls=RIGHT), trial("t2", score=0.9, toolCalls=WRONG)],
    )
    assert summary == {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "aggregateScore": 0.9,
        "gatedAggregateScore": 0.45,
        "passed": False,
        "taskCount": 2,
        "passedCount": 1,
        "tasks": [
            {"taskId": "t1", "score": 0.9, "gatedScore": 0.9, "passed": True},
            {"taskId": "t2", "score": 0.9, "gatedScore": 0.0, "passed": False},
        ],
    }


@pytest.mark.parametrize(("score", "passed"), [(0.9, True), (0.6, False)])
def test_example_no_trajectory(*, score: float, passed: bool) -> None:
    summary = written(suite(task("t1")), [trial("t1", score=score)])
    assert summary == {
        "suiteId": "acme.evals.sample",
        "suiteVersion": "1.0.0",
        "aggregateScore": score,
        "passed": passed,
        "taskCount": 1,
        "passedCount": int(passed),
        "tasks": [{"taskId": "t1", "score": score, "passed": passed}],
    }


def test_example_trajectory_matched() -> None:
    example = suite(task("t1", golden(LOOKUP)), count=2, rule="mean")
    summary = written(
        example,
        [trial("t1", 0, score=0.9, toolCalls=RIGHT), trial("t1", 1, score=0.6, toolCalls=RIGHT)],
    )
    (row,) = summary["tasks"]
    assert (row["score"], row["gatedScore"], row["passed"]) == (0.75, 0.75, True)
    assert (summary["aggregateScore"], summary["gatedAggregateScore"]) == (0.75, 0.75)
    assert summary["passed"] is True


@pytest.mark.parametrize(
    ("trajectory", "carried"),
    [
        pytest.param(None, False, id="no trajectory"),
        pytest.param({}, True, id="a trajectory that constrains nothing"),
        pytest.param(FORBIDDEN, True, id="forbidden only"),
        pytest.param(LOOKUP, True, id="calls only"),
    ],
)
def test_which_rows_carry_the_gated_score(trajectory: Json | None, *, carried: bool) -> None:
    mixed = suite(task("t1", golden(trajectory)), task("t2"))
    summary = written(mixed, [trial("t1", score=1, toolCalls=RIGHT), trial("t2", fixtureMiss=True)])
    assert ["gatedScore" in row for row in summary["tasks"]] == [carried, False]
    assert ("gatedAggregateScore" in summary) is carried


def test_conformance_fixture_gate_mean() -> None:
    fixture = suite(task("t1", golden(FORBIDDEN)), bars={"passScore": 0.6}, count=2, rule="mean")
    run = grade_run(fixture, [trial("t1", at, output="yes", toolCalls=HIT) for at in range(2)])
    assert [(one.score, one.passed) for one in run.tasks[0].trials] == [(1.0, False)] * 2
    summary: Any = json.loads(encode(run.summary))
    (row,) = summary["tasks"]
    assert (row["trials"]["meanScore"], row["gatedScore"], row["passed"]) == (1.0, 0.0, False)
    assert (summary["aggregateScore"], summary["gatedAggregateScore"]) == (1.0, 0.0)
    assert summary["trialStats"] == {
        "count": 2,
        "passRule": "mean",
        "passAtK": 0.0,
        "passHatK": 0.0,
    }


def test_conformance_fixture_gate() -> None:
    fixture = suite(task("t1", golden(LOOKUP)), task("t2", golden(LOOKUP)), bars={"passScore": 0.6})
    summary = written(
        fixture,
        [trial("t1", output="yes", toolCalls=RIGHT), trial("t2", output="yes", toolCalls=WRONG)],
    )
    assert [(row["score"], row["gatedScore"]) for row in summary["tasks"]] == [(1, 1), (1, 0)]
    assert (summary["aggregateScore"], summary["gatedAggregateScore"]) == (1.0, 0.5)
    assert summary["passed"] is False
    assert "trialStats" not in summary
    assert not any("trials" in row for row in summary["tasks"])
