"""The generated types: in step with the schemas, found out when they are not, and named once."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from codegen import contract
from openwop_evals import models
from tests.support.documents import SCHEMAS

needs_generator = pytest.mark.skipif(
    find_spec("datamodel_code_generator") is None, reason="the generator is not installed"
)

ROOT = SCHEMAS.parent
GENERATED = Path("src/openwop_evals/_generated")
SUMMARY = Path("schemas/v2/eval-summary.schema.json")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of all that generation needs."""
    for name in ("codegen", "schemas", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def generate(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )


def contents(project: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(project): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def edit_a_file(project: Path) -> None:
    path = project / GENERATED / "trial_record_schema.py"
    text = path.read_text("utf-8")
    weaker = text.replace("tool: Annotated[str, Meta(min_length=1)]", "tool: str")
    assert weaker != text
    path.write_text(weaker, "utf-8")


def remove_a_file(project: Path) -> None:
    (project / GENERATED / "v2/ids_schema.py").unlink()


def edit_and_remove(project: Path) -> None:
    edit_a_file(project)
    remove_a_file(project)


def add_a_file(project: Path) -> None:
    (project / GENERATED / "v2/more_schema.py").write_text("more = 1\n", "utf-8")


def change_summary(project: Path, name: str, schema: dict[str, Any] | None) -> None:
    """Put a schema in the place of a member of the summary, or take the member away."""
    document = json.loads((project / SUMMARY).read_text("utf-8"))
    if schema is None:
        del document["properties"][name]
    else:
        document["properties"][name] = schema
    (project / SUMMARY).write_text(json.dumps(document), "utf-8")


@needs_generator
def test_check_finds_the_types_in_step(project: Path) -> None:
    before = contents(project)
    done = generate(project, "--check")
    assert (done.returncode, "out of step" in done.stdout) == (0, False)
    assert contents(project) == before


@needs_generator
@pytest.mark.parametrize(
    ("drift", "difference"),
    [
        (edit_a_file, ["trial_record_schema.py", "\n-    tool: str\n"]),
        (remove_a_file, ["v2/ids_schema.py"]),
        (add_a_file, ["v2/more_schema.py"]),
        (
            lambda project: change_summary(project, "gatedAggregateScore", None),
            ["v2/eval_summary_schema.py", "\n-    gated_aggregate_score:"],
        ),
    ],
    ids=["edited file", "missing file", "extra file", "schema without a member"],
)
def test_check_shows_what_is_out_of_step(
    project: Path, drift: Callable[[Path], None], difference: list[str]
) -> None:
    drift(project)
    before = contents(project)
    done = generate(project, "--check")
    assert done.returncode == 1
    assert [part for part in [*difference, "nox -s codegen"] if part not in done.stdout] == []
    assert contents(project) == before


@needs_generator
@pytest.mark.parametrize("drift", [edit_and_remove, add_a_file])
def test_generation_mends_what_check_shows(project: Path, drift: Callable[[Path], None]) -> None:
    before = contents(project)
    drift(project)
    assert generate(project).returncode == 0
    assert contents(project) == before


@pytest.mark.parametrize("arguments", [[], ["--check"]], ids=["write", "check"])
def test_refuses_a_schema_that_it_cannot_keep(project: Path, arguments: list[str]) -> None:
    change_summary(project, "totalCostUsd", {"type": "number", "multipleOf": 0.01})
    before = contents(project)
    done = generate(project, *arguments)
    assert done.returncode == 2
    assert "v2/eval-summary.schema.json#/properties/totalCostUsd/multipleOf" in done.stdout
    assert contents(project) == before


def schema_names() -> list[str]:
    """The name of every definition of the schemas: of objects the title, else that under $defs."""
    schemas = contract.load(SCHEMAS)
    definitions = [name for schema in schemas.values() for name in schema.get("$defs", {})]
    return [*contract.objects(schemas), *(name[0].upper() + name[1:] for name in definitions)]


def generated_names() -> list[str]:
    """The classes and aliases that the generated modules define."""
    names = []
    for path in (ROOT / GENERATED).rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names.append(node.name)
            elif isinstance(node, ast.AnnAssign):
                names.append(ast.unparse(node.target))
    return names


def test_no_generated_name_ends_in_a_digit() -> None:
    names = generated_names()
    assert set(schema_names()) <= set(names)
    assert [name for name in names if name[-1].isdigit()] == []


def test_every_definition_has_one_public_name_and_every_public_type_a_definition() -> None:
    documents = {"DOCUMENTS", "Document", "DocumentKind", "Kind"}
    events = {"EVENT_SCHEMA", "PAYLOADS", "RUN_ID_SCHEMA", "EventType", "Payload", "PayloadKind"}
    assert sorted(models.__all__) == sorted({*schema_names(), *documents, *events})


def test_a_public_type_is_called_as_its_schema_is() -> None:
    for title in contract.objects(contract.load(SCHEMAS)):
        assert getattr(models, title).__name__ == title


def test_only_models_imports_the_generated_modules() -> None:
    package = ROOT / "src/openwop_evals"
    importing = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "_generated" not in path.relative_to(package).parts
        and re.search(r"^\s*(from|import)\b.*\b_generated\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert importing == ["models.py"]


def test_a_generated_file_says_where_it_comes_from_and_that_it_is_not_edited() -> None:
    for path in (ROOT / GENERATED).rglob("*.py"):
        first = path.read_text("utf-8").partition("\n")[0]
        assert re.search(r"schemas/.*nox -s codegen.*not to be edited", first), path
