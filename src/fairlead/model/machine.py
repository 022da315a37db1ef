"""Machines: finite labelled transition systems with an alphabet, the components of a composition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.labels import is_internal

#: the label of an internal transition; it is in no alphabet
TAU = "tau"

#: the target of a transition into an error; it is not a state of the machine
ERROR_STATE = -1

MachineTransitions = tuple[tuple[tuple[str, int], ...], ...]

#: the places in the text that a transition comes from
Origin = tuple[Span, ...]


@dataclass(frozen=True)
class Machine:
    """States are numbers from 0, the initial one is 0; a transition is listed with its source state.

    The alphabet is in the order in which its labels first occur. `end` is the state of successful
    termination, and `places` tells how states are shown (by their numbers, if it is empty). `origins` has the
    origin of each transition, unless it is empty; `merged` are places in the text whose transitions cannot be
    distinguished any more.
    """

    name: str
    alphabet: tuple[str, ...]
    transitions: MachineTransitions = field(repr=False)
    end: int | None = None
    places: tuple[str, ...] = field(default=(), repr=False, compare=False)
    origins: tuple[tuple[Origin, ...], ...] = field(default=(), repr=False, compare=False)
    merged: frozenset[Span] = field(default=frozenset(), repr=False, compare=False)

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

    def traced(self, state: int) -> Iterator[tuple[tuple[str, int], Origin]]:
        """The transitions of a state with their origins."""
        steps = self.transitions[state]
        return zip(steps, self.origins[state] if self.origins else [()] * len(steps), strict=True)

    def with_traced(self, rows: Iterable[Mapping[tuple[str, int], Origin]]) -> Machine:
        """The machine with other transitions for its states."""
        found = [(tuple(row), tuple(row.values())) for row in rows]
        transitions, origins = tuple(steps for steps, _ in found), tuple(origin for _, origin in found)
        return replace(self, transitions=transitions, origins=origins if self.origins else ())

    def made_of(self, *parts: Machine) -> Machine:
        """The machine, where it was made of others so that the origins of transitions are not known."""
        lost = {place for part in parts for row in part.origins for origin in row for place in origin}
        return replace(self, merged=self.merged.union(lost, *(part.merged for part in parts)))


def joined_origins(steps: Iterable[tuple[tuple[str, int], Origin]]) -> dict[tuple[str, int], Origin]:
    """Transitions without duplicates; one that comes from several places has all of them."""
    found: dict[tuple[str, int], Origin] = {}
    for step, origin in steps:
        known = found.setdefault(step, origin)
        if known is not origin:
            found[step] = tuple(dict.fromkeys((*known, *origin)))
    return found


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
    rows = [
        {(label, numbers[target]): origin for (label, target), origin in machine.traced(state)}
        for state in found
    ]
    end = None if machine.end is None else numbers.get(machine.end)
    places = tuple(machine.places[state] for state in found) if machine.places else ()
    return replace(machine, end=end, places=places).with_traced(rows)


def hidden(machine: Machine, labels: Set[str]) -> Machine:
    """The machine with labels made internal; they leave the alphabet."""
    if not labels:
        return machine
    rows = (
        joined_origins(
            ((TAU if label in labels else label, target), origin)
            for (label, target), origin in machine.traced(state)
        )
        for state in range(machine.state_count)
    )
    alphabet = tuple(label for label in machine.alphabet if label not in labels)
    return replace(machine, alphabet=alphabet).with_traced(rows)


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
