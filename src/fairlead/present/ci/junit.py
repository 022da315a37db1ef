"""Writes results as JUnit XML: a suite for the model, a test case for each question under each notion.

There are several dialects. This one keeps to the elements and attributes that those of Jenkins, Surefire and
Ant have in common, so that every reader understands it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from xml.etree import ElementTree

from fairlead.checker.result import Result
from fairlead.outcome.finding import Verdict
from fairlead.present.record import Failure, Record
from fairlead.present.sentences.result import Said
from fairlead.present.text.result import said_lines

#: what XML 1.0 cannot have in any way: controls, halves of surrogate pairs, and two characters that are none
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(record: Record) -> str:
    """The report as text."""
    cases = [_answered(record, result) for result in record.results]
    cases += [_unanswered(record, failure) for failure in record.failures]
    seconds = sum(result.statistics.seconds for result in record.results)
    totals = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
        "skipped": "0",
        "time": f"{seconds:.6f}",
    }
    suite = ElementTree.Element("testsuite", {"name": _writable(record.model), **totals})
    if record.definitions:
        properties = ElementTree.SubElement(suite, "properties")
        for name, value in record.definitions.items():
            ElementTree.SubElement(properties, "property", {"name": name, "value": _writable(value)})
    suite.extend(cases)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _answered(record: Record, result: Result) -> ElementTree.Element:
    case = _case(
        record,
        None if result.subject is None else result.subject.process,
        f"{result.assertion} [{Said(result).fairness}]",
        result.statistics.seconds,
    )
    if result.verdict is not Verdict.HOLDS:
        # a green build means that everything holds: what is unknown is an error too, not a skipped test
        element = "failure" if result.verdict is Verdict.VIOLATED else "error"
        kind = result.reason or result.verdict.value
        _outcome(case, element, kind, Said(result).sentence, _details(result))
    elif Said(result).notes:
        _text(ElementTree.SubElement(case, "system-out"), [Said(result).sentence, *Said(result).notes])
    return case


def _unanswered(record: Record, failure: Failure) -> ElementTree.Element:
    question = failure.question
    process = None if question is None else question.process.removeprefix("||")
    name = "fairlead check" if question is None else question.text
    case = _case(record, process, name, 0.0)
    first = failure.error.diagnostics[0]
    _outcome(case, "error", first.code.value, first.message, [str(failure.error)])
    return case


def _case(record: Record, process: str | None, name: str, seconds: float) -> ElementTree.Element:
    """Viewers take what is before the last dot of a class name for its package: the model."""
    model = PurePath(record.model).stem
    attributes = {
        "name": _writable(name),
        "classname": _writable(model if process is None else f"{model}.{process}"),
        "time": f"{seconds:.6f}",
    }
    return ElementTree.Element("testcase", attributes)


def _outcome(case: ElementTree.Element, element: str, kind: str, message: str, lines: list[str]) -> None:
    attributes = {"message": _writable(message), "type": kind}
    _text(ElementTree.SubElement(case, element, attributes), lines)


def _text(element: ElementTree.Element, lines: list[str]) -> None:
    element.text = _writable("\n".join(lines))


def _details(result: Result) -> list[str]:
    """Where the question stands, and the counterexample, as the command shows it."""
    lines = [Said(result).sentence]
    if result.subject is not None and result.subject.span is not None:
        lines.insert(0, f"{result.subject.span}:")
    if result.note is not None:
        lines.append(f"note: {result.note}")
    if result.fault is not None:
        lines += result.fault.render().splitlines()
    lines += said_lines(Said(result))
    return lines


def _writable(text: str) -> str:
    """The text with what XML cannot have written as in Python: `\\x1b`."""
    return _UNWRITABLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
