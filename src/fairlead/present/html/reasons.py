"""Why a loop is fair, and to whom it would not be: tables with links into the timeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.evidence.annotated import AnnotationReason
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.fair_loop import FROM_STATE, LoopNumbers, Reason, fairness_reasons
from fairlead.evidence.remembering import RememberingSystem
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject
from fairlead.model.run import Run
from fairlead.model.system import Step, System
from fairlead.present.html.markup import Content, Markup, joined, separated, tag
from fairlead.present.html.strip import step_link
from fairlead.present.html.timeline import is_left_out
from fairlead.present.sentences.runs import NOTHING_ENABLED, as_sentence

#: longer tables, and lists of steps, are cut short
SHOWN_ROWS = 60
SHOWN_PLACES = 10
SHOWN_NAMES = 8
#: longer loops are not judged under other notions
LONGEST_LOOP = 1_000

_STEP = re.compile(r"\bstep (\d+)")


@dataclass(frozen=True)
class _Loop:
    """The steps of a loop in the timeline of the given name."""

    name: str
    numbers: LoopNumbers

    def step(self, number: int) -> Markup:
        """A link to a step of the loop by its number in the run; the number alone if it is left out."""
        if is_left_out(number - self.numbers.before, self.numbers.length):
            return joined(str(number))
        return step_link(self.name, number)


def fairness_tables(evidence: Evidence, name: str) -> Markup:
    """Why the loop of a run is fair, under all that was assumed; nothing if every execution counts.

    `name` is that of the timeline.
    """
    if not evidence.run.loop:
        return joined()
    place = _Loop(name, LoopNumbers.of(evidence.run, evidence.offset))
    parts: list[Markup] = []
    notion = evidence.fairness
    if notion.is_global:
        parts.append(_global_table(notion, evidence.reasons, place))
    elif notion.subject is not Subject.NOBODY:
        parts.append(_subject_table(evidence, place))
    if evidence.annotations:
        rows = [_annotation_row(reason, place) for reason in evidence.annotation_reasons]
        parts.append(_table("Why the loop is fair to the annotations", "annotation", rows, len(rows)))
    if evidence.fair:
        found = [
            (reason.subject, reason.is_fair, _linked(reason.because, place))
            for reason in evidence.condition_reasons
        ]
        parts.append(_table("Why the loop is fair by the formula", "condition", found, len(found)))
    return joined(parts)


def other_notions(evidence: Evidence, name: str) -> Markup:
    """Under which notions of fairness the loop would count, and whom it treats unfairly under the others."""
    run = evidence.run
    if not run.loop or len(run.loop) > LONGEST_LOOP:
        return joined()
    system = RememberingSystem(evidence.system)
    place = _Loop(name, LoopNumbers.of(run))
    rows = [_notion_row(system, run, notion, place) for notion in CLASSIC if notion is not Fairness.NONE]
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in ("notion", "this loop", "why")))),
        tag("tbody", rows),
        class_="fl-reasons",
    )
    return tag(
        "details",
        tag("summary", "Under which notions of fairness this run counts"),
        _boxed(table),
        open=not evidence.is_about_fairness,
    )


def _notion_row(system: System, run: Run, notion: Fairness, place: _Loop) -> Markup:
    unfair = [reason for reason in fairness_reasons(system, run, notion) if not reason.is_fair]
    if unfair:
        blamed = separated(_blamed(reason, notion, place) for reason in unfair[:SHOWN_NAMES])
        more = len(unfair) - SHOWN_NAMES
        why: Content = joined("unfair to ", blamed, f" and {more} more" if more > 0 else "")
    else:
        why = (
            "all transitions of its states are taken"
            if notion.is_global
            else "no process or event is treated unfairly"
        )
    return tag(
        "tr",
        tag("th", notion.title, tag("span", f" ({notion.value})", class_="fl-quiet"), scope="row"),
        tag("td", _sign(not unfair, "counts", "does not count")),
        tag("td", why),
    )


def _blamed(reason: Reason, notion: Fairness, place: _Loop) -> Markup:
    """Who is treated unfairly, and where it could have been otherwise."""
    assert reason.enabled is not None
    where = place.step(reason.enabled)
    if notion.is_global:
        return joined(tag("code", _transition(reason)), " after step ", where)
    if reason.disabled is None:
        return joined(tag("code", reason.subject), " (always enabled, never taken)")
    return joined(tag("code", reason.subject), " (enabled after step ", where, ", never taken)")


# ---------------------------------------------------------------- one notion


def _subject_table(evidence: Evidence, place: _Loop) -> Markup:
    notion = evidence.fairness
    events = notion.subject is Subject.EVENTS
    subjects: Callable[[Step], Iterable[str]] = (
        (lambda step: (step.event,)) if events else (lambda step: step.processes)
    )
    loop = evidence.run.loop
    system = RememberingSystem(evidence.system)
    enabled = [
        {subject for step in system.steps(state) for subject in subjects(step)}
        for state in evidence.run.loop_states()
    ]
    rows: list[tuple[str, bool, Content]] = []
    reasons = evidence.reasons
    for reason in reasons[:SHOWN_ROWS]:
        numbers = place.numbers
        taken = [numbers.step(index) for index, step in enumerate(loop) if reason.subject in subjects(step)]
        idle = [numbers.into(index) for index, known in enumerate(enabled) if reason.subject not in known]
        rows.append((reason.subject, reason.is_fair, _because(place, taken, idle, "enabled")))
    title = _title(notion)
    if not rows:
        return joined(tag("h4", title), tag("p", as_sentence(NOTHING_ENABLED)))
    return _table(title, "event" if events else "process", rows, len(reasons))


def _global_table(notion: Fairness, reasons: Sequence[Reason], place: _Loop) -> Markup:
    title = _title(notion)
    if not reasons:
        return joined(tag("h4", title), tag("p", as_sentence(NOTHING_ENABLED)))
    rows: list[tuple[str, bool, Content]] = []
    for reason in reasons[:SHOWN_ROWS]:
        assert reason.enabled is not None
        possible = joined("enabled after step ", place.step(reason.enabled), ", ")
        taken = [] if reason.taken is None else [reason.taken]
        because = joined(
            possible, _listed("taken at step", map(place.step, taken)) if taken else "never taken"
        )
        rows.append((_transition(reason), reason.is_fair, because))
    count = counted(len(reasons), "transition")
    all_of = f"all {count}" if len(reasons) > 1 else f"the {count}"
    return tag(
        "div",
        tag("h4", title),
        tag("p", f"{all_of[0].upper()}{all_of[1:]} of the loop's states are taken in it."),
        tag("details", tag("summary", "One by one"), _boxed(_rows_table("transition", rows, len(reasons)))),
    )


def _title(notion: Fairness) -> str:
    return f"Why the loop is fair: {notion.title}"


def _transition(reason: Reason) -> str:
    """The event of a transition of a state."""
    return reason.subject.rpartition(FROM_STATE)[0]


def _annotation_row(reason: AnnotationReason, place: _Loop) -> tuple[str, bool, Content]:
    wanted = "ready" if reason.annotated.annotation.looks_at_readiness else "enabled"
    taken = [] if reason.taken is None else [reason.taken]
    idle = [place.numbers.into(index) for index, wants in enumerate(reason.wanted) if not wants]
    return str(reason.annotated), reason.is_fair, _because(place, taken, idle, wanted)


def _because(place: _Loop, taken: Sequence[int], idle: Sequence[int], wanted: str) -> Markup:
    """Where a subject is taken, or else where it need not be."""
    if taken:
        return _listed("taken at step", [place.step(number) for number in taken])
    if not idle:
        return joined(f"{wanted} throughout, never taken")
    if len(idle) == place.numbers.length:
        return joined(f"never {wanted} in the loop")
    return _listed(f"not {wanted} after step", [place.step(number) for number in idle])


def _listed(what: str, links: Iterable[Markup]) -> Markup:
    """`taken at steps 7, 12`, with links."""
    found = list(links)
    more = len(found) - SHOWN_PLACES
    plural = "" if len(found) == 1 else "s"
    return joined(
        f"{what}{plural} ", separated(found[:SHOWN_PLACES]), f" and {more} more" if more > 0 else ""
    )


def _linked(text: str, place: _Loop) -> Markup:
    """A reason in words, with links where it names steps of the loop."""
    pieces: list[Content] = []
    end = 0
    for match in _STEP.finditer(text):
        pieces += [text[end : match.start()], "step ", place.step(int(match[1]))]
        end = match.end()
    return joined(*pieces, text[end:])


# ---------------------------------------------------------------- tables


def _table(title: str, head: str, rows: Sequence[tuple[str, bool, Content]], total: int) -> Markup:
    return tag("div", tag("h4", title), _boxed(_rows_table(head, rows, total)))


def _rows_table(head: str, rows: Sequence[tuple[str, bool, Content]], total: int) -> Markup:
    """The first rows, and how many of the total there are besides."""
    more = total - SHOWN_ROWS
    last = (
        tag("tr", tag("td", f"… {more} more (all of them with Evidence.reasons in Python)", colspan=3))
        if more > 0
        else None
    )
    return tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text, scope="col") for text in (head, "fair", "because")))),
        tag("tbody", _reason_rows(rows[:SHOWN_ROWS]), last),
        class_="fl-reasons",
    )


def _reason_rows(rows: Iterable[tuple[str, bool, Content]]) -> Iterator[Markup]:
    for subject, is_fair, because in rows:
        yield tag(
            "tr",
            tag("th", tag("code", subject), scope="row"),
            tag("td", _sign(is_fair, "fair", "unfair")),
            tag("td", because),
        )


def _boxed(table: Markup) -> Markup:
    """A table that scrolls by itself where the page is narrow."""
    return tag("div", table, class_="fl-scroll")


def _sign(good: bool, yes: str, no: str) -> Markup:
    """A word with a sign, so that colour is not all there is."""
    return tag("span", f"✓ {yes}" if good else f"✗ {no}", class_="fl-good" if good else "fl-bad")
