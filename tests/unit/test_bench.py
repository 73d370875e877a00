"""The documents of the benchmarks are what they are measured as."""

from io import BytesIO

import pytest

from openwop_evals import decode_suite, decode_summary, encode, grade, iter_trials
from tests.bench import documents


@pytest.mark.parametrize("tasks", [1, 10, 500])
def test_a_summary_is_valid_compact_and_of_its_size(tasks: int) -> None:
    text = documents.summary(tasks)
    summary = decode_summary(text)
    assert len(summary.tasks) == summary.task_count == tasks
    assert encode(summary) == text
    one_more = documents.summary(tasks + 1)
    assert 150 <= len(one_more) - len(text) <= 195


def test_a_log_can_be_graded_against_its_suite() -> None:
    suite = decode_suite(documents.suite(20))
    log = documents.trial_log(20)
    assert log.count(b"\n") == 20 * documents.TRIALS
    summary = grade(suite, iter_trials(BytesIO(log)))
    assert [row.task_id for row in summary.tasks] == [task.task_id for task in suite.tasks]


def test_every_run_measures_the_same() -> None:
    for make in (documents.suite, documents.summary, documents.trial_log):
        assert make(5) == make(5)
