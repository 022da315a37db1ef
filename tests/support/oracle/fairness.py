"""The fairness notions, word for word, on what an execution does infinitely often."""

from __future__ import annotations

from collections.abc import Set

from tests.support.oracle.graphs import Graph, Step

NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf")


def is_fair(graph: Graph, states: Set[int], steps: Set[Step], notion: str) -> bool:
    """Fairness of an execution that visits exactly `states` and takes exactly `steps` infinitely often.

    From some point on it visits no other state, so "enabled at all positions from some point on" is "enabled
    at each of `states`", and "enabled infinitely often" is "enabled at one of them".
    """
    taken = {t for t in steps if t.event is not None}  # fairness ignores idle steps
    match notion:
        case "none":
            return True
        case "ewf":
            return all(
                any(t.event == e for t in taken)
                for e in graph.events()
                if all(any(t.event == e for t in graph.outgoing(s)) for s in states)
            )
        case "esf":
            return all(
                any(t.event == e for t in taken)
                for e in graph.events()
                if any(any(t.event == e for t in graph.outgoing(s)) for s in states)
            )
        case "pwf":
            return all(
                any(p in t.processes for t in taken)
                for p in graph.processes()
                if all(any(p in t.processes for t in graph.outgoing(s)) for s in states)
            )
        case "psf":
            return all(
                any(p in t.processes for t in taken)
                for p in graph.processes()
                if any(any(p in t.processes for t in graph.outgoing(s)) for s in states)
            )
        case "sgf":
            triples = {(t.source, t.event, t.target) for t in taken}
            return all((t.source, t.event, t.target) in triples for s in states for t in graph.outgoing(s))
    raise ValueError(f"unknown fairness {notion!r}")
