"""Suites and trials with no more in them than a test is about."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from openwop_evals import AgentEvalSuite, TrialRecord, decode_suite, decode_trial

__all__ = ["golden", "rubric", "suite", "suite_json", "task", "trial", "write_lines"]

Json = dict[str, Any]


def golden(trajectory: Json | None = None) -> Json:
    """A golden task's ``expected``."""
    expected: Json = {"kind": "golden", "match": {"strategy": "exact", "value": "yes"}}
    return expected if trajectory is None else expected | {"trajectory": trajectory}


def rubric(*weights: float) -> Json:
    """A rubric task's ``expected``."""
    criteria = [{"criterion": f"criterion {at}", "weight": w} for at, w in enumerate(weights)]
    return {"kind": "rubric", "rubric": criteria}


def task(task_id: str = "t1", expected: Json | None = None) -> Json:
    """One task; golden unless told otherwise."""
    return {"taskId": task_id, "input": None, "expected": expected or golden()}


def suite_json(
    *tasks: Json,
    bars: Mapping[str, float] | None = None,
    count: int | None = None,
    rule: str | None = None,
    **members: object,
) -> Json:
    """A suite as JSON: its tasks, thresholds (passScore 0.7 unless told), and trials block."""
    document: Json = {
        "suiteId": "acme.evals.sample",
        "version": "1.0.0",
        "modes": ["golden"],
        "thresholds": {"passScore": 0.7} if bars is None else dict(bars),
        "tasks": list(tasks) or [task()],
    }
    if count is not None:
        document["trials"] = {"count": count} | ({} if rule is None else {"passRule": rule})
    return document | members


def suite(
    *tasks: Json,
    bars: Mapping[str, float] | None = None,
    count: int | None = None,
    rule: str | None = None,
    **members: object,
) -> AgentEvalSuite:
    """The same, decoded."""
    return decode_suite(
        json.dumps(suite_json(*tasks, bars=bars, count=count, rule=rule, **members))
    )


def trial(task_id: str = "t1", trial: int | None = None, **members: object) -> TrialRecord:
    """One trial, its members by their names on the wire."""
    at = {} if trial is None else {"trial": trial}
    return decode_trial(json.dumps({"taskId": task_id} | at | members))


def write_lines(path: Path, rows: Sequence[object]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path
