"""Refinement of small graphs, from the definitions: by listing traces up to a length, and by a plain product.

`bounded_violation` knows nothing of products: it lists which states each trace leads to and compares traces,
refusals and divergences. `shortest_violation` is exact and gives the length of a shortest run, by a search of
all pairs (state, set of states), with nothing left out.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tests.support.oracle.behaviour import TAU, internal_targets, on_internal_cycle, random_internal_graph
from tests.support.oracle.graphs import Graph, Step

Trace = tuple[str, ...]
KINDS = ("T", "F", "FD")


def offers(graph: Graph, state: int) -> frozenset[str]:
    return frozenset(step.event for step in graph.outgoing(state) if step.event is not None)


def is_stable(graph: Graph, state: int) -> bool:
    return TAU not in offers(graph, state)


def closure(graph: Graph, states: set[int]) -> frozenset[int]:
    found = set(states)
    while True:
        more = set().union(*(internal_targets(graph, state) for state in found)) - found
        if not more:
            return frozenset(found)
        found |= more


def diverges(graph: Graph, states: set[int] | frozenset[int]) -> bool:
    return any(on_internal_cycle(graph, state) for state in closure(graph, set(states)))


def refuses_too_much(left: Graph, state: int, right: Graph, states: set[int] | frozenset[int]) -> bool:
    return is_stable(left, state) and not any(
        is_stable(right, other) and offers(right, other) <= offers(left, state) for other in states
    )


# ---------------------------------------------------------------- by listing traces


def states_after(graph: Graph, length: int) -> dict[Trace, set[int]]:
    """For every trace up to a length, the states that it leads to, found one run at a time."""
    found: dict[Trace, set[int]] = {(): {graph.initial}}
    pending: list[tuple[Trace, int]] = [((), graph.initial)]
    while pending:
        trace, state = pending.pop()
        for step in graph.outgoing(state):
            assert step.event is not None
            longer = trace if step.event == TAU else (*trace, step.event)
            if len(longer) <= length and step.target not in found.setdefault(longer, set()):
                found[longer].add(step.target)
                pending.append((longer, step.target))
    return found


def bounded_violation(left: Graph, right: Graph, kind: str, length: int) -> int | None:
    """The length of a shortest trace, up to a bound, after which `left` does what `right` may not."""
    own, allowed = states_after(left, length), states_after(right, length)
    for trace in sorted(own, key=len):
        prefixes = [trace[:end] for end in range(len(trace) + 1)]
        if kind == "FD" and any(diverges(right, allowed.get(prefix, set())) for prefix in prefixes):
            continue
        if trace not in allowed:
            return len(trace)
        if kind != "T" and any(refuses_too_much(left, s, right, allowed[trace]) for s in own[trace]):
            return len(trace)
        if kind == "FD" and diverges(left, own[trace]):
            return len(trace)
    return None


# ---------------------------------------------------------------- by a plain product


def shortest_violation(left: Graph, right: Graph, kind: str) -> int | None:
    """The number of steps of a shortest run of `left` that `right` does not allow (of its stem, if it is a
    lasso)."""
    level = {(left.initial, closure(right, {right.initial}))}
    seen = set(level)
    length = 0
    while level:
        level = {(s, many) for s, many in level if not (kind == "FD" and diverges(right, many))}
        for state, states in level:
            if kind != "T" and refuses_too_much(left, state, right, states):
                return length
            if kind == "FD" and on_internal_cycle(left, state):
                return length
        following = set()
        for state, states in level:
            for step in left.outgoing(state):
                after = states if step.event == TAU else closure(right, after_event(right, states, step))
                if not after:
                    return length + 1
                following.add((step.target, after))
        level = following - seen
        seen |= level
        length += 1
    return None


def after_event(graph: Graph, states: frozenset[int], wanted: Step) -> set[int]:
    return {s.target for state in states for s in graph.outgoing(state) if s.event == wanted.event}


# ---------------------------------------------------------------- random pairs


def random_pair(seed: int) -> tuple[Graph, Graph]:
    """Two graphs, of which the first often refines the second."""
    rng = Random(seed)
    right = random_internal_graph(rng, rng.choice([3, 4, 6]))
    way = rng.random()
    if way < 0.25:
        return random_internal_graph(rng, 5), right
    if way < 0.65:  # the same with less, or with more
        kept = [step for step in right.transitions if rng.random() < 0.8]
        less = Graph(right.states, right.initial, tuple(kept), {})
        return (less, right) if way < 0.45 else (right, less)
    if way < 0.85:  # the same, with internal steps in between
        return _stretched(rng, right), right
    return right, _stretched(rng, right)


def wide_pair(seed: int) -> tuple[Graph, Graph]:
    """A first graph of one or two states, and a second one that may be in very many sets of states.

    The events of the second permute its states, but for a few, so that few sets include another.
    """
    rng = Random(seed)
    own, count = rng.randint(1, 2), rng.randint(6, 13)
    who = frozenset({"P"})
    left = [Step(state, event, rng.randrange(own), who) for state in range(own) for event in "ab"]
    right = [Step(0, TAU, rng.randrange(1, count), who) for _ in range(rng.randint(1, 3))]
    for event in "ab":
        targets = rng.sample(range(1, count), count - 1)
        right += [Step(state, event, target, who) for state, target in enumerate(targets, 1)]
    for _ in range(rng.choice([0, 0, 1, 2])):
        right.append(rng.choice(right)._replace(target=rng.randrange(1, count)))
    for _ in range(rng.choice([0, 1, 2, 4])):
        right.remove(rng.choice(right[1:]))
    return Graph(own, 0, tuple(left), {}), Graph(count, 0, tuple(dict.fromkeys(right)), {})


def _stretched(rng: Random, graph: Graph) -> Graph:
    """A graph with some of its steps made of several, and now and then another one."""
    steps: list[Step] = []
    count = graph.states
    for step in graph.transitions:
        assert step.event is not None
        events = rng.choice([[step.event], [step.event], [step.event, TAU], [TAU, step.event]])
        stops = [step.source, *range(count, count + len(events) - 1), step.target]
        count += len(events) - 1
        pairs = pairwise(stops)
        steps += [Step(a, event, b, step.processes) for (a, b), event in zip(pairs, events, strict=True)]
    if rng.random() < 0.3 and steps:
        steps.append(
            rng.choice(steps)._replace(target=rng.randrange(count), event=rng.choice(["a", "b", TAU]))
        )
    return Graph(count, graph.initial, tuple(dict.fromkeys(steps)), {})
