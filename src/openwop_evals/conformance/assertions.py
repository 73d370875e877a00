"""What is asserted of a run, and members of JSON values that may not be there."""

import json
from typing import Any

from msgspec import Struct

from openwop_evals._equality import json_equal
from openwop_evals._json import Number, shortened

__all__ = ["ABSENT", "Assertion", "Requirement", "at", "integer_at", "shown"]


class _Absent:
    """What stands where a JSON value has no such member."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


class Assertion(Struct, frozen=True, kw_only=True):
    """One thing that a requirement asks of a run, and whether it holds.

    Attributes:
        requirement: The id of the requirement.
        name: Names the assertion within the requirement, stably.
        section: The section that asks for it, such as RFC 0246 §D.
        expected: What was expected.
        found: What was found.
        holds: Whether that is what was expected.
    """

    requirement: str
    name: str
    section: str
    expected: str
    found: str
    holds: bool

    def __str__(self) -> str:
        """The name, then what was expected and found."""
        return f"{self.name}: expected {self.expected}, found {self.found} ({self.section})"


class Requirement(Struct, frozen=True):
    """A requirement's id, which its assertions carry."""

    id: str

    def that(self, name: str, section: str, *, holds: bool, expected: str, found: str) -> Assertion:
        """An assertion with a verdict of its own."""
        return Assertion(
            requirement=self.id,
            name=name,
            section=section,
            expected=expected,
            found=found,
            holds=holds,
        )

    def equal(self, name: str, section: str, *, expected: Any, found: Any) -> Assertion:  # noqa: ANN401
        """An assertion that two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
        holds = found is not ABSENT and expected is not ABSENT and json_equal(expected, found)
        return self.that(name, section, holds=holds, expected=shown(expected), found=shown(found))


def at(value: Any, *steps: Any) -> Any:  # noqa: ANN401 - any JSON value
    """The value at some steps, names and positions, into a JSON value; ABSENT if none is there."""
    for step in steps:
        if not isinstance(value, dict if isinstance(step, str) else list):
            return ABSENT
        try:
            value = value[step]
        except LookupError:
            return ABSENT
    return value


def integer_at(value: Any, name: str) -> int | None:  # noqa: ANN401 - any JSON value
    """The integer that a member is, 1.0 among them; None where it is none."""
    number = at(value, name)
    if isinstance(number, Number):
        return number.integer()
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def shown(value: object) -> str:
    """A JSON value in a few characters."""
    return (
        repr(value)
        if value is ABSENT
        else shortened(json.dumps(value, ensure_ascii=False, default=repr))
    )
