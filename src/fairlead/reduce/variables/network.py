"""A network in which variables that do not matter have fixed values; costs hold what the last step has added.

What is known of a variable must be known of all positions, and these are found as the system is explored. So
each is checked when it is found, and `Needed` is raised at the first that tells otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.model.expression import Constant, Expression, Shared, slots_in
from fairlead.model.labels import TERMINATE, EventTemplate, TauTemplate, TerminateTemplate
from fairlead.model.network import Edge, Network, Receive, Variable, WrappedBehaviour
from fairlead.model.program import Block, Program, Store
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration, LocalState, Tree
from fairlead.reduce.variables.liveness import Liveness, NotAnalysed, liveness_of
from fairlead.reduce.variables.places import places_of
from fairlead.reduce.variables.signs import Sign, sign_of
from fairlead.reduce.variables.uses import Uses, uses_of

#: the internal step of 'P; Q' is known by a construct that begins with this
SEQUENCE = ";"


class Needed(Exception):
    """That the value of a variable matters after all, and why."""

    def __init__(self, variable: Variable, reason: str) -> None:
        super().__init__(f"'{variable.name}' {reason}")
        self.variable = variable


@dataclass(frozen=True)
class Unneeded:
    """The variables of a network whose values do not distinguish states, for one question.

    `cost` is what the question wants the best value of. No process reads those that are `unread`. `liveness`
    tells where others are dead, and `not_analysed` why that is not known. `sign` is that of what steps add to
    the cost.
    """

    cost: Variable | None
    unread: tuple[Variable, ...]
    liveness: Liveness | None
    not_analysed: str | None = None
    sign: Sign = Sign.UNKNOWN

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return self.cost is None and not self.unread and self.liveness is None


@dataclass(frozen=True)
class WithoutUnneeded:
    """A network, and the same without variables that are not needed."""

    original: Network
    unneeded: Unneeded

    @cached_property
    def network(self) -> Network:
        """The network in which variables that are not needed have their first initial values."""
        behaviour = _FixedValues(self.original, self.unneeded)
        initial = NetworkSystem(self.original).initial_states()
        values = tuple(dict.fromkeys(self.normal(state).values for state in initial))
        return replace(self.original, behaviour=behaviour, initial_values=values)

    @property
    def dead(self) -> tuple[Variable, ...]:
        """The variables that have a fixed value where they are dead."""
        live = self.unneeded.liveness
        slots = frozenset() if live is None else live.slots
        return tuple(
            variable
            for variable in self.original.variables
            if not slots.isdisjoint(range(variable.slot, variable.slot + variable.size))
        )

    def normal(self, state: Configuration) -> Configuration:
        """A configuration with fixed values where values do not matter; that of a cost stays."""
        fixed = {variable.slot for variable in self.unneeded.unread}
        if self.unneeded.liveness is not None:
            fixed |= self.unneeded.liveness.dead_in(state.tree)
        first = self.original.initial_values[0]
        values = (first[slot] if slot in fixed else value for slot, value in enumerate(state.values))
        return Configuration(tuple(values), state.tree)


class _FixedValues(WrappedBehaviour):
    """The same edges, whose updates give fixed values to variables that are not needed."""

    def __init__(self, network: Network, unneeded: Unneeded) -> None:
        super().__init__(network.behaviour)
        self._initial = network.initial_values[0]
        self._variables = {
            slot: variable
            for variable in network.variables
            for slot in range(variable.slot, variable.slot + variable.size)
        }
        self._unneeded = unneeded
        self._guarded = _guarded(unneeded)
        self._edges: dict[int, tuple[Edge, ...] | None] = {}

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """Those of the network, changed; raises `Needed`."""
        if position not in self._edges:
            edges = self._inner.edges(position)
            self._edges[position] = (
                None if edges is None else tuple(self._changed(edge, position) for edge in edges)
            )
        return self._edges[position]

    def condition(self, position: int) -> Expression:
        """The condition of a guard's position; raises `Needed`."""
        found = self._inner.condition(position)
        _check_read(self._guarded, slots_in(found))
        return found

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """As the network; raises `Needed` if the tree depends on a variable."""
        tree = self._inner.compose(state, process, values)
        _check_read(self._guarded, self._inner.composition_reads(state.position))
        return tree

    def _changed(self, edge: Edge, position: int) -> Edge:
        uses = uses_of(edge)
        check_edge(edge, uses, self._unneeded)
        fixed = [variable.slot for variable in self._unneeded.unread if variable.slot in uses.written]
        fixed += self._dying(edge, uses, position)
        parts: list[Program] = [self._store(slot, self._initial[slot]) for slot in fixed]
        if edge.update is not None:
            parts.insert(0, edge.update)
        if self._unneeded.cost is not None and _begins_a_step(edge):
            parts.insert(0, self._store(self._unneeded.cost.slot, 0))
        if not parts:
            return edge
        return replace(edge, update=parts[0] if len(parts) == 1 else Block(tuple(parts)))

    def _dying(self, edge: Edge, uses: Uses, position: int) -> list[int]:
        """The slots that are dead after an edge and do not have their fixed value yet."""
        liveness = self._unneeded.liveness
        if liveness is None:
            return []
        leaf = liveness.exclusive.get(position)
        before = frozenset() if leaf is None else liveness.dead_at(position, leaf)
        after = liveness.resets(position, edge.target.position)
        return sorted(slot for slot in after if slot not in before or slot in uses.written)

    def _store(self, slot: int, value: int) -> Store:
        variable = self._variables[slot]
        target = Shared(slot, variable.name, variable.type)
        return Store(target, Constant(value, variable.type), None, None)


def _guarded(unneeded: Unneeded) -> tuple[Variable, ...]:
    """The variables that must not be read."""
    return (*(() if unneeded.cost is None else (unneeded.cost,)), *unneeded.unread)


def _begins_a_step(edge: Edge) -> bool:
    """Whether each step that an edge is part of begins with it, or with another one that resets the cost.

    A handshake begins with the sender. Joint termination runs no program; it costs nothing.
    """
    return not isinstance(edge.handshake, Receive) and not isinstance(edge.label, TerminateTemplate)


def is_free(edge: Edge) -> bool:
    """Whether the steps of an edge are taken for termination by their labels, and so cost nothing."""
    match edge.label:
        case TerminateTemplate():
            return True
        case TauTemplate(construct):
            return construct.startswith(SEQUENCE)
        case EventTemplate(name, ()):
            return name == TERMINATE
        case _:
            return False


def _check_read(variables: Sequence[Variable], slots: frozenset[int] | set[int]) -> None:
    for variable in variables:
        if variable.slot in slots:
            raise Needed(variable, "is read")


def check_edge(edge: Edge, uses: Uses, unneeded: Unneeded) -> None:
    """Raises `Needed` if an edge shows that the value of a variable matters."""
    _check_read(_guarded(unneeded), uses.read)
    for variable in _guarded(unneeded):
        if variable.slot in uses.checked:
            raise Needed(variable, "must stay in its declared range")
    cost = unneeded.cost
    if cost is None or cost.slot not in uses.written:
        return
    if cost.slot in uses.set_to:
        raise Needed(cost, "is not only added to")
    if edge.synchronises:
        raise Needed(cost, "may be added to by several processes in one step")
    if is_free(edge):
        raise Needed(cost, "is added to by a step that looks like termination")


# ---------------------------------------------------------------- which ones


def unneeded_in(network: Network, seen: frozenset[int], cost: Variable | None) -> Unneeded:
    """The variables of a network that a question does not need, as far as its text tells.

    `seen` are the slots that the question looks at besides the cost. Raises `Needed` if the cost is none.
    """
    places = places_of(network)
    every = Uses(set(slots_in(*places.conditions)))
    for edge in places.edges:
        uses = uses_of(edge)
        every.add(uses)
        check_edge(edge, uses, Unneeded(cost, (), None))
    if cost is not None:
        _check_read((cost,), every.read)
        if cost.slot not in every.added_to:
            raise Needed(cost, "is never added to")
    unread = tuple(
        variable
        for variable in network.variables
        if variable.size == 1
        and not variable.dimensions
        and not variable.is_counter
        and variable.slot in every.written - every.read - every.checked - seen
        and variable != cost
    )
    is_known = cost is not None and places.complete
    sign = sign_of(network, places.edges, cost.slot) if cost is not None and is_known else Sign.UNKNOWN
    return with_liveness(network, seen, Unneeded(cost, unread, None, sign=sign))


def without(unneeded: Unneeded, needed: Variable) -> Unneeded:
    """The same without a variable that nothing was known to read, and something does."""
    return replace(unneeded, unread=tuple(one for one in unneeded.unread if one != needed))


def with_liveness(network: Network, seen: frozenset[int], known: Unneeded) -> Unneeded:
    """The same, with where other variables are dead."""
    others = seen | {variable.slot for variable in _guarded(known)}
    try:
        liveness = liveness_of(network, NetworkSystem(network).initial_states(), others)
    except NotAnalysed as problem:
        return replace(known, liveness=None, not_analysed=str(problem))
    return replace(known, liveness=liveness, not_analysed=None)
