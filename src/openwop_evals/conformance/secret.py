"""A bearer token that is told to nobody but the host, whatever the host answers."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress

from openwop_evals._json import parse
from openwop_evals.errors import DecodeError

__all__ = ["Secret"]

_TELLING = 8


class Secret:
    """A bearer token, or none.

    A token of less than eight characters guards nothing, and would be found by chance: it is not
    looked for.

    Attributes:
        token: The token.
    """

    def __init__(self, token: str | None) -> None:
        """Take the token.

        Raises:
            ValueError: No header can carry it.
        """
        if token is not None and not (token.isascii() and token.isprintable() and token.strip()):
            raise ValueError("the token is empty, or has a character that no header can carry")
        self.token = token
        # As it is, as JSON writes it, and as Python does. Names of hosts are in lower case.
        writings = {token, json.dumps(token)[1:-1], repr(token)[1:-1]} if token else set()
        self._written = re.compile(
            "|".join(re.escape(text) for text in sorted(writings) if len(text) >= _TELLING)
            or r"(?!)",  # nothing
            re.IGNORECASE,
        )

    def hidden(self, text: str) -> str:
        """The text without the token."""
        return self._written.sub("[token]", text)

    def is_in(self, body: bytes, headers: Iterable[str]) -> bool:
        """Whether an answer has the token, be it in the escapes of JSON."""
        texts = [body.decode("utf-8", "replace"), *headers]
        with suppress(DecodeError):  # what is no JSON is shown nowhere
            texts.append(json.dumps(parse(body)))
        return any(self._written.search(text) for text in texts)
