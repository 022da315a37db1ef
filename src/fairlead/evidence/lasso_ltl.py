"""LTL on one run, by the semantics of LTL itself: no automaton, no rewriting.

The run is a lasso, so that it has finitely many positions. Position 0 is the start, where no event is
true; position i is the state after step i with that step. The loop's last position is followed by its
first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.base.records import dataclass
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    children,
    subformulas,
)
from fairlead.model.assertion import Meaning
from fairlead.model.meaning import meaning_holds
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System

Truth = list[bool]


@dataclass(frozen=True)
class Position:
    """A state and the step into it (None at the start)."""

    state: State
    step: Step | None


@dataclass(frozen=True)
class Word:
    """The positions of a lasso; after the last one comes `back`."""

    positions: tuple[Position, ...]
    back: int

    def next(self, position: int) -> int:
        """The position after a position."""
        return position + 1 if position + 1 < len(self.positions) else self.back


def word_of(run: Run) -> Word:
    """The positions of a run with a loop."""
    assert run.loop, "a finite run is not an infinite word"
    positions = [Position(run.start, None)]
    positions += [Position(step.target, step) for step in (*run.stem, *run.loop)]
    return Word(tuple(positions), len(run.stem) + 1)


def holds_on(formula: Formula, word: Word, meanings: Mapping[Atom, Meaning], system: System) -> bool:
    """Whether the run satisfies the formula at its start."""
    truth: dict[Formula, Truth] = {}
    for part in subformulas(formula):
        truth[part] = _truth_of(part, word, [truth[child] for child in children(part)], meanings, system)
    return truth[formula][0]


def _truth_of(
    formula: Formula,
    word: Word,
    below: list[Truth],
    meanings: Mapping[Atom, Meaning],
    system: System,
) -> Truth:
    match formula:
        case Constant(value):
            return [value] * len(word.positions)
        case Atom():
            meaning = meanings[formula]
            return [meaning_holds(system, meaning, at.state, at.step) for at in word.positions]
        case Not():
            return [not a for a in below[0]]
        case And():
            return [a and b for a, b in zip(*below, strict=True)]
        case Or():
            return [a or b for a, b in zip(*below, strict=True)]
        case Implies():
            return [not a or b for a, b in zip(*below, strict=True)]
        case Iff():
            return [a == b for a, b in zip(*below, strict=True)]
        case Next():
            return [below[0][word.next(i)] for i in range(len(word.positions))]
    rule, start = _fixpoint_rule(formula, below)
    return _fixpoint(word, rule, start)


def _fixpoint_rule(formula: Formula, below: list[Truth]) -> tuple[Callable[[int, bool], bool], bool]:
    """How truth at a position follows from truth at the next, and whether it is the least (False) or the
    greatest (True) solution that is meant."""
    match formula:
        case Eventually():
            return (lambda i, later: below[0][i] or later), False
        case Always():
            return (lambda i, later: below[0][i] and later), True
        case Until():
            return (lambda i, later: below[1][i] or (below[0][i] and later)), False
        case WeakUntil():
            return (lambda i, later: below[1][i] or (below[0][i] and later)), True
        case Release():
            return (lambda i, later: below[1][i] and (below[0][i] or later)), True
    raise AssertionError(formula)


def _fixpoint(word: Word, rule: Callable[[int, bool], bool], start: bool) -> Truth:
    truth = [start] * len(word.positions)
    changed = True
    while changed:  # backwards, so that all but the loop is settled in one pass
        changed = False
        for i in reversed(range(len(word.positions))):
            value = rule(i, truth[word.next(i)])
            changed = changed or value != truth[i]
            truth[i] = value
    return truth
