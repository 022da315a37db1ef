"""The smallest machine that is bisimilar to a given one."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error
from fairlead.engine import _native
from fairlead.model.machine import ERROR_STATE, TAU, Machine
from fairlead.outcome.limits import default_memory_limit


class Equivalence(Enum):
    """The equivalence: which states are merged.

    STRONG: internal steps are steps like any other.

    WEAK: internal steps are not observed (observation equivalence). A livelock, which is internal steps
    forever and no way to leave them, is distinguished from a deadlock and keeps a loop; internal cycles that
    can be left lose theirs. LTSA turns a livelock into a deadlock.

    DIVERGENCE: as WEAK, but all internal cycles are seen, and kept as loops. This one is a congruence: in any
    composition (without priorities) the smaller machine does for the larger. WEAK is not, since a composition
    may block the way out of a cycle.

    In all three ERROR and END are distinguished from all else.
    """

    STRONG = "strong"
    WEAK = "weak"
    DIVERGENCE = "divergence"

    @property
    def native(self) -> _native.Equivalence:
        """The engine's name of it."""
        return _native.Equivalence[self.name]


def parse_equivalence(text: str) -> Equivalence:
    """`strong`, `weak` or `divergence`."""
    try:
        return Equivalence(text)
    except ValueError:
        names = ", ".join(kind.value for kind in Equivalence)
        raise input_error(Code.USAGE, f"unknown equivalence '{text}'; known are {names}") from None


def minimised(
    machine: Machine,
    equivalence: Equivalence = Equivalence.WEAK,
    *,
    max_memory: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Machine:
    """The smallest machine equivalent to a machine; states are numbered breadth first.

    The alphabet stays. What cannot be reached is dropped. Under the weak equivalences a state that can only
    go to END by internal steps is END. `tick` is called now and then, and may raise.
    """
    labels = (TAU, *dict.fromkeys(machine.alphabet))
    context = _native.Context(default_memory_limit() if max_memory is None else max_memory)
    context.set_ticker(tick)
    try:
        bisimulation = _bisimulation(machine, labels, equivalence, context)
    except _native.EngineLimit:
        problem = f"the memory limit was reached while '{machine.name}' was minimised"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None
    wrong = bisimulation.wrong
    # ERROR has no steps, so nothing but the numbers of the states behind it changes
    numbers = [number - (wrong is not None and number > wrong) for number in range(bisimulation.state_count)]
    if wrong is not None:
        numbers[wrong] = ERROR_STATE
    rows = tuple(
        tuple((labels[label], numbers[target]) for label, target in bisimulation.edges(state))
        for state in range(bisimulation.state_count)
        if state != wrong
    )
    ended = bisimulation.ended
    return Machine(machine.name, machine.alphabet, rows, numbers[ended[0]] if ended else None)


def _bisimulation(
    machine: Machine, labels: tuple[str, ...], equivalence: Equivalence, context: _native.Context
) -> _native.Bisimulation:
    error = machine.state_count
    graph = _native.ExplicitGraph(context, machine.state_count + 1)
    graph.add_initial(0)
    actions = {label: graph.add_action(label, ()) for label in labels}
    for state, steps in enumerate(machine.transitions):
        targets = [error if target == ERROR_STATE else target for _, target in steps]
        graph.add_state_edges(state, targets, [actions[label] for label, _ in steps])
    numbers = [0] * graph.action_count
    for number, label in enumerate(labels):
        numbers[actions[label]] = number
    ended = [] if machine.end is None else [machine.end]
    bisimulation = _native.Bisimulation(graph, numbers, len(labels), ended, [error], equivalence.native)
    bisimulation.run()
    return bisimulation
