"""A driver for a host's own tests: the host's grading code, called in this process."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, json

from openwop_evals._json import parse
from openwop_evals.codec import encode
from openwop_evals.events import eval_events
from openwop_evals.grading import grade_run
from openwop_evals.models import AgentEvalSuite

from .scripted import FIXTURES, ScriptedAgent, load_fixture

__all__ = ["Evaluation", "InProcessHost", "evaluate"]

_RUN_ID = "in-process/conformance-run-{:04}"
_TIMESTAMP = "1970-01-01T00:00:00Z"


class Evaluation(Struct, frozen=True):
    """What a host made of a suite.

    Attributes:
        events: Type and payload of each eval.* event, in the order in which they were emitted.
        summary: The EvalSummary, byte for byte as the host would serve it.
    """

    events: Iterable[tuple[str, Any]]
    summary: bytes


def evaluate(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
    """Run a suite with a scripted agent and grade it with this package."""
    run = grade_run(suite, agent.script)
    return Evaluation(eval_events(suite, run), encode(run.summary))


class InProcessHost:
    """A host whose grading code is called in this process.

    The envelopes of the events and the closing run.completed are the driver's: they are not what
    is tested here.
    """

    def __init__(
        self,
        evaluate: Callable[[AgentEvalSuite, ScriptedAgent], Evaluation],
        *,
        capabilities: Collection[str] = ("trajectory", "trials"),
        name: str = "in process",
    ) -> None:
        """Take the host's code.

        Args:
            evaluate: Runs a suite, asking the agent for each task and trial, and grades it.
            capabilities: The facets of agents.evalSuite that the host claims.
            name: How reports name it.
        """
        self.name = name
        self._evaluate = evaluate
        self._capabilities: dict[str, Any] = {facet: {} for facet in capabilities}
        self._runs: list[Evaluation] = []

    def capabilities(self) -> Mapping[str, Any]:
        """The facets that were given."""
        return self._capabilities

    def fixtures(self) -> Collection[str]:
        """Every packaged fixture."""
        return FIXTURES

    def run(self, eval_suite_ref: str, agent_id: str) -> str:  # noqa: ARG002 - there is one agent
        """Call the host's code with a packaged fixture."""
        fixture = load_fixture(eval_suite_ref)
        made = self._evaluate(fixture.suite, fixture.agent)
        self._runs.append(Evaluation(list(made.events), made.summary))
        return _RUN_ID.format(len(self._runs) - 1)

    def events(self, run_id: str) -> Sequence[Any]:
        """The events of a run, each in an envelope."""
        typed = [*self._run(run_id).events, ("run.completed", {})]
        log = [
            {
                "eventId": f"event-{sequence}",
                "runId": run_id,
                "type": type_,
                "payload": payload,
                "timestamp": _TIMESTAMP,
                "sequence": sequence,
                "schemaVersion": 1,
            }
            for sequence, (type_, payload) in enumerate(typed)
        ]
        events: list[Any] = parse(json.encode(log))
        return events

    def summary(self, run_id: str) -> bytes:
        """The summary of a run."""
        return self._run(run_id).summary

    def _run(self, run_id: str) -> Evaluation:
        return self._runs[int(run_id[-4:])]
