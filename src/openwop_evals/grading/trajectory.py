"""Tool calls against expected.trajectory (RFC 0244 §A)."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from openwop_evals._equality import first_difference
from openwop_evals.models import ExpectedToolCall, ToolCall, Trajectory

__all__ = ["Mismatch", "TrajectoryVerdict", "match_trajectory"]

Reason: TypeAlias = Literal["forbidden", "missing", "order", "unexpected", "tool", "args", "host"]


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """One reason why a trajectory did not match. Content-free: it holds no argument's value.

    Attributes:
        reason: ``forbidden``: a forbidden tool was called. ``missing``: an expected call was not
            made. ``order``: it was made before one that must precede it. ``unexpected``: a call
            beyond the expected ones, under ``exact``. ``tool``: another tool than expected.
            ``args``: the expected tool with other arguments. ``host``: the host's own verdict,
            with no reason given.
        tool: The tool that was called, or that was expected where no call was made.
        call_index: Position of the call in the trial's calls, from 0.
        expected_index: Position of the expected call in the trajectory, from 0.
        expected_tool: The tool that was expected instead.
        args_pointer: JSON Pointer to the first argument that differs.
    """

    reason: Reason
    tool: str | None = None
    call_index: int | None = None
    expected_index: int | None = None
    expected_tool: str | None = None
    args_pointer: str | None = None

    def __str__(self) -> str:
        """The mismatch in words."""
        return _WORDS[self.reason].format(
            call=self.call_index,
            tool=self.tool,
            expected=self.expected_index,
            other=self.expected_tool,
            pointer=self.args_pointer or "the root",
        )


_WORDS: dict[Reason, str] = {
    "forbidden": "call {call}: {tool} is forbidden",
    "missing": "expected call {expected}: {tool} was not made",
    "order": "call {call}: {tool} comes too early for expected call {expected}",
    "unexpected": "call {call}: {tool} is not expected",
    "tool": "call {call}: {tool}, expected call {expected} is {other}",
    "args": "call {call}: {tool} differs from expected call {expected} in args at {pointer}",
    "host": "the host reports that the trajectory did not match",
}


class TrajectoryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a trial's calls match its trajectory, and where they went wrong.

    Attributes:
        mismatches: Every forbidden call, then the first place where the expected calls fail;
            empty when the trajectory matched.
    """

    mismatches: tuple[Mismatch, ...] = ()

    @property
    def matched(self) -> bool:
        """Whether the trajectory matched."""
        return not self.mismatches


def match_trajectory(trajectory: Trajectory, calls: Sequence[ToolCall]) -> TrajectoryVerdict:
    """Compare the tool calls of a trial with what its task expects (RFC 0244 §A).

    ``exact``: the expected calls in order and no others. ``in-order``, the rule when none is
    named: the expected calls as a subsequence. ``any-order``: each expected call by a call of its
    own, so parallel calls are written this way. A forbidden tool fails in each of them, whatever
    became of the call. Arguments are compared as JSON values; an expected call without args takes
    any, a call without args has none, ``{}``.

    Args:
        trajectory: The constraint.
        calls: Every call of the trial in order, refused and failed ones too.
    """
    forbidden = () if trajectory.forbidden is msgspec.UNSET else trajectory.forbidden
    hits = [
        Mismatch(reason="forbidden", tool=call.tool, call_index=at)
        for at, call in enumerate(calls)
        if call.tool in forbidden
    ]
    if trajectory.tool_calls is not msgspec.UNSET:
        rule = "in-order" if trajectory.match is msgspec.UNSET else trajectory.match
        failed = _RULES[rule](trajectory.tool_calls, calls)
        if failed is not None:
            hits.append(failed)
    return TrajectoryVerdict(mismatches=tuple(hits))


def _exact(expected: Sequence[ExpectedToolCall], calls: Sequence[ToolCall]) -> Mismatch | None:
    for at, (wanted, call) in enumerate(zip(expected, calls, strict=False)):
        if call.tool != wanted.tool:
            return Mismatch(
                reason="tool",
                tool=call.tool,
                call_index=at,
                expected_index=at,
                expected_tool=wanted.tool,
            )
        difference = _args_difference(wanted, call)
        if difference is not None:
            return _other_args(wanted, at, at, difference)
    if len(calls) > len(expected):
        at = len(expected)
        return Mismatch(reason="unexpected", tool=calls[at].tool, call_index=at)
    if len(calls) < len(expected):
        return _missing(expected, len(calls))
    return None


def _in_order(expected: Sequence[ExpectedToolCall], calls: Sequence[ToolCall]) -> Mismatch | None:
    start = 0
    passed_over: list[int] = []
    for index, wanted in enumerate(expected):
        at = _find(wanted, calls, range(start, len(calls)))
        if at is None:
            failed = _not_found(expected, index, calls, range(start, len(calls)))
            early = _find(wanted, calls, passed_over)
            if failed.reason == "missing" and early is not None:
                return msgspec.structs.replace(failed, reason="order", call_index=early)
            return failed
        passed_over += range(start, at)
        start = at + 1
    return None


def _any_order(expected: Sequence[ExpectedToolCall], calls: Sequence[ToolCall]) -> Mismatch | None:
    # Calls with equal arguments can stand in for each other, so once those that name arguments
    # have each taken one, those that take any arguments take the rest: no other choice does better.
    free = dict.fromkeys(range(len(calls)))
    by_need = sorted(range(len(expected)), key=lambda index: expected[index].args is msgspec.UNSET)
    for index in by_need:
        at = _find(expected[index], calls, free)
        if at is None:
            return _not_found(expected, index, calls, free)
        del free[at]
    return None


_RULES = {"exact": _exact, "in-order": _in_order, "any-order": _any_order}


def _find(
    wanted: ExpectedToolCall, calls: Sequence[ToolCall], among: Sequence[int] | dict[int, None]
) -> int | None:
    for at in among:
        if calls[at].tool == wanted.tool and _args_difference(wanted, calls[at]) is None:
            return at
    return None


def _args_difference(wanted: ExpectedToolCall, call: ToolCall) -> str | None:
    if wanted.args is msgspec.UNSET:
        return None
    return first_difference(wanted.args, {} if call.args is msgspec.UNSET else call.args)


def _not_found(
    expected: Sequence[ExpectedToolCall],
    index: int,
    calls: Sequence[ToolCall],
    among: Sequence[int] | dict[int, None],
) -> Mismatch:
    """The expected call as missing, or the first call of its tool, which has other arguments."""
    wanted = expected[index]
    for at in among:
        if calls[at].tool == wanted.tool:
            return _other_args(wanted, index, at, _args_difference(wanted, calls[at]))
    return _missing(expected, index)


def _missing(expected: Sequence[ExpectedToolCall], index: int) -> Mismatch:
    return Mismatch(reason="missing", tool=expected[index].tool, expected_index=index)


def _other_args(wanted: ExpectedToolCall, index: int, at: int, difference: str | None) -> Mismatch:
    return Mismatch(
        reason="args",
        tool=wanted.tool,
        call_index=at,
        expected_index=index,
        args_pointer=difference,
    )
