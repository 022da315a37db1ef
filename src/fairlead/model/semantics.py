"""Defines the reference semantics of a Network: its step relation, to be read with the language reference.

Nothing is cached and nothing is clever. The simulator, the validation of counterexamples and the
differential tests of the engine stand on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, assert_never

from fairlead.base.diagnostics import FairleadError, InputError, LimitReached
from fairlead.base.source import Span
from fairlead.model.annotation import Annotated, Annotation
from fairlead.model.counted_moves import UnboundedProcesses, counted_moves
from fairlead.model.counting import counted_nodes, number_text, tallied
from fairlead.model.evaluation import PlaceKey, Scope, evaluate, execute
from fairlead.model.joining import handshakes, is_shared, joint_move, replacing
from fairlead.model.labels import (
    TERMINATE,
    Kind,
    hidden_label,
    label_of,
    tau_label,
)
from fairlead.model.moves import Move, Offer, ReceiveOffer, SendOffer, Update, by_priority
from fairlead.model.network import (
    Edge,
    Network,
    Receive,
    Rendezvous,
    Send,
)
from fairlead.model.readiness import ready_steps
from fairlead.model.system import Proposition, State, Step
from fairlead.model.tree import (
    ERROR,
    SKIP,
    TERMINATED,
    Atomic,
    Choice,
    Configuration,
    Counted,
    ExternalChoice,
    Guarded,
    Hidden,
    Interrupt,
    Leaf,
    LocalState,
    Parallel,
    Prioritised,
    Sequel,
    Tree,
    Unbounded,
    atomic,
    check_nesting,
    hidden,
    interrupt,
    is_at_end,
    leaves,
    nodes,
    with_errors_collapsed,
)
from fairlead.model.types import Type


class NetworkSystem:
    """A network as a system, by its reference semantics."""

    def __init__(self, network: Network) -> None:
        self.network = network

    # ------------------------------------------------------------ System

    def initial_states(self) -> list[Configuration]:
        """One configuration for each assignment of initial values (and each root)."""
        network = self.network
        return [
            Configuration(values, with_errors_collapsed(self._enter(root, network.name, values)))
            for root in (network.root, *network.other_roots)
            for values in network.initial_values
        ]

    def steps(self, state: State) -> list[Step]:
        """The transitions from a configuration, without duplicates."""
        return list(self.moves(state))

    def moves(self, state: State) -> dict[Step, Move]:
        """The same, each with what makes it."""
        found: dict[Step, Move] = {}
        for step, move, _ in self._carried_out(state):
            found.setdefault(step, move)
        return found

    def executions(self, state: State) -> dict[Step, set[PlaceKey]]:
        """The transitions from a configuration, with the places in the text that each of them executes.

        Where several ways lead to one transition, these are the places of all of them.
        """
        found: dict[Step, set[PlaceKey]] = {}
        for step, _, places in self._carried_out(state, record=True):
            found.setdefault(step, set()).update(places)
        return found

    def executed(self, state: State, step: Step) -> list[Span]:
        """The parts of the text that a transition from a configuration executes, in the order of the text.

        A part that has others of them in it, such as the branch that an event stands in, is left out.
        """
        sources = {
            variable.span.source.name: variable.span.source
            for variable in self.network.variables
            if variable.span is not None
        }
        keys: set[PlaceKey] = set()
        for found, move, places in self._carried_out(state, record=True):
            if found == step:
                keys |= places
                sources |= {place.source.name: place.source for place in move.places}
        inner = (key for key in keys if not any(_contains(key, other) for other in keys))
        return [Span(sources[name], start, end) for name, start, end in sorted(inner) if name in sources]

    def _carried_out(self, state: State, record: bool = False) -> Iterator[tuple[Step, Move, set[PlaceKey]]]:
        """Every move from a configuration, carried out, with the places in the text if they are asked for."""
        assert isinstance(state, Configuration)
        # half a handshake is not a step
        moves = (move for move in self._moves(state.tree, state.values) if isinstance(move, Move))
        for move in _by_urgency(moves) if _has_atomic(state.tree) else moves:
            values = list(state.values)
            places = {place.key for place in move.places} if record else set[PlaceKey]()
            executed = places if record else None
            try:
                for update in move.updates:
                    scope = Scope(values, update.parameters, update.received, executed=executed)
                    execute(update.program, scope)
                tree = move.after(values)
                if self.network.counting is not None:
                    values[:] = tallied(tree, self.network.counting, values)
                check_nesting(tree)
            except (InputError, LimitReached) as problem:
                self._failed(problem, move.event, move.processes)
                continue
            if move.kind is Kind.TERMINATION and not isinstance(state.tree, Leaf):
                tree = self._terminated(values)
            target = Configuration(tuple(values), with_errors_collapsed(tree))
            yield Step(move.event, move.processes, target), move, places

    def _failed(self, problem: FairleadError, event: str | None, processes: frozenset[str]) -> None:
        """What becomes of an alternative that fails when it is computed: here, the whole question fails."""
        raise problem

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether an expression over the shared variables is true in a configuration."""
        assert isinstance(state, Configuration)
        return bool(evaluate(proposition.meaning, Scope(list(state.values))))

    def has_terminated(self, state: State) -> bool:
        """Whether the whole system has terminated successfully."""
        assert isinstance(state, Configuration)
        if self.network.resting:
            return self._rests(state) and not self.steps(state)
        return is_at_end(state.tree) and (isinstance(state.tree, Leaf) or not self.steps(state))

    def _rests(self, state: Configuration) -> bool:
        """Whether all processes may stay where they are forever."""
        resting = self.network.resting
        if not all(leaf.state.position in resting for leaf in leaves(state.tree)):
            return False
        return bool(evaluate(self.network.ends, _scope(state.values, ())))

    def failed_process(self, state: State) -> str | None:
        """The process of the one leaf that is left, if that is in ERROR."""
        assert isinstance(state, Configuration)
        tree = state.tree
        return tree.process if isinstance(tree, Leaf) and tree.state == ERROR else None

    def describe(self, state: State) -> dict[str, Any]:
        """Variables by name, and for each process the text of its positions."""
        assert isinstance(state, Configuration)
        positions: dict[str, list[str]] = {}
        for leaf in leaves(state.tree):
            positions.setdefault(leaf.process, []).append(self.position_text(leaf.state))
        for node in counted_nodes(state.tree):
            positions[node.process] = [self._counted_text(node)]
        return {
            "variables": self.variables(state),
            "processes": {process: " || ".join(texts) for process, texts in positions.items()},
        }

    @property
    def annotation_kinds(self) -> frozenset[Annotation]:
        """The kinds of annotations that the text may have."""
        return self.network.annotations

    def ready(self, state: State) -> frozenset[Annotated]:
        """The annotated steps whose guards hold, whatever their partners in a synchronisation can do."""
        assert isinstance(state, Configuration)
        found = set()
        for step in ready_steps(self.network.behaviour, state):
            _, label = label_of(step.label, step.process, step.scope)
            if label not in step.hidden:
                found.add(Annotated(label, step.annotation.value))
        return frozenset(found)

    # ------------------------------------------------------------ showing

    def variables(self, state: Configuration) -> dict[str, Any]:
        """The shared variables and buffers as JSON has them: arrays as lists, objects as texts."""
        shown: dict[str, Any] = {}
        for variable in self.network.variables:
            if variable.is_internal:
                continue
            values = state.values[variable.slot : variable.slot + variable.size]
            typed = [variable.type.plain(value) for value in values]
            shown[variable.name] = typed if variable.dimensions else typed[0]
        for buffer in self.network.buffers:
            contents = [
                [_shown_message(message) for message in buffer.waiting(number, state.values)]
                for number in range(buffer.queue.count)
            ]
            shown[buffer.queue.name] = contents if buffer.is_array else contents[0]
        return shown

    def position_text(self, state: LocalState) -> str:
        """A local state as text: the process text with the values of its parameters."""
        return self.network.behaviour.place(state.position).shown(state.parameters)

    def _counted_text(self, node: Counted) -> str:
        """How many processes are where: `2 x a -> P(), many x Skip`."""
        return ", ".join(
            f"{number_text(number, node.cutoff)} x {self.position_text(state)}"
            for state, number in node.members
        )

    # ------------------------------------------------------------ the step relation

    def _enter(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        behaviour = self.network.behaviour
        if behaviour.edges(state.position) is None:
            return behaviour.compose(state, process, values)
        return Leaf(state, process)

    def _terminated(self, values: Sequence[int]) -> Tree:
        return Leaf(TERMINATED, self.network.name)

    def moves_of(self, tree: Tree, values: Sequence[int]) -> Iterator[Move | Offer]:
        """What a part of a configuration can do by itself, before it is carried out."""
        return self._moves(tree, values)

    def _moves(self, tree: Tree, values: Sequence[int]) -> Iterator[Move | Offer]:
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
                try:
                    is_open = evaluate(condition, _scope(values, guard.parameters))
                except InputError as problem:
                    self._failed(problem, None, frozenset(leaf.process for leaf in leaves(body)))
                    return
                if is_open:
                    yield from self._moves(body, values)
            case ExternalChoice(branches):
                for number, branch in enumerate(branches):
                    for move in self._moves(branch, values):
                        # an internal step leaves the choice open, any other makes it
                        yield move.within(replacing(tree, number)) if _is_internal(move) else move
            case Interrupt(body, handler):
                for move in self._moves(body, values):
                    yield move.within(lambda after, _: interrupt(after, handler))
                for move in self._moves(handler, values):
                    # an internal step of the handler does not interrupt, any other does
                    yield move.within(replacing(tree, 1)) if _is_internal(move) else move
            case Hidden(body, events):
                for move in self._moves(body, values):
                    outside = move.within(lambda after, _: hidden(after, events))
                    yield _made_internal(outside) if _is_event(move, events) else outside
            case Atomic(body):
                for move in self._moves(body, values):
                    outside = move.within(lambda after, _: atomic(after))
                    if isinstance(outside, Move):
                        yield replace(outside, is_atomic=True)
                    else:
                        yield outside.made_atomic()
            case Prioritised(body, labels, is_high):
                for move in by_priority(self._moves(body, values), labels, is_high):
                    yield move.within(lambda after, _: Prioritised(after, labels, is_high))
            case Counted():
                assert self.network.counting is not None
                yield from counted_moves(
                    tree, self.network.counting, lambda leaf: list(self._leaf_moves(leaf, values))
                )
            case Unbounded(name=name):
                raise UnboundedProcesses(name)
            case _:
                assert_never(tree)

    def _leaf_moves(self, leaf: Leaf, values: Sequence[int]) -> Iterator[Move | Offer]:
        edges = self.network.behaviour.edges(leaf.state.position)
        assert edges is not None
        scope = _scope(values, leaf.state.parameters)
        for edge in edges:
            try:
                if edge.guard is not None and not evaluate(edge.guard, scope):
                    continue
                move = self._offered(edge, leaf, scope)
            except InputError as problem:
                self._failed(problem, None, frozenset((leaf.process,)))
                continue
            yield move

    def _offered(self, edge: Edge, leaf: Leaf, scope: Scope) -> Move | Offer:
        match edge.handshake:
            case None:
                return self._edge_move(edge, leaf, scope)
            case Send(rendezvous, sent):
                message = tuple(evaluate(value, scope) for value in sent)
                return SendOffer(_channel(rendezvous, scope), message, self._edge_move(edge, leaf, scope))
            case Receive() as receive:
                return self._receive_offer(edge, receive, leaf, scope)

    def _edge_move(self, edge: Edge, leaf: Leaf, scope: Scope) -> Move:
        kind, event = label_of(edge.label, leaf.process, scope)
        target = LocalState(
            edge.target.position, tuple(evaluate(argument, scope) for argument in edge.target.arguments)
        )
        updates: tuple[Update, ...] = ()
        if edge.update is not None:
            updates = (Update(edge.update, leaf.state.parameters, tuple(scope.received)),)

        def after(values: Sequence[int]) -> Tree:
            return self._enter(target, leaf.process, values)

        processes = frozenset((leaf.process,))
        return Move(kind, event, edge.synchronises, processes, updates, after, places=edge.places)

    def _receive_offer(self, edge: Edge, receive: Receive, leaf: Leaf, scope: Scope) -> ReceiveOffer:
        def accept(message: tuple[int, ...]) -> Move | None:
            receiving = Scope(scope.shared, scope.parameters, message)
            try:
                if receive.accepts is not None and not evaluate(receive.accepts, receiving):
                    return None
                return self._edge_move(edge, leaf, receiving)
            except InputError as problem:
                self._failed(problem, None, frozenset((leaf.process,)))
                return None

        return ReceiveOffer(_channel(receive.rendezvous, scope), receive.fields, accept)

    def _parallel_moves(self, tree: Parallel, values: Sequence[int]) -> Iterator[Move | Offer]:
        offered = [list(self._moves(component, values)) for component in tree.components]
        moves = [[move for move in own if isinstance(move, Move)] for own in offered]
        for number, own in enumerate(moves):
            for move in own:
                if move.kind is not Kind.TERMINATION and not is_shared(move, tree.alphabets):
                    yield move.within(replacing(tree, number))
        yield from self._synchronised_moves(tree, moves)
        offers = [[offer for offer in own if not isinstance(offer, Move)] for own in offered]
        yield from handshakes(tree, offers)
        for number, waiting in enumerate(offers):  # partners may be found further out
            for offer in waiting:
                yield offer.within(replacing(tree, number))
        if tree.ends is not None:
            return
        # termination is joint: all components, in one step
        endings = [[move for move in own if move.kind is Kind.TERMINATION] for own in moves]
        if all(endings):
            processes = frozenset().union(*(ending[0].processes for ending in endings))
            urgent = any(ending[0].is_atomic for ending in endings)
            places = tuple(place for own in endings for ending in own for place in ending.places)
            ended = self._terminated
            yield Move(Kind.TERMINATION, TERMINATE, True, processes, (), ended, urgent, places=places)

    def _synchronised_moves(self, tree: Parallel, moves: list[list[Move]]) -> Iterator[Move]:
        if tree.alphabets is None:
            return
        shared = dict.fromkeys(
            move.event
            for own in moves
            for move in own
            if move.kind is Kind.EVENT and is_shared(move, tree.alphabets)
        )
        for event in shared:
            partners = [number for number, events in enumerate(tree.alphabets) if event in events]
            offers = [
                [move for move in moves[number] if move.event == event and move.synchronises]
                for number in partners
            ]
            for joint in itertools.product(*offers):
                yield joint_move(tree, event, partners, joint, synchronises=True)

    def _sequel_moves(self, tree: Sequel, values: Sequence[int]) -> Iterator[Move | Offer]:
        def following(first: Tree, after: Sequence[int]) -> Tree:
            # Skip; Q is Q
            if isinstance(first, Leaf) and first.state == SKIP:
                return self._enter(tree.then, tree.process, after)
            return Sequel(first, tree.then, tree.process, tree.construct)

        for move in self._moves(tree.first, values):
            if isinstance(move, Move) and move.kind is Kind.TERMINATION:
                event = tau_label(tree.construct, tree.process)

                def after(values: Sequence[int]) -> Tree:
                    return self._enter(tree.then, tree.process, values)

                yield replace(move, kind=Kind.INTERNAL, event=event, synchronises=False, after=after)
            else:
                yield move.within(following)


def _contains(place: PlaceKey, other: PlaceKey) -> bool:
    """Whether a part of a text is larger than another one and has it in it."""
    return place != other and place[0] == other[0] and place[1] <= other[1] and other[2] <= place[2]


def _scope(values: Sequence[int], parameters: tuple[int, ...]) -> Scope:
    """What is read before a step; nothing is written there."""
    return Scope(values if isinstance(values, list) else list(values), parameters)


def _by_urgency(moves: Iterable[Move]) -> list[Move]:
    """While an atomic process can move, only atomic ones do."""
    every = list(moves)
    return [move for move in every if move.is_atomic] or every


def _has_atomic(tree: Tree) -> bool:
    return any(isinstance(node, Atomic) for node in nodes(tree))


def _is_internal(move: Move | Offer) -> bool:
    return isinstance(move, Move) and move.kind is Kind.INTERNAL


def _is_event(move: Move | Offer, events: frozenset[str]) -> bool:
    return isinstance(move, Move) and move.kind is Kind.EVENT and move.event in events


def _made_internal(move: Move | Offer) -> Move:
    assert isinstance(move, Move)
    event = hidden_label(move.event, move.processes)
    return replace(move, kind=Kind.INTERNAL, event=event, synchronises=False)


def _channel(rendezvous: Rendezvous, scope: Scope) -> tuple[str, int, int]:
    return rendezvous.channel, evaluate(rendezvous.index, scope), rendezvous.form


def _shown_message(fields: list[tuple[int, Type]]) -> Any:
    values = [kind.plain(value) for value, kind in fields]
    return values[0] if len(values) == 1 else values
