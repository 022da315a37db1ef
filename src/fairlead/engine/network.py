"""Gives a Network to the engine: compiles positions, interns trees, decodes states."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.diagnostics import FairleadError
from fairlead.engine import _native
from fairlead.engine.annotations import KINDS
from fairlead.engine.bytecode import Compiler
from fairlead.engine.journal import Journal
from fairlead.engine.source import RecordingSource, Source
from fairlead.engine.stored_tables import ValueFiller
from fairlead.engine.trees import TreeTable
from fairlead.engine.values import native_values
from fairlead.model.counted_moves import members_in
from fairlead.model.counting import counted_node
from fairlead.model.evaluation import Fault
from fairlead.model.expression import TRUE, Expression, depends_on_step
from fairlead.model.interchange import Family, Interchange
from fairlead.model.labels import ChannelTemplate, EventTemplate, TauTemplate, label_text
from fairlead.model.network import Edge, Network, Receive, Send
from fairlead.model.program import Program
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import (
    Configuration,
    Counted,
    Leaf,
    LocalState,
    Tree,
    report_nesting,
    subtrees,
    with_subtrees,
)
from fairlead.model.types import Type

#: most edges are of this kind
_EVENT = _native.MoveKind.EVENT


class EngineNetwork:
    """Answers the engine's questions about a network, and translates between its numbers and our values."""

    def __init__(self, network: Network, journal: Journal | None = None) -> None:
        self.network = network
        self.journal = journal
        self.native = _native.Network(network.slots)
        # representatives are chosen by the numbers of values, so these must not depend on the threads
        in_order = network.interchange is not None
        self.native.set_values(native_values(network.values), in_order=in_order)
        self._compiler = Compiler()
        self._trees = TreeTable(self.native, self._local, self._state)
        self._conditions: dict[Expression, int] = {}
        self._events: dict[str, int] = {}
        self._channels: dict[tuple[str, int], int] = {}
        self._channel_count = 0
        self._groups: dict[tuple[str, int | None], int] = {}
        self._group_names: list[tuple[str, int | None]] = []
        self.native.set_main(self.native.process(network.name))
        self.native.set_source(Source(self) if journal is None else RecordingSource(self, journal))
        if network.interchange is not None:
            self._exchange_in_shape(network.interchange)
        if network.resting:
            ends = _native.NO_CODE if network.ends == TRUE else self.condition(network.ends)
            self.native.set_resting(sorted(network.resting), ends)

    def graph(
        self, context: _native.Context, keep_edges: bool, begin: Configuration | None = None
    ) -> _native.NetworkGraph:
        """A graph of the network that holds only its initial states, or a state to begin in instead."""
        graph = _native.NetworkGraph(self.native, context, keep_edges)
        for configuration in NetworkSystem(self.network).initial_states() if begin is None else (begin,):
            graph.add_initial(configuration.values, self._tree(configuration.tree))
        return graph

    def configuration(self, graph: _native.NetworkGraph, state: int) -> Configuration:
        """The configuration with a number in the graph."""
        return self.configuration_of(*graph.unpack(state))

    def configuration_of(self, values: Sequence[int], nodes: Sequence[int]) -> Configuration:
        """The configuration with these values and the nodes of its tree as the engine lists them."""
        tree = self._trees.tree(nodes)
        return Configuration(tuple(values), self._with_counted(tree) if self._groups else tree)

    def encoder(self, context: _native.Context) -> _native.CanonicalEncoder:
        """What gives the canonical encoding of states."""
        from fairlead.engine.canonical import encoder_of  # rarely needed

        return encoder_of(self.network, self.native, context, self._trees.node)

    def tree_number(self, tree: Tree) -> int:
        """The engine's number of a tree."""
        return self._tree(tree)

    def condition(self, expression: Expression) -> int:
        """The code of a condition over shared variables."""
        if expression not in self._conditions:
            self._conditions[expression] = self.native.add_code(self._compiler.expression(expression))
        return self._conditions[expression]

    def fault(self, error: _native.EngineFault) -> Fault:
        """A run-time error of the engine, in the model's words."""
        site, value = map(int, error.args)
        return self._compiler.sites[site].fault(value)

    # ------------------------------------------------------------ local states

    def _local(self, state: LocalState) -> int:
        return self.native.intern_local(state.position, state.parameters)

    def _state(self, number: int) -> LocalState:
        position, parameters = self.native.local(number)
        return LocalState(position, tuple(parameters))

    # ------------------------------------------------------------ processes that can be exchanged

    def _exchange_in_shape(self, interchange: Interchange) -> None:
        """States that differ only in who is who will be explored as one."""
        self.native.set_symmetry(
            self._tree(interchange.tree),
            interchange.kinds,
            [_family(family) for family in interchange.variables],
            [_family(family) for family in interchange.leaves],
            [
                (position, [_native.NONE if kind is None else kind for kind in kinds])
                for position, kinds in interchange.parameters.items()
            ],
        )

    def exchange(self, graph: _native.NetworkGraph, configuration: Configuration) -> tuple[int, ...]:
        """Where each member of the interchange goes when a configuration gets its representative."""
        interchange = self.network.interchange
        assert interchange is not None
        places = graph.exchange(configuration.values, self._tree(configuration.tree))
        return tuple(range(len(interchange.numbers)) if places is None else places)

    # ------------------------------------------------------------ trees

    def _tree(self, tree: Tree) -> int:
        return self._trees.number(self._with_leaves(tree))

    # ------------------------------------------------------------ counted processes

    def _with_leaves(self, tree: Tree) -> Tree:
        """The tree with its counted processes as the engine has them: one leaf for each group."""
        if self.network.counting is None:
            return tree
        if not isinstance(tree, Counted):
            return with_subtrees(tree, tuple(self._with_leaves(part) for part in subtrees(tree)))
        key = (tree.process, tree.cutoff)
        if key not in self._groups:
            self._groups[key] = self.native.add_group(_native.EXACT if tree.cutoff is None else tree.cutoff)
            self._group_names.append(key)
        members = [(self._local(state), number) for state, number in tree.members]
        number = self.native.intern_counted(self._groups[key], members)
        return Leaf(self._state(number), tree.process)

    def _with_counted(self, tree: Tree) -> Tree:
        if isinstance(tree, Leaf) and tree.state.position == _native.COUNTED_POSITION:
            group, *flat = tree.state.parameters
            process, cutoff = self._group_names[group]
            members = [
                (self._state(local), number) for local, number in zip(flat[::2], flat[1::2], strict=True)
            ]
            return counted_node(members, process, cutoff)
        return with_subtrees(tree, tuple(self._with_counted(part) for part in subtrees(tree)))

    def member(self, group: int, local: int) -> tuple[int, list[tuple[int, int]]]:
        """How the processes of a group in a local state are called, and which variables count them."""
        counting = self.network.counting
        assert counting is not None
        process, _ = self._group_names[group]
        state = self._state(local)
        return self.native.process(counting.member_process(process, state)), list(
            counting.tallies(process, state)
        )

    def components(self, group: int, composite: int) -> list[int]:
        """The local states of the processes side by side that one of a group becomes."""
        process, _ = self._group_names[group]
        tree = self.network.behaviour.compose(self._state(composite), process, ())
        return [self._local(leaf.state) for leaf in members_in(tree, process)]

    # ------------------------------------------------------------ the engine's questions

    def define_position(self, number: int) -> None:
        """Compiles a position the engine has not met before."""
        behaviour = self.network.behaviour
        edges = behaviour.edges(number)
        position = _native.Position(edges is None)
        for edge in edges or ():
            self._add_edge(position, edge)
        if behaviour.is_guard(number):
            position.condition = self._code(behaviour.condition(number))
        self.native.reserve_locals(self._compiler.local_slots)
        self.native.define_position(number, position)
        if self.journal is not None:
            self._note_position(number, edges)

    def _note_position(self, number: int, edges: Sequence[Edge] | None) -> None:
        """Tells the journal what a position looks like, as far as its code does not say."""
        assert self.journal is not None
        behaviour = self.network.behaviour
        facts = [
            (edge.synchronises, edge.annotation, behaviour.place(edge.target.position).text)
            for edge in edges or ()
        ]
        targets = [edge.target.position for edge in edges or ()]
        self.journal.note(number, edges is None, behaviour.place(number).text, facts, targets)

    def found(self) -> tuple[int, ...]:
        """How much has a number on this side so far."""
        return self.network.behaviour.position_count, self.network.values.count, self._trees.tag_count

    def sizes(self) -> tuple[int, ...]:
        """How much has a number so far, on both sides."""
        native = self.native
        counts = native.operator_count, native.tree_count, native.shape_count, native.local_count
        return *self.found(), *counts

    def replay(self, entries: Sequence[object], filler: ValueFiller) -> None:
        """Answers again what the engine once asked; raises `Mismatch` if anything is different."""
        assert self.journal is not None
        RecordingSource(self, self.journal).replay(entries, filler)

    def state_rules(self) -> _native.StateRules:
        """What states from a file must be like; raises `Mismatch` if a table is not that of the network."""
        from fairlead.engine.state_rules import rules_for  # rarely needed

        cutoffs = [cutoff for _, cutoff in self._group_names]
        return rules_for(self.network, self.native, self._trees, cutoffs)

    def compose(
        self, local: int, process: int, values: Sequence[int], quietly: bool
    ) -> tuple[int, list[int]] | None:
        """The tree that a composite local state stands for, and the variables on which that depends.

        What goes wrong is reported, or answered with None if it should not be reported yet.
        """
        state = self._state(local)
        behaviour = self.network.behaviour
        try:
            tree = behaviour.compose(state, self.native.processes[process], values)
        except FairleadError:
            if quietly:
                return None
            raise
        return self._tree(tree), sorted(behaviour.composition_reads(state.position))

    def report_nesting(self) -> None:
        """Operators are nested too deeply."""
        report_nesting()

    def _add_edge(self, position: _native.Position, edge: Edge) -> None:
        if self._add_plain_edge(position, edge):
            return
        label_arguments: tuple[Expression, ...] = ()
        match edge.label:
            case EventTemplate() | ChannelTemplate():
                text = label_text(edge.label)
                kind, label_arguments = _EVENT, text.arguments
                types = [_argument_type(argument.type) for argument in text.arguments]
                number = self.native.event_name(text.pieces, types)
            case TauTemplate(construct):
                kind, number = _native.MoveKind.INTERNAL, self.native.construct(construct)
            case _:
                kind, number = _native.MoveKind.TERMINATION, 0
        target, handshake, annotation = edge.target, None, _native.NOT_ANNOTATED
        if edge.annotation is not None:
            annotation = KINDS.index(edge.annotation)
        if edge.handshake is not None:
            is_send = isinstance(edge.handshake, Send)
            kind = _native.MoveKind.SEND if is_send else _native.MoveKind.RECEIVE
            handshake = self._handshake(edge.handshake)
        position.add_edge(
            kind,
            edge.synchronises,
            number,
            target.position,
            guard=_native.NO_CODE if edge.guard is None else self._code(edge.guard),
            update=_native.NO_CODE if edge.update is None else self._program(edge.update),
            label_arguments=[self._code(argument) for argument in label_arguments],
            target_arguments=[self._code(argument) for argument in target.arguments],
            label_is_fixed=not any(depends_on_step(argument) for argument in label_arguments),
            target_is_fixed=not any(depends_on_step(argument) for argument in target.arguments),
            handshake=handshake,
            annotation=annotation,
        )

    def _add_plain_edge(self, position: _native.Position, edge: Edge) -> bool:
        """Adds an edge if it has nothing but a constant event and a target, as all of FSP: there are many."""
        label = edge.label
        if (
            not isinstance(label, EventTemplate)
            or label.arguments
            or edge.target.arguments
            or edge.guard is not None
            or edge.update is not None
            or edge.handshake is not None
            or edge.annotation is not None
        ):
            return False
        number = self._events.get(label.name)
        if number is None:
            number = self._events[label.name] = self.native.event_name(label_text(label).pieces, [])
        position.add_edge(_EVENT, edge.synchronises, number, edge.target.position)
        return True

    def _handshake(self, handshake: Send | Receive) -> _native.Handshake:
        rendezvous = handshake.rendezvous
        key = (rendezvous.channel, rendezvous.form)
        if key not in self._channels:
            self._channels[key] = self._channel_count
            self._channel_count += rendezvous.count
        channel, index = self._channels[key], self._code(rendezvous.index)
        if isinstance(handshake, Send):
            values = [self._code(value) for value in handshake.values]
            return _native.Handshake(channel, index, values, len(values))
        accepts = _native.NO_CODE if handshake.accepts is None else self._code(handshake.accepts)
        return _native.Handshake(channel, index, [], handshake.fields, accepts)

    def call(self, function: int, words: list[int]) -> tuple[bool, int, int]:
        """A call of a library function: whether it failed, its value, and the memory new values take."""
        values = self.network.values
        before = values.bytes
        failed, word = self._compiler.call(function, words)
        return failed, word, values.bytes - before

    def text(self, value: int) -> str:
        """A value that is not an integer, as it is written in event names."""
        return self.network.values.text(value)

    def _code(self, expression: Expression) -> int:
        return self._added(self._compiler.expression(expression))

    def _program(self, program: Program) -> int:
        return self._added(self._compiler.program(program))

    def _added(self, words: list[int]) -> int:
        if self.journal is not None:
            self.journal.note(words)
        return self.native.add_code(words)


def _family(family: Family) -> _native.PlaceFamily:
    places = [_native.NONE if place is None else place for place in family.places]
    return _native.PlaceFamily(family.blocks, places, _native.NONE if family.holds is None else family.holds)


def _argument_type(type: Type) -> _native.ArgumentType:
    """How the engine shows a value of a type in the name of an event."""
    return _ARGUMENT_TYPES.get(type, _native.ArgumentType.VALUE)


_ARGUMENT_TYPES = {
    Type.INT: _native.ArgumentType.INTEGER,
    Type.BOOL: _native.ArgumentType.BOOLEAN,
    Type.MIXED: _native.ArgumentType.MIXED,
}
