"""How the command line tells that there was partial order reduction."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.result import Result


def reduction_lines(result: Result) -> Iterator[str]:
    """That some steps were left out, or why not."""
    report = result.partial_order
    if report is not None:
        yield "partial order: " + ("reduced" if report.problem is None else f"not reduced: {report.problem}")
