"""The fuzz program in small, and inputs that are made to take long."""

import json
import time
from contextlib import suppress

import pytest

from openwop_evals import DecodeError, EvalsError, validate
from openwop_evals.models import DOCUMENTS, Kind
from tests.fuzz import fuzz
from tests.support.documents import DECODE, changed

MANY = 20_000


def test_nothing_but_our_errors_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--count", "2000", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("seed 1: 2,000 inputs in ")
    assert all(target in out for target in ("decode_suite", "iter_trials", "command grade"))


def test_a_failure_is_told_with_its_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: bytes) -> None:
        raise KeyError(len(text))

    monkeypatch.setitem(DECODE, "trial", broken)
    assert fuzz.main(["--count", "2000", "--seed", "1"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("seed 1, input ")
    assert "decode_trial: KeyError: " in out


HOSTILE: dict[str, bytes] = {
    "escaped quotes and no end": b'"' + b'\\"' * MANY + b"\\\n",
    "open strings": b'"' * MANY,
    "back slashes": b'"' + b"\\" * (2 * MANY + 1),
    "open arrays": b"[" * MANY,
    "nested arrays": b"[" * MANY + b"]" * MANY,
    "empty arrays": b"[" + b"[]," * MANY + b"[]]",
    "a number": b"1" + b"0" * MANY + b"e-20000",
    "an exponent": b"1e" + b"9" * MANY,
    "a fraction of zeros": b"0." + b"0" * MANY,
    "repeated names": b"{" + b'"a":1,' * MANY + b'"a":1}',
    "lone surrogates": b'"' + b"\\ud800" * MANY + b'"',
    "white space": b" " * MANY,
    "infinities": b"[" + b"-Infinity," * MANY + b"1]",
}


@pytest.mark.parametrize("kind", DOCUMENTS)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_refused_soon(kind: Kind, name: str) -> None:
    refused_soon(kind, HOSTILE[name])


@pytest.mark.parametrize(
    ("kind", "pointer", "value"),
    [
        ("suite", "/modes", [0, *(f"a{at}" for at in range(8000))]),
        ("suite", "/modes", [[at] for at in range(3000)]),
        ("summary", "/pinnedNodeIds", [{"a": at} for at in range(3000)]),
        ("suite", "/tasks/0/expected/trajectory/forbidden", [None, *map(str, range(MANY))]),
        ("summary", "/tasks", [0] * 3000),
        ("trial", "/extra", dict.fromkeys(map(str, range(3000)))),
        ("trial", "/" + "scor" * 3000, 1),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_a_hostile_document_is_refused_soon(kind: Kind, pointer: str, value: object) -> None:
    refused_soon(kind, json.dumps(changed(kind, pointer, value)).encode())


def refused_soon(kind: Kind, text: bytes) -> None:
    start = time.process_time()
    with pytest.raises(EvalsError):
        DECODE[kind](text)
    with suppress(DecodeError):
        assert validate(kind, text)
    assert time.process_time() - start < 2 * fuzz.MOST_SECONDS
