"""The packaged schemas: the protocol that they state, and three judges that read them alike."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
import msgspec
import pytest

import openwop_evals
from openwop_evals import AgentId, NodeId, RunId, ValidationError, validate
from openwop_evals._contract import schema_folder
from openwop_evals.models import DOCUMENTS, Kind
from tests.support.documents import (
    DECODE,
    SCHEMAS,
    WHOLE,
    changed,
    is_valid,
    load_schema,
    value_at,
    without,
)

IDS = {
    "v2/agent-eval-suite.schema.json": "https://openwop.dev/spec/v2/agent-eval-suite.schema.json",
    "v2/eval-events.schema.json": "https://openwop.dev/spec/v2/eval-events.schema.json",
    "v2/eval-summary.schema.json": "https://openwop.dev/spec/v2/eval-summary.schema.json",
    "v2/ids.schema.json": "https://openwop.dev/spec/v2/ids.schema.json",
    "trial-record.schema.json": "urn:openwop-evals:trial-record:1",
}

# The schemas that are of no document.
PARTS = {"v2/ids.schema.json", "v2/eval-events.schema.json"}

# Every closed object by a place where it stands: its required members, its optional ones.
OBJECTS: dict[tuple[Kind, str], tuple[str, str]] = {
    ("suite", ""): (
        "suiteId version modes tasks",
        "targetAgentId allowedModels thresholds trials",
    ),
    ("suite", "/thresholds"): ("", "passScore maxCostUsd maxP95LatencyMs"),
    ("suite", "/trials"): ("count", "passRule"),
    ("suite", "/tasks/0"): ("taskId input expected", "fixtures"),
    ("suite", "/tasks/0/expected"): ("kind", "match rubric trajectory"),
    ("suite", "/tasks/0/expected/match"): ("strategy value", ""),
    ("suite", "/tasks/0/expected/rubric/0"): ("criterion weight", ""),
    ("suite", "/tasks/0/expected/trajectory"): ("", "match toolCalls forbidden"),
    ("suite", "/tasks/0/expected/trajectory/toolCalls/0"): ("tool", "args"),
    ("suite", "/tasks/0/fixtures"): ("", "toolResponses memorySeed onMiss"),
    ("suite", "/tasks/0/fixtures/toolResponses/0"): ("tool response", ""),
    ("summary", ""): (
        "suiteId suiteVersion aggregateScore passed taskCount passedCount tasks",
        "evaluatedModelClass gatedAggregateScore totalCostUsd trialStats pinnedNodeIds regression",
    ),
    ("summary", "/trialStats"): ("count passRule passAtK passHatK", ""),
    ("summary", "/tasks/0"): (
        "taskId score passed",
        "gatedScore trials costUsd latencyMs schemaValid safetyFindings",
    ),
    ("summary", "/tasks/0/trials"): ("count passedCount meanScore passAtK passHatK", ""),
    ("summary", "/tasks/0/safetyFindings/0"): ("kind severity", ""),
    ("summary", "/regression"): ("baselineRunId scoreDelta", "diffRef"),
    ("trial", ""): (
        "taskId",
        (
            "trial score output rubricMet toolCalls trajectoryMatched fixtureMiss error"
            " costUsd latencyMs schemaValid safetyFindings"
        ),
    ),
    ("trial", "/toolCalls/0"): ("tool", "args"),
    ("trial", "/safetyFindings/0"): ("kind severity", ""),
}


class Values(NamedTuple):
    """What a member may hold, and what it may not, by the keywords that say so."""

    accepted: Sequence[object]
    rejected: Mapping[str, Sequence[object]]


ANY = Values([None, True, 0, 1.5, "", "x", [], [None], {}, {"a": {"b": []}}], {})
OPEN = Values([{}, {"x": None, "": [1], "tool": "y"}], {"type": [None, [], "x", 1, True]})
TEXT = Values(["", "x", "é\n\u2028\x00"], {"type": [None, 1, True, ["x"], {}]})
NAMED = Values(["x", " ", "shop:find"], {"minLength": [""], "type": [None, 1, True, ["x"], {}]})
FLAG = Values([True, False], {"type": [None, 0, 1, "false", "true", [], {}]})
SCORE = Values(
    [0, 1, 0.0, 1.0, 0.5, 5e-324],
    {
        "minimum": [-5e-324, -0.1, -1],
        "maximum": [1.0000000000000002, 1.0000001, 2, 90],
        "type": [None, True, False, "0.9", [], {}],
    },
)
COST = Values([0, 0.01, 3, 1e300], {"minimum": [-0.01, -1], "type": [None, False, "1", [], {}]})
NULLABLE_COST = Values([None, *COST.accepted], {"minimum": [-1], "type": [False, "1", [], {}]})


def whole_number(least: int) -> Values:
    return Values(
        [least, float(least), least + 1, 2**53 + 1, 2**64, 10**30, 1e2],
        {"minimum": [least - 1, float(least - 1)], "type": [None, True, least + 0.5, "1", [], {}]},
    )


def one_of(*names: str) -> Values:
    others = ["", names[0].upper(), names[0] + "\n", " " + names[0], "other"]
    return Values(names, {"enum": others, "enum type": [None, 1, True, [names[0]], {}]})


def matching(accepted: Sequence[object], rejected: Sequence[object]) -> Values:
    return Values(accepted, {"pattern": rejected, "type": [None, 1, True, [], {}]})


SUITE_ID = matching(
    ["a.evals.b", "a-1.b.evals.c-2", "-.evals.-", "a.evals.evals.b"],
    [
        "",
        "evals.b",
        ".evals.b",
        "a.evals.",
        "a.evals.b.c",
        "A.evals.b",
        "a.evals.B",
        "aXevalsXb",
        "a_b.evals.c",
        "é.evals.b",
        "a.evals.b\n",
        "\na.evals.b",
        "a.evals.b\nc.evals.d",
    ],
)
VERSION = matching(
    ["0.0.0", "10.20.30", "007.0.0"],
    ["", "1", "1.0", "1.0.0.0", "1.0.x", "v1.0.0", "1.0.0-rc1", "\u0661.0.0", "1,0,0", "1.0.0\n"],
)
TASK_ID = matching(
    ["a", "0", "a-", "1-b-2", "a" * 300],
    ["", "-a", "A", "aB", "a_b", "a.b", "a b", "é", "²", "a\n", "\na", "a\nb"],
)
AGENT_ID = matching(
    ["a", "A.b_c~d:e-f", "~2F", "a" * 128],
    ["", "a" * 129, "a/b", "a b", "é", "a%", "a\n", "\na"],
)
RUN_ID = matching(
    [
        "a/" + "b" * 16,
        "anon:a/" + "b" * 16,
        "A.b_c~d-e/" + "b" * 128,
        "a" * 128 + "/" + "B._~-" * 4,
    ],
    [
        "",
        "b" * 16,
        "/" + "b" * 16,
        "a/" + "b" * 15,
        "a/" + "b" * 129,
        "a" * 129 + "/" + "b" * 16,
        "a/b/" + "c" * 16,
        "anon:/" + "b" * 16,
        "Anon:a/" + "b" * 16,
        "a:b/" + "c" * 16,
        "a~2F" + "b" * 16,
        "a/" + "b" * 16 + "\n",
    ],
)
MODES = ["golden", "rubric", "adversarial", "regression", "live-shadow"]
MODELS = ["reasoning", "writing", "coding", "research", "classification", "general"]
NOT_ARRAYS: list[object] = [None, {}, "x", 1, True]


def array(accepted: Sequence[object], **rejected: Sequence[object]) -> Values:
    return Values(accepted, {"type": NOT_ARRAYS, **rejected})


TASK = {"taskId": "t1", "input": None, "expected": {"kind": "golden"}}
ROW = {"taskId": "t1", "score": 0, "passed": False}
FINDING = {"kind": "pii", "severity": "low"}
EXPECTED = "/tasks/0/expected"
TRAJECTORY = f"{EXPECTED}/trajectory"

MEMBERS: dict[tuple[Kind, str], Values] = {
    ("suite", "/suiteId"): SUITE_ID,
    ("suite", "/version"): VERSION,
    ("suite", "/targetAgentId"): AGENT_ID,
    ("suite", "/modes"): array(
        [MODES, MODES[::-1]], minItems=[[]], uniqueItems=[["golden", "golden"]]
    ),
    ("suite", "/modes/1"): one_of(*MODES[1:]),
    ("suite", "/allowedModels"): array([[], MODELS], uniqueItems=[["general", "general"]]),
    ("suite", "/allowedModels/1"): one_of(*MODELS[:2], *MODELS[3:]),
    ("suite", "/thresholds"): Values([{}], {"type": [None, [], 0.7]}),
    ("suite", "/thresholds/passScore"): SCORE,
    ("suite", "/thresholds/maxCostUsd"): COST,
    ("suite", "/thresholds/maxP95LatencyMs"): whole_number(0),
    ("suite", "/trials/count"): whole_number(1),
    ("suite", "/trials/passRule"): one_of("all", "any", "mean"),
    ("suite", "/tasks"): array([[TASK], [TASK, TASK]], minItems=[[]]),
    ("suite", "/tasks/0"): Values([TASK], {"type": [None, [], "t1"]}),
    ("suite", "/tasks/0/taskId"): TASK_ID,
    ("suite", "/tasks/0/input"): ANY,
    ("suite", f"{EXPECTED}/kind"): one_of("golden", "rubric"),
    ("suite", f"{EXPECTED}/match/strategy"): one_of("exact", "contains", "json-match"),
    ("suite", f"{EXPECTED}/match/value"): ANY,
    ("suite", f"{EXPECTED}/rubric"): array(
        [[{"criterion": "a", "weight": 0}, {"criterion": "a", "weight": 0}]], minItems=[[]]
    ),
    ("suite", f"{EXPECTED}/rubric/0/criterion"): NAMED,
    ("suite", f"{EXPECTED}/rubric/0/weight"): SCORE,
    ("suite", TRAJECTORY): Values([{}], {"type": [None, [], True]}),
    ("suite", f"{TRAJECTORY}/match"): one_of("exact", "in-order", "any-order"),
    ("suite", f"{TRAJECTORY}/toolCalls"): array([[], [{"tool": "a"}, {"tool": "a"}]]),
    ("suite", f"{TRAJECTORY}/toolCalls/0/tool"): NAMED,
    ("suite", f"{TRAJECTORY}/toolCalls/0/args"): OPEN,
    ("suite", f"{TRAJECTORY}/forbidden"): array(
        [["a"], ["a", "A", "a "]], minItems=[[]], uniqueItems=[["a", "b", "a"]]
    ),
    ("suite", f"{TRAJECTORY}/forbidden/0"): NAMED,
    ("suite", "/tasks/0/fixtures"): Values([{}], {"type": [None, []]}),
    ("suite", "/tasks/0/fixtures/toolResponses"): array([[], [{"tool": "a", "response": None}]]),
    ("suite", "/tasks/0/fixtures/toolResponses/0/tool"): NAMED,
    ("suite", "/tasks/0/fixtures/toolResponses/0/response"): ANY,
    ("suite", "/tasks/0/fixtures/memorySeed"): array([[], [{}, {}]]),
    ("suite", "/tasks/0/fixtures/memorySeed/0"): OPEN,
    ("suite", "/tasks/0/fixtures/onMiss"): one_of("fail", "live"),
    ("summary", "/suiteId"): SUITE_ID,
    ("summary", "/suiteVersion"): VERSION,
    ("summary", "/evaluatedModelClass"): one_of(*MODELS),
    ("summary", "/aggregateScore"): SCORE,
    ("summary", "/gatedAggregateScore"): SCORE,
    ("summary", "/passed"): FLAG,
    ("summary", "/taskCount"): whole_number(0),
    ("summary", "/passedCount"): whole_number(0),
    ("summary", "/totalCostUsd"): COST,
    ("summary", "/trialStats/count"): whole_number(1),
    ("summary", "/trialStats/passRule"): one_of("all", "any", "mean"),
    ("summary", "/trialStats/passAtK"): SCORE,
    ("summary", "/trialStats/passHatK"): SCORE,
    ("summary", "/tasks"): array([[], [ROW], [ROW, ROW]]),
    ("summary", "/tasks/0/taskId"): TASK_ID,
    ("summary", "/tasks/0/score"): SCORE,
    ("summary", "/tasks/0/gatedScore"): SCORE,
    ("summary", "/tasks/0/passed"): FLAG,
    ("summary", "/tasks/0/trials/count"): whole_number(1),
    ("summary", "/tasks/0/trials/passedCount"): whole_number(0),
    ("summary", "/tasks/0/trials/meanScore"): SCORE,
    ("summary", "/tasks/0/trials/passAtK"): SCORE,
    ("summary", "/tasks/0/trials/passHatK"): SCORE,
    ("summary", "/tasks/0/costUsd"): COST,
    ("summary", "/tasks/0/latencyMs"): whole_number(0),
    ("summary", "/tasks/0/schemaValid"): FLAG,
    ("summary", "/tasks/0/safetyFindings"): array([[], [FINDING, FINDING]]),
    ("summary", "/tasks/0/safetyFindings/0/kind"): NAMED,
    ("summary", "/tasks/0/safetyFindings/0/severity"): one_of("low", "medium", "high", "critical"),
    ("summary", "/pinnedNodeIds"): array([[], ["a", "A"]], uniqueItems=[["a", "a"]]),
    ("summary", "/pinnedNodeIds/0"): AGENT_ID,
    ("summary", "/regression/baselineRunId"): RUN_ID,
    ("summary", "/regression/scoreDelta"): Values(
        [-1, 1, 0, -0.5],
        {"minimum": [-1.0000001, -2], "maximum": [1.0000001, 2], "type": [None, True, "0", []]},
    ),
    ("summary", "/regression/diffRef"): TEXT,
    ("trial", "/taskId"): TASK_ID,
    ("trial", "/trial"): whole_number(0),
    ("trial", "/score"): SCORE,
    ("trial", "/output"): ANY,
    ("trial", "/rubricMet"): array([[], [True, True]]),
    ("trial", "/rubricMet/0"): FLAG,
    ("trial", "/toolCalls"): array([[], [{"tool": "a"}, {"tool": "a", "args": {}}]]),
    ("trial", "/toolCalls/0"): Values([{"tool": "a"}], {"type": [None, "a", []]}),
    ("trial", "/toolCalls/0/tool"): NAMED,
    ("trial", "/toolCalls/0/args"): OPEN,
    ("trial", "/trajectoryMatched"): FLAG,
    ("trial", "/fixtureMiss"): FLAG,
    ("trial", "/error"): NAMED,
    ("trial", "/costUsd"): NULLABLE_COST,
    ("trial", "/latencyMs"): whole_number(0),
    ("trial", "/schemaValid"): FLAG,
    ("trial", "/safetyFindings"): array([[], [FINDING, FINDING]]),
    ("trial", "/safetyFindings/0/kind"): NAMED,
    ("trial", "/safetyFindings/0/severity"): one_of("low", "medium", "high", "critical"),
}

# What could not be read from a public source, and nothing else.
# The objects of the events, by their place in the schema.
EVENT_OBJECTS: dict[str, tuple[str, str]] = {
    "": (
        "eventId runId type payload timestamp sequence schemaVersion",
        "nodeId engineVersion causationId",
    ),
    "$defs/evalStarted": ("suiteId suiteVersion taskCount modes", "baselineRunId fixtureRuns"),
    "$defs/evalScored": (
        "taskId score passed",
        "costUsd latencyMs schemaValid safetyFindingCount trial",
    ),
    "$defs/evalCompleted": ("aggregateScore passed taskCount passedCount", "regressionVsBaseline"),
}
EXTENSIONS: dict[str, Any] = {r"^(openwop-|x-|vendor\.)": {}}

ASSUMED = {
    "v2/eval-events.schema.json#$defs/evalScored/trial",
    "v2/eval-events.schema.json#$defs/evalStarted/fixtureRuns",
    "v2/eval-events.schema.json#engineVersion",
    "v2/agent-eval-suite.schema.json#trials",
    "v2/agent-eval-suite.schema.json#tasks/expected/trajectory",
    "v2/agent-eval-suite.schema.json#tasks/fixtures/onMiss",
    "v2/eval-summary.schema.json#trialStats",
    "v2/eval-summary.schema.json#tasks/trials",
}


def members(schema: dict[str, Any], place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of a file by the member that it describes, items under their array."""
    yield place, schema
    for name, child in schema.get("properties", {}).items():
        yield from members(child, f"{place}/{name}" if place else name)
    for name, child in schema.get("$defs", {}).items():
        yield from members(child, f"{place}$defs/{name}")
    if "items" in schema:
        yield from members(schema["items"], f"{place}/items")


def every_member() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in IDS:
        for place, schema in members(load_schema(file)):
            yield f"{file}#{place.replace('/items', '')}", schema


def paths_of(kind: Kind) -> set[str]:
    """Every place of a kind's schema, its arrays by their first item."""
    schema = load_schema(DOCUMENTS[kind].file)
    return {f"/{place}".replace("/items", "/0") if place else "" for place, _ in members(schema)}


def test_no_schema_is_missing_or_extra() -> None:
    found = {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.rglob("*.json")}
    assert found == {*IDS, "report.schema.json"}


@pytest.mark.parametrize("file", IDS)
def test_a_schema_is_draft_2020_12_under_its_id(file: str) -> None:
    schema = load_schema(file)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == IDS[file]
    assert jsonschema_rs.meta.is_valid(schema)


def test_the_table_of_documents_names_the_schemas() -> None:
    assert {entry.file: entry.schema_id for entry in DOCUMENTS.values()} == {
        file: id_ for file, id_ in IDS.items() if file not in PARTS
    }


def test_every_object_with_properties_is_closed_and_titled() -> None:
    objects = {place: s for place, s in every_member() if "properties" in s}
    assert len(objects) == len(OBJECTS) + len(EVENT_OBJECTS)
    open_or_nameless = [
        place
        for place, schema in objects.items()
        if schema["additionalProperties"] is not False or not schema["title"]
    ]
    assert open_or_nameless == []


def test_every_member_is_described_by_its_rfc() -> None:
    described = {
        f"{place}/{name}": child["description"]
        for place, schema in every_member()
        for name, child in schema.get("properties", {}).items()
    }
    assert len(described) == sum(
        len(" ".join(names).split()) for names in (*OBJECTS.values(), *EVENT_OBJECTS.values())
    )
    assert [place for place, text in described.items() if "RFC 0" not in text] == []


def test_what_is_assumed_is_marked_and_nothing_else() -> None:
    marks = {
        place: schema["x-openwop-evals-basis"]
        for place, schema in every_member()
        if "x-openwop-evals-basis" in schema
    }
    assert marks == dict.fromkeys(ASSUMED, "assumed")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("v2/eval-summary.schema.json#passed", ["gating aggregate", "RFC 0246"]),
        ("v2/eval-summary.schema.json#gatedAggregateScore", ["gating aggregate", "RFC 0246"]),
        ("v2/eval-summary.schema.json#tasks/gatedScore", ["gating score", "RFC 0246"]),
        ("v2/eval-summary.schema.json#tasks/trials/meanScore", ["RFC 0246", "2026-10-15"]),
        ("v2/agent-eval-suite.schema.json#trials/passRule", ["gating score", "mean"]),
        ("v2/agent-eval-suite.schema.json#tasks/expected/trajectory", ["RFC 0246", "2026-10-15"]),
    ],
)
def test_a_description_names_the_gate(place: str, words: list[str]) -> None:
    description = dict(every_member())[place]["description"]
    assert [word for word in words if word not in description] == []


def test_the_trial_record_refers_to_no_other_file() -> None:
    assert '"$ref"' not in (SCHEMAS / "trial-record.schema.json").read_text("utf-8")


def test_the_tables_speak_of_every_place_of_the_schemas() -> None:
    containers = {place for place in OBJECTS if place not in MEMBERS}
    spoken = {"suite": set(), "summary": set(), "trial": set()}  # type: dict[Kind, set[str]]
    for kind, place in MEMBERS.keys() | containers:
        spoken[kind].add(place.replace("/1", "/0"))
    assert spoken == {kind: paths_of(kind) for kind in DOCUMENTS}


@pytest.mark.parametrize(("kind", "place"), OBJECTS)
def test_an_object_has_the_members_of_the_protocol(kind: Kind, place: str) -> None:
    required, optional = OBJECTS[kind, place]
    assert value_at(WHOLE[kind], place).keys() == set(required.split() + optional.split())


@pytest.mark.parametrize("place", EVENT_OBJECTS)
def test_an_object_of_the_events_has_the_members_of_the_protocol(place: str) -> None:
    schema = dict(members(load_schema("v2/eval-events.schema.json")))[place]
    required, optional = EVENT_OBJECTS[place]
    assert schema["required"] == required.split()
    assert schema["properties"].keys() == set(required.split() + optional.split())
    assert schema.get("patternProperties") == (EXTENSIONS if place else None)


def accepts(kind: Kind, document: object) -> None:
    text = json.dumps(document)
    assert is_valid(kind, document)
    assert validate(kind, text) == []
    assert isinstance(DECODE[kind](text), DOCUMENTS[kind].type)


def rejects(kind: Kind, document: object, pointer: str, rules: str) -> None:
    text = json.dumps(document)
    with pytest.raises(ValidationError) as refusal:
        DECODE[kind](text)
    found = sorted((found.rule, found.pointer) for found in refusal.value.violations)
    assert found == [(rule, pointer) for rule in rules.split()]
    assert refusal.value.line is None
    assert validate(kind, text) == list(refusal.value.violations)
    assert not is_valid(kind, document)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_accepts_a_whole_document(kind: Kind) -> None:
    accepts(kind, WHOLE[kind])


@pytest.mark.parametrize("value", [None, [], "x", 1, True], ids=repr)
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_rejects_what_is_no_object(kind: Kind, value: object) -> None:
    rejects(kind, value, "", "type")


@pytest.mark.parametrize(
    ("kind", "pointer"),
    [
        (kind, f"{place}/{name}")
        for (kind, place), (_, optional) in OBJECTS.items()
        for name in optional.split()
    ],
)
def test_accepts_a_document_without_an_optional_member(kind: Kind, pointer: str) -> None:
    accepts(kind, without(kind, pointer))


@pytest.mark.parametrize(
    ("kind", "place", "name"),
    [
        (kind, place, name)
        for (kind, place), (required, _) in OBJECTS.items()
        for name in required.split()
    ],
)
def test_rejects_a_document_without_a_required_member(kind: Kind, place: str, name: str) -> None:
    rejects(kind, without(kind, f"{place}/{name}"), place, "required")


@pytest.mark.parametrize("name", ["extra", "passscore", "", "a~b/c", 'quo"te'])
@pytest.mark.parametrize(("kind", "place"), OBJECTS)
def test_rejects_an_unknown_member(kind: Kind, place: str, name: str) -> None:
    step = name.replace("~", "~0").replace("/", "~1")
    document = changed(kind, f"{place}/{step}", 1)
    rejects(kind, document, f"{place}/{step}", "additionalProperties")


@pytest.mark.parametrize(
    ("kind", "pointer", "value"),
    [
        pytest.param(kind, pointer, value, id=f"{kind}{pointer} {value!r:.40}")
        for (kind, pointer), values in MEMBERS.items()
        for value in values.accepted
    ],
)
def test_accepts_a_value(kind: Kind, pointer: str, value: object) -> None:
    accepts(kind, changed(kind, pointer, value))


@pytest.mark.parametrize(
    ("kind", "pointer", "rules", "value"),
    [
        pytest.param(kind, pointer, rules, value, id=f"{kind}{pointer} {rules} {value!r:.40}")
        for (kind, pointer), values in MEMBERS.items()
        for rules, refused in values.rejected.items()
        for value in refused
    ],
)
def test_rejects_a_value(kind: Kind, pointer: str, rules: str, value: object) -> None:
    rejects(kind, changed(kind, pointer, value), pointer, rules)


@pytest.mark.parametrize("name", ["runId", "nodeId", "agentId"])
def test_an_id_is_the_same_to_the_schema_and_to_its_type(name: str) -> None:
    type_ = {"runId": RunId, "nodeId": NodeId, "agentId": AgentId}[name]
    values = RUN_ID if name == "runId" else AGENT_ID
    schema = load_schema("v2/ids.schema.json")["$defs"][name]
    judge = jsonschema_rs.Draft202012Validator(schema)
    refused = [value for group in values.rejected.values() for value in group]
    assert [msgspec.convert(value, type_) for value in values.accepted] == values.accepted
    assert [value for value in values.accepted if not judge.is_valid(value)] == []
    assert [value for value in refused if judge.is_valid(value)] == []
    for value in refused:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(value, type_)


def test_the_schemas_of_a_checkout_are_its_own() -> None:
    assert schema_folder().resolve() == SCHEMAS


def test_the_schemas_are_found_where_the_package_is_installed(tmp_path: Path) -> None:
    installed = tmp_path / "openwop_evals"
    shutil.copytree(Path(openwop_evals.__file__).parent, installed)
    shutil.copytree(SCHEMAS, installed / "schemas")
    program = (
        "from openwop_evals import validate; from openwop_evals._contract import schema_folder;"
        "print(schema_folder()); print(len(validate('summary', '{}')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(installed / "schemas"), "7"]
