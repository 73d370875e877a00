"""What the legs ask of a host."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, Protocol

from openwop_evals.errors import EvalsError

__all__ = ["Host", "HostError"]


class HostError(EvalsError):
    """A host that did not do what it was asked.

    Attributes:
        reason: What it did.
        disposition: ``failed`` when the host answered, against the protocol; ``blocked`` when
            there was no answer to judge: out of reach, too slow, too busy, no access.
    """

    def __init__(self, reason: str, *, disposition: Literal["failed", "blocked"]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.disposition = disposition


class Host(Protocol):
    """A host of eval runs, over HTTP or in this process. Any method may raise HostError."""

    @property
    def name(self) -> str:
        """How reports name it."""

    def capabilities(self) -> Mapping[str, Any]:
        """The facets of agents.evalSuite in its discovery document; empty when there is none."""

    def fixtures(self) -> Collection[str]:
        """The ids of the fixtures that it lists."""

    def run(self, eval_suite_ref: str, agent_id: str) -> str:
        """Start an eval run; its run id."""

    def events(self, run_id: str) -> Sequence[Any]:
        """The log of a run once it has ended: the envelopes of its events, as JSON values."""

    def summary(self, run_id: str) -> bytes:
        """The EvalSummary of a run, byte for byte as the host serves it."""
