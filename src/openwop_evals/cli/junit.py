"""The junit report: a test case for the answer, and one for each task or leg."""

from typing import TextIO
from xml.etree import ElementTree as ET

from openwop_evals.models import Report, ReportLeg, ReportNote

from .report import line_of, printable

__all__ = ["write_junit"]


def write_junit(report: Report, stream: TextIO) -> None:
    """Print JUnit XML; the answer has a case of its own, as tasks may fail in a run that passed."""
    answer = _case(report, report.command)
    errors = [found for found in report.notes if found.level == "error"]
    if not report.ok:
        text = "\n".join(map(line_of, errors)) or report.verdict
        failed = not report.legs or any(leg.disposition == "failed" for leg in report.legs)
        tag = "failure" if failed else "error"
        ET.SubElement(answer, tag, message=printable(report.verdict)).text = text
    cases = [answer]
    for task in report.tasks:
        case = _case(report, task.task_id)
        of_task = [found for found in report.notes if found.task_id == task.task_id]
        if not task.passed:
            verdict = f"failed with score {task.score!r}"
            # A task that failed in a run that passed is told, and fails no build.
            name = "failure" if not report.ok else "system-out"
            _tell(case, name, verdict, of_task)
        elif of_task:
            _tell(case, "system-out", "passed", of_task)
        cases.append(case)
    cases += [_leg_case(report, leg) for leg in report.legs or ()]
    suite = ET.Element(
        "testsuite",
        name=printable(report.subject),
        tests=str(len(cases)),
        failures=_count(cases, "failure"),
        errors=_count(cases, "error"),
        skipped=_count(cases, "skipped"),
    )
    suite.extend(cases)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(ET.tostring(root, encoding="unicode") + "\n")


_TAGS = {"failed": "failure", "blocked": "error", "inapplicable": "skipped"}


def _leg_case(report: Report, leg: ReportLeg) -> ET.Element:
    case = _case(report, leg.requirement)
    if leg.disposition in _TAGS:
        broken = [found for found in leg.assertions if not found.holds]
        element = ET.SubElement(case, _TAGS[leg.disposition], message=leg.reason)
        element.text = "\n".join(
            f"{found.name}: expected {found.expected}, found {found.found} ({found.section})"
            for found in broken
        )
    return case


def _count(cases: list[ET.Element], tag: str) -> str:
    return str(sum(case.find(tag) is not None for case in cases))


def _case(report: Report, name: str) -> ET.Element:
    return ET.Element("testcase", classname=printable(report.subject), name=printable(name))


def _tell(case: ET.Element, tag: str, verdict: str, notes: list[ReportNote]) -> None:
    element = ET.SubElement(case, tag)
    if tag == "failure":
        element.set("message", verdict)
    element.text = "\n".join([verdict, *map(line_of, notes)])
