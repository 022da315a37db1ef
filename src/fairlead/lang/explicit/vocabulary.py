"""Resolves names in formulas about a graph: propositions, events, processes."""

from __future__ import annotations

from functools import cached_property

from fairlead.base.diagnostics import Code, Diagnostic, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.subject import (
    SubjectKind,
    no_process,
    no_subject,
    process_and_event,
    read_subject,
    same_but_blanks,
)
from fairlead.model.assertion import AtomText, EventAtom, Meaning, ProcessAtom, StepAtom
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import is_internal
from fairlead.model.system import Proposition


class GraphVocabulary:
    """The names of a graph: its propositions, and the events and processes on its transitions."""

    def __init__(self, graph: ExplicitGraph, warnings: list[Diagnostic]) -> None:
        self.system = graph
        self._warnings = warnings

    @cached_property
    def _events(self) -> frozenset[str]:
        steps = self.system.transitions.values()
        return frozenset(step.event for listed in steps for step in listed if not is_internal(step.event))

    @cached_property
    def _processes(self) -> tuple[str, ...]:
        steps = self.system.transitions.values()
        together = dict.fromkeys(step.processes for listed in steps for step in listed)
        return tuple(dict.fromkeys(process for some in together for process in sorted(some)))

    def meaning(self, atom: AtomText) -> Meaning:
        """A listed proposition, or else an event on some transition; in quotes the event comes first."""
        name = atom.text
        if name in self.system.propositions and not (atom.is_quoted and name in self._events):
            return Proposition(name, name)
        if name in self._events:
            return EventAtom.of(name)
        raise input_error(
            Code.UNKNOWN_NAME,
            f"'{name}' is neither a proposition nor an event of the graph",
            atom.span,
            nearest(name, [*self.system.propositions, *self._events]),
        )

    def subject(self, text: str, span: Span | None) -> StepAtom:
        """A process on some transition, or else an event on one."""
        asked = read_subject(text)
        event = same_but_blanks(asked.name, self._events) if asked.may_be_event else None
        process = self._process(asked.name) if asked.may_be_process else None
        if process is not None:
            if event is not None:
                self._warn(process_and_event(asked.name, span))
            return ProcessAtom(frozenset({process}))
        if event is not None:
            return EventAtom.of(event)
        if asked.kind is SubjectKind.PROCESS:
            raise no_process(asked.name, "the graph", self._processes, span)
        known = self._events if asked.kind is SubjectKind.EVENT else [*self._processes, *self._events]
        raise no_subject(asked.name, known, span)

    def _process(self, name: str) -> str | None:
        """A graph that was written for a model of CSP# has processes `P()`, which may be called `P`."""
        return same_but_blanks(name, self._processes) or same_but_blanks(f"{name}()", self._processes)

    def _warn(self, warning: Diagnostic) -> None:
        if warning not in self._warnings:
            self._warnings.append(warning)
