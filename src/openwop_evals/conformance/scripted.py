"""The fixtures of the host legs: a suite each, and the script that the agent follows on it.

A script is a trial log: what the agent outputs and calls, a line for each trial. The ids of the
suites and of the agent are assumed (schemas/PROVENANCE.md).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import UNSET, Struct

from openwop_evals.codec import decode_suite, iter_trials
from openwop_evals.models import AgentEvalSuite, TrialRecord

__all__ = [
    "AGENT_ID",
    "FIXTURES",
    "LEAST_TELLING",
    "Fixture",
    "ScriptedAgent",
    "load_fixture",
    "private_texts",
]

AGENT_ID = "conformance-scripted-agent"
FIXTURES = ("conformance-eval-trajectory-gate-mean", "conformance-eval-trajectory-gate")

_FOLDER = Path(__file__).with_name("fixtures")
LEAST_TELLING = 8
"""Characters of a text that would not be found by chance."""


class ScriptedAgent:
    """The agent of a fixture: what it outputs and calls, by task and trial."""

    def __init__(self, script: Sequence[TrialRecord]) -> None:
        """Take the agent's script, a record for each task and trial."""
        self.script = tuple(script)
        self._by_trial = {
            (record.task_id, 0 if record.trial is UNSET else record.trial): record
            for record in self.script
        }

    def __call__(self, task_id: str, trial: int = 0) -> TrialRecord:
        """What the agent does in one trial: its ``output`` and its ``tool_calls``.

        Args:
            task_id: The task.
            trial: Which trial of the task, from 0.

        Raises:
            LookupError: The script has no such trial.
        """
        record = self._by_trial.get((task_id, trial))
        if record is None:
            raise LookupError(f"the script has no trial {trial} of task {task_id}")
        return record


class Fixture(Struct, frozen=True, kw_only=True):
    """A suite that a host is asked to run, and the agent that it runs it with.

    Attributes:
        fixture_id: The evalSuiteRef of the run, as hosts list it.
        suite: The suite.
        agent: The scripted agent.
    """

    fixture_id: str
    suite: AgentEvalSuite
    agent: ScriptedAgent


@cache
def load_fixture(fixture_id: str) -> Fixture:
    """A packaged fixture.

    Raises:
        LookupError: There is none of this id.
    """
    if fixture_id not in FIXTURES:
        raise LookupError(f"found {fixture_id!r}, expected one of {', '.join(FIXTURES)}")
    folder = _FOLDER / fixture_id
    with (folder / "script.jsonl").open("rb") as script:
        agent = ScriptedAgent(list(iter_trials(script)))
    suite = decode_suite((folder / "suite.json").read_bytes())
    return Fixture(fixture_id=fixture_id, suite=suite, agent=agent)


def private_texts(fixture: Fixture) -> frozenset[str]:
    """What no summary and no eval.* event may carry: inputs, outputs, rubrics, arguments of tools.

    Texts of less than LEAST_TELLING characters are left out.
    """
    values: list[object] = []
    for task in fixture.suite.tasks:
        expected = task.expected
        values += [task.input, expected.match and expected.match.value]
        values += [criterion.criterion for criterion in expected.rubric or ()]
        if expected.trajectory:
            values += [call.args for call in expected.trajectory.tool_calls or ()]
    for record in fixture.agent.script:
        values.append(record.output)
        values += [call.args for call in record.tool_calls or ()]
    return frozenset(text for text in _texts(values) if len(text) >= LEAST_TELLING)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
