"""Wraps a network so that identical processes are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.model.expression import Expression
from fairlead.model.network import Edge, Network, Variable, WrappedBehaviour
from fairlead.model.tree import Guarded, Leaf, LocalState, Parallel, Sequel, Tree, nodes
from fairlead.reduce.counters.automata import LocalAutomata, NotCountable, Sight, SymbolicState
from fairlead.reduce.counters.symmetry import Merger, Symmetry, has_unbounded
from fairlead.reduce.counters.variables import (
    Weights,
    change_by,
    check_conditions,
    check_program,
    expressions_in,
    expressions_of,
    weights,
    without_counting,
)

#: the positions of the roots of a network whose trees are known
_FIRST_ROOT = 1 << 30


@dataclass(frozen=True)
class CountedNetwork:
    """A network in which processes are counted, and what was found out about them."""

    network: Network
    symmetry: Symmetry
    is_unbounded: bool


def counted_network(
    network: Network,
    sight: Sight,
    named: frozenset[str] = frozenset(),
    conditions: Sequence[Expression] = (),
    cutoff: int = 2,
    forking: bool = False,
) -> CountedNetwork:
    """The network with its identical processes counted.

    `sight` is what the question sees of labels, `named` are processes and `conditions` expressions over
    shared variables that it is about. If `forking`, a process is counted that is the only one of its kind,
    but may become several. Raises `InputError` where unboundedly many processes cannot be counted.
    """
    merger = Merger(network, sight, named, cutoff, forking)
    values = network.initial_values[0]
    tree: Tree = Leaf(network.root, network.name)
    if network.behaviour.edges(network.root.position) is None:
        tree = network.behaviour.compose(network.root, network.name, values)
    unbounded = has_unbounded(tree)
    trees = merger.merged(tree)
    processes = CountedProcesses(network, merger.symmetry)
    slots: frozenset[int] = frozenset()
    if unbounded:
        slots = _follow_counters(network, merger, tree, processes, conditions, cutoff)
    # composing many processes once more would take time
    known = unbounded or not network.behaviour.composition_reads(network.root.position)
    behaviour = CountedBehaviour(network, merger, trees if known else [], slots)
    roots = behaviour.roots if known else (network.root,)
    counted = replace(network, behaviour=behaviour, root=roots[0], other_roots=roots[1:], counting=processes)
    return CountedNetwork(counted, merger.symmetry, unbounded)


class CountedProcesses:
    """What a network knows of its counted processes (see `model.counting.Counting`)."""

    def __init__(self, network: Network, symmetry: Symmetry) -> None:
        self._behaviour = network.behaviour
        self._symmetry = symmetry
        self._names: dict[tuple[str, LocalState], str] = {}
        self._taken: set[str] = set()
        #: of each group, the variables that count it
        self.counters: dict[str, list[Weights]] = {}

    def member_process(self, group: str, state: LocalState) -> str:
        """`Reader() at stopread -> Reader()`."""
        key = (group, state)
        if key not in self._names:
            place = self._behaviour.place(state.position)
            name = f"{group} at {place.shown(state.parameters)}"
            if name in self._taken and place.span is not None:
                name += f" ({place.span})"
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self._names[key] = name
        return self._names[key]

    def tallies(self, group: str, state: LocalState) -> Sequence[tuple[int, int]]:
        """The weights of the counters of a group."""
        return [(counter.variable.slot, _weight(counter, state)) for counter in self.counters.get(group, ())]

    def conserved(self) -> Sequence[str]:
        """The names of those local states of unboundedly many processes that have been seen.

        Their number does not change, so that a member that enters such a state infinitely often is followed
        by one that leaves it.
        """
        fixed = {
            name
            for name, merged in self._symmetry.merged.items()
            if merged.least is not None and not merged.facts.forks
        }
        return [name for (group, _), name in self._names.items() if group in fixed]


def _weight(counter: Weights, state: LocalState) -> int:
    """What a local state counts; where not all of its parameters were known before, by its position."""
    ground = SymbolicState.of(state)
    if ground in counter.of:
        return counter.of[ground]
    return next(weight for symbolic, weight in counter.of.items() if symbolic.overlaps(ground))


class CountedBehaviour(WrappedBehaviour):
    """A behaviour whose compositions have their processes counted, and whose counters follow them."""

    def __init__(
        self, network: Network, merger: Merger, trees: Sequence[Tree], counters: frozenset[int]
    ) -> None:
        super().__init__(network.behaviour)
        self._main = network.name
        self._merger = merger
        self._trees = trees
        self._counters = counters

    @property
    def roots(self) -> tuple[LocalState, ...]:
        """One for each tree the network starts with."""
        return tuple(LocalState(_FIRST_ROOT + number) for number in range(len(self._trees)))

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The edges of a position; counters are left to the processes."""
        if position >= _FIRST_ROOT:
            return None
        found = self._inner.edges(position)
        if found is None or not self._counters:
            return found
        return tuple(replace(edge, update=without_counting(edge.update, self._counters)) for edge in found)

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """The tree of a composite local state; processes are new only in the main process."""
        if state.position >= _FIRST_ROOT:
            return self._trees[state.position - _FIRST_ROOT]
        tree = self._inner.compose(state, process, values)
        if self._counters and self._inner.composition_reads(state.position):
            problem = "a composition that depends on shared variables cannot be counted"
            raise input_error(Code.COUNTERS, problem, self._inner.place(state.position).span)
        if process != self._main:
            self._merger.note(tree)
            return tree
        if has_unbounded(tree):
            problem = "unboundedly many processes must exist from the start"
            raise input_error(Code.COUNTERS, problem, self._inner.place(state.position).span)
        return self._merger.merged(tree)[0]

    def composition_reads(self, position: int) -> frozenset[int]:
        """As the inner one; the first trees are known."""
        return super().composition_reads(position) if position < _FIRST_ROOT else frozenset()


# ---------------------------------------------------------------- counters of unboundedly many processes


def _follow_counters(
    network: Network,
    merger: Merger,
    tree: Tree,
    processes: CountedProcesses,
    conditions: Sequence[Expression],
    cutoff: int,
) -> frozenset[int]:
    """Finds out which group each counter counts; the slots of those that follow one."""
    counters = [variable for variable in network.variables if variable.is_counter]
    if not counters:
        return frozenset()
    automata = merger.automata
    starts = {
        name: merged.group.representative
        for name, merged in merger.symmetry.merged.items()
        if merged.least is not None
    }
    try:
        states = {name: automata.reachable([start]) for name, start in starts.items()}
        others = automata.reachable(_states_in(tree))
    except NotCountable as problem:
        message = f"whether counters are correct cannot be decided for all processes: {problem}"
        raise input_error(Code.COUNTERS, message, counters[0].span) from None
    followed: dict[int, Variable] = {}
    for variable in counters:
        found = {name: weights(variable, automata, own, name) for name, own in states.items()}
        counting = {name: one for name, one in found.items() if not one.is_trivial}
        if counting:
            _check_counter(network, variable, counting, automata, others)
            ((name, one),) = counting.items()
            processes.counters.setdefault(name, []).append(one)
            followed[variable.slot] = variable
    slots = frozenset(followed)
    if followed:
        seen = [*conditions, *_guards(network, tree)]
        is_joint = _synchronises(tree)
        for state in [*others, *(state for own in states.values() for state in own)]:
            for step in automata.steps(state):
                check_program(step, followed, is_joint)
                seen += [*expressions_of(step), *expressions_in(without_counting(step.update, slots))]
        check_conditions(seen, followed, cutoff)
    return slots


def _states_in(tree: Tree) -> Iterator[LocalState]:
    """Where the processes of a tree are that are not unboundedly many, and those that follow them."""
    for node in nodes(tree):
        if isinstance(node, Leaf):
            yield node.state
        elif isinstance(node, Sequel):
            yield node.then


def _synchronises(tree: Tree) -> bool:
    return any(isinstance(node, Parallel) and node.alphabets is not None for node in nodes(tree))


def _check_counter(
    network: Network,
    variable: Variable,
    counting: dict[str, Weights],
    automata: LocalAutomata,
    others: Sequence[SymbolicState],
) -> None:
    problem = None
    if len(counting) > 1:
        problem = f"it counts processes of different kinds: {', '.join(counting)}"
    elif any(values[variable.slot] != 0 for values in network.initial_values):
        problem = "it does not start with 0"
    elif variable.high is not None:
        problem = f"it has an upper bound ({variable.high}), but there are unboundedly many processes"
    elif any(change_by(step.update, variable) != 0 for state in others for step in automata.steps(state)):
        problem = "processes that are not unboundedly many change it too"
    if problem is not None:
        raise input_error(Code.COUNTERS, f"'{variable.name}' is not a counter: {problem}", variable.span)


def _guards(network: Network, tree: Tree) -> Iterator[Expression]:
    for node in nodes(tree):
        if isinstance(node, Guarded):
            yield network.behaviour.condition(node.guard.position)
