"""Hosts on the loopback: an honest one, and whatever a test puts in place of its answers."""

import json
import re
import ssl
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from msgspec import Struct

from openwop_evals.conformance import FIXTURES, Evaluation, evaluate, load_fixture

__all__ = [
    "ENDPOINTS",
    "Behaviour",
    "Handler",
    "HonestHost",
    "Json",
    "Reply",
    "Request",
    "Server",
    "forget_surroundings",
    "json_reply",
    "serve",
]

Json = dict[str, Any]

ENDPOINTS = ("discovery", "create", "poll", "summary")

_TARGETS = {
    "discovery": re.compile(r"GET /\.well-known/openwop"),
    "create": re.compile(r"POST /runs"),
    "poll": re.compile(r"GET /runs/([^/]+)/events/poll"),
    "summary": re.compile(r"GET /runs/([^/]+)/eval-summary"),
}
_KEY = re.compile(r"[A-Za-z0-9._~-]{22,128}")


class Reply(Struct, frozen=True):
    """A whole answer."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


class Request(Struct, frozen=True):
    """What was asked, and the wire that it came over."""

    method: str
    target: str
    headers: Message
    body: bytes
    send: Callable[[bytes], None]
    hold: Callable[[float], bool]  # waits some seconds; whether the server goes on

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    def number(self, name: str, default: int) -> int:
        """A parameter of the query."""
        values = parse_qs(urlsplit(self.target).query).get(name)
        return int(values[0]) if values else default


Handler = Callable[[Request], Reply | None]
"""Answers a request; None where it has written to the wire itself, or writes nothing."""

Behaviour = Callable[[Request, Reply], Reply | None]
"""The same, given the honest answer."""


class Server(Struct, frozen=True):
    """A server that runs, and what it was asked so far."""

    url: str
    requests: list[Request]


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for them
    fault: BaseException | None = None

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Keep a fault of the test's own; a client that hangs up is none."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self.fault = error


@contextmanager
def serve(handler: Handler, *, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """Serve on a free port of the loopback, a connection for each request."""
    requests: list[Request] = []
    stopped = threading.Event()

    class Once(BaseHTTPRequestHandler):
        timeout = 5

        def _answer(self) -> None:
            def send(data: bytes) -> None:
                self.wfile.write(data)

            request = Request(
                self.command,
                self.path,
                self.headers,
                self.rfile.read(int(self.headers.get("Content-Length", 0))),
                send,
                lambda seconds: not stopped.wait(seconds),
            )
            requests.append(request)
            reply = handler(request)
            if reply is None:
                return
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = _answer  # noqa: N815 - the names that the base class calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            pass

    server = _Server(("127.0.0.1", 0), Once)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        scheme = "http" if tls is None else "https"
        yield Server(f"{scheme}://127.0.0.1:{server.server_port}", requests)
    finally:
        stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
    if server.fault is not None:
        raise server.fault


def forget_surroundings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, and no certificates but those of an empty folder: to read them takes a while."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))


def json_reply(value: object, status: int = 200, **headers: str) -> Reply:
    """A JSON answer; an underscore in the name of a header stands for a hyphen."""
    named = {"OpenWOP_Version": "2.0", "Content_Type": "application/json"} | headers
    pairs = tuple((name.replace("_", "-"), text) for name, text in named.items())
    return Reply(status, json.dumps(value).encode(), pairs)


@cache
def _evaluation(fixture_id: str) -> Evaluation:
    fixture = load_fixture(fixture_id)
    made = evaluate(fixture.suite, fixture.agent)
    events = [*made.events, ("run.completed", {})]
    return Evaluation(msgspec.json.decode(msgspec.json.encode(events)), made.summary)


class HonestHost:
    """A host that grades with this package and speaks the protocol, but where told otherwise.

    Args:
        facets: What it claims under agents.evalSuite.
        fixtures: The fixtures that it lists.
        token: The bearer token that it asks for.
        page: How many events it gives in one poll.
        run_id: The run ids that it gives, with a place for the number of the run.
        instead: What it does at some endpoints instead of its honest answer.
    """

    def __init__(  # noqa: PLR0913 - a switch each
        self,
        *,
        facets: Collection[str] = ("trajectory", "trials"),
        fixtures: Collection[str] = FIXTURES,
        token: str | None = None,
        page: int = 2,
        run_id: str = "acme/run-{:016}",
        instead: Mapping[str, Behaviour | Reply] | None = None,
    ) -> None:
        self.discovery: Json = {
            "protocolVersions": ["2.0"],
            "preferredVersion": "2.0",
            "agents": {"evalSuite": {"modes": ["golden"]} | {facet: {} for facet in facets}},
            "fixtures": list(fixtures),
        }
        self.runs: dict[str, str] = {}
        self._token = token
        self._page = page
        self._run_id = run_id
        self._numbers = count()
        self._instead = dict(instead or {})

    def __call__(self, request: Request) -> Reply | None:
        """Answer a request."""
        for endpoint, target in _TARGETS.items():
            if found := target.fullmatch(f"{request.method} {request.path}"):
                honest = self._honest(endpoint, request, *found.groups())
                instead = self._instead.get(endpoint, honest)
                return instead if isinstance(instead, Reply) else instead(request, honest)
        return json_reply({"error": "not_found", "message": request.path}, 404)

    def _honest(self, endpoint: str, request: Request, segment: str = "") -> Reply:
        assert request.headers["OpenWOP-Version"] == "2.0"
        if endpoint == "discovery":
            return json_reply(self.discovery)
        if self._token and request.headers["Authorization"] != f"Bearer {self._token}":
            return json_reply({"error": "unauthorized", "message": ""}, 401)
        if endpoint == "create":
            return self._create(request)
        run_id = re.sub(r"~([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), segment)
        if run_id not in self.runs:
            return json_reply({"error": "not_found", "message": run_id}, 404)
        if endpoint == "poll":
            return self._poll(request, run_id)
        return Reply(200, _evaluation(self.runs[run_id]).summary)

    def _create(self, request: Request) -> Reply:
        asked = json.loads(request.body)
        keyed = _KEY.fullmatch(request.headers["Idempotency-Key"] or "")
        if asked["mode"] != "eval" or asked["evalSuiteRef"] not in FIXTURES or not keyed:
            return json_reply({"error": "validation_error", "message": ""}, 400)
        run_id = self._run_id.format(next(self._numbers))
        self.runs[run_id] = asked["evalSuiteRef"]
        return json_reply({"runId": run_id, "status": "pending", "eventsUrl": "/x"}, 201)

    def _poll(self, request: Request, run_id: str) -> Reply:
        log = [
            {
                "eventId": f"event-{sequence}",
                "runId": run_id,
                "type": type_,
                "payload": payload,
                "timestamp": "2026-01-01T00:00:00Z",
                "sequence": sequence,
                "schemaVersion": 1,
            }
            for sequence, (type_, payload) in enumerate(_evaluation(self.runs[run_id]).events)
        ]
        first = request.number("afterSequence", -1) + 1
        return json_reply(
            {
                "runId": run_id,
                "events": log[first : first + self._page],
                "lastSequence": len(log) - 1,
                "status": "completed",
                "isTerminal": True,
            }
        )
