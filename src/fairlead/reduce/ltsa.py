"""What the words `minimal` and `deterministic` of FSP make of a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.model.components import strong_components
from fairlead.model.machine import ERROR_STATE, TAU, Machine, reachable_part
from fairlead.reduce.bisimulation import Equivalence, minimised

_Row = tuple[tuple[str, int], ...]


def minimal_primitive(machine: Machine, equivalence: Equivalence = Equivalence.DIVERGENCE) -> Machine:
    """`minimal P`: weak bisimulation.

    The default keeps cycles of internal steps: a composition may later block the way out of them.
    """
    return minimised(machine, equivalence)


def minimal_composite(machine: Machine, equivalence: Equivalence = Equivalence.DIVERGENCE) -> Machine:
    """`minimal ||C`: the reduction of internal steps, then weak bisimulation."""
    return minimised(tau_reduced(machine), equivalence)


# ---------------------------------------------------------------- internal steps


def tau_reduced(machine: Machine) -> Machine:
    """Without the states whose only steps are internal: who would enter one enters what they lead to.

    `a -> (tau -> P | tau -> Q)` becomes `a -> P | a -> Q`: traces are kept, weak bisimulation is not. The
    initial state stays. So does one state for each set of states that could only go round in internal steps
    forever, with a loop: a livelock is not a deadlock.
    """
    ways = _ways_out(machine)
    rows: list[_Row] = []
    for state, steps in enumerate(machine.transitions):
        loops = state in ways and ways[state] == (state,)  # stands for a livelock
        rows.append(((TAU, state),) if loops else _redirected(steps, ways))
    return reachable_part(Machine(machine.name, machine.alphabet, tuple(rows), machine.end))


def _redirected(steps: Iterable[tuple[str, int]], ways: dict[int, tuple[int, ...]]) -> _Row:
    found = ((label, exit) for label, target in steps for exit in ways.get(target, (target,)))
    return tuple(dict.fromkeys(found))


def _ways_out(machine: Machine) -> dict[int, tuple[int, ...]]:
    """For each state that vanishes, where its internal steps end."""
    vanishing = [
        state > 0 and bool(steps) and all(label == TAU for label, _ in steps)
        for state, steps in enumerate(machine.transitions)
    ]
    inner = [
        [target for _, target in steps if target != ERROR_STATE and vanishing[target]]
        if vanishing[state]
        else []
        for state, steps in enumerate(machine.transitions)
    ]
    ways: dict[int, tuple[int, ...]] = {}
    for component in strong_components(len(inner), inner.__getitem__):  # what they lead to comes first
        if not vanishing[component[0]]:
            continue
        members = set(component)
        exits: dict[int, None] = {}
        for state in component:
            for _, target in machine.transitions[state]:
                if target not in members:
                    exits.update(dict.fromkeys(ways.get(target, (target,))))
        for state in component:
            ways[state] = tuple(exits) or (min(component),)
    return ways


# ---------------------------------------------------------------- determinism


def determinised(
    machine: Machine, *, max_states: int | None = None, tick: Callable[[], None] = lambda: None
) -> Machine:
    """The smallest deterministic machine without internal steps that has the same traces.

    A step that may go to ERROR does. A state is END if nothing can be done in it, it may be END, and cannot
    be a state of the given machine that has no steps and is not END: what may be a deadlock stays one.
    """
    subsets = _Subsets(machine)
    initial = subsets.closed([0])
    if initial is None:
        return Machine(machine.name, machine.alphabet, (((TAU, ERROR_STATE),),))
    numbers = {initial: 0}
    found = [initial]
    rows: list[_Row] = []
    ends: list[int] = []
    for subset in found:
        row: list[tuple[str, int]] = []
        for label, members in subsets.steps(subset).items():
            target = ERROR_STATE
            if members is not None:
                target = numbers.setdefault(members, len(found))
                if target == len(found):
                    found.append(members)
            row.append((label, target))
        if not row and subsets.has_ended(subset):
            ends.append(len(rows))
        rows.append(tuple(row))
        if max_states is not None and len(found) > max_states:
            problem = f"the deterministic machine of '{machine.name}' has more than {max_states} states"
            raise LimitReached((Diagnostic(Code.LIMIT, problem),))
        tick()
    return minimised(_with_one_end(machine, rows, ends), Equivalence.STRONG)


def _with_one_end(machine: Machine, rows: list[_Row], ends: list[int]) -> Machine:
    """The machine in which all states of termination are the first one."""
    if not ends:
        return Machine(machine.name, machine.alphabet, tuple(rows))
    same = dict.fromkeys(ends, ends[0])
    merged = tuple(tuple((label, same.get(target, target)) for label, target in row) for row in rows)
    return reachable_part(Machine(machine.name, machine.alphabet, merged, ends[0]))


class _Subsets:
    """Sets of states that a machine may be in after a trace; None stands for ERROR."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._order = {label: number for number, label in enumerate(machine.alphabet)}

    def closed(self, states: Iterable[int]) -> frozenset[int] | None:
        """The states reached by internal steps; ERROR, if one of them is."""
        found = list(dict.fromkeys(states))
        known = set(found)
        for state in found:
            if state == ERROR_STATE:
                return None
            for label, target in self._machine.transitions[state]:
                if label == TAU and target not in known:
                    known.add(target)
                    found.append(target)
        return frozenset(known)

    def steps(self, subset: frozenset[int]) -> dict[str, frozenset[int] | None]:
        """Where each label leads, in the order of the alphabet."""
        targets: dict[str, dict[int, None]] = {}
        for state in sorted(subset):
            for label, target in self._machine.transitions[state]:
                if label != TAU:
                    targets.setdefault(label, {})[target] = None
        return {label: self.closed(targets[label]) for label in sorted(targets, key=self._order.__getitem__)}

    def has_ended(self, subset: frozenset[int]) -> bool:
        """Whether a set of states without visible steps is END."""
        stopped = [state for state in subset if not self._machine.transitions[state]]
        return bool(stopped) and all(state == self._machine.end for state in stopped)
