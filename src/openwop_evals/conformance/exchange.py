"""One request and its answer: with a deadline, a size, a token that is never told."""

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from time import monotonic, sleep
from typing import Any, Literal

import httpx
from msgspec import Struct

from .host import HostError

__all__ = ["Answer", "Exchange"]

# No compression, so that the bytes on the wire are the bytes in memory.
_HEADERS = {"OpenWOP-Version": "2.0", "Accept-Encoding": "identity"}
_MOST_BYTES = 16 * 2**20
_MOST_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_BUSY = {429, 503}


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
            timeout: How long a leg may take, in seconds.

        Raises:
            ValueError: The URL is no such origin, or the token cannot be sent.
        """
        parsed = _parsed(url)
        if parsed.scheme not in {"http", "https"} or not parsed.host:
            raise ValueError(f"found {url!r}, expected http:// or https:// and a host")
        if parsed.raw_path not in {b"/", b""} or parsed.fragment or parsed.userinfo:
            raise ValueError(f"found {url!r}, expected an origin, with nothing after the host")
        if token is not None and not (token.isascii() and token.isprintable() and token.strip()):
            raise ValueError("the token is empty, or has a character that no header can carry")
        self.origin = f"{parsed.scheme}://{parsed.netloc.decode()}"
        self._token = token
        self._timeout = timeout
        self._client = httpx.Client(follow_redirects=False, headers=_HEADERS)
        self.start_clock()

    def start_clock(self) -> None:
        """Give what follows its time."""
        self._deadline = monotonic() + self._timeout

    def time_left(self) -> float:
        """Seconds until the deadline.

        Raises:
            HostError: There are none.
        """
        left = self._deadline - monotonic()
        if left <= 0:
            raise self.refusal(f"no end after {self._timeout:g} s", "blocked")
        return left

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the deadline."""
        sleep(min(seconds, self.time_left()))

    def refusal(self, reason: str, disposition: Literal["failed", "blocked"]) -> HostError:
        """An error whose text does not tell the token, whatever the host put into its answer."""
        if self._token:
            reason = reason.replace(self._token, "[token]")
        return HostError(reason, disposition=disposition)

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
        if self._token is not None and not anonymous:
            headers["Authorization"] = f"Bearer {self._token}"
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
                self.pause(1)
            else:
                return Answer(response.status_code, body, asked)

    def _once(
        self,
        asked: str,
        method: str,
        url: httpx.URL,
        **parts: Any,  # noqa: ANN401 - httpx's own
    ) -> tuple[httpx.Response, bytes]:
        body = bytearray()
        try:
            with self._client.stream(method, url, timeout=self.time_left(), **parts) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > _MOST_BYTES:
                        raise self.refusal(f"{asked}: more than {_MOST_BYTES} bytes", "failed")
                    self.time_left()
        except httpx.TimeoutException:
            raise self.refusal(f"{asked}: no answer after {self._timeout:g} s", "blocked") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = f"{asked}: {type(error).__name__}: {error}".rstrip(": ")
            raise self.refusal(reason, "blocked") from None
        if self._token and self._token.encode() in body:
            raise self.refusal(f"{asked}: the answer repeats the bearer token", "failed")
        return response, bytes(body)

    def _redirected(self, response: httpx.Response, asked: str, hops: int) -> httpx.URL:
        try:
            target = response.url.join(response.headers.get("Location", ""))
        except httpx.InvalidURL:
            raise self.refusal(f"{asked}: redirected to no URL", "blocked") from None
        origin = f"{target.scheme}://{target.netloc.decode()}"
        if origin != self.origin:
            raise self.refusal(f"{asked}: redirected to another origin, {origin}", "blocked")
        if response.request.method != "GET" or hops > _MOST_REDIRECTS:
            raise self.refusal(f"{asked}: redirected, to {target.path}", "blocked")
        return target

    def _wait(self, asked: str, retry_after: str) -> None:
        seconds = _seconds(retry_after)
        if seconds is None:
            raise self.refusal(f"{asked}: Retry-After is {retry_after!r}", "blocked")
        if seconds > self.time_left():
            reason = f"{asked}: asked to wait {seconds:g} s, longer than the leg may take"
            raise self.refusal(reason, "blocked")
        self.pause(seconds)


def _parsed(url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"found {url!r}: {error}") from None


def _seconds(retry_after: str) -> float | None:
    """The seconds of a Retry-After, a number or a date (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdecimal():
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())
