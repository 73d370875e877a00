"""The witness: every assertion holds of a good run, and each can turn red."""

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from openwop_evals._json import Number
from openwop_evals.conformance import (
    AGENT_ID,
    FIXTURES,
    Assertion,
    Fixture,
    InProcessHost,
    SeenRun,
    evaluate,
    judge_mean_gated,
    judge_suite_gated,
    load_fixture,
)
from openwop_evals.conformance.scripted import private_texts
from tests.support.builders import Json
from tests.support.summaries import ABSENT, edited

RUN_ID = "acme/0123456789abcdef"


class Leg(NamedTuple):
    """A leg that drives a host."""

    fixture_id: str
    judge: Callable[[Fixture, SeenRun], list[Assertion]]


MEAN = Leg(FIXTURES[0], judge_mean_gated)
SUITE = Leg(FIXTURES[1], judge_suite_gated)
LEGS = [pytest.param(MEAN, id="mean"), pytest.param(SUITE, id="suite")]


class Mutation(NamedTuple):
    """Edits of a good run, and the assertions that turn red for them."""

    leg: Leg
    name: str
    edits: Json
    also: tuple[str, ...] = ()


@cache
def _good(leg: Leg) -> SeenRun:
    host = InProcessHost(evaluate)
    run_id = host.run(leg.fixture_id, AGENT_ID)
    return SeenRun(run_id=run_id, events=host.events(run_id), summary=host.summary(run_id))


def seen(leg: Leg, edits: Json | None = None) -> SeenRun:
    """A good run with other values at pointers into its events and its summary."""
    good = _good(leg)
    document = edited(
        {"events": list(good.events), "summary": json.loads(good.summary)}, edits or {}
    )
    return SeenRun(
        run_id=good.run_id,
        events=document["events"],
        summary=json.dumps(document["summary"]).encode(),
    )


def judged(leg: Leg, run: SeenRun) -> list[Assertion]:
    return leg.judge(load_fixture(leg.fixture_id), run)


def red(leg: Leg, run: SeenRun) -> set[str]:
    """The names of the assertions that do not hold."""
    return {assertion.name for assertion in judged(leg, run) if not assertion.holds}


# The edits of these are the same on both legs, and turn red no other assertion.
_OF_EVERY_RUN: list[tuple[str, Json]] = [
    ("events-valid", {"/events/0/timestamp": ABSENT}),
    ("events-valid", {"/events/0/note": 1}),
    ("events-valid", {"/events/0/payload/note": 1}),
    ("events-valid", {"/events/0/payload/modes": []}),
    ("events-valid", {"/events/1/payload/latencyMs": None}),
    ("events-valid", {"/events/3/payload/note": 1}),
    ("sequence-increases", {"/events/3/sequence": 2}),
    ("sequence-increases", {"/events/4/sequence": 0}),
    ("sequence-increases", {"/events/0/sequence": 1, "/events/1/sequence": 2}),
    ("events-of-run", {"/events/2/runId": RUN_ID}),
    ("event-order", {"/events/4": ABSENT}),
    ("event-order", {"/events/4/type": "run.failed"}),
    ("started-suiteId", {"/events/0/payload/suiteId": "openwop.conformance.evals.other"}),
    ("started-suiteVersion", {"/events/0/payload/suiteVersion": "1.0.1"}),
    ("started-taskCount", {"/events/0/payload/taskCount": 3}),
    ("summary-valid", {"/summary/note": 1}),
    ("summary-valid", {"/summary/x-note": 1}),
    ("summary-valid", {"/summary/totalCostUsd": None}),
    ("summary-suiteId", {"/summary/suiteId": "openwop.conformance.evals.other"}),
    ("summary-suiteVersion", {"/summary/suiteVersion": "1.0.1"}),
    ("summary-tasks", {"/summary/tasks/0/taskId": "other"}),
    ("completed-aggregateScore", {"/events/3/payload/aggregateScore": 0.5}),
    ("completed-passed", {"/events/3/payload/passed": True}),
    ("completed-taskCount", {"/events/3/payload/taskCount": 3}),
    ("completed-taskCount", {"/summary/taskCount": 3}),
    ("completed-passedCount", {"/events/3/payload/passedCount": 2}),
    ("content-free", {"/events/1/payload/x-note": "Parcel K-204 waits in bay seven."}),
]
_OF_MEAN: list[tuple[str, Json]] = [
    ("scored-each-trial", {"/events/2/payload/trial": 0}),
    ("scored-each-trial", {"/events/2/payload/trial": 2}),
    ("scored-each-trial", {"/events/2/payload/taskId": "other"}),
    ("scored-score", {"/events/1/payload/score": 0}),
    ("scored-score", {"/events/2/payload/score": 0.9}),
    ("scored-passed", {"/events/1/payload/passed": True}),
    ("scored-passed", {"/events/2/payload/passed": True}),
    ("task-mean-score", {"/summary/tasks/0/trials/meanScore": 0}),
    ("task-mean-score", {"/summary/tasks/0/trials": ABSENT}),
    ("task-score", {"/summary/tasks/0/score": 0}),
    ("task-gated-score", {"/summary/tasks/0/gatedScore": 1}),
    ("task-gated-score", {"/summary/tasks/0/gatedScore": ABSENT}),
    ("task-passed", {"/summary/tasks/0/passed": True}),
    ("gated-aggregate-carried", {"/summary/gatedAggregateScore": ABSENT}),
]
MUTATIONS = [
    *(Mutation(leg, name, edits) for leg in (MEAN, SUITE) for name, edits in _OF_EVERY_RUN),
    *(Mutation(MEAN, name, edits) for name, edits in _OF_MEAN),
    Mutation(SUITE, "scored-each-trial", {"/events/2/payload/taskId": "right-path"}),
    # One figure of the suite's summary is asserted beside others that are made of it.
    Mutation(
        SUITE,
        "task-scores",
        {"/summary/tasks/1/score": 0},
        also=("aggregate-is-mean",),
    ),
    Mutation(
        SUITE,
        "aggregate-score",
        {"/summary/aggregateScore": 0.5, "/events/3/payload/aggregateScore": 0.5},
        also=("aggregate-is-mean",),
    ),
    Mutation(
        SUITE,
        "aggregate-is-mean",
        {"/summary/tasks/0/score": 0.5},
        also=("task-scores", "matched-task-gated-score"),
    ),
    Mutation(
        SUITE,
        "matched-task-gated-score",
        {"/summary/tasks/0/gatedScore": ABSENT},
        also=("gated-aggregate-is-mean",),
    ),
    Mutation(
        SUITE,
        "wrong-path-gated-score",
        {"/summary/tasks/1/gatedScore": 1},
        also=("gated-aggregate-is-mean",),
    ),
    Mutation(
        SUITE,
        "gated-aggregate",
        {"/summary/gatedAggregateScore": 1},
        also=("gated-aggregate-is-mean",),
    ),
    Mutation(
        SUITE,
        "gated-aggregate-is-mean",
        {"/summary/gatedAggregateScore": ABSENT},
        also=("gated-aggregate",),
    ),
    Mutation(
        SUITE,
        "suite-passed",
        {"/summary/passed": True, "/events/3/payload/passed": True},
    ),
]


@pytest.mark.parametrize("leg", LEGS)
def test_every_assertion_holds_of_a_good_run(leg: Leg) -> None:
    assert red(leg, seen(leg)) == set()


@pytest.mark.parametrize("leg", LEGS)
def test_no_two_assertions_share_a_name(leg: Leg) -> None:
    names = [assertion.name for assertion in judged(leg, seen(leg))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("leg", LEGS)
def test_every_assertion_has_a_mutation_that_turns_it_red(leg: Leg) -> None:
    names = {assertion.name for assertion in judged(leg, seen(leg))}
    assert names == {mutation.name for mutation in MUTATIONS if mutation.leg is leg}


@pytest.mark.parametrize(
    "mutation", MUTATIONS, ids=lambda one: f"{one.leg.fixture_id[33:] or 'suite'}-{one.name}"
)
def test_a_mutation_turns_red_its_assertion_and_no_others(mutation: Mutation) -> None:
    found = red(mutation.leg, seen(mutation.leg, mutation.edits))
    assert found == {mutation.name, *mutation.also}


@pytest.mark.parametrize(
    ("leg", "requirement"),
    [
        pytest.param(MEAN, "openwop.requirement.0246.mean-gated", id="mean"),
        pytest.param(SUITE, "openwop.requirement.0246.suite-gated", id="suite"),
    ],
)
def test_every_assertion_names_its_requirement_and_section(leg: Leg, requirement: str) -> None:
    assertions = judged(leg, seen(leg))
    assert {assertion.requirement for assertion in assertions} == {requirement}
    sections = [assertion.section for assertion in assertions]
    assert [one for one in sections if not re.fullmatch(r"RFC 0(081|244|246) §[A-D]", one)] == []


@pytest.mark.parametrize(
    ("leg", "name", "edits", "expected", "found"),
    [
        pytest.param(
            MEAN,
            "events-valid",
            {"/events/1/payload/score": 2},
            "nothing wrong",
            "event 1, payload, at /score: found 2, expected at most 1",
            id="a payload",
        ),
        pytest.param(
            MEAN,
            "events-valid",
            {"/events/1/eventId": 7},
            "nothing wrong",
            "event 1 at /eventId: found 7, expected string",
            id="an envelope",
        ),
        pytest.param(
            MEAN,
            "sequence-increases",
            {"/events/2/sequence": 1},
            "nothing wrong",
            "event 2 has sequence 1",
            id="a sequence",
        ),
        pytest.param(
            SUITE,
            "events-of-run",
            {f"/events/{at}/runId": RUN_ID for at in range(5)},
            "nothing wrong",
            "; ".join(f'event {at}: run "{RUN_ID}"' for at in range(3)) + "; 2 more",
            id="more than three",
        ),
        pytest.param(
            MEAN,
            "event-order",
            {"/events/4": ABSENT, "/events/1": ABSENT},
            "eval.started, 2 eval.scored, eval.completed, run.completed",
            "eval.started, eval.scored, eval.completed",
            id="an order",
        ),
        pytest.param(
            MEAN,
            "scored-each-trial",
            {"/events/2/payload/trial": 0},
            "forbidden-call 0, forbidden-call 1",
            "forbidden-call 0, forbidden-call 0",
            id="trials",
        ),
        pytest.param(
            MEAN, "scored-score", {"/events/1/payload/score": 0}, "[1, 1]", "[0, 1.0]", id="scores"
        ),
        pytest.param(
            MEAN,
            "task-gated-score",
            {"/summary/tasks/0/gatedScore": ABSENT},
            "0",
            "nothing",
            id="an absent member",
        ),
        pytest.param(
            MEAN, "task-passed", {"/summary/tasks/0/passed": True}, "false", "true", id="a verdict"
        ),
        pytest.param(
            SUITE,
            "gated-aggregate-is-mean",
            {"/summary/gatedAggregateScore": 1},
            "0.5",
            "1",
            id="a mean",
        ),
        pytest.param(
            SUITE,
            "gated-aggregate-is-mean",
            {"/summary/tasks/1/gatedScore": "0"},
            "nothing",
            "0.5",
            id="a mean of what is no score",
        ),
        pytest.param(
            SUITE,
            "summary-tasks",
            {"/summary/tasks/1": ABSENT},
            '["right-path", "wrong-path"]',
            '["right-path"]',
            id="tasks",
        ),
    ],
)
def test_what_was_expected_and_found_is_told(
    leg: Leg, name: str, edits: Json, expected: str, found: str
) -> None:
    (assertion,) = (one for one in judged(leg, seen(leg, edits)) if one.name == name)
    assert (assertion.expected, assertion.found) == (expected, found)
    assert not assertion.holds
    assert str(assertion) == f"{name}: expected {expected}, found {found} ({assertion.section})"


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize(
    "edits",
    [
        pytest.param({"/summary/tasks/0/score": 1}, id="an integer for a double"),
        pytest.param({"/events/0/payload/x-note": {"any": [1]}}, id="an extension"),
        pytest.param({"/events/0/nodeId": "node:1"}, id="a node"),
        pytest.param({"/events/4/payload": None}, id="a payload that is not looked into"),
        pytest.param({"/events/3/sequence": 30, "/events/4/sequence": 31}, id="a gap"),
        pytest.param({"/summary/totalCostUsd": 0.5}, id="a cost"),
    ],
)
def test_what_a_host_may_do_turns_nothing_red(leg: Leg, edits: Json) -> None:
    assert red(leg, seen(leg, edits)) == set()


def test_trials_may_be_scored_in_any_order() -> None:
    swapped = {"/events/1/payload/trial": 1, "/events/2/payload/trial": 0}
    assert red(MEAN, seen(MEAN, swapped)) == set()


def test_a_host_may_leave_trials_unnumbered() -> None:
    unnumbered = {f"/events/{at}/payload/trial": ABSENT for at in (1, 2)}
    assert red(MEAN, seen(MEAN, unnumbered)) == set()


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("sequence", [True, "0", None, 0.5, -1, [], ABSENT], ids=str)
def test_a_sequence_that_is_no_count_is_told(leg: Leg, sequence: object) -> None:
    assert "sequence-increases" in red(leg, seen(leg, {"/events/0/sequence": sequence}))


@pytest.mark.parametrize("trial", [True, False, "0", None, [], {}, 0.5], ids=str)
def test_a_trial_that_is_no_number_scores_no_trial(trial: object) -> None:
    found = red(MEAN, seen(MEAN, {"/events/1/payload/trial": trial}))
    assert found == {"events-valid", "scored-each-trial"}


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("wrong", ["false", 0, None, ABSENT], ids=str)
def test_what_is_not_false_is_not_taken_for_it(leg: Leg, wrong: object) -> None:
    name = "task-passed" if leg is MEAN else "suite-passed"
    pointer = "/summary/tasks/0/passed" if leg is MEAN else "/summary/passed"
    assert {name, "summary-valid"} <= red(leg, seen(leg, {pointer: wrong}))


@pytest.mark.parametrize("wrong", ["1", True, None], ids=str)
def test_what_is_not_1_is_not_taken_for_it(wrong: object) -> None:
    found = red(MEAN, seen(MEAN, {"/summary/tasks/0/score": wrong}))
    assert found == {"task-score", "summary-valid"}


def with_another(leg: Leg, event: Json) -> SeenRun:
    """A good run with one more event before its last two."""
    events = copy.deepcopy(list(_good(leg).events))
    events.insert(3, copy.deepcopy(events[0]) | {"eventId": "event-another"} | event)
    for sequence, one in enumerate(events):
        one["sequence"] = sequence
    return SeenRun(run_id=_good(leg).run_id, events=events, summary=_good(leg).summary)


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("type_", ["agent.tool-called", "node.started", "never.heard-of"])
def test_events_of_other_types_are_tolerated(leg: Leg, type_: str) -> None:
    assert red(leg, with_another(leg, {"type": type_, "payload": {"any": 1}})) == set()


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("type_", ["eval.started", "eval.completed", "run.completed"])
def test_no_event_of_a_run_comes_twice(leg: Leg, type_: str) -> None:
    (payload,) = (one["payload"] for one in _good(leg).events if one["type"] == type_)
    assert red(leg, with_another(leg, {"type": type_, "payload": payload})) == {"event-order"}


@pytest.mark.parametrize("leg", LEGS)
def test_completed_comes_after_every_score(leg: Leg) -> None:
    events = copy.deepcopy(list(_good(leg).events))
    events[2], events[3] = events[3] | {"sequence": 2}, events[2] | {"sequence": 3}
    early = SeenRun(run_id=_good(leg).run_id, events=events, summary=_good(leg).summary)
    assert red(leg, early) == {"event-order"}


OUTPUT = "Parcel K-204 waits in bay seven."
INPUT = "Which bay does parcel K-204 wait in?"
ARGUMENT = "parcel-number-K-204"
PRIVATE = [OUTPUT, INPUT, ARGUMENT]
BASELINE: Json = {"baselineRunId": RUN_ID, "scoreDelta": 0}


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("text", PRIVATE)
@pytest.mark.parametrize(
    ("edits", "place"),
    [
        ({"/events/0/payload/x-note": "{}"}, "event 0 at /payload/x-note"),
        ({"/events/2/payload/vendor.a": "{}"}, "event 2 at /payload/vendor.a"),
        ({"/events/3/payload/x-note": [1, {"a": "so {} it is"}]}, "event 3 at /payload/x-note/1/a"),
        ({"/events/1/payload/x-{}": 1}, "event 1 at a name in /payload"),
        ({"/events/1/payload/x-note": {"a": {"{}": 1}}}, "event 1 at a name in /payload/x-note/a"),
        ({"/events/1/eventId": "{}"}, "event 1 at /eventId"),
        ({"/summary/regression": BASELINE | {"diffRef": "{}"}}, "summary at /regression/diffRef"),
        (
            {"/summary/tasks/0/safetyFindings": [{"kind": "{}", "severity": "low"}]},
            "summary at /tasks/0/safetyFindings/0/kind",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_content_is_found_and_not_told(leg: Leg, text: str, edits: Json, place: str) -> None:
    leaking = json.loads(json.dumps(edits).replace("{}", text))
    assertions = judged(leg, seen(leg, leaking))
    (broken,) = (assertion for assertion in assertions if not assertion.holds)
    assert (broken.name, broken.found) == ("content-free", place)
    assert [str(assertion) for assertion in assertions if text in str(assertion)] == []


@pytest.mark.parametrize("leg", LEGS)
def test_every_private_text_of_the_fixture_is_looked_for(leg: Leg) -> None:
    private = private_texts(load_fixture(leg.fixture_id))
    found = {text for text in private if "content-free" in red(leg, seen_with_note(leg, text))}
    assert found == private
    assert private.issuperset(PRIVATE)


def seen_with_note(leg: Leg, text: str) -> SeenRun:
    return seen(leg, {"/events/1/payload/x-note": text})


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("text", ["depot:find-parcel", "right-path", "forbidden-call", "Parcel"])
def test_ids_and_words_are_no_content(leg: Leg, text: str) -> None:
    assert red(leg, seen_with_note(leg, text)) == set()


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("text", PRIVATE)
def test_content_may_stand_in_the_events_of_the_agent(leg: Leg, text: str) -> None:
    payload = {"inputs": {"parcel": text}, text: 1}
    run = with_another(leg, {"type": "agent.tool-called", "payload": payload})
    assert red(leg, run) == set()


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize(
    "event",
    [
        *(None, True, 0, 1.5, "eval.scored", [], [[[]]], {}, {"type": None}, {"type": ["x"]}),
        *({"type": "eval.scored"}, {"type": "eval.scored", "payload": None}),
        *({"type": "eval.scored", "payload": []}, {"type": {"type": "eval.scored"}}),
        *({"type": "eval.scored", "payload": {"taskId": {}, "score": {}, "trial": {}}},),
        *({"type": "eval.started", "payload": "x"}, {"type": "eval.completed", "payload": 1}),
        {"sequence": 10**400, "runId": [10**400]},
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_an_event_that_is_none_turns_the_log_red(leg: Leg, event: object) -> None:
    alone = SeenRun(run_id=_good(leg).run_id, events=[event], summary=_good(leg).summary)
    assert {"events-valid", "event-order", "events-of-run"} <= red(leg, alone)
    amid = seen(leg, {"/events/1": event})
    assert {"events-valid", "scored-each-trial", "events-of-run"} <= red(leg, amid)


@pytest.mark.parametrize("leg", LEGS)
def test_no_event_is_no_log(leg: Leg) -> None:
    empty = SeenRun(run_id=RUN_ID, events=[], summary=_good(leg).summary)
    assert {"events-valid", "event-order", "scored-each-trial"} <= red(leg, empty)


_REPEATED = b'{"passed": true, "passed": false, '
GARBAGE = [
    pytest.param(b"", id="empty"),
    pytest.param(b" \n", id="white space"),
    pytest.param(b"{}", id="an empty object"),
    pytest.param(b"[]", id="an array"),
    pytest.param(b"null", id="null"),
    pytest.param(b"<!doctype html><html><body>502</body></html>", id="HTML"),
    pytest.param(b"\xff\xfe{}", id="no UTF-8"),
    pytest.param(b'{"suiteId": "\xed\xa0\x80"}', id="a surrogate in UTF-8"),
    pytest.param(b'{"suiteId": "\\ud800"}', id="the escape of a surrogate"),
    pytest.param(b"\xef\xbb\xbf{}", id="a byte order mark"),
    pytest.param(b'{"aggregateScore": NaN}', id="NaN"),
    pytest.param(b'{"aggregateScore": 1e400}', id="no double"),
    pytest.param(b'{"taskCount": ' + b"9" * 400 + b"}", id="400 digits"),
    pytest.param(b'{"taskCount": ' + b"9" * 5000 + b"}", id="5000 digits"),
    pytest.param(b"[" * 100_000, id="open brackets"),
    pytest.param(b"[" * 100_000 + b"]" * 100_000, id="nested 100000 deep"),
    pytest.param(b'{"tasks":' * 300 + b"1" + b"}" * 300, id="nested 300 deep"),
    pytest.param(b'{"tasks": {"0": {"score": 1}}}', id="tasks as an object"),
    pytest.param(b'{"tasks": [null, [], "x", {"taskId": {}}]}', id="rows of all kinds"),
    pytest.param(b'{"a": {"b": 1, "b": 2}}', id="a repeated name"),
]


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("text", GARBAGE)
def test_bytes_that_are_no_summary_turn_it_red(leg: Leg, text: bytes) -> None:
    run = SeenRun(run_id=_good(leg).run_id, events=_good(leg).events, summary=text)
    assert {"summary-valid", "summary-suiteId", "summary-tasks"} <= red(leg, run)


@pytest.mark.parametrize("leg", LEGS)
def test_a_name_given_twice_is_no_summary(leg: Leg) -> None:
    text = _good(leg).summary.replace(b"{", _REPEATED, 1)
    text = text.replace(b'"passed":false,', b"", 1)
    assert json.loads(text) == json.loads(_good(leg).summary)
    run = SeenRun(run_id=_good(leg).run_id, events=_good(leg).events, summary=text)
    (assertion,) = (one for one in judged(leg, run) if not one.holds)
    assert assertion.name == "summary-valid"
    assert '"passed" is given twice' in assertion.found


_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [10**400, -(10**400), "eval.scored", "eval.started", "eval.completed", RUN_ID]
    )
)
_NAMES = st.text(max_size=4) | st.sampled_from(
    ["type", "payload", "sequence", "runId", "taskId", "score", "passed", "trial", "tasks"]
)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=12,
)
POINTERS = st.sampled_from(
    [
        *(f"/events/{at}" for at in range(5)),
        *(f"/events/{at}/{name}" for at in range(5) for name in ("type", "payload", "sequence")),
        *(f"/events/1/payload/{name}" for name in ("taskId", "score", "trial", "passed", "x-")),
        *("/summary", "/events/0/runId", "/events/3/payload/passed"),
    ]
)
EVENTS: st.SearchStrategy[Any] = JSON_VALUES | st.fixed_dictionaries(
    {"type": st.sampled_from(["eval.started", "eval.scored", "eval.completed", "run.completed"])},
    optional={
        "payload": JSON_VALUES,
        "sequence": JSON_VALUES,
        "runId": st.just("in-process/conformance-run-0000") | JSON_VALUES,
        "timestamp": JSON_VALUES,
    },
)
laws = settings(max_examples=150, deadline=None)


@laws
@given(st.sampled_from([MEAN, SUITE]), st.lists(EVENTS, max_size=6), st.binary())
def test_no_garbage_raises_or_passes(leg: Leg, events: list[Any], summary: bytes) -> None:
    assert red(leg, SeenRun(run_id=RUN_ID, events=events, summary=summary))
    assert red(leg, SeenRun(run_id=RUN_ID, events=events, summary=_good(leg).summary))
    assert red(leg, SeenRun(run_id=_good(leg).run_id, events=_good(leg).events, summary=summary))


@laws
@given(st.sampled_from([MEAN, SUITE]), JSON_VALUES)
def test_no_json_value_but_a_summary_passes_for_one(leg: Leg, value: object) -> None:
    text = json.dumps(value).encode()
    run = SeenRun(run_id=_good(leg).run_id, events=_good(leg).events, summary=text)
    assert {"summary-valid", "summary-tasks"} <= red(leg, run)


@laws
@given(st.sampled_from([MEAN, SUITE]), POINTERS, JSON_VALUES)
def test_a_value_anywhere_in_a_good_run_raises_nothing(
    leg: Leg, pointer: str, value: object
) -> None:
    assertions = judged(leg, seen(leg, {pointer: value}))
    assert len(assertions) == len(judged(leg, seen(leg)))
    assert all(str(assertion) for assertion in assertions)


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("text", PRIVATE)
@pytest.mark.parametrize(
    "pointer",
    [
        *("/summary/suiteId", "/summary/suiteVersion", "/summary/aggregateScore"),
        *("/summary/tasks/0/taskId", "/summary/passed", "/events/0/payload/suiteId"),
        *("/events/1/payload/taskId", "/events/1/payload/score", "/events/1/runId"),
        "/events/1/sequence",
    ],
)
@pytest.mark.parametrize("before", ["", "x" * 48])
def test_no_other_assertion_tells_content(leg: Leg, text: str, pointer: str, before: str) -> None:
    assertions = judged(leg, seen(leg, {pointer: before + text}))
    broken = [one for one in assertions if not one.holds]
    assert "content-free" in {one.name for one in broken}
    assert len(broken) > 1
    assert [one.found for one in broken if text[:8] in one.found] == []


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("written", [Number("1.0"), Number("1e0")], ids=repr)
def test_an_integer_may_be_written_with_a_fraction(leg: Leg, written: Number) -> None:
    run = seen(leg, {})
    events = [
        {**event, "sequence": written} if at == 1 else event for at, event in enumerate(run.events)
    ]
    assert "sequence-increases" not in red(leg, replace(run, events=events))
