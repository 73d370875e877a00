"""The reports: they give one answer with the exit code, whatever the ids and messages hold."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from openwop_evals.cli.app import run
from tests.support.builders import golden, suite_json, task, write_lines
from tests.support.documents import load_schema

Json = dict[str, Any]
NASTY = "x:\u0000\u001b[31m]]>&<\u2028\n::error::|`*"
FORMATS = ("text", "json", "github", "markdown", "junit")


def runs() -> Iterator[tuple[str, Json, list[Json]]]:
    """Suites and logs of every kind of answer."""
    gated = task("t1", golden({"forbidden": [NASTY]}))
    call = [{"tool": NASTY}]
    yield "passed", suite_json(), [{"taskId": "t1", "score": 1}]
    yield "failed", suite_json(), [{"taskId": "t1", "score": 0.2}]
    yield "gated", suite_json(gated), [{"taskId": "t1", "score": 1, "toolCalls": call}]
    yield (
        "passed with a task that failed",
        suite_json(task("a"), task("b"), bars={"passScore": 0.5}),
        [{"taskId": "a", "score": 1}, {"taskId": "b", "score": 0.1}],
    )
    yield (
        "errored and missed",
        suite_json(count=3, rule="any"),
        [
            {"taskId": "t1", "trial": 0, "error": NASTY},
            {"taskId": "t1", "trial": 1, "fixtureMiss": True},
            {"taskId": "t1", "trial": 2, "score": 0.75},
        ],
    )
    yield "bar of 0", suite_json(bars={"passScore": 0}), [{"taskId": "t1", "score": 0}]
    yield (
        "over cost",
        suite_json(bars={"passScore": 0.5, "maxCostUsd": 0.1, "maxP95LatencyMs": 5}),
        [{"taskId": "t1", "score": 1, "costUsd": 0.2, "latencyMs": 6}],
    )


def says_yes(format_: str, text: str) -> bool:
    """The answer that a report gives, read from its own form."""
    if format_ == "json":
        return bool(json.loads(text)["ok"])
    if format_ == "junit":
        root = ET.fromstring(text)  # noqa: S314 - our own text
        failures = root.findall(".//failure")
        assert int(root[0].attrib["failures"]) == len(failures)
        assert int(root[0].attrib["tests"]) == len(root.findall(".//testcase"))
        return not failures
    if format_ == "github":
        closing = text.splitlines()[-1]
        assert re.match(r"::(error|notice)::", closing)
        return closing.startswith("::notice::")
    first = text.splitlines()[0]
    return re.search(r": (passed|open|true|valid)$", first) is not None


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Every command over every run, from a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    found = []
    for at, (_, suite, rows) in enumerate(runs()):
        (tmp_path / f"s{at}.json").write_text(json.dumps(suite), "utf-8")
        write_lines(tmp_path / f"t{at}.jsonl", rows)
        run(["grade", f"s{at}.json", f"t{at}.jsonl", "-o", f"o{at}.json", "--report", "text=x"])
        summary = json.loads((tmp_path / f"o{at}.json").read_bytes())
        (tmp_path / f"bad{at}.json").write_text(
            json.dumps(summary | {"passed": not summary["passed"]}), "utf-8"
        )
        found.append(["grade", f"s{at}.json", f"t{at}.jsonl", "-o", "out.json"])
        found += [[cmd, f"{o}{at}.json", "--suite", f"s{at}.json"]
                  for cmd in ("gate", "verify") for o in ("o", "bad")]  # fmt: skip
        found.append(["validate", f"s{at}.json", f"o{at}.json", f"t{at}.jsonl"])
        found.append(["validate", "--kind", "suite", f"o{at}.json"])
    return found


def test_no_report_disagrees_with_the_exit_code(commands: list[list[str]]) -> None:
    validator = jsonschema_rs.Draft202012Validator(load_schema("report.schema.json"))
    codes = set()
    for command in commands:
        reports = [part for form in FORMATS for part in ("--report", f"{form}=report.{form}")]
        code = run([*command, *reports])
        codes.add(code)
        for form in FORMATS:
            text = Path(f"report.{form}").read_text("utf-8")
            assert says_yes(form, text) is (code == 0), (command, form, text)
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text), (command, form)
            assert form == "json" or "\u2028" not in text, (command, form)
        validator.validate(json.loads(Path("report.json").read_text("utf-8")))
    assert codes == {0, 1}


def test_a_message_forges_no_workflow_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    gated = task("t1", golden({"forbidden": [NASTY]}))
    Path("s.json").write_text(json.dumps(suite_json(gated)), "utf-8")
    write_lines(Path("t.jsonl"), [{"taskId": "t1", "score": 1, "toolCalls": [{"tool": NASTY}]}])
    assert run(["grade", "s.json", "t.jsonl", "-o", "o.json", "--report", "github=g"]) == 1
    lines = Path("g").read_text("utf-8").splitlines()
    assert [line.split("::")[1].split(" ")[0] for line in lines] == ["error", "warning", "error"]
    assert all(line.startswith("::") for line in lines)
    assert Path("summary.md").read_text("utf-8").startswith("### grade: acme.evals.sample")


def test_unknown_values_have_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text(json.dumps(suite_json()), "utf-8")
    write_lines(Path("t.jsonl"), [{"taskId": "t1", "score": 1}])
    run(["grade", "s.json", "t.jsonl", "-o", "o", "--report", "markdown=m", "--report", "text=x"])
    assert "| cost USD | unknown | no bar |" in Path("m").read_text("utf-8")
    assert re.search(r"cost USD +unknown +no bar", Path("x").read_text("utf-8"))
