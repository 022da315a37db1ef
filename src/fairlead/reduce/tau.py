"""Strongly connected components of the internal steps of a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def components_of_internal_steps(successors: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strongly connected components of a graph, each after those it leads to (Tarjan's algorithm)."""
    place = [0] * len(successors)  # in the order of discovery, from 1; 0 for a state not met
    low = [0] * len(successors)
    finished = [False] * len(successors)
    met = 0
    waiting: list[int] = []
    for root in range(len(successors)):
        if place[root]:
            continue
        met += 1
        place[root] = low[root] = met
        waiting.append(root)
        path = [(root, iter(successors[root]))]
        while path:
            state, rest = path[-1]
            for target in rest:
                if not place[target]:
                    met += 1
                    place[target] = low[target] = met
                    waiting.append(target)
                    path.append((target, iter(successors[target])))
                    break
                if not finished[target]:
                    low[state] = min(low[state], place[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == place[state]:
                    component: list[int] = []
                    while not component or component[-1] != state:
                        component.append(waiting.pop())
                        finished[component[-1]] = True
                    yield component
