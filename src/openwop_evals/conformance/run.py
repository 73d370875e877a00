"""What was seen of a run, and what every run of a suite must show, gated or not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from openwop_evals._contract import violations
from openwop_evals._json import as_bytes, parse, refuse_repeated_names, shortened
from openwop_evals.errors import DecodeError
from openwop_evals.models import DOCUMENTS, EVENT_SCHEMA, PAYLOADS

from .assertions import ABSENT, Assertion, Requirement, at, integer_at, shown
from .scripted import LEAST_TELLING, Fixture, private_texts

__all__ = ["SeenRun", "log_assertions", "payloads_of", "summary_assertions", "without_private"]

_EVENTS = "RFC 0081 §B"
_SUMMARY = "RFC 0081 §C"
_CLOSING = "run.completed"
_MOST_SHOWN = 3
_AGREED = ("aggregateScore", "passed", "taskCount", "passedCount")


class SeenRun(Struct, frozen=True, kw_only=True):
    """What a driver saw of a run.

    Attributes:
        run_id: The run.
        events: The envelopes of its log, as JSON values, in the order in which they were served.
        summary: The EvalSummary, byte for byte as the host served it.
    """

    run_id: str
    events: Sequence[Any]
    summary: bytes

    def summary_value(self) -> Any:  # noqa: ANN401 - any JSON value
        """The summary as a JSON value; ABSENT where the bytes are no JSON."""
        try:
            return parse(self.summary)
        except DecodeError:
            return ABSENT


def payloads_of(events: Sequence[Any], type_: str) -> list[Any]:
    """The payloads of the events of a type, in their order."""
    return [at(event, "payload") for event in events if at(event, "type") == type_]


def log_assertions(
    requirement: Requirement, fixture: Fixture, seen: SeenRun
) -> Iterator[Assertion]:
    """What the log of every eval run must show (RFC 0081 §B; RFC 0244 §B)."""
    events = seen.events
    yield _nothing_wrong(requirement, "events-valid", _EVENTS, _broken_events(events))
    yield _nothing_wrong(requirement, "sequence-increases", _EVENTS, _out_of_order(events))
    foreign = [
        f"event {position}: run {shown(at(event, 'runId'))}"
        for position, event in enumerate(events)
        if at(event, "runId") != seen.run_id
    ]
    yield _nothing_wrong(requirement, "events-of-run", _EVENTS, foreign)
    suite = fixture.suite
    count = 1 if suite.trials is UNSET else suite.trials.count
    scored = ["eval.scored"] * (len(suite.tasks) * count)
    yield requirement.that(
        "event-order",
        _EVENTS,
        expected=_in_words(["eval.started", *scored, "eval.completed", _CLOSING]),
        found=_in_words(types := _types(events)),
        holds=types == ["eval.started", *scored, "eval.completed", _CLOSING],
    )
    expected: Counter[tuple[str, object]] = Counter(
        (task.task_id, trial) for task in suite.tasks for trial in range(count)
    )
    found = Counter(_scored_trials(events, numbered=suite.trials is not UNSET))
    yield requirement.that(
        "scored-each-trial",
        "RFC 0244 §B",
        expected=_listed(expected),
        found=_listed(found),
        holds=expected == found,
    )
    started = (*payloads_of(events, "eval.started"), ABSENT)[0]
    named = {
        "suiteId": suite.suite_id,
        "suiteVersion": suite.version,
        "taskCount": len(suite.tasks),
    }
    for name, value in named.items():
        yield requirement.equal(f"started-{name}", _EVENTS, expected=value, found=at(started, name))


def summary_assertions(
    requirement: Requirement, fixture: Fixture, seen: SeenRun
) -> Iterator[Assertion]:
    """What every summary must show: its shape, its suite, its log, no content (RFC 0081 §C)."""
    summary = seen.summary_value()
    broken = _broken_summary(seen.summary)
    yield _nothing_wrong(requirement, "summary-valid", _SUMMARY, broken)
    suite = fixture.suite
    rows = at(summary, "tasks")
    named = {
        "suiteId": (suite.suite_id, at(summary, "suiteId")),
        "suiteVersion": (suite.version, at(summary, "suiteVersion")),
        "tasks": (
            [task.task_id for task in suite.tasks],
            [at(row, "taskId") for row in rows] if isinstance(rows, list) else ABSENT,
        ),
    }
    for name, (expected, found) in named.items():
        yield requirement.equal(f"summary-{name}", _SUMMARY, expected=expected, found=found)
    completed = (*payloads_of(seen.events, "eval.completed"), ABSENT)[0]
    for name in _AGREED:
        yield requirement.equal(
            f"completed-{name}", _EVENTS, expected=at(summary, name), found=at(completed, name)
        )
    yield _nothing_wrong(requirement, "content-free", _SUMMARY, list(_leaks(fixture, seen)))


def without_private(assertions: Sequence[Assertion], fixture: Fixture) -> list[Assertion]:
    """The assertions, with nothing told of a leak but its place."""
    parts = {
        text[start : start + LEAST_TELLING]
        for text in private_texts(fixture)
        for start in range(len(text) - LEAST_TELLING + 1)
    }
    return [
        replace(found, found="a private text, which is not told")
        if not found.holds and any(part in found.found for part in parts)
        else found
        for found in assertions
    ]


def _nothing_wrong(
    requirement: Requirement, name: str, section: str, wrong: Sequence[str]
) -> Assertion:
    more = len(wrong) - _MOST_SHOWN
    shown = "; ".join(wrong[:_MOST_SHOWN]) + (f"; {more} more" if more > 0 else "")
    return requirement.that(
        name, section, expected="nothing wrong", found=shown or "nothing wrong", holds=not wrong
    )


def _broken_events(events: Sequence[Any]) -> list[str]:
    broken = [] if events else ["there is no event"]
    for position, event in enumerate(events):
        broken += [f"event {position} {found}" for found in violations(EVENT_SCHEMA, event)]
        type_, payload = at(event, "type"), at(event, "payload")
        if isinstance(type_, str) and type_ in PAYLOADS and payload is not ABSENT:
            found_here = violations(PAYLOADS[type_].schema_id, payload)
            broken += [f"event {position}, payload, {found}" for found in found_here]
    return broken


def _out_of_order(events: Sequence[Any]) -> list[str]:
    wrong = []
    before = -1
    for position, event in enumerate(events):
        sequence = integer_at(event, "sequence")
        if sequence is None or not sequence > before or (not position and sequence):
            found = shown(at(event, "sequence"))
            wrong.append(f"event {position} has sequence {found}")
        else:
            before = sequence
    return wrong


def _types(events: Sequence[Any]) -> list[str]:
    known = {*PAYLOADS, _CLOSING}
    types = [at(event, "type") for event in events]
    return [type_ for type_ in types if isinstance(type_, str) and type_ in known]


def _scored_trials(events: Sequence[Any], *, numbered: bool) -> Iterator[tuple[str, object]]:
    """Task and trial of each score; a host may leave the trials unnumbered."""
    counted: Counter[str] = Counter()
    for payload in payloads_of(events, "eval.scored"):
        task_id = str(at(payload, "taskId"))
        trial = at(payload, "trial")
        if trial is ABSENT or not numbered:
            trial = counted[task_id]
            counted[task_id] += 1
        yield task_id, shown(trial) if isinstance(trial, (bool, list, dict)) else trial


def _broken_summary(text: bytes) -> list[str]:
    try:
        value = parse(as_bytes(text))
        refuse_repeated_names(text, value)
    except DecodeError as error:
        return [f"no JSON document: {error}" if text.strip() else "an empty body"]
    return [str(found) for found in violations(DOCUMENTS["summary"].schema_id, value)]


def _leaks(fixture: Fixture, seen: SeenRun) -> Iterator[str]:
    """Where a private text of the fixture stands; the text itself is not told."""
    private = private_texts(fixture)
    yield from (f"summary at {place}" for place in _places(seen.summary_value(), private))
    for position, event in enumerate(seen.events):
        if str(at(event, "type")).startswith("eval."):
            yield from (f"event {position} at {place}" for place in _places(event, private))


def _places(value: object, private: frozenset[str], pointer: str = "") -> Iterator[str]:
    if isinstance(value, str) and any(text in value for text in private):
        yield pointer or "the root"
    elif isinstance(value, dict):
        for name, child in value.items():
            # A name is told by its place alone, as it may be what leaks.
            if any(text in name for text in private):
                yield f"a name in {pointer or 'the root'}"
            else:
                yield from _places(child, private, f"{pointer}/{name}")
    elif isinstance(value, list):
        for position, child in enumerate(value):
            yield from _places(child, private, f"{pointer}/{position}")


def _in_words(types: Sequence[str]) -> str:
    """Types of events, runs of one type together."""
    words: list[list[Any]] = []
    for type_ in types:
        if words and words[-1][0] == type_:
            words[-1][1] += 1
        else:
            words.append([type_, 1])
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in words) or "no eval event"


def _listed(trials: Counter[tuple[str, object]]) -> str:
    listed = sorted(trials.elements(), key=str)
    return ", ".join(f"{shortened(task)} {trial}" for task, trial in listed) or "nothing"
