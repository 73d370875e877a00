"""All records of a run: each in its place, every offender named."""

from collections.abc import Iterable

import pytest

from openwop_evals import GradingError, TrialRecord
from openwop_evals.grading.collect import grade_trials
from tests.support.builders import rubric, suite, task, trial

TWO_BY_TWO = suite(task("t1"), task("t2"), count=2)
Place = tuple[str | None, int | None, int | None, str | None]


def places(error: GradingError) -> list[Place]:
    return [(one.task_id, one.trial, one.position, one.pointer) for one in error.problems]


def refusal(records: Iterable[TrialRecord]) -> GradingError:
    with pytest.raises(GradingError) as refused:
        grade_trials(TWO_BY_TWO, records, 0.7)
    assert refused.type is GradingError
    return refused.value


def full(task_id: str) -> list[TrialRecord]:
    return [trial(task_id, at, score=1) for at in range(2)]


def test_tasks_in_suite_order_and_trials_in_theirs() -> None:
    records = [
        trial("t2", 1, score=0.21),
        trial("t1", 1, score=0.11),
        trial("t2", score=0.2),
        trial("t1", 0, score=0.1),
    ]
    graded = grade_trials(TWO_BY_TWO, iter(records), 0.7)
    assert [[(one.trial, one.position, one.score) for one in rows] for rows in graded] == [
        [(0, 3, 0.1), (1, 1, 0.11)],
        [(0, 2, 0.2), (1, 0, 0.21)],
    ]


def test_without_a_trials_block_each_task_has_one_trial() -> None:
    graded = grade_trials(suite(task("t1")), [trial("t1", score=1)], 0.7)
    assert [len(rows) for rows in graded] == [1]


def test_one_measured_trial_is_enough_to_grade() -> None:
    errored = [trial(name, at, error="x") for name in ("t1", "t2") for at in range(2)]
    graded = grade_trials(TWO_BY_TWO, [trial("t1", score=0), *errored[1:]], 0.7)
    assert [[one.error for one in rows] for rows in graded] == [[None, "x"], ["x", "x"]]


def test_an_unknown_task_is_refused() -> None:
    error = refusal([*full("t1"), *full("t2"), trial("t3", score=1)])
    assert places(error) == [("t3", 0, 4, None)]


def test_a_trial_beyond_the_count_is_refused() -> None:
    error = refusal([*full("t1"), *full("t2"), trial("t2", 2, score=1)])
    assert places(error) == [("t2", 2, 4, None)]


def test_every_repetition_is_refused_with_the_first_place() -> None:
    again = trial("t1", 1, score=1)
    error = refusal([*full("t1"), *full("t2"), again, again])
    assert places(error) == [("t1", 1, 4, None), ("t1", 1, 5, None)]
    assert [one.first_position for one in error.problems] == [1, 1]


def test_a_repetition_of_a_refused_record_has_its_place_too() -> None:
    error = refusal([trial("t1", 0), trial("t1", 1, score=1), *full("t2"), trial("t1", 0, score=1)])
    assert places(error) == [("t1", 0, 0, None), ("t1", 0, 4, None)]
    assert [one.first_position for one in error.problems] == [None, 0]


@pytest.mark.parametrize(
    ("present", "named"),
    [
        pytest.param([0, 1, 2, 3], ["task t1, trial 4: the trial has"], id="the last"),
        pytest.param([0, 1, 2], ["task t1: trials 3 to 4 have"], id="the last two"),
        pytest.param(
            [1, 3],
            [f"task t1, trial {at}: the trial has" for at in (0, 2, 4)],
            id="every other",
        ),
        pytest.param(
            [2],
            ["task t1: trials 0 to 1 have", "task t1: trials 3 to 4 have"],
            id="both ends",
        ),
    ],
)
def test_missing_trials_are_named(present: list[int], named: list[str]) -> None:
    five = suite(task("t1"), count=5)
    with pytest.raises(GradingError) as refused:
        grade_trials(five, [trial("t1", at, score=1) for at in present], 0.7)
    assert list(map(str, refused.value.problems)) == [
        f"{which} no record, expected 5 in all" for which in named
    ]


def test_a_task_without_any_record_is_named() -> None:
    assert places(refusal(full("t1"))) == [("t2", None, None, None)]


def test_a_vast_count_is_refused_in_one_line() -> None:
    vast = suite(task("t1"), count=10**12)
    with pytest.raises(GradingError) as refused:
        grade_trials(vast, [trial("t1", score=1)], 0.7)
    assert [str(one) for one in refused.value.problems] == [
        f"task t1: trials 1 to {10**12 - 1} have no record, expected {10**12} in all"
    ]


@pytest.mark.parametrize(
    ("record", "pointers"),
    [
        pytest.param(TrialRecord(task_id="t1", score=float("nan")), ["/score"], id="NaN"),
        pytest.param(TrialRecord(task_id="t1", score=1.5), ["/score"], id="out of range"),
        pytest.param(TrialRecord(task_id="T 1", score=1), ["/taskId"], id="an id that is none"),
        pytest.param(
            TrialRecord(task_id="t1", trial=-1, score=2), ["/score", "/trial"], id="two faults"
        ),
        pytest.param("t1", [None], id="no record"),
    ],
)
def test_values_built_outside_the_contract_are_refused(
    record: TrialRecord, pointers: list[str | None]
) -> None:
    error = refusal([*full("t2"), trial("t1", 1, score=1), record])
    offenders = [one for one in error.problems if one.position is not None]
    assert {one.position for one in offenders} == {3}
    assert sorted(one.pointer or "" for one in offenders) == [one or "" for one in pointers]


def test_offenders_of_every_kind_are_named_together() -> None:
    mixed = suite(task("t1"), task("t2", rubric(1)), task("t3"))
    records = [
        trial("t2", output="yes"),
        trial("t4", score=1),
        trial("t1", 1, score=1),
        trial("t1", score=1),
        trial("t1", score=1),
    ]
    with pytest.raises(GradingError) as refused:
        grade_trials(mixed, records, 0.7)
    assert places(refused.value) == [
        ("t2", 0, 0, "/output"),
        ("t4", 0, 1, None),
        ("t1", 1, 2, None),
        ("t1", 0, 4, None),
        ("t3", 0, None, None),
    ]


def test_a_run_that_errored_throughout_is_refused() -> None:
    records = [trial(name, at, error="x") for name in ("t1", "t2") for at in range(2)]
    assert places(refusal(records)) == [(None, None, None, None)]


def test_every_trial_errored_is_not_said_of_a_run_with_other_faults() -> None:
    error = refusal([trial("t1", 0, error="x")])
    assert places(error) == [("t1", 1, None, None), ("t2", None, None, None)]


def test_a_record_that_is_refused_is_not_missing_too() -> None:
    refused = TrialRecord(task_id="t1", trial=1, score=float("nan"))
    error = refusal([trial("t1", 0, score=1), refused, *full("t2")])
    assert [(one.position, one.pointer) for one in error.problems] == [(1, "/score")]
