"""Machines: finite labelled transition systems with an alphabet, the components of a composition."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import field, replace

from fairlead.base.records import dataclass
from fairlead.model.labels import is_internal

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


def visible(machine: Machine) -> list[str]:
    """The labels of a machine that others can see."""
    return [label for label in machine.alphabet if not is_internal(label)]


def reachable_part(machine: Machine) -> Machine:
    """The machine without the states that cannot be reached, numbered breadth first."""
    numbers = {0: 0, ERROR_STATE: ERROR_STATE}
    found = [0]
    for state in found:
        for _, target in machine.transitions[state]:
            if target not in numbers:
                numbers[target] = len(found)
                found.append(target)
    rows: MachineTransitions = tuple(
        tuple((label, numbers[target]) for label, target in machine.transitions[state]) for state in found
    )
    end = None if machine.end is None else numbers.get(machine.end)
    places = tuple(machine.places[state] for state in found) if machine.places else ()
    return Machine(machine.name, machine.alphabet, rows, end, places)


def hidden(machine: Machine, labels: Set[str]) -> Machine:
    """The machine with labels made internal; they leave the alphabet."""
    if not labels:
        return machine
    rows = tuple(
        tuple(dict.fromkeys((TAU if label in labels else label, target) for label, target in steps))
        for steps in machine.transitions
    )
    alphabet = tuple(label for label in machine.alphabet if label not in labels)
    return replace(machine, alphabet=alphabet, transitions=rows)


@dataclass(frozen=True)
class ActionPriority:
    """Actions that go before all other steps of a composition, internal ones too, or behind them.

    High (`<<`): where one of them is possible, nothing else is. Low (`>>`): one of them is possible only
    where nothing else is. It is decided for each state of the whole composition; labels are matched exactly.
    """

    labels: frozenset[str]
    is_high: bool


def ending_machines(machines: Sequence[Machine]) -> frozenset[int] | None:
    """The machines that must have ended for a composition to have terminated; None if it never does.

    It does if the other machines have only actions of those that end: they can do nothing more. A machine
    that has ended from the start is one of the others in this respect.
    """
    ending = frozenset(number for number, machine in enumerate(machines) if machine.end is not None)
    lasting = {label for machine in machines if not machine.end for label in machine.alphabet}
    stopping = {label for machine in machines if machine.end for label in machine.alphabet}
    return ending if ending and lasting <= stopping else None
