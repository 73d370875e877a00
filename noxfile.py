"""The checks of this project, each a session: `nox -l` lists them, `nox` runs them."""

import os
import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = bool(os.environ.get("CI"))
nox.options.sessions = ["lint", "typecheck", "generated", "tests", "coverage", "build"]

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
PYTHONS = nox.project.python_versions(PYPROJECT)
# One Python measures the coverage: that of nox itself, if it is one of ours.
CURRENT = f"{sys.version_info.major}.{sys.version_info.minor}"
MEASURED = CURRENT if CURRENT in PYTHONS else PYTHONS[-1]


def _find_pyenv_interpreters() -> None:
    """Put the interpreters that pyenv keeps side by side on the path, before its shims."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [
        folder / "bin"
        for python in PYTHONS
        for folder in sorted(root.glob(f"versions/{python}.*"))[-1:]
    ]
    os.environ["PATH"] = os.pathsep.join([*map(str, folders), os.environ["PATH"]])


_find_pyenv_interpreters()


def _install(session: nox.Session, *groups: str) -> None:
    dependencies = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install("-e", ".[cli,conformance]", *dependencies)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format with ruff."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def typecheck(session: nox.Session) -> None:
    """Check the types with mypy --strict."""
    _install(session, "typecheck", "codegen", "test")
    session.run("mypy")


@nox.session
def codegen(session: nox.Session) -> None:
    """Write the types from the schemas; with `-- --check` change nothing and verify them."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "codegen"), ".")
    session.run("python", "-m", "codegen", *session.posargs)


@nox.session
def generated(session: nox.Session) -> None:
    """Verify that the generated types are in step with the schemas."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "codegen"), ".")
    session.run("python", "-m", "codegen", "--check")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests on one Python; that of nox itself measures the coverage."""
    _install(session, "codegen", "test")
    if session.python == MEASURED:
        session.run("coverage", "erase")
        session.run("coverage", "run", "-m", "pytest", *session.posargs)
    else:
        session.run("pytest", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Hold the coverage that `tests` measured to its bars."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "test"))
    session.run("coverage", "combine")
    session.run("coverage", "report", "--fail-under=95")
    session.run("coverage", "report", "--fail-under=100", "--include=*/openwop_evals/grading/*")


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist, and grade an example with the installed wheel."""
    session.install("build")
    dist = Path(session.create_tmp()) / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(dist), str(ROOT))
    (wheel,) = dist.glob("*.whl")
    session.install(f"{wheel}[cli]")
    example = ROOT / "docs" / "examples" / "suite-matched"
    with session.chdir(session.create_tmp()):
        session.run("openwop-evals", "schema", "eval-summary", silent=True)
        session.run("openwop-evals", "conformance")
        session.run(
            "openwop-evals", "grade", str(example / "suite.json"), str(example / "trials.jsonl")
        )


@nox.session
def fuzz(session: nox.Session) -> None:
    """Throw broken bytes at all that reads them; compare 200,000 verdicts with jsonschema-rs."""
    _install(session, "codegen", "test")
    session.run("python", "-m", "tests.fuzz.fuzz", *session.posargs)
    exact = "tests/property/test_codec_exact.py"
    session.run("pytest", "-s", exact, env={"OPENWOP_EVALS_CASES": "200000"})


@nox.session
def bench(session: nox.Session) -> None:
    """Print how fast documents are read, written and graded, against other libraries."""
    session.install(".[cli]", *nox.project.dependency_groups(PYPROJECT, "bench"))
    session.run("python", "-m", "tests.bench", *session.posargs)
