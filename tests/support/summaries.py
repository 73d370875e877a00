"""Summaries that are true to their suite, and ways to make them untrue."""

import copy
import json
from collections.abc import Mapping
from typing import Any, Final

from openwop_evals import EvalSummary, decode_summary

from .builders import Json
from .documents import value_at

__all__ = ["ABSENT", "as_summary", "block", "edited", "row", "summary_json"]

# The value of a member that an edit takes away.
ABSENT: Final = object()


def block(count: int, passed: int, score: float = 0.9) -> Json:
    """The trials of a row."""
    return {
        "count": count,
        "passedCount": passed,
        "meanScore": score,
        "passAtK": float(passed > 0),
        "passHatK": float(passed == count),
    }


def row(task_id: str, score: float = 0.9, *, passed: bool = True, **members: object) -> Json:
    """The row of a task."""
    return {"taskId": task_id, "score": score, "passed": passed} | members


def summary_json(suite: Json, edits: Mapping[str, object] | None = None) -> Json:
    """The summary of a run of a suite in which every trial scored 0.9 and passed.

    Args:
        suite: The suite, as JSON.
        edits: See ``edited``.
    """
    trials = suite.get("trials")
    guarded = ["trajectory" in task["expected"] for task in suite["tasks"]]
    rows = [
        row(task["taskId"])
        | ({"gatedScore": 0.9} if guards else {})
        | ({"trials": block(trials["count"], trials["count"])} if trials else {})
        for task, guards in zip(suite["tasks"], guarded, strict=True)
    ]
    document: Json = {
        "suiteId": suite["suiteId"],
        "suiteVersion": suite["version"],
        "aggregateScore": 0.9,
        "passed": True,
        "taskCount": len(rows),
        "passedCount": len(rows),
        "tasks": rows,
    }
    if any(guarded):
        document["gatedAggregateScore"] = 0.9
    if trials:
        document["trialStats"] = {"passRule": "all"} | trials | {"passAtK": 1.0, "passHatK": 1.0}
    return edited(document, edits or {})


def edited(document: Json, edits: Mapping[str, object]) -> Json:
    """A copy of a document with other values at JSON Pointers, ABSENT for none."""
    document = copy.deepcopy(document)
    for pointer, value in edits.items():
        at, _, name = pointer.rpartition("/")
        parent: Any = value_at(document, at)
        step: Any = int(name) if isinstance(parent, list) else name
        if value is not ABSENT:
            parent[step] = copy.deepcopy(value)
        elif isinstance(parent, list) or step in parent:
            del parent[step]
    return document


def as_summary(suite: Json, edits: Mapping[str, object] | None = None) -> EvalSummary:
    """The same as ``summary_json``, decoded."""
    return decode_summary(json.dumps(summary_json(suite, edits)))
