"""Tool calls against a trajectory: the verdict, and where a trial went wrong."""

from typing import Any

import pytest
from msgspec import UNSET

from openwop_evals import Mismatch, ToolCall, Trajectory, match_trajectory
from tests.support.builders import Json, golden, suite, task, trial


def call(tool: str, **args: object) -> Json:
    return {"tool": tool, "args": args}


A, B, C = {"tool": "x:a"}, {"tool": "x:b"}, {"tool": "x:c"}
A1, A2 = call("x:a", n=1), call("x:a", n=2)


def compare(trajectory: Json, calls: list[Json]) -> tuple[Mismatch, ...]:
    decoded = suite(task(expected=golden(trajectory))).tasks[0].expected.trajectory
    made = trial(toolCalls=calls).tool_calls
    assert isinstance(decoded, Trajectory)
    assert made is not UNSET
    verdict = match_trajectory(decoded, made)
    assert verdict.matched is (not verdict.mismatches)
    return verdict.mismatches


def rule(match: str, *calls: Json, **members: object) -> Json:
    return {"match": match, "toolCalls": list(calls)} | members


@pytest.mark.parametrize(
    ("trajectory", "calls"),
    [
        pytest.param({}, [A, B], id="nothing constrained"),
        pytest.param({"match": "exact"}, [A], id="no toolCalls: match says nothing"),
        pytest.param({"forbidden": ["x:c"]}, [A, B], id="only forbidden, not called"),
        pytest.param({"forbidden": ["x:c"]}, [], id="only forbidden, no call"),
        pytest.param(rule("exact"), [], id="exact: no call at all"),
        pytest.param(rule("exact", A, B), [A, B], id="exact: the same"),
        pytest.param({"toolCalls": [A, C]}, [A, B, C], id="in-order is the rule unnamed"),
        pytest.param(rule("in-order", A, A), [B, A, B, A], id="in-order: a subsequence"),
        pytest.param(rule("in-order", A2), [A1, A2], id="in-order: past other arguments"),
        pytest.param(rule("in-order"), [A], id="in-order: nothing expected"),
        pytest.param(rule("any-order", A, B), [B, A], id="any-order: turned"),
        pytest.param(rule("any-order", B, A), [C, A, C, B], id="any-order: others between"),
        pytest.param(rule("any-order", A, A1), [A1, A2], id="any-order: any args takes the rest"),
        pytest.param(rule("any-order", A2, A1), [A1, A2], id="any-order: each its own"),
        pytest.param(rule("exact", A), [A1], id="args absent in the suite: any"),
        pytest.param(rule("exact", call("x:a")), [A], id="args absent in the row: none"),
        pytest.param(rule("exact", A1), [call("x:a", n=1.0)], id="1 is 1.0"),
    ],
)
def test_matched(trajectory: Json, calls: list[Json]) -> None:
    assert compare(trajectory, calls) == ()


@pytest.mark.parametrize(
    ("trajectory", "calls", "mismatch"),
    [
        pytest.param(
            rule("exact", A, B),
            [A, C],
            {
                "reason": "tool",
                "tool": "x:c",
                "call_index": 1,
                "expected_index": 1,
                "expected_tool": "x:b",
            },
            id="exact: another tool",
        ),
        pytest.param(
            rule("exact", B, A1),
            [B, A2],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 1,
                "expected_index": 1,
                "args_pointer": "/n",
            },
            id="exact: other arguments",
        ),
        pytest.param(
            rule("exact", A),
            [A, B, C],
            {"reason": "unexpected", "tool": "x:b", "call_index": 1},
            id="exact: calls more",
        ),
        pytest.param(
            rule("exact", A, B, C),
            [A],
            {"reason": "missing", "tool": "x:b", "expected_index": 1},
            id="exact: calls less",
        ),
        pytest.param(
            rule("in-order", A, B),
            [B, A],
            {"reason": "order", "tool": "x:b", "call_index": 0, "expected_index": 1},
            id="in-order: turned",
        ),
        pytest.param(
            {"toolCalls": [A, B]},
            [B, A],
            {"reason": "order", "tool": "x:b", "call_index": 0, "expected_index": 1},
            id="in-order, unnamed: turned",
        ),
        pytest.param(
            rule("in-order", A, A),
            [A],
            {"reason": "missing", "tool": "x:a", "expected_index": 1},
            id="in-order: one call is not two",
        ),
        pytest.param(
            rule("in-order", B, A1),
            [A1, B, C, A2],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 3,
                "expected_index": 1,
                "args_pointer": "/n",
            },
            id="in-order: other arguments after the last match",
        ),
        pytest.param(
            rule("any-order", A, A),
            [A, B],
            {"reason": "missing", "tool": "x:a", "expected_index": 1},
            id="any-order: one call is not two",
        ),
        pytest.param(
            rule("any-order", A1, B, A2),
            [A1, B, A1],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 2,
                "expected_index": 2,
                "args_pointer": "/n",
            },
            id="any-order: other arguments in what is left",
        ),
        pytest.param(
            rule("any-order", A, A1, A1),
            [A1, A2, A2],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 1,
                "expected_index": 2,
                "args_pointer": "/n",
            },
            id="any-order: those with arguments first",
        ),
        pytest.param(
            rule("exact", call("x:a")),
            [A1],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 0,
                "expected_index": 0,
                "args_pointer": "/n",
            },
            id="no arguments expected",
        ),
        pytest.param(
            rule("exact", A1),
            [A],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 0,
                "expected_index": 0,
                "args_pointer": "/n",
            },
            id="arguments expected, none made",
        ),
        pytest.param(
            rule("exact", call("x:a", at={"b": [1, True]})),
            [call("x:a", at={"b": [1, 1]})],
            {
                "reason": "args",
                "tool": "x:a",
                "call_index": 0,
                "expected_index": 0,
                "args_pointer": "/at/b/1",
            },
            id="deep in the arguments",
        ),
    ],
)
def test_not_matched(trajectory: Json, calls: list[Json], mismatch: dict[str, Any]) -> None:
    assert compare(trajectory, calls) == (Mismatch(**mismatch),)


@pytest.mark.parametrize("match", ["exact", "in-order", "any-order"])
def test_every_forbidden_call_is_named_before_the_rest(match: str) -> None:
    trajectory = rule(match, A, B, forbidden=["x:c", "x:d"])
    mismatches = compare(trajectory, [A, C, C])
    assert mismatches[:2] == (
        Mismatch(reason="forbidden", tool="x:c", call_index=1),
        Mismatch(reason="forbidden", tool="x:c", call_index=2),
    )
    assert [one.reason for one in mismatches[2:]] == ["tool" if match == "exact" else "missing"]


def test_a_forbidden_tool_that_is_expected_fails() -> None:
    mismatches = compare(rule("exact", A, forbidden=["x:a"]), [A])
    assert mismatches == (Mismatch(reason="forbidden", tool="x:a", call_index=0),)


@pytest.mark.parametrize(
    ("mismatch", "parts"),
    [
        pytest.param(
            Mismatch(reason="forbidden", tool="x:a", call_index=3),
            ["call 3", "x:a", "forbidden"],
            id="forbidden",
        ),
        pytest.param(
            Mismatch(reason="unexpected", tool="x:a", call_index=3),
            ["call 3", "x:a", "not expected"],
            id="unexpected",
        ),
        pytest.param(
            Mismatch(
                reason="tool", tool="x:a", call_index=3, expected_index=2, expected_tool="x:b"
            ),
            ["call 3", "x:a", "expected call 2", "x:b"],
            id="tool",
        ),
        pytest.param(
            Mismatch(
                reason="args", tool="x:a", call_index=3, expected_index=2, args_pointer="/n/0"
            ),
            ["call 3", "x:a", "expected call 2", "at /n/0"],
            id="args",
        ),
        pytest.param(
            Mismatch(reason="args", tool="x:a", call_index=3, expected_index=2, args_pointer=""),
            ["at the root"],
            id="args as a whole",
        ),
        pytest.param(
            Mismatch(reason="missing", tool="x:a", expected_index=2),
            ["expected call 2", "x:a", "not made"],
            id="missing",
        ),
        pytest.param(Mismatch(reason="host"), ["the host"], id="host"),
    ],
)
def test_a_mismatch_in_words_says_where(mismatch: Mismatch, parts: list[str]) -> None:
    text = str(mismatch)
    assert [part for part in parts if part not in text] == []


def test_calls_built_by_hand() -> None:
    trajectory = Trajectory(match="exact", forbidden=("x:c",))
    assert match_trajectory(trajectory, [ToolCall(tool="x:a")]).matched
    assert not match_trajectory(trajectory, [ToolCall(tool="x:c")]).matched
