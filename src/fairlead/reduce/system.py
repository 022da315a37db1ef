"""The reachable system of a model, minimised in the engine."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import TAU, is_internal
from fairlead.model.system import Step
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock
from fairlead.reduce.bisimulation import Equivalence
from fairlead.search.target import Target

#: what may stand between the name of an event and its arguments
_SEPARATORS = ".!?["


@dataclass(frozen=True)
class Minimised:
    """The smallest graph equivalent to a system, and the size of the system."""

    graph: ExplicitGraph
    states: int
    transitions: int


def minimised_system(target: Target, equivalence: Equivalence, hide: Iterable[str] = ()) -> Minimised:
    """Explores a system completely and minimises it; processes and propositions are lost.

    Each name in `hide` stands for the event of that name and for those with arguments.
    """
    clock = Clock(target.limits)
    graph: _native.Graph | None = None
    try:
        graph = target.graph()
        target.explore_all(clock)
        labels, numbers = _observed(graph, tuple(hide))
        ended, failed = ends_of(target, graph)
        with target.working(Phase.MINIMISING, clock, graph):
            small = _native.Bisimulation(graph, numbers, len(labels), ended, list(failed), equivalence.native)
            small.run()
            transitions = {}
            for state in range(small.state_count):
                clock.check()
                edges = small.edges(state)
                transitions[state] = tuple(Step(labels[label], frozenset(), to) for label, to in edges)
    except Stopped as stop:
        states = 0 if graph is None else graph.state_count
        problem = f"the system was not minimised ({stop.kind.value} reached after {states} states)"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None
    errors = {} if small.wrong is None else {small.wrong: next(iter(failed.values()))}
    found = ExplicitGraph(small.state_count, 0, transitions, terminated=frozenset(small.ended), errors=errors)
    return Minimised(found, *target.counts(graph))


def _observed(graph: _native.Graph, hide: tuple[str, ...]) -> tuple[list[str], list[int]]:
    """The labels that can be distinguished, the internal one first, and the number of that of each action."""
    texts = [graph.label_text(graph.label_of(action)) for action in range(graph.action_count)]
    labels: dict[str, int] = {TAU: 0}
    numbers = []
    unused = dict.fromkeys(hide)
    for text in texts:
        hiding = [name for name in hide if _stands_for(name, text)]
        for name in hiding:
            unused.pop(name, None)
        internal = bool(hiding) or is_internal(text)
        numbers.append(0 if internal else labels.setdefault(text, len(labels)))
    for name in unused:
        raise input_error(Code.USAGE, f"no event '{name}' to hide", hint=nearest(name, labels))
    return list(labels), numbers


def _stands_for(name: str, text: str) -> bool:
    return text == name or (text.startswith(name) and text[len(name)] in _SEPARATORS)


def ends_of(target: Target, graph: _native.Graph) -> tuple[list[int], dict[int, str]]:
    """The states that have ended well, and those in which a process has failed.

    They are distinguished from each other and from deadlocks.
    """
    terminated: list[int] = []
    failed: dict[int, str] = {}
    for number in _native.states_without_transitions(graph):
        state = target.state(graph, number)
        process = target.system.failed_process(state)
        if process is not None:
            failed[number] = process
        elif target.system.has_terminated(state):
            terminated.append(number)
    return terminated, failed
