"""The product of a system with an automaton: a set of states of the system for each state of the automaton.

Automata of formulas are small, so their states are kept apart by name instead of being a level of the
diagrams.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairlead.base.records import dataclass
from fairlead.engine.symbolic import StateSet
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.ltl import Atom
from fairlead.model.assertion import EventAtom, Meaning, ProcessAtom
from fairlead.model.meaning import is_step_of
from fairlead.model.system import Step
from fairlead.search.symbolic.space import Action, SymbolicTarget

#: nodes of the product: for each state of the automaton, unless there are none, the states of the system
Nodes = Mapping[int, StateSet]


@dataclass(frozen=True)
class Steps:
    """Steps of the system: by some actions into some states; `idles` says whether idling there is one."""

    actions: frozenset[Action]
    states: StateSet
    idles: bool


@dataclass(frozen=True)
class Move:
    """Steps of the product: those by which the automaton goes from one state to another."""

    source: int
    target: int
    steps: Steps
    relation: int
    marks: int


class Product:
    """The steps of a system that an automaton can follow, between some of its states."""

    def __init__(self, target: SymbolicTarget, moves: Sequence[Move]) -> None:
        self.target = target
        self.moves = tuple(moves)
        self.into: dict[int, list[Move]] = {}
        self.out_of: dict[int, list[Move]] = {}
        for move in moves:
            self.into.setdefault(move.target, []).append(move)
            self.out_of.setdefault(move.source, []).append(move)
        self.states = sorted({*self.into, *self.out_of})

    def part(self, states: Iterable[int]) -> Product:
        """The product with some states of the automaton alone."""
        kept = set(states)
        return Product(
            self.target, [move for move in self.moves if move.source in kept and move.target in kept]
        )

    def within(self, allowed: Steps) -> Product:
        """The product with only those steps that are allowed."""
        return Product(self.target, [self.common(move, allowed) for move in self.moves])

    def common(self, move: Move, steps: Steps) -> Move:
        """Those of the steps of a move that are among others."""
        actions = move.steps.actions & steps.actions
        states = self.target.intersect(move.steps.states, steps.states)
        both = Steps(actions, states, move.steps.idles and steps.idles)
        return Move(move.source, move.target, both, self.target.relation(actions), move.marks)

    # ------------------------------------------------------------ sets of nodes

    def full(self) -> Nodes:
        """All nodes."""
        return dict.fromkeys(self.states, self.target.reachable)

    def unite(self, one: Nodes, other: Nodes) -> Nodes:
        """The union of two sets."""
        both = dict(one)
        for state, states in other.items():
            both[state] = self.target.unite(both[state], states) if state in both else states
        return both

    def intersect(self, one: Nodes, other: Nodes) -> Nodes:
        """The intersection of two sets."""
        both = {
            state: self.target.intersect(states, other[state])
            for state, states in one.items()
            if state in other
        }
        return {state: states for state, states in both.items() if not states.is_empty}

    def subtract(self, one: Nodes, other: Nodes) -> Nodes:
        """What is in the first set alone."""
        left = {
            state: self.target.subtract(states, other[state]) if state in other else states
            for state, states in one.items()
        }
        return {state: states for state, states in left.items() if not states.is_empty}

    # ------------------------------------------------------------ steps

    def before_move(self, move: Move, states: StateSet) -> StateSet:
        """The states from which a move leads into a set."""
        target = self.target
        goal = target.intersect(states, move.steps.states)
        found = target.native.pre(goal, move.relation)
        if move.steps.idles:
            found = target.unite(found, target.intersect(goal, target.stopped))
        return found

    def after_move(self, move: Move, states: StateSet) -> StateSet:
        """The states to which a move leads from a set."""
        target = self.target
        found = target.native.post(states, move.relation)
        if move.steps.idles:
            found = target.unite(found, target.intersect(states, target.stopped))
        return target.intersect(found, move.steps.states)

    def before(self, nodes: Nodes, moves: Iterable[Move] | None = None) -> Nodes:
        """The nodes from which a step, or one of some moves, leads into a set."""
        found: Nodes = {}
        for move in self.moves if moves is None else moves:
            if move.target in nodes:
                sources = self.before_move(move, nodes[move.target])
                found = self.unite(found, {move.source: sources})
        return {state: states for state, states in found.items() if not states.is_empty}

    def after(self, nodes: Nodes) -> Nodes:
        """The nodes to which a step leads from a set."""
        found: Nodes = {}
        for move in self.moves:
            if move.source in nodes:
                found = self.unite(found, {move.target: self.after_move(move, nodes[move.source])})
        return {state: states for state, states in found.items() if not states.is_empty}

    def leading_to(self, goal: Nodes, within: Nodes) -> Nodes:
        """The nodes of `within` with a path in it to the goal, which is a part of it: `E[within U goal]`."""
        found = dict(goal)
        pending = list(goal)
        while pending:
            state = pending.pop()
            for move in self.into.get(state, ()):
                if move.source not in within:
                    continue
                if move.source == state:
                    larger = self.target.native.backward(
                        found[state], within[state], move.steps.states, move.relation
                    )
                else:
                    sources = self.target.intersect(self.before_move(move, found[state]), within[move.source])
                    before = found.get(move.source, self.target.nothing)
                    larger = self.target.unite(before, sources)
                self._grow(found, pending, move.source, larger)
        return found

    def reached_from(self, start: Nodes, within: Nodes) -> Nodes:
        """The nodes of `within` to which a path in it leads from a part of it."""
        found = dict(start)
        pending = list(start)
        while pending:
            state = pending.pop()
            for move in self.out_of.get(state, ()):
                if move.target not in within:
                    continue
                if move.target == state:
                    allowed = self.target.intersect(within[state], move.steps.states)
                    larger = self.target.native.forward(found[state], allowed, move.relation)
                else:
                    targets = self.target.intersect(self.after_move(move, found[state]), within[move.target])
                    before = found.get(move.target, self.target.nothing)
                    larger = self.target.unite(before, targets)
                self._grow(found, pending, move.target, larger)
        return found

    def _grow(self, found: dict[int, StateSet], pending: list[int], state: int, larger: StateSet) -> None:
        if larger.is_empty or (state in found and larger.equals(found[state])):
            return
        found[state] = larger
        if state not in pending:
            pending.append(state)


def is_same(one: Nodes, other: Nodes) -> bool:
    """Whether two sets of nodes, neither with an empty part, are equal."""
    return one.keys() == other.keys() and all(one[state].equals(other[state]) for state in one)


def guard_steps(
    target: SymbolicTarget, atoms: Sequence[Atom], meanings: Mapping[Atom, Meaning], read: Transition
) -> Steps:
    """The steps whose letter a transition of an automaton reads."""
    positive, negative = read.positive, read.negative
    actions, states, idles = target.actions, target.reachable, True
    for number, atom in enumerate(atoms):
        if not (positive | negative) >> number & 1:
            continue
        is_positive = bool(positive >> number & 1)
        meaning = meanings[atom]
        if isinstance(meaning, EventAtom | ProcessAtom):
            actions = frozenset(
                action for action in actions if is_step_of(meaning, Step(*action, None)) == is_positive
            )
            idles = idles and not is_positive
        else:
            where = target.states_where(meaning)
            states = target.intersect(states, where) if is_positive else target.subtract(states, where)
    return Steps(actions, states, idles)


def product_with(
    target: SymbolicTarget, automaton: Automaton, meanings: Mapping[Atom, Meaning]
) -> tuple[Product, Nodes]:
    """The product, and its initial nodes: the automaton has read the letter of the initial state."""
    moves: list[Move] = []
    initial: dict[int, StateSet] = {}
    for source, transitions in enumerate(automaton.transitions):
        for each in transitions:
            steps = guard_steps(target, automaton.atoms, meanings, each)
            if (
                source == automaton.initial and steps.idles
            ):  # there was no step into the start: as if it had idled
                start = target.intersect(target.initial, steps.states)
                if not start.is_empty:
                    initial[each.target] = start
            if (steps.actions or steps.idles) and not steps.states.is_empty:
                relation = target.relation(steps.actions)
                moves.append(Move(source, each.target, steps, relation, each.marks))
    return Product(target, moves), initial


def plain_product(target: SymbolicTarget) -> Product:
    """The system by itself, which idles where it has no steps."""
    steps = Steps(target.actions, target.reachable, True)
    return Product(target, [Move(0, 0, steps, target.all_steps, 0)])
