"""``schema``: the packaged schemas, as they are."""

import pytest

from openwop_evals.cli.app import run
from tests.support.documents import SCHEMAS

FILES = {
    "agent-eval-suite": "v2/agent-eval-suite.schema.json",
    "eval-events": "v2/eval-events.schema.json",
    "eval-summary": "v2/eval-summary.schema.json",
    "ids": "v2/ids.schema.json",
    "report": "report.schema.json",
    "trial-record": "trial-record.schema.json",
}


def test_every_schema_has_a_name() -> None:
    found = {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.rglob("*.schema.json")}
    assert found == set(FILES.values())


@pytest.mark.parametrize("name", FILES)
def test_prints_a_schema(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["schema", name]) == 0
    out, err = capfdbinary.readouterr()
    assert out == (SCHEMAS / FILES[name]).read_bytes()
    assert err == b""


@pytest.mark.parametrize("arguments", [[], ["none"], ["v2/ids"], ["ids", "ids"]])
def test_refuses_what_is_no_name(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", *arguments]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


def test_names_the_schemas_that_it_has(capfd: pytest.CaptureFixture[str]) -> None:
    run(["schema", "none"])
    err = capfd.readouterr().err
    assert [name for name in FILES if repr(name) not in err] == []
