"""Deep equality of JSON values, with the place of the first difference."""

from ._json import pointer_step

__all__ = ["first_difference", "json_equal"]


def json_equal(left: object, right: object) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not, names in any order."""
    return first_difference(left, right) is None


def first_difference(left: object, right: object) -> str | None:
    """The JSON Pointer at which two JSON values first differ; None when they are equal.

    An item or a member that only one of them has is a difference at that item or member.
    """
    waiting = [("", left, right)]
    while waiting:
        pointer, one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                name = min(one.keys() ^ other.keys(), key=str)
                return pointer + pointer_step(name)
            waiting += [
                (pointer + pointer_step(name), one[name], other[name]) for name in reversed(one)
            ]
        elif isinstance(one, list) and isinstance(other, list):
            shorter = min(len(one), len(other))
            if len(one) != len(other):
                waiting.append((pointer + pointer_step(shorter), None, _Absent))
            waiting += [
                (pointer + pointer_step(at), one[at], other[at]) for at in reversed(range(shorter))
            ]
        elif isinstance(one, bool) is not isinstance(other, bool) or one != other:
            return pointer
    return None


class _Absent:
    """What stands where one list has no item."""
