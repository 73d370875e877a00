"""A suite and its trials to a summary: every member, and every decision."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import pytest
from msgspec import UNSET, UnsetType, to_builtins
from msgspec.structs import replace

from openwop_evals import (
    AgentEvalSuite,
    GradingError,
    GradingPolicy,
    TrialRecord,
    ValidationError,
    grade,
    grade_run,
)
from openwop_evals.models import Regression, SafetyFinding
from tests.support.builders import Json, golden, suite, task, trial

GUARDED = golden({"forbidden": ["x:bad"]})
HIT = [{"tool": "x:bad"}]
Aggregate: TypeAlias = Literal["mean", "min", "median"] | Callable[[Sequence[float]], float]

RUN_ID = "host/0123456789abcdef"


def scored(*scores: float, **members: object) -> list[TrialRecord]:
    """The trials of task t1."""
    return [trial("t1", at, score=score, **members) for at, score in enumerate(scores)]


def one_each(*members: Json) -> tuple[AgentEvalSuite, list[TrialRecord]]:
    """One trial of a task of its own for each."""
    tasks = [task(f"t{at}") for at in range(len(members))]
    return suite(*tasks), [
        trial(f"t{at}", **({"score": 1} | one)) for at, one in enumerate(members)
    ]


@pytest.mark.parametrize(
    ("rule", "scores", "passed"),
    [
        pytest.param("all", (0.7, 0.9), True, id="all: all"),
        pytest.param("all", (0.6, 1.0), False, id="all: the mean is above the bar"),
        pytest.param(None, (0.6, 1.0), False, id="unnamed is all"),
        pytest.param("any", (0.0, 0.7), True, id="any: one"),
        pytest.param("any", (0.6, 0.6), False, id="any: none"),
        pytest.param("mean", (0.5, 0.9), True, id="mean: on the bar"),
        pytest.param("mean", (0.5, 0.89), False, id="mean: under the bar"),
    ],
)
def test_pass_rules(rule: str | None, scores: tuple[float, ...], *, passed: bool) -> None:
    summary = grade(suite(task("t1"), count=len(scores), rule=rule), scored(*scores))
    assert summary.tasks[0].passed is passed
    assert summary.passed_count == int(passed)
    assert summary.trial_stats is not UNSET
    assert summary.trial_stats.pass_rule == (rule or "all")


@pytest.mark.parametrize(
    ("rule", "passed"),
    [
        pytest.param("all", False, id="all"),
        pytest.param("any", True, id="any"),
        pytest.param("mean", False, id="mean"),
    ],
)
def test_pass_rules_with_a_gated_trial(rule: str, *, passed: bool) -> None:
    guarded = suite(task("t1", GUARDED), count=2, rule=rule)
    clean, wrong = trial("t1", 0, score=1, toolCalls=[]), trial("t1", 1, score=1, toolCalls=HIT)
    (row,) = grade(guarded, [clean, wrong]).tasks
    assert (row.score, row.gated_score, row.passed) == (1.0, 0.5, passed)


def test_without_a_trials_block_the_one_verdict_decides() -> None:
    summary = grade(suite(task("t1", GUARDED)), [trial("t1", score=1, toolCalls=HIT)])
    assert (summary.tasks[0].score, summary.tasks[0].passed) == (1.0, False)
    assert (summary.trial_stats, summary.tasks[0].trials) == (UNSET, UNSET)


def test_trial_statistics_are_over_outcomes() -> None:
    both = suite(task("t1"), task("t2"), count=3)
    records = scored(1, 0.7, 0.4) + [trial("t2", at, score=1) for at in range(3)]
    summary = grade(both, records)
    rows = [row.trials for row in summary.tasks if row.trials is not UNSET]
    assert [(one.count, one.passed_count, one.mean_score) for one in rows] == [
        (3, 2, 0.7),
        (3, 3, 1.0),
    ]
    assert [(one.pass_at_k, one.pass_hat_k) for one in rows] == [(1.0, 0.0), (1.0, 1.0)]
    assert to_builtins(summary.trial_stats) == {
        "count": 3,
        "passRule": "all",
        "passAtK": 1.0,
        "passHatK": 0.5,
    }


def test_no_passed_trial_leaves_pass_at_k_at_0() -> None:
    summary = grade(suite(task("t1"), count=2), scored(0.1, 0.2))
    assert summary.trial_stats is not UNSET
    assert (summary.trial_stats.pass_at_k, summary.trial_stats.pass_hat_k) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("aggregate", "score", "gating"),
    [
        pytest.param("mean", 0.8, 0.6, id="mean"),
        pytest.param("min", 0.6, 0.0, id="min"),
        pytest.param("median", 0.8, 0.8, id="median"),
        pytest.param(lambda scores: scores[-1], 0.6, 0.0, id="a function of the suite's order"),
    ],
)
def test_aggregation_is_the_same_for_both_scores(
    aggregate: Aggregate, score: float, gating: float
) -> None:
    guarded = suite(task("t0"), task("t1"), task("t2", GUARDED))
    records = [
        trial("t2", score=0.6, toolCalls=HIT),
        trial("t0", score=1),
        trial("t1", score=0.8),
    ]
    summary = grade(guarded, records, policy=GradingPolicy(aggregate=aggregate))
    assert (summary.aggregate_score, summary.gated_aggregate_score) == (score, gating)
    assert summary.passed is (gating >= 0.7)


def test_an_aggregation_that_rises_when_a_score_falls_is_refused() -> None:
    def turned(scores: Sequence[float]) -> float:
        return 1 - min(scores)

    with pytest.raises(GradingError, match="rises when a score falls"):
        grade(
            suite(task("t1", GUARDED)),
            [trial("t1", score=1, toolCalls=HIT)],
            policy=GradingPolicy(aggregate=turned),
        )


@pytest.mark.parametrize(
    ("bars", "members", "total", "p95", "met"),
    [
        pytest.param({}, [{}, {}], UNSET, None, (True, True), id="no bar, nothing told"),
        pytest.param(
            {"maxCostUsd": 0.3},
            [{"costUsd": 0.1}, {"costUsd": 0.2}],
            0.3,
            None,
            (True, True),
            id="cost on the bar, exactly",
        ),
        pytest.param(
            {"maxCostUsd": 0.3},
            [{"costUsd": 0.1}, {"costUsd": 0.2001}],
            0.3001,
            None,
            (False, True),
            id="cost over the bar",
        ),
        pytest.param(
            {"maxCostUsd": 9},
            [{"costUsd": 0.1}, {}],
            UNSET,
            None,
            (False, True),
            id="cost missing",
        ),
        pytest.param(
            {"maxP95LatencyMs": 9},
            [{"latencyMs": 9}, {"latencyMs": 3}],
            UNSET,
            9,
            (True, True),
            id="latency on the bar",
        ),
        pytest.param(
            {"maxP95LatencyMs": 9},
            [{"latencyMs": 10}, {"latencyMs": 3}],
            UNSET,
            10,
            (True, False),
            id="latency over the bar",
        ),
        pytest.param(
            {"maxP95LatencyMs": 9},
            [{"latencyMs": 1}, {}],
            UNSET,
            None,
            (True, False),
            id="latency missing",
        ),
    ],
)
def test_cost_and_latency(
    bars: dict[str, float],
    members: list[Json],
    total: float | UnsetType,
    p95: int | None,
    met: tuple[bool, bool],
) -> None:
    plain, records = one_each(*members)
    barred = suite(*(task(one.task_id) for one in plain.tasks), bars=bars | {"passScore": 0.7})
    run = grade_run(barred, records)
    assert (run.summary.total_cost_usd, run.p95_latency_ms) == (total, p95)
    assert (run.cost_met, run.latency_met) == met
    assert run.summary.passed is all(met)


def test_cost_adds_up_and_latency_is_the_slowest_over_the_trials() -> None:
    records = [
        trial("t1", at, score=1, costUsd=cost, latencyMs=latency)
        for at, (cost, latency) in enumerate([(0.1, 5), (0.2, 9), (0.3, 7)])
    ]
    summary = grade(suite(task("t1"), count=3), records)
    (row,) = summary.tasks
    assert (row.cost_usd, row.latency_ms, summary.total_cost_usd) == (0.6, 9, 0.6)


def test_a_task_with_a_trial_that_tells_nothing_carries_no_part() -> None:
    told = {"costUsd": 1, "latencyMs": 1, "schemaValid": True}
    records = [trial("t1", 0, score=1, **told), trial("t1", 1, score=1)]
    (row,) = grade(suite(task("t1"), count=2), records).tasks
    assert (row.cost_usd, row.latency_ms, row.schema_valid) == (UNSET,) * 3


@pytest.mark.parametrize(
    ("valid", "all_valid"), [((True, True), True), ((True, False), False), ((False, False), False)]
)
def test_schema_valid_is_that_of_every_trial(valid: tuple[bool, ...], *, all_valid: bool) -> None:
    records = [trial("t1", at, score=1, schemaValid=one) for at, one in enumerate(valid)]
    (row,) = grade(suite(task("t1"), count=2), records).tasks
    assert row.schema_valid is all_valid


def test_safety_findings_stand_in_the_order_of_the_trials() -> None:
    low, high = {"kind": "leak", "severity": "low"}, {"kind": "harm", "severity": "high"}
    records = [
        trial("t1", 2, score=1, safetyFindings=[low, high]),
        trial("t1", 1, score=1),
        trial("t1", 0, score=1, safetyFindings=[high]),
    ]
    (row,) = grade(suite(task("t1"), count=3), records).tasks
    assert row.safety_findings == (
        SafetyFinding(kind="harm", severity="high"),
        SafetyFinding(kind="leak", severity="low"),
        SafetyFinding(kind="harm", severity="high"),
    )


def test_no_safety_finding_leaves_the_member_out() -> None:
    (row,) = grade(suite(task("t1")), [trial("t1", score=1, safetyFindings=[])]).tasks
    assert row.safety_findings is UNSET


def test_costs_without_a_finite_sum_are_refused() -> None:
    vast, records = one_each({"costUsd": 1.7e308}, {"costUsd": 1.7e308})
    with pytest.raises(GradingError, match="no finite sum"):
        grade(vast, records)


@pytest.mark.parametrize(
    ("before", "after", "delta"), [(0.7, 1.0, 0.3), (1.0, 0.7, -0.3), (0.7, 0.7, 0.0)]
)
def test_regression_is_the_exact_difference(before: float, after: float, delta: float) -> None:
    plain = suite(task("t1"))
    baseline = grade(plain, scored(before))
    summary = grade(plain, scored(after), baseline=baseline, baseline_run_id=RUN_ID)
    assert summary.regression == Regression(baseline_run_id=RUN_ID, score_delta=delta)


def test_without_a_baseline_there_is_no_regression() -> None:
    assert grade(suite(task("t1")), scored(1)).regression is UNSET


def test_what_the_policy_adds() -> None:
    run = grade_run(
        suite(task("t1"), bars={}, allowedModels=["coding"]),
        scored(0.8),
        policy=GradingPolicy(default_pass_score=0.8, evaluated_model_class="coding"),
    )
    assert (run.pass_score, run.summary.evaluated_model_class) == (0.8, "coding")
    assert run.summary.passed is True


def test_what_a_run_keeps_beside_its_summary() -> None:
    guarded = suite(task("t1", GUARDED), task("t2"), bars={"passScore": 0})
    records = [trial("t2", score=0.5), trial("t1", score=0.9, toolCalls=HIT)]
    run = grade_run(guarded, records)
    assert [(one.result.task_id, one.gating_score) for one in run.tasks] == [
        ("t1", 0.0),
        ("t2", 0.5),
    ]
    assert [one.result for one in run.tasks] == list(run.summary.tasks)
    assert run.gating_aggregate == 0.25
    assert run.warnings == ("passScore is 0, which every run meets: it gates nothing",)
    assert run.summary == grade(guarded, records)


@pytest.mark.parametrize("given", ["baseline", "baseline_run_id"])
def test_half_a_baseline_is_refused(given: str) -> None:
    plain = suite(task("t1"))
    both: Any = {"baseline": grade(plain, scored(1)), "baseline_run_id": RUN_ID}
    with pytest.raises(GradingError, match="go together"):
        grade(plain, scored(1), **{given: both[given]})


def test_all_that_is_wrong_beyond_the_trials_is_named_together() -> None:
    baseline = grade(suite(task("t9")), [trial("t9", score=1)])
    wrong = suite(task("t1"), task("t1"), allowedModels=["coding"])
    with pytest.raises(GradingError) as refused:
        grade(
            wrong,
            [],
            policy=GradingPolicy(evaluated_model_class="general"),
            baseline=baseline,
        )
    assert [(one.task_id, one.pointer) for one in refused.value.problems] == [
        ("t1", "/tasks/1/taskId"),
        (None, "/allowedModels"),
        (None, None),
        ("t1", None),
        ("t9", None),
    ]


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"version": "one"}, id="a version that is none"),
        pytest.param({"tasks": ()}, id="no task"),
        pytest.param({"thresholds": None}, id="null for absent"),
    ],
)
def test_a_suite_built_outside_the_contract_is_refused(members: Json) -> None:
    (name,) = members
    with pytest.raises(ValidationError) as refused:
        grade(replace(suite(task("t1")), **members), scored(1))
    assert [one.pointer for one in refused.value.violations] == [f"/{name}"]


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        pytest.param({"passed": "false"}, "/passed", id="a text for a verdict"),
        pytest.param({"aggregate_score": float("nan")}, "/aggregateScore", id="NaN"),
    ],
)
def test_a_baseline_built_outside_the_contract_is_refused(members: Json, pointer: str) -> None:
    plain = suite(task("t1"))
    baseline = replace(grade(plain, scored(1)), **members)
    with pytest.raises(ValidationError) as refused:
        grade(plain, scored(1), baseline=baseline, baseline_run_id=RUN_ID)
    assert [one.pointer for one in refused.value.violations] == [pointer]


@pytest.mark.parametrize(
    ("model_class", "run_id", "pointer"),
    [
        pytest.param("best", RUN_ID, "/evaluatedModelClass", id="model class"),
        pytest.param("", RUN_ID, "/evaluatedModelClass", id="model class, empty"),
        pytest.param(None, "7", "/regression/baselineRunId", id="baseline run id"),
        pytest.param(None, "", "/regression/baselineRunId", id="baseline run id, empty"),
    ],
)
def test_an_argument_that_no_summary_can_carry_is_refused(
    model_class: str | None, run_id: str, pointer: str
) -> None:
    plain = suite(task("t1"))
    with pytest.raises(ValidationError) as refused:
        grade(
            plain,
            scored(1),
            policy=GradingPolicy(evaluated_model_class=model_class),
            baseline=grade(plain, scored(1)),
            baseline_run_id=run_id,
        )
    assert [one.pointer for one in refused.value.violations] == [pointer]


@pytest.mark.parametrize("name", ["suite", "baseline"])
def test_another_type_is_refused(name: str) -> None:
    plain = suite(task("t1"))
    members: Any = {"suite": plain, "baseline": grade(plain, scored(1)), name: {"tasks": []}}
    with pytest.raises(TypeError, match="found dict"):
        grade(trials=scored(1), baseline_run_id=RUN_ID, **members)
