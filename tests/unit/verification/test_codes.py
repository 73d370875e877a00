"""Every finding code: the least summary that has exactly it, and the mended twin that has none."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from openwop_evals import Finding, decode_suite, verification, verify
from tests.support.builders import Json, golden, suite_json, task, trial
from tests.support.summaries import ABSENT, as_summary, block, row

GUARDED = task("t1", golden({"forbidden": ["x:bad"]}))
PLAIN = suite_json(task("t1"), task("t2"))
PATHS = suite_json(GUARDED)
PATHS_BY_MEAN = suite_json(GUARDED, count=1, rule="mean")
TRIALS = suite_json(task("t1"), count=2, rule="any", bars={"passScore": 0.9})
ANY_SCORE = suite_json(task("t1"), task("t2"), bars={"passScore": 0})

RUN_ID = "acme/0123456789abcdef"
COSTS = {"/tasks/0/costUsd": 0.1, "/tasks/1/costUsd": 0.2, "/totalCostUsd": 0.3}
FAILED = {"/passed": False, "/passedCount": 0, "/tasks/0/passed": False}
GATED = FAILED | {"/gatedAggregateScore": 0.0, "/tasks/0/gatedScore": 0.0}
GATED_TRIAL = {
    "/tasks/0/trials": block(1, 0),
    "/trialStats/passAtK": 0.0,
    "/trialStats/passHatK": 0.0,
}
PASSED_TRIAL = {
    "/tasks/0/trials": block(1, 1),
    "/trialStats/passAtK": 1.0,
    "/trialStats/passHatK": 1.0,
}
NOTHING = {"/aggregateScore": 0.0, "/tasks/0/score": 0.0, "/tasks/1/score": 0.0}


def rows(*task_ids: str) -> Json:
    """The rows of some tasks, and their number."""
    count = len(task_ids)
    return {"/tasks": [*map(row, task_ids)], "/taskCount": count, "/passedCount": count}


class Case(NamedTuple):
    """One way in which a summary is not true.

    Attributes:
        finding: What is found.
        suite: The suite.
        wrong: What makes its summary untrue.
        given: What the mended twin has too.
        trials: The members of each trial, if the trials are given.
    """

    finding: Finding
    suite: Json
    wrong: Json
    given: Json | None = None
    trials: tuple[Json, ...] | None = None

    def found(self, *, mended: bool) -> list[Finding]:
        """What is found in the summary or in its twin."""
        summary = as_summary(self.suite, (self.given or {}) | ({} if mended else self.wrong))
        records = None if self.trials is None else [trial(**members) for members in self.trials]
        return verify(summary, decode_suite(json.dumps(self.suite)), records)


def f(  # noqa: PLR0913, PLR0917 - the members of a finding
    code: str,
    pointer: str,
    section: str,
    expected: object,
    found: object,
    task_id: str | None = None,
) -> Finding:
    """A finding."""
    return Finding(
        code=code,
        pointer=pointer,
        section=f"RFC {section}",
        expected=expected,
        found=found,
        task_id=task_id,
    )


CASES = [
    # The suite and its tasks.
    Case(
        f("suite-id", "/suiteId", "0081", "acme.evals.sample", "acme.evals.other"),
        PLAIN,
        {"/suiteId": "acme.evals.other"},
    ),
    Case(
        f("suite-version", "/suiteVersion", "0081", "1.0.0", "1.0.1"),
        PLAIN,
        {"/suiteVersion": "1.0.1"},
    ),
    Case(
        f("model-class", "/evaluatedModelClass", "0081 §A", "one of coding, writing", "general"),
        suite_json(allowedModels=["coding", "writing"]),
        {"/evaluatedModelClass": "general"},
        given={"/evaluatedModelClass": "coding"},
    ),
    Case(
        f("task-missing", "/tasks", "0081", "a row for t2", None, "t2"),
        PLAIN,
        rows("t1"),
    ),
    Case(
        f("task-extra", "/tasks/2/taskId", "0081", "a task of the suite", "t4", "t4"),
        PLAIN,
        rows("t1", "t2", "t4"),
    ),
    Case(
        f("task-order", "/tasks", "0081", "t1 before t2, as in the suite", "t2 first", "t2"),
        PLAIN,
        rows("t2", "t1"),
    ),
    Case(
        f("task-repeated", "/tasks/2/taskId", "0081", "each task once", "t2", "t2"),
        PLAIN,
        rows("t1", "t2", "t2"),
    ),
    # The counts, the aggregates and the cost.
    Case(f("task-count", "/taskCount", "0081", 2, 3), PLAIN, {"/taskCount": 3}),
    Case(f("passed-count", "/passedCount", "0081", 2, 1), PLAIN, {"/passedCount": 1}),
    Case(
        f("aggregate-score", "/aggregateScore", "0246 §C", 0.9, 0.8),
        PLAIN,
        {"/aggregateScore": 0.8},
    ),
    Case(
        f("gated-aggregate-score", "/gatedAggregateScore", "0246 §A", 0.9, 0.8),
        PATHS,
        {"/gatedAggregateScore": 0.8},
    ),
    Case(
        f("total-cost", "/totalCostUsd", "0081", "at least 0.3, the sum of the tasks", 0.2),
        PLAIN,
        {"/totalCostUsd": 0.2},
        given=COSTS,
    ),
    Case(
        f(
            "regression-delta",
            "/regression/scoreDelta",
            "0081",
            "a difference from a baseline between 0 and 1",
            0.95,
        ),
        PLAIN,
        {"/regression/scoreDelta": 0.95},
        given={"/regression": {"baselineRunId": RUN_ID, "scoreDelta": 0.9}},
    ),
    # The gated fields.
    Case(
        f(
            "predates-rfc-0246",
            "",
            "0246 §D",
            "gatedScore and gatedAggregateScore, since a task has a trajectory",
            None,
        ),
        PATHS,
        {"/tasks/0/gatedScore": ABSENT, "/gatedAggregateScore": ABSENT},
    ),
    Case(
        f(
            "gated-score-absent",
            "/tasks/0/gatedScore",
            "0246 §D",
            "gatedScore, since the task has a trajectory",
            None,
            "t1",
        ),
        PATHS,
        {"/tasks/0/gatedScore": ABSENT},
    ),
    Case(
        f(
            "gated-score-unexpected",
            "/tasks/1/gatedScore",
            "0246 §D",
            "no gatedScore, since it does not differ and there is no trajectory",
            0.9,
            "t2",
        ),
        PLAIN,
        {"/tasks/1/gatedScore": 0.9},
    ),
    Case(
        f(
            "gated-aggregate-absent",
            "/gatedAggregateScore",
            "0246 §D",
            "gatedAggregateScore, since a task has a trajectory",
            None,
        ),
        PATHS,
        {"/gatedAggregateScore": ABSENT},
    ),
    Case(
        f(
            "gated-aggregate-unexpected",
            "/gatedAggregateScore",
            "0246 §D",
            "no gatedAggregateScore, since no task has a trajectory or a gatedScore",
            0.9,
        ),
        PLAIN,
        {"/gatedAggregateScore": 0.9},
    ),
    Case(
        f(
            "gated-above-score",
            "/tasks/0/gatedScore",
            "0246 §A",
            "at most 0.9, the score",
            0.95,
            "t1",
        ),
        PATHS_BY_MEAN,
        {"/tasks/0/gatedScore": 0.95, "/gatedAggregateScore": 0.95},
    ),
    # The trials of a row, and those of the run.
    Case(
        f(
            "trials-absent",
            "/tasks/0/trials",
            "0244 §B",
            "the block, since the suite has trials",
            None,
            "t1",
        ),
        TRIALS,
        {"/tasks/0/trials": ABSENT},
    ),
    Case(
        f(
            "trials-unexpected",
            "/tasks/1/trials",
            "0244 §B",
            "none: the suite has no trials",
            "the block",
            "t2",
        ),
        PLAIN,
        {"/tasks/1/trials": block(1, 1)},
    ),
    Case(
        f("trials-count", "/tasks/0/trials/count", "0244 §B", 2, 3, "t1"),
        TRIALS,
        {"/tasks/0/trials": block(3, 3)},
    ),
    Case(
        f(
            "trials-passed-count",
            "/tasks/0/trials/passedCount",
            "0244 §B",
            "at most 2, the count",
            3,
            "t1",
        ),
        TRIALS,
        {"/tasks/0/trials/passedCount": 3},
    ),
    Case(
        f("trials-mean-score", "/tasks/0/trials/meanScore", "0246 §C", 0.9, 0.8, "t1"),
        TRIALS,
        {"/tasks/0/trials/meanScore": 0.8},
    ),
    Case(
        f("trials-pass-at-k", "/tasks/0/trials/passAtK", "0244 §B", 1.0, 0.5, "t1"),
        TRIALS,
        {"/tasks/0/trials/passAtK": 0.5, "/trialStats/passAtK": 0.5},
    ),
    Case(
        f("trials-pass-hat-k", "/tasks/0/trials/passHatK", "0244 §B", 1.0, 0.5, "t1"),
        TRIALS,
        {"/tasks/0/trials/passHatK": 0.5, "/trialStats/passHatK": 0.5},
    ),
    Case(
        f(
            "trial-stats-absent",
            "/trialStats",
            "0244 §B",
            "the block, since the suite has trials",
            None,
        ),
        TRIALS,
        {"/trialStats": ABSENT},
    ),
    Case(
        f(
            "trial-stats-unexpected",
            "/trialStats",
            "0244 §B",
            "none: the suite has no trials",
            "the block",
        ),
        PLAIN,
        {"/trialStats": {"count": 1, "passRule": "all", "passAtK": 1.0, "passHatK": 1.0}},
    ),
    Case(
        f("trial-stats-count", "/trialStats/count", "0244 §B", 2, 3),
        TRIALS,
        {"/trialStats/count": 3},
    ),
    Case(
        f("trial-stats-pass-rule", "/trialStats/passRule", "0244 §B", "any", "mean"),
        TRIALS,
        {"/trialStats/passRule": "mean"},
    ),
    Case(
        f("trial-stats-pass-at-k", "/trialStats/passAtK", "0244 §B", 1.0, 0.5),
        TRIALS,
        {"/trialStats/passAtK": 0.5},
    ),
    Case(
        f("trial-stats-pass-hat-k", "/trialStats/passHatK", "0244 §B", 1.0, 0.5),
        TRIALS,
        {"/trialStats/passHatK": 0.5},
    ),
    # The decisions.
    Case(
        f("task-passed", "/tasks/1/passed", "0244 §A", expected=True, found=False, task_id="t2"),
        PLAIN,
        {"/tasks/1/passed": False, "/passedCount": 1},
    ),
    Case(
        f("task-passed", "/tasks/0/passed", "0244 §A", expected=False, found=True, task_id="t1"),
        PATHS,
        {"/tasks/0/passed": True, "/passedCount": 1},
        given=GATED,
    ),
    Case(
        f("task-passed", "/tasks/0/passed", "0246 §B", expected=False, found=True, task_id="t1"),
        PATHS_BY_MEAN,
        {"/tasks/0/passed": True, "/passedCount": 1},
        given=GATED | GATED_TRIAL,
    ),
    Case(
        f(
            "trials-passed-score",
            "/tasks/0/trials/passedCount",
            "0244 §A",
            "a gating score of 0.7 to 1.0, since 1 trials passed",
            0.0,
            "t1",
        ),
        PATHS_BY_MEAN,
        PASSED_TRIAL,
        given=GATED | GATED_TRIAL,
    ),
    Case(
        f(
            "trials-passed-score",
            "/tasks/0/trials/passedCount",
            "0244 §A",
            "a gating score of 0.0 to 0.7, since 0 trials passed",
            0.9,
            "t1",
        ),
        PATHS_BY_MEAN,
        GATED_TRIAL,
    ),
    Case(
        f("passed", "/passed", "0246 §B", expected=True, found=False),
        PLAIN,
        {"/passed": False},
    ),
    Case(
        f("passed", "/passed", "0246 §B", expected=False, found=True),
        PATHS,
        {"/passed": True},
        given=GATED,
    ),
    # What only the trials tell.
    Case(
        f("score", "/tasks/0/score", "0246 §C", 0.9, 0.8, "t1"),
        suite_json(),
        {"/tasks/0/score": 0.8, "/aggregateScore": 0.8},
        trials=({"score": 0.9},),
    ),
    Case(
        f("score-zeroed", "/tasks/0/score", "0246 §C", 0.9, 0.0, "t1"),
        PATHS,
        {"/tasks/0/score": 0.0, "/aggregateScore": 0.0},
        given=GATED,
        trials=({"score": 0.9, "toolCalls": [{"tool": "x:bad"}]},),
    ),
    Case(
        f("gated-score", "/tasks/0/gatedScore", "0246 §A", 0.9, 0.8, "t1"),
        PATHS_BY_MEAN,
        {"/tasks/0/gatedScore": 0.8, "/gatedAggregateScore": 0.8},
        trials=({"score": 0.9, "toolCalls": []},),
    ),
    Case(
        f("task-verdict", "/tasks/0/passed", "0246 §B", expected=False, found=True, task_id="t1"),
        ANY_SCORE,
        {"/tasks/0/passed": True, "/passedCount": 2},
        given=NOTHING | {"/tasks/0/passed": False, "/passedCount": 1},
        trials=({"error": "timeout"}, {"task_id": "t2", "score": 0}),
    ),
    Case(
        f("trials-passed", "/tasks/0/trials/passedCount", "0244 §B", 2, 1, "t1"),
        TRIALS,
        {"/tasks/0/trials": block(2, 1), "/trialStats/passHatK": 0.0},
        trials=({"trial": 0, "score": 0.9}, {"trial": 1, "score": 0.9}),
    ),
]
each_case = pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.finding.code}-{at}") for at, case in enumerate(CASES)]
)


@each_case
def test_a_fault_is_found_and_no_other(case: Case) -> None:
    assert case.found(mended=False) == [case.finding]


@each_case
def test_the_mended_twin_is_clean(case: Case) -> None:
    assert case.found(mended=True) == []


def test_every_code_of_the_sources_is_in_the_table() -> None:
    folder = Path(verification.__file__).parent
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")]
    codes = {code for tree in trees for code in _codes(tree)}
    assert codes == {case.finding.code for case in CASES}


def _codes(tree: ast.Module) -> Iterator[str]:
    """The codes that findings are made with: as they stand, looped over, or passed on."""
    blocks = [_text(call.args[0]) for call in _calls(tree, "_block")]
    for call in _calls(tree, "Finding"):
        (code,) = (keyword.value for keyword in call.keywords if keyword.arg == "code")
        for part in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
            if isinstance(part, ast.JoinedStr):
                name, ending = part.values
                assert ast.unparse(name).strip("{}f'") == "name"
                yield from (f"{block}{_text(ending)}" for block in blocks)
            elif not isinstance(part, ast.Name):
                yield _text(part)
    yield from (_text(call.args[0]) for call in _calls(tree, "_differs"))
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For) and ast.unparse(loop.target).startswith("(code,"):
            assert isinstance(loop.iter, ast.Tuple)
            for row_ in loop.iter.elts:
                assert isinstance(row_, ast.Tuple)
                yield _text(row_.elts[0])


def _calls(tree: ast.Module, name: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def _text(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, str)
    return node.value
