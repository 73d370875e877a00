"""One request and its answer: with a deadline, a size, a token that is never told."""

import asyncio
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from time import monotonic, sleep
from typing import Any, Literal

import httpx
from msgspec import Struct

from openwop_evals._json import shortened

from .host import HostError
from .secret import Secret

__all__ = ["Answer", "Exchange"]

# No compression, so that the bytes on the wire are the bytes in memory.
_HEADERS = {"OpenWOP-Version": "2.0", "Accept-Encoding": "identity"}
_MOST_BYTES = 16 * 2**20
_MOST_REDIRECTS = 5
_LONGEST = 86_400
_LEAST_PAUSE = 0.2
_REDIRECTS = {301, 302, 303, 307, 308}
_BUSY = {429, 503}
_ORIGIN = re.compile(r"https?://[^\s/?#@\\]+/?", re.IGNORECASE)
_CREDENTIALS = re.compile(r"//.*@", re.DOTALL)
_PORTS = range(1, 2**16)


class Answer(Struct, frozen=True):
    """What a host answered.

    Attributes:
        status: The HTTP status.
        body: The body, decompressed.
        asked: The request, for messages.
    """

    status: int
    body: bytes
    asked: str


class Exchange:
    """Requests to one origin.

    Attributes:
        origin: Scheme, host and port.
    """

    def __init__(self, url: str, *, token: str | None, timeout: float) -> None:
        """Take the host's origin.

        Args:
            url: http or https, a host and perhaps a port; nothing after it.
            token: The bearer token, if the host asks for one.
            timeout: How long a leg may take, in seconds, to a day.

        Raises:
            ValueError: The URL is no such origin, the time is none, or the token cannot be sent.
        """
        self.origin = _origin(url)
        if not (0 < timeout <= _LONGEST):
            raise ValueError(f"timeout is {timeout!r}, expected above 0 and up to {_LONGEST} s")
        self._secret = Secret(token)
        self._timeout = timeout
        self._tls = httpx.create_ssl_context()
        self.start_clock()

    def start_clock(self) -> None:
        """Give what follows its time."""
        self._deadline = monotonic() + self._timeout

    def time_left(self, asked: str) -> float:
        """Seconds until the deadline.

        Raises:
            HostError: There are none.
        """
        left = self._deadline - monotonic()
        if left <= 0:
            raise self.refusal(f"{asked}: no end after {self._timeout:g} s", "blocked")
        return left

    def pause(self, asked: str, seconds: float = _LEAST_PAUSE) -> None:
        """Wait before asking again, but not beyond the deadline."""
        sleep(min(max(seconds, _LEAST_PAUSE), self.time_left(asked)))

    def refusal(self, reason: str, disposition: Literal["failed", "blocked"]) -> HostError:
        """An error whose text does not tell the token, whatever the host put into its answer."""
        return HostError(self._secret.hidden(reason), disposition=disposition)

    def get(
        self, path: str, params: Mapping[str, int] | None = None, *, anonymous: bool = False
    ) -> Answer:
        """Ask for a resource, following redirects within the origin."""
        return self._send("GET", path, anonymous=anonymous, params=params)

    def post(self, path: str, body: Mapping[str, Any], *, idempotency_key: str) -> Answer:
        """Send a mutation, once however often it has to be sent."""
        headers = {"Idempotency-Key": idempotency_key}
        return self._send("POST", path, json=body, headers=headers)

    def _send(self, method: str, path: str, *, anonymous: bool = False, **parts: Any) -> Answer:  # noqa: ANN401
        url = httpx.URL(self.origin + path)
        asked = f"{method} {path}"
        headers = parts.pop("headers", {})
        if self._secret.token is not None and not anonymous:
            headers["Authorization"] = f"Bearer {self._secret.token}"
        hops = 0
        while True:
            response, body = self._once(asked, method, url, headers=headers, **parts)
            if response.status_code in _REDIRECTS:
                hops += 1
                url = self._redirected(response, asked, hops)
                parts.pop("params", None)  # the new location has its own
            elif response.status_code in _BUSY and "Retry-After" in response.headers:
                self._wait(asked, response.headers["Retry-After"])
            elif response.status_code == httpx.codes.TOO_MANY_REQUESTS:
                self.pause(asked, 1)
            else:
                return Answer(response.status_code, body, asked)

    def _once(
        self,
        asked: str,
        method: str,
        url: httpx.URL,
        **parts: Any,  # noqa: ANN401 - httpx's own
    ) -> tuple[httpx.Response, bytes]:
        # The time-outs of httpx hold for each read: a host that drips bytes would never meet one.
        seconds = self.time_left(asked)
        fetched = self._fetched(asked, method, url, **parts)
        try:
            response, body = asyncio.run(asyncio.wait_for(fetched, seconds))
        except asyncio.TimeoutError:
            raise self.refusal(f"{asked}: no answer after {self._timeout:g} s", "blocked") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            reason = f"{asked}: {type(error).__name__}: {error}".rstrip(": ")
            raise self.refusal(reason, "blocked") from None
        if self._secret.is_in(body, response.headers.values()):
            raise self.refusal(f"{asked}: the answer repeats the bearer token", "failed")
        return response, body

    async def _fetched(
        self,
        asked: str,
        method: str,
        url: httpx.URL,
        **parts: Any,  # noqa: ANN401 - httpx's own
    ) -> tuple[httpx.Response, bytes]:
        body = bytearray()
        async with (
            httpx.AsyncClient(headers=_HEADERS, timeout=self._timeout, verify=self._tls) as client,
            client.stream(method, url, **parts) as response,
        ):
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > _MOST_BYTES:
                    raise self.refusal(f"{asked}: more than {_MOST_BYTES} bytes", "failed")
        return response, bytes(body)

    def _redirected(self, response: httpx.Response, asked: str, hops: int) -> httpx.URL:
        try:
            target = response.url.join(response.headers.get("Location", ""))
        except (httpx.InvalidURL, UnicodeError):
            raise self.refusal(f"{asked}: redirected to no URL", "blocked") from None
        origin = f"{target.scheme}://{target.netloc.decode()}"
        if origin != self.origin:
            raise self.refusal(f"{asked}: redirected to another origin, {origin}", "blocked")
        if target.userinfo:
            raise self.refusal(f"{asked}: redirected with credentials", "blocked")
        if response.request.method != "GET" or hops > _MOST_REDIRECTS:
            raise self.refusal(f"{asked}: redirected, to {target.path}", "blocked")
        return target

    def _wait(self, asked: str, retry_after: str) -> None:
        seconds = _seconds(retry_after)
        if seconds is None:
            raise self.refusal(f"{asked}: Retry-After is {retry_after!r}", "blocked")
        if seconds > self.time_left(asked):
            reason = f"{asked}: asked to wait {seconds:g} s, longer than the leg may take"
            raise self.refusal(reason, "blocked")
        self.pause(asked, seconds)


def _origin(url: str) -> str:
    """Scheme, host and port of a URL, in its normal form."""
    shown = shortened(_CREDENTIALS.sub("//[credentials]@", url))
    if not _ORIGIN.fullmatch(url):
        expected = "an origin, http:// or https:// and a host, with nothing after the host"
        raise ValueError(f"found {shown!r}, expected {expected}")
    try:
        parsed = httpx.URL(url)
        if parsed.host and (parsed.port is None or parsed.port in _PORTS):
            return f"{parsed.scheme}://{parsed.netloc.decode()}"
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ValueError(f"found {shown!r}: {error}") from None
    raise ValueError(f"found {shown!r}: the port is {parsed.port}, expected 1 to 65535")


def _seconds(retry_after: str) -> float | None:
    """The seconds of a Retry-After, a number or a date (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
        if until.tzinfo is None:
            until = until.replace(tzinfo=timezone.utc)
        return (until - datetime.now(timezone.utc)).total_seconds()
    except (ValueError, OverflowError):
        return None
