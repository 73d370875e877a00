"""What README.md shows is what happens."""

import re
import shlex
from pathlib import Path

import pytest

from openwop_evals.cli.app import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, at: int = 0) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found[at]


def test_the_main_command_prints_what_is_shown(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    command = shlex.split(block("sh").split("&&")[-1])
    assert command[0] == ".venv/bin/openwop-evals"
    assert run(command[1:]) == 1
    assert capfd.readouterr() == (block("json"), block("text"))


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block("python"), "README.md", "exec"), {})  # noqa: S102 - our own text
    assert capfd.readouterr().out == block("json")
