"""Weak and strong fairness to one subject, and what annotations demand, as conditions."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.base.records import dataclass
from fairlead.logic.fairness.condition import AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Subject
from fairlead.logic.ltl import Atom, AtomKind, Not
from fairlead.model.annotation import Annotated, Demand
from fairlead.model.assertion import Enabled, EventAtom, Meaning, MemberMove, ProcessAtom, Ready, StepAtom


def subject_conjunct(
    text: str, subject: StepAtom, demand: Demand, ready: Annotated | None = None
) -> Conjunct:
    """What is demanded for a subject; it is wanted where it is enabled, or where an annotation is ready."""
    name = _name(subject)
    taken, wanted = Atom(name, AtomKind.EXECUTED), Atom(name, AtomKind.ENABLED)
    when: Meaning = Enabled(subject)
    if ready is not None:
        wanted, when = Atom(str(ready), AtomKind.READY), Ready(ready)
    again = InfinitelyOften(taken)
    conditions: Mapping[Demand, Condition] = {
        Demand.UNCONDITIONAL: again,
        Demand.WEAK: OneOf((InfinitelyOften(Not(wanted)), again)),
        Demand.STRONG: OneOf((AlmostAlways(Not(wanted)), again)),
    }
    return Conjunct(text, conditions[demand], {taken: subject, wanted: when})


@dataclass(frozen=True)
class SingleDemand:
    """Weak or strong fairness to one event or process."""

    subject: Subject
    name: str
    is_strong: bool


def single_demand(conjunct: Conjunct) -> SingleDemand | None:
    """What a conjunct demands, if that is weak or strong fairness to one event or process, and no more."""
    match conjunct.condition:
        case OneOf((InfinitelyOften(Not(Atom() as wanted)), InfinitelyOften(Atom() as taken))):
            is_strong = False
        case OneOf((AlmostAlways(Not(Atom() as wanted)), InfinitelyOften(Atom() as taken))):
            is_strong = True
        case _:
            return None
    if conjunct.meanings.get(wanted) != Enabled(conjunct.meanings[taken]):  # type: ignore[arg-type]
        return None
    match conjunct.meanings[taken]:
        case EventAtom(labels) if len(labels) == 1:
            return SingleDemand(Subject.EVENTS, next(iter(labels)), is_strong)
        case ProcessAtom(processes) if len(processes) == 1:
            return SingleDemand(Subject.PROCESSES, next(iter(processes)), is_strong)
    return None


def annotation_conjunct(annotated: Annotated) -> Conjunct:
    """What an annotation demands."""
    ready = annotated if annotated.annotation.looks_at_readiness else None
    subject = EventAtom.of(annotated.label)
    return subject_conjunct(str(annotated), subject, annotated.annotation.demand, ready)


def conservation(name: str) -> tuple[Conjunct, Conjunct]:
    """What is true of every run of finitely many processes: a local state is left as often as it is entered.

    `name` is that of counted processes in the local state. It is not fairness, but leaves out runs that
    no number of processes has.
    """
    left, entered = Atom(f"left {name}", AtomKind.EXECUTED), Atom(f"entered {name}", AtomKind.EXECUTED)
    meanings: Mapping[Atom, Meaning] = {left: MemberMove(name, False), entered: MemberMove(name, True)}
    return (
        Conjunct(name, OneOf((AlmostAlways(Not(left)), InfinitelyOften(entered))), meanings),
        Conjunct(name, OneOf((AlmostAlways(Not(entered)), InfinitelyOften(left))), meanings),
    )


def _name(subject: StepAtom) -> str:
    """A text that no other subject has, as a formula writes it that leaves no doubt."""
    if isinstance(subject, ProcessAtom):
        return f"process {', '.join(sorted(subject.processes))}"
    return f"event {', '.join(sorted(subject.labels))}"
