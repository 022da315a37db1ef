"""Computes the reachable part of a graph, and its strongly connected components."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(start: Node, successors: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """The nodes that can be reached, breadth first."""
    found = [start]
    seen = {start}
    for node in found:
        for successor in successors(node):
            if successor not in seen:
                seen.add(successor)
                found.append(successor)
    return found


def strong_components(size: int, successors: Callable[[int], Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Strongly connected components of nodes 0..size-1, each after those it can reach (Tarjan 1972)."""
    order = [-1] * size
    low = [0] * size
    on_stack = [False] * size
    stack: list[int] = []
    components: list[tuple[int, ...]] = []
    counter = 0
    for root in range(size):
        if order[root] >= 0:
            continue
        work = [(root, iter(successors(root)))]
        order[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node, pending = work[-1]
            for target in pending:
                if order[target] < 0:
                    order[target] = low[target] = counter
                    counter += 1
                    stack.append(target)
                    on_stack[target] = True
                    work.append((target, iter(successors(target))))
                    break
                if on_stack[target]:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    place = _last_place(stack, node)
                    component = stack[place:]
                    del stack[place:]
                    for member in component:
                        on_stack[member] = False
                    components.append(tuple(sorted(component)))
    return tuple(components)


def _last_place(stack: list[int], node: int) -> int:
    place = len(stack) - 1
    while stack[place] != node:
        place -= 1
    return place
