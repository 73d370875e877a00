"""The program: its exit codes, its one line of complaint, and the streams that it meets."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import openwop_evals
from openwop_evals import __main__, __version__
from openwop_evals.cli import app
from openwop_evals.cli import validate as validate_command
from openwop_evals.cli.app import run
from tests.support.builders import write_lines
from tests.support.documents import WHOLE

FULL = Path("/dev/full")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a valid suite and one that is not, the working directory of the test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.json").write_text(json.dumps(WHOLE["suite"]), "utf-8")
    (tmp_path / "bad.json").write_text(json.dumps(WHOLE["suite"] | {"version": "1"}), "utf-8")
    return tmp_path


def program(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    command = [sys.executable, "-m", "openwop_evals", *arguments]
    return subprocess.run(command, check=False, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    out, err = capsys.readouterr()
    assert __version__ in out.split()
    assert err == ""


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["grade", "--help"], ["schema", "-h"]])
def test_helps(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Usage: openwop-evals ")
    assert err == ""


def test_the_help_names_every_command_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    words = capsys.readouterr().out.split()
    assert {"grade", "validate", "schema", "0", "1", "2", "130"} <= set(words)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["none"], "none"),
        (["--none"], "--none"),
        (["grade"], "SUITE"),
        (["grade", "suite"], "TRIALS"),
        (["grade", "a", "b", "c"], "c"),
        (["grade", "--none", "a", "b"], "--none"),
        (["grade", "a", "b", "-o"], "-o"),
        (["validate"], "FILE"),
        ([], "--help"),
    ],
    ids=repr,
)
def test_refuses_bad_usage_in_one_line(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert out == ""
    assert line.startswith("openwop-evals: ")
    assert part in line


def raising(error: BaseException) -> Callable[..., None]:
    def fail(*_arguments: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (RuntimeError("boom"), "unexpected RuntimeError: boom"),
        (KeyError("name"), "unexpected KeyError: 'name'"),
        (MemoryError(), "unexpected MemoryError"),
        (RecursionError("deep"), "unexpected RecursionError: deep"),
        (AssertionError("no"), "unexpected AssertionError: no"),
        (PermissionError(13, "Permission denied", "x"), "x: Permission denied"),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error"),
    ],
    ids=repr,
)
@pytest.mark.usefixtures("folder")
def test_an_unexpected_error_is_no_decision(
    error: Exception,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(validate_command, "violations_of", raising(error))
    assert run(["validate", "--kind", "suite", "good.json"]) == 2
    assert capsys.readouterr() == ("", f"openwop-evals: {line}\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=repr)
@pytest.mark.usefixtures("folder")
def test_an_interrupt_is_130(
    error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(validate_command, "violations_of", raising(error))
    assert run(["validate", "--kind", "suite", "good.json"]) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("folder")
def test_an_interrupt_while_writing_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "write_report", raising(KeyboardInterrupt()))
    assert run(["validate", "good.json"]) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("folder")
def test_the_module_is_the_program() -> None:
    for name, code in (("good.json", 0), ("bad.json", 1), ("none.json", 2)):
        done = program("validate", name, capture_output=True)
        assert done.returncode == code
        assert bool(done.stdout) is (code != 2)
        assert b"Traceback" not in done.stderr


def test_main_runs_the_arguments_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["openwop-evals", "--version"])
    assert __main__.main() == 0
    assert __version__ in capsys.readouterr().out


@pytest.fixture
def without_cli(monkeypatch: pytest.MonkeyPatch) -> None:
    """No part of the command is imported yet; the test's end puts all of it back."""
    monkeypatch.setattr(openwop_evals, "cli", openwop_evals.cli)
    for name in [name for name in sys.modules if name.startswith("openwop_evals.cli")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.usefixtures("without_cli")
def test_says_what_to_install_where_the_extra_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "click", None)
    assert __main__.main() == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert out == ""
    assert line.startswith("openwop-evals: ")
    assert "pip install 'openwop-evals[cli]'" in line


@pytest.mark.usefixtures("without_cli")
def test_another_missing_module_is_not_blamed_on_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openwop_evals.cli.grade", None)
    with pytest.raises(ModuleNotFoundError):
        __main__.main()


def closed_pipe() -> int:
    """The end for writing of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(
    "arguments",
    [["validate", "good.json"], ["validate", "bad.json"], ["schema", "ids"], ["--help"]],
    ids=" ".join,
)
@pytest.mark.usefixtures("folder")
def test_a_closed_stdout_is_no_decision(arguments: list[str]) -> None:
    pipe = closed_pipe()
    done = program(*arguments, stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) <= 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "codes"),
    [("good.json", {0, 2}), ("none.json", {2})],
    ids=["a run that passed", "no run"],
)
def test_a_closed_stderr_is_no_decision(folder: Path, name: str, codes: set[int]) -> None:
    rows = [{"taskId": "t1", "trial": at, "score": 1, "trajectoryMatched": True} for at in range(3)]
    write_lines(folder / "trials.jsonl", rows)
    pipe = closed_pipe()
    done = program("grade", name, "trials.jsonl", stdout=subprocess.DEVNULL, stderr=pipe)
    os.close(pipe)
    assert done.returncode in codes


@pytest.mark.usefixtures("folder")
def test_a_stderr_that_is_not_open_is_no_decision() -> None:
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "openwop_evals"]
    done = subprocess.run([*command, "validate", "none.json"], check=False, timeout=60)
    assert done.returncode == 2


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.usefixtures("folder")
def test_a_full_disk_is_no_decision(stream: str) -> None:
    name = "good.json" if stream == "stdout" else "none.json"
    with FULL.open("wb") as full:
        done = program("validate", name, **({"stderr": subprocess.PIPE} | {stream: full}))
    assert done.returncode == 2
    assert b"Traceback" not in (done.stderr or b"")


def test_writes_utf_8_whatever_the_locale(folder: Path) -> None:
    (folder / "bad.json").write_text('{"version": "é\u2028"}', "utf-8")
    environment = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = program("validate", "bad.json", capture_output=True, env=environment)
    assert done.returncode == 1
    assert 'found "é\\u2028"' in done.stdout.decode("utf-8")


def test_names_a_file_whose_name_is_not_text(folder: Path) -> None:
    name = os.fsdecode(b"\xff.json")
    (folder / name).write_bytes((folder / "good.json").read_bytes())
    done = program("validate", name, capture_output=True)
    assert done.returncode == 0
    assert done.stdout.startswith(rb"\udcff.json: valid")
