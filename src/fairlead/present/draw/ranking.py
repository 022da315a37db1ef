"""Ranks states: every arrow leads to a later rank, or is turned around, and arrows are short.

Network simplex after Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs" (1993).
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.records import dataclass

Arrow = tuple[int, int]

#: a tree is exchanged at most so many times for each state; the ranks are valid at any time
_EXCHANGES = 40


@dataclass(frozen=True)
class Edge:
    """An edge that must lead at least one rank on."""

    tail: int
    head: int
    weight: int


def by_distance(count: int, arrows: Sequence[Arrow]) -> list[int]:
    """The places of the states in an order by distance from state 0."""
    following = _following(count, arrows)
    order, seen = [0], {0}
    for state in order:
        for target in following[state]:
            if target not in seen:
                seen.add(target)
                order.append(target)
    return _places(order)


def by_descent(count: int, arrows: Sequence[Arrow]) -> list[int]:
    """The places in an order in which only the back edges of a depth-first search lead back."""
    following = _following(count, arrows)
    finished: list[int] = []
    seen = {0}
    work = [(0, list(reversed(following[0])))]
    while work:
        state, left = work[-1]
        if not left:
            finished.append(state)
            work.pop()
            continue
        target = left.pop()
        if target not in seen:
            seen.add(target)
            work.append((target, list(reversed(following[target]))))
    return _places(finished[::-1])


def ranks(count: int, arrows: Sequence[Arrow], places: Sequence[int]) -> list[int]:
    """The rank of each state; all must be reachable from state 0, which has rank 0."""
    edges = [
        Edge(tail, head, 3) if places[tail] < places[head] else Edge(head, tail, 1)
        for tail, head in arrows
        if tail != head
    ]
    rank = _longest_paths(count, edges, places)
    tree = _tight_tree(count, edges, rank)
    turn = 0
    for _ in range(_EXCHANGES * count):
        turn_or_none = _exchange(count, edges, tree, rank, turn)
        if turn_or_none is None:
            break
        turn = turn_or_none
    first = min(rank)
    return [number - first for number in rank]


def _following(count: int, arrows: Sequence[Arrow]) -> list[list[int]]:
    following: list[list[int]] = [[] for _ in range(count)]
    for tail, head in arrows:
        following[tail].append(head)
    return following


def _places(order: Sequence[int]) -> list[int]:
    places = [0] * len(order)
    for place, state in enumerate(order):
        places[state] = place
    return places


def _longest_paths(count: int, edges: Sequence[Edge], places: Sequence[int]) -> list[int]:
    rank = [0] * count
    for edge in sorted(edges, key=lambda edge: places[edge.tail]):
        rank[edge.head] = max(rank[edge.head], rank[edge.tail] + 1)
    return rank


def _slack(edge: Edge, rank: Sequence[int]) -> int:
    return rank[edge.head] - rank[edge.tail] - 1


def _tight_tree(count: int, edges: Sequence[Edge], rank: list[int]) -> list[int]:
    """The numbers of the edges of a spanning tree without slack; ranks are shifted until there is one."""
    inside = {0}
    tree: list[int] = []
    while len(inside) < count:
        crossing = [
            number for number, edge in enumerate(edges) if (edge.tail in inside) != (edge.head in inside)
        ]
        number = min(crossing, key=lambda number: _slack(edges[number], rank))
        edge = edges[number]
        slack = _slack(edge, rank)
        shift = slack if edge.head not in inside else -slack
        for state in inside if slack else ():
            rank[state] += shift
        tree.append(number)
        inside |= {edge.tail, edge.head}
    return tree


def _exchange(count: int, edges: Sequence[Edge], tree: list[int], rank: list[int], turn: int) -> int | None:
    """Exchanges one edge of the tree for one that shortens the drawing; None if there is no such edge.

    `turn` is where to look first: taking edges in turn avoids going round in circles.
    """
    net = [0] * count
    for edge in edges:
        net[edge.tail] += edge.weight
        net[edge.head] -= edge.weight
    order, parents = _rooted(count, edges, tree)
    for state in reversed(order):
        if state != 0:
            net[parents[state][0]] += net[state]
    # what lies below a tree edge can move as a whole: it pays if more weight pulls than holds
    below = {number: state for state, (_, number) in parents.items()}
    for offset in range(len(tree)):
        place = (turn + offset) % len(tree)
        state = below[tree[place]]
        edge = edges[tree[place]]
        cut = net[state] if edge.tail == state else -net[state]
        if cut >= 0:
            continue
        part = _descendants(order, parents, state)
        up = edge.tail == state
        candidates = [
            number
            for number, other in enumerate(edges)
            if (other.head in part) == up and (other.tail in part) != up
        ]
        chosen = min(candidates, key=lambda number: _slack(edges[number], rank))
        slack = _slack(edges[chosen], rank)
        for member in part:
            rank[member] += -slack if up else slack
        tree[place] = chosen
        return place + 1
    return None


def _rooted(
    count: int, edges: Sequence[Edge], tree: Sequence[int]
) -> tuple[list[int], dict[int, tuple[int, int]]]:
    """The states from the root on, and for each its parent and the edge to it."""
    beside: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number in tree:
        beside[edges[number].tail].append((edges[number].head, number))
        beside[edges[number].head].append((edges[number].tail, number))
    order = [0]
    parents: dict[int, tuple[int, int]] = {}
    for state in order:
        for other, number in beside[state]:
            if other != 0 and other not in parents:
                parents[other] = state, number
                order.append(other)
    return order, parents


def _descendants(order: Sequence[int], parents: dict[int, tuple[int, int]], root: int) -> set[int]:
    part = {root}
    for state in order:
        if state in parents and parents[state][0] in part:
            part.add(state)
    return part
