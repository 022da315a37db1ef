"""Wraps a system so that it remembers its answers, for judgements that visit the same states repeatedly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairlead.model.annotation import Annotated, Annotation
from fairlead.model.system import Proposition, State, Step, System


class RememberingSystem:
    """Gives the answers of another system."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._steps: dict[State, Sequence[Step]] = {}
        self._ready: dict[State, frozenset[Annotated]] = {}

    def steps(self, state: State) -> Sequence[Step]:
        """The transitions from a state."""
        if state not in self._steps:
            self._steps[state] = self._system.steps(state)
        return self._steps[state]

    def ready(self, state: State) -> frozenset[Annotated]:
        """The annotated steps that some process could take by itself."""
        if state not in self._ready:
            self._ready[state] = self._system.ready(state)
        return self._ready[state]

    def initial_states(self) -> Sequence[State]:
        """The states executions start in."""
        return self._system.initial_states()

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether a proposition is true in a state."""
        return self._system.holds(proposition, state)

    def has_terminated(self, state: State) -> bool:
        """Whether the state has no steps since everything has ended as it should."""
        return self._system.has_terminated(state)

    def failed_process(self, state: State) -> str | None:
        """Whose error the state is, if it is one."""
        return self._system.failed_process(state)

    def describe(self, state: State) -> dict[str, Any]:
        """The state for people and programs."""
        return self._system.describe(state)

    @property
    def annotation_kinds(self) -> frozenset[Annotation]:
        """The kinds of annotations that the system may have."""
        return self._system.annotation_kinds
