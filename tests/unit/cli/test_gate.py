"""``gate`` and ``verify``: answers, exit codes, places, and what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openwop_evals.cli.app import run
from tests.support.builders import golden, suite_json, task, write_lines

Json = dict[str, Any]
Run = Callable[..., tuple[int, str, str]]

SUITE = suite_json(task("t1", golden({"forbidden": ["shop:delete"]})), bars={"passScore": 0.6})
ROW = {"taskId": "t1", "score": 0.9, "gatedScore": 0.9, "passed": True}
SUMMARY: Json = {
    "suiteId": "acme.evals.sample",
    "suiteVersion": "1.0.0",
    "aggregateScore": 0.9,
    "gatedAggregateScore": 0.9,
    "passed": True,
    "taskCount": 1,
    "passedCount": 1,
    "tasks": [ROW],
}
GATED = SUMMARY | {
    "gatedAggregateScore": 0.0,
    "passed": False,
    "passedCount": 0,
    "tasks": [ROW | {"gatedScore": 0.0, "passed": False}],
}
OLD = {name: value for name, value in SUMMARY.items() if name != "gatedAggregateScore"} | {
    "tasks": [{"taskId": "t1", "score": 0.9, "passed": True}]
}


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Run:
    """Run a command beside the suite and a summary."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.json").write_text(json.dumps(SUITE, indent=1), "utf-8")
    write_lines(tmp_path / "trials.jsonl", [{"taskId": "t1", "score": 0.9, "toolCalls": []}])

    def run_command(*arguments: str, summary: Json | str = SUMMARY) -> tuple[int, str, str]:
        text = summary if isinstance(summary, str) else json.dumps(summary, indent=1)
        (tmp_path / "summary.json").write_text(text, "utf-8")
        return run(list(arguments)), *capfd.readouterr()

    return run_command


GATE = ("gate", "summary.json")
WITH_SUITE = (*GATE, "--suite", "suite.json")
VERIFY = ("verify", "summary.json", "--suite", "suite.json")


@pytest.mark.parametrize(
    ("arguments", "summary", "code", "word"),
    [
        pytest.param(WITH_SUITE, SUMMARY, 0, ": open", id="proved"),
        pytest.param(GATE, SUMMARY, 0, ": open", id="proved by the field alone"),
        pytest.param(WITH_SUITE, GATED, 1, "0.0 against passScore 0.6", id="gated"),
        pytest.param(WITH_SUITE, OLD, 1, "nothing proves", id="a host of RFC 0244"),
        pytest.param(GATE, OLD, 1, "supply", id="no suite, no field"),
        pytest.param((*WITH_SUITE, "--required-pass-score", "0.9"), SUMMARY, 0, "open", id="met"),
        pytest.param(
            (*WITH_SUITE, "--required-pass-score", "0.91"), SUMMARY, 1, "0.91", id="not met"
        ),
        pytest.param(VERIFY, SUMMARY, 0, ": true", id="true"),
        pytest.param((*VERIFY, "--trials", "trials.jsonl"), SUMMARY, 0, ": true", id="recomputed"),
        pytest.param((*VERIFY, "--trials", "trials.jsonl"), GATED, 1, "gated-score", id="differs"),
        pytest.param(VERIFY, SUMMARY | {"taskCount": 2}, 1, "task-count", id="not true"),
        pytest.param(VERIFY, OLD, 1, "predates-rfc-0246", id="an old host"),
    ],
)
def test_answers(
    command: Run, arguments: tuple[str, ...], summary: Json, code: int, word: str
) -> None:
    found, out, err = command(*arguments, summary=summary)
    assert (found, err) == (code, "")
    assert word in out


def test_a_finding_has_its_place(command: Run) -> None:
    _, out, _ = command(*VERIFY, summary=SUMMARY | {"passedCount": 0})
    assert "error: summary.json:8:17: at /passedCount: passed-count: expected 1, found 0" in out


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        pytest.param(WITH_SUITE, SUMMARY | {"passed": "true"}, id="passed as text"),
        pytest.param(WITH_SUITE, SUMMARY | {"passed": 1}, id="passed as a number"),
        pytest.param(
            WITH_SUITE,
            json.dumps(SUMMARY).replace('"passed": true', '"passed": false, "passed": true', 1),
            id="passed twice",
        ),
        pytest.param(WITH_SUITE, "\ufeff" + json.dumps(SUMMARY), id="byte order mark"),
        pytest.param(WITH_SUITE, json.dumps(SUMMARY)[:-9], id="truncated"),
        pytest.param((*GATE, "--suite", "none.json"), SUMMARY, id="no such suite"),
        pytest.param((*GATE, "--suite", "summary.json"), SUMMARY, id="no suite"),
        pytest.param((*WITH_SUITE, "--required-pass-score", "nan"), SUMMARY, id="a bar of NaN"),
        pytest.param((*WITH_SUITE, "--required-pass-score", "1.1"), SUMMARY, id="a bar over 1"),
        pytest.param(("gate", "-", "--suite", "-"), SUMMARY, id="stdin twice"),
        pytest.param(("verify", "summary.json"), SUMMARY, id="no suite to verify by"),
        pytest.param((*VERIFY, "--suites", "."), SUMMARY, id="suite and suites"),
        pytest.param((*VERIFY, "--trials", "suite.json"), SUMMARY, id="no trial log"),
        pytest.param((*VERIFY, "--report", "text=suite.json"), SUMMARY, id="over an input"),
    ],
)
def test_decides_nothing(command: Run, arguments: tuple[str, ...], summary: Json | str) -> None:
    code, out, err = command(*arguments, summary=summary)
    assert (code, out) == (2, "")
    assert err.startswith("openwop-evals: ")
    assert "Traceback" not in err
    assert "unexpected" not in err


@pytest.fixture
def folders(tmp_path: Path, command: Run) -> Path:
    command("--version")
    for name, version in (("one", "1.0.0"), ("two", "2.0.0")):
        for folder, document in (
            ("suites", SUITE | {"version": version}),
            ("summaries", SUMMARY | {"suiteVersion": version}),
        ):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.json").write_text(json.dumps(document), "utf-8")
    return tmp_path


def test_pairs_summaries_with_suites(folders: Path, command: Run) -> None:
    code, out, _ = command("verify", "summaries", "--suites", "suites")
    assert (code, out.splitlines()[0]) == (0, "2 summaries: true")
    broken = json.dumps(SUMMARY | {"suiteVersion": "2.0.0", "passed": False})
    (folders / "summaries" / "two.json").write_text(broken, "utf-8")
    code, out, _ = command("verify", "summaries", "--suites", "suites")
    assert code == 1
    assert "1 of 2 summaries" in out


def test_a_summary_without_its_suite_decides_nothing(folders: Path, command: Run) -> None:
    (folders / "suites" / "two.json").unlink()
    code, out, err = command("verify", "summaries", "--suites", "suites")
    assert (code, out) == (2, "")
    assert "no suite acme.evals.sample 2.0.0" in err


def test_two_suites_of_one_name_decide_nothing(folders: Path, command: Run) -> None:
    same = (folders / "suites" / "two.json").read_text("utf-8")
    (folders / "suites" / "three.json").write_text(same, "utf-8")
    code, out, err = command("verify", "summaries", "--suites", "suites")
    assert (code, out) == (2, "")
    assert "two.json" in err


def test_empty_folders_decide_nothing(folders: Path, command: Run) -> None:
    (folders / "none").mkdir()
    for summaries, suites in (("none", "suites"), ("summaries", "none")):
        code, out, _ = command("verify", summaries, "--suites", suites)
        assert (code, out) == (2, "")


def test_looks_into_every_folder_and_ending(folders: Path, command: Run) -> None:
    (folders / "summaries" / "deep").mkdir()
    (folders / "summaries" / "deep" / "bad.JSON").write_text("{", "utf-8")
    code, out, err = command("verify", "summaries", "--suites", "suites")
    assert (code, out) == (2, "")
    assert "bad.JSON:1:2" in err


def test_a_suite_without_its_summary_decides_nothing(folders: Path, command: Run) -> None:
    (folders / "summaries" / "two.json").unlink()
    code, out, err = command("verify", "summaries", "--suites", "suites")
    assert (code, out) == (2, "")
    assert "two.json: no summary of it" in err


@pytest.mark.parametrize("file", ["summaries/one.json", "suites/one.json", "suites/new.json"])
def test_writes_no_report_among_its_inputs(folders: Path, command: Run, file: str) -> None:
    before = {path: path.read_bytes() for path in folders.rglob("*.json")}
    code, _, err = command("verify", "summaries", "--suites", "suites", "--report", f"json={file}")
    assert (code, "among the inputs" in err) == (2, True)
    assert {path: path.read_bytes() for path in folders.rglob("*.json")} == before


def test_no_report_outlives_its_answer(command: Run, tmp_path: Path) -> None:
    reports = ("--report", "json=r.json", "--report", "junit=j.xml")
    assert command(*WITH_SUITE, *reports)[0] == 0
    assert (tmp_path / "r.json").exists()
    assert command(*WITH_SUITE, *reports, summary="{")[0] == 2
    assert not (tmp_path / "r.json").exists()
    assert not (tmp_path / "j.xml").exists()
    assert command(*WITH_SUITE, "--report", "json=r.json", "--report", "text=none/x")[0] == 2
    assert not (tmp_path / "r.json").exists()
