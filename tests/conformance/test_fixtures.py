"""The packaged fixtures are those of RFC 0246, and grade to its figures."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from openwop_evals import (
    EvalTask,
    ToolCall,
    Trajectory,
    TrialRecord,
    encode,
    grade,
    grade_run,
    match_trajectory,
    score_output,
    validate,
)
from openwop_evals.conformance import (
    AGENT_ID,
    FIXTURES,
    Fixture,
    ScriptedAgent,
    load_fixture,
    scripted,
)
from openwop_evals.conformance.scripted import private_texts
from tests.support.builders import Json, golden, rubric, suite, task, trial

FOLDER = Path(scripted.__file__).with_name("fixtures")
MEAN, GATE = (load_fixture(fixture_id) for fixture_id in FIXTURES)
TRIALS = [(MEAN, "forbidden-call", 0), (MEAN, "forbidden-call", 1)]
TASKS = [(GATE, "right-path", 0), (GATE, "wrong-path", 0)]


def task_of(fixture: Fixture, task_id: str) -> EvalTask:
    (one,) = (one for one in fixture.suite.tasks if one.task_id == task_id)
    return one


def path_of(fixture: Fixture, task_id: str, at: int) -> tuple[Trajectory, tuple[ToolCall, ...]]:
    trajectory = task_of(fixture, task_id).expected.trajectory
    calls = fixture.agent(task_id, at).tool_calls
    assert trajectory is not UNSET
    assert calls is not UNSET
    return trajectory, calls


def written(fixture: Fixture) -> Json:
    """The summary of a fixture as a reader of the wire sees it."""
    summary: Json = json.loads(encode(grade(fixture.suite, fixture.agent.script)))
    return summary


def test_the_fixtures_have_the_ids_of_the_rfc() -> None:
    assert FIXTURES == ("conformance-eval-trajectory-gate-mean", "conformance-eval-trajectory-gate")
    assert [fixture.fixture_id for fixture in (MEAN, GATE)] == list(FIXTURES)


def test_the_folder_holds_the_fixtures_and_nothing_else() -> None:
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    files = ("suite.json", "script.jsonl")
    assert found == {str(Path(fixture_id, file)) for fixture_id in FIXTURES for file in files}


@pytest.mark.parametrize("fixture_id", FIXTURES)
def test_a_fixture_meets_its_schemas(fixture_id: str) -> None:
    assert validate("suite", (FOLDER / fixture_id / "suite.json").read_bytes()) == []
    lines = (FOLDER / fixture_id / "script.jsonl").read_bytes().splitlines()
    assert [validate("trial", line) for line in lines] == [[], []]


@pytest.mark.parametrize(
    ("fixture", "suite_id"),
    [
        pytest.param(MEAN, "openwop.conformance.evals.trajectory-gate-mean", id="mean"),
        pytest.param(GATE, "openwop.conformance.evals.trajectory-gate", id="gate"),
    ],
)
def test_a_suite_names_itself_its_agent_and_its_bar(fixture: Fixture, suite_id: str) -> None:
    suite_ = fixture.suite
    assert (suite_.suite_id, suite_.target_agent_id, suite_.modes) == (
        suite_id,
        "conformance-scripted-agent",
        ("golden",),
    )
    assert suite_.target_agent_id == AGENT_ID
    assert suite_.thresholds is not UNSET
    assert suite_.thresholds.pass_score == 0.6
    assert suite_.thresholds.max_cost_usd is UNSET
    assert suite_.thresholds.max_p95_latency_ms is UNSET


def test_the_fixture_of_mean_has_one_task_of_two_trials() -> None:
    assert [one.task_id for one in MEAN.suite.tasks] == ["forbidden-call"]
    assert MEAN.suite.trials is not UNSET
    assert (MEAN.suite.trials.count, MEAN.suite.trials.pass_rule) == (2, "mean")


def test_the_fixture_of_the_suite_has_two_tasks_and_no_trials() -> None:
    assert [one.task_id for one in GATE.suite.tasks] == ["right-path", "wrong-path"]
    assert GATE.suite.trials is UNSET
    assert [record.trial for record in GATE.agent.script] == [UNSET, UNSET]


@pytest.mark.parametrize("fixture", [MEAN, GATE], ids=FIXTURES)
def test_every_task_is_golden_and_has_a_trajectory(fixture: Fixture) -> None:
    for one in fixture.suite.tasks:
        assert one.expected.kind == "golden"
        assert one.expected.trajectory is not UNSET
        assert one.fixtures is UNSET


@pytest.mark.parametrize("fixture", [MEAN, GATE], ids=FIXTURES)
def test_the_script_tells_outputs_and_calls_and_no_verdict(fixture: Fixture) -> None:
    for record in fixture.agent.script:
        assert isinstance(record.output, str)
        assert record.tool_calls
        unsaid = (record.score, record.rubric_met, record.trajectory_matched)
        assert unsaid == (UNSET, UNSET, UNSET)
        assert (record.error, record.fixture_miss) == (UNSET, UNSET)


@pytest.mark.parametrize(("fixture", "task_id", "at"), [*TRIALS, *TASKS])
def test_every_output_is_golden(fixture: Fixture, task_id: str, at: int) -> None:
    expected = task_of(fixture, task_id).expected
    assert score_output(expected, fixture.agent(task_id, at).output) == 1.0


@pytest.mark.parametrize(("fixture", "task_id", "at"), TRIALS)
def test_both_trials_call_a_forbidden_tool(fixture: Fixture, task_id: str, at: int) -> None:
    mismatches = match_trajectory(*path_of(fixture, task_id, at)).mismatches
    assert [(one.reason, one.tool) for one in mismatches] == [("forbidden", "depot:release-parcel")]


def test_the_first_task_goes_the_right_path() -> None:
    assert match_trajectory(*path_of(GATE, "right-path", 0)).matched


def test_the_second_task_goes_a_wrong_path() -> None:
    (mismatch,) = match_trajectory(*path_of(GATE, "wrong-path", 0)).mismatches
    assert (mismatch.reason, mismatch.tool) == ("missing", "depot:find-parcel")


def test_what_grading_makes_of_the_fixture_of_mean() -> None:
    assert written(MEAN) == {
        "suiteId": "openwop.conformance.evals.trajectory-gate-mean",
        "suiteVersion": "1.0.0",
        "aggregateScore": 1,
        "gatedAggregateScore": 0,
        "passed": False,
        "taskCount": 1,
        "passedCount": 0,
        "trialStats": {"count": 2, "passRule": "mean", "passAtK": 0, "passHatK": 0},
        "tasks": [
            {
                "taskId": "forbidden-call",
                "score": 1,
                "gatedScore": 0,
                "passed": False,
                "trials": {
                    "count": 2,
                    "passedCount": 0,
                    "meanScore": 1,
                    "passAtK": 0,
                    "passHatK": 0,
                },
            }
        ],
    }
    (graded,) = grade_run(MEAN.suite, MEAN.agent.script).tasks
    assert [(one.score, one.gating_score, one.passed) for one in graded.trials] == [
        (1, 0, False),
        (1, 0, False),
    ]


def test_what_grading_makes_of_the_fixture_of_the_suite() -> None:
    assert written(GATE) == {
        "suiteId": "openwop.conformance.evals.trajectory-gate",
        "suiteVersion": "1.0.0",
        "aggregateScore": 1,
        "gatedAggregateScore": 0.5,
        "passed": False,
        "taskCount": 2,
        "passedCount": 1,
        "tasks": [
            {"taskId": "right-path", "score": 1, "gatedScore": 1, "passed": True},
            {"taskId": "wrong-path", "score": 1, "gatedScore": 0, "passed": False},
        ],
    }


@pytest.mark.parametrize("fixture_id", ["", ".", "..", FIXTURES[0].upper(), "conformance-eval"])
def test_an_unknown_fixture_is_refused(fixture_id: str) -> None:
    with pytest.raises(LookupError, match="expected one of conformance-eval-trajectory-gate-mean"):
        load_fixture(fixture_id)


def test_the_agent_does_what_its_script_says() -> None:
    first, second = MEAN.agent.script
    assert MEAN.agent("forbidden-call") is first
    assert MEAN.agent("forbidden-call", 0) is first
    assert MEAN.agent("forbidden-call", 1) is second


def test_a_record_without_a_trial_is_trial_0() -> None:
    record = trial("t1", score=1)
    assert ScriptedAgent([record])("t1", 0) is record


@pytest.mark.parametrize(
    ("task_id", "at"), [("forbidden-call", 2), ("forbidden-call", -1), ("other", 0), ("", 0)]
)
def test_a_trial_that_the_script_does_not_have_is_refused(task_id: str, at: int) -> None:
    with pytest.raises(LookupError, match=f"no trial {at} of task {task_id}"):
        MEAN.agent(task_id, at)


@pytest.mark.parametrize(
    ("fixture", "texts"),
    [
        pytest.param(
            MEAN,
            {
                "Parcel K-204 waits in bay seven.",
                "Which bay does parcel K-204 wait in?",
                "parcel-number-K-204",
            },
            id="mean",
        ),
        pytest.param(
            GATE,
            {
                *("Parcel K-204 waits in bay seven.", "Parcel M-118 waits in bay two."),
                *("Which bay does parcel K-204 wait in?", "Which bay does parcel M-118 wait in?"),
                *("parcel-number-K-204", "parcel-number-M-118", "bay-number-two"),
            },
            id="gate",
        ),
    ],
)
def test_what_is_private_in_a_fixture(fixture: Fixture, texts: set[str]) -> None:
    assert private_texts(fixture) == texts


@pytest.mark.parametrize("fixture", [MEAN, GATE], ids=FIXTURES)
def test_no_id_and_no_tool_is_private(fixture: Fixture) -> None:
    ids = {fixture.suite.suite_id, AGENT_ID, *(one.task_id for one in fixture.suite.tasks)}
    tools = {call.tool for record in fixture.agent.script for call in record.tool_calls or ()}
    assert tools
    assert not any(private in one for private in private_texts(fixture) for one in ids | tools)


def fixture_with(expected: Json, *records: TrialRecord, input_: Any = None) -> Fixture:  # noqa: ANN401
    document = task("t1", expected) | {"input": input_}
    return Fixture(fixture_id="any", suite=suite(document), agent=ScriptedAgent(records))


@pytest.mark.parametrize(
    "fixture",
    [
        pytest.param(fixture_with(golden(), input_={"a": ["private text"]}), id="an input"),
        pytest.param(
            fixture_with(
                {"kind": "golden", "match": {"strategy": "exact", "value": ["private text"]}}
            ),
            id="a golden value",
        ),
        pytest.param(
            fixture_with(
                golden({"toolCalls": [{"tool": "x:a", "args": {"n": {"m": "private text"}}}]})
            ),
            id="an expected argument",
        ),
        pytest.param(
            fixture_with(golden(), trial("t1", output={"a": "private text"})), id="an output"
        ),
        pytest.param(
            fixture_with(
                golden(), trial("t1", toolCalls=[{"tool": "x:a", "args": {"n": "private text"}}])
            ),
            id="an argument",
        ),
    ],
)
def test_where_private_texts_stand(fixture: Fixture) -> None:
    assert private_texts(fixture) == {"private text"}


def test_the_prose_of_a_rubric_is_private() -> None:
    assert private_texts(fixture_with(rubric(1))) == {"criterion 0"}


def test_a_text_of_less_than_8_characters_is_found_by_chance() -> None:
    assert private_texts(fixture_with(golden(), input_=["1234567", "12345678"])) == {"12345678"}
