"""Presents a result as text: question and verdict, remarks, the evidence."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.checker.result import Result
from fairlead.present.sentences.result import Said
from fairlead.present.text.evidence import evidence_lines


def said_lines(said: Said) -> Iterator[str]:
    """All evidence; if there are several runs, each under its number."""
    for kind, evidence in said.shown:
        if len(said.shown) > 1:
            yield f"{kind} {said.result.assertion}"
        yield from evidence_lines(evidence)


def result_lines(result: Result) -> Iterator[str]:
    """The result, line by line."""
    said = Said(result)
    yield said.headline
    yield from said.notes
    yield from said_lines(said)
