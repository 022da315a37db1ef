"""A system, as everything that replays, simulates or explains sees it: states, steps, propositions.

Networks and explicit graphs are systems. The engine never is: evidence is judged on a system.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol

from fairlead.base.display import in_one_line
from fairlead.base.records import dataclass
from fairlead.model.annotation import Annotated, Annotation
from fairlead.model.labels import IDLE

State = Hashable


@dataclass(frozen=True)
class Step:
    """One transition: its event, the processes that take part, and the state after it."""

    event: str
    processes: frozenset[str]
    target: State

    def __repr__(self) -> str:
        who = f" by {', '.join(sorted(self.processes))}" if self.processes else ""
        return in_one_line(f"<Step {self.event}{who} to {self.target!r}>")


@dataclass(frozen=True)
class Proposition:
    """A named yes/no question about a state; `meaning` is what the system evaluates."""

    text: str
    meaning: Any


class System(Protocol):
    """A labelled transition system with named processes."""

    def initial_states(self) -> Sequence[State]:
        """The states executions start in."""
        ...

    def steps(self, state: State) -> Sequence[Step]:
        """The transitions from a state, without duplicates; none if it is a deadlock or has terminated."""
        ...

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether a proposition is true in a state."""
        ...

    def has_terminated(self, state: State) -> bool:
        """Whether the state has no steps because the system has terminated (then it is not a deadlock)."""
        ...

    def failed_process(self, state: State) -> str | None:
        """Whose error the state is, if it is one; such a state has no steps, and is not a deadlock either."""
        ...

    def describe(self, state: State) -> dict[str, Any]:
        """The state for people and programs: variables by name, positions by process."""
        ...

    @property
    def annotation_kinds(self) -> frozenset[Annotation]:
        """The kinds of annotations that the system may have: all of those that it has."""
        ...

    def ready(self, state: State) -> frozenset[Annotated]:
        """The annotated steps that some process could take by itself, were its partners able to join it."""
        ...


def idle_step(state: State) -> Step:
    """The step a state without transitions repeats forever: no process takes part in it."""
    return Step(IDLE, frozenset(), state)


def infinite_steps(system: System, state: State) -> Sequence[Step]:
    """The steps of the infinite executions through a state: its transitions, or idling."""
    return system.steps(state) or (idle_step(state),)


def is_stuck(system: System, state: State) -> bool:
    """Whether a state is a deadlock: it has no steps, has not terminated and is not an error."""
    return (
        not system.steps(state) and not system.has_terminated(state) and system.failed_process(state) is None
    )
