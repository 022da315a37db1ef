"""Random graphs to draw, and small ones made by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Step

#: events with everything that XML, Graphviz or a layout could stumble over
EVENTS = [
    "a", "b.1", "b.2", "b.3", "c[0]!7", "τ[if]@p", "τ", "terminate", "<&>\"'", "]]>", "back\\slash",
    "line\nbreak", "nul\0", "half \ud800 pair", "漢字", "an event whose name is much longer than any label",
]  # fmt: skip


def graph_of(count: int, transitions: Iterable[tuple[int, str, int]], **more: object) -> ExplicitGraph:
    """A graph whose transitions all belong to the process `p`."""
    listed: dict[int, dict[Step, None]] = {}
    for source, event, target in transitions:
        listed.setdefault(source, {})[Step(event, frozenset(("p",)), target)] = None
    return ExplicitGraph(count, 0, {source: tuple(steps) for source, steps in listed.items()}, **more)  # type: ignore[arg-type]


def random_graph(seed: int, most_states: int = 11) -> ExplicitGraph:
    """A graph of any density, with loops, parallel transitions and states that cannot be reached."""
    rng = random.Random(seed)
    count = rng.randint(1, most_states)
    tree = [(rng.randrange(state), rng.choice(EVENTS), state) for state in range(1, count)]
    reachable = [edge for edge in tree if rng.random() < 0.95]
    extra = rng.choice((0, count // 2, count, 2 * count, 4 * count))
    others = [(rng.randrange(count), rng.choice(EVENTS), rng.randrange(count)) for _ in range(extra)]
    terminated = frozenset(state for state in range(count) if rng.random() < 0.3)
    props = {name: frozenset(rng.sample(range(count), rng.randint(0, count))) for name in ("p", "<q>")}
    return graph_of(count, [*reachable, *others], terminated=terminated, propositions=props)
