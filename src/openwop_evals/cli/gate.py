"""``gate``: may this run be promoted?"""

import click
from msgspec import UNSET

from openwop_evals.deployment import GateDecision
from openwop_evals.deployment import gate as decide
from openwop_evals.grading import GradingPolicy
from openwop_evals.models import EvalSummary, Report, ReportFact

from .files import prepare_reports, refuse_repeated_stdin
from .inputs import read_suite, read_summary, refuse_ungradable, warning_notes
from .options import policy_options
from .outcome import Outcome
from .report import REPORT_VERSION, note
from .reporters import ReportTarget, report_option

__all__ = ["gate"]


@click.command()
@click.argument("summary")
@click.option("--suite", metavar="SUITE", help="The suite that was run.")
@click.option(
    "--required-pass-score",
    type=float,
    metavar="X",
    help="The deployment's own bar, 0 to 1, for the gating aggregate.",
)
@policy_options
@report_option
def gate(  # noqa: PLR0913 - one for each option
    *,
    summary: str,
    suite: str | None,
    required_pass_score: float | None,
    default_pass_score: float | None,
    aggregate: str,
    reports: tuple[ReportTarget, ...],
) -> Outcome:
    """Decide whether the run of an EvalSummary may be promoted.

    The gate opens only when that is proved: the run passed, the SUMMARY is true to its suite, and
    the gating aggregate meets the required score if one is given.

    Exits 0 when the gate is open, 1 when it is closed, 2 when it could not be decided.
    """
    refuse_repeated_stdin(summary, suite)
    prepare_reports((summary, suite), [target.file for target in reports])
    policy = GradingPolicy(
        default_pass_score=default_pass_score,
        aggregate=aggregate,  # type: ignore[arg-type] # the option allows the names only
    )
    source = read_summary(summary)
    suite_source = None if suite is None else read_suite(suite)
    with refuse_ungradable(suite_source, "-"):
        decision = decide(
            source.document,
            None if suite_source is None else suite_source.document,
            required_pass_score=required_pass_score,
            policy=policy,
        )
    pointers = [reason.finding.pointer for reason in decision.reasons if reason.finding]
    places = source.places(pointers)
    notes = []
    for reason in decision.reasons:
        pointer = reason.finding.pointer if reason.finding else None
        line, column = places.get(pointer or "", (None, None)) if pointer else (None, None)
        notes.append(
            note(
                "error",
                reason.finding.code if reason.finding else reason.code,
                reason.message,
                section=reason.section,
                file=source.name,
                line=line,
                column=column,
                pointer=pointer,
                task_id=reason.finding.task_id if reason.finding else None,
            )
        )
    if suite_source is not None:
        notes += warning_notes(suite_source, policy)
    report = Report(
        version=REPORT_VERSION,
        command="gate",
        subject=f"{source.document.suite_id} {source.document.suite_version}",
        verdict="open" if decision.open else "closed",
        ok=decision.open,
        facts=tuple(_facts(source.document, decision, required_pass_score)),
        tasks=(),
        notes=tuple(notes),
    )
    return Outcome(report=report, targets=reports)


def _facts(
    summary: EvalSummary, decision: GateDecision, required: float | None
) -> list[ReportFact]:
    gated = summary.gated_aggregate_score
    facts = [
        ReportFact(name="passed", value=summary.passed),
        ReportFact(name="aggregate score", value=summary.aggregate_score),
        ReportFact(name="gating aggregate", value=None if gated is UNSET else gated),
        ReportFact(name="RFC 0082 alone", value="open" if decision.rfc_0082_alone else "closed"),
    ]
    if required is not None:
        facts.append(ReportFact(name="required pass score", value=required))
    if decision.code is not None:
        facts.append(ReportFact(name="code", value=decision.code))
    return facts
