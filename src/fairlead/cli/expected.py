"""Reads files of expected verdicts: what `fairlead grade` compares the answers about a model with."""

from __future__ import annotations

import re
from pathlib import Path

from fairlead.base.diagnostics import Code, Diagnostic, InputError, input_error, nearest
from fairlead.base.files import read_text
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.logic.fairness.notions import Fairness, parse_fairness
from fairlead.outcome.finding import Verdict

_VERDICTS = {verdict.value: verdict for verdict in (Verdict.HOLDS, Verdict.VIOLATED)}
_LINE = re.compile(r"(?P<verdict>\S+)[ \t]+(?P<fairness>\S+)[ \t]+(?P<assertion>\S.*?)[ \t]*$")
_FORM = "write a verdict, a notion of fairness and an assertion, as in 'holds pwf System() |= []<> a'"


@dataclass(frozen=True)
class Expectation:
    """The verdict that an assertion must have under a notion of fairness, and where the file says so."""

    verdict: Verdict
    fairness: Fairness
    assertion: str
    span: Span


def read_expected(path: Path) -> tuple[Expectation, ...]:
    """The expectations of a file, one on each line; `#` begins a line of comment. At least one is needed."""
    source = Source(str(path), read_text(path), path)
    found: list[Expectation] = []
    problems: list[Diagnostic] = []
    start = 0
    for line in source.text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(_expectation(source, start, line))
            except InputError as error:
                problems += error.diagnostics
        start += len(line) + 1
    if problems:
        raise InputError(tuple(problems))
    if not found:
        raise input_error(Code.SYNTAX, f"'{path}' expects nothing", hint=_FORM)
    return tuple(found)


def _expectation(source: Source, start: int, line: str) -> Expectation:
    indent = len(line) - len(line.lstrip())
    match = _LINE.match(line, indent)
    whole = source.span(start + indent, start + len(line.rstrip()))
    if match is None:
        raise input_error(Code.SYNTAX, "this line is not an expectation", whole, _FORM)
    verdict, fairness, assertion = match.groups()
    first = source.span(start + match.start("verdict"), start + match.end("verdict"))
    if verdict not in _VERDICTS:
        raise input_error(
            Code.SYNTAX,
            f"expected 'holds' or 'violated', found '{verdict}'",
            first,
            nearest(verdict, _VERDICTS),
        )
    second = source.span(start + match.start("fairness"), start + match.end("fairness"))
    try:
        notions = parse_fairness(fairness)
    except InputError as error:
        (problem,) = error.diagnostics
        raise input_error(Code.SYNTAX, problem.message, second, problem.hint) from None
    if len(notions) != 1:
        raise input_error(Code.SYNTAX, f"'{fairness}' is more than one notion of fairness", second)
    third = source.span(start + match.start("assertion"), start + match.end("assertion"))
    if assertion.isdecimal():
        raise input_error(
            Code.SYNTAX,
            "an expectation has the text of its assertion, not the number of one in the model",
            third,
        )
    return Expectation(_VERDICTS[verdict], notions[0], assertion, third)
