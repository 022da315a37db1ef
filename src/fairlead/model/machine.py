"""Machines: finite labelled transition systems with an alphabet, the components of a composition."""

from __future__ import annotations

from dataclasses import dataclass, field

#: the label of an internal transition; it is in no alphabet
TAU = "tau"

#: the target of a transition that goes wrong; it is no state of the machine
ERROR_STATE = -1

MachineTransitions = tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True)
class Machine:
    """States are numbers from 0, the initial one is 0; a transition is listed with its source state.

    The alphabet is in the order in which its labels first occur. `end` is the state of successful
    termination, and `places` tells how states are shown (by their numbers, if it is empty).
    """

    name: str
    alphabet: tuple[str, ...]
    transitions: MachineTransitions = field(repr=False)
    end: int | None = None
    places: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def state_count(self) -> int:
        """How many states there are, without ERROR."""
        return len(self.transitions)

    @property
    def transition_count(self) -> int:
        """How many transitions there are, with those to ERROR."""
        return sum(len(steps) for steps in self.transitions)

    def place(self, state: int) -> str:
        """How a state is shown."""
        return self.places[state] if self.places else str(state)


@dataclass(frozen=True)
class ActionPriority:
    """Actions that go before all other steps of a composition, internal ones too, or behind them.

    High (`<<`): where one of them is possible, nothing else is. Low (`>>`): one of them is possible only
    where nothing else is. It is decided for each state of the whole composition; labels are matched exactly.
    """

    labels: frozenset[str]
    is_high: bool
