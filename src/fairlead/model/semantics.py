"""The reference semantics of a Network: its step relation, written to be read beside the language reference.

Nothing is cached and nothing is clever. The simulator, the validation of counterexamples and the
differential tests of the engine stand on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, assert_never

from fairlead.model.expression import Expression, Program, Scope, Type, evaluate, execute
from fairlead.model.network import (
    SKIP,
    TERMINATE,
    TERMINATED,
    Choice,
    Configuration,
    Edge,
    EventTemplate,
    Guarded,
    LabelTemplate,
    Leaf,
    LocalState,
    Network,
    Parallel,
    Sequel,
    TauTemplate,
    TerminateTemplate,
    Tree,
    parallel,
    tau_label,
)
from fairlead.model.system import Proposition, State, Step

#: builds the tree after a step from the values after it
Continuation = Callable[[Sequence[int]], Tree]


class Kind(Enum):
    """What a step looks like to the operators around it."""

    EVENT = "event"
    INTERNAL = "internal"
    TERMINATION = "termination"


@dataclass(frozen=True)
class Move:
    """A step some part of the tree is able to make, before it is carried out."""

    kind: Kind
    event: str
    synchronises: bool
    processes: frozenset[str]
    updates: tuple[tuple[Program, tuple[int, ...]], ...]
    after: Continuation

    def within(self, wrap: Callable[[Tree, Sequence[int]], Tree]) -> Move:
        """The same step seen from an operator that surrounds the part that makes it."""

        def after(values: Sequence[int]) -> Tree:
            return wrap(self.after(values), values)

        return Move(self.kind, self.event, self.synchronises, self.processes, self.updates, after)


class NetworkSystem:
    """A network as a system, by its reference semantics."""

    def __init__(self, network: Network) -> None:
        self.network = network

    # ------------------------------------------------------------ System

    def initial_states(self) -> list[Configuration]:
        """One configuration for each assignment of initial values."""
        network = self.network
        return [
            Configuration(values, self._enter(network.root, network.name, values))
            for values in network.initial_values
        ]

    def steps(self, state: State) -> list[Step]:
        """The transitions from a configuration, without duplicates."""
        assert isinstance(state, Configuration)
        found: dict[Step, None] = {}
        for move in self._moves(state.tree, state.values):
            values = list(state.values)
            for program, parameters in move.updates:
                execute(program, Scope(values, parameters))
            tree = move.after(values)
            if move.kind is Kind.TERMINATION and not isinstance(state.tree, Leaf):
                tree = self._terminated(values)
            target = Configuration(tuple(values), tree)
            found[Step(move.event, move.processes, target)] = None
        return list(found)

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether an expression over the shared variables is true in a configuration."""
        assert isinstance(state, Configuration)
        return bool(evaluate(proposition.meaning, Scope(list(state.values))))

    def has_terminated(self, state: State) -> bool:
        """Whether the whole system has terminated successfully."""
        assert isinstance(state, Configuration)
        return isinstance(state.tree, Leaf) and state.tree.state == TERMINATED

    def describe(self, state: State) -> dict[str, Any]:
        """Variables by name, and for each process the text of its positions."""
        assert isinstance(state, Configuration)
        positions: dict[str, list[str]] = {}
        for leaf in leaves(state.tree):
            positions.setdefault(leaf.process, []).append(self.position_text(leaf.state))
        return {
            "variables": self.variables(state),
            "processes": {process: " || ".join(texts) for process, texts in positions.items()},
        }

    # ------------------------------------------------------------ showing

    def variables(self, state: Configuration) -> dict[str, Any]:
        """The values of the shared variables as JSON has them: arrays as lists, objects as texts."""
        shown: dict[str, Any] = {}
        for variable in self.network.variables:
            values = state.values[variable.slot : variable.slot + variable.size]
            typed = [variable.type.plain(value) for value in values]
            shown[variable.name] = typed if variable.dimensions else typed[0]
        return shown

    def position_text(self, state: LocalState) -> str:
        """A local state as text: the process text with the values of its parameters."""
        place = self.network.behaviour.place(state.position)
        values = [
            f"{name}={argument_text(value, kind)}"
            for (name, kind), value in zip(place.parameters, state.parameters, strict=True)
        ]
        return f"{place.text} [{', '.join(values)}]" if values else place.text

    # ------------------------------------------------------------ the step relation

    def _enter(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        behaviour = self.network.behaviour
        if behaviour.edges(state.position) is None:
            return behaviour.compose(state, process, values)
        return Leaf(state, process)

    def _terminated(self, values: Sequence[int]) -> Tree:
        return Leaf(TERMINATED, self.network.name)

    def _moves(self, tree: Tree, values: Sequence[int]) -> Iterator[Move]:
        match tree:
            case Leaf():
                yield from self._leaf_moves(tree, values)
            case Parallel():
                yield from self._parallel_moves(tree, values)
            case Sequel():
                yield from self._sequel_moves(tree, values)
            case Choice(branches):
                for branch in branches:
                    yield from self._moves(branch, values)
            case Guarded(guard, body):
                condition = self.network.behaviour.condition(guard.position)
                if evaluate(condition, Scope(list(values), guard.parameters)):
                    yield from self._moves(body, values)
            case _:
                assert_never(tree)

    def _leaf_moves(self, leaf: Leaf, values: Sequence[int]) -> Iterator[Move]:
        edges = self.network.behaviour.edges(leaf.state.position)
        assert edges is not None
        scope = Scope(list(values), leaf.state.parameters)
        for edge in edges:
            if edge.guard is None or evaluate(edge.guard, scope):
                yield self._edge_move(edge, leaf, scope)

    def _edge_move(self, edge: Edge, leaf: Leaf, scope: Scope) -> Move:
        kind, event = label_of(edge.label, leaf.process, scope)
        target = LocalState(
            edge.target.position, tuple(evaluate(argument, scope) for argument in edge.target.arguments)
        )
        updates = () if edge.update is None else ((edge.update, leaf.state.parameters),)

        def after(values: Sequence[int]) -> Tree:
            return self._enter(target, leaf.process, values)

        return Move(kind, event, edge.synchronises, frozenset((leaf.process,)), updates, after)

    def _parallel_moves(self, tree: Parallel, values: Sequence[int]) -> Iterator[Move]:
        moves = [list(self._moves(component, values)) for component in tree.components]
        for number, own in enumerate(moves):
            for move in own:
                if move.kind is not Kind.TERMINATION and not _is_shared(move, tree.alphabets):
                    yield move.within(_replacing(tree, number))
        yield from self._synchronised_moves(tree, moves)
        # termination is joint: all components, in one step
        endings = [[move for move in own if move.kind is Kind.TERMINATION] for own in moves]
        if all(endings):
            processes = frozenset().union(*(ending[0].processes for ending in endings))
            yield Move(Kind.TERMINATION, TERMINATE, True, processes, (), self._terminated)

    def _synchronised_moves(self, tree: Parallel, moves: list[list[Move]]) -> Iterator[Move]:
        if tree.alphabets is None:
            return
        shared = dict.fromkeys(
            move.event
            for own in moves
            for move in own
            if move.kind is Kind.EVENT and _is_shared(move, tree.alphabets)
        )
        for event in shared:
            partners = [number for number, events in enumerate(tree.alphabets) if event in events]
            offers = [
                [move for move in moves[number] if move.event == event and move.synchronises]
                for number in partners
            ]
            for joint in itertools.product(*offers):
                yield _joint_move(tree, partners, joint)

    def _sequel_moves(self, tree: Sequel, values: Sequence[int]) -> Iterator[Move]:
        def following(first: Tree, after: Sequence[int]) -> Tree:
            # Skip; Q is Q
            if isinstance(first, Leaf) and first.state == SKIP:
                return self._enter(tree.then, tree.process, after)
            return Sequel(first, tree.then, tree.process, tree.construct)

        for move in self._moves(tree.first, values):
            if move.kind is Kind.TERMINATION:
                event = tau_label(tree.construct, tree.process)

                def after(values: Sequence[int]) -> Tree:
                    return self._enter(tree.then, tree.process, values)

                yield Move(Kind.INTERNAL, event, False, move.processes, move.updates, after)
            else:
                yield move.within(following)


def _is_shared(move: Move, alphabets: tuple[frozenset[str], ...] | None) -> bool:
    return (
        alphabets is not None
        and move.kind is Kind.EVENT
        and move.synchronises
        and sum(move.event in alphabet for alphabet in alphabets) > 1
    )


def _replacing(tree: Parallel, number: int) -> Callable[[Tree, Sequence[int]], Tree]:
    def wrap(component: Tree, values: Sequence[int]) -> Tree:
        components = (*tree.components[:number], component, *tree.components[number + 1 :])
        return parallel(components, tree.alphabets)

    return wrap


def _joint_move(tree: Parallel, partners: list[int], joint: tuple[Move, ...]) -> Move:
    def after(values: Sequence[int]) -> Tree:
        components = list(tree.components)
        for number, move in zip(partners, joint, strict=True):
            components[number] = move.after(values)
        return parallel(tuple(components), tree.alphabets)

    processes = frozenset().union(*(move.processes for move in joint))
    updates = tuple(update for move in joint for update in move.updates)
    return Move(Kind.EVENT, joint[0].event, True, processes, updates, after)


def label_of(label: LabelTemplate, process: str, scope: Scope) -> tuple[Kind, str]:
    """The kind and the text of an edge's label, evaluated in the state before the step."""
    match label:
        case EventTemplate(name, arguments):
            return Kind.EVENT, event_text(name, arguments, scope)
        case TauTemplate(construct):
            return Kind.INTERNAL, tau_label(construct, process)
        case TerminateTemplate():
            return Kind.TERMINATION, TERMINATE
        case _:
            assert_never(label)


def event_text(name: str, arguments: Sequence[Expression], scope: Scope) -> str:
    """`name.1.true`."""
    values = [argument_text(evaluate(argument, scope), argument.type) for argument in arguments]
    return ".".join([name, *values])


def argument_text(value: int, kind: Type) -> str:
    """A value as it stands in event names."""
    return kind.text(value)


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The leaves of a tree, from left to right."""
    pending = [tree]
    while pending:
        current = pending.pop()
        match current:
            case Leaf():
                yield current
            case Parallel(components):
                pending += reversed(components)
            case Sequel(first):
                pending.append(first)
            case Choice(branches):
                pending += reversed(branches)
            case Guarded(_, body):
                pending.append(body)
