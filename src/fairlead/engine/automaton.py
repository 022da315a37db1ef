"""Gives an automaton to the engine."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.engine import _native
from fairlead.logic.automata.automaton import Automaton


def engine_automaton(automaton: Automaton) -> _native.Automaton:
    """The engine's copy; its letters have the automaton's atoms as bits, in their order."""
    if max(automaton.acceptance_sets, len(automaton.atoms)) > _native.MOST_BITS:
        problem = f"the formula needs more than {_native.MOST_BITS} atoms or acceptance sets"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),))
    accepting = automaton.accepting_components
    may_accept = [automaton.component_of[state] in accepting for state in automaton.states]
    copy = _native.Automaton(automaton.initial, automaton.acceptance_sets, may_accept)
    for source, edges in enumerate(automaton.transitions):
        for edge in edges:
            copy.add_transition(source, edge.positive, edge.negative, edge.target, edge.marks)
    return copy
