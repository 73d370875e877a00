"""The types of the documents, by their public names, and the table that ties them to schemas.

Frozen, keyword-only, snake_case in Python and camelCase on the wire. An absent member is
``msgspec.UNSET``, never None. Constructors do not check the schema (some refuse a repeated item or
a misspelt id with ValueError): decoding does, and so do ``encode`` and ``grade``.
"""

from typing import Literal, TypeAlias

import msgspec

from ._generated.report_schema import (
    Report,
    ReportAssertion,
    ReportFact,
    ReportLeg,
    ReportNote,
    ReportTask,
    ReportTrial,
)
from ._generated.trial_record_schema import ToolCall, TrialRecord, TrialSafetyFinding
from ._generated.v2.agent_eval_suite_schema import (
    AgentEvalSuite,
    EvalTask,
    Expected,
    ExpectedToolCall,
    Fixtures,
    Match,
    RubricCriterion,
    Thresholds,
    ToolResponse,
    Trajectory,
    Trials,
)
from ._generated.v2.eval_events_schema import EvalCompleted, EvalScored, EvalStarted, RunEvent
from ._generated.v2.eval_summary_schema import (
    EvalSummary,
    Regression,
    SafetyFinding,
    TaskResult,
    TaskTrials,
    TrialStats,
)
from ._generated.v2.ids_schema import AgentId, NodeId, RunId

__all__ = [
    "DOCUMENTS",
    "EVENT_SCHEMA",
    "PAYLOADS",
    "RUN_ID_SCHEMA",
    "AgentEvalSuite",
    "AgentId",
    "Document",
    "DocumentKind",
    "EvalCompleted",
    "EvalScored",
    "EvalStarted",
    "EvalSummary",
    "EvalTask",
    "EventType",
    "Expected",
    "ExpectedToolCall",
    "Fixtures",
    "Kind",
    "Match",
    "NodeId",
    "Payload",
    "PayloadKind",
    "Regression",
    "Report",
    "ReportAssertion",
    "ReportFact",
    "ReportLeg",
    "ReportNote",
    "ReportTask",
    "ReportTrial",
    "RubricCriterion",
    "RunEvent",
    "RunId",
    "SafetyFinding",
    "TaskResult",
    "TaskTrials",
    "Thresholds",
    "ToolCall",
    "ToolResponse",
    "Trajectory",
    "TrialRecord",
    "TrialSafetyFinding",
    "TrialStats",
    "Trials",
]

Kind: TypeAlias = Literal["suite", "summary", "trial"]
Document: TypeAlias = AgentEvalSuite | EvalSummary | TrialRecord
EventType: TypeAlias = Literal["eval.started", "eval.scored", "eval.completed"]
Payload: TypeAlias = EvalStarted | EvalScored | EvalCompleted


class DocumentKind(msgspec.Struct, frozen=True):
    """A kind of document: its type, the ``$id`` of its schema, and the schema's file.

    Attributes:
        type: The class of a decoded document.
        schema_id: The ``$id`` of its schema.
        file: The schema's path under the folder of schemas.
        nests: Whether it holds values that may nest at will.
    """

    type: type[Document]
    schema_id: str
    file: str
    nests: bool


DOCUMENTS: dict[Kind, DocumentKind] = {
    "suite": DocumentKind(
        AgentEvalSuite,
        "https://openwop.dev/spec/v2/agent-eval-suite.schema.json",
        "v2/agent-eval-suite.schema.json",
        nests=True,
    ),
    "summary": DocumentKind(
        EvalSummary,
        "https://openwop.dev/spec/v2/eval-summary.schema.json",
        "v2/eval-summary.schema.json",
        nests=False,
    ),
    "trial": DocumentKind(
        TrialRecord,
        "urn:openwop-evals:trial-record:1",
        "trial-record.schema.json",
        nests=True,
    ),
}


class PayloadKind(msgspec.Struct, frozen=True):
    """The payload of a type of event, and where its schema stands.

    Attributes:
        type: The class of a payload.
        schema_id: The ``$id`` of the schema of events, and the pointer to the payload's own.
    """

    type: type[Payload]
    schema_id: str


RUN_ID_SCHEMA = "https://openwop.dev/spec/v2/ids.schema.json#/$defs/runId"
EVENT_SCHEMA = "https://openwop.dev/spec/v2/eval-events.schema.json"

PAYLOADS: dict[EventType, PayloadKind] = {
    "eval.started": PayloadKind(EvalStarted, f"{EVENT_SCHEMA}#/$defs/evalStarted"),
    "eval.scored": PayloadKind(EvalScored, f"{EVENT_SCHEMA}#/$defs/evalScored"),
    "eval.completed": PayloadKind(EvalCompleted, f"{EVENT_SCHEMA}#/$defs/evalCompleted"),
}
