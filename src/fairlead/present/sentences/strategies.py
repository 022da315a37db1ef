"""Has the sentences about strategies: which processes were counted, what was refused, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.diagnostics import counted
from fairlead.checker.result import Result, VariablesReport
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.outcome.finding import Verdict
from fairlead.present.sentences.result import Said
from fairlead.present.text.evidence import evidence_lines

#: longer lists of processes, or of events, are cut short
SHOWN = 6
#: how a run is called that counted processes have, and maybe no number of them
COUNTED_RUN = "run of counted processes against"


def processes_lines(results: Sequence[Result]) -> list[str]:
    """Which processes were counted or not distinguished: each line once.

    What was chosen automatically has one line of its own, in `reduction_lines`.
    """
    ways = (counters_lines, symmetry_lines, variables_lines)
    asked_for = [result for result in results if result.auto is None]
    return [
        line for way in ways for line in dict.fromkeys(line for result in asked_for for line in way(result))
    ]


def counters_lines(result: Result) -> Iterator[str]:
    """Which processes were counted, which not, and why."""
    report = result.counters
    if report is None:
        return
    yield f"counted: {', '.join(report.merged)}" if report.merged else "counted: nothing"
    yield from _apart_lines(report.apart)
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
        yield f"\n{COUNTED_RUN} {result.assertion}, found in no instance"
        yield from evidence_lines(result.counters.spurious)


def symmetry_lines(result: Result) -> Iterator[str]:
    """Which processes were not distinguished, which were, and why."""
    report = result.symmetry
    if report is None:
        return
    if report.groups:
        yield f"interchangeable: {'; '.join(report.groups)} (states are counted up to symmetry)"
    else:
        yield "interchangeable: nothing"
    yield from _apart_lines(report.apart)


def variables_lines(result: Result) -> Iterator[str]:
    """Which variables did not distinguish states."""
    report = result.variables
    if report is None:
        return
    yield _variables_text(report)
    if report.no_cost is not None:
        yield f"  no cost: {report.no_cost}"


def _variables_text(report: VariablesReport) -> str:
    parts = [] if report.cost is None else [f"{report.cost} is a cost"]
    if report.unread:
        parts.append(f"nothing reads {', '.join(report.unread)}")
    if report.dead:
        parts.append(f"dead in places: {', '.join(report.dead)}")
    return f"variables: {'; '.join(parts)}"


def without_bound(report: VariablesReport) -> str:
    """Why a cost has no best value."""
    more = ", ..." if len(report.cycle) > SHOWN else ""
    cycle = ", ".join(report.cycle[:SHOWN]) + more
    return f"no best value: {report.cost} changes without bound in the cycle {cycle}"


def reduction_lines(results: Sequence[Result]) -> list[str]:
    """What was reduced, or why not; what else was refused, and why."""
    said: list[str] = []
    for result in results:
        if result.auto is not None and result.auto.applied:
            said.append(_reduced_line(result, results))
        elif result.partial_order is not None:
            problem = result.partial_order.problem
            said.append("partial order: reduced" if problem is None else _refused("partial order", problem))
        if result.refused is not None:
            said.append(_refused(result.refused.strategy, result.refused.reason))
    return list(dict.fromkeys(said))


def _chosen(result: Result) -> str:
    """What reduced a system automatically."""
    assert result.auto is not None
    parts: list[str] = []
    if result.partial_order is not None:
        parts.append("partial order")
    if result.counters is not None:
        parts.append(f"process counters for {', '.join(result.counters.merged)}")
    if result.symmetry is not None:
        parts.append(f"symmetry of {', '.join(result.symmetry.groups)}")
    if result.variables is not None:
        parts.append(_variables_text(result.variables))
    return "; ".join(parts or result.auto.applied)


def _saved(result: Result) -> str:
    """How many states a reduction saved, as far as that is known."""
    states = result.statistics.states
    if result.auto is None or states >= result.auto.at_least:
        return ""
    noun = "state" if states == 1 else "states"
    return f" ({states:,} {noun} instead of at least {result.auto.at_least:,})"


def _reduced_line(result: Result, results: Sequence[Result]) -> str:
    """What was chosen for a result, and which result that is, unless it is all of them."""
    text = _chosen(result)
    same = [other for other in results if other.auto is not None and _chosen(other) == text]
    if len(same) == len(results):
        return f"reduced: {text}{_saved(result) if len(results) == 1 else ''}"
    return f"reduced for {result.assertion} ({Said(result).notion}): {text}{_saved(result)}"


def _refused(strategy: str, reason: str) -> str:
    return f"{strategy}: not reduced: {reason}"


def _apart_lines(apart: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Which processes were distinguished all the same, and why."""
    for process, reason in apart[:SHOWN]:
        yield f"  not {process}: {reason}"
    if len(apart) > SHOWN:
        yield f"  and {counted(len(apart) - SHOWN, 'more process')} not ({ALL_WITH_JSON})"
