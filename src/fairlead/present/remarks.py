"""What is said beside a verdict: in its row, and below all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.diagnostics import counted
from fairlead.checker.result import CountersReport, Result
from fairlead.logic.fairness.notions import Fairness
from fairlead.outcome.finding import Verdict
from fairlead.present.text.evidence import evidence_lines

#: longer lists of processes and of annotations are cut short
SHOWN = 6
SHOWN_ANNOTATIONS = 10

# ---------------------------------------------------------------- in a row


def notion_text(result: Result) -> str:
    """The notion in a few letters, with what is assumed besides."""
    notion = result.fairness.value
    if result.fair is not None:
        notion = "fair" if result.fairness is Fairness.NONE else f"{notion}+fair"
    return f"{notion}+ann" if result.annotations else notion


def remark(result: Result) -> str | None:
    """What a verdict means more exactly, if there is anything to say."""
    if result.optimum is not None:
        return f"{result.objective} = {result.optimum}"
    if result.counters is not None and result.verdict is not Verdict.UNKNOWN:
        number = number_text(result.counters)
        if number:
            return number
    if result.counters is not None and result.counters.tried is not None:
        return "no instance found"
    if result.reason and result.verdict is Verdict.UNKNOWN:
        return f"{result.reason} reached"
    if result.reason:
        return result.blame
    if result.evidence is None and result.holds_in is not None and result.verdict is Verdict.VIOLATED:
        return holding_text(result.holds_in, result.partly_in, result.statistics.states)
    return None if result.vacuity is None else result.vacuity.remark


def holding_text(holds: int, partly: int, total: int) -> str:
    """In how many states a formula holds."""
    some = f", and in {partly:,} after some of the steps into them" if partly else ""
    return f"holds in {holds:,} of {counted(total, 'state')}{some}"


def number_text(report: CountersReport) -> str:
    """For which numbers of processes an answer was found, where there are unboundedly many."""
    if report.instance is not None:
        return "with " + ", ".join(f"{name}={number}" for name, number in report.instance.items())
    return "" if report.cutoff is None else "for any number of processes"


# ---------------------------------------------------------------- below all rows


def assumption_lines(results: Sequence[Result]) -> dict[str, Result]:
    """Which formula and annotations were assumed, and where they cannot be satisfied: each line once, with a
    result that it is about."""
    lines: dict[str, Result] = {}
    for result in results:
        if result.fair is not None:
            lines.setdefault(f"fair: executions with {result.fair}", result)
        if result.annotations:
            lines.setdefault(f"+ann: fair to {_names(result)}", result)
    for result in results:
        if result.note is not None:
            scope = "no execution is fair: " if result.nothing_is_fair else ""
            lines.setdefault(f"note: {scope}{result.note}", result)
        if result.vacuity_note is not None:
            lines.setdefault(f"note: {result.assertion}: {result.vacuity_note}", result)
    return lines


def _names(result: Result) -> str:
    names = [str(annotated) for annotated in result.annotations]
    more = len(names) - SHOWN_ANNOTATIONS
    if more <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN_ANNOTATIONS])} and {more} more (all of them with --json)"


def processes_lines(results: Sequence[Result]) -> list[str]:
    """Which processes were counted or not told apart: each line once."""
    ways = (counters_lines, symmetry_lines)
    return [
        line for way in ways for line in dict.fromkeys(line for result in results for line in way(result))
    ]


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


def reduction_lines(results: Sequence[Result]) -> list[str]:
    """That steps were left out by partial order reduction, or why not; what else was refused, and why."""
    said: list[str] = []
    for result in results:
        if result.partial_order is not None:
            problem = result.partial_order.problem
            said.append("partial order: reduced" if problem is None else _refused("partial order", problem))
        if result.refused is not None:
            said.append(_refused(result.refused.strategy, result.refused.reason))
    return list(dict.fromkeys(said))


def _refused(strategy: str, reason: str) -> str:
    return f"{strategy}: not reduced: {reason}"


# ---------------------------------------------------------------- evidence


def evidence_kind(result: Result) -> str:
    """What the evidence of a result is."""
    return "counterexample to" if result.verdict is Verdict.VIOLATED else "witness of"


def assumed_text(result: Result) -> str:
    """Which executions count, as it is said after the assertion."""
    notion = "" if result.fairness is Fairness.NONE else f" under {result.fairness.title}"
    return notion if result.fair is None else f"{notion} with {result.fair}"
