"""The command ``conformance``: its exit codes, its reports, and hosts that mean it ill."""

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from openwop_evals.cli import conformance as command
from openwop_evals.cli.app import run
from openwop_evals.conformance import FIXTURES, Evaluation, ScriptedAgent, evaluate
from openwop_evals.models import AgentEvalSuite
from tests.support.documents import WHOLE, load_schema
from tests.support.hostile import (
    Behaviour,
    Handler,
    HonestHost,
    Json,
    Reply,
    Request,
    forget_surroundings,
    json_reply,
    serve,
)

TOKEN = "tell-nobody-0123456789"  # noqa: S105 - what must be found nowhere
OTHER = "another-token-0123456789"
FORMATS = ("text", "json", "github", "markdown", "junit")
LEGS = [
    f"openwop.requirement.0246.{name}"
    for name in ("gated-fields-shape", "mean-gated", "suite-gated")
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of the test's own, and no word from outside."""
    monkeypatch.chdir(tmp_path)
    forget_surroundings(tmp_path, monkeypatch)
    for name in ("OPENWOP_EVALS_TOKEN", "OPENWOP_REQUIRE_BEHAVIOR", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def require_behavior(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENWOP_REQUIRE_BEHAVIOR", "true")


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """This package's grader, with a gate that does not close."""

    def opened_gate(suite: AgentEvalSuite, agent: ScriptedAgent) -> Evaluation:
        made = evaluate(suite, agent)
        opened = made.summary.replace(b'"passed":false', b'"passed":true')
        assert opened != made.summary
        return Evaluation(made.events, opened)

    monkeypatch.setattr(command, "evaluate", opened_gate)


def on(host: Handler, *arguments: str) -> int:
    """Run the command on a host."""
    with serve(host) as server:
        return run(["conformance", "--url", server.url, *arguments])


def reports(*formats: str) -> list[str]:
    return [part for name in formats for part in ("--report", f"{name}=report.{name}")]


def read_json(file: str = "report.json") -> Json:
    """A report, valid by its schema."""
    report: Json = json.loads(Path(file).read_text("utf-8"))
    jsonschema_rs.Draft202012Validator(load_schema("report.schema.json")).validate(report)
    return report


def read_junit() -> tuple[dict[str, int], list[list[str]]]:
    """The counts that a junit report states, and the tags in each of its cases."""
    root = ET.fromstring(Path("report.junit").read_text("utf-8"))  # noqa: S314 - our own text
    (suite,) = root
    stated = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    tags = [[element.tag for element in case] for case in suite]
    found = Counter(tag for tags_of_case in tags for tag in tags_of_case)
    assert stated == {
        "tests": len(tags),
        "failures": found["failure"],
        "errors": found["error"],
        "skipped": found["skipped"],
    }
    return stated, tags


def dispositions(report: Json) -> list[str]:
    assert [leg["requirement"] for leg in report["legs"]] == LEGS
    return [leg["disposition"] for leg in report["legs"]]


def only_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line of complaint, on stderr; nothing is on stdout."""
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("openwop-evals: ")
    return str(line)


# This package's own grader.


def test_the_package_is_conformant(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance"]) == 0
    out, err = capsys.readouterr()
    first, _, *lines = out.splitlines()
    assert first == "openwop-evals, in process: conformant"
    assert [line.split()[:2] for line in lines[:3]] == [["passed", name] for name in LEGS]
    assert err == ""


@pytest.mark.usefixtures("require_behavior")
def test_the_package_is_conformant_where_behavior_is_required() -> None:
    assert run(["conformance", *reports("json")]) == 0
    assert dispositions(read_json()) == ["passed"] * 3


@pytest.mark.parametrize("value", ["", "false"])
def test_behavior_is_not_required_unless_told(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENWOP_REQUIRE_BEHAVIOR", value)
    assert on(HonestHost(facets=["trajectory"])) == 0


@pytest.mark.parametrize("value", ["yes", "1", "TRUE", "true ", "no"])
def test_an_unclear_requirement_is_refused(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENWOP_REQUIRE_BEHAVIOR", value)
    assert run(["conformance"]) == 2
    line = only_line(capsys)
    assert f"OPENWOP_REQUIRE_BEHAVIOR is {value!r}, expected true or false" in line


# The reports of each kind of answer.


def test_the_json_report_tells_every_assertion() -> None:
    assert run(["conformance", *reports("json")]) == 0
    report = read_json()
    assert (report["command"], report["verdict"], report["ok"]) == (
        "conformance",
        "conformant",
        True,
    )
    assert report["notes"] == report["tasks"] == []
    for leg in report["legs"]:
        assert leg["reason"] == f"{len(leg['assertions'])} assertions hold"
        assert len(leg["assertions"]) > 20
        assert all(found["holds"] for found in leg["assertions"])


def test_the_facts_count_the_legs() -> None:
    assert on(HonestHost(facets=["trajectory"]), *reports("json")) == 0
    facts = {fact["name"]: fact for fact in read_json()["facts"]}
    assert {name: fact["value"] for name, fact in facts.items()} == {
        "passed legs": 2,
        "failed legs": 0,
        "inapplicable legs": 1,
        "blocked legs": 0,
        "version of the legs": "1.0.0",
    }
    assert facts["passed legs"]["remark"] == "1 of 2 that drive the host"


def test_junit_has_a_case_for_the_answer_and_for_each_leg() -> None:
    assert run(["conformance", *reports("junit")]) == 0
    stated, tags = read_junit()
    assert stated == {"tests": 4, "failures": 0, "errors": 0, "skipped": 0}
    assert tags == [[]] * 4


@pytest.mark.usefixtures("lenient")
def test_junit_fails_the_legs_that_failed() -> None:
    assert run(["conformance", *reports("junit")]) == 1
    stated, tags = read_junit()
    assert stated == {"tests": 4, "failures": 3, "errors": 0, "skipped": 0}
    assert tags == [["failure"], [], ["failure"], ["failure"]]
    text = Path("report.junit").read_text("utf-8")
    assert "suite-passed: expected false, found true (RFC 0246 §B)" in text


def test_junit_skips_the_legs_that_do_not_apply() -> None:
    assert on(HonestHost(facets=["trajectory"]), *reports("junit")) == 0
    stated, tags = read_junit()
    assert stated == {"tests": 4, "failures": 0, "errors": 0, "skipped": 1}
    assert tags == [[], [], ["skipped"], []]


def test_junit_has_an_error_for_the_legs_that_were_blocked() -> None:
    assert on(lambda _: Reply(500), *reports("junit")) == 2
    stated, tags = read_junit()
    assert (stated["tests"], stated["errors"], stated["skipped"]) == (4, 3, 0)
    assert tags == [["error"], [], ["error"], ["error"]]


@pytest.mark.parametrize(
    ("host", "code", "command_of_answer"),
    [
        (HonestHost(), 0, "notice"),
        (HonestHost(instead={"create": Reply(422)}), 1, "error"),
        (HonestHost(instead={"create": Reply(503)}), 2, "error"),
    ],
    ids=["passed", "failed", "blocked"],
)
def test_github_annotates(
    host: Handler, code: int, command_of_answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    assert on(host, *reports("github")) == code
    lines = Path("report.github").read_text("utf-8").splitlines()
    assert len(lines) == (1 if code == 0 else 3)
    assert lines[-1].startswith(f"::{command_of_answer}::conformance: http://127.0.0.1:")
    assert all("POST /runs: status" in line for line in lines[:-1])
    assert Path("summary.md").read_text("utf-8").startswith("### conformance: http")


def test_markdown_has_a_row_for_each_leg() -> None:
    assert on(HonestHost(facets=["trajectory"]), *reports("markdown")) == 0
    text = Path("report.markdown").read_text("utf-8")
    assert text.splitlines()[0].endswith(": passed where applicable")
    rows = re.findall(r"^\| (\w+) \| (openwop\S+) \|", text, re.MULTILINE)
    assert rows == list(zip(["passed", "inapplicable", "passed"], LEGS, strict=True))


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize("format_", FORMATS)
def test_every_report_says_what_failed(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "--report", format_]) == 1
    out, err = capsys.readouterr()
    assert "not conformant" in out
    assert "suite-passed" in out
    assert err == ""


# Hosts.


@pytest.mark.parametrize("require", ["true", "false"])
def test_an_honest_host_is_conformant(require: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENWOP_REQUIRE_BEHAVIOR", require)
    assert on(HonestHost(), *reports("json")) == 0
    report = read_json()
    assert report["verdict"] == "conformant"
    assert report["subject"].startswith("http://127.0.0.1:")
    assert dispositions(report) == ["passed"] * 3


def test_a_host_without_trials_passes_where_it_applies(capsys: pytest.CaptureFixture[str]) -> None:
    assert on(HonestHost(facets=["trajectory"])) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].endswith(": passed where applicable")
    assert re.search(r"^passed legs +2 +1 of 2 that drive the host$", out, re.MULTILINE)
    assert re.search(r"^inapplicable legs +1$", out, re.MULTILINE)
    assert "the host does not claim agents.evalSuite.trials" in out
    assert err == ""


@pytest.mark.usefixtures("require_behavior")
def test_a_host_without_trials_fails_where_behavior_is_required() -> None:
    assert on(HonestHost(facets=["trajectory"]), *reports("json")) == 1
    assert dispositions(read_json()) == ["passed", "failed", "passed"]


@pytest.mark.parametrize(
    "host", [HonestHost(facets=[]), HonestHost(fixtures=[])], ids=["facets", "fixtures"]
)
def test_a_host_that_no_leg_applies_to_decides_nothing(host: Handler) -> None:
    assert on(host, *reports("json")) == 2
    report = read_json()
    assert (report["verdict"], report["ok"]) == ("nothing decided", False)
    assert dispositions(report) == ["passed", "inapplicable", "inapplicable"]


@pytest.mark.usefixtures("require_behavior")
def test_a_host_that_no_leg_applies_to_fails_where_behavior_is_required() -> None:
    assert on(HonestHost(facets=[]), *reports("json")) == 1
    assert dispositions(read_json()) == ["passed", "failed", "failed"]


@pytest.mark.parametrize(
    ("endpoint", "reply", "part"),
    [
        ("create", Reply(422), "POST /runs: status 422"),
        ("poll", Reply(404), "/events/poll: status 404"),
        ("summary", Reply(404), "/eval-summary: status 404"),
        ("summary", json_reply(WHOLE["summary"]), "summary-suiteId"),
    ],
    ids=["create", "poll", "summary", "another summary"],
)
def test_a_host_that_fails_is_not_conformant(endpoint: str, reply: Reply, part: str) -> None:
    assert on(HonestHost(instead={endpoint: reply}), *reports("json")) == 1
    report = read_json()
    assert (report["verdict"], report["ok"]) == ("not conformant", False)
    assert dispositions(report) == ["passed", "failed", "failed"]
    assert all(part in leg["reason"] for leg in report["legs"][1:])


def test_a_leg_that_failed_outweighs_one_that_was_blocked() -> None:
    def behave(request: Request, _: Reply) -> Reply:
        return Reply(422 if json.loads(request.body)["evalSuiteRef"] == FIXTURES[0] else 503)

    assert on(HonestHost(instead={"create": behave}), *reports("json")) == 1
    assert dispositions(read_json()) == ["passed", "failed", "blocked"]


def test_a_host_out_of_reach_decides_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with serve(HonestHost()) as server:
        pass
    arguments = [*reports("json", "junit"), "--report", "text"]
    assert run(["conformance", "--url", server.url, *arguments]) == 2
    reason = "GET /.well-known/openwop: ConnectError"
    out, err = capsys.readouterr()
    assert out.count(reason) >= 2
    assert Path("report.junit").read_text("utf-8").count(reason) >= 2
    assert [reason in leg["reason"] for leg in read_json()["legs"]] == [False, True, True]
    assert err == ""


def hang(request: Request, _: Reply) -> None:
    request.hold(10)


HOSTILE: Mapping[str, tuple[Behaviour | Reply, str]] = {
    "nothing": (Reply(), "an empty body"),
    "an empty object": (Reply(200, b"{}"), "protocolVersions is null"),
    "an array": (Reply(200, b"[]"), "found [], expected a JSON object"),
    "HTML": (Reply(200, b"<!doctype html>"), "not JSON"),
    "not UTF-8": (Reply(200, b'"\xff"'), "not UTF-8"),
    "a summary": (json_reply(WHOLE["summary"]), "protocolVersions is null"),
    "nested": (Reply(200, b"[" * 10_000), "nested deeper"),
    "a terminal's own": (json_reply({"protocolVersions": "\x1b[31m\r\n"}), "protocolVersions is"),
    "unauthorized": (Reply(401), "status 401"),
    "forbidden": (Reply(403), "status 403"),
    "not found": (Reply(404), "status 404"),
    "conflict": (json_reply({"error": "run_already_active"}, 409), "status 409"),
    "unprocessable": (Reply(422), "status 422"),
    "busy": (Reply(429, b"", (("Retry-After", "3600"),)), "asked to wait 3600 s"),
    "server error": (Reply(500), "status 500"),
    "not implemented": (Reply(501), "status 501"),
    "unavailable": (Reply(503), "status 503"),
    "hang": (hang, "no answer after 0.4 s"),
    "hang up": (lambda _request, _honest: None, "RemoteProtocolError"),
    "half": (lambda request, _: request.send(b"HTTP/1.1 200 OK\r\n"), "RemoteProtocolError"),
    "other origin": (Reply(302, b"", (("Location", "http://127.0.0.2:1"),)), "another origin"),
    "loop": (Reply(302, b"", (("Location", "/.well-known/openwop"),)), "redirected, to /.well"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_host_decides_nothing(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    instead, part = HOSTILE[kind]
    host = HonestHost(instead={"discovery": instead})
    assert on(host, "--timeout", "0.4", *reports(*FORMATS)) == 2
    assert capsys.readouterr() == ("", "")
    report = read_json()
    assert dispositions(report) == ["passed", "blocked", "blocked"]
    assert all(part in leg["reason"] for leg in report["legs"][1:])
    for name in set(FORMATS) - {"json"}:
        text = Path(f"report.{name}").read_text("utf-8")
        assert "nothing decided" in text
        assert "Traceback" not in text
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)


@pytest.mark.parametrize("endpoint", ["create", "poll", "summary"])
@pytest.mark.parametrize("kind", ["nothing", "HTML", "not UTF-8", "hang up", "half", "nested"])
def test_no_hostile_host_is_conformant(
    kind: str, endpoint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    host = HonestHost(instead={endpoint: HOSTILE[kind][0]})
    assert on(host, *reports("json")) in {1, 2}
    assert capsys.readouterr() == ("", "")
    assert set(dispositions(read_json())[1:]) <= {"failed", "blocked"}


# The token.


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    (tmp_path / "token").write_text(f"{TOKEN}\n", "utf-8")
    return "token"


def test_the_token_comes_from_a_file(token_file: str) -> None:
    assert on(HonestHost(token=TOKEN), "--token-file", token_file) == 0


def test_the_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENWOP_EVALS_TOKEN", TOKEN)
    assert on(HonestHost(token=TOKEN)) == 0


def test_the_file_goes_before_the_environment(
    token_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENWOP_EVALS_TOKEN", OTHER)
    assert on(HonestHost(token=TOKEN), "--token-file", token_file) == 0


def test_without_a_token_nothing_is_decided_where_one_is_needed() -> None:
    assert on(HonestHost(token=TOKEN), *reports("json")) == 2
    assert "status 401, unauthorized" in read_json()["legs"][1]["reason"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(400, TOKEN.encode()),
        json_reply({"runId": TOKEN}, 201),
        json_reply({"error": TOKEN}, 422),
        Reply(302, b"", (("Location", f"http://{TOKEN}.test"),)),
        Reply(429, b"", (("Retry-After", TOKEN),)),
    ],
    ids=["body", "run id", "code", "location", "wait"],
)
def test_no_report_tells_the_token(
    reply: Reply, token_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    host = HonestHost(token=TOKEN, instead={"create": reply})
    assert on(host, "--token-file", token_file, *reports(*FORMATS), "--report", "text") in {1, 2}
    texts = [*capsys.readouterr(), *(Path(f"report.{n}").read_text("utf-8") for n in FORMATS)]
    assert all(TOKEN not in text for text in texts)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, "token: No such file or directory"),
        (b"", "the token is empty"),
        (b"\n", "the token is empty"),
        (b"tell\nnobody", "a character that no header can carry"),
        (b"n\xc3\xa4her", "a character that no header can carry"),
        (b"nobody\xff", "token: the token is no UTF-8 text"),
    ],
    ids=repr,
)
def test_a_token_file_that_holds_none_is_refused(
    content: bytes | None, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        Path("token").write_bytes(content)
    assert run(["conformance", "--url", "http://127.0.0.1:9", "--token-file", "token"]) == 2
    line = only_line(capsys)
    assert part in line
    assert "nobody" not in line


def test_a_token_of_the_environment_that_no_header_carries_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENWOP_EVALS_TOKEN", "tell\nnobody")
    assert run(["conformance", "--url", "http://127.0.0.1:9"]) == 2
    assert "nobody" not in only_line(capsys)


def test_no_report_is_written_over_the_token(
    token_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--token-file", token_file, "--report", f"json={token_file}"]
    assert run(["conformance", "--url", "http://127.0.0.1:9", *arguments]) == 2
    assert "token is an input" in only_line(capsys)
    assert Path(token_file).read_text("utf-8").strip() == TOKEN


# Usage.


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--token-file", "token"], "go with --url"),
        (["--timeout", "5"], "go with --url"),
        (["--url", "http://127.0.0.1:9", "--timeout", "0"], "timeout is 0.0, expected above 0"),
        (["--url", "http://127.0.0.1:9", "--timeout", "-1"], "timeout is -1.0"),
        (["--url", "http://127.0.0.1:9", "--timeout", "soon"], "'--timeout'"),
        (["--url"], "--url"),
        (["--url", ""], "http:// or https:// and a host"),
        (["--url", "host.test"], "http:// or https:// and a host"),
        (["--url", "ftp://host.test"], "http:// or https:// and a host"),
        (["--url", "http://host.test/path"], "nothing after the host"),
        (["--url", "http://host.test?q=1"], "nothing after the host"),
        (["--url", "http://user@host.test"], "expected an origin"),
        (["--url", "http://host.test:port"], "port"),
        (["--url", "http://host\n.test"], "expected an origin"),
        (["--report", "none"], "none"),
        (["extra"], "extra"),
    ],
    ids=repr,
)
def test_refuses_bad_usage_in_one_line(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["conformance", *arguments]) == 2
    assert part in only_line(capsys)


@pytest.mark.parametrize("timeout", ["nan", "inf", "1e300"])
def test_refuses_a_time_that_never_comes(timeout: str) -> None:
    assert on(HonestHost(), "--timeout", timeout) == 2


def test_a_password_in_the_url_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "--url", "http://user:nobody@host.test"]) == 2
    assert "nobody" not in only_line(capsys)


@pytest.fixture
def without_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http", "exchange"):
        monkeypatch.delitem(sys.modules, f"openwop_evals.conformance.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)


@pytest.mark.usefixtures("without_httpx")
def test_a_url_without_httpx_says_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "--url", "http://127.0.0.1:9"]) == 2
    assert "pip install 'openwop-evals[conformance]'" in only_line(capsys)


@pytest.mark.usefixtures("without_httpx")
def test_the_package_needs_no_httpx_to_judge_itself() -> None:
    assert run(["conformance"]) == 0


# Reports of an earlier answer.


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--url", "http://host.test/path"], 2),
        (["--url", "http://127.0.0.1:9", "--token-file", "none"], 2),
        (["--timeout", "5"], 2),
    ],
    ids=repr,
)
def test_a_report_of_an_earlier_answer_does_not_stay(arguments: list[str], code: int) -> None:
    Path("report.json").write_text('{"ok": true}', "utf-8")
    assert run(["conformance", *arguments, *reports("json")]) == code
    assert not Path("report.json").exists()


def test_a_report_of_an_earlier_answer_is_replaced() -> None:
    assert run(["conformance", *reports("json")]) == 0
    assert on(lambda _: Reply(500), *reports("json")) == 2
    assert read_json()["verdict"] == "nothing decided"


def test_an_interrupt_is_130_and_leaves_no_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_arguments: object) -> Evaluation:
        raise KeyboardInterrupt

    Path("report.json").write_text('{"ok": true}', "utf-8")
    monkeypatch.setattr(command, "evaluate", interrupted)
    assert run(["conformance", *reports("json")]) == 130
    assert not Path("report.json").exists()
    assert capsys.readouterr().out == ""


def test_code_that_raises_is_a_leg_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> Evaluation:
        raise RuntimeError("boom")

    monkeypatch.setattr(command, "evaluate", broken)
    assert run(["conformance", *reports("json")]) == 1
    reasons = [leg["reason"] for leg in read_json()["legs"][1:]]
    assert reasons == ["the host raised RuntimeError: boom"] * 2
