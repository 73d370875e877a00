"""Write src/openwop_evals/_generated from schemas/, or verify it with --check."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from codegen import contract

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run the generator; 0 done or in step, 1 out of step, 2 the schemas can't be kept."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of step")
    check: bool = parser.parse_args().check
    try:
        contract.check(contract.load(ROOT / "schemas"))
    except contract.Unsupported as error:
        sys.stderr.write(f"codegen: {error}\n")
        return 2
    # A failing formatter is a mere warning to the generator, which then goes on without it.
    command = [sys.executable, "-W", "error::UserWarning", "-m", "datamodel_code_generator"]
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [*command, *(["--check"] if check else [])],
        cwd=ROOT,
        env={**os.environ, "RUFF_NO_CACHE": "true"},
        check=False,
    )
    if check and done.returncode == 1:
        sys.stderr.write("The types are out of step with the schemas; write them: nox -s codegen\n")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
