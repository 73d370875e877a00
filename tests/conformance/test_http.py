"""The HTTP driver against a host on the loopback, honest or hostile at one endpoint at a time."""

import json
import re
import ssl
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from shutil import which
from time import monotonic

import pytest

from openwop_evals.conformance import FIXTURES, Conformance, HostError, LegResult, run_legs
from openwop_evals.conformance import exchange as exchange_module
from openwop_evals.conformance import http as http_module
from openwop_evals.conformance.http import HttpHost
from tests.support.documents import WHOLE
from tests.support.hostile import (
    ENDPOINTS,
    Behaviour,
    Handler,
    HonestHost,
    Json,
    Reply,
    Request,
    Server,
    forget_surroundings,
    json_reply,
    serve,
)

TOKEN = "tell-nobody-0123456789"  # noqa: S105 - what must be found nowhere
BRIEF = 0.4
"""Seconds, where the deadline is what is tested: the rest of the host answers well within."""

KEY = re.compile(r"[A-Za-z0-9._~-]{22,128}")
AUTHORIZED = [endpoint for endpoint in ENDPOINTS if endpoint != "discovery"]


@pytest.fixture(autouse=True)
def _surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_surroundings(tmp_path, monkeypatch)


def drive(
    host: Handler, *, timeout: float = 20.0, require_behavior: bool = False
) -> tuple[Conformance, Server]:
    """Run the legs on a host; what they came to, and what the host was asked."""
    with serve(host) as server:
        driver = HttpHost(server.url, token=TOKEN, timeout=timeout)
        found = run_legs(driver, require_behavior=require_behavior)
    assert TOKEN not in f"{found}{found!r}"
    return found, server


def legs_with(endpoint: str, instead: Behaviour | Reply) -> tuple[LegResult, LegResult]:
    """The two legs that drive the host, where one endpoint of it is replaced."""
    found, _ = drive(HonestHost(token=TOKEN, instead={endpoint: instead}))
    shape, mean, suite = found.legs
    assert shape.disposition == "passed"
    return mean, suite


def brief_leg(endpoint: str, instead: Behaviour | Reply) -> LegResult:
    """One leg with little time, where one endpoint of the host is replaced."""
    host = HonestHost(token=TOKEN, fixtures=FIXTURES[1:], instead={endpoint: instead})
    started = monotonic()
    found, _ = drive(host, timeout=BRIEF)
    assert monotonic() - started < 3 * BRIEF
    return found.legs[2]


def assert_late(leg: LegResult) -> None:
    assert leg.disposition == "blocked", leg.reason
    assert f" after {BRIEF:g} s" in leg.reason


def assert_both(legs: tuple[LegResult, LegResult], disposition: str, part: str) -> None:
    for leg in legs:
        assert leg.disposition == disposition, leg.reason
        assert part in leg.reason


def edited(**members: object) -> Behaviour:
    """The honest JSON object with some members changed."""
    return lambda _, honest: json_reply(json.loads(honest.body) | members, honest.status)


def in_turn(*replies: Reply) -> Behaviour:
    """Some replies, then the honest ones."""
    waiting = list(replies)
    return lambda _, honest: waiting.pop(0) if waiting else honest


def to(location: str, status: int = 302) -> Reply:
    return Reply(status, b"", (("Location", location),))


def busy(retry_after: str, status: int = 429) -> Reply:
    return Reply(status, b"", (("Retry-After", retry_after),))


def refusal(status: int, code: str) -> Reply:
    return json_reply({"error": code, "message": "no"}, status)


# The honest host.


@pytest.mark.parametrize("page", [1, 2, 1000])
def test_an_honest_host_is_conformant(page: int) -> None:
    found, _ = drive(HonestHost(token=TOKEN, page=page), require_behavior=True)
    assert [leg.disposition for leg in found.legs] == ["passed"] * 3
    assert found.verdict == "conformant"


def test_the_host_is_named_by_its_origin() -> None:
    found, server = drive(HonestHost(token=TOKEN))
    assert found.host == server.url


def test_a_host_that_needs_no_token_gets_none() -> None:
    with serve(HonestHost()) as server:
        assert run_legs(HttpHost(server.url)).conformant
    assert all("Authorization" not in request.headers for request in server.requests)


def test_a_wrong_token_is_blocked() -> None:
    found, _ = drive(HonestHost(token="another"))  # noqa: S106
    assert [leg.reason for leg in found.legs[1:]] == ["POST /runs: status 401, unauthorized"] * 2
    assert [leg.disposition for leg in found.legs[1:]] == ["blocked"] * 2


def test_each_run_is_asked_for_by_its_fixture_and_agent() -> None:
    _, server = drive(HonestHost(token=TOKEN))
    bodies = [json.loads(request.body) for request in server.requests if request.method == "POST"]
    agent = "conformance-scripted-agent"
    assert bodies == [
        {"mode": "eval", "evalSuiteRef": fixture, "agentId": agent} for fixture in FIXTURES
    ]


def test_the_log_is_asked_for_page_after_page() -> None:
    _, server = drive(HonestHost(token=TOKEN, page=2))
    polls = [r.number("afterSequence", -1) for r in server.requests if "/poll" in r.path]
    assert polls == [-1, 1, 3, 4] * 2


def test_a_poll_asks_to_wait_no_longer_than_a_host_may() -> None:
    _, server = drive(HonestHost(token=TOKEN), timeout=1000)
    polls = [r.number("timeout", 0) for r in server.requests if "/poll" in r.path]
    assert set(polls) == {60, 1}  # a log that has ended is not waited for
    assert polls[0] == 60


def test_a_run_that_goes_on_is_waited_for() -> None:
    running = edited(events=[], status="running", isTerminal=False)
    waiting = [running, running]
    legs = legs_with(
        "poll", lambda asked, honest: waiting.pop()(asked, honest) if waiting else honest
    )
    assert waiting == []
    assert_both(legs, "passed", "assertions hold")


def test_a_last_sequence_that_is_the_last_of_its_page_loses_no_event() -> None:
    def of_page(_: Request, honest: Reply) -> Reply:
        page = json.loads(honest.body)
        last = page["events"][-1]["sequence"] if page["events"] else 0
        return json_reply(page | {"lastSequence": last, "isTerminal": True})

    found, _ = drive(HonestHost(token=TOKEN, page=2, instead={"poll": of_page}))
    assert found.conformant


def test_an_answer_of_a_request_that_was_sent_before_is_taken() -> None:
    legs = legs_with("create", lambda _, honest: Reply(200, honest.body))
    assert_both(legs, "passed", "assertions hold")


# Headers.


def test_every_request_names_the_version() -> None:
    _, server = drive(HonestHost(token=TOKEN))
    assert len(server.requests) > 4
    assert {request.headers["OpenWOP-Version"] for request in server.requests} == {"2.0"}


def test_the_token_goes_with_every_request_but_discovery() -> None:
    _, server = drive(HonestHost(token=TOKEN))
    sent = {request.path: request.headers["Authorization"] for request in server.requests}
    assert sent.pop("/.well-known/openwop") is None
    assert set(sent.values()) == {f"Bearer {TOKEN}"}


def test_discovery_is_asked_for_once() -> None:
    _, server = drive(HonestHost(token=TOKEN))
    assert [request.path for request in server.requests].count("/.well-known/openwop") == 1


def test_each_run_has_an_idempotency_key_of_its_own() -> None:
    _, server = drive(HonestHost(token=TOKEN))
    keys = [r.headers["Idempotency-Key"] for r in server.requests if r.method == "POST"]
    assert len(keys) == len(set(keys)) == 2
    assert all(KEY.fullmatch(key) for key in keys)


def test_a_mutation_that_is_sent_again_keeps_its_key() -> None:
    host = HonestHost(token=TOKEN, instead={"create": in_turn(busy("0"), busy("0", 503))})
    found, server = drive(host)
    first, again, third, other = (
        (r.headers["Idempotency-Key"], r.body) for r in server.requests if r.method == "POST"
    )
    assert first == again == third
    assert other[0] != first[0]
    assert found.conformant


# What is claimed.


@pytest.mark.parametrize(
    ("facets", "mean", "suite"),
    [
        ([], "inapplicable", "inapplicable"),
        (["trials"], "inapplicable", "inapplicable"),
        (["trajectory"], "inapplicable", "passed"),
    ],
    ids=repr,
)
def test_a_leg_applies_where_its_facets_are_claimed(
    facets: list[str], mean: str, suite: str
) -> None:
    found, _ = drive(HonestHost(token=TOKEN, facets=facets))
    assert [leg.disposition for leg in found.legs[1:]] == [mean, suite]
    assert "the host does not claim agents.evalSuite.tr" in found.legs[1].reason


def test_a_leg_does_not_apply_where_its_fixture_is_not_listed() -> None:
    found, server = drive(HonestHost(token=TOKEN, fixtures=FIXTURES[:1]))
    assert [leg.disposition for leg in found.legs[1:]] == ["passed", "inapplicable"]
    assert found.legs[2].reason == f"the host does not list the fixture {FIXTURES[1]}"
    assert sum(request.method == "POST" for request in server.requests) == 1


def test_what_does_not_apply_fails_where_behavior_is_required() -> None:
    found, _ = drive(HonestHost(token=TOKEN, facets=[]), require_behavior=True)
    assert [leg.disposition for leg in found.legs[1:]] == ["failed"] * 2
    assert all("and behavior is required" in leg.reason for leg in found.legs[1:])


@pytest.mark.parametrize(
    ("members", "part"),
    [
        ({"protocolVersions": None}, "protocolVersions is null"),
        ({"protocolVersions": "2.0"}, 'protocolVersions is "2.0"'),
        ({"protocolVersions": ["1.4"]}, 'protocolVersions is ["1.4"]'),
        ({"agents": []}, "agents is []"),
        ({"agents": {"evalSuite": True}}, "evalSuite is true"),
        ({"fixtures": {}}, "fixtures is {}"),
    ],
    ids=repr,
)
def test_a_discovery_document_that_says_nothing_is_blocked(members: Json, part: str) -> None:
    assert_both(legs_with("discovery", edited(**members)), "blocked", part)


@pytest.mark.parametrize("members", [{"agents": {}}, {"agents": {"evalSuite": {}}}], ids=repr)
def test_a_host_without_eval_suites_is_inapplicable(members: Json) -> None:
    assert_both(legs_with("discovery", edited(**members)), "inapplicable", "does not claim")


# Answers that are none, at each endpoint.

BODIES = {
    "nothing": b"",
    "an empty object": b"{}",
    "an array": b"[]",
    "HTML": b"<!doctype html><title>Welcome</title>",
    "not UTF-8": b'{"runId": "\xff"}',
    "half of it": b'{"runId": "acme/',
    "a summary": json.dumps(WHOLE["summary"]).encode(),
}
PARTS = {
    "nothing": "an empty body",
    "an array": "found [], expected a JSON object",
    "HTML": ": not JSON: ",
    "not UTF-8": ": not UTF-8",
    "half of it": ": not JSON: ",
}
MISSING = {
    "discovery": "protocolVersions is null",
    "create": "runId is null",
    "poll": "events is null",
}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_that_is_no_answer_is_named(endpoint: str, kind: str) -> None:
    legs = legs_with(endpoint, Reply(200, BODIES[kind]))
    if endpoint == "summary":
        broken = "summary-suiteId" if kind == "a summary" else "summary-valid"
        assert_both(legs, "failed", f"assertions do not hold: {broken}, ")
    else:
        disposition = "blocked" if endpoint == "discovery" else "failed"
        assert_both(legs, disposition, PARTS.get(kind, MISSING[endpoint]))


def test_one_valid_summary_for_every_request_is_no_host() -> None:
    found, _ = drive(lambda _: json_reply(WHOLE["summary"]))
    assert found.verdict == "nothing decided"


STATUSES = {
    400: "failed",
    404: "failed",
    422: "failed",
    501: "failed",
    401: "blocked",
    403: "blocked",
    500: "blocked",
    503: "blocked",
}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_refusal_is_named_by_its_status(endpoint: str, status: int) -> None:
    legs = legs_with(endpoint, refusal(status, "some_code"))
    if endpoint == "discovery":
        part = f"no discovery document of OpenWOP 2: status {status}"
        assert_both(legs, "blocked", part)
    else:
        assert_both(legs, STATUSES[status], f": status {status}, some_code")


@pytest.mark.parametrize("endpoint", ["create", "poll"])
def test_a_run_already_active_is_blocked(endpoint: str) -> None:
    legs = legs_with(endpoint, refusal(409, "run_already_active"))
    assert_both(legs, "blocked", "status 409, run_already_active")


def test_another_conflict_fails() -> None:
    legs = legs_with("create", refusal(409, "idempotency_conflict"))
    assert_both(legs, "failed", "status 409, idempotency_conflict")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": 5}', b"\xff"], ids=repr)
def test_a_refusal_without_a_code_is_named_by_its_status_alone(body: bytes) -> None:
    for leg in legs_with("create", Reply(422, body)):
        assert leg.reason == "POST /runs: status 422"


# Too busy, or not yet.


def test_a_summary_that_is_not_there_yet_is_asked_for_again() -> None:
    early = refusal(409, "run_not_terminal")
    assert_both(legs_with("summary", in_turn(early, early)), "passed", "assertions hold")


def test_a_summary_that_never_comes_is_blocked() -> None:
    assert_late(brief_leg("summary", refusal(409, "run_not_terminal")))


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_busy_host_is_asked_again(endpoint: str, status: int) -> None:
    past = "Thu, 01 Jan 1970 00:00:00 GMT"
    behaviour = in_turn(busy("0", status), busy(past, status))
    assert_both(legs_with(endpoint, behaviour), "passed", "assertions hold")


def test_a_busy_host_is_left_alone_for_the_seconds_that_it_asks() -> None:
    started = monotonic()
    legs = legs_with("create", in_turn(busy("1")))
    assert monotonic() - started >= 1
    assert_both(legs, "passed", "assertions hold")


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_wait_beyond_the_deadline_is_blocked_at_once(endpoint: str, status: int) -> None:
    legs = legs_with(endpoint, busy("3600", status))
    assert_both(legs, "blocked", "asked to wait 3600 s, longer than the leg may take")


def test_a_date_beyond_the_deadline_is_blocked_at_once() -> None:
    later = format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True)
    assert_both(legs_with("create", busy(later)), "blocked", "longer than the leg may take")


@pytest.mark.parametrize("text", ["", "soon", "-5", "1.5", "1e3", "Mon, 99 Foo 2026"])
def test_a_wait_that_is_none_is_blocked(text: str) -> None:
    legs = legs_with("create", busy(text))
    assert_both(legs, "blocked", f"POST /runs: Retry-After is {text!r}")


def test_a_host_that_is_busy_for_ever_is_blocked() -> None:
    assert_late(brief_leg("discovery", Reply(429)))


# Silence, endless talk, and lines that break.


def test_nothing_that_listens_is_blocked() -> None:
    with serve(HonestHost()) as server:
        pass
    found = run_legs(HttpHost(server.url, token=TOKEN, timeout=BRIEF))
    assert_both((found.legs[1], found.legs[2]), "blocked", "GET /.well-known/openwop: ConnectError")


def hang(request: Request, _: Reply) -> None:
    request.hold(10)


def hang_in_the_middle(request: Request, _: Reply) -> None:
    request.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    request.hold(10)


def drip(head: bytes, drop: bytes) -> Behaviour:
    """Bytes that come too often for a timeout of reading, and never end by themselves."""

    def behave(request: Request, _: Reply) -> None:
        request.send(head)
        for _drop in range(30):
            if not request.hold(0.05):
                return
            request.send(drop)

    return behave


DRIP = drip(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b" ")


@pytest.mark.parametrize("behaviour", [hang, hang_in_the_middle, DRIP])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_no_host_holds_a_leg_beyond_its_deadline(endpoint: str, behaviour: Behaviour) -> None:
    assert_late(brief_leg(endpoint, behaviour))


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
    ],
    ids=repr,
)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_line_that_breaks_is_blocked(endpoint: str, sent: bytes) -> None:
    legs = legs_with(endpoint, lambda request, _: request.send(sent))
    assert_both(legs, "blocked", "ProtocolError: ")


def test_a_body_that_cannot_be_unpacked_is_blocked() -> None:
    legs = legs_with("create", Reply(200, b"zz", (("Content-Encoding", "gzip"),)))
    assert_both(legs, "blocked", "POST /runs: DecodingError")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_beyond_the_limit_fails(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_module, "_MOST_BYTES", 5000)
    legs = legs_with(endpoint, Reply(200, b" " * 5001))
    assert_both(legs, "failed", "more than 5000 bytes")


def test_a_body_at_the_limit_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange_module, "_MOST_BYTES", 5000)
    legs = legs_with("create", lambda _, honest: Reply(201, honest.body.ljust(5000)))
    assert_both(legs, "passed", "assertions hold")


# Redirects.


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_another_origin_is_never_asked(endpoint: str, status: int) -> None:
    with serve(HonestHost()) as other:
        legs = legs_with(endpoint, to(f"{other.url}/x", status))
    assert_both(legs, "blocked", f"redirected to another origin, {other.url}")
    assert other.requests == []


@pytest.mark.parametrize("scheme", ["https://{}", "//127.0.0.2:1", "http://localhost:1"])
def test_another_scheme_host_or_port_is_another_origin(scheme: str) -> None:
    def behave(request: Request, _: Reply) -> Reply:
        return to(scheme.format(request.headers["Host"]))

    assert_both(legs_with("discovery", behave), "blocked", "redirected to another origin")


@pytest.mark.parametrize("endpoint", ["discovery", "summary"])
def test_a_redirect_within_the_origin_is_followed(endpoint: str) -> None:
    def behave(request: Request, honest: Reply) -> Reply:
        return honest if request.number("moved", 0) else to(f"{request.path}?moved=1", 307)

    assert_both(legs_with(endpoint, behave), "passed", "assertions hold")


def test_a_mutation_is_never_redirected() -> None:
    host = HonestHost(token=TOKEN, instead={"create": to("/runs?moved=1", 307)})
    found, server = drive(host)
    assert_both((found.legs[1], found.legs[2]), "blocked", "POST /runs: redirected, to /runs")
    assert [request.target for request in server.requests[1:]] == ["/runs"] * 2


@pytest.mark.parametrize("location", ["", "?", "/.well-known/openwop"])
def test_a_loop_of_redirects_ends(location: str) -> None:
    host = HonestHost(token=TOKEN, instead={"discovery": to(location)})
    found, server = drive(host)
    part = "GET /.well-known/openwop: redirected, to /.well-known/openwop"
    assert_both((found.legs[1], found.legs[2]), "blocked", part)
    assert len(server.requests) == 6


@pytest.mark.parametrize("location", ["http://[::1", "http://127.0.0.1:port/", "http://h:99999/"])
def test_a_redirect_to_nowhere_is_blocked(location: str) -> None:
    assert_both(legs_with("discovery", to(location)), "blocked", "GET /.well-known/openwop: ")


# Runs.


@pytest.mark.parametrize(
    "run_id", [None, 5, "", "acme", "acme/short", "acme/0123456789abcdef/x", "a b/0123456789abcdef"]
)
def test_what_is_no_run_id_fails(run_id: object) -> None:
    legs = legs_with("create", edited(runId=run_id))
    assert_both(legs, "failed", f"POST /runs: runId is {json.dumps(run_id)}, expected a run id")


def test_a_run_without_an_id_fails() -> None:
    legs = legs_with("create", json_reply({"status": "pending"}, 201))
    assert_both(legs, "failed", "POST /runs: runId is null")


@pytest.mark.parametrize(
    ("run_id", "segment"),
    [
        ("acme/run-{:016}", "acme~2Frun-0000000000000000"),
        ("anon:a~b/{:016}~.._-", "anon~3Aa~7Eb~2F0000000000000000~7E.._-"),
        ("../{:016}", "..~2F0000000000000000"),
    ],
)
def test_a_run_id_is_one_segment_of_a_path(run_id: str, segment: str) -> None:
    found, server = drive(HonestHost(token=TOKEN, run_id=run_id))
    assert found.conformant
    asked = [r.path for r in server.requests if r.path.startswith("/runs/")]
    of_first = [path for path in asked if path.split("/")[2] == segment]
    assert {path.removeprefix(f"/runs/{segment}/") for path in of_first} == {
        "events/poll",
        "eval-summary",
    }
    assert len(of_first) == len(asked) / 2


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_run_that_did_not_complete_fails(status: str) -> None:
    assert_both(legs_with("poll", edited(status=status)), "failed", f"the run ended {status}")


@pytest.mark.parametrize(
    ("members", "part"),
    [
        ({"events": {}}, "events is {}, expected an array"),
        ({"lastSequence": "5"}, 'lastSequence is "5", expected an integer'),
        ({"lastSequence": True}, "lastSequence is true, expected an integer"),
        ({"isTerminal": 1}, "isTerminal is 1, expected true or false"),
        ({"isTerminal": None}, "isTerminal is null"),
        ({"events": [None]}, "the last event has sequence null"),
        ({"events": [{}]}, "the last event has sequence null"),
        ({"events": [{"sequence": 1.5}]}, "the last event has sequence 1.5"),
        ({"events": [{"sequence": True}]}, "the last event has sequence true"),
        (
            {"events": [{"sequence": -1}]},
            "the last event has sequence -1, expected one after the start",
        ),
    ],
    ids=repr,
)
def test_a_page_that_is_none_fails(members: Json, part: str) -> None:
    assert_both(legs_with("poll", edited(**members)), "failed", f"/events/poll: {part}")


def test_a_run_that_never_ends_is_blocked() -> None:
    running = edited(events=[], status="running", isTerminal=False)
    assert_late(brief_leg("poll", running))


def test_a_terminal_run_whose_log_never_ends_is_blocked() -> None:
    def endless(request: Request, honest: Reply) -> Reply | None:
        last = request.number("afterSequence", -1) + 1
        return edited(events=[{"sequence": last}], lastSequence=last + 1)(request, honest)

    assert_late(brief_leg("poll", endless))


def test_a_log_that_does_not_go_forward_fails() -> None:
    legs = legs_with("poll", edited(events=[{"sequence": 0}], lastSequence=9))
    assert_both(legs, "failed", "the last event has sequence 0, expected one after 0")


def test_more_events_than_the_limit_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_module, "_MOST_EVENTS", 3)
    found, _ = drive(HonestHost(token=TOKEN, page=2))
    assert_both((found.legs[1], found.legs[2]), "failed", "/events/poll: more than 3 events")


def test_a_terminal_run_without_events_fails() -> None:
    legs = legs_with("poll", edited(events=[], lastSequence=-1))
    assert_both(legs, "failed", "assertions do not hold: events-valid")


def changed_events(change: Callable[[Json], Json]) -> Behaviour:
    def behave(_: Request, honest: Reply) -> Reply:
        page = json.loads(honest.body)
        return json_reply(page | {"events": [change(event) for event in page["events"]]})

    return behave


def test_events_of_another_run_fail() -> None:
    other = changed_events(lambda event: event | {"runId": "acme/another-run-0000"})
    assert_both(legs_with("poll", other), "failed", "assertions do not hold: events-of-run")


def test_events_with_a_member_too_many_fail() -> None:
    extra = changed_events(lambda event: event | {"extra": 1})
    assert_both(legs_with("poll", extra), "failed", "assertions do not hold: events-valid")


def test_events_of_unknown_types_are_tolerated() -> None:
    def behave(_: Request, honest: Reply) -> Reply:
        page = json.loads(honest.body)
        events = []
        for event in page["events"]:
            at = event["sequence"]
            note = {"type": "host.note", "payload": {}, "eventId": f"note-{at}"}
            events += [event | {"sequence": 2 * at}, event | note | {"sequence": 2 * at + 1}]
        return json_reply(page | {"events": events, "lastSequence": 2 * page["lastSequence"] + 1})

    found, _ = drive(HonestHost(token=TOKEN, page=1000, instead={"poll": behave}))
    assert found.conformant


# Summaries, judged by their bytes.


def other_summary() -> Behaviour:
    """Each run's summary given for the other run."""
    honest = HonestHost()
    with serve(honest) as server:
        driver = HttpHost(server.url)
        bodies = [driver.summary(driver.run(fixture, "agent")) for fixture in FIXTURES]

    def behave(_: Request, right: Reply) -> Reply:
        return Reply(200, bodies[0] if right.body == bodies[1] else bodies[1])

    return behave


def test_the_summary_of_another_suite_fails() -> None:
    legs = legs_with("summary", other_summary())
    assert_both(legs, "failed", "assertions do not hold: summary-suiteId, ")


def replaced(before: bytes, after: bytes) -> Behaviour:
    """The honest bytes with one place changed."""

    def behave(_: Request, honest: Reply) -> Reply:
        assert honest.body.count(before) >= 1
        return Reply(honest.status, honest.body.replace(before, after, 1))

    return behave


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"passed":false', b'"passed":true,"passed":false'),
        (b'"passed":false', b'"passed":"false"'),
        (b'"passed":false', b'"passed":null'),
        (b'"passed":false', b'"passed":false,"extra":0'),
        (b'"aggregateScore":1', b'"aggregateScore":NaN,"x-was":1'),
        (b'"aggregateScore":1', b'"aggregateScore":Infinity,"x-was":1'),
        (b"{", b"\xef\xbb\xbf{"),
    ],
    ids=repr,
)
def test_a_summary_is_judged_by_its_bytes(before: bytes, after: bytes) -> None:
    legs = legs_with("summary", replaced(before, after))
    assert_both(legs, "failed", "assertions do not hold: summary-valid")


@pytest.mark.parametrize(
    ("before", "after", "mean", "suite"),
    [
        (b'"passed":false', b'"passed":true', "completed-passed", "suite-passed"),
        (b'"gatedScore":0', b'"gatedScore":1', "task-gated-score", "wrong-path-gated-score"),
    ],
    ids=repr,
)
def test_a_gate_that_does_not_close_fails(
    before: bytes, after: bytes, mean: str, suite: str
) -> None:
    def behave(_: Request, honest: Reply) -> Reply:
        return Reply(200, honest.body.replace(before, after))

    legs = legs_with("summary", behave)
    assert [leg.disposition for leg in legs] == ["failed"] * 2
    assert mean in legs[0].reason
    assert suite in legs[1].reason


# The token.


@pytest.mark.parametrize("endpoint", AUTHORIZED)
@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, TOKEN.encode()),
        Reply(200, b'{"authorization": "Bearer %s"}' % TOKEN.encode()),
        Reply(400, b'{"error": "%s"}' % TOKEN.encode()),
    ],
    ids=["body", "member", "code"],
)
def test_an_answer_that_repeats_the_token_fails(endpoint: str, reply: Reply) -> None:
    legs = legs_with(endpoint, reply)
    assert_both(legs, "failed", "the answer repeats the bearer token")


@pytest.mark.parametrize("endpoint", AUTHORIZED)
@pytest.mark.parametrize(
    "reply",
    [
        to(f"http://{TOKEN}.test/"),
        to(f"/{TOKEN}"),
        to(f"http://[{TOKEN}"),
        busy(TOKEN),
        busy(TOKEN, 503),
    ],
    ids=["origin", "path", "no URL", "429", "503"],
)
def test_a_header_that_repeats_the_token_is_not_shown(endpoint: str, reply: Reply) -> None:
    legs = legs_with(endpoint, reply)
    assert {leg.disposition for leg in legs} <= {"failed", "blocked"}


@pytest.mark.parametrize("sent", ["HTTP/1.1 {}\r\n\r\n", "HTTP/1.1 200 OK\r\n{}\r\n\r\n"])
def test_a_broken_line_that_repeats_the_token_is_not_shown(sent: str) -> None:
    legs = legs_with("create", lambda request, _: request.send(sent.format(TOKEN).encode()))
    assert_both(legs, "blocked", "[token]")


def test_the_driver_shows_no_token() -> None:
    driver = HttpHost("http://127.0.0.1:9", token=TOKEN)
    assert TOKEN not in f"{driver!r}{driver}{driver.name}"


# Origins and tokens that cannot be used.


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://host.test", "http://host.test"),
        ("http://host.test/", "http://host.test"),
        ("https://host.test:8443", "https://host.test:8443"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_takes_an_origin(url: str, name: str) -> None:
    assert HttpHost(url).name == name


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "host.test",
        "host.test:8080",
        "//host.test",
        "http:",
        "http://",
        "http:///",
        "http:host.test",
        "ftp://host.test",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://host.test/path",
        "http://host.test//",
        "http://host.test/?q=1",
        "http://host.test?q",
        "http://host.test#part",
        "http://user@host.test",
        "http://user:password@host.test",
        "http://host.test:port",
        "http://[::1",
        "http://host.test\n",
        "http://host\0.test",
        "http://xn--",
        "http://h:99999",
        "http://h:0",
        "http://ho st",
        "http://host.test?",
        "http://host.test#",
        "http://@host.test",
        "http://host.test\\",
        "\udc80",
        "http://" + "a" * 70_000,
    ],
    ids=lambda url: repr(url[:40]),
)
def test_refuses_what_is_no_origin(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        HttpHost(url)


@pytest.mark.parametrize(
    "token", ["", " ", "tell\nnobody", "tell\r\nX-Nobody: 1", "tell\tnobody", "näher", "tell\0"]
)
def test_refuses_a_token_that_no_header_carries_without_telling_it(token: str) -> None:
    with pytest.raises(ValueError, match="the token is empty, or has a character") as caught:
        HttpHost("http://host.test", token=token)
    assert "nobody" not in str(caught.value)
    assert "näher" not in str(caught.value)


# TLS.


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl = which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder: Path = tmp_path_factory.mktemp("tls")
    command = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([openssl, *command.split(), *names], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem"


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    return context


def test_a_certificate_that_nobody_vouches_for_is_blocked(tls: ssl.SSLContext) -> None:
    with serve(HonestHost(), tls=tls) as server:
        found = run_legs(HttpHost(server.url, token=TOKEN))
    legs = (found.legs[1], found.legs[2])
    assert_both(legs, "blocked", "CERTIFICATE_VERIFY_FAILED")
    assert server.requests == []


def test_a_certificate_for_another_name_is_blocked(
    tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serve(HonestHost(), tls=tls) as server:
        found = run_legs(HttpHost(server.url.replace("127.0.0.1", "localhost"), token=TOKEN))
    assert_both((found.legs[1], found.legs[2]), "blocked", "CERTIFICATE_VERIFY_FAILED")
    assert server.requests == []


def test_a_certificate_that_is_trusted_is_taken(
    tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serve(HonestHost(token=TOKEN), tls=tls) as server:
        assert run_legs(HttpHost(server.url, token=TOKEN)).conformant


def test_plain_http_is_no_tls() -> None:
    with serve(HonestHost()) as server:
        found = run_legs(HttpHost(server.url.replace("http:", "https:"), token=TOKEN))
    assert_both((found.legs[1], found.legs[2]), "blocked", "GET /.well-known/openwop: ConnectError")


# The driver's own errors.


@pytest.fixture
def refusing() -> Iterator[Server]:
    with serve(HonestHost(instead={"create": refusal(403, "forbidden")})) as server:
        yield server


def test_a_driver_raises_host_errors_with_their_data(refusing: Server) -> None:
    with pytest.raises(HostError) as caught:
        HttpHost(refusing.url).run(FIXTURES[0], "agent")
    assert caught.value.disposition == "blocked"
    assert caught.value.reason == str(caught.value) == "POST /runs: status 403, forbidden"


def test_an_error_of_discovery_is_raised_again_and_not_asked_for_again() -> None:
    with serve(lambda _: Reply(500)) as server:
        driver = HttpHost(server.url)
        for ask in (driver.capabilities, driver.fixtures, driver.capabilities):
            with pytest.raises(HostError, match="status 500"):
                ask()
    assert len(server.requests) == 1


# Hosts that try to outlast the deadline, to be told the token or to lead elsewhere.

ESCAPED = "".join(f"\\u{ord(char):04x}" for char in TOKEN).encode()
TALK = {
    "headers": drip(b"HTTP/1.1 200 OK\r\nX: ", b"x"),
    "interim answers": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a chunk's size": drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", b"x"),
    "trailers": drip(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ", b"x"
    ),
}


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 86_401])
def test_a_time_that_cannot_be_waited_is_refused(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout is"):
        HttpHost("http://127.0.0.1:9", timeout=timeout)


@pytest.mark.parametrize("char", ['"', "\\", "'"])
@pytest.mark.parametrize("endpoint", AUTHORIZED)
def test_a_token_that_is_written_with_escapes_is_not_shown(endpoint: str, char: str) -> None:
    token = f"tell{char}nobody{char}0123456789"
    reply = json_reply({"error": token, "runId": token, "status": token, "suiteId": token}, 404)
    with serve(HonestHost(token=token, instead={endpoint: reply})) as server:
        found = run_legs(HttpHost(server.url, token=token))
    for leg in found.legs[1:]:
        assert leg.disposition == "failed"
        assert leg.reason.endswith("the answer repeats the bearer token")
    assert "nobody" not in f"{found}{found!r}"


@pytest.mark.parametrize("name", ["Retry-After", "Location", "X-Echo"])
def test_a_token_in_a_header_is_not_shown(name: str) -> None:
    reply = Reply(503, b"", ((name, f"/{TOKEN}"),))
    for leg in legs_with("create", reply):
        assert leg.reason == "POST /runs: the answer repeats the bearer token"


def test_a_short_token_guards_nothing_and_is_not_looked_for() -> None:
    with serve(HonestHost(token="eval")) as server:  # noqa: S106 - not a secret
        assert run_legs(HttpHost(server.url, token="eval")).conformant  # noqa: S106


@pytest.mark.parametrize("endpoint", ["discovery", "create", "poll"])
def test_an_object_that_names_a_member_twice_is_none(endpoint: str) -> None:
    def twice(_: Request, honest: Reply) -> Reply:
        return Reply(honest.status, b'{"status": "queued", ' + honest.body.lstrip()[1:])

    legs = legs_with(endpoint, lambda asked, honest: twice(asked, twice(asked, honest)))
    assert_both(legs, "blocked" if endpoint == "discovery" else "failed", "/status")


@pytest.mark.parametrize("versions", [["20.7"], [2], ["1.0", "25"], "2.0", [["2.0"]], []], ids=repr)
def test_a_host_without_version_2_is_not_judged(versions: object) -> None:
    legs = legs_with("discovery", edited(protocolVersions=versions))
    assert_both(legs, "blocked", "protocolVersions is")


@pytest.mark.parametrize("kind", TALK)
def test_no_talk_beside_the_body_holds_a_leg_beyond_its_deadline(kind: str) -> None:
    assert_late(brief_leg("discovery", TALK[kind]))


@pytest.mark.parametrize(
    ("endpoint", "reply"),
    [
        ("create", Reply(400, b'{"error": "%s%s"}' % (b"x" * 40, ESCAPED))),
        ("create", Reply(201, b'{"runId": "%s%s"}' % (b"x" * 40, ESCAPED))),
        ("summary", Reply(200, b'{"suiteId": "%s"}' % ESCAPED)),
        ("summary", Reply(200, b'{"%s": 1}' % ESCAPED)),
    ],
    ids=["code", "run id", "value", "name"],
)
def test_a_token_in_escapes_is_not_shown(endpoint: str, reply: Reply) -> None:
    with serve(HonestHost(token=TOKEN, instead={endpoint: reply})) as server:
        found = run_legs(HttpHost(server.url, token=TOKEN))
    assert TOKEN[:10] not in f"{found}{found!r}"


def test_a_token_in_another_case_is_not_shown() -> None:
    token = "Tell-Nobody-0123456789"  # noqa: S105
    moved = to(f"http://{token}.test/")
    with serve(HonestHost(token=token, instead={"create": moved})) as server:
        found = run_legs(HttpHost(server.url, token=token))
    assert token.lower() not in f"{found}{found!r}".lower()


@pytest.mark.parametrize(
    "reply",
    [
        busy("Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
        busy("Mon, 01 Jan 2030 00:00:00 +99999999999999999"),
        to("http://xn--/"),
    ],
    ids=["year", "zone", "host"],
)
def test_a_header_that_cannot_be_read_is_blocked(reply: Reply) -> None:
    assert_both(legs_with("discovery", reply), "blocked", "GET /.well-known/openwop: ")


@pytest.mark.parametrize("host", ["a..b", "a" * 70, "."])
def test_a_name_that_no_host_has_is_no_failure_of_a_host(host: str) -> None:
    try:
        driver = HttpHost(f"http://{host}", timeout=BRIEF)
    except ValueError:
        return
    found = run_legs(driver)
    assert [leg.disposition for leg in found.legs[1:]] == ["blocked"] * 2


def test_a_status_of_another_type_is_named() -> None:
    assert_both(legs_with("poll", edited(status=[])), "failed", "status is []")


@pytest.mark.parametrize("status", ["running", "pending", None, "done"])
def test_a_terminal_page_has_a_terminal_status(status: object) -> None:
    assert_both(legs_with("poll", edited(status=status)), "failed", "status is ")


def test_a_page_of_another_run_fails() -> None:
    legs = legs_with("poll", edited(runId="acme/another-run-0000"))
    assert_both(legs, "failed", "runId is ")


def test_a_host_that_asks_for_no_wait_is_not_flooded() -> None:
    host = HonestHost(token=TOKEN, instead={"discovery": busy("0", 503)})
    found, server = drive(host, timeout=BRIEF)
    assert {leg.disposition for leg in found.legs[1:]} == {"blocked"}
    assert len(server.requests) <= 20


def test_a_location_does_not_change_who_asks() -> None:
    def behave(request: Request, honest: Reply) -> Reply:
        moved = to(f"http://user:word@{request.headers['Host']}{request.path}?moved=1")
        return honest if request.number("moved", 0) else moved

    _, server = drive(HonestHost(token=TOKEN, instead={"summary": behave}))
    assert {request.headers["Authorization"] for request in server.requests[1:]} == {
        f"Bearer {TOKEN}"
    }
