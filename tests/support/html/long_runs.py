"""Runs that are too long to be shown whole."""

from __future__ import annotations

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Step


def ring(length: int, stem: int) -> tuple[ExplicitGraph, Run]:
    """A graph that is one run: so many steps into a loop, and back to its start."""
    steps = [Step(f"e{number}", frozenset({f"P{number % 3}"}), number + 1) for number in range(stem + length)]
    steps[-1] = Step(steps[-1].event, steps[-1].processes, stem)
    graph = ExplicitGraph(stem + length, 0, {number: (step,) for number, step in enumerate(steps)})
    return graph, Run(0, tuple(steps[:stem]), tuple(steps[stem:]))
