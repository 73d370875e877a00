"""What a leg comes to, and what the legs say of a host."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

from openwop_evals.conformance import (
    AGENT_ID,
    FIXTURES,
    LEGS_VERSION,
    Assertion,
    Conformance,
    HostError,
    InProcessHost,
    LegResult,
    evaluate,
    run_legs,
)
from openwop_evals.conformance.legs import Disposition, Verdict

SHAPE, MEAN, SUITE = (
    f"openwop.requirement.0246.{name}"
    for name in ("gated-fields-shape", "mean-gated", "suite-gated")
)
METHODS = ["capabilities", "fixtures", "run", "events", "summary"]
FACETS: dict[str, Any] = {"trajectory": {}, "trials": {}}
DISPOSITIONS: tuple[Disposition, ...] = get_args(Disposition)


def host_with(**methods: object) -> InProcessHost:
    """A host that does well but for some methods."""
    host = InProcessHost(evaluate)
    for name, method in methods.items():
        setattr(host, name, method)
    return host


def raising(error: BaseException) -> Any:  # noqa: ANN401 - any method
    def method(*_args: object) -> None:
        raise error

    return method


def dispositions(found: Conformance) -> dict[str, Disposition]:
    return {leg.requirement: leg.disposition for leg in found.legs}


def reasons(found: Conformance) -> dict[str, str]:
    return {leg.requirement: leg.reason for leg in found.legs}


def test_every_leg_passes_on_this_package() -> None:
    found = run_legs(InProcessHost(evaluate))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "passed", SUITE: "passed"}
    assert (found.verdict, found.conformant) == ("conformant", True)
    assert [leg.drives_host for leg in found.legs] == [False, True, True]


def test_a_leg_that_passed_asserted_something() -> None:
    legs = run_legs(InProcessHost(evaluate)).legs
    assert [len(leg.assertions) for leg in legs] == [28, 24, 25]
    assert [leg.failures() for leg in legs] == [[], [], []]
    assert [leg.reason for leg in legs] == [f"{count} assertions hold" for count in (28, 24, 25)]


def test_every_requirement_is_named_by_its_assertions() -> None:
    for leg in run_legs(InProcessHost(evaluate)).legs:
        assert {assertion.requirement for assertion in leg.assertions} == {leg.requirement}


def test_a_host_runs_each_fixture_once_with_the_scripted_agent() -> None:
    asked: list[tuple[str, str]] = []

    class Noting(InProcessHost):
        def run(self, eval_suite_ref: str, agent_id: str) -> str:
            asked.append((eval_suite_ref, agent_id))
            return super().run(eval_suite_ref, agent_id)

    assert run_legs(Noting(evaluate)).conformant
    assert asked == [(fixture_id, AGENT_ID) for fixture_id in FIXTURES]


@pytest.mark.parametrize("require_behavior", [False, True])
def test_where_every_leg_applies_requiring_behavior_changes_nothing(
    *, require_behavior: bool
) -> None:
    host = InProcessHost(evaluate)
    assert run_legs(host, require_behavior=require_behavior) == run_legs(InProcessHost(evaluate))


NO_TRAJECTORY = "the host does not claim agents.evalSuite.trajectory"
NO_TRIALS = "the host does not claim agents.evalSuite.trials"
INAPPLICABLE = [
    pytest.param({}, FIXTURES, {MEAN: NO_TRAJECTORY, SUITE: NO_TRAJECTORY}, id="no claim"),
    pytest.param(
        FACETS | {"trajectory": False},
        FIXTURES,
        {MEAN: NO_TRAJECTORY, SUITE: NO_TRAJECTORY},
        id="trajectory: false",
    ),
    pytest.param(
        FACETS | {"trajectory": None},
        FIXTURES,
        {MEAN: NO_TRAJECTORY, SUITE: NO_TRAJECTORY},
        id="trajectory: null",
    ),
    pytest.param(
        {"trials": {}}, FIXTURES, {MEAN: NO_TRAJECTORY, SUITE: NO_TRAJECTORY}, id="trials alone"
    ),
    pytest.param({"trajectory": {}}, FIXTURES, {MEAN: NO_TRIALS}, id="no trials"),
    pytest.param(FACETS | {"trials": False}, FIXTURES, {MEAN: NO_TRIALS}, id="trials: false"),
    pytest.param(FACETS | {"trials": None}, FIXTURES, {MEAN: NO_TRIALS}, id="trials: null"),
    pytest.param(
        FACETS,
        (),
        {
            MEAN: f"the host does not list the fixture {FIXTURES[0]}",
            SUITE: f"the host does not list the fixture {FIXTURES[1]}",
        },
        id="no fixture",
    ),
    pytest.param(
        FACETS,
        FIXTURES[:1],
        {SUITE: f"the host does not list the fixture {FIXTURES[1]}"},
        id="the fixture of mean alone",
    ),
    pytest.param(
        FACETS,
        ["another", *FIXTURES[1:]],
        {MEAN: f"the host does not list the fixture {FIXTURES[0]}"},
        id="the fixture of the suite alone",
    ),
]


@pytest.mark.parametrize(("facets", "fixtures", "why"), INAPPLICABLE)
def test_a_leg_without_its_claim_or_fixture_is_inapplicable(
    facets: dict[str, Any], fixtures: list[str], why: dict[str, str]
) -> None:
    found = run_legs(host_with(capabilities=lambda: facets, fixtures=lambda: fixtures))
    expected = {leg: "inapplicable" if leg in why else "passed" for leg in (SHAPE, MEAN, SUITE)}
    assert dispositions(found) == expected
    assert {leg: reason for leg, reason in reasons(found).items() if leg in why} == why
    assert not found.conformant


@pytest.mark.parametrize(("facets", "fixtures", "why"), INAPPLICABLE)
def test_where_behavior_is_required_an_inapplicable_leg_fails(
    facets: dict[str, Any], fixtures: list[str], why: dict[str, str]
) -> None:
    host = host_with(capabilities=lambda: facets, fixtures=lambda: fixtures)
    found = run_legs(host, require_behavior=True)
    expected = {leg: "failed" if leg in why else "passed" for leg in (SHAPE, MEAN, SUITE)}
    assert dispositions(found) == expected
    required = {leg: f"{reason}, and behavior is required" for leg, reason in why.items()}
    assert {leg: reason for leg, reason in reasons(found).items() if leg in why} == required
    assert found.verdict == "not conformant"


@pytest.mark.parametrize("claim", [True, {}, {"match": ["exact"]}, [], 0, ""], ids=repr)
def test_presence_is_the_claim(claim: object) -> None:
    facets = {"trajectory": claim, "trials": claim}
    assert run_legs(host_with(capabilities=lambda: facets)).conformant


def test_a_leg_that_does_not_apply_asks_for_no_run() -> None:
    found = run_legs(host_with(capabilities=dict, run=raising(AssertionError("it was run"))))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "inapplicable", SUITE: "inapplicable"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("disposition", ["blocked", "failed"])
@pytest.mark.parametrize("require_behavior", [False, True])
def test_an_error_of_the_host_tells_the_disposition(
    method: str, disposition: Literal["blocked", "failed"], *, require_behavior: bool
) -> None:
    error = HostError("503 for a minute", disposition=disposition)
    host = host_with(**{method: raising(error)})
    found = run_legs(host, require_behavior=require_behavior)
    assert dispositions(found) == {SHAPE: "passed", MEAN: disposition, SUITE: disposition}
    assert {reasons(found)[MEAN], reasons(found)[SUITE]} == {"503 for a minute"}
    assert all(leg.drives_host for leg in found.legs[1:])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "error", [KeyError("x"), RuntimeError("broke"), RecursionError("deep"), StopIteration()]
)
def test_a_host_that_raises_anything_else_fails(method: str, error: Exception) -> None:
    found = run_legs(host_with(**{method: raising(error)}))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "failed", SUITE: "failed"}
    assert reasons(found)[MEAN] == f"the host raised {type(error).__name__}: {error}"
    assert found.verdict == "not conformant"


def test_code_of_a_host_that_raises_fails_its_legs() -> None:
    found = run_legs(InProcessHost(raising(ZeroDivisionError("no trials"))))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "failed", SUITE: "failed"}
    assert reasons(found)[SUITE] == "the host raised ZeroDivisionError: no trials"


def test_what_stops_the_program_is_let_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_legs(host_with(run=raising(KeyboardInterrupt())))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("answer", [None, 7, True], ids=str)
def test_an_answer_of_another_type_raises_nothing_and_passes_nothing(
    method: str, answer: object
) -> None:
    found = run_legs(host_with(**{method: lambda *_args: answer}))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "failed", SUITE: "failed"}


def test_one_leg_that_is_blocked_stops_no_other() -> None:
    class HalfAway(InProcessHost):
        def run(self, eval_suite_ref: str, agent_id: str) -> str:
            if eval_suite_ref == FIXTURES[0]:
                raise HostError("too slow", disposition="blocked")
            return super().run(eval_suite_ref, agent_id)

    found = run_legs(HalfAway(evaluate))
    assert dispositions(found) == {SHAPE: "passed", MEAN: "blocked", SUITE: "passed"}
    assert found.verdict == "nothing decided"


def conformance(shape: Disposition, mean: Disposition, suite: Disposition) -> Conformance:
    legs = (
        LegResult(requirement=SHAPE, disposition=shape, reason="", drives_host=False),
        LegResult(requirement=MEAN, disposition=mean, reason=""),
        LegResult(requirement=SUITE, disposition=suite, reason=""),
    )
    return Conformance(host="one", version=LEGS_VERSION, legs=legs)


VERDICTS: list[tuple[Disposition, Disposition, Verdict]] = [
    ("passed", "passed", "conformant"),
    ("passed", "failed", "not conformant"),
    ("passed", "inapplicable", "passed where applicable"),
    ("passed", "blocked", "nothing decided"),
    ("failed", "failed", "not conformant"),
    ("failed", "inapplicable", "not conformant"),
    ("failed", "blocked", "not conformant"),
    ("inapplicable", "inapplicable", "nothing decided"),
    ("inapplicable", "blocked", "nothing decided"),
    ("blocked", "blocked", "nothing decided"),
]


@pytest.mark.parametrize(("one", "other", "verdict"), VERDICTS)
def test_verdict_on_the_legs_that_drive_a_host(
    one: Disposition, other: Disposition, verdict: Verdict
) -> None:
    for found in (conformance("passed", one, other), conformance("passed", other, one)):
        assert found.verdict == verdict
        assert found.conformant is (verdict == "conformant")


def test_the_verdicts_are_told_for_every_pair() -> None:
    told = {frozenset((one, other)) for one, other, _ in VERDICTS}
    assert told == {frozenset(pair) for pair in product(DISPOSITIONS, repeat=2)}
    assert {verdict for _, _, verdict in VERDICTS} == set(get_args(Verdict))


@pytest.mark.parametrize("mean", DISPOSITIONS)
@pytest.mark.parametrize("suite", DISPOSITIONS)
def test_a_field_that_has_no_shape_fails_whatever_the_host(
    mean: Disposition, suite: Disposition
) -> None:
    assert conformance("failed", mean, suite).verdict == "not conformant"


@pytest.mark.parametrize("mean", ["inapplicable", "blocked"])
@pytest.mark.parametrize("suite", ["inapplicable", "blocked"])
def test_the_server_free_leg_alone_decides_nothing(mean: Disposition, suite: Disposition) -> None:
    assert conformance("passed", mean, suite).verdict == "nothing decided"


def test_a_host_that_answers_half_and_is_skipped_on_the_rest_is_not_conformant() -> None:
    found = run_legs(InProcessHost(evaluate, capabilities=["trajectory"]))
    assert found.counts() == {"passed": 2, "failed": 0, "inapplicable": 1, "blocked": 0}
    assert (found.verdict, found.conformant) == ("passed where applicable", False)


def test_a_host_that_claims_nothing_proves_nothing() -> None:
    found = run_legs(InProcessHost(evaluate, capabilities=[]))
    assert found.counts() == {"passed": 1, "failed": 0, "inapplicable": 2, "blocked": 0}
    assert (found.verdict, found.conformant) == ("nothing decided", False)


@pytest.mark.parametrize("three", list(product(DISPOSITIONS, repeat=3)), ids="-".join)
def test_every_leg_is_counted(three: tuple[Disposition, Disposition, Disposition]) -> None:
    counts = conformance(*three).counts()
    assert tuple(counts) == DISPOSITIONS
    assert counts == {disposition: three.count(disposition) for disposition in DISPOSITIONS}


def test_the_host_and_the_version_of_the_legs_are_told() -> None:
    found = run_legs(InProcessHost(evaluate, name="mine"))
    assert (found.host, found.version) == ("mine", LEGS_VERSION)
    assert re.fullmatch(r"\d+\.\d+\.\d+", LEGS_VERSION)


def test_a_conformant_host_takes_one_line_a_leg() -> None:
    assert str(run_legs(InProcessHost(evaluate))).splitlines() == [
        f"passed: {SHAPE}: 28 assertions hold",
        f"passed: {MEAN}: 24 assertions hold",
        f"passed: {SUITE}: 25 assertions hold",
    ]


def test_what_does_not_hold_is_told_under_its_leg() -> None:
    holds, broken = (
        Assertion(
            requirement=MEAN,
            name=name,
            section="RFC 0246 §B",
            expected="false",
            found=found,
            holds=found == "false",
        )
        for name, found in [("one", "false"), ("other", "true")]
    )
    leg = LegResult(requirement=MEAN, disposition="failed", reason="so", assertions=(holds, broken))
    assert leg.failures() == [broken]
    assert str(Conformance(host="one", version="1", legs=(leg,))).splitlines() == [
        f"failed: {MEAN}: so",
        "  other: expected false, found true (RFC 0246 §B)",
    ]


FIVE_LINES = """\
from openwop_evals.conformance import InProcessHost, evaluate, run_legs

def test_rfc_0246():
    found = run_legs(InProcessHost(evaluate{more}))
    assert found.conformant, str(found)
"""


def run_pytest(folder: Path, more: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_host.py").write_text(FIVE_LINES.format(more=more), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_host.py"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=False, encoding="utf-8", timeout=60
    )


def test_five_lines_of_pytest_pass(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout


def test_five_lines_of_pytest_fail_and_say_why(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, ", capabilities=[]")
    assert (done.returncode, "1 failed" in done.stdout) == (1, True), done.stdout
    assert f"inapplicable: {MEAN}: {NO_TRAJECTORY}" in done.stdout


@pytest.mark.parametrize("summary", ["{}", None, {}, bytearray(b"{}")], ids=repr)
def test_a_summary_that_is_no_bytes_is_named(summary: object) -> None:
    found = run_legs(host_with(summary=lambda _: summary))
    reason = f"the summary is of type {type(summary).__name__}, expected the bytes"
    for leg in found.legs[1:]:
        assert leg.disposition == "failed"
        assert leg.reason.startswith(reason)


def test_events_may_come_one_at_a_time() -> None:
    honest = InProcessHost(evaluate)
    host = host_with(
        run=honest.run, events=lambda id_: iter(honest.events(id_)), summary=honest.summary
    )
    assert run_legs(host).conformant
