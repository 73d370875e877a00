"""Write src/openwop_evals/_generated from schemas/, or verify it with --check."""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import contract

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS = ROOT / "schemas"
OUTPUT = ROOT / "src" / "openwop_evals" / "_generated"


def main() -> int:
    """Run the generator; 0 done or in step, 1 out of step, 2 the schemas can't be kept."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of step")
    check: bool = parser.parse_args().check
    try:
        contract.check(contract.load(SCHEMAS))
    except contract.Unsupported as error:
        sys.stderr.write(f"codegen: {error}\n")
        return 2
    # Beside the output, where the formatter finds the project's settings.
    with TemporaryDirectory(dir=OUTPUT.parent, prefix=".codegen-") as folder:
        # The generator takes every file of its input for a schema; ours have papers beside them.
        schemas, fresh = Path(folder, "schemas"), Path(folder, OUTPUT.name)
        shutil.copytree(SCHEMAS, schemas, ignore=_all_but_schemas)
        if check:
            code = _generate(schemas, OUTPUT, "--check")
        else:
            code = _generate(schemas, fresh)
            if not code:
                shutil.rmtree(OUTPUT, ignore_errors=True)
                shutil.copytree(fresh, OUTPUT)
    if check and code == 1:
        sys.stderr.write("The types are out of step with the schemas; write them: nox -s codegen\n")
    return code


def _all_but_schemas(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if Path(folder, name).is_file() and not name.endswith(".json")]


def _generate(schemas: Path, output: Path, *options: str) -> int:
    # A failing formatter is a mere warning to the generator, which then goes on without it.
    command = [sys.executable, "-W", "error::UserWarning", "-m", "datamodel_code_generator"]
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [*command, "--input", schemas, "--output", output, *options],
        cwd=ROOT,
        env={**os.environ, "RUFF_NO_CACHE": "true"},
        check=False,
    )
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
