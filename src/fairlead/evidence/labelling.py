"""Judges formulas of fair CTL on the reference semantics, by plain fixpoints over the reachable states.

This judges what no run can show: that something holds on all fair paths. It shares nothing with the search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.evidence.fair_parts import EdgeGraph, Edges, Rules, demands, fair_nodes
from fairlead.evidence.paths import FairPaths
from fairlead.logic.branching import is_ctl
from fairlead.logic.fairness.condition import AlmostAlways, InfinitelyOften
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    Constant,
    Exists,
    Formula,
    Next,
    Not,
    Or,
    Until,
    children,
    fold,
)
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom, StepAtom
from fairlead.model.labels import IDLE
from fairlead.model.meaning import meaning_holds
from fairlead.model.system import State, Step, System

Nodes = frozenset[int]


class Labelling:
    """Whether formulas of CTL hold at positions of a system: after a step, in the state it leads to."""

    def __init__(
        self, system: System, meanings: Mapping[Atom, Meaning], paths: FairPaths, tick: Callable[[], None]
    ) -> None:
        self._system = system
        self._meanings = meanings
        self._paths = paths
        self._tick = tick
        #: what formulas can say about the step into a state
        self._marking = _step_atoms(meanings)
        self._looked_at: list[_Labels] = []
        self._tried = 0

    def truth(self, formula: Exists, state: State, step: Step | None) -> bool | str:
        """Whether a formula holds in a state after a step (None at the start); a text if that is not known:
        why it was not examined."""
        if not is_ctl(formula):
            return "it is not a formula of CTL"
        place = (state, self._marks(step))
        try:
            labels = self._labels_at(place)
            if labels is None:
                return f"more than {tuning().labelled_positions:,} states"
            return labels.holds(formula, place)
        except InputError as error:
            return f"the model fails in a reachable state: {error.diagnostics[0].message}"

    def _labels_at(self, place: _Place) -> _Labels | None:
        """Labels of positions that have this one among them, unless there are too many."""
        for labels in self._looked_at:
            if place in labels.positions.numbers:
                return labels
        if self._tried >= tuning().labelling_budget:
            return None
        looked_at = tuning().labelled_positions
        self._tried += looked_at
        positions = self._explored(place)
        if positions is None:
            return None
        self._tried += len(positions.places) - looked_at
        found = _Labels(self._system, positions, self._meanings, self._paths, self._marking, self._tick)
        self._looked_at.append(found)
        return found

    def _marks(self, step: Step | None) -> tuple[bool, ...]:
        # no state is examined to judge a step
        return tuple(meaning_holds(self._system, meaning, None, step) for meaning in self._marking)

    def _explored(self, start: _Place) -> _Positions | None:
        """All positions that can be reached, unless they are too many."""
        positions = _Positions([start], {start: 0}, [], [], [])
        limit = tuning().labelled_positions
        for number, (state, _) in enumerate(positions.places):
            self._tick()
            if len(positions.places) > limit:
                return None
            for step in self._paths.steps(self._system, state):
                target = (step.target, self._marks(step))
                if target not in positions.numbers:
                    positions.numbers[target] = len(positions.places)
                    positions.places.append(target)
                positions.sources.append(number)
                positions.targets.append(positions.numbers[target])
                positions.steps.append(step)
        return positions


_Place = tuple[State, tuple[bool, ...]]


def _step_atoms(meanings: Mapping[Atom, Meaning]) -> list[EventAtom | ProcessAtom]:
    found = (meaning for meaning in meanings.values() if isinstance(meaning, EventAtom | ProcessAtom))
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class _Positions:
    """Positions that formulas can distinguish, and the steps between them; nothing leads out of them."""

    places: list[_Place]
    numbers: dict[_Place, int]
    sources: list[int]
    targets: list[int]
    steps: list[Step]


class _Labels:
    """The positions with each formula, among some that are never left."""

    def __init__(
        self,
        system: System,
        positions: _Positions,
        meanings: Mapping[Atom, Meaning],
        paths: FairPaths,
        marking: list[EventAtom | ProcessAtom],
        tick: Callable[[], None],
    ) -> None:
        self.positions = positions
        self._system = system
        self._meanings = meanings
        self._tick = tick
        self._mark_of = {meaning: place for place, meaning in enumerate(marking)}
        self._nodes: Nodes = frozenset(range(len(positions.places)))
        self._edges: Edges = frozenset(range(len(positions.steps)))
        leaving: list[list[int]] = [[] for _ in positions.places]
        self._arriving: list[list[int]] = [[] for _ in positions.places]
        for edge, (source, target) in enumerate(zip(positions.sources, positions.targets, strict=True)):
            leaving[source].append(edge)
            self._arriving[target].append(edge)
        self._graph = EdgeGraph(
            positions.sources, positions.targets, leaving, lambda edge: positions.steps[edge].event == IDLE
        )
        self._by_event: dict[str, list[int]] = {}
        self._by_process: dict[str, list[int]] = {}
        for edge, step in enumerate(positions.steps):
            self._by_event.setdefault(step.event, []).append(edge)
            for name in step.processes:
                self._by_process.setdefault(name, []).append(edge)
        found = demands(system, dict.fromkeys(state for state, _ in positions.places), paths)
        self._rules = Rules(
            tuple(conjunct.condition for conjunct in found),
            _PredicateEdges(self, found).where,
            paths.fairness.is_global,
        )
        self._labels: dict[Formula, Nodes] = {}
        self._fair: Nodes = self._always(self._nodes)

    def holds(self, formula: Formula, place: _Place) -> bool:
        """Whether a formula holds at a position."""
        return self.positions.numbers[place] in fold(self._labels, formula, self._label, _state_parts)

    # ------------------------------------------------------------ sets of positions

    def _label(self, node: Formula, parts: list[Nodes]) -> Nodes:
        self._tick()
        match node:
            case Atom():
                return self._atom_nodes(self._meanings[node])
            case Exists(Next()):
                return self._before(parts[0] & self._fair)
            case Exists(Until()):
                return self._backwards(parts[1] & self._fair, parts[0])
            case Exists(Always()):
                return self._always(parts[0])
        return combined(node, parts, self._nodes)

    def _before(self, nodes: Nodes) -> Nodes:
        """The positions from which one step leads to these."""
        return frozenset(self.positions.sources[edge] for node in nodes for edge in self._arriving[node])

    def _backwards(self, goal: Nodes, through: Nodes) -> Nodes:
        """The positions of the goal, and those that lead to it through these only."""
        found = set(goal)
        pending = list(goal)
        while pending:
            for edge in self._arriving[pending.pop()]:
                source = self.positions.sources[edge]
                if source in through and source not in found:
                    found.add(source)
                    pending.append(source)
        return frozenset(found)

    def _always(self, nodes: Nodes) -> Nodes:
        """The positions from which some fair path never leaves these."""
        sources, targets = self.positions.sources, self.positions.targets
        inside = [edge for edge in self._edges if sources[edge] in nodes and targets[edge] in nodes]
        return self._backwards(frozenset(fair_nodes(self._graph, inside, self._rules, self._tick)), nodes)

    # ------------------------------------------------------------ atoms

    def _atom_nodes(self, meaning: Meaning) -> Nodes:
        match meaning:
            case EventAtom() | ProcessAtom():
                mark = self._mark_of[meaning]
                return frozenset(
                    number for number, (_, marks) in enumerate(self.positions.places) if marks[mark]
                )
            case Enabled(subject):
                return frozenset(self.positions.sources[edge] for edge in self._steps_of(subject))
        return frozenset(
            number
            for number, (state, _) in enumerate(self.positions.places)
            if meaning_holds(self._system, meaning, state, None)
        )

    def atom_edges(self, meaning: Meaning) -> Edges:
        """The steps after which an atom is true."""
        if isinstance(meaning, EventAtom | ProcessAtom):
            return self._steps_of(meaning)
        return frozenset(edge for node in self._atom_nodes(meaning) for edge in self._arriving[node])

    def _steps_of(self, subject: StepAtom) -> Edges:
        """The steps with one of the events, or of the processes."""
        names, steps = (
            (subject.labels, self._by_event)
            if isinstance(subject, EventAtom)
            else (subject.processes, self._by_process)
        )
        return frozenset(edge for name in names for edge in steps.get(name, ()))

    @property
    def edges(self) -> Edges:
        """All steps."""
        return self._edges


class _PredicateEdges:
    """The steps after which predicates of conditions are true, each found once."""

    def __init__(self, labels: _Labels, conjuncts: list[Conjunct]) -> None:
        self._labels = labels
        self._conjuncts = conjuncts
        self._known: list[dict[Formula, Edges]] = [{} for _ in conjuncts]

    def where(self, number: int, leaf: InfinitelyOften | AlmostAlways) -> Edges:
        """The steps after which the predicate of a leaf is true, by the meanings of its condition."""
        meanings = self._conjuncts[number].meanings

        def value(node: Formula, parts: list[Edges]) -> Edges:
            if isinstance(node, Atom):
                return self._labels.atom_edges(meanings[node])
            return combined(node, parts, self._labels.edges)

        return fold(self._known[number], leaf.predicate, value)


def _state_parts(node: Formula) -> tuple[Formula, ...]:
    """The state formulas that a state formula of CTL is made of."""
    return children(node.operand) if isinstance(node, Exists) else children(node)


def combined(node: Formula, parts: list[frozenset[int]], everything: frozenset[int]) -> frozenset[int]:
    """Where a boolean combination is true, from where its parts are."""
    match node:
        case Constant(value):
            return everything if value else frozenset()
        case Not():
            return everything - parts[0]
        case And():
            return parts[0] & parts[1]
        case Or():
            return parts[0] | parts[1]
    raise AssertionError(node)
