"""``grade``: its answer, its exit code, where each word goes, and what it refuses."""

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from openwop_evals import decode_suite, decode_summary, decode_trial, encode, grade
from openwop_evals.cli.app import run
from tests.support.builders import golden, suite_json, task, write_lines

Json = dict[str, Any]
Grade = Callable[..., tuple[int, str, str]]

PATH = task("t1", golden({"forbidden": ["shop:delete"]}))
CLEAN = {"taskId": "t1", "score": 0.9, "toolCalls": []}
DELETED = {"taskId": "t1", "score": 0.9, "toolCalls": [{"tool": "shop:delete"}]}
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - files of the name's own kind, under /dev
RUN_ID = "acme/0123456789abcdef"
ROWS = [{"taskId": "t1", "score": 0.9}]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def graded(folder: Path, capfd: pytest.CaptureFixture[str]) -> Grade:
    """Grade a suite and rows under files of their own: the exit code, stdout and stderr."""

    def grade_files(
        *options: str, suite: Json | None = None, rows: Sequence[object] = ROWS
    ) -> tuple[int, str, str]:
        (folder / "suite.json").write_text(json.dumps(suite or suite_json(), indent=2), "utf-8")
        write_lines(folder / "trials.jsonl", rows)
        code = run(["grade", "suite.json", "trials.jsonl", *options])
        return code, *capfd.readouterr()

    return grade_files


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("suite", "rows", "passed"),
    [
        pytest.param(suite_json(), ROWS, True, id="over the bar"),
        pytest.param(suite_json(), [{"taskId": "t1", "score": 0.7}], True, id="on the bar"),
        pytest.param(suite_json(), [{"taskId": "t1", "score": 0.2}], False, id="under the bar"),
        pytest.param(
            suite_json(*map(task, "abc"), bars={"passScore": 0.8}),
            [{"taskId": name, "score": 0.5 if name == "c" else 1.0} for name in "abc"],
            True,
            id="the mean decides, one task under it",
        ),
        pytest.param(suite_json(PATH), [CLEAN], True, id="clean path"),
        pytest.param(suite_json(PATH), [DELETED], False, id="wrong path, good score"),
        pytest.param(
            suite_json(bars={"passScore": 0.7, "maxCostUsd": 0}),
            [ROWS[0] | {"costUsd": 0.01}],
            False,
            id="over a cost bar of 0",
        ),
        pytest.param(
            suite_json(bars={"passScore": 0.7, "maxCostUsd": 1}), ROWS, False, id="unknown cost"
        ),
        pytest.param(
            suite_json(bars={"passScore": 0.7, "maxP95LatencyMs": 100}),
            [ROWS[0] | {"latencyMs": 101}],
            False,
            id="over the latency bar",
        ),
        pytest.param(
            suite_json(bars={"passScore": 0.7, "maxP95LatencyMs": 100}),
            ROWS,
            False,
            id="unknown latency",
        ),
    ],
)
def test_summary_report_and_exit_code_give_one_verdict(
    graded: Grade, folder: Path, suite: Json, rows: list[Json], *, passed: bool
) -> None:
    code, out, err = graded(
        "--report", "text", "--report", "json=report.json", suite=suite, rows=rows
    )
    report = json.loads((folder / "report.json").read_bytes())
    assert json.loads(out)["passed"] is passed
    assert code == (0 if passed else 1)
    assert err.splitlines()[0].endswith(": passed" if passed else ": not passed")
    assert (report["ok"], report["verdict"]) == (passed, "passed" if passed else "not passed")
    assert any(note["level"] == "error" for note in report["notes"]) is not passed


def test_stdout_is_the_summary_and_nothing_else(graded: Grade) -> None:
    code, out, err = graded()
    summary = grade(decode_suite(json.dumps(suite_json())), [decode_trial(json.dumps(ROWS[0]))])
    assert out.encode() == encode(summary) + b"\n"
    assert err.startswith("acme.evals.sample 1.0.0: passed\n")
    assert code == 0


@pytest.mark.parametrize(("score", "code"), [(0.9, 0), (0.2, 1)])
def test_writes_the_summary_to_a_file(graded: Grade, folder: Path, score: float, code: int) -> None:
    rows = [{"taskId": "t1", "score": score}]
    _, printed, report = graded(rows=rows)
    (folder / "out.json").write_text("x" * 10_000, "utf-8")
    assert graded("-o", "out.json", rows=rows) == (code, "", report)
    assert listing(folder).keys() == {"suite.json", "trials.jsonl", "out.json"}
    assert (folder / "out.json").read_text("utf-8") == printed


def test_writes_through_a_link(graded: Grade, folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "out.json").symlink_to("there/real.json")
    assert graded("-o", "out.json")[0] == 0
    assert (folder / "out.json").is_symlink()
    assert decode_summary((folder / "there/real.json").read_bytes()).passed


def test_writes_to_a_pipe_without_replacing_it(graded: Grade, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with ThreadPoolExecutor() as pool:
        reader = pool.submit((folder / "pipe").read_bytes)
        assert graded("-o", "pipe")[:2] == (0, "")
        assert decode_summary(reader.result(timeout=10)).passed
    assert (folder / "pipe").is_fifo()


def test_adds_to_an_open_file_and_keeps_what_it_holds(graded: Grade, folder: Path) -> None:
    with (folder / "log").open("wb", buffering=0) as file:
        file.write(b"kept\n")
        assert graded("-o", f"/dev/fd/{file.fileno()}")[:2] == (0, "")
    kept, summary = (folder / "log").read_bytes().splitlines()
    assert kept == b"kept"
    assert decode_summary(summary).passed


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="there is no /dev/shm here")
def test_replaces_a_file_among_the_devices(graded: Grade) -> None:
    with TemporaryDirectory(dir=SHARED_MEMORY) as shared:
        for _ in range(2):
            assert graded("-o", f"{shared}/out.json", "--report", f"json={shared}/r.json")[0] == 0
        assert decode_summary(Path(shared, "out.json").read_bytes()).passed
        assert json.loads(Path(shared, "r.json").read_text("utf-8"))["ok"]


def test_keeps_the_mode_of_a_file_that_it_replaces(graded: Grade, folder: Path) -> None:
    (folder / "out.json").write_bytes(b"old")
    (folder / "out.json").chmod(0o600)
    assert graded("-o", "out.json")[0] == 0
    assert (folder / "out.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "arguments",
    [["-o", "suite.json"], ["-o", "a", "--report", "json=a"], ["--report", "text=trials.jsonl"]],
    ids=["over the suite", "twice to one file", "over the log"],
)
def test_refuses_to_write_over_what_it_reads_or_wrote(graded: Grade, arguments: list[str]) -> None:
    code, out, err = graded(*arguments)
    assert (code, out) == (2, "")
    assert "is an input, among the inputs, or another output" in err


def test_names_every_line_that_is_no_trial(
    graded: Grade, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    graded()
    lines = ['{"taskId":"t1","score":2}', '{"taskId":"t1","score":1}', "x", "", '{"score":1}']
    (folder / "trials.jsonl").write_text("\n".join(lines), "utf-8")
    capfd.readouterr()
    assert run(["grade", "suite.json", "trials.jsonl"]) == 2
    places = [line.split(":")[1] for line in lines_of(capfd.readouterr().err)]
    assert places == ["1", "3", "4", "5"]


def test_closed_streams_decide_nothing(graded: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert graded()[0] == 2
    monkeypatch.setattr("sys.stdin", None)
    assert run(["validate", "-"]) == 2


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="no trial"),
        pytest.param([{"taskId": "t1", "score": 1.5}], id="breaks the schema"),
        pytest.param([*ROWS, *ROWS], id="repeated"),
    ],
)
def test_leaves_the_file_alone_when_it_cannot_grade(
    graded: Grade, folder: Path, rows: list[Json]
) -> None:
    graded(rows=rows)  # so that the inputs are there before
    (folder / "out.json").write_text("earlier", "utf-8")
    before = listing(folder)
    code, out, _ = graded("-o", "out.json", "--report", "json=report.json", rows=rows)
    assert (code, out) == (2, "")
    assert listing(folder) == before


def test_leaves_nothing_behind_when_the_disk_refuses(
    graded: Grade, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    code, out, err = graded("-o", "out.json", "--report", "json")
    assert (code, out) == (2, "")
    assert err == "openwop-evals: out.json: No space left on device\n"
    assert listing(folder).keys() == {"suite.json", "trials.jsonl"}


@pytest.mark.parametrize("output", ["missing/out.json", "folder"])
def test_names_the_file_that_it_cannot_write(graded: Grade, folder: Path, output: str) -> None:
    (folder / "folder").mkdir()
    code, out, err = graded("-o", output)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert f"{output}: " in line


def test_reports_as_often_as_asked(graded: Grade, folder: Path) -> None:
    _, _, text = graded()
    _, _, err = graded("--report", "json", "--report", "text=a.txt", "--report", "json=b.json")
    assert (folder / "a.txt").read_text("utf-8") == text
    assert (folder / "b.json").read_text("utf-8") == err
    report = json.loads(err)
    assert (report["command"], report["subject"]) == ("grade", "acme.evals.sample 1.0.0")
    assert report["tasks"] == [
        {
            "taskId": "t1",
            "score": 0.9,
            "passed": True,
            "trials": [
                {"trial": 0, "score": 0.9, "gatingScore": 0.9, "passed": True, "state": "measured"}
            ],
        }
    ]
    values = {fact["name"]: fact["value"] for fact in report["facts"]}
    assert values["gating aggregate"] == 0.9
    assert values["cost USD"] is None


def test_the_report_shows_every_trial_and_where_each_was_gated(graded: Grade) -> None:
    trajectory = {"toolCalls": [{"tool": "shop:find", "args": {"id": "secret-1"}}]}
    wrong = [{"tool": "shop:list"}, {"tool": "shop:find", "args": {"id": "secret-2"}}]
    right = [{"tool": "shop:find", "args": {"id": "secret-1"}}]
    rows: list[Json] = [
        {"taskId": "t1", "trial": 0, "score": 0.9, "toolCalls": right},
        {"taskId": "t1", "trial": 1, "score": 0.8, "toolCalls": wrong},
        {"taskId": "t1", "trial": 2, "error": "timeout"},
        {"taskId": "t1", "trial": 3, "fixtureMiss": True},
    ]
    suite = suite_json(task("t1", golden(trajectory)), count=4, rule="mean")
    code, _, err = graded(suite=suite, rows=rows)
    row = next(line for line in err.splitlines() if line.startswith("t1 "))
    assert row.split() == [
        "t1",
        "0.425",
        "0.225",
        "failed",
        "0.9",
        "0.8>0",
        "errored",
        "fixture-miss",
    ]
    for part in (
        "task t1, trial 1: ",
        "task t1, trial 2: errored with timeout",
        "task t1, trial 3: failed closed on a fixture miss",
        "measured 3 of 4 trials",
        "the gating aggregate 0.225 is under passScore 0.7",
    ):
        assert part in err
    assert "secret" not in err
    assert code == 1


def test_the_report_points_at_the_forbidden_call(graded: Grade, folder: Path) -> None:
    graded("--report", "json=report.json", suite=suite_json(PATH), rows=[DELETED])
    notes = json.loads((folder / "report.json").read_bytes())["notes"]
    (note,) = (note for note in notes if note["level"] == "warning")
    assert note["code"] == "trajectory-forbidden"
    assert (note["taskId"], note["trial"], note["callIndex"]) == ("t1", 0, 0)
    assert note["tool"] == "shop:delete"


def test_numbers_close_to_the_bar_are_told_apart(graded: Grade) -> None:
    code, _, err = graded(
        suite=suite_json(bars={"passScore": 0.8}), rows=[{"taskId": "t1", "score": 0.7966}]
    )
    assert code == 1
    assert "the gating aggregate 0.7966 is under passScore 0.8" in err


@pytest.mark.parametrize("target", ["xml", "", "=a.json", "json=", "JSON"])
def test_refuses_a_report_that_it_cannot_make(graded: Grade, folder: Path, target: str) -> None:
    code, out, err = graded("--report", target)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("openwop-evals: Invalid value for '--report': ")
    assert listing(folder).keys() == {"suite.json", "trials.jsonl"}


def lines_of(err: str) -> list[str]:
    lines = err.splitlines()
    assert all(line.startswith("openwop-evals: ") for line in lines)
    return [line.removeprefix("openwop-evals: ") for line in lines]


def test_names_every_trial_that_cannot_be_graded_by_its_line(graded: Grade) -> None:
    suite = suite_json(task("a"), task("b"), task("c", golden({"forbidden": ["x"]})), count=2)
    rows: list[Json] = [
        {"taskId": "a", "trial": 0, "score": 1},
        {"taskId": "z", "score": 1},
        {"taskId": "a", "trial": 0, "score": 0},
        {"taskId": "a", "trial": 2, "score": 1},
        {"taskId": "b", "trial": 1},
        {"taskId": "c", "trial": 0, "score": 1},
        {"taskId": "c", "trial": 1, "error": "timeout"},
    ]
    code, out, err = graded(suite=suite, rows=rows)
    lines = lines_of(err)
    assert (code, out) == (2, "")
    assert [line[:32] for line in lines[:5]] == [
        "trials.jsonl:2: task z, trial 0:",
        "trials.jsonl:3: task a, trial 0:",
        "trials.jsonl:4: task a, trial 2:",
        "trials.jsonl:5: task b, trial 1:",
        "trials.jsonl:6: task c, trial 0:",
    ]
    assert "line 1" in lines[1]
    assert lines[5:] == [
        "task a, trial 1: the trial has no record, expected 2 in all",
        "task b, trial 0: the trial has no record, expected 2 in all",
    ]


def test_names_the_place_in_a_suite_that_cannot_be_graded(graded: Grade) -> None:
    suite = suite_json(task("a"), task("a"), task("b", {"kind": "rubric"}))
    code, out, err = graded(suite=suite, rows=[])
    assert (code, out) == (2, "")
    places = [
        "suite.json:23:17: task a: at /tasks/1/taskId: ",
        "suite.json:36:19: task b: at /tasks/2/expected: ",
    ]
    lines = lines_of(err)
    assert [line[: len(place)] for line, place in zip(lines, places, strict=True)] == places


def test_refuses_a_run_in_which_every_trial_errored(graded: Grade) -> None:
    code, out, err = graded(rows=[{"taskId": "t1", "error": "timeout"}])
    assert (code, out) == (2, "")
    assert lines_of(err) == ["every trial errored: nothing was measured"]


@pytest.mark.parametrize(
    ("suite", "places"),
    [
        (
            json.dumps(suite_json(task("t1", {"kind": "gold"}), version="1"), indent=2),
            ["suite.json:15:17: at /tasks/0/expected/kind: ", "suite.json:3:14: at /version: "],
        ),
        (
            json.dumps(suite_json()).replace('"version":', '"version": "1.0.0",\n "version":'),
            ["suite.json:1:45: at /version: "],
        ),
        ("{}", ["suite.json:1:1: at the root: "] * 4),
        ('{"suiteId":\n  NOPE}', ["suite.json:2:3: not JSON"]),
        ("", ["suite.json:1:1: not JSON"]),
        ("\ufeff{}", ["suite.json:1:1: a byte order mark"]),
    ],
    ids=["breaks the schema", "repeated name", "empty", "not JSON", "no text", "byte order mark"],
)
def test_names_the_places_in_what_is_no_suite(
    graded: Grade, folder: Path, capfd: pytest.CaptureFixture[str], suite: str, places: list[str]
) -> None:
    graded()
    (folder / "suite.json").write_text(suite, "utf-8")
    code = run(["grade", "suite.json", "trials.jsonl"])
    out, err = capfd.readouterr()
    lines = lines_of(err)
    assert (code, out, len(lines)) == (2, "", len(places))
    assert [line[: len(place)] for line, place in zip(lines, places, strict=True)] == places


@pytest.mark.parametrize(
    ("second", "places"),
    [
        (
            '{"taskId":"t2","score":1.5,"trial":-1}',
            ["2: task t2, trial -1: at /score: ", "2: task t2, trial -1: at /trial: "],
        ),
        ('{"taskId":"t2","toolCalls":["x"]}', ["2: task t2: at /toolCalls/0: "]),
        ('{"taskId":"t2"', ["2:15: not JSON"]),
        ("", ["2:1: not JSON: the text is empty"]),
        ('{"taskId":"t2","output":{"a":1,"a":1}}', ["2: at /output/a: "]),
    ],
    ids=["breaks the schema", "no tool call", "cut", "empty line", "repeated name"],
)
def test_names_the_line_of_a_log_that_holds_no_trial(
    graded: Grade,
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    second: str,
    places: list[str],
) -> None:
    graded()
    (folder / "trials.jsonl").write_text(f'{{"taskId":"t1"}}\n{second}\n', "utf-8")
    code = run(["grade", "suite.json", "trials.jsonl"])
    out, err = capfd.readouterr()
    lines = lines_of(err)
    expected = [f"trials.jsonl:{place}" for place in places]
    assert (code, out, len(lines)) == (2, "", len(places))
    assert [line[: len(place)] for line, place in zip(lines, expected, strict=True)] == expected


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-", "trials.jsonl"], json.dumps(suite_json())),
        (["suite.json", "-"], json.dumps(ROWS[0])),
        (["suite.json", "-"], "\ufeff" + json.dumps(ROWS[0]) + "\r\n"),
    ],
    ids=["suite", "trials", "trials with a byte order mark"],
)
def test_reads_stdin(
    graded: Grade,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    text: str,
) -> None:
    expected = graded()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code = run(["grade", *arguments])
    assert (code, *capfd.readouterr()) == expected


def test_names_stdin_in_what_it_refuses(
    graded: Grade, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    graded()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"taskId":"other"}\n')))
    code = run(["grade", "suite.json", "-"])
    out, err = capfd.readouterr()
    assert (code, out) == (2, "")
    assert lines_of(err)[0].startswith("<stdin>:1: task other, trial 0: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["-", "-"],
        ["-", "trials.jsonl", "--baseline", "-", "--baseline-run-id", RUN_ID],
        ["suite.json", "-", "--baseline", "-", "--baseline-run-id", RUN_ID],
    ],
    ids=["suite and trials", "suite and baseline", "trials and baseline"],
)
def test_does_not_read_stdin_twice(
    graded: Grade,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    graded()
    text = json.dumps(ROWS[0] if arguments[0] == "suite.json" else suite_json())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code = run(["grade", *arguments])
    out, err = capfd.readouterr()
    assert (code, out) == (2, "")
    if arguments == ["-", "-"]:
        assert "only one input can be stdin" in err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["none.json", "trials.jsonl"], "none.json: No such file or directory"),
        (["suite.json", "none.jsonl"], "none.jsonl: No such file or directory"),
        ([".", "trials.jsonl"], ".: Is a directory"),
        (["suite.json", "."], ".: Is a directory"),
        (
            ["suite.json", "trials.jsonl", "--baseline", "none.json", "--baseline-run-id", "x"],
            "none.json: No such file or directory",
        ),
    ],
)
def test_names_the_file_that_it_cannot_read(
    graded: Grade, capfd: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    graded()
    code = run(["grade", *arguments])
    out, err = capfd.readouterr()
    assert (code, out, lines_of(err)) == (2, "", [reason])


def baseline_of(version: str = "1.0.0", task_id: str = "t1") -> Json:
    return {
        "suiteId": "acme.evals.sample",
        "suiteVersion": version,
        "aggregateScore": 0.8,
        "passed": True,
        "taskCount": 1,
        "passedCount": 1,
        "tasks": [{"taskId": task_id, "score": 0.8, "passed": True}],
    }


def test_compares_with_a_baseline(graded: Grade, folder: Path) -> None:
    (folder / "base.json").write_text(json.dumps(baseline_of()), "utf-8")
    code, out, err = graded("--baseline", "base.json", "--baseline-run-id", RUN_ID)
    assert code == 0
    assert json.loads(out)["regression"] == {"baselineRunId": RUN_ID, "scoreDelta": 0.1}
    assert err.splitlines()[-1].split() == ["score", "delta", "0.1"]


@pytest.mark.parametrize(
    ("baseline", "options", "reasons"),
    [
        pytest.param(
            baseline_of("1.0.1"),
            ["--baseline-run-id", RUN_ID],
            ["the baseline's suiteVersion is 1.0.1, expected 1.0.0"],
            id="another version",
        ),
        pytest.param(
            baseline_of(task_id="t2"),
            ["--baseline-run-id", RUN_ID],
            [
                "task t1: the baseline has no such task",
                "task t2: only the baseline has such a task",
            ],
            id="other tasks",
        ),
        pytest.param(
            baseline_of(), [], ["a baseline and the id of its run go together"], id="no id"
        ),
        pytest.param(
            baseline_of(),
            ["--baseline-run-id", "x"],
            ["at /regression/baselineRunId: "],
            id="bad id",
        ),
        pytest.param(
            baseline_of("one"),
            ["--baseline-run-id", RUN_ID],
            ["base.json:1:50: at /suiteVersion: "],
            id="no summary",
        ),
    ],
)
def test_refuses_a_baseline(
    graded: Grade, folder: Path, baseline: Json, options: list[str], reasons: list[str]
) -> None:
    (folder / "base.json").write_text(json.dumps(baseline), "utf-8")
    code, out, err = graded("--baseline", "base.json", *options)
    lines = lines_of(err)
    assert (code, out, len(lines)) == (2, "", len(reasons))
    assert [line[: len(reason)] for line, reason in zip(lines, reasons, strict=True)] == reasons


def test_refuses_the_id_of_a_baseline_that_is_not_given(graded: Grade) -> None:
    code, out, err = graded("--baseline-run-id", RUN_ID)
    assert (code, out, lines_of(err)) == (2, "", ["a baseline and the id of its run go together"])


def test_writes_the_class_of_the_model(graded: Grade) -> None:
    code, out, _ = graded("--model-class", "coding", suite=suite_json(allowedModels=["coding"]))
    assert (code, json.loads(out)["evaluatedModelClass"]) == (0, "coding")


@pytest.mark.parametrize(
    ("model_class", "reason"),
    [
        ("writing", "suite.json:23:20: at /allowedModels: "),
        ("none", "suite.json:23:20: at /allowedModels: "),
    ],
)
def test_refuses_a_class_that_the_suite_does_not_allow(
    graded: Grade, model_class: str, reason: str
) -> None:
    suite = suite_json(allowedModels=["coding"])
    code, out, err = graded("--model-class", model_class, suite=suite)
    (line,) = lines_of(err)
    assert (code, out, line[: len(reason)]) == (2, "", reason)


def test_refuses_a_class_that_the_protocol_does_not_know(graded: Grade) -> None:
    code, out, err = graded("--model-class", "none")
    (line,) = lines_of(err)
    assert (code, out) == (2, "")
    assert line.startswith('at /evaluatedModelClass: found "none"')


@pytest.mark.parametrize(
    ("aggregate", "score", "code"), [("mean", 0.75, 0), ("median", 0.9, 0), ("min", 0.4, 1)]
)
def test_aggregates_as_told(graded: Grade, aggregate: str, score: float, code: int) -> None:
    scores = {"a": 0.95, "b": 0.4, "c": 0.9}
    rows = [{"taskId": name, "score": value} for name, value in scores.items()]
    options = [] if aggregate == "mean" else ["--aggregate", aggregate]
    found, out, err = graded(*options, suite=suite_json(*map(task, "abc")), rows=rows)
    assert (found, json.loads(out)["aggregateScore"]) == (code, score)
    assert f"{aggregate} of tasks" in err


def test_refuses_an_unknown_aggregate(graded: Grade) -> None:
    code, out, err = graded("--aggregate", "max")
    assert (code, out, len(lines_of(err))) == (2, "", 1)
    assert "--aggregate" in err


@pytest.mark.parametrize(
    ("bar", "code"), [("0", 0), ("0.9", 0), ("0.9000000000000001", 1), ("1", 1), ("1e-3", 0)]
)
def test_takes_the_default_bar_where_the_suite_has_none(graded: Grade, bar: str, code: int) -> None:
    assert graded("--default-pass-score", bar, suite=suite_json(bars={}))[0] == code


def test_the_bar_of_the_suite_goes_before_the_default_one(graded: Grade) -> None:
    assert graded("--default-pass-score", "1")[0] == 0


@pytest.mark.parametrize("bar", ["nan", "2", "-0.1", "inf", "1.0000001", "x", ""])
@pytest.mark.parametrize("bars", [{}, {"passScore": 0.7}], ids=["no bar", "a bar"])
def test_refuses_a_default_bar_that_is_no_score(
    graded: Grade, bars: dict[str, float], bar: str
) -> None:
    code, out, err = graded("--default-pass-score", bar, suite=suite_json(bars=bars))
    assert (code, out, len(lines_of(err))) == (2, "", 1)


def test_refuses_a_suite_without_a_bar(graded: Grade) -> None:
    code, out, err = graded(suite=suite_json(bars={}))
    assert (code, out, len(lines_of(err))) == (2, "", 1)
    assert "passScore" in err


def test_warns_of_a_bar_of_0(graded: Grade) -> None:
    code, _, err = graded(
        suite=suite_json(bars={"passScore": 0}), rows=[{"taskId": "t1", "score": 0}]
    )
    assert code == 0
    assert "warning: passScore is 0" in err


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Terminal:
    """Make stderr a terminal, in colours and 100 wide unless told otherwise."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm-256color", "COLUMNS": "100"} | environment).items():
        monkeypatch.setenv(name, value)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


TWO = {
    "suite": suite_json(task("good"), task("bad")),
    "rows": [{"taskId": "good", "score": 1}, {"taskId": "bad", "score": 0.25}],
}


def test_a_terminal_gets_a_table_in_colours(graded: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    code, out, _ = graded(**TWO)
    assert (code, json.loads(out)["passedCount"]) == (1, 1)
    assert "│" in stream.getvalue()
    assert "\x1b[32mpassed" in stream.getvalue()
    assert "\x1b[31mfailed" in stream.getvalue()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=repr)
def test_a_terminal_may_ask_for_no_colours(
    graded: Grade, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    stream = terminal(monkeypatch, **environment)
    graded(**TWO)
    assert "│ passed" in stream.getvalue()
    assert "\x1b[3" not in stream.getvalue()


def test_anything_else_gets_plain_lines(graded: Grade, folder: Path) -> None:
    _, _, err = graded("--report", "text", "--report", "text=a.txt", **TWO)
    assert err == (folder / "a.txt").read_text("utf-8")
    assert err.isascii()
    assert "\x1b" not in err
    assert [line.split() for line in err.splitlines()[2:5]] == [
        ["task", "score", "gated", "verdict", "trials"],
        ["good", "1.0", "passed", "1"],
        ["bad", "0.25", "failed", "0.25"],
    ]


@pytest.mark.parametrize("width", ["100", "80"])
def test_a_narrow_terminal_cuts_no_number(
    graded: Grade, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    stream = terminal(monkeypatch, COLUMNS=width)
    name = "a-task-with-a-name-of-many-words"
    rows = [{"taskId": name, "trial": at, "score": 0.6999999999999998} for at in range(3)]
    graded(suite=suite_json(task(name), count=3), rows=rows)
    table = stream.getvalue().split("\n\n")[1]
    assert table.count("0.6999999999999998") == 4  # three trials and their mean
