"""States by their canonical encodings, with their steps on the reference semantics."""

from __future__ import annotations

from fairlead.base.records import dataclass
from fairlead.certify.container import Rejected
from fairlead.certify.meanings import as_system
from fairlead.model.assertion import Enabled, Meaning
from fairlead.model.canonical.encoding import NetworkEncoding
from fairlead.model.canonical.numbers import Reader, unsigned
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.meaning import is_step_of, meaning_holds
from fairlead.model.network import Network
from fairlead.model.system import State, Step, idle_step

#: of how many states the steps are remembered
_REMEMBERED = 20_000


@dataclass(frozen=True)
class Encoded:
    """A step, with the encoding of the state after it."""

    step: Step
    target: bytes


class States:
    """The states of one system; bytes that encode none raise whatever they raise."""

    def __init__(self, found: Network | ExplicitGraph) -> None:
        self.system = as_system(found)
        self._encoding = NetworkEncoding(found) if isinstance(found, Network) else None
        self._count = found.state_count if isinstance(found, ExplicitGraph) else 0
        self._steps: dict[bytes, tuple[Encoded, ...]] = {}

    def encode(self, state: State) -> bytes:
        """The encoding of a state."""
        if self._encoding is None:
            assert isinstance(state, int)
            return unsigned(state)
        return self._encoding.encode(state)  # type: ignore[arg-type]

    def decode(self, data: bytes) -> State:
        """The state with an encoding."""
        if self._encoding is not None:
            return self._encoding.decode(data)
        reader = Reader(data)
        number = reader.unsigned()
        if unsigned(number) != data or number >= self._count:
            raise Rejected("there is no state with such a number")
        return number

    def initial(self) -> list[tuple[bytes, State]]:
        """The states that executions start in."""
        return [(self.encode(state), state) for state in self.system.initial_states()]

    def steps(self, data: bytes, state: State) -> tuple[Encoded, ...]:
        """The transitions from a state in a fixed order: by event, processes and target."""
        known = self._steps.get(data)
        if known is None:
            if len(self._steps) >= _REMEMBERED:
                self._steps.clear()
            known = self._steps[data] = self._found(state)
        return known

    def _found(self, state: State) -> tuple[Encoded, ...]:
        steps = [Encoded(step, self.encode(step.target)) for step in self.system.steps(state)]
        return tuple(sorted(steps, key=_order))

    def infinite_steps(self, data: bytes, state: State) -> tuple[Encoded, ...]:
        """The steps of the infinite executions through a state: its transitions, or idling."""
        return self.steps(data, state) or (Encoded(idle_step(state), data),)

    def is_true(self, meaning: Meaning, data: bytes, state: State, step: Step | None) -> bool:
        """Whether an atom is true in a state that was entered by a step (by none, at the start)."""
        if isinstance(meaning, Enabled):
            return any(is_step_of(meaning.subject, one.step) for one in self.steps(data, state))
        return meaning_holds(self.system, meaning, state, step)


def _order(one: Encoded) -> tuple[str, list[str], bytes]:
    return one.step.event, sorted(one.step.processes), one.target
