"""A real run: 50 airline tasks of tau-bench, 4 trials each, with forbidden tools."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from openwop_evals import (
    EvalSummary,
    GradedRun,
    decode_suite,
    decode_summary,
    grade_run,
    iter_trials,
    pass_hat_k,
)
from openwop_evals.numbers import exact_mean

DATA = Path(__file__).parents[3] / "shared" / "data" / "tau-bench-airline"
SUITE, TRIALS = DATA / "suite.json", DATA / "trials.jsonl"

pytestmark = pytest.mark.skipif(not SUITE.exists(), reason=f"the run is not at {DATA}")


@pytest.fixture(scope="module")
def run() -> GradedRun:
    with TRIALS.open("rb") as file:
        return grade_run(decode_suite(SUITE.read_bytes()), iter_trials(file))


def grade_by_command(suite: Path, output: Path) -> tuple[int, EvalSummary]:
    command = [sys.executable, "-m", "openwop_evals", "grade"]
    files = [str(suite), str(TRIALS), "-o", str(output)]
    code = subprocess.run([*command, *files], check=False, capture_output=True).returncode
    return code, decode_summary(output.read_bytes())


def test_figures_of_the_run(run: GradedRun) -> None:
    summary = run.summary
    assert (summary.aggregate_score, summary.gated_aggregate_score) == (0.42, 0.255)
    assert summary.passed is False
    assert (summary.passed_count, summary.task_count) == (13, 50)
    assert all(row.gated_score is not UNSET for row in summary.tasks)


def test_rewarded_trials_with_a_forbidden_call(run: GradedRun) -> None:
    rewarded = [one for graded in run.tasks for one in graded.trials if one.score == 1]
    gated = [one for one in rewarded if one.gating_score == 0]
    assert (len(rewarded), len(gated)) == (84, 33)
    reasons = {
        mismatch.reason for one in gated if one.trajectory for mismatch in one.trajectory.mismatches
    }
    assert reasons == {"forbidden"}


def test_tasks_that_pass_on_score_and_fail_on_gating_score(run: GradedRun) -> None:
    turned = [one for one in run.tasks if one.result.score >= run.pass_score > one.gating_score]
    assert len(turned) == 11
    assert not any(one.result.passed for one in turned)


def test_command_fails_the_run(run: GradedRun, tmp_path: Path) -> None:
    code, summary = grade_by_command(SUITE, tmp_path / "out.json")
    assert code == 1
    assert summary == run.summary


def test_without_trajectories_the_run_passes(tmp_path: Path) -> None:
    document: Any = json.loads(SUITE.read_bytes())
    for task in document["tasks"]:
        del task["expected"]["trajectory"]
    ungated = tmp_path / "suite.json"
    ungated.write_text(json.dumps(document), "utf-8")
    code, summary = grade_by_command(ungated, tmp_path / "out.json")
    assert code == 0
    assert summary.passed is True
    assert summary.gated_aggregate_score is UNSET
    assert all(row.gated_score is UNSET for row in summary.tasks)
    assert [_pass_hat(summary, k) for k in (1, 2, 3, 4)] == [0.42, 0.2733, 0.22, 0.2]


def _pass_hat(summary: EvalSummary, k: int) -> float:
    chances = [
        pass_hat_k(row.trials.count, row.trials.passed_count, k)
        for row in summary.tasks
        if row.trials is not UNSET
    ]
    assert len(chances) == summary.task_count
    return round(exact_mean([chance for chance in chances if chance is not None]), 4)
