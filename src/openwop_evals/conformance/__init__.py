"""The conformance legs of RFC 0246, for hosts: fixtures, a scripted agent, drivers, a witness."""

from .assertions import Assertion
from .host import Host, HostError
from .in_process import Evaluation, InProcessHost, evaluate
from .legs import LEGS_VERSION, Conformance, LegResult, run_legs
from .run import SeenRun
from .scripted import AGENT_ID, FIXTURES, Fixture, ScriptedAgent, load_fixture
from .shape import judge_gated_fields_shape
from .witness import judge_mean_gated, judge_suite_gated

__all__ = [
    "AGENT_ID",
    "FIXTURES",
    "LEGS_VERSION",
    "Assertion",
    "Conformance",
    "Evaluation",
    "Fixture",
    "Host",
    "HostError",
    "InProcessHost",
    "LegResult",
    "ScriptedAgent",
    "SeenRun",
    "evaluate",
    "judge_gated_fields_shape",
    "judge_mean_gated",
    "judge_suite_gated",
    "load_fixture",
    "run_legs",
]
