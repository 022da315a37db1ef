"""Parts of a graph in which some execution is fair forever, found by the definition of fairness.

An execution that visits just the edges of a strongly connected component, each infinitely often, satisfies
`GF p` iff p is true at some of them and `FG p` iff it is true at all; an edge is a position: the step with
the state it leads to. Where a condition fails, the part is cut down to edges on which it may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fairlead.base.records import dataclass
from fairlead.evidence.paths import FairPaths
from fairlead.logic.fairness.condition import (
    AllOf,
    AlmostAlways,
    Condition,
    InfinitelyOften,
    OneOf,
    fold_condition,
)
from fairlead.logic.fairness.demand import annotation_conjunct, subject_conjunct
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.annotation import Demand
from fairlead.model.assertion import EventAtom, ProcessAtom
from fairlead.model.components import strong_components
from fairlead.model.system import State, Step, System

Edges = frozenset[int]


@dataclass(frozen=True)
class EdgeGraph:
    """Edges by their numbers, and which of them leave each node; a node is a number too.

    `is_idle` tells the edges that are not steps of the system.
    """

    sources: Sequence[int]
    targets: Sequence[int]
    leaving: Sequence[Sequence[int]]
    is_idle: Callable[[int], bool]

    def parts(self, edges: Iterable[int]) -> Iterator[Edges]:
        """The edges of each strongly connected component of a graph with these edges alone."""
        kept = list(edges)
        number: dict[int, int] = {}
        for edge in kept:
            number.setdefault(self.sources[edge], len(number))
            number.setdefault(self.targets[edge], len(number))
        successors: list[list[int]] = [[] for _ in number]
        for edge in kept:
            successors[number[self.sources[edge]]].append(number[self.targets[edge]])
        part_of = [0] * len(number)
        for part, members in enumerate(strong_components(len(number), successors.__getitem__)):
            for member in members:
                part_of[member] = part
        found: dict[int, list[int]] = {}
        for edge in kept:
            part = part_of[number[self.sources[edge]]]
            if part == part_of[number[self.targets[edge]]]:
                found.setdefault(part, []).append(edge)
        return map(frozenset, found.values())

    def is_closed(self, edges: Edges) -> bool:
        """Whether every step of the system from a node of the part belongs to it."""
        nodes = {self.sources[edge] for edge in edges}
        return all(edge in edges or self.is_idle(edge) for node in nodes for edge in self.leaving[node])


@dataclass(frozen=True)
class Rules:
    """Conditions that a part must satisfy; `where` gives the edges with the predicate of a leaf of the
    condition with that number. If they are global, the part must be closed besides."""

    conditions: tuple[Condition, ...]
    where: Callable[[int, InfinitelyOften | AlmostAlways], Edges]
    is_global: bool


def fair_nodes(graph: EdgeGraph, edges: Iterable[int], rules: Rules, tick: Callable[[], None]) -> set[int]:
    """Nodes on parts, within these edges, in which an execution is fair; some of every such part."""
    found: set[int] = set()
    pending = [(frozenset(edges), tuple(enumerate(rules.conditions)))]
    while pending:
        allowed, conditions = pending.pop()
        for part in graph.parts(allowed):
            tick()
            if rules.is_global and not graph.is_closed(part):
                continue  # nor is any smaller part: it can be left towards the rest of this one
            failing = next(
                (place for place, entry in enumerate(conditions) if not _holds(rules, *entry, part)), None
            )
            if failing is None:
                found.update(graph.sources[edge] for edge in part)
                continue
            number, condition = conditions[failing]
            others = (*conditions[:failing], *conditions[failing + 1 :])
            match condition:
                case InfinitelyOften():
                    pass  # and on no smaller part
                case AlmostAlways():
                    pending.append((part & rules.where(number, condition), conditions))
                case AllOf(parts):
                    pending.append((part, (*((number, demand) for demand in parts), *others)))
                case OneOf(parts):
                    pending += [
                        (part, ((number, choice), *others))
                        for choice in parts
                        if not isinstance(choice, InfinitelyOften)
                    ]
    return found


def _holds(rules: Rules, number: int, condition: Condition, part: Edges) -> bool:
    def on_part(leaf: InfinitelyOften | AlmostAlways) -> bool:
        where = rules.where(number, leaf)
        return not part.isdisjoint(where) if isinstance(leaf, InfinitelyOften) else part <= where

    return fold_condition(
        condition, on_part, lambda node, parts: all(parts) if isinstance(node, AllOf) else any(parts)
    )


# ---------------------------------------------------------------- what fairness demands, as conditions


def demands(system: System, states: Iterable[State], paths: FairPaths) -> list[Conjunct]:
    """All demands on an execution through these states, except strong global fairness."""
    found: list[Conjunct] = list(paths.conditions)
    seen = list(states)
    steps = [step for state in seen for step in system.steps(state)]
    demand = Demand.STRONG if paths.fairness.is_strong else Demand.WEAK
    subjects = _subjects(paths.fairness, steps)
    found += [subject_conjunct(paths.fairness.value, subject, demand) for subject in subjects]
    annotations = {*paths.annotations, *(annotated for state in seen for annotated in system.ready(state))}
    return [*found, *map(annotation_conjunct, sorted(annotations))]


def _subjects(fairness: Fairness, steps: Iterable[Step]) -> list[EventAtom | ProcessAtom]:
    match fairness.subject:
        case Subject.EVENTS:
            return [EventAtom.of(label) for label in sorted({step.event for step in steps})]
        case Subject.PROCESSES:
            names = sorted({name for step in steps for name in step.processes})
            return [ProcessAtom(frozenset({name})) for name in names]
        case Subject.NOBODY:
            return []
