"""The steps a state allows, computed so that an alternative that fails does not hide the others.

For a check, a run-time error of the model anywhere is the end: no verdict would mean anything. Someone who
steps through the model wants to see it where it happens, and to go on with the other events.
"""

from __future__ import annotations

from fairlead.base.diagnostics import Diagnostic, FairleadError, InputError, LimitReached
from fairlead.base.records import dataclass
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, System


@dataclass(frozen=True)
class Failure:
    """An alternative that fails at run time; its event is None if its guard or its name has no value."""

    event: str | None
    processes: tuple[str, ...]
    problem: Diagnostic


@dataclass(frozen=True)
class Attempts:
    """What is possible in a state, and what would be but fails."""

    steps: tuple[Step, ...]
    failures: tuple[Failure, ...] = ()


class _PatientSystem(NetworkSystem):
    """The reference semantics, collecting failures instead of ending with the first."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.failures: dict[Failure, None] = {}

    def _failed(self, problem: FairleadError, event: str | None, processes: frozenset[str]) -> None:
        for diagnostic in problem.diagnostics:
            self.failures[Failure(event, tuple(sorted(processes)), diagnostic)] = None


def attempts(system: System, state: State) -> Attempts:
    """The steps from a state, and the alternatives that fail in it."""
    if isinstance(system, NetworkSystem):
        patient = _PatientSystem(system.network)
        steps = tuple(patient.steps(state))
        return Attempts(steps, tuple(patient.failures))
    try:
        return Attempts(tuple(system.steps(state)))
    except (InputError, LimitReached) as error:
        return Attempts((), tuple(Failure(None, (), problem) for problem in error.diagnostics))
