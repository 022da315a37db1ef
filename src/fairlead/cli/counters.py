"""How the command line tells that processes were counted."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.check.finding import Verdict
from fairlead.errors import counted
from fairlead.evidence.text import evidence_lines
from fairlead.result import CountersReport, Result

#: longer lists of processes are cut short
SHOWN = 6


def counters_lines(result: Result) -> Iterator[str]:
    """Which processes were counted, which not, and why."""
    report = result.counters
    if report is None:
        return
    yield f"counted: {', '.join(report.merged)}" if report.merged else "counted: nothing"
    for process, reason in report.apart[:SHOWN]:
        yield f"  not {process}: {reason}"
    if len(report.apart) > SHOWN:
        yield f"  and {counted(len(report.apart) - SHOWN, 'more process')} not (all of them with --json)"
    if report.tried is not None and result.verdict is Verdict.UNKNOWN:
        have = "have such a run" if report.error is None else f"can fail ({report.error})"
        yield f"unknown: counted processes {have}, but no instance was found that does: {report.tried}"
        more = (report.cutoff or 0) + 1
        yield f"  hint: try --cutoff {more}, or a model that says more about its processes"
    if report.is_counted and result.evidence is not None:
        yield "the run is shown with processes counted"


def spurious_lines(result: Result) -> Iterator[str]:
    """The run of counted processes that no instance has, if there is one."""
    if result.counters is not None and result.counters.spurious is not None:
        yield f"\nrun of counted processes against {result.assertion}, found in no instance"
        yield from evidence_lines(result.counters.spurious)


def number_text(report: CountersReport) -> str:
    """For which numbers of processes an answer was found, where there are unboundedly many."""
    if report.instance is not None:
        return "with " + ", ".join(f"{name}={number}" for name, number in report.instance.items())
    return "" if report.cutoff is None else "for any number of processes"
