"""The steps a state allows, computed so that an alternative that fails does not hide the others.

For a check, a run-time error of the model anywhere is the end: no verdict would mean anything. A user who
steps through the model wants to see it where it happens, and to continue with the other events.
"""

from __future__ import annotations

from fairlead.base.diagnostics import Diagnostic, FairleadError, InputError, LimitReached
from fairlead.base.records import dataclass
from fairlead.model.moves import Move
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, System
from fairlead.model.tree import Configuration, leaves


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


class PatientSystem(NetworkSystem):
    """The reference semantics, collecting failures instead of ending with the first."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.failures: dict[Failure, None] = {}

    def _failed(self, problem: FairleadError, event: str | None, processes: frozenset[str]) -> None:
        for diagnostic in problem.diagnostics:
            self.failures[Failure(event, tuple(sorted(processes)), diagnostic)] = None


def direction(system: System, state: State, step: Step) -> tuple[str, str] | None:
    """Who sends and who receives, if a step from a state is a handshake on a channel."""
    if not isinstance(system, NetworkSystem) or not _may_be_handshake(system, state, step):
        return None
    move = PatientSystem(system.network).moves(state).get(step)
    return None if move is None else _direction(move)


def directions(system: System, state: State) -> dict[Step, tuple[str, str]]:
    """The same for all handshakes that are possible in a state."""
    if not isinstance(system, NetworkSystem) or not isinstance(state, Configuration):
        return {}
    edges = system.network.behaviour.edges
    places = [edges(leaf.state.position) or () for leaf in leaves(state.tree)]
    if not any(edge.handshake is not None for place in places for edge in place):
        return {}
    moves = PatientSystem(system.network).moves(state)
    found = {step: _direction(move) for step, move in moves.items()}
    return {step: way for step, way in found.items() if way is not None}


def _direction(move: Move) -> tuple[str, str] | None:
    if move.roles is None:
        return None
    sender, receiver = (", ".join(sorted(role)) for role in move.roles)
    return sender, receiver


def _may_be_handshake(system: NetworkSystem, state: State, step: Step) -> bool:
    """Whether a participant is where it could send or receive, which distinguishes most steps."""
    assert isinstance(state, Configuration)
    edges = system.network.behaviour.edges
    return len(step.processes) > 1 and any(
        edge.handshake is not None
        for leaf in leaves(state.tree)
        if leaf.process in step.processes
        for edge in edges(leaf.state.position) or ()
    )


def attempts(system: System, state: State) -> Attempts:
    """The steps from a state, and the alternatives that fail in it."""
    if isinstance(system, NetworkSystem):
        patient = PatientSystem(system.network)
        steps = tuple(patient.steps(state))
        return Attempts(steps, tuple(patient.failures))
    try:
        return Attempts(tuple(system.steps(state)))
    except (InputError, LimitReached) as error:
        return Attempts((), tuple(Failure(None, (), problem) for problem in error.diagnostics))
