"""The annotations of a system's states in the engine, and the clauses of the search made of them."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.engine import _native
from fairlead.model.annotation import Annotated, Annotation

#: the engine knows the kinds by their place in this list
KINDS = tuple(Annotation)


class EngineAnnotations:
    """What is annotated in the reachable states of a complete graph."""

    def __init__(self, graph: _native.Graph, native: _native.Annotations) -> None:
        self.graph = graph
        self.native = native
        self._numbers = {
            Annotated(graph.label_text(label), KINDS[kind].value): number
            for number, (kind, label) in enumerate(native.all)
        }
        self.annotated = tuple(sorted(self._numbers))
        self._actions: dict[int, list[int]] = {}
        for action in range(graph.action_count):
            self._actions.setdefault(graph.label_of(action), []).append(action)

    def clauses(self, chosen: Iterable[Annotated]) -> _native.Clauses:
        """What the chosen annotations demand, for the search."""
        clauses = _native.Clauses(self.graph, self.native)
        for annotated in chosen:
            annotation = annotated.annotation
            actions = self._actions.get(self.graph.label(annotated.label), [])
            ready = self._numbers[annotated] if annotation.looks_at_readiness else -1
            clauses.add(annotation.demand.value, actions, ready)
        return clauses
