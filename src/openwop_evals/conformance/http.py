"""The driver of hosts over HTTP: discovery, create, poll, summary (OpenWOP v2)."""

import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from openwop_evals._json import parse, refuse_repeated_names, shortened
from openwop_evals.errors import DecodeError
from openwop_evals.models import RunId

from .assertions import integer_at, shown
from .exchange import Answer, Exchange
from .host import HostError

__all__ = ["HttpHost"]

_CREATED = {200, 201}  # 200: the answer of a request that was sent before
_NO_ACCESS = {401, 403}
_OK, _CONFLICT, _NOT_IMPLEMENTED, _SERVER_ERROR = 200, 409, 501, 500
_VERSION_2 = re.compile(r"2(?![0-9])")
_COMPLETED, _UNFINISHED = "completed", {"failed", "cancelled"}
_MOST_EVENTS = 100_000
_LONGEST_POLL = 60
_NAMES = {list: "an array", int: "an integer", bool: "true or false", str: "a text"}


class HttpHost:
    """A host at an origin, judged by what it answers over HTTP.

    Certificates are verified, redirects to another origin refused, and the bearer token is told to
    nobody but the host. A proxy that the environment names is used: it reads what is sent to an
    http origin.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0) -> None:
        """Take the host's origin.

        Args:
            url: http or https, a host and perhaps a port.
            token: The bearer token, if the host asks for one.
            timeout: How long a leg may take, in seconds, to a day.

        Raises:
            ValueError: The URL is no such origin, the time is none, or the token cannot be sent.
        """
        self._exchange = Exchange(url, token=token, timeout=timeout)
        self._discovered: dict[str, Any] | HostError | None = None

    @property
    def name(self) -> str:
        """The origin."""
        return self._exchange.origin

    def capabilities(self) -> Mapping[str, Any]:
        """The facets of agents.evalSuite in the discovery document."""
        claim = self._discovery()
        for name in ("agents", "evalSuite"):
            claim = claim.get(name, {})
            if not isinstance(claim, dict):
                raise self._no_discovery(f"{name} is {shown(claim)}, expected an object")
        return claim

    def fixtures(self) -> Collection[str]:
        """The ids of the fixtures in the discovery document."""
        listed = self._discovery().get("fixtures", [])
        if not isinstance(listed, list):
            raise self._no_discovery(f"fixtures is {shown(listed)}, expected an array")
        return [item for item in listed if isinstance(item, str)]

    def run(self, eval_suite_ref: str, agent_id: str) -> str:
        """Create an eval run."""
        self._exchange.start_clock()
        body = {"mode": "eval", "evalSuiteRef": eval_suite_ref, "agentId": agent_id}
        key = secrets.token_urlsafe(24)
        answer = self._exchange.post("/runs", body, idempotency_key=key)
        if answer.status not in _CREATED:
            raise self._refused(answer)
        run_id = self._object(answer).get("runId")
        try:
            return msgspec.convert(run_id, RunId)
        except msgspec.ValidationError:
            reason = f"{answer.asked}: runId is {shown(run_id)}, expected a run id"
            raise self._failed(reason) from None

    def events(self, run_id: str) -> Sequence[Any]:
        """Poll the log of a run to its end."""
        events: list[Any] = []
        path = f"/runs/{_segment(run_id)}/events/poll"
        after: dict[str, int] = {}  # without it, from the first event
        is_terminal = False
        while True:
            # A log that has ended is served at once, whatever time it is given.
            left = 0 if is_terminal else int(self._exchange.time_left(f"GET {path}")) - 1
            seconds = max(1, min(_LONGEST_POLL, left))
            answer = self._exchange.get(path, {**after, "timeout": seconds})
            if answer.status != _OK:
                raise self._refused(answer)
            page = self._object(answer)
            fresh = self._member(answer, page, "events", list)
            self._member(answer, page, "lastSequence", int)
            is_terminal = self._member(answer, page, "isTerminal", bool)
            status = self._member(answer, page, "status", str)
            if page.get("runId") != run_id:
                reason = f"runId is {shown(page.get('runId'))}, expected {shown(run_id)}"
                raise self._failed(f"{answer.asked}: {reason}")
            if is_terminal and status != _COMPLETED and status not in _UNFINISHED:
                reason = f"status is {shown(status)} of a run that has ended"
                raise self._failed(f"{answer.asked}: {reason}")
            events += fresh
            if len(events) > _MOST_EVENTS:
                raise self._failed(f"{answer.asked}: more than {_MOST_EVENTS} events")
            if fresh:
                after = {"afterSequence": self._last_sequence(answer, fresh, after)}
            elif is_terminal:
                break
            else:
                self._exchange.pause(answer.asked)
        if status in _UNFINISHED:
            raise self._failed(f"the run ended {status}")
        return events

    def summary(self, run_id: str) -> bytes:
        """Fetch the EvalSummary of a run."""
        while True:
            answer = self._exchange.get(f"/runs/{_segment(run_id)}/eval-summary")
            if answer.status == _OK:
                return answer.body
            if answer.status != _CONFLICT:
                raise self._refused(answer)
            self._exchange.pause(answer.asked)  # 409: it is still running

    def _discovery(self) -> dict[str, Any]:
        if self._discovered is None:
            try:
                self._discovered = self._discover()
            except HostError as error:
                self._discovered = error
        if isinstance(self._discovered, HostError):
            raise self._discovered
        return self._discovered

    def _discover(self) -> dict[str, Any]:
        self._exchange.start_clock()
        answer = self._exchange.get("/.well-known/openwop", anonymous=True)
        if answer.status != _OK:
            raise self._no_discovery(f"status {answer.status}")
        try:
            document = self._object(answer)
        except HostError as error:
            raise self._no_discovery(error.reason) from None
        versions: Any = document.get("protocolVersions")
        named = [v for v in versions if isinstance(v, str)] if isinstance(versions, list) else []
        if not any(map(_VERSION_2.match, named)):
            reason = f"protocolVersions is {shown(versions)}, expected an array with a version 2"
            raise self._no_discovery(reason)
        return document

    def _no_discovery(self, reason: str) -> HostError:
        return self._exchange.refusal(f"no discovery document of OpenWOP 2: {reason}", "blocked")

    def _failed(self, reason: str) -> HostError:
        return self._exchange.refusal(reason, "failed")

    def _refused(self, answer: Answer) -> HostError:
        """What a status other than the one expected says, with the code of its error if any."""
        try:
            code = self._object(answer).get("error")
        except HostError:
            code = None
        reason = f"{answer.asked}: status {answer.status}"
        if isinstance(code, str):
            reason += f", {shortened(code)}"
        no_answer = (
            answer.status in _NO_ACCESS
            or (answer.status == _CONFLICT and code == "run_already_active")
            or (answer.status >= _SERVER_ERROR and answer.status != _NOT_IMPLEMENTED)
        )
        return self._exchange.refusal(reason, "blocked" if no_answer else "failed")

    def _object(self, answer: Answer) -> dict[str, Any]:
        try:
            value = parse(answer.body)
            refuse_repeated_names(answer.body, value)
        except DecodeError as error:
            found = f"{error}" if answer.body.strip() else "an empty body"
            raise self._failed(f"{answer.asked}: no JSON object: {found}") from None
        if not isinstance(value, dict):
            reason = f"{answer.asked}: found {shown(value)}, expected a JSON object"
            raise self._failed(reason)
        return value

    def _member(self, answer: Answer, page: dict[str, Any], name: str, type_: type) -> Any:  # noqa: ANN401
        value = integer_at(page, name) if type_ is int else page.get(name)
        if type(value) is not type_:
            value = page.get(name)
            reason = f"{answer.asked}: {name} is {shown(value)}, expected {_NAMES[type_]}"
            raise self._failed(reason)
        return value

    def _last_sequence(self, answer: Answer, fresh: list[Any], after: dict[str, int]) -> int:
        """The sequence to go on from; a log that does not go forward would never end."""
        last = fresh[-1]
        sequence = integer_at(last, "sequence")
        if sequence is None or not sequence > after.get("afterSequence", -1):
            found = last.get("sequence") if isinstance(last, dict) else None
            reason = f"{answer.asked}: the last event has sequence {shown(found)}"
            before = after.get("afterSequence", "the start")
            raise self._failed(f"{reason}, expected one after {before}")
        return sequence


def _segment(id_: str) -> str:
    """An id as one segment of a path."""
    return re.sub(rb"[^A-Za-z0-9._-]", lambda found: b"~%02X" % found[0][0], id_.encode()).decode()
