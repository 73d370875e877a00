"""The documents that are measured, the same in every run."""

import json
from collections.abc import Iterable
from random import Random

__all__ = ["TRIALS", "suite", "summary", "trial_log"]

TRIALS = 5
_SUITE_ID = "acme.evals.bench"


def suite(tasks: int) -> bytes:
    """A suite of golden tasks, each run five times."""
    rows = [
        {
            "taskId": _task_id(at),
            "input": {"ask": f"question {at}"},
            "expected": {"kind": "golden", "match": {"strategy": "exact", "value": f"answer {at}"}},
        }
        for at in range(tasks)
    ]
    document = {
        "suiteId": _SUITE_ID,
        "version": "1.0.0",
        "modes": ["golden"],
        "thresholds": {"passScore": 0.7},
        "trials": {"count": TRIALS, "passRule": "mean"},
        "tasks": rows,
    }
    return _compact(document)


def summary(tasks: int) -> bytes:
    """A summary of such a suite, some 185 bytes a task."""
    random = _random()
    rows = [_task_result(at, random) for at in range(tasks)]
    document = {
        "suiteId": _SUITE_ID,
        "suiteVersion": "1.0.0",
        "aggregateScore": 0.81,
        "gatedAggregateScore": 0.74,
        "passed": True,
        "taskCount": tasks,
        "passedCount": sum(row["passed"] is True for row in rows),
        "totalCostUsd": 12.5,
        "trialStats": {"count": TRIALS, "passRule": "mean", "passAtK": 0.95, "passHatK": 0.4},
        "tasks": rows,
    }
    return _compact(document)


def trial_log(tasks: int) -> bytes:
    """The trials of such a suite as JSON Lines, with their scores given."""
    random = _random()
    return _lines(
        {
            "taskId": _task_id(at),
            "trial": trial,
            "score": round(random.random(), 2),
            "costUsd": round(random.uniform(0.001, 0.01), 5),
            "latencyMs": random.randrange(100, 9_000),
        }
        for at in range(tasks)
        for trial in range(TRIALS)
    )


def _task_result(at: int, random: Random) -> dict[str, object]:
    passed_count = random.randrange(TRIALS + 1)
    score = round(random.random(), 3)
    gated_score = round(score * passed_count / TRIALS, 3)
    return {
        "taskId": _task_id(at),
        "score": score,
        "gatedScore": gated_score,
        "passed": gated_score >= 0.7,
        "trials": {
            "count": TRIALS,
            "passedCount": passed_count,
            "meanScore": score,
            "passAtK": float(passed_count > 0),
            "passHatK": float(passed_count == TRIALS),
        },
        "costUsd": round(random.uniform(0.001, 0.05), 5),
        "latencyMs": random.randrange(100, 9_000),
    }


def _task_id(at: int) -> str:
    return f"task-{at}"


def _random() -> Random:
    return Random(246)  # noqa: S311 - a seed, no secret


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _lines(rows: Iterable[object]) -> bytes:
    return b"".join(_compact(row) + b"\n" for row in rows)
