"""What must hold before anything is graded, beyond the schemas."""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from openwop_evals.errors import Problem
from openwop_evals.models import AgentEvalSuite, EvalSummary, Expected
from openwop_evals.numbers import exact_sum

__all__ = ["baseline_problems", "suite_problems", "suite_warnings"]


def suite_problems(suite: AgentEvalSuite, model_class: str | None) -> Iterator[Problem]:
    """Why a suite cannot be graded: repeated tasks, nothing to judge by, a model not allowed."""
    seen: dict[str, int] = {}
    for at, task in enumerate(suite.tasks):
        pointer = f"/tasks/{at}"
        if task.task_id in seen:
            first = f"/tasks/{seen[task.task_id]}/taskId"
            yield Problem(
                reason=f"the taskId stands at {first} too",
                task_id=task.task_id,
                pointer=f"{pointer}/taskId",
            )
        seen.setdefault(task.task_id, at)
        if reason := _unjudgeable(task.expected):
            yield Problem(reason=reason, task_id=task.task_id, pointer=f"{pointer}/expected")
    allowed = suite.allowed_models
    if model_class is not None and allowed is not UNSET and model_class not in allowed:
        yield Problem(
            reason=f"the evaluated model class {model_class} is not among {', '.join(allowed)}",
            pointer="/allowedModels",
        )


def suite_warnings(suite: AgentEvalSuite, pass_score: float) -> Iterator[str]:
    """What makes a suite say less than it seems to."""
    if pass_score == 0:
        yield "passScore is 0, which every run meets: it gates nothing"
    for task in suite.tasks:
        rubric = task.expected.rubric
        if rubric is not UNSET and exact_sum(criterion.weight for criterion in rubric) != 1:
            yield f"task {task.task_id}: the rubric's weights do not sum to 1"


def baseline_problems(suite: AgentEvalSuite, baseline: EvalSummary) -> Iterator[Problem]:
    """Why a summary is no baseline for a suite: another suite or version, or other tasks."""
    for name, found, expected in (
        ("suiteId", baseline.suite_id, suite.suite_id),
        ("suiteVersion", baseline.suite_version, suite.version),
    ):
        if found != expected:
            yield Problem(reason=f"the baseline's {name} is {found}, expected {expected}")
    found_ids = Counter(row.task_id for row in baseline.tasks)
    expected_ids = dict.fromkeys(task.task_id for task in suite.tasks)
    for task_id in expected_ids:
        if task_id not in found_ids:
            yield Problem(reason="the baseline has no such task", task_id=task_id)
    for task_id, times in found_ids.items():
        if task_id not in expected_ids:
            yield Problem(reason="only the baseline has such a task", task_id=task_id)
        elif times > 1:
            yield Problem(reason=f"the baseline has the task {times} times", task_id=task_id)


def _unjudgeable(expected: Expected) -> str | None:
    if expected.kind == "golden" and expected.match is UNSET:
        return "a golden task needs match"
    if expected.kind == "rubric":
        if expected.rubric is UNSET:
            return "a rubric task needs rubric"
        if not any(criterion.weight for criterion in expected.rubric):
            return "the rubric's weights sum to 0"
    return None
