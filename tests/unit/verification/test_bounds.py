"""What numbers may and may not carry over a bar."""

from typing import Any

import pytest

from openwop_evals import gate, verify
from tests.support.builders import golden, suite, suite_json, task, trial
from tests.support.summaries import as_summary, row

PATHS = suite_json(task("t1", golden({"forbidden": ["x"]})))


def test_a_host_that_rounds_what_it_writes_is_not_accused() -> None:
    three = suite_json(task("a"), task("b"), task("c"), bars={"passScore": 0.3})
    rows = [row("a", 0.3333), row("b", 0.3333), row("c", 0.4333)]
    summary = as_summary(three, {"/tasks": rows, "/aggregateScore": 0.3667})
    assert verify(summary, suite(task("a"), task("b"), task("c"), bars={"passScore": 0.3})) == []


def test_a_host_that_writes_whole_numbers_is_held_to_them() -> None:
    two = suite_json(task("a"), task("b"), bars={"passScore": 0.3})
    rows = [row("a", 0.5), row("b", 0.34)]
    summary = as_summary(two, {"/tasks": rows, "/aggregateScore": 0.4201})
    found = verify(summary, suite(task("a"), task("b"), bars={"passScore": 0.3}))
    assert [one.code for one in found] == ["aggregate-score"]


def test_a_gating_aggregate_of_0_proves_nothing_alone() -> None:
    gated = {"/tasks": [row("t1", passed=False, gatedScore=0.0)], "/passedCount": 0}
    summary = as_summary(PATHS, gated | {"/gatedAggregateScore": 0.0})
    assert [reason.code for reason in gate(summary).reasons] == ["unproven"]


def test_no_tolerance_carries_a_gating_score_over_a_bar_that_its_score_misses() -> None:
    rows = [row("t1", 0.69995, passed=False, gatedScore=0.7)]
    edits = {"/tasks": rows, "/passedCount": 0, "/aggregateScore": 0.6999}
    summary = as_summary(PATHS, edits | {"/gatedAggregateScore": 0.7})
    decision = gate(summary, suite(task("t1", golden({"forbidden": ["x"]}))))
    assert not decision.open


def test_a_total_below_its_rows_meets_no_bar_that_they_miss() -> None:
    bars = {"passScore": 0.7, "maxCostUsd": 1e-5}
    edits = {"/tasks/0/costUsd": 5e-5, "/totalCostUsd": 0.0}
    summary = as_summary(suite_json(bars=bars), edits)
    assert not gate(summary, suite(bars=bars)).open


@pytest.mark.parametrize("member", ["costUsd", "latencyMs"])
def test_trials_that_do_not_tell_accuse_nobody(member: str) -> None:
    bars = {"passScore": 0.7, "maxCostUsd": 1, "maxP95LatencyMs": 10}
    edits = {"/totalCostUsd": 0.5, "/tasks/0/latencyMs": 5}
    summary = as_summary(suite_json(bars=bars), edits)
    told: dict[str, Any] = {"costUsd": 0.5, "latencyMs": 5} | {member: 99}
    silent = {name: value for name, value in told.items() if name != member}
    assert verify(summary, suite(bars=bars), [trial("t1", score=0.9, **silent)]) == []
    found = verify(summary, suite(bars=bars), [trial("t1", score=0.9, **told)])
    assert [one.code for one in found] == ["passed"]


def test_counts_of_any_size_are_judged() -> None:
    vast = {"count": 10**400, "passedCount": 10**400, "meanScore": 0.9}
    block = vast | {"passAtK": 1.0, "passHatK": 1.0}
    summary = as_summary(suite_json(count=2), {"/tasks/0/trials": block})
    assert [one.code for one in verify(summary, suite(count=2))] == ["trials-count"]
