"""The legs: which run each drives, on which hosts, and what it came to."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from .assertions import Assertion, Requirement
from .host import Host, HostError
from .run import SeenRun
from .scripted import AGENT_ID, FIXTURES, Fixture, load_fixture
from .shape import GATED_FIELDS_SHAPE, judge_gated_fields_shape
from .witness import MEAN_GATED, SUITE_GATED, judge_mean_gated, judge_suite_gated

__all__ = ["LEGS_VERSION", "Conformance", "Disposition", "LegResult", "Verdict", "run_legs"]

LEGS_VERSION = "1.0.0"

Disposition: TypeAlias = Literal["passed", "failed", "inapplicable", "blocked"]
Verdict: TypeAlias = Literal[
    "conformant", "passed where applicable", "not conformant", "nothing decided"
]
_DISPOSITIONS: tuple[Disposition, ...] = ("passed", "failed", "inapplicable", "blocked")


class LegResult(Struct, frozen=True, kw_only=True):
    """What a leg came to.

    Attributes:
        requirement: The id of its requirement.
        disposition: ``passed``; ``failed``; ``inapplicable`` where the host makes no such claim;
            ``blocked`` where the host could not be judged.
        reason: Why.
        assertions: What was asserted, in order; none where nothing was judged.
        drives_host: Whether the leg asks anything of the host.
    """

    requirement: str
    disposition: Disposition
    reason: str
    assertions: tuple[Assertion, ...] = ()
    drives_host: bool = True

    def failures(self) -> list[Assertion]:
        """The assertions that do not hold."""
        return [assertion for assertion in self.assertions if not assertion.holds]


class Conformance(Struct, frozen=True, kw_only=True):
    """What the legs came to on one host.

    Attributes:
        host: The host's name.
        version: The version of the legs.
        legs: Each leg's result.
    """

    host: str
    version: str
    legs: tuple[LegResult, ...]

    @property
    def verdict(self) -> Verdict:
        """What the legs say of the host.

        ``conformant`` when every leg passed, ``passed where applicable`` when some did not apply
        and one that drives the host passed, ``not conformant`` when one failed. Else ``nothing
        decided``: a leg was blocked, or none that drives the host passed.
        """
        dispositions = {leg.disposition for leg in self.legs}
        if "failed" in dispositions:
            return "not conformant"
        proved = any(leg.drives_host and leg.disposition == "passed" for leg in self.legs)
        if not proved or "blocked" in dispositions:
            return "nothing decided"
        return "passed where applicable" if "inapplicable" in dispositions else "conformant"

    @property
    def conformant(self) -> bool:
        """Whether every leg passed; for hosts that claim less, see ``verdict``."""
        return self.verdict == "conformant"

    def counts(self) -> dict[Disposition, int]:
        """How many legs came to each disposition."""
        counted = Counter(leg.disposition for leg in self.legs)
        return {disposition: counted[disposition] for disposition in _DISPOSITIONS}

    def __str__(self) -> str:
        """One line a leg, and one for each assertion that does not hold."""
        lines = []
        for leg in self.legs:
            lines.append(f"{leg.disposition}: {leg.requirement}: {leg.reason}")
            lines += [f"  {assertion}" for assertion in leg.failures()]
        return "\n".join(lines)


class _Leg(Struct, frozen=True):
    requirement: Requirement
    fixture_id: str
    facets: tuple[str, ...]
    judge: Callable[[Fixture, SeenRun], list[Assertion]]


_HOST_LEGS = (
    _Leg(MEAN_GATED, FIXTURES[0], ("trajectory", "trials"), judge_mean_gated),
    _Leg(SUITE_GATED, FIXTURES[1], ("trajectory",), judge_suite_gated),
)


def run_legs(host: Host, *, require_behavior: bool = False) -> Conformance:
    """Run every leg of RFC 0246 against a host.

    Args:
        host: The host.
        require_behavior: Fail a leg that does not apply to the host.

    Returns:
        What each leg came to. Whatever the host does is an answer: nothing is raised for it.
    """
    shape = judge_gated_fields_shape()
    legs = [_judged(GATED_FIELDS_SHAPE, shape, drives_host=False)]
    for leg in _HOST_LEGS:
        result = _drive(host, leg)
        if require_behavior and result.disposition == "inapplicable":
            reason = f"{result.reason}, and behavior is required"
            result = _without_run(leg, "failed", reason)
        legs.append(result)
    return Conformance(host=host.name, version=LEGS_VERSION, legs=tuple(legs))


def _drive(host: Host, leg: _Leg) -> LegResult:
    try:
        if reason := _why_inapplicable(host, leg):
            return _without_run(leg, "inapplicable", reason)
        run_id = host.run(leg.fixture_id, AGENT_ID)
        events, summary = list(host.events(run_id)), host.summary(run_id)
        if not isinstance(summary, bytes):
            found = type(summary).__name__
            reason = f"the summary is of type {found}, expected the bytes that the host serves"
            raise HostError(reason, disposition="failed")
        seen = SeenRun(run_id=run_id, events=events, summary=summary)
        return _judged(leg.requirement, leg.judge(load_fixture(leg.fixture_id), seen))
    except HostError as error:
        return _without_run(leg, error.disposition, error.reason)
    except Exception as error:  # noqa: BLE001 - a host's own code may raise anything
        return _without_run(leg, "failed", f"the host raised {type(error).__name__}: {error}")


def _why_inapplicable(host: Host, leg: _Leg) -> str | None:
    facets: Any = host.capabilities()
    for facet in leg.facets:
        claim = facets.get(facet)
        if claim is None or claim is False:
            return f"the host does not claim agents.evalSuite.{facet}"
    if leg.fixture_id not in host.fixtures():
        return f"the host does not list the fixture {leg.fixture_id}"
    return None


def _judged(
    requirement: Requirement, assertions: list[Assertion], *, drives_host: bool = True
) -> LegResult:
    broken = [assertion.name for assertion in assertions if not assertion.holds]
    reason = (
        f"{len(broken)} of {len(assertions)} assertions do not hold: {', '.join(broken)}"
        if broken
        else f"{len(assertions)} assertions hold"
    )
    return LegResult(
        requirement=requirement.id,
        disposition="failed" if broken else "passed",
        reason=reason,
        assertions=tuple(assertions),
        drives_host=drives_host,
    )


def _without_run(leg: _Leg, disposition: Disposition, reason: str) -> LegResult:
    return LegResult(requirement=leg.requirement.id, disposition=disposition, reason=reason)
