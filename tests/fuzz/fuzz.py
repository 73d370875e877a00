"""Feed mutated bytes to everything that reads: only our errors may come back, and soon.

``python -m tests.fuzz.fuzz [--count N] [--seconds S] [--seed K]``. The input of a number and a seed
is the same in every run.
"""

import argparse
import io
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

from openwop_evals import EvalsError, decode_trial, encode, iter_trials, validate
from openwop_evals.cli.app import run
from openwop_evals.models import DOCUMENTS, Kind, TrialRecord
from tests.support.documents import DECODE
from tests.support.generation import Generator

__all__ = ["Fuzzer", "main"]

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 2.0  # that one input may take
_HANG_SECONDS = 30
_MOST_BYTES = 20_000
_KINDS: list[Kind] = list(DOCUMENTS)

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_PIECES = [
    *(
        b"\xff",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\x1f",
    ),
    *(b"\n", b"\r\n", b"\r", b"\xe2\x80\xa8", b"\xc2\x85", b"\\", b'"', b'\\"', b"\\u0000"),
    *(b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u12"', b"NaN", b"-Infinity", b"null", b"true", b"''"),
    *(b"{", b"}", b"[", b"]", b",", b":", b"{}", b"[]", b"//", b'"a":1,', b'"taskId":"t1",'),
    *(b"[" * 300, b"]" * 300, b'{"a":' * 300, b"[" * 5000, b"[" * 256 + b"]" * 256),
    b"[" * 2000 + b"]" * 2000,
]
_NUMBERS = [
    *(
        b"0",
        b"-0",
        b"-0.0",
        b"1.0",
        b"1e2",
        b"0.5e1",
        b"1E+2",
        b"-1",
        b"1e400",
        b"-1e400",
        b"1e308",
    ),
    *(b"9" * 30, b"-" + b"9" * 400, b"9" * 4300, b"9" * 4301, b"9" * 9000, b"0." + b"3" * 5000),
    *(b"1e999999999999999999999", b"0e999999999", b"1e-999999999", b"01", b"1.", b"1e"),
]


class Failure(Exception):  # noqa: N818 - a finding
    """An input that was answered with something else than an error of ours."""


class Hang(BaseException):
    """An input that takes far too long; no handler of errors catches it."""


class Fuzzer:
    """The inputs of one seed, and what became of them.

    Attributes:
        counts: Inputs by target.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self.counts: Counter[str] = Counter()
        self._seed = seed
        self._folder = folder
        corpus = ROOT / "tests" / "corpus"
        self._documents = {
            kind: [path.read_bytes() for path in sorted(corpus.glob(f"*/{kind}/*.json"))]
            for kind in _KINDS
        }
        self._all = [text for texts in self._documents.values() for text in texts]
        self._runs = [
            ((folder / "suite.json").read_bytes(), (folder / "trials.jsonl").read_bytes())
            for folder in sorted((ROOT / "docs" / "examples").iterdir())
        ]

    def feed(self, number: int) -> None:
        """Make the input of a number and feed it to its target.

        Raises:
            Failure: It was not answered as it must be.
        """
        random = Random(self._seed << 40 | number)  # noqa: S311 - no secret hangs on it
        chance = random.random()
        if chance < 0.7:
            kind = random.choice(_KINDS)
            text = self._changed(random, self._document(random, kind))
            target = kind if random.random() < 0.9 else random.choice(_KINDS)
            self._try(f"decode_{target}", [text], lambda: _decode(target, text))
        elif chance < 0.9:
            text = self._log(random)
            self._try("iter_trials", [text], lambda: _read_log(text))
        elif chance < 0.98:
            kind = random.choice(_KINDS)
            text = self._changed(random, self._document(random, kind))
            self._try("validate", [text], lambda: _validate(kind, text))
        elif chance < 0.99:
            self._grade(random)
        else:
            kind = random.choice(_KINDS)
            log = kind == "trial" and random.random() < 0.5
            text = self._changed(random, self._log(random) if log else self._document(random, kind))
            arguments = ["validate", self._written("file", text), *self._report(random)]
            self._try("command validate", [text], lambda: _command(arguments))

    def _grade(self, random: Random) -> None:
        suite, trials = random.choice(self._runs)
        baseline = random.choice(self._documents["summary"])
        if random.random() < 0.2:
            suite = self._document(random, "suite")
        if random.random() < 0.2:
            trials = self._log(random)
        texts = [suite, trials, baseline]
        at = random.randrange(3)
        texts[at] = self._changed(random, texts[at])
        names = [self._written(f"file{number}", text) for number, text in enumerate(texts)]
        arguments = ["grade", *names[:2], *self._report(random)]
        if at == 2 or random.random() < 0.5:
            arguments += ["--baseline", names[2], "--baseline-run-id", "a/" + "b" * 16]
        self._try("command grade", texts, lambda: _command(arguments))

    def _report(self, random: Random) -> list[str]:
        return ["--report", random.choice(["text", "json"])]

    def _written(self, name: str, text: bytes) -> str:
        path = self._folder / name
        path.write_bytes(text)
        return str(path)

    def _try(self, target: str, texts: list[bytes], read: Callable[[], None]) -> None:
        self.counts[target] += 1
        start = time.process_time()
        try:
            with _interrupted():
                read()
        except (Exception, Hang) as error:
            raise Failure(f"{target}: {type(error).__name__}: {error}: {texts!r}") from error
        spent = time.process_time() - start
        if spent > MOST_SECONDS:
            raise Failure(f"{target}: took {spent:.1f} s: {texts!r}")

    def _document(self, random: Random, kind: Kind) -> bytes:
        if random.random() < 0.3:
            return Generator(random).text(kind)
        return random.choice(self._documents[kind])

    def _log(self, random: Random) -> bytes:
        """Lines of a trial log, one of them changed."""
        lines = [
            random.choice(self._documents["trial"]).strip().replace(b"\n", b" ")
            if random.random() < 0.5
            else b'{"taskId":"t1","trial":%d,"score":0.5}' % at
            for at in range(random.randint(1, 4))
        ]
        at = random.randrange(len(lines))
        lines[at] = self._changed(random, lines[at])
        return random.choice([b"\n", b"\n", b"\r\n"]).join(lines)

    def _changed(self, random: Random, text: bytes) -> bytes:
        for _ in range(random.choice([0, 1, 1, 1, 2, 2, 3, 6])):
            text = random.choice(_CHANGES)(random, text, self._all)[:_MOST_BYTES]
        return text


def _flip(random: Random, text: bytes, _: object) -> bytes:
    at = random.randrange(len(text) or 1)
    return (
        text[:at]
        + bytes(byte ^ 1 << random.randrange(8) for byte in text[at : at + 1])
        + (text[at + 1 :])
    )


def _delete(random: Random, text: bytes, _: object) -> bytes:
    start, end = _span(random, text)
    return text[:start] + text[end:]


def _insert(random: Random, text: bytes, _: object) -> bytes:
    at = random.randint(0, len(text))
    piece = random.choice([random.choice(_PIECES), random.randbytes(random.randint(1, 4))])
    return text[:at] + piece + text[at:]


def _splice(random: Random, text: bytes, pool: list[bytes]) -> bytes:
    other: bytes = random.choice(pool)
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def _truncate(random: Random, text: bytes, _: object) -> bytes:
    return text[: random.randint(0, len(text))]


def _repeat(random: Random, text: bytes, _: object) -> bytes:
    start, end = _span(random, text)
    times = random.choice([2, 2, 3, 10, 1000]) if random.random() < 0.1 else 2
    return text[:start] + text[start:end] * times + text[end:]


def _swap_tokens(random: Random, text: bytes, pool: list[bytes]) -> bytes:
    """Put another token of this text or of another in the place of one."""
    tokens = list(_TOKEN.finditer(text))
    others: list[bytes] = _TOKEN.findall(random.choice([text, random.choice(pool)]))
    if not tokens or not others:
        return text
    token = random.choice(tokens)
    return text[: token.start()] + random.choice(others) + text[token.end() :]


def _put_piece(random: Random, text: bytes, _: object) -> bytes:
    """Put a strange piece in the place of a token."""
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return random.choice(_PIECES)
    token = random.choice(tokens)
    return text[: token.start()] + random.choice(_PIECES) + text[token.end() :]


def _put_number(random: Random, text: bytes, _: object) -> bytes:
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text + random.choice(_NUMBERS)
    number = random.choice(numbers)
    return text[: number.start()] + random.choice(_NUMBERS) + text[number.end() :]


def _span(random: Random, text: bytes) -> tuple[int, int]:
    start = random.randint(0, len(text))
    return start, start + random.choice([1, 1, 2, 4, 16, 64])


_CHANGES: list[Callable[[Random, bytes, list[bytes]], bytes]] = [
    *(_flip, _delete, _insert, _splice, _truncate, _repeat),
    *(_swap_tokens, _swap_tokens, _put_piece, _put_number),
]


def _decode(kind: Kind, text: bytes) -> None:
    try:
        document = DECODE[kind](text)
    except EvalsError as error:
        str(error)
    else:
        encode(document)


def _read_log(text: bytes) -> None:
    """Read a log, which must give what its lines give one by one.

    Raises:
        ValueError: It gives something else.
    """
    whole = _outcome(iter_trials(io.BytesIO(text)))
    marked = [line.rstrip(b"\r\n") for line in io.BytesIO(text)]
    lines = [line.removeprefix(b"\xef\xbb\xbf") for line in marked[:1]] + marked[1:]
    if whole != _outcome(map(decode_trial, lines)):
        raise ValueError("the log differs from its lines")


def _outcome(records: Iterator[TrialRecord]) -> list[str]:
    """The records, and the error that ended them."""
    found = []
    try:
        for record in records:
            found.append(repr(record))
    except EvalsError as error:
        str(error)
        found.append(type(error).__name__)
    return found


def _validate(kind: Kind, text: bytes) -> None:
    try:
        str(validate(kind, text))
    except EvalsError as error:
        str(error)


def _command(arguments: list[str]) -> None:
    """Run a command in this process, its output kept.

    Raises:
        ValueError: It met a fault, or its exit code is none of its own.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    err.flush()
    err.seek(0)
    complaint = err.read()
    if code not in {0, 1, 2}:
        raise ValueError(f"exit code {code}")
    if "Traceback" in complaint or "openwop-evals: unexpected" in complaint:
        raise ValueError(complaint)


@contextmanager
def _interrupted() -> Iterator[None]:
    """Interrupt what hangs, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, _HANG_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _on_alarm(_number: int, _frame: object) -> None:
    raise Hang(f"no answer in {_HANG_SECONDS} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Feed inputs until the count or the time is used up.

    Returns:
        0, or 1 when an input failed.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.fuzz", description="Fuzz.")
    parser.add_argument("--count", type=int, default=100_000, help="inputs at most")
    parser.add_argument("--seconds", type=float, default=60, help="seconds at most")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    if hasattr(signal, "SIGALRM"):
        before = signal.signal(signal.SIGALRM, _on_alarm)
    start = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            fuzzer = Fuzzer(options.seed, Path(folder))
            for number in range(options.count):
                if time.monotonic() - start > options.seconds:
                    break
                try:
                    fuzzer.feed(number)
                except Failure as failure:
                    sys.stdout.write(f"seed {options.seed}, input {number}: {failure}\n")
                    return 1
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, before)
    seconds, total = time.monotonic() - start, fuzzer.counts.total()
    targets = ", ".join(f"{name} {count:,}" for name, count in sorted(fuzzer.counts.items()))
    sys.stdout.write(
        f"seed {options.seed}: {total:,} inputs in {seconds:.0f} s, {total / seconds:,.0f} a second"
        f" ({targets}): no failure\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
