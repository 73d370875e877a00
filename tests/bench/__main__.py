"""Print one table of how fast the documents are read, written and graded, against others."""

import argparse
import platform
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from collections import deque
from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from io import BytesIO

from openwop_evals import EvalSummary, decode_suite, decode_summary, encode, grade, iter_trials
from tests.bench import documents, peers, timing

Calls = dict[str, Callable[[], object]]
Sizes = dict[int, dict[str, float]]

DECODE, DECODE_ONCE = "decode_summary", "decode_summary, check_names=False"
ENCODE, ENCODE_CHECKED, GRADE = "encode, check=False", "encode", "grade JSON Lines"
PYDANTIC_DUMP = "pydantic model_dump_json, unchecked"
SLOW = {"json.loads + jsonschema": 1_000}  # the most tasks that it is given

MEMORY_TASKS = 10_000
LAZY = ("jsonschema", "click", "rich")


def decode_calls(tasks: int) -> Calls:
    text = documents.summary(tasks)
    ours: Calls = {
        DECODE: lambda: decode_summary(text),
        DECODE_ONCE: lambda: decode_summary(text, check_names=False),
    }
    return ours | {
        name: partial(decode, text)
        for name, decode in peers.DECODERS.items()
        if tasks <= SLOW.get(name, tasks)
    }


def encode_calls(tasks: int) -> Calls:
    text = documents.summary(tasks)
    summary, model, value = _decoded(text)
    ours: Calls = {ENCODE: lambda: encode(summary, check=False)}
    others = {name: partial(write, value) for name, write in peers.ENCODERS.items()}
    return ours | others | {PYDANTIC_DUMP: lambda: peers.dump_json(model)}


def encode_checked_calls(tasks: int) -> Calls:
    text = documents.summary(tasks)
    summary, model, _ = _decoded(text)
    return {
        ENCODE_CHECKED: lambda: encode(summary),
        PYDANTIC_DUMP: lambda: peers.dump_json(model),
        "pydantic, dumped and read again": lambda: peers.Summary.model_validate_json(
            peers.dump_json(model)
        ),
    }


def grade_calls(tasks: int) -> Calls:
    suite, log = decode_suite(documents.suite(tasks)), documents.trial_log(tasks)
    ours: Calls = {GRADE: lambda: grade(suite, iter_trials(BytesIO(log)))}
    return ours | {
        name: partial(_decode_lines, decode, log) for name, decode in peers.LINE_DECODERS.items()
    }


# What is measured: its title, the contender that is 1.00, and all of them at a number of tasks.
OPERATIONS: list[tuple[str, str, Callable[[int], Calls]]] = [
    ("decode a summary", "orjson.loads, untyped", decode_calls),
    ("encode a summary", "orjson.dumps, a dict", encode_calls),
    ("encode a summary and check it", PYDANTIC_DUMP, encode_checked_calls),
    (f"grade, {documents.TRIALS} trials a task", "msgspec, untyped, no grading", grade_calls),
]

# What must hold: the contender, the tasks, and the most that its ratio may be.
LIMITS = [
    (DECODE_ONCE, 1_000, 0.8),
    (DECODE_ONCE, 100_000, 0.9),
    (DECODE, 1_000, 1.5),
    (DECODE, 100_000, 1.6),
    (ENCODE, 1_000, 1.35),
    (ENCODE, 100_000, 1.35),
    (ENCODE_CHECKED, 1_000, 1.35),
    (ENCODE_CHECKED, 100_000, 1.35),
    (GRADE, 100_000, 15.0),
]
GROWTH_LIMIT = 1.6
IMPORT_LIMIT = 2.0


def main() -> int:
    """Measure and print; the exit code is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="up to 1,000 tasks, in few rounds")
    quick: bool = parser.parse_args().quick
    sizes = [10, 1_000] if quick else [10, 1_000, 100_000]
    budget, runs = (0.1, 5) if quick else (2.0, 15)

    today, python = datetime.now(timezone.utc), platform.python_version()
    say(f"{today:%Y-%m-%d}, CPython {python}, {platform.system()} {platform.machine()}")
    say(textwrap.fill(peers.versions(), 100, break_on_hyphens=False))
    say("CPU microseconds a task (median of interleaved rounds) and the ratio to the line of 1.00.")

    held: list[tuple[str, float, float]] = []
    for title, reference, calls_at in OPERATIONS:
        measured = {tasks: _seconds_a_task(calls_at, tasks, budget) for tasks in sizes}
        ratios = {
            tasks: {name: figure / figures[reference] for name, figure in figures.items()}
            for tasks, figures in measured.items()
        }
        _print_operation(title, measured, ratios)
        held += _held(reference, measured, ratios)
    imports = _print_processes(runs)
    _print_memory()

    held.append(("import openwop_evals / import msgspec", IMPORT_LIMIT, imports))
    held.append((f"of {', '.join(LAZY)}, imported by it", 0, len(_imported(LAZY))))
    _print_held(held)
    return 0


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _decoded(text: bytes) -> tuple[EvalSummary, peers.Summary, object]:
    model = peers.Summary.model_validate_json(text)
    return decode_summary(text), model, peers.orjson.loads(text)


def _decode_lines(decode: Callable[[bytes], object], log: bytes) -> None:
    deque(map(decode, BytesIO(log)), maxlen=0)


def _seconds_a_task(
    calls_at: Callable[[int], Calls], tasks: int, budget: float
) -> dict[str, float]:
    seconds = timing.seconds_of_calls(calls_at(tasks), budget)
    return {name: figure / tasks for name, figure in seconds.items()}


def _print_operation(title: str, measured: Sizes, ratios: Sizes) -> None:
    say()
    say(f"{title:40}" + "".join(f"{f'{tasks:,} tasks':>20}" for tasks in measured))
    for name in measured[min(measured)]:
        cells = [
            f"{figures[name] * 1e6:>13.3f}{ratios[tasks][name]:>7.2f}" if name in figures else "-"
            for tasks, figures in measured.items()
        ]
        say(f"  {name:38}" + "".join(f"{cell:>20}" for cell in cells))


def _held(reference: str, measured: Sizes, ratios: Sizes) -> list[tuple[str, float, float]]:
    """The figures of an operation that have limits: what, limit, measured."""
    small, large = 1_000, 100_000
    rows = [
        (f"{name} / {reference}, {tasks:,} tasks", limit, ratios[tasks][name])
        for name, tasks, limit in LIMITS
        if name in ratios.get(tasks, ())
    ]
    for name in dict.fromkeys(name for name, _, _ in LIMITS):
        if name in measured.get(large, ()):
            growth = measured[large][name] / measured[small][name]
            rows.append((f"{name}: a task at 100,000 / at 1,000", GROWTH_LIMIT, growth))
    return rows


def _print_processes(runs: int) -> float:
    """Print the times of imports and starts; return the ratio of the imports."""
    command = shutil.which("openwop-evals", path=sysconfig.get_path("scripts"))
    if command is None:
        raise SystemExit("bench: the command openwop-evals is not installed beside this Python")
    samplers = {
        "import openwop_evals": partial(timing.import_seconds, "openwop_evals"),
        "import msgspec": partial(timing.import_seconds, "msgspec"),
        "openwop-evals --version": partial(timing.start_seconds, command, "--version"),
        "python -c pass": partial(timing.start_seconds, sys.executable, "-c", "pass"),
    }
    found = timing.medians(samplers, dict.fromkeys(samplers, runs))
    ratios = {
        ours: found[ours] / found[base]
        for ours, base in (
            ("import openwop_evals", "import msgspec"),
            ("openwop-evals --version", "python -c pass"),
        )
    }
    say()
    say(f"{'import and start':40}{'ms':>13}{'ratio':>7}")
    for name, seconds in found.items():
        say(f"  {name:38}{seconds * 1e3:>13.1f}{ratios.get(name, 1):>7.2f}")
    return ratios["import openwop_evals"]


def _print_memory() -> None:
    text = documents.summary(MEMORY_TASKS)
    makers: Calls = {
        "decode_summary": lambda: decode_summary(text),
        "orjson.loads, untyped": lambda: peers.orjson.loads(text),
        "pydantic, the same checks": lambda: peers.Summary.model_validate_json(text),
    }
    held = {name: timing.bytes_held(make) / MEMORY_TASKS for name, make in makers.items()}
    say()
    say(f"{f'memory of a summary, {MEMORY_TASKS:,} tasks':40}{'bytes a task':>13}{'ratio':>7}")
    for name, figure in held.items():
        say(f"  {name:38}{figure:>13.0f}{figure / held['orjson.loads, untyped']:>7.2f}")


def _imported(modules: tuple[str, ...]) -> list[str]:
    """Those of the modules that importing this package imports too."""
    code = "import sys, openwop_evals; print(*sys.modules.keys() & set(sys.argv[1:]))"
    command = [sys.executable, "-I", "-c", code, *modules]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def _print_held(held: list[tuple[str, float, float]]) -> None:
    say()
    say(f"{'held':77}{'limit':>7}{'found':>8}")
    for what, limit, found in held:
        say(f"  {what:75}{limit:>7.2f}{found:>8.2f}  {'yes' if found <= limit else 'no'}")


if __name__ == "__main__":
    raise SystemExit(main())
