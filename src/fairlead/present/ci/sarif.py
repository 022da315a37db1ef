"""Writes results as SARIF 2.1.0: what is violated or unknown, and all diagnostics, each at its place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from fairlead.base.diagnostics import Diagnostic, Severity
from fairlead.base.version import __version__
from fairlead.checker.result import Result, Subject
from fairlead.outcome.finding import Verdict
from fairlead.present.ci.flows import code_flows
from fairlead.present.ci.places import Places
from fairlead.present.ci.rules import problem_rule, question_rule
from fairlead.present.record import Failure, Record
from fairlead.present.sentences.result import Said

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(record: Record) -> str:
    """The report as text."""
    return json.dumps(_log(record), ensure_ascii=False, indent=1) + "\n"


def _log(record: Record) -> dict[str, Any]:
    places = Places(record.model, record.folder)
    results = [*_results(record, places)]
    rules = _rules(record)
    numbers = {rule["id"]: number for number, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = numbers[result["ruleId"]]
    driver = {"name": "fairlead", "version": __version__, "semanticVersion": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        # uploads of several models must not replace each other
        "automationDetails": {"id": f"fairlead/{places.artifact_name}/"},
        "invocations": [{"executionSuccessful": not record.failures and not any(_faults(record))}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules(record: Record) -> list[dict[str, Any]]:
    """Those of the questions asked, whatever the answers, and of the problems met."""
    kinds = dict.fromkeys(_subject(result).kind for result in record.results)
    codes = dict.fromkeys(diagnostic.code for diagnostic, _ in _diagnostics(record))
    codes |= dict.fromkeys(fault.code for fault in _faults(record))
    return [*map(question_rule, kinds), *map(problem_rule, codes)]


def _results(record: Record, places: Places) -> Iterator[dict[str, Any]]:
    for result in record.results:
        level = _level(result)
        if level is not None:
            yield _answer(result, level, places) | _where_it_fails(result, places)
    for diagnostic, failure in _diagnostics(record):
        yield _problem(diagnostic, failure, places)


def _level(result: Result) -> str | None:
    """How bad an answer is; None if it is as it should be."""
    match result.verdict:
        case Verdict.VIOLATED | Verdict.ERROR:
            return "error"
        case Verdict.UNKNOWN:
            return "warning"
        case Verdict.HOLDS:
            return "note" if result.is_vacuous else None


def _answer(result: Result, level: str, places: Places) -> dict[str, Any]:
    subject = _subject(result)
    said = Said(result)
    lines = [said.sentence, *said.notes]
    if result.evidence is not None and result.evidence.explanation is not None:
        lines += result.evidence.explanation.lines()
    location = places.location(subject.span)
    location["logicalLocations"] = [{"name": subject.process}]
    found: dict[str, Any] = {
        "ruleId": subject.kind,
        "level": level,
        "message": {"text": "\n".join(lines)},
        "locations": [location],
        "partialFingerprints": {"question/v1": _fingerprint(result, places)},
        "properties": _facts(result),
    }
    if result.evidence is not None and result.verdict in (Verdict.VIOLATED, Verdict.ERROR):
        found["codeFlows"] = [flow for _, run in said.shown for flow in code_flows(run, places)]
    return found


def _where_it_fails(result: Result, places: Places) -> dict[str, Any]:
    """The rule and the place of a run-time error: that of the operation, not of the question."""
    if result.fault is None:
        return {}
    return {"ruleId": result.fault.code.value, "locations": [places.location(result.fault.span)]}


def _problem(diagnostic: Diagnostic, failure: Failure | None, places: Places) -> dict[str, Any]:
    is_error = diagnostic.severity is Severity.ERROR and not (failure is not None and failure.is_limit)
    text = diagnostic.message if diagnostic.hint is None else f"{diagnostic.message}\nhint: {diagnostic.hint}"
    if diagnostic.span is not None and diagnostic.span.source.path is None:
        text = f"in {diagnostic.span.source.name}: {text}"  # a part of the command, not of a file
    question = None if failure is None else failure.question
    span = diagnostic.span
    if question is not None and (span is None or span.source.path is None):
        span = question.span
    found: dict[str, Any] = {
        "ruleId": diagnostic.code.value,
        "level": "error" if is_error else "warning",
        "message": {"text": text},
        "locations": [places.location(span)],
    }
    if diagnostic.related:
        found["relatedLocations"] = [
            places.location(other.span, other.message) for other in diagnostic.related
        ]
    if question is not None:
        found["properties"] = {"assertion": question.text}
    return found


def _faults(record: Record) -> Iterator[Diagnostic]:
    """The run-time errors that are answers."""
    return (result.fault for result in record.results if result.fault is not None)


def _diagnostics(record: Record) -> Iterator[tuple[Diagnostic, Failure | None]]:
    for failure in record.failures:
        for diagnostic in failure.error.diagnostics:
            yield diagnostic, failure
    for warning in record.warnings:
        yield warning, None


def _facts(result: Result) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "assertion": result.assertion,
        "verdict": result.verdict.value,
        "fairness": result.fairness.value,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
    }
    if result.also_under:
        facts["also_under"] = [notion.value for notion in result.also_under]
    if result.fair is not None:
        facts["fair"] = result.fair
    if result.reason is not None:
        facts["reason"] = result.reason
    return facts


def _fingerprint(result: Result, places: Places) -> str:
    """The same for the same question, wherever it stands in the file."""
    parts = (places.artifact_name, result.assertion, result.fairness.value, result.fair or "")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _subject(result: Result) -> Subject:
    assert result.subject is not None, "every check says what it was about"
    return result.subject
