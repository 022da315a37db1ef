"""Represents explicit graphs: systems given as a list of transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from fairlead.base.diagnostics import counted
from fairlead.base.display import presenter
from fairlead.base.records import dataclass
from fairlead.model.annotation import Annotated, Annotation
from fairlead.model.system import Proposition, State, Step


@dataclass(frozen=True)
class ExplicitGraph:
    """States are numbers from 0; a transition is listed with its source state.

    `annotations` lists for each annotated event the states in which a step so annotated is ready. `errors`
    are states, without transitions, in which a process has gone wrong, with its name. `values` has, for
    states of which it is known, what the variables are and where each process is, as `describe` of the
    system that the graph is of; it is for people, and nothing is judged by it. So are
    `directions`: who sends and who receives, for transitions that are handshakes.
    """

    state_count: int
    initial: int
    transitions: Mapping[int, Sequence[Step]] = field(repr=False)
    propositions: Mapping[str, frozenset[int]] = field(default_factory=dict, repr=False)
    terminated: frozenset[int] = frozenset()
    annotations: Mapping[Annotated, frozenset[int]] = field(default_factory=dict, repr=False)
    errors: Mapping[int, str] = field(default_factory=dict, repr=False)
    values: Mapping[int, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    directions: Mapping[tuple[int, Step], tuple[str, str]] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        count = sum(len(steps) for steps in self.transitions.values())
        return f"<ExplicitGraph: {counted(self.state_count, 'state')}, {counted(count, 'transition')}>"

    def initial_states(self) -> Sequence[State]:
        """The one initial state."""
        return (self.initial,)

    def steps(self, state: State) -> Sequence[Step]:
        """The transitions from a state."""
        assert isinstance(state, int)
        return self.transitions.get(state, ())

    def holds(self, proposition: Proposition, state: State) -> bool:
        """Whether a state is listed under a proposition."""
        return state in self.propositions[proposition.meaning]

    def has_terminated(self, state: State) -> bool:
        """Whether a state is listed as terminated."""
        return state in self.terminated

    def failed_process(self, state: State) -> str | None:
        """The process under which a state is listed as an error."""
        assert isinstance(state, int)
        return self.errors.get(state)

    def describe(self, state: State) -> dict[str, Any]:
        """The number of a state and the propositions that hold in it."""
        names = sorted(name for name, states in self.propositions.items() if state in states)
        return {"state": state, "propositions": names}

    @property
    def annotation_kinds(self) -> frozenset[Annotation]:
        """The kinds of the listed annotations."""
        return frozenset(annotated.annotation for annotated in self.annotations)

    def ready(self, state: State) -> frozenset[Annotated]:
        """The annotations a state is listed under."""
        return frozenset(annotated for annotated, states in self.annotations.items() if state in states)

    def _repr_html_(self) -> str:
        return presenter().notebook(self)
