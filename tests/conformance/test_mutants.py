"""Hosts that get one thing of RFC 0246 wrong fail the legs that are about it, and only there."""

import json

import pytest

from openwop_evals import EvalSummary, decode_summary, grade, verify
from openwop_evals.conformance import FIXTURES, InProcessHost, evaluate, load_fixture, run_legs
from tests.support.mutant_hosts import MUTANTS

# What turns red by mutant, on mean-gated and on suite-gated.
RED: dict[str, tuple[set[str], set[str]]] = {
    "unmigrated": (
        {"task-gated-score", "task-passed", "gated-aggregate-carried"},
        {
            "matched-task-gated-score",
            "wrong-path-gated-score",
            "gated-aggregate",
            "gated-aggregate-is-mean",
            "suite-passed",
        },
    ),
    "zeroed score": (
        {"scored-score", "task-mean-score", "task-score"},
        {"task-scores", "aggregate-score"},
    ),
    "no gatedScore where equal": (
        set(),
        {"matched-task-gated-score", "gated-aggregate-is-mean"},
    ),
    "no gatedAggregateScore": (
        {"gated-aggregate-carried"},
        {"gated-aggregate", "gated-aggregate-is-mean"},
    ),
}


def summary_of(mutant: str, fixture_id: str) -> EvalSummary:
    fixture = load_fixture(fixture_id)
    return decode_summary(MUTANTS[mutant](fixture.suite, fixture.agent).summary)


def test_every_mutant_has_its_red_assertions() -> None:
    assert RED.keys() == MUTANTS.keys()
    assert all(any(both) for both in RED.values())


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_fails_exactly_what_it_gets_wrong(mutant: str) -> None:
    found = run_legs(InProcessHost(MUTANTS[mutant]))
    shape, *driven = found.legs
    assert shape.disposition == "passed"
    assert tuple({one.name for one in leg.failures()} for leg in driven) == RED[mutant]
    assert [leg.disposition for leg in driven] == [
        "failed" if red else "passed" for red in RED[mutant]
    ]
    assert (found.verdict, found.conformant) == ("not conformant", False)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_failed_leg_names_what_does_not_hold(mutant: str) -> None:
    found = run_legs(InProcessHost(MUTANTS[mutant]))
    for leg, red in zip(found.legs[1:], RED[mutant], strict=True):
        assert all(name in leg.reason for name in red)
        assert all(f"  {one}" in str(found).splitlines() for one in leg.failures())


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_without_trials_fails_the_leg_of_the_suite(mutant: str) -> None:
    found = run_legs(InProcessHost(MUTANTS[mutant], capabilities=["trajectory"]))
    assert [leg.disposition for leg in found.legs] == ["passed", "inapplicable", "failed"]
    assert found.verdict == "not conformant"


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.parametrize("fixture_id", FIXTURES)
def test_the_log_of_a_mutant_agrees_with_its_summary(mutant: str, fixture_id: str) -> None:
    host = InProcessHost(MUTANTS[mutant])
    run_id = host.run(fixture_id, "")
    summary = json.loads(host.summary(run_id))
    (completed,) = (
        one["payload"] for one in host.events(run_id) if one["type"] == "eval.completed"
    )
    assert completed.items() <= summary.items()


@pytest.mark.parametrize("fixture_id", FIXTURES)
def test_an_unmigrated_host_opens_the_gate(fixture_id: str) -> None:
    summary = summary_of("unmigrated", fixture_id)
    assert (summary.aggregate_score, summary.passed) == (1, True)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_verify_finds_fault_with_a_mutant_or_the_legs_are_needed(mutant: str) -> None:
    found = {fixture_id: _findings(mutant, fixture_id) for fixture_id in FIXTURES}
    # A score that was zeroed before it was reported is told from a wrong answer by no summary.
    assert bool(found[FIXTURES[1]]) is (mutant != "zeroed score")


def _findings(mutant: str, fixture_id: str) -> list[str]:
    suite = load_fixture(fixture_id).suite
    return [finding.code for finding in verify(summary_of(mutant, fixture_id), suite)]


@pytest.mark.parametrize("fixture_id", FIXTURES)
def test_the_host_that_the_mutants_are_made_from_is_right(fixture_id: str) -> None:
    fixture = load_fixture(fixture_id)
    made = evaluate(fixture.suite, fixture.agent)
    assert decode_summary(made.summary) == grade(fixture.suite, fixture.agent.script)
