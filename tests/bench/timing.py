"""Medians of interleaved rounds, over calls and over whole processes, and the memory held.

Calls are timed by the processor's time, so that what else runs on the machine counts less.
"""

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from itertools import repeat
from statistics import median
from time import perf_counter, process_time

__all__ = ["bytes_held", "import_seconds", "medians", "seconds_of_calls", "start_seconds"]

_SLICE = 0.005  # the least that is measured in one go, in seconds
_LEAST_ROUNDS, _MOST_ROUNDS = 3, 31
_TIMED_IMPORT = """
import sys, time
start = time.perf_counter()
__import__(sys.argv[1])
print(time.perf_counter() - start)
"""


def seconds_of_calls(calls: Mapping[str, Callable[[], object]], budget: float) -> dict[str, float]:
    """The processor's seconds of one call of each contender; its result is freed within them.

    Args:
        calls: The contenders by name.
        budget: About how many seconds one of them may take in all; the slow get fewer rounds.
    """
    gc.collect()
    gc.freeze()  # what the contenders work on is not collected again and again
    try:
        samplers, rounds = {}, {}
        for name, call in calls.items():
            loops, seconds = _calibrated(call)
            samplers[name] = _sampler(call, loops)
            rounds[name] = max(_LEAST_ROUNDS, min(_MOST_ROUNDS, int(budget / seconds)))
        return medians(samplers, rounds)
    finally:
        gc.unfreeze()


def medians(
    samplers: Mapping[str, Callable[[], float]], rounds: Mapping[str, int]
) -> dict[str, float]:
    """The median of what each sampler returns.

    A round asks every sampler once, each round another one first; a sampler with fewer rounds has
    them spread over all.
    """
    names, most = list(samplers), max(rounds.values())
    figures: dict[str, list[float]] = {name: [] for name in names}
    for at in range(most):
        turn = at % len(names)
        for name in names[turn:] + names[:turn]:
            if at * rounds[name] % most < rounds[name]:
                figures[name].append(samplers[name]())
    return {name: median(found) for name, found in figures.items()}


def import_seconds(module: str) -> float:
    """The seconds of one import in a fresh interpreter."""
    command = [sys.executable, "-I", "-c", _TIMED_IMPORT, module]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def start_seconds(*command: str) -> float:
    """The seconds of one process from its start to its end."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def bytes_held(make: Callable[[], object]) -> int:
    """The bytes that the result of a call holds."""
    make()  # what it keeps for later calls is no part of the result
    gc.collect()
    tracemalloc.start()
    try:
        result = make()
        held = tracemalloc.get_traced_memory()[0]
        del result
        return held
    finally:
        tracemalloc.stop()


def _calibrated(call: Callable[[], object]) -> tuple[int, float]:
    """How many calls in a row can be measured, and the seconds that they take."""
    loops = 1
    while (seconds := _seconds(call, loops)) < _SLICE:
        loops *= 2
    return loops, seconds


def _sampler(call: Callable[[], object], loops: int) -> Callable[[], float]:
    return lambda: _seconds(call, loops) / loops


def _seconds(call: Callable[[], object], loops: int) -> float:
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        for _ in repeat(None, loops):
            call()
        return process_time() - start
    finally:
        gc.enable()
