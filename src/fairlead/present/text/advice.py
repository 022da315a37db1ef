"""Advice as text a person reads."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.advice.advice import Advice, AssumptionSet, Outcome, Without
from fairlead.advice.notions import Known, NotionVerdict
from fairlead.base.diagnostics import counted
from fairlead.logic.fairness.notions import Fairness
from fairlead.outcome.finding import Verdict
from fairlead.present.text.evidence import evidence_lines
from fairlead.search.assumptions import FairReach

_WIDTH = 9
#: formulas of more assumptions than this are not written out
_WRITTEN_OUT = 12


def advice_lines(advice: Advice, with_runs: bool = True) -> Iterator[str]:
    """The advice, line by line; with the runs that show it, or without them."""
    yield f"{advice.assertion}" + ("" if advice.fair is None else f"  with {advice.fair}")
    yield ""
    for verdict in advice.notions:
        yield f"  {verdict.notion.value:<5} {verdict.verdict.value:<{_WIDTH}} {how_known(verdict)}".rstrip()
    yield ""
    yield from conclusion_lines(advice)
    for number, found in enumerate(advice.sets, 1):
        yield ""
        mark = f"{number}. " if len(advice.sets) > 1 else ""
        yield f"  {mark}{found.text}"
        for line in set_remarks(found, advice.fair):
            yield f"{'':{2 + len(mark)}}{line}"
    if not with_runs:
        return
    if advice.best is not None:
        for without in advice.best.why:
            yield ""
            yield f"{without.title}:"
            yield from evidence_lines(without.evidence)
    for title, evidence in (
        (
            "an execution that is strongly fair to every event and every process, and violates it:",
            advice.survivor,
        ),
        ("a finite run that violates it, however it continues:", advice.prefix),
    ):
        if evidence is not None:
            yield ""
            yield title
            yield from evidence_lines(evidence)


def how_known(verdict: NotionVerdict) -> str:
    """Why a verdict is known without a search, if it is."""
    match verdict.known:
        case Known.SEARCHED:
            return ""
        case Known.IMPLIED:
            word = (
                "since it holds under" if verdict.verdict is Verdict.HOLDS else "since it is violated under"
            )
            return f"({word} {verdict.because_of.value})"
        case Known.SHOWN:
            return f"(the counterexample under {verdict.because_of.value} is fair here too)"


def conclusion_lines(advice: Advice) -> Iterator[str]:
    """The conclusion, in short."""
    match advice.outcome:
        case Outcome.NOTHING_NEEDED:
            yield "needs no fairness"
        case Outcome.ASSUMPTIONS:
            yield f"needs one of these {len(advice.sets)} sets:" if len(advice.sets) > 1 else "needs:"
        case Outcome.ONLY_GLOBAL:
            yield "needs strong global fairness: no fairness to events and processes is enough"
        case Outcome.NOTHING_HELPS:
            finite = advice.prefix is not None
            yield "no fairness helps: " + (
                "a finite run violates it" if finite else "it is violated under strong global fairness too"
            )
        case Outcome.UNKNOWN:
            yield f"unknown: the {advice.reason} was reached"
            weakest = weakest_that_holds(advice)
            if weakest:
                yield f"known to be sufficient: {' or '.join(notion.value for notion in weakest)}"
    if advice.outcome is Outcome.ASSUMPTIONS and advice.reason is not None:
        yield f"(the {advice.reason} was reached: there may be better ones)"


def weakest_that_holds(advice: Advice) -> list[Fairness]:
    """The notions under which it holds, without those that demand more than another of them."""
    from fairlead.advice.notions import at_least

    holding = [verdict.notion for verdict in advice.notions if verdict.verdict is Verdict.HOLDS]
    return [
        notion
        for notion in holding
        if not any(other != notion and notion in at_least(other) for other in holding)
    ]


def set_remarks(found: AssumptionSet, assumed: str | None) -> Iterator[str]:
    """Remarks on a set; `assumed` is the formula that is assumed in any case."""
    if found.equals is not None:
        yield f"that is {found.equals.value}, {found.equals.title}"
    if found.by_names is not None:
        yield f"shorter, and stronger than needed: {', '.join(term.text for term in found.by_names)}"
    if found.formula is not None and len(found.assumptions) <= _WRITTEN_OUT:
        conditions = [found.formula] if assumed is None else [assumed, found.formula]
        yield "check it: " + " ".join(f"--fair {_quoted(condition)}" for condition in conditions)
    if not found.is_least:
        yield "there may be a smaller set; no member of this one can be dropped"
    if found.reach is FairReach.NOT_EVERYWHERE:
        yield "not always possible: with the other assumptions it cannot be satisfied from some states on"
    if found.reach is FairReach.NOWHERE:
        yield "vacuous: with the other assumptions no execution is fair"
    for without in found.why:
        yield _brief(without)


def _quoted(formula: str) -> str:
    """For a shell."""
    return f"'{formula}'" if '"' in formula else f'"{formula}"'


def _brief(without: Without) -> str:
    """In one line what goes wrong without an assumption."""
    loop = without.evidence.loop
    events = " ".join(view.label for view in loop[:6]) + (" …" if len(loop) > 6 else "")
    instead = "" if without.instead is None else f" ({without.instead} is not enough)"
    start = f"without {without.assumption}{instead}"
    stem = without.evidence.stem
    where = f"after {counted(len(stem), 'step')}" if stem else "from the start"
    return f"{start}: loop {where}: {events}"
