"""Computes coverage by the reference semantics: every reachable state once.

The engine does not take part. It knows which transitions there are, but not which ways through the text lead
to one; the reference semantics does, and what is counted here is read off its definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.diagnostics import Diagnostic
from fairlead.base.records import dataclass
from fairlead.model.attempts import PatientSystem
from fairlead.model.coverable import Definition
from fairlead.model.evaluation import PlaceKey
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.system import State, Step
from fairlead.outcome.coverage import Coverage, CoveredDefinition, CoveredPlace
from fairlead.outcome.events import Phase, Progress, Reporter
from fairlead.outcome.limits import Clock, Limits

#: so many states of a process are explored, unless the limits say otherwise
DEFAULT_STATES = 20_000
#: the reporter hears of the work after every so many states
_REPORTED = 256


@dataclass
class CoverageCount:
    """Counts over one process after the other; the limits hold for each process, the time for all."""

    limits: Limits
    reporter: Reporter | None = None
    processes: list[str] = field(default_factory=list)
    states: int = 0
    transitions: int = 0
    stopped: LimitKind | None = None
    _places: Counter[PlaceKey] = field(default_factory=Counter)
    _events: Counter[str] = field(default_factory=Counter)
    _failures: dict[Diagnostic, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        states = DEFAULT_STATES if self.limits.max_states is None else self.limits.max_states
        self._clock = Clock(replace(self.limits, max_states=states))

    def add(self, process: str, found: Network | ExplicitGraph) -> None:
        """Explores the states of a process and counts what their transitions execute."""
        self.processes.append(process)
        system = PatientSystem(found) if isinstance(found, Network) else found
        try:
            self._explore(system)
        except Stopped as stop:
            self.stopped = stop.kind
        if isinstance(system, PatientSystem):
            self._failures |= dict.fromkeys(failure.problem for failure in system.failures)

    def _explore(self, system: PatientSystem | ExplicitGraph) -> None:
        queue: list[State] = list(dict.fromkeys(system.initial_states()))
        known = set(queue)
        for number, state in enumerate(queue):
            if number >= self._clock.limits.states:
                raise Stopped(LimitKind.STATES)
            self._clock.check()
            if self.states % _REPORTED == 0:
                self._report()
            executions = _executions(system, state)
            self.states += 1
            self.transitions += len(executions)
            for step, places in executions.items():
                self._events[step.event] += 1
                self._places.update(places)
                if step.target not in known:
                    known.add(step.target)
                    queue.append(step.target)

    def _report(self) -> None:
        if self.reporter is not None:
            seconds = self._clock.seconds
            self.reporter(Progress(Phase.COVERAGE, self.states, self.transitions, 0, seconds))

    def coverage(self, definitions: Sequence[Definition]) -> Coverage:
        """What was found, for the places of the text."""
        return Coverage(
            tuple(self.processes),
            self.states,
            self.transitions,
            tuple(self._covered(definition) for definition in definitions),
            dict(sorted(self._events.items())),
            tuple(self._failures),
            None if self.stopped is None else self.stopped.value,
        )

    def _covered(self, definition: Definition) -> CoveredDefinition:
        places = tuple(
            CoveredPlace(place.kind, place.span, self._places[place.span.key]) for place in definition.places
        )
        return CoveredDefinition(definition.name, definition.span, places, definition.uncounted)


def _executions(system: PatientSystem | ExplicitGraph, state: State) -> dict[Step, Iterable[PlaceKey]]:
    """The transitions from a state with the places that each of them executes."""
    if isinstance(system, ExplicitGraph):
        return dict.fromkeys(system.steps(state), ())
    return {**system.executions(state)}
