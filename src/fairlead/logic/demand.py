"""Weak and strong fairness to one subject, and what annotations demand, as conditions."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.logic.condition import AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.fairness_formula import Conjunct
from fairlead.logic.ltl import Atom, AtomKind, Not
from fairlead.model.annotation import Annotated, Demand
from fairlead.model.assertion import Arrival, Enabled, EventAtom, Meaning, ProcessAtom, Ready, StepAtom


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


def annotation_conjunct(annotated: Annotated) -> Conjunct:
    """What an annotation demands."""
    ready = annotated if annotated.annotation.looks_at_readiness else None
    subject = EventAtom.of(annotated.label)
    return subject_conjunct(str(annotated), subject, annotated.annotation.demand, ready)


def conservation(name: str) -> tuple[Conjunct, Conjunct]:
    """What is true of every run of finitely many processes: a local state is left as often as it is entered.

    `name` is that of counted processes in the local state. It is no fairness, but leaves out runs that
    no number of processes has.
    """
    leaving, arriving = ProcessAtom(frozenset((name,))), Arrival(name)
    left, entered = Atom(_name(leaving), AtomKind.EXECUTED), Atom(f"arrival {name}", AtomKind.EXECUTED)
    meanings: Mapping[Atom, Meaning] = {left: leaving, entered: arriving}
    return (
        Conjunct(name, OneOf((AlmostAlways(Not(left)), InfinitelyOften(entered))), meanings),
        Conjunct(name, OneOf((AlmostAlways(Not(entered)), InfinitelyOften(left))), meanings),
    )


def _name(subject: StepAtom) -> str:
    """A text that no other subject has, as a formula writes it that leaves no doubt."""
    if isinstance(subject, ProcessAtom):
        return f"process {', '.join(sorted(subject.processes))}"
    return f"event {', '.join(sorted(subject.labels))}"
