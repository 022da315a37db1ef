"""How the command line tells that processes were not told apart."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.errors import counted
from fairlead.result import Result

#: longer lists of processes are cut short
SHOWN = 6


def symmetry_lines(result: Result) -> Iterator[str]:
    """Which processes were not told apart, which were, and why."""
    report = result.symmetry
    if report is None:
        return
    if report.groups:
        yield f"interchangeable: {'; '.join(report.groups)} (states are counted up to symmetry)"
    else:
        yield "interchangeable: nobody"
    for process, reason in report.apart[:SHOWN]:
        yield f"  not {process}: {reason}"
    if len(report.apart) > SHOWN:
        yield f"  and {counted(len(report.apart) - SHOWN, 'more process')} not (all of them with --json)"
