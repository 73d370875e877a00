"""``validate``: what a file is, whether it is valid, and where it is not."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openwop_evals._json import pointer_step
from openwop_evals.cli.app import run
from openwop_evals.cli.locate import locate
from openwop_evals.models import Kind
from tests.support.documents import WHOLE, changed, without

Validate = Callable[..., tuple[int, str, str]]

SUITE, SUMMARY, TRIAL = (json.dumps(WHOLE[kind]) for kind in ("suite", "summary", "trial"))
BAD_SUITE = json.dumps(changed("suite", "/version", "1"), indent=2)
BAD_TRIAL = json.dumps(changed("trial", "/score", 90))


@pytest.fixture
def validated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Validate:
    """Validate texts under files named a, b and so on: the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def validate_texts(*texts: str | bytes, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        names = "abcdef"[: len(texts)]
        for name, text in zip(names, texts, strict=True):
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        code = run(["validate", *options, *names])
        return code, *capfd.readouterr()

    return validate_texts


def notes_of(out: str) -> list[str]:
    """The lines of a report that say what was found."""
    return [line.removeprefix("error: ") for line in out.splitlines() if line.startswith("error: ")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SUITE, id="suite"),
        pytest.param(json.dumps(WHOLE["suite"], indent=2), id="suite over lines"),
        pytest.param(SUMMARY, id="summary"),
        pytest.param(json.dumps(WHOLE["summary"], indent=2), id="summary over lines"),
        pytest.param(TRIAL, id="one trial"),
        pytest.param(f"{TRIAL}\n{TRIAL}\n", id="trials"),
        pytest.param(f"{TRIAL}\r\n{TRIAL}\r\n", id="trials, CRLF"),
        pytest.param(f"\ufeff{TRIAL}\n{TRIAL}", id="trials, byte order mark"),
        pytest.param('{"taskId":"t1","output":"a\u2028b\x85c"}\n', id="a line separator in a text"),
    ],
)
def test_tells_a_valid_file_by_its_members(validated: Validate, text: str) -> None:
    code, out, err = validated(text)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "a: valid"
    assert notes_of(out) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param(BAD_SUITE, "a:3:14: at /version: ", id="suite"),
        pytest.param(
            json.dumps(without("suite", "/version")), "a:1:1: at the root: ", id="missing"
        ),
        pytest.param(json.dumps(changed("summary", "/tasks/0/score", True)), "a:1:", id="summary"),
        pytest.param(f"{TRIAL}\n{BAD_TRIAL}\n", "a:2: at /score: ", id="trials"),
        pytest.param(f"{TRIAL}\n{{\n", "a:2:2: not JSON", id="trials, a line cut"),
        pytest.param(
            f"{TRIAL}\n\n{TRIAL}\n",
            "a:2:1: not JSON: the text is empty",
            id="trials, an empty line",
        ),
        pytest.param(
            f'{TRIAL}\n{{"taskId":"t1","taskId":"t1"}}\n', "a:2: at /taskId: ", id="repeated name"
        ),
        pytest.param(
            SUITE.replace('"modes":', '"modes":[],"modes":'), "a:1:94: at /modes: ", id="repeated"
        ),
        pytest.param("\ufeff" + SUITE, "a:1:1: a byte order mark", id="byte order mark"),
    ],
)
def test_names_the_place_that_is_not_valid(validated: Validate, text: str, place: str) -> None:
    code, out, err = validated(text)
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == "a: not valid"
    (note,) = notes_of(out)
    assert note.startswith(place)


@pytest.mark.parametrize(
    ("kind", "text", "place"),
    [
        ("suite", "{", "a:1:2: not JSON"),
        ("suite", "", "a:1:1: not JSON"),
        ("suite", "null", "a:1:1: at the root: "),
        ("summary", '{"passed":\n NaN}', "a:"),
        ("trials", "{", "a:1:2: not JSON"),
        ("trials", "\n", "a:1:1: not JSON: the text is empty"),
        ("trials", "", "a: the log holds no record"),
        ("trials", json.dumps(WHOLE["trial"], indent=2), "a:1:"),
    ],
)
def test_what_is_not_json_is_not_valid(
    validated: Validate, kind: str, text: str, place: str
) -> None:
    code, out, err = validated(text, options=("--kind", kind))
    assert (code, err) == (1, "")
    assert notes_of(out)[0].startswith(place)


def test_names_every_place_of_every_file(validated: Validate) -> None:
    bad_log = f"{BAD_TRIAL}\n{TRIAL}\n{BAD_TRIAL}\n"
    code, out, err = validated(SUITE, BAD_SUITE, bad_log, "\ufeff" + SUMMARY)
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == "4 files: not valid"
    assert [note.partition(": ")[0] for note in notes_of(out)] == ["b:3:14", "c:1", "c:3", "d:1:1"]
    assert out.splitlines()[-1].split() == ["valid", "1", "of", "4", "files"]


def test_the_kind_that_is_given_goes_before_the_members(validated: Validate) -> None:
    assert validated(SUITE, options=("--kind", "suite"))[0] == 0
    code, out, _ = validated(SUITE, options=("--kind", "summary"))
    assert code == 1
    assert "a:1:1: at the root: " in out


@pytest.mark.parametrize("text", ["{}", "[]", "1", '{"a":{"taskId":1}}', '["taskId"]'])
def test_refuses_to_guess(validated: Validate, text: str) -> None:
    code, out, err = validated(text)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("openwop-evals: a: ")
    assert "--kind" in line


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["none"], "none: No such file or directory"),
        (["."], ".: Is a directory"),
        ([], "Missing argument"),
        (["--kind", "trial", "a"], "--kind"),
        (["--kind", "trials", "a", "none"], "none: No such file or directory"),
        (["--report", "xml", "a"], "--report"),
    ],
)
def test_cannot_decide(
    validated: Validate, capfd: pytest.CaptureFixture[str], arguments: list[str], part: str
) -> None:
    validated(TRIAL)
    code = run(["validate", *arguments])
    out, err = capfd.readouterr()
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert part in err


@pytest.mark.parametrize(("text", "code"), [(SUITE, 0), (BAD_SUITE, 1)])
def test_reads_stdin(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str, code: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["validate", "-"]) == code
    out, err = capfd.readouterr()
    assert out.startswith("<stdin>: valid" if code == 0 else "<stdin>: not valid")
    assert [note[:14] for note in notes_of(out)] == ["<stdin>:3:14: "] * code
    assert err == ""


def test_reports_to_files_and_to_stdout(validated: Validate) -> None:
    _, text, _ = validated(BAD_SUITE)
    code, out, err = validated(
        BAD_SUITE, options=("--report", "json", "--report", "text=t", "--report", "json=j")
    )
    assert (code, err) == (1, "")
    assert Path("t").read_text("utf-8") == text
    assert Path("j").read_text("utf-8") == out
    report = json.loads(out)
    assert (report["command"], report["verdict"], report["ok"]) == ("validate", "not valid", False)
    (note,) = report["notes"]
    assert (note["level"], note["code"]) == ("error", "pattern")
    assert (note["file"], note["line"], note["column"], note["pointer"]) == ("a", 3, 14, "/version")


JSON_NAMES = st.text(st.sampled_from('a/~"\\\n\u2028é{[,: '), max_size=4)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | JSON_NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(JSON_NAMES, inner, max_size=4),
    max_leaves=12,
)


class Writer:
    """Writes JSON with white space from a list, and keeps where each value begins."""

    def __init__(self, spaces: list[str]) -> None:
        self.spaces = spaces
        self.text = ""
        self.places: dict[str, tuple[int, int]] = {}

    def write(self, value: object, pointer: str = "") -> "Writer":
        self._space()
        before = self.text.split("\n")
        self.places[pointer] = (len(before), len(before[-1]) + 1)
        if isinstance(value, dict):
            self._write_children("{}", list(value.items()), pointer)
        elif isinstance(value, list):
            self._write_children("[]", list(enumerate(value)), pointer)
        else:
            self.text += json.dumps(value, ensure_ascii=len(self.text) % 2 == 0)
        self._space()
        return self

    def _write_children(self, brackets: str, children: list[tuple[Any, Any]], pointer: str) -> None:
        self.text += brackets[0]
        for at, (step, child) in enumerate(children):
            self.text += "," if at else ""
            if brackets == "{}":
                self._space()
                self.text += json.dumps(step) + ":"
            self.write(child, pointer + pointer_step(step))
        self.text += brackets[1]

    def _space(self) -> None:
        if self.spaces:
            self.text += self.spaces[len(self.text) % len(self.spaces)]


@given(JSON_VALUES, st.lists(st.text(" \t\r\n", max_size=3), max_size=5))
def test_every_value_is_located_where_it_was_written(value: object, spaces: list[str]) -> None:
    writer = Writer(spaces).write(value)
    assert json.loads(writer.text) == value
    assert locate(writer.text, writer.places) == writer.places
    assert locate(writer.text, [*writer.places, "/none/such", "none"]) == writer.places
    assert [locate(writer.text, [one])[one] for one in writer.places] == [*writer.places.values()]


@given(st.dictionaries(JSON_NAMES, st.lists(JSON_NAMES, min_size=1, max_size=3), min_size=1))
def test_a_pretty_printed_value_is_located_by_its_mark(names: dict[str, list[str]]) -> None:
    marked = {name: [f"mark {name!r} {at}" for at in range(len(names[name]))] for name in names}
    text = json.dumps(marked, indent=3)
    lines = text.split("\n")
    for name, marks in marked.items():
        for at, mark in enumerate(marks):
            pointer = pointer_step(name) + pointer_step(at)
            ((line, column),) = locate(text, [pointer]).values()
            assert lines[line - 1][column - 1 :].rstrip(",") == json.dumps(mark)


@pytest.mark.parametrize(
    ("text", "pointer", "place"),
    [
        ("1", "", (1, 1)),
        ("\n  {}", "", (2, 3)),
        ('{"a":1,"a":2}', "/a", (1, 6)),
        ('{"a":{"b":1},"a":{"c":2}}', "/a/c", (1, 23)),
        ('{"\\u0061":[0,\n7]}', "/a/1", (2, 1)),
        ('["]}{[,:", {"x": "\\\\\\""}]', "/1/x", (1, 18)),
    ],
)
def test_locates_the_first_value_at_a_pointer(
    text: str, pointer: str, place: tuple[int, int]
) -> None:
    assert locate(text, [pointer]) == {pointer: place}


@pytest.mark.parametrize("pointer", ["/b", "/a/0", "a", "/0", "/a/"])
def test_locates_nothing_where_nothing_is(pointer: str) -> None:
    assert locate('{"a": 1}', [pointer]) == {}


def test_a_kind_of_document_is_each_named_by_an_option(validated: Validate) -> None:
    texts: dict[Kind, str] = {"suite": SUITE, "summary": SUMMARY, "trial": TRIAL}
    for kind, text in texts.items():
        option = "trials" if kind == "trial" else kind
        assert validated(text, options=("--kind", option))[0] == 0
