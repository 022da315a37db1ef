"""Decides which formulas hold whatever the system does.

`True` is always right; `False` may mean that it was not seen.
"""

from __future__ import annotations

from collections.abc import Collection

from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.branching import existential
from fairlead.logic.ltl import FALSE, TRUE, And, Atom, Formula, Not, Or, fold, operands
from fairlead.logic.mutants import simpler
from fairlead.logic.rewrite import simplify

#: two atoms that are never true at one position
Exclusive = Collection[tuple[Atom, Atom]]


def is_valid(formula: Formula, exclusive: Exclusive = ()) -> bool:
    """Whether every word in which exclusive atoms exclude each other satisfies a formula of LTL."""
    violated = simplify(Not(formula))
    if violated in (FALSE, TRUE):
        return violated == FALSE
    return accepts_nothing(to_automaton(violated), exclusive)


def accepts_nothing(automaton: Automaton, exclusive: Exclusive = ()) -> bool:
    """Whether an automaton accepts no word in which exclusive atoms exclude each other."""
    numbers = {atom: 1 << number for number, atom in enumerate(automaton.atoms)}
    pairs = [numbers[a] | numbers[b] for a, b in exclusive if a in numbers and b in numbers]
    rows = tuple(
        tuple(step for step in row if not any(step.positive & pair == pair for pair in pairs))
        for row in automaton.transitions
    )
    possible = Automaton(automaton.atoms, automaton.initial, rows, automaton.acceptance_sets)
    return possible.trim().transitions == ((),)


def is_valid_branching(formula: Formula, exclusive: Exclusive = ()) -> bool:
    """Whether a formula of CTL* is seen to hold in every state of every system.

    It is, if it simplifies to that by constants and by operands that contradict each other.
    """
    pairs = frozenset(frozenset(pair) for pair in exclusive)

    def compute(node: Formula, below: list[Formula]) -> Formula:
        result = simpler(node, below)
        if isinstance(result, And) and _contradict(operands(result, And), pairs):
            return FALSE
        if isinstance(result, Or):
            turned = [part.operand if isinstance(part, Not) else Not(part) for part in operands(result, Or)]
            return TRUE if _contradict(turned, pairs) else result
        return result

    return fold({}, existential(formula), compute) == TRUE


def _contradict(parts: list[Formula], exclusive: frozenset[frozenset[Atom]]) -> bool:
    """Whether one of the parts is the negation of another, or two exclude each other."""
    known = set(parts)
    if any(isinstance(part, Not) and part.operand in known for part in known):
        return True
    return any(pair <= known for pair in exclusive)
