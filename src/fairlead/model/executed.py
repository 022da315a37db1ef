"""Finds where a run is in the text of the model: what a step executes, and where each process is."""

from __future__ import annotations

from fairlead.base.source import Span
from fairlead.model.attempts import PatientSystem
from fairlead.model.labels import IDLE
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, System
from fairlead.model.tree import Configuration, leaves


def executed(system: System, state: State, step: Step) -> tuple[Span, ...]:
    """The parts of the text that a step from a state executes; none, if the system does not tell."""
    if not isinstance(system, NetworkSystem) or step.event == IDLE:
        return ()
    return tuple(PatientSystem(system.network).executed(state, step))


def standing(system: System, state: State) -> list[tuple[str, Span]]:
    """Where each process stands in the text, as far as that is known.

    A position that has no text of its own, as those of FSP, stands before the first thing that it can do.
    """
    if not isinstance(system, NetworkSystem) or not isinstance(state, Configuration):
        return []
    behaviour = system.network.behaviour
    found: list[tuple[str, Span]] = []
    for leaf in leaves(state.tree):
        position = leaf.state.position
        spans = [place for edge in behaviour.edges(position) or () for place in edge.places]
        span = behaviour.place(position).span or min(spans, key=lambda one: one.start, default=None)
        if span is not None:
            found.append((leaf.process, span))
    return found
