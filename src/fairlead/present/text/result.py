"""A result as text: question and verdict, what is worth knowing besides, the evidence."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.checker.result import Result
from fairlead.present.sentences.result import Said
from fairlead.present.text.evidence import evidence_lines


def result_lines(result: Result) -> Iterator[str]:
    """The result, line by line."""
    said = Said(result)
    yield said.headline
    yield from said.notes
    if result.evidence is not None:
        yield from evidence_lines(result.evidence)
