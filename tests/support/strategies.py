"""Hypothesis strategies for suites and the trials that match them."""

import json
from typing import NamedTuple

from hypothesis import strategies as st

from openwop_evals import AgentEvalSuite, TrialRecord, decode_suite, decode_trial

from .builders import Json, golden, suite_json, task

__all__ = ["CALLS", "COSTS", "EXPECTED_CALLS", "SCORES", "TRAJECTORIES", "Run", "runs"]


class Run(NamedTuple):
    """A suite and its trials, as JSON."""

    suite: Json
    rows: list[Json]

    def decoded(self) -> tuple[AgentEvalSuite, list[TrialRecord]]:
        """The same as documents."""
        return (
            decode_suite(json.dumps(self.suite)),
            [decode_trial(json.dumps(row)) for row in self.rows],
        )


# Scores of no to three decimals, and any other double from 0 to 1.
SCORES: st.SearchStrategy[float] = st.one_of(
    st.sampled_from([0.0, 1.0]),
    st.integers(0, 10).map(lambda part: part / 10),
    st.integers(0, 1000).map(lambda part: part / 1000),
    st.floats(0, 1),
)

# Costs in tenths of a cent, and any other double to a million.
COSTS = st.integers(0, 5000).map(lambda part: part / 1000) | st.floats(0, 1e6)

_TOOLS = st.sampled_from(["x:a", "x:b", "x:c"])
_ARGS = st.sampled_from(
    [{}, {"n": 1}, {"n": 1.0}, {"n": True}, {"n": 2}, {"n": [1, "1"]}, {"m": None}]
)
_CALL: st.SearchStrategy[Json] = st.fixed_dictionaries({"tool": _TOOLS}, optional={"args": _ARGS})

# The tool calls of a trial, and those that a trajectory expects.
CALLS = st.lists(_CALL, max_size=4)
EXPECTED_CALLS = st.lists(_CALL, max_size=3)

TRAJECTORIES: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {},
    optional={
        "match": st.sampled_from(["exact", "in-order", "any-order"]),
        "toolCalls": EXPECTED_CALLS,
        "forbidden": st.lists(_TOOLS, min_size=1, max_size=2, unique=True),
    },
)

_RULES = st.sampled_from([None, "all", "any", "mean"])
_SIZES = st.integers(1, 4)
_COUNTS = st.none() | _SIZES
_EXPECTED = (st.none() | TRAJECTORIES).map(golden)
_BARS: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {"passScore": SCORES}, optional={"maxCostUsd": COSTS, "maxP95LatencyMs": st.integers(0, 1000)}
)


@st.composite
def runs(draw: st.DrawFn, *, clean: bool = False, rule: str | None = None) -> Run:
    """A suite and all of its trials.

    Args:
        draw: Hypothesis's own.
        clean: Every trial is measured and matches its trajectory.
        rule: The pass rule; any, or no trials block, when not given.
    """
    count = draw(_SIZES if rule else _COUNTS)
    tasks = [task(f"t{at}", draw(_EXPECTED)) for at in range(draw(_SIZES))]
    document = suite_json(*tasks, bars=draw(_BARS), count=count, rule=rule or draw(_RULES))
    outcomes = _MEASURED if clean else _ANY_OUTCOME
    rest = draw(st.sampled_from([_ALL_TOLD, _SOME_TOLD]))
    rows = [
        {"taskId": one["taskId"], "trial": at} | draw(outcomes) | draw(rest)
        for one in tasks
        for at in range(count or 1)
    ]
    if all("error" in row for row in rows):  # nothing was measured
        del rows[0]["error"]
        rows[0].update(draw(_MEASURED))
    trajectories = {one["taskId"]: one["expected"].get("trajectory") for one in tasks}
    for row in rows:
        row.update(_path(draw, trajectories[row["taskId"]], row, clean=clean))
    if clean:
        _allow_what_was_called(trajectories, rows)
    return Run(document, draw(st.permutations(rows)))


_MEASURED: st.SearchStrategy[Json] = st.one_of(
    st.fixed_dictionaries({"score": SCORES}),
    st.fixed_dictionaries({"output": st.sampled_from(["yes", "no", None])}),
)
_FAILURES: st.SearchStrategy[Json] = st.one_of(
    st.just({"error": "timeout"}),
    st.fixed_dictionaries({"fixtureMiss": st.just(True)}, optional={"score": st.just(0)}),
)
_ANY_OUTCOME = st.one_of(_MEASURED, _MEASURED, _MEASURED, _FAILURES)

_NUMBERS = {"costUsd": COSTS, "latencyMs": st.integers(0, 1000)}
_OTHERS = {
    "schemaValid": st.booleans(),
    "safetyFindings": st.lists(
        st.sampled_from(
            [{"kind": "leak", "severity": "low"}, {"kind": "harm", "severity": "high"}]
        ),
        max_size=2,
    ),
}
_ALL_TOLD: st.SearchStrategy[Json] = st.fixed_dictionaries(_NUMBERS, optional=_OTHERS)
_SOME_TOLD: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {}, optional=_OTHERS | {"costUsd": COSTS | st.none(), "latencyMs": st.integers(0, 1000)}
)
_HOST: st.SearchStrategy[Json] = st.sampled_from(
    [{}, {}, {"trajectoryMatched": True}, {"trajectoryMatched": False}]
)
_HOST_AGREES: st.SearchStrategy[Json] = st.sampled_from([{}, {"trajectoryMatched": True}])


def _path(draw: st.DrawFn, trajectory: Json | None, row: Json, *, clean: bool) -> Json:
    """The members about a trial's tool calls, as often right as not."""
    if trajectory is None:
        return {"toolCalls": draw(CALLS)} if draw(st.booleans()) else {}
    right = [{"args": {}} | call for call in trajectory.get("toolCalls", [])]
    if clean:
        return {"toolCalls": right} | draw(_HOST_AGREES)
    host = draw(_HOST)
    may_lack_calls = host or "error" in row or "fixtureMiss" in row
    if may_lack_calls and draw(st.booleans()):
        return host
    return {"toolCalls": right if draw(st.booleans()) else draw(CALLS)} | host


def _allow_what_was_called(trajectories: dict[str, Json | None], rows: list[Json]) -> None:
    called = {(row["taskId"], call["tool"]) for row in rows for call in row.get("toolCalls", [])}
    for task_id, trajectory in trajectories.items():
        if trajectory is None or "forbidden" not in trajectory:
            continue
        kept = [tool for tool in trajectory.pop("forbidden") if (task_id, tool) not in called]
        if kept:
            trajectory["forbidden"] = kept
