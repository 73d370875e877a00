"""Faults that people reported of other eval tools, one test a report: none of them here."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import UNSET

from openwop_evals import (
    AgentEvalSuite,
    DecodeError,
    GradingError,
    Mismatch,
    TrialRecord,
    ValidationError,
    decode_suite,
    decode_summary,
    decode_trial,
    encode,
    grade,
    grade_run,
    iter_trials,
    match_trajectory,
    pass_at_k,
    pass_hat_k,
)
from openwop_evals.cli.app import run as run_command
from openwop_evals.grading.trials import verdicts_pass
from openwop_evals.models import Kind
from tests.support.builders import Json, golden, suite, suite_json, task, trial, write_lines
from tests.support.documents import DECODE, WHOLE, changed

MODES = ["exact", "in-order", "any-order"]
GUARDED = golden({"forbidden": ["shop:delete_order"]})
HIT = [{"tool": "shop:delete_order"}]


class Result(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


Grade = Callable[..., Result]


@pytest.fixture(name="grade_files")
def _grade_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Grade:
    """Run grade on a suite and the lines of a log."""

    def graded(document: object, rows: Sequence[object] | bytes, *options: str) -> Result:
        (tmp_path / "suite.json").write_text(json.dumps(document), "utf-8")
        log = tmp_path / "trials.jsonl"
        if isinstance(rows, bytes):
            log.write_bytes(rows)
        else:
            write_lines(log, rows)
        code = run_command(["grade", str(tmp_path / "suite.json"), str(log), *options])
        return Result(code, *capsys.readouterr())

    return graded


def row(task_id: str = "t1", at: int = 0, **members: object) -> Json:
    """One line of a log."""
    return {"taskId": task_id, "trial": at} | members


def call(tool: str, **args: object) -> Json:
    """One tool call."""
    return {"tool": tool, "args": args}


def scored(*scores: float) -> list[TrialRecord]:
    """The trials of task t1."""
    return [trial("t1", at, score=score) for at, score in enumerate(scores)]


def mismatches(trajectory: Json, calls: list[Json]) -> tuple[Mismatch, ...]:
    """Where calls leave a trajectory."""
    expected = suite(task(expected=golden(trajectory))).tasks[0].expected.trajectory
    made = trial(toolCalls=calls).tool_calls
    assert expected is not UNSET
    assert made is not UNSET
    return match_trajectory(expected, made).mismatches


def matches(match: str, expected: list[Json], calls: list[Json]) -> bool:
    """Whether calls match under a rule."""
    return not mismatches({"match": match, "toolCalls": expected}, calls)


def test_a01_a_failed_run_ends_with_a_code_that_is_not_0(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text(json.dumps(suite_json()), "utf-8")
    log = write_lines(tmp_path / "trials.jsonl", [row(score=0.2)])
    command = [sys.executable, "-m", "openwop_evals", "grade"]
    files = [str(tmp_path / "suite.json"), str(log)]
    to_file = [*command, *files, "-o", str(tmp_path / "out.json")]
    piped = subprocess.run([*command, *files], check=False, capture_output=True)
    filed = subprocess.run(to_file, check=False, capture_output=True)
    assert (piped.returncode, filed.returncode) == (1, 1)
    assert decode_summary(piped.stdout).passed is False
    assert decode_summary((tmp_path / "out.json").read_bytes()).passed is False


@pytest.mark.parametrize(("score", "passed"), [(0.2, False), (0.7, True)])
def test_a02_every_format_gives_one_verdict(
    grade_files: Grade, tmp_path: Path, *, score: float, passed: bool
) -> None:
    report = tmp_path / "report.json"
    result = grade_files(
        suite_json(), [row(score=score)], "--report", "text", "--report", f"json={report}"
    )
    assert decode_summary(result.out).passed is passed
    verdict = "passed" if passed else "not passed"
    assert result.err.startswith(f"acme.evals.sample 1.0.0: {verdict}\n")
    found = json.loads(report.read_bytes())
    assert (found["verdict"], found["ok"]) == (verdict, passed)
    assert result.code == (0 if passed else 1)


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        pytest.param(suite_json() | {"tasks": []}, "/tasks", id="no task"),
        pytest.param(suite_json(count=0), "/trials/count", id="no trial"),
    ],
)
def test_a03_nothing_to_run_is_refused(grade_files: Grade, document: Json, pointer: str) -> None:
    with pytest.raises(ValidationError) as refused:
        decode_suite(json.dumps(document))
    assert [one.pointer for one in refused.value.violations] == [pointer]
    result = grade_files(document, [])
    assert (result.code, result.out) == (2, "")
    assert pointer in result.err


def test_a04_one_rule_decides_verdict_text_and_code(grade_files: Grade) -> None:
    scores = {"t1": 1.0, "t2": 1.0, "t3": 0.5}
    document = suite_json(*map(task, scores), bars={"passScore": 0.8})
    result = grade_files(document, [row(name, score=score) for name, score in scores.items()])
    summary = decode_summary(result.out)
    assert (summary.aggregate_score, summary.passed_count, summary.passed) == (5 / 6, 2, True)
    assert (result.code, "not passed" in result.err) == (0, False)


def test_a05_a_run_that_errored_throughout_cannot_be_decided(grade_files: Grade) -> None:
    result = grade_files(suite_json(count=2), [row(at=at, error="timeout") for at in range(2)])
    assert (result.code, result.out) == (2, "")
    assert "every trial errored" in result.err


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        pytest.param([row("t1", score=1)], ["t2"], id="no row for one task"),
        pytest.param([], ["t1", "t2"], id="no row at all"),
    ],
)
def test_a06_an_empty_set_never_opens_the_gate(
    grade_files: Grade, rows: list[Json], named: list[str]
) -> None:
    result = grade_files(suite_json(task("t1"), task("t2")), rows)
    assert (result.code, result.out) == (2, "")
    assert [f"task {name}" in result.err for name in ("t1", "t2")] == [
        name in named for name in ("t1", "t2")
    ]


@pytest.mark.parametrize(
    ("bars", "members", "passed"),
    [
        pytest.param({"maxCostUsd": 0}, {"costUsd": 0.01}, False, id="maxCostUsd exceeded"),
        pytest.param({"maxCostUsd": 0}, {"costUsd": 0}, True, id="maxCostUsd met"),
        pytest.param({"maxP95LatencyMs": 0}, {"latencyMs": 1}, False, id="maxP95LatencyMs over"),
        pytest.param({"maxP95LatencyMs": 0}, {"latencyMs": 0}, True, id="maxP95LatencyMs met"),
        pytest.param({"passScore": 0}, {"score": 0}, True, id="passScore"),
    ],
)
def test_a07_threshold_of_zero_is_honoured(
    bars: dict[str, float], members: Json, *, passed: bool
) -> None:
    barred = suite(bars={"passScore": 0.7} | bars)
    assert grade(barred, [trial("t1", **({"score": 1} | members))]).passed is passed


def test_a07_threshold_of_zero_comes_before_the_default(grade_files: Grade) -> None:
    result = grade_files(
        suite_json(bars={"passScore": 0}), [row(score=0)], "--default-pass-score", "0.9"
    )
    assert result.code == 0
    assert "it gates nothing" in result.err


def test_a08_a_failure_shows_the_digits_that_tell_it_from_the_bar(grade_files: Grade) -> None:
    result = grade_files(suite_json(bars={"passScore": 0.8}), [row(score=0.7966)])
    assert result.code == 1
    (reason,) = [line for line in result.err.splitlines() if line.startswith("error")]
    assert "0.7966" in reason
    assert "0.8" in reason.split()


@pytest.mark.parametrize(
    ("scores", "bar"),
    [
        pytest.param((0.7, 0.7, 0.7), 0.7, id="thrice 0.7"),
        pytest.param((0, 0.3, 0.3), 0.2, id="0, 0.3, 0.3"),
        pytest.param((0.6, 0.7, 0.8), 0.7, id="0.6, 0.7, 0.8"),
    ],
)
def test_a09_equal_totals_pass_in_every_order(scores: tuple[float, ...], bar: float) -> None:
    by_trials = suite(bars={"passScore": bar}, count=3, rule="mean")
    by_tasks = suite(*(task(f"t{at}") for at in range(3)), bars={"passScore": bar})
    for order in permutations(scores):
        summary = grade(by_trials, scored(*order))
        assert (summary.passed, summary.passed_count) == (True, 1)
        assert grade(by_tasks, [trial(f"t{at}", score=one) for at, one in enumerate(order)]).passed


@pytest.mark.parametrize("missing", range(4))
def test_a12_a_trial_that_left_no_row_is_named(grade_files: Grade, missing: int) -> None:
    rows = [row(at=at, score=1) for at in range(4) if at != missing]
    result = grade_files(suite_json(count=4, rule="any"), rows)
    assert (result.code, result.out) == (2, "")
    assert "task t1" in result.err
    assert f"task t1, trial {missing}: the trial has no record," in result.err


def test_a14_a_scenario_cannot_be_removed_from_a_comparison() -> None:
    def graded(*names: str) -> tuple[AgentEvalSuite, list[TrialRecord]]:
        return suite(*map(task, names)), [trial(name, score=1) for name in names]

    baseline = grade(*graded("t1", "t2", "t3", "t4"))
    with pytest.raises(GradingError) as refused:
        grade(*graded("t1", "t2", "t5"), baseline=baseline, baseline_run_id="host/0123456789abcdef")
    assert [one.task_id for one in refused.value.problems] == ["t5", "t3", "t4"]


def test_a15_errors_stay_in_every_denominator() -> None:
    two = suite(task("t1"), task("t2"), count=4, rule="any")
    errored = [trial(name, at, error="infra") for name in ("t1", "t2") for at in range(1, 4)]
    summary = grade(two, [trial("t1", 0, score=1), trial("t2", 0, error="infra"), *errored])
    rows = [(one.task_id, one.trials) for one in summary.tasks if one.trials is not UNSET]
    assert [(name, one.count, one.passed_count) for name, one in rows] == [
        ("t1", 4, 1),
        ("t2", 4, 0),
    ]
    assert [pass_hat_k(one.count, one.passed_count, 1) for _, one in rows] == [0.25, 0.0]
    assert (summary.task_count, summary.aggregate_score) == (2, 0.125)
    assert summary.trial_stats is not UNSET
    assert (summary.trial_stats.pass_at_k, summary.trial_stats.pass_hat_k) == (0.5, 0.0)


def test_a16_two_of_eight_is_a_quarter() -> None:
    records = [*scored(1, 1, 0, 0, 0, 0), *(trial("t1", at, error="infra") for at in (6, 7))]
    summary = grade(suite(count=8, rule="mean"), records)
    assert summary.aggregate_score == 0.25
    assert summary.tasks[0].trials is not UNSET
    assert (summary.tasks[0].trials.count, summary.tasks[0].trials.passed_count) == (8, 2)


def test_a17_an_errored_row_has_no_score() -> None:
    with pytest.raises(GradingError) as refused:
        grade(suite(count=2), [trial("t1", 0, score=1), trial("t1", 1, score=1, error="x")])
    assert [(one.task_id, one.trial, one.position) for one in refused.value.problems] == [
        ("t1", 1, 1)
    ]


@pytest.mark.parametrize("rule", ["all", "any", "mean"])
def test_a18_an_error_is_no_better_than_a_failure(rule: str) -> None:
    three = suite(bars={"passScore": 0.3}, count=3, rule=rule)
    failed = grade(three, scored(1, 0, 0))
    errored = grade(three, [*scored(1), *(trial("t1", at, error="timeout") for at in (1, 2))])
    assert errored == failed
    assert failed.aggregate_score == 1 / 3


@pytest.mark.parametrize(
    ("n", "c", "k", "at", "hat"),
    [(2, 0, 5, None, None), (4, 0, 2, 0, 0), (4, 4, 2, 1, 1), (4, 3, 2, 1, 0.5), (4, 2, 3, 1, 0)],
)
def test_a19_pass_at_k_is_never_1_without_a_success(
    n: int, c: int, k: int, at: float | None, hat: float | None
) -> None:
    assert (pass_at_k(n, c, k), pass_hat_k(n, c, k)) == (at, hat)


def test_a20_pass_hat_k_is_the_combinatorial_one_and_says_so() -> None:
    assert pass_hat_k(4, 3, 2) == 0.5
    assert pass_hat_k(4, 4, 5) is None
    assert "C(c, k) / C(n, k)" in str(pass_hat_k.__doc__)


def test_a21_a_score_that_is_no_number_is_refused(grade_files: Grade) -> None:
    nan = float("nan")
    by_hand = [TrialRecord(task_id="t1", trial=at, score=one) for at, one in enumerate([1, nan])]
    with pytest.raises(GradingError) as refused:
        grade(suite(count=2, rule="mean"), by_hand)
    assert (refused.value.problems[0].position, refused.value.problems[0].pointer) == (1, "/score")
    result = grade_files(suite_json(count=2, rule="mean"), [row(score=1), row(at=1, score=nan)])
    assert (result.code, result.out) == (2, "")
    assert "trials.jsonl:2" in result.err


def test_a22_a_mean_says_how_much_was_measured(grade_files: Grade, tmp_path: Path) -> None:
    rows = [row(score=1), *(row(at=at, error="infra") for at in (1, 2, 3))]
    report = tmp_path / "report.json"
    result = grade_files(
        suite_json(count=4), rows, "--report", "text", "--report", f"json={report}"
    )
    assert "1 of 4" in result.err
    (task_row,) = json.loads(report.read_bytes())["tasks"]
    assert [one["state"] for one in task_row["trials"]] == ["measured"] + ["errored"] * 3
    assert "1 of 4" in report.read_text("utf-8")


def test_a23_one_error_among_fifty_counts_0_and_hides_nothing(grade_files: Grade) -> None:
    names = [f"t{at}" for at in range(50)]
    rows = [row(name, score=1) for name in names[1:]] + [row("t0", error="judge")]
    result = grade_files(suite_json(*map(task, names)), rows)
    summary = decode_summary(result.out)
    assert (summary.aggregate_score, summary.task_count, summary.passed_count) == (0.98, 50, 49)
    assert [one.score for one in summary.tasks] == [0.0] + [1.0] * 49
    assert (result.code, "Traceback" in result.err) == (0, False)


def test_a24_trials_of_equal_content_are_accepted() -> None:
    records = [trial("t1", at, output="yes", costUsd=0.1) for at in range(4)]
    assert grade(suite(count=4), records).passed is True


def test_a24_a_repeated_trial_is_refused() -> None:
    records = [trial("t1", at, output="yes") for at in (0, 1, 2, 2)]
    with pytest.raises(GradingError) as refused:
        grade(suite(count=3), records)
    (problem,) = refused.value.problems
    assert (problem.task_id, problem.trial, problem.position) == ("t1", 2, 3)
    assert problem.first_position == 2


@pytest.mark.parametrize("rule", ["all", "any", "mean"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a25_the_rule_does_not_hang_on_the_count(rule: str, count: int) -> None:
    summary = grade(suite(count=count, rule=rule), scored(*[1.0] * count))
    assert summary.trial_stats is not UNSET
    assert (summary.trial_stats.pass_rule, summary.trial_stats.count) == (rule, count)


def test_a26_every_trial_is_shown(grade_files: Grade, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    rows = [row(at=at, score=score) for at, score in enumerate((1, 0.25, 0))]
    result = grade_files(
        suite_json(count=3), rows, "--report", "text", "--report", f"json={report}"
    )
    assert "1 0.25 0" in result.err
    (found,) = json.loads(report.read_bytes())["tasks"]
    assert [one["score"] for one in found["trials"]] == [1, 0.25, 0]


@pytest.mark.parametrize("rule", ["all", "any", "mean"])
def test_a27_a_task_without_trials_never_passes(rule: str) -> None:
    with pytest.raises(GradingError) as refused:
        grade(suite(task("t1"), task("t2"), count=1, rule=rule), [trial("t1", score=1)])
    assert [one.task_id for one in refused.value.problems] == ["t2"]
    assert verdicts_pass("all", []) is False
    assert verdicts_pass("any", []) is False


def test_a27_a_rubric_without_criteria_is_refused() -> None:
    document = suite_json(task(expected={"kind": "rubric", "rubric": []}))
    with pytest.raises(ValidationError) as refused:
        decode_suite(json.dumps(document))
    assert [one.pointer for one in refused.value.violations] == ["/tasks/0/expected/rubric"]


def test_a28_two_tasks_of_one_id_are_refused_with_both_places(grade_files: Grade) -> None:
    result = grade_files(suite_json(task("t1"), task("t1")), [row(score=1)])
    assert (result.code, result.out) == (2, "")
    assert "task t1" in result.err
    assert "/tasks/0/taskId" in result.err
    assert "/tasks/1/taskId" in result.err


def test_a29_one_trial_gets_no_interval(grade_files: Grade) -> None:
    text = grade_files(suite_json(), [row(score=1)]).err
    assert "1 of 1" in text
    assert [mark for mark in ("±", "[", "interval", "confidence") if mark in text] == []


def test_a30_one_trial_cannot_tell_pass_at_4() -> None:
    assert pass_at_k(1, 1, 4) is None
    assert pass_hat_k(1, 1, 4) is None


@pytest.mark.parametrize("match", MODES)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a31_a_tool_expected_twice_is_called_twice(match: str, times: int) -> None:
    search = call("web:search")
    matched = matches(match, [search] * 2, [search] * times)
    assert matched is (times == 2 or (times == 3 and match != "exact"))


def test_a32_no_call_expected_is_no_call_made() -> None:
    assert matches("exact", [], []) is True
    assert matches("exact", [], [call("x:a")]) is False
    free = suite(task("t1"))
    assert grade(free, [trial("t1", score=1, toolCalls=HIT)]).passed is True


@pytest.mark.parametrize(
    ("match", "matched"), [("exact", False), ("in-order", True), ("any-order", True)]
)
def test_a33_extra_calls_fail_the_strict_rule(match: str, *, matched: bool) -> None:
    a, b, c = call("x:a"), call("x:b"), call("x:c")
    assert matches(match, [a, b], [a, b, c]) is matched


@pytest.mark.parametrize("match", MODES)
def test_a34_repeated_calls_are_compared_each_with_its_own(match: str) -> None:
    one, two = call("x:a", x=1), call("x:a", x=2)
    assert matches(match, [one, two], [one, two])
    (mismatch,) = mismatches({"match": match, "toolCalls": [one, two]}, [one, one])
    assert (mismatch.call_index, mismatch.expected_index) == (1, 1)
    assert mismatch.args_pointer == "/x"
    assert str(mismatch).startswith("call 1: x:a differs from expected call 1")


@pytest.mark.parametrize(
    ("expected", "made", "equal"),
    [
        pytest.param({"n": 1}, {"n": 1.0}, True, id="1 and 1.0"),
        pytest.param({"n": 1}, {"n": True}, False, id="1 and true"),
        pytest.param({"n": 0}, {"n": False}, False, id="0 and false"),
        pytest.param({"n": 1}, {"n": "1"}, False, id="1 and a text"),
        pytest.param({"n": None}, {}, False, id="null and absent"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, id="names in another order"),
        pytest.param({"n": [1, 2]}, {"n": [2, 1]}, False, id="items in another order"),
        pytest.param({"n": {"a": [True]}}, {"n": {"a": [1]}}, False, id="deep"),
    ],
)
@pytest.mark.parametrize("match", MODES)
def test_a35_arguments_are_json_values(
    match: str, expected: Json, made: Json, *, equal: bool
) -> None:
    calls = [{"tool": "x:a", "args": made}]
    assert matches(match, [{"tool": "x:a", "args": expected}], calls) is equal


@pytest.mark.parametrize(
    ("match", "matched"), [("exact", False), ("in-order", False), ("any-order", True)]
)
def test_a36_parallel_calls_are_written_any_order(match: str, *, matched: bool) -> None:
    a, b = call("x:a"), call("x:b")
    assert matches(match, [a, b], [b, a]) is matched
    assert "parallel" in str(match_trajectory.__doc__)


def test_a38_a_forbidden_tool_that_no_trial_called_passes() -> None:
    misspelt = suite(task("t1", golden({"forbidden": ["shop:delte_order"]})))
    assert grade(misspelt, [trial("t1", score=1, toolCalls=HIT)]).passed is True


def test_a39_no_trace_is_refused() -> None:
    with pytest.raises(GradingError) as refused:
        grade(suite(task("t1", GUARDED)), [trial("t1", score=1)])
    assert [(one.task_id, one.trial, one.position) for one in refused.value.problems] == [
        ("t1", 0, 0)
    ]


def test_a39_a_trace_with_no_calls_is_clean() -> None:
    assert grade(suite(task("t1", GUARDED)), [trial("t1", score=1, toolCalls=[])]).passed is True


def test_a39_a_null_trace_is_refused_by_the_schema() -> None:
    with pytest.raises(ValidationError) as refused:
        trial("t1", score=1, toolCalls=None)
    assert [one.pointer for one in refused.value.violations] == ["/toolCalls"]


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("shop:delete_order", id="a string"),
        pytest.param({"name": "shop:delete_order", "args": {}}, id="another shape"),
        pytest.param({"tool": "shop:delete_order", "args": "{}"}, id="arguments as text"),
    ],
)
def test_a40_calls_of_another_shape_are_an_error_and_no_score(
    grade_files: Grade, bad: object
) -> None:
    rows = [row(score=1, toolCalls=[]), row(at=1, score=1, toolCalls=[call("x:ok"), bad])]
    result = grade_files(suite_json(task("t1", GUARDED), count=2), rows)
    assert (result.code, result.out) == (2, "")
    assert "trials.jsonl:2" in result.err
    assert "/toolCalls/1" in result.err


@pytest.mark.parametrize("match", MODES)
def test_a42_no_calls_fail_plainly(match: str) -> None:
    trajectory = {"match": match, "toolCalls": [call("x:a")]}
    assert mismatches(trajectory, []) == (Mismatch(reason="missing", tool="x:a", expected_index=0),)


def test_a43_the_gate_leaves_the_reported_score_alone(grade_files: Grade) -> None:
    result = grade_files(suite_json(task("t1", GUARDED)), [row(score=0.9, toolCalls=HIT)])
    (found,) = json.loads(result.out)["tasks"]
    assert (found["score"], found["gatedScore"], found["passed"]) == (0.9, 0.0, False)
    assert "task t1, trial 0: call 0: shop:delete_order is forbidden" in result.err
    assert result.code == 1


def test_a44_the_text_of_an_error_is_no_output() -> None:
    match = {"strategy": "contains", "value": "error"}
    two = suite(task(expected={"kind": "golden", "match": match}), count=2)
    run = grade_run(
        two, [trial("t1", 0, output="an error"), trial("t1", 1, error="connection error")]
    )
    assert [(one.score, one.passed) for one in run.tasks[0].trials] == [(1.0, True), (0.0, False)]


def test_a45_a_row_without_a_score_is_refused() -> None:
    with pytest.raises(GradingError) as refused:
        grade(suite(count=2), [trial("t1", 0, score=1), trial("t1", 1)])
    assert [(one.task_id, one.trial, one.position) for one in refused.value.problems] == [
        ("t1", 1, 1)
    ]


@pytest.mark.parametrize("score", ["0.9", None, [], True])
def test_a45_a_score_that_is_no_number_is_refused(score: object) -> None:
    with pytest.raises(ValidationError) as refused:
        trial("t1", score=score)
    assert [one.pointer for one in refused.value.violations] == ["/score"]


@pytest.mark.parametrize("score", [90, 1.0000001, -0.1])
def test_a46_a_score_out_of_range_is_refused_not_clamped(grade_files: Grade, score: float) -> None:
    result = grade_files(suite_json(count=2), [row(score=1), row(at=1, score=score)])
    assert (result.code, result.out) == (2, "")
    assert "trials.jsonl:2: task t1, trial 1: at /score" in result.err


def test_a47_shuffled_lines_give_identical_bytes(grade_files: Grade) -> None:
    names = ["t1", "t2", "t3"]
    rows = [
        row(
            name,
            at,
            score=(at + 1) / 7,
            costUsd=0.1 * (at + 1),
            latencyMs=at,
            safetyFindings=[{"kind": f"k{at}", "severity": "low"}],
        )
        for name in names
        for at in range(4)
    ]
    document = suite_json(*map(task, names), count=4, rule="mean")
    expected = grade_files(document, rows)
    for shuffled in (rows[::-1], rows[5:] + rows[:5], rows[::2] + rows[1::2]):
        assert grade_files(document, shuffled) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["no mark", "a byte order mark"])
def test_a48_a_line_ends_at_a_line_feed_alone(grade_files: Grade, start: str, end: str) -> None:
    text = "a\u2028b\u2029c\u0085d\u000be"
    document = suite_json(
        task("t1", golden({"match": "exact", "toolCalls": [call("x:a", text=text)]})), count=2
    )
    rows = [row(at=at, score=1, toolCalls=[call("x:a", text=text)]) for at in range(2)]
    lines = [json.dumps(one, ensure_ascii=False) + end for one in rows]
    result = grade_files(document, (start + "".join(lines)).encode())
    assert (result.code, decode_summary(result.out).passed) == (0, True)


@pytest.mark.parametrize("cut", [1, 10, 30], ids=lambda cut: f"{cut} bytes")
def test_a49_a_line_cut_by_a_crash_is_refused_with_its_number(grade_files: Grade, cut: int) -> None:
    lines = [json.dumps(row(at=at, output="yes")) for at in range(2)]
    result = grade_files(suite_json(count=2), "\n".join(lines)[:-cut].encode())
    assert (result.code, result.out) == (2, "")
    assert "trials.jsonl:2" in result.err


def test_a49_a_row_glued_to_a_cut_line_is_refused() -> None:
    first, second = (json.dumps(row(at=at, output="yes")) for at in range(2))
    with pytest.raises(DecodeError) as refused:
        list(iter_trials([f"{first}\n".encode(), f"{first[:-5]}{second}\n".encode()]))
    assert refused.value.line == 2


def test_a52_a_field_in_the_wrong_case_is_refused_and_not_dropped() -> None:
    document = suite_json(bars={"passScore": 0.7, "passscore": 0.1})
    with pytest.raises(ValidationError) as refused:
        decode_suite(json.dumps(document))
    assert [(one.pointer, one.rule) for one in refused.value.violations] == [
        ("/thresholds/passscore", "additionalProperties")
    ]


OPEN = ("input", "args", "memorySeed", "response", "output")


def _closed_objects(value: object, pointer: str = "") -> list[str]:
    """The pointers of a document's objects, but for those that may hold anything."""
    if isinstance(value, dict):
        inner = [
            _closed_objects(one, f"{pointer}/{name}")
            for name, one in value.items()
            if name not in OPEN
        ]
        return [pointer, *(place for places in inner for place in places)]
    if isinstance(value, list):
        inner = [_closed_objects(one, f"{pointer}/{at}") for at, one in enumerate(value)]
        return [place for places in inner for place in places]
    return []


CLOSED: list[tuple[Kind, str]] = [
    (kind, place) for kind, document in WHOLE.items() for place in _closed_objects(document)
]


@pytest.mark.parametrize(
    ("kind", "place"), CLOSED, ids=[f"{kind}{place.replace('/', '.')}" for kind, place in CLOSED]
)
def test_a53_every_closed_object_refuses_an_extra(kind: Kind, place: str) -> None:
    DECODE[kind](json.dumps(WHOLE[kind]))
    with pytest.raises(ValidationError) as refused:
        DECODE[kind](json.dumps(changed(kind, f"{place}/extra", 1)))
    assert [(one.pointer, one.rule) for one in refused.value.violations] == [
        (f"{place}/extra", "additionalProperties")
    ]


@pytest.mark.parametrize(
    "members",
    [{"score": True}, {"score": 1, "trial": True}, {"score": 1, "costUsd": False}],
    ids=["score", "trial", "costUsd"],
)
def test_a54_true_is_no_number(members: Json) -> None:
    with pytest.raises(ValidationError) as refused:
        trial("t1", **members)
    assert [one.pointer for one in refused.value.violations] == [f"/{list(members)[-1]}"]


def test_a54_an_integer_with_a_fraction_of_0_is_an_integer() -> None:
    record = decode_trial('{"taskId": "t1", "trial": 1.0, "score": 1}')
    assert (record.trial, type(record.trial)) == (1, int)
    assert b'"trial":1,' in encode(record)


@pytest.mark.parametrize(("n", "rank"), [(1, 1), (3, 3), (19, 19), (20, 19), (21, 20), (100, 95)])
def test_a60_p95_is_the_nearest_rank(n: int, rank: int) -> None:
    latencies = [*range(n, 0, -2), *range(n - 1, 0, -2)]
    names = [f"t{at}" for at in range(n)]
    records = [
        trial(name, score=1, latencyMs=latency)
        for name, latency in zip(names, latencies, strict=True)
    ]
    assert grade_run(suite(*map(task, names)), records).p95_latency_ms == rank


@pytest.mark.parametrize("absent", [{}, {"costUsd": None}], ids=["absent", "null"])
def test_a61_an_unknown_cost_is_not_0(absent: Json) -> None:
    records = [trial("t1", 0, score=1, costUsd=0.01), trial("t1", 1, score=1, **absent)]
    barred = grade(suite(bars={"passScore": 0.7, "maxCostUsd": 1.0}, count=2), records)
    assert (barred.passed, barred.total_cost_usd) == (False, UNSET)
    free = grade(suite(count=2), records)
    assert (free.passed, free.total_cost_usd) == (True, UNSET)
