"""``conformance``: the legs of RFC 0246, against a host or this package's own grader."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from openwop_evals.conformance import (
    Conformance,
    Host,
    InProcessHost,
    LegResult,
    evaluate,
    run_legs,
)
from openwop_evals.models import Report, ReportAssertion, ReportFact, ReportLeg, ReportNote

from .files import prepare_reports
from .outcome import InputError, Outcome
from .report import REPORT_VERSION, note, printable
from .reporters import ReportTarget, report_option

__all__ = ["conformance"]

_TOKEN = "OPENWOP_EVALS_TOKEN"  # noqa: S105 - the name of a variable
_REQUIRE = "OPENWOP_REQUIRE_BEHAVIOR"
_SECONDS = 60.0
_LEVELS: dict[str, Literal["error", "warning"]] = {
    "failed": "error",
    "blocked": "error",
    "inapplicable": "warning",
}
_YES = ("conformant", "passed where applicable")


@click.command()
@click.option("--url", metavar="URL", help="The host's origin; without it, the package's grader.")
@click.option(
    "--token-file", metavar="FILE", help=f"Read the bearer token from FILE, not from {_TOKEN}."
)
@click.option(
    "--timeout",
    type=float,
    metavar="S",
    help=f"Seconds that a leg may take.  [default: {_SECONDS:g}]",
)
@report_option
def conformance(
    *,
    url: str | None,
    token_file: str | None,
    timeout: float | None,
    reports: tuple[ReportTarget, ...],
) -> Outcome:
    """Run the conformance legs of RFC 0246.

    With OPENWOP_REQUIRE_BEHAVIOR=true a leg that does not apply to the host is a failure.

    Exits 0 when no leg failed or was blocked and one that drives the host passed, 1 when a leg
    failed, 2 when nothing was decided.
    """
    prepare_reports((token_file,), [target.file for target in reports])
    if url is None and (token_file is not None or timeout is not None):
        raise click.UsageError("--token-file and --timeout go with --url")
    require_behavior = _is_required()
    if url is None:
        host: Host = InProcessHost(evaluate, name="openwop-evals, in process")
    else:
        host = _http_host(url, _token(token_file), _SECONDS if timeout is None else timeout)
    if url is not None and sys.stderr.isatty():
        sys.stderr.write(f"running the legs on {printable(host.name)}\n")
    found = run_legs(host, require_behavior=require_behavior)
    report = Report(
        version=REPORT_VERSION,
        command="conformance",
        subject=printable(found.host),
        verdict=found.verdict,
        ok=found.verdict in _YES,
        facts=tuple(_facts(found)),
        tasks=(),
        notes=tuple(_notes(found)),
        legs=tuple(map(_leg, found.legs)),
    )
    return Outcome(report=report, targets=reports, undecided=found.verdict == "nothing decided")


def _is_required() -> bool:
    value = os.environ.get(_REQUIRE, "")
    if value not in {"", "true", "false"}:
        raise click.UsageError(f"{_REQUIRE} is {value!r}, expected true or false")
    return value == "true"


def _token(file: str | None) -> str | None:
    if file is None:
        return os.environ.get(_TOKEN, "").strip() or None
    try:
        return Path(file).read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise InputError(
            [note("error", "token", "the token is no UTF-8 text", file=file)]
        ) from None


def _http_host(url: str, token: str | None, timeout: float) -> Host:
    try:
        from openwop_evals.conformance.http import HttpHost  # noqa: PLC0415 - it needs the extra
    except ModuleNotFoundError as error:
        if error.name != "httpx":
            raise
        message = "--url needs httpx: pip install 'openwop-evals[conformance]'"
        raise InputError([note("error", "extra", message)]) from None
    try:
        return HttpHost(url, token=token, timeout=timeout)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _facts(found: Conformance) -> Iterator[ReportFact]:
    of_host = [leg for leg in found.legs if leg.drives_host]
    passed = sum(leg.disposition == "passed" for leg in of_host)
    for disposition, count in found.counts().items():
        fact = ReportFact(name=f"{disposition} legs", value=count)
        if disposition == "passed":
            remark = f"{passed} of {len(of_host)} that drive the host"
            fact = ReportFact(name="passed legs", value=count, remark=remark)
        yield fact
    yield ReportFact(name="version of the legs", value=found.version)


def _notes(found: Conformance) -> Iterator[ReportNote]:
    for leg in found.legs:
        if leg.disposition == "passed":
            continue
        name = leg.requirement.rpartition(".")[2]
        for assertion in leg.failures():
            section = assertion.section
            yield note("error", f"{name}-{assertion.name}", f"{name}: {assertion}", section=section)
        if not leg.failures():
            message = f"{name}: {leg.reason}"
            yield note(_LEVELS[leg.disposition], f"{name}-{leg.disposition}", message)


def _leg(leg: LegResult) -> ReportLeg:
    assertions = [
        ReportAssertion(
            name=found.name,
            section=found.section,
            expected=printable(found.expected),
            found=printable(found.found),
            holds=found.holds,
        )
        for found in leg.assertions
    ]
    return ReportLeg(
        requirement=leg.requirement,
        disposition=leg.disposition,
        reason=printable(leg.reason),
        assertions=tuple(assertions),
    )
