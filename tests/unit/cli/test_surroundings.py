"""Every command in poor surroundings: an ASCII locale, closed pipes, a folder it cannot write."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.builders import suite_json, task, write_lines
from tests.support.summaries import summary_json

SUITE = suite_json(task("t1"))
COMMANDS = {
    "grade": ["grade", "suite.json", "trials.jsonl"],
    "gate": ["gate", "summary.json", "--suite", "suite.json"],
    "verify": ["verify", "summary.json", "--suite", "suite.json", "--trials", "trials.jsonl"],
    "validate": ["validate", "summary.json", "suite.json", "trials.jsonl"],
    "schema": ["schema", "eval-summary"],
}
PROGRAM = [sys.executable, "-m", "openwop_evals"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suite.json").write_text(json.dumps(SUITE), "utf-8")
    (tmp_path / "summary.json").write_text(json.dumps(summary_json(SUITE)), "utf-8")
    write_lines(tmp_path / "trials.jsonl", [{"taskId": "t1", "score": 0.9}])
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_an_ascii_locale_changes_nothing(name: str) -> None:
    outputs = []
    for surroundings in ({}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}):
        done = subprocess.run(
            [*PROGRAM, *COMMANDS[name]],
            env=os.environ | surroundings,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
        outputs.append((done.stdout, done.stderr))
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_pipe_is_no_decision(name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*PROGRAM, *COMMANDS[name]], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"Broken pipe" in done.stderr


@pytest.mark.parametrize("name", ["grade", "gate", "verify", "validate"])
def test_a_report_that_cannot_be_written_is_no_decision(name: str, folder: Path) -> None:
    command = [*PROGRAM, *COMMANDS[name], "--report", "json=none/report.json"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(b"none/report.json: No such file or directory")
    assert sorted(path.name for path in folder.iterdir()) == [
        "suite.json",
        "summary.json",
        "trials.jsonl",
    ]


@pytest.mark.parametrize("arguments", [["grade", "suite.json", "-"], ["gate", "-"]], ids=str)
def test_an_interrupt_is_130(arguments: list[str]) -> None:
    program = (
        "import sys, threading, time; from openwop_evals.cli.app import run; "
        "threading.Timer(0.5, print, ['ready'], {'flush': True}).start(); "
        "sys.exit(run(sys.argv[1:]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == b"ready\n"  # it waits for its input by now
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=20)
    assert (child.returncode, errors.strip()) == (130, b"")
