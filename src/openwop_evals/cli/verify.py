"""``verify``: is a reported summary true to its suite, and to its trials?"""

from collections.abc import Iterator
from pathlib import Path

import click

from openwop_evals.grading import GradingPolicy
from openwop_evals.models import AgentEvalSuite, EvalSummary, Report, ReportFact, ReportNote
from openwop_evals.verification import Finding
from openwop_evals.verification import verify as find

from .files import prepare_reports, refuse_repeated_stdin
from .inputs import (
    Source,
    open_trials,
    read_suite,
    read_summary,
    refuse_ungradable,
    warning_notes,
)
from .options import policy_options
from .outcome import InputError, Outcome
from .report import REPORT_VERSION, note, printable
from .reporters import ReportTarget, report_option

__all__ = ["verify"]


@click.command()
@click.argument("summary")
@click.option("--suite", metavar="SUITE", help="The suite that was run.")
@click.option("--suites", metavar="DIR", help="Suites, paired by id and version.")
@click.option("--trials", metavar="TRIALS", help="The trial log: recompute every score from it.")
@policy_options
@report_option
def verify(  # noqa: PLR0913 - one for each option
    *,
    summary: str,
    suite: str | None,
    suites: str | None,
    trials: str | None,
    default_pass_score: float | None,
    aggregate: str,
    reports: tuple[ReportTarget, ...],
) -> Outcome:
    """Verify that an EvalSummary is true to its suite.

    SUMMARY is a file with --suite, or a folder of summaries with --suites.

    Exits 0 when every summary is true, 1 when one is not, 2 when that could not be told.
    """
    policy = GradingPolicy(
        default_pass_score=default_pass_score,
        aggregate=aggregate,  # type: ignore[arg-type] # the option allows the names only
    )
    if (suite is None) is (suites is None):
        raise click.UsageError("expected one of --suite and --suites")
    if suites is not None and trials is not None:
        raise click.UsageError("--trials goes with --suite")
    refuse_repeated_stdin(summary, suite, trials)
    folders = [] if suites is None else [summary, suites]
    files = [target.file for target in reports]
    prepare_reports((summary, suite, trials), files, folders=folders)
    if suite is not None:
        pairs = [(read_summary(summary), read_suite(suite))]
    else:
        pairs = list(_paired(summary, suites or ""))
    notes: list[ReportNote] = []
    untrue = found = 0
    for source, suite_source in pairs:
        findings = _findings(source, suite_source, trials, policy)
        untrue += bool(findings)
        found += len(findings)
        notes += _notes(source, findings)
        notes += warning_notes(suite_source, policy)
    report = Report(
        version=REPORT_VERSION,
        command="verify",
        subject=printable(pairs[0][0].name) if len(pairs) == 1 else f"{len(pairs)} summaries",
        verdict="not true" if untrue else "true",
        ok=not untrue,
        facts=(
            ReportFact(name="true", value=f"{len(pairs) - untrue} of {len(pairs)} summaries"),
            ReportFact(name="findings", value=found),
        ),
        tasks=(),
        notes=tuple(notes),
    )
    return Outcome(report=report, targets=reports)


def _findings(
    source: Source[EvalSummary],
    suite: Source[AgentEvalSuite],
    trials: str | None,
    policy: GradingPolicy,
) -> list[Finding]:
    with refuse_ungradable(suite, trials or "-"):
        if trials is None:
            return find(source.document, suite.document, policy=policy)
        with open_trials(trials) as records:
            return find(source.document, suite.document, records, policy=policy)


def _notes(source: Source[EvalSummary], findings: list[Finding]) -> Iterator[ReportNote]:
    places = source.places(finding.pointer for finding in findings)
    for finding in findings:
        line, column = places.get(finding.pointer, (None, None))
        yield note(
            "error",
            finding.code,
            f"at {finding.pointer or 'the root'}: {finding}",
            section=finding.section,
            file=source.name,
            line=line,
            column=column,
            pointer=finding.pointer,
            task_id=finding.task_id,
        )


def _paired(
    summaries: str, suites: str
) -> Iterator[tuple[Source[EvalSummary], Source[AgentEvalSuite]]]:
    """Each summary of a folder with the suite of its id and version."""
    by_name: dict[tuple[str, str], Source[AgentEvalSuite]] = {}
    for path in _json_files(suites):
        suite = read_suite(path)
        key = suite.document.suite_id, suite.document.version
        if key in by_name:
            message = f"{by_name[key].name} is suite {key[0]} {key[1]} too"
            raise InputError([note("error", "suite", message, file=path)])
        by_name[key] = suite
    used = set()
    for path in _json_files(summaries):
        source = read_summary(path)
        name = source.document.suite_id, source.document.suite_version
        if name not in by_name:
            message = f"no suite {name[0]} {name[1]} in {suites}"
            raise InputError([note("error", "suite", message, file=source.name)])
        used.add(name)
        yield source, by_name[name]
    if unused := by_name.keys() - used:
        raise InputError(
            [
                note(
                    "error", "summary", f"no summary of it in {summaries}", file=by_name[name].name
                )
                for name in sorted(unused)
            ]
        )


def _json_files(folder: str) -> list[str]:
    """Every JSON file in a folder and the folders within it; the name itself where it is none."""
    if not Path(folder).is_dir():
        return [folder]
    files = sorted(
        str(path)
        for path in Path(folder).rglob("*")
        if path.suffix.lower() == ".json" and not path.is_dir()
    )
    if not files:
        raise InputError([note("error", "file", "the folder holds no .json file", file=folder)])
    return files
