"""What must hold before anything is graded."""

import pytest
from msgspec.structs import replace

from openwop_evals import EvalSummary, grade
from openwop_evals.grading.preconditions import baseline_problems, suite_problems, suite_warnings
from tests.support.builders import Json, golden, rubric, suite, task, trial

SUITE = suite(task("t1"), task("t2"))


@pytest.mark.parametrize(
    ("expected", "members", "model_class"),
    [
        pytest.param(golden(), {}, None, id="golden"),
        pytest.param(rubric(0, 0.1), {}, None, id="rubric, a weight of 0"),
        pytest.param(golden() | rubric(0) | {"kind": "golden"}, {}, None, id="rubric not used"),
        pytest.param(golden(), {"allowedModels": ["coding"]}, None, id="class not told"),
        pytest.param(golden(), {"allowedModels": ["coding"]}, "coding", id="class allowed"),
        pytest.param(golden(), {}, "coding", id="any class allowed"),
    ],
)
def test_a_gradable_suite(expected: Json, members: Json, model_class: str | None) -> None:
    assert list(suite_problems(suite(task("t1", expected), **members), model_class)) == []


@pytest.mark.parametrize(
    "expected",
    [
        pytest.param({"kind": "golden"}, id="golden without match"),
        pytest.param(rubric(1) | {"kind": "golden"}, id="golden with a rubric"),
        pytest.param({"kind": "rubric"}, id="rubric without rubric"),
        pytest.param(golden() | {"kind": "rubric"}, id="rubric with match"),
        pytest.param(rubric(0, 0.0), id="weights that sum to 0"),
    ],
)
def test_a_task_without_anything_to_judge_by(expected: Json) -> None:
    (problem,) = suite_problems(suite(task("t1"), task("t2", expected)), None)
    assert (problem.task_id, problem.pointer) == ("t2", "/tasks/1/expected")


def test_a_repeated_task_id_names_both_places() -> None:
    problems = list(suite_problems(suite(task("t1"), task("t2"), task("t1"), task("t1")), None))
    assert [(one.task_id, one.pointer) for one in problems] == [
        ("t1", "/tasks/2/taskId"),
        ("t1", "/tasks/3/taskId"),
    ]
    assert all("/tasks/0/taskId" in one.reason for one in problems)


def test_a_model_class_that_is_not_allowed() -> None:
    limited = suite(allowedModels=["writing", "coding"])
    (problem,) = suite_problems(limited, "general")
    assert (problem.task_id, problem.pointer) == (None, "/allowedModels")
    assert "general is not among writing, coding" in problem.reason


@pytest.mark.parametrize(
    ("bar", "expected", "about"),
    [
        pytest.param(0.7, golden(), [], id="nothing"),
        pytest.param(0.7, rubric(0.1, 0.2, 0.7), [], id="weights sum to 1, exactly"),
        pytest.param(0.0, golden(), ["passScore is 0"], id="a bar of 0"),
        pytest.param(0.7, rubric(0.5, 0.4), ["task t1"], id="weights below 1"),
        pytest.param(0.0, rubric(1, 1), ["passScore is 0", "task t1"], id="both"),
    ],
)
def test_warnings(bar: float, expected: Json, about: list[str]) -> None:
    warnings = list(suite_warnings(suite(task("t1", expected)), bar))
    assert len(warnings) == len(about)
    assert [part for part, text in zip(about, warnings, strict=True) if part not in text] == []


def baseline(**members: object) -> EvalSummary:
    return replace(grade(SUITE, [trial("t1", score=1), trial("t2", score=1)]), **members)


def test_a_baseline_of_the_same_suite_whatever_its_order() -> None:
    rows = baseline().tasks
    assert list(baseline_problems(SUITE, baseline(tasks=rows[::-1]))) == []


@pytest.mark.parametrize(
    ("members", "parts"),
    [
        pytest.param({"suite_id": "acme.evals.other"}, "suiteId is acme.evals.other", id="suite"),
        pytest.param({"suite_version": "2.0.0"}, "suiteVersion is 2.0.0", id="version"),
    ],
)
def test_a_baseline_of_another_suite(members: Json, parts: str) -> None:
    (problem,) = baseline_problems(SUITE, baseline(**members))
    assert parts in problem.reason


@pytest.mark.parametrize(
    ("ids", "named"),
    [
        pytest.param(["t1"], ["t2"], id="one less"),
        pytest.param(["t1", "t2", "t3"], ["t3"], id="one more"),
        pytest.param(["t4", "t3"], ["t1", "t2", "t4", "t3"], id="others"),
        pytest.param(["t1", "t1", "t1", "t2"], ["t1"], id="one thrice"),
        pytest.param([], ["t1", "t2"], id="none"),
    ],
)
def test_a_baseline_of_other_tasks_names_each(ids: list[str], named: list[str]) -> None:
    row = baseline().tasks[0]
    other = baseline(tasks=tuple(replace(row, task_id=name) for name in ids))
    assert [one.task_id for one in baseline_problems(SUITE, other)] == named
