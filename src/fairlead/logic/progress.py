"""What a progress test says as a formula of LTL."""

from __future__ import annotations

from fairlead.logic.ltl import Always, Atom, AtomKind, Eventually, Formula, Implies
from fairlead.model.assertion import EventAtom, Meaning, ProgressTest

_ACTIONS = Atom("actions", AtomKind.QUOTED)
_CONDITION = Atom("condition", AtomKind.QUOTED)


def progress_formula(test: ProgressTest) -> Formula:
    """What a test says in LTL: `[]<> actions`, or `[]<> condition -> []<> actions` if it has a condition.

    Under strong global fairness the formula holds iff the test does.
    """
    goal = Always(Eventually(_ACTIONS))
    return goal if test.condition is None else Implies(Always(Eventually(_CONDITION)), goal)


def progress_meanings(test: ProgressTest) -> dict[Atom, Meaning]:
    """What the atoms of the formula of a test mean."""
    meanings: dict[Atom, Meaning] = {_ACTIONS: EventAtom(test.actions)}
    if test.condition is not None:
        meanings[_CONDITION] = EventAtom(test.condition)
    return meanings
