"""The command, ``openwop-evals`` or ``python -m openwop_evals``."""

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command; its exit code is 2 when its extra is not installed."""
    try:
        from openwop_evals.cli.app import run  # noqa: PLC0415 - it needs the extra
    except ModuleNotFoundError as error:
        if error.name not in {"click", "rich"}:
            raise
        sys.stderr.write(
            f"openwop-evals: the command needs {error.name}: pip install 'openwop-evals[cli]'\n"
        )
        return 2
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
