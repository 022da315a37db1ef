"""An automaton in the engine."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.engine import _native
from fairlead.logic.automata.automaton import Automaton

#: the engine keeps letters and marks in 64 bits
MAX_BITS = 64


def engine_automaton(automaton: Automaton) -> _native.Automaton:
    """The engine's copy; its letters have the automaton's atoms as bits, in their order."""
    if automaton.acceptance_sets > MAX_BITS or len(automaton.atoms) > MAX_BITS:
        problem = f"the formula needs more than {MAX_BITS} atoms or acceptance sets"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),))
    transitions = [
        (source, edge.positive, edge.negative, edge.target, edge.marks)
        for source, edges in enumerate(automaton.transitions)
        for edge in edges
    ]
    accepting = automaton.accepting_components
    may_accept = [automaton.component_of[state] in accepting for state in automaton.states]
    return _native.Automaton(
        len(automaton.transitions), automaton.initial, automaton.acceptance_sets, transitions, may_accept
    )
