"""All lassos of a graph up to a length, and those of them that are fair and violate a formula."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.oracle.fairness import NOTIONS, is_fair
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.lassos import satisfies

Lasso = tuple[list[Step], list[Step]]


def lassos(graph: Graph, max_stem: int, max_loop: int) -> Iterator[Lasso]:
    """Every (stem, loop) with at most that many steps, by depth-first search."""

    def extend(path: list[Step]) -> Iterator[Lasso]:
        end = path[-1].target if path else graph.initial
        for cut in range(max(0, len(path) - max_loop), min(len(path) - 1, max_stem) + 1):
            if path[cut].source == end:
                yield path[:cut], path[cut:]
        if len(path) < max_stem + max_loop:
            for step in graph.steps(end):
                yield from extend([*path, step])

    return extend([])


def counterexamples(graph: Graph, formula: Formula, max_stem: int, max_loop: int) -> dict[str, Lasso]:
    """For each notion, a lasso within the bounds that is fair and violates the formula, if there is one."""
    found: dict[str, Lasso] = {}
    for stem, loop in lassos(graph, max_stem, max_loop):
        states, steps = {t.source for t in loop}, set(loop)
        fair = [n for n in NOTIONS if n not in found and is_fair(graph, states, steps, n)]
        if fair and not satisfies(graph, stem, loop, formula):
            found |= dict.fromkeys(fair, (stem, loop))
        if len(found) == len(NOTIONS):
            break
    return found
