"""Gives the annotations of a system's states to the engine."""

from __future__ import annotations

from fairlead.engine import _native
from fairlead.model.annotation import Annotated, Annotation

#: the engine knows the kinds by their place in this list
KINDS = tuple(Annotation)


class EngineAnnotations:
    """What is annotated in the reachable states of a complete graph."""

    def __init__(self, graph: _native.Graph, native: _native.Annotations) -> None:
        self.native = native
        self._numbers = {
            Annotated(graph.label_text(label), KINDS[kind].value): number
            for number, (kind, label) in enumerate(native.all)
        }
        self.annotated = tuple(sorted(self._numbers))

    def number(self, annotated: Annotated) -> int:
        """The engine's number of an annotation."""
        return self._numbers[annotated]
