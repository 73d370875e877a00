"""What the pages for hosts show is what happens."""

import re
from pathlib import Path
from typing import Any

import pytest

from openwop_evals.cli.app import run
from openwop_evals.conformance import FIXTURES

ROOT = Path(__file__).parents[2]
HOSTS = (ROOT / "docs" / "HOSTS.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def test_the_examples_for_hosts_make_a_test_that_passes() -> None:
    blocks = re.findall(r"```python\n(.*?)```", HOSTS, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile("\n".join(blocks), "HOSTS.md", "exec"), names)  # noqa: S102 - our own text
    names["test_rfc_0246"]()
    assert len(blocks) == 3


def test_the_pages_name_every_fixture() -> None:
    assert [fixture for fixture in FIXTURES if f"`{fixture}`" not in HOSTS] == []


def test_the_legs_print_what_the_readme_shows(capfd: pytest.CaptureFixture[str]) -> None:
    shown = README.partition("## Judge a host\n")[2].split("```text\n")[1].split("```")[0]
    assert run(["conformance"]) == 0
    assert capfd.readouterr() == (shown, "")
