"""A component as a claim: the transitions that an execution takes infinitely often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairlead.base.records import dataclass
from fairlead.model.system import State

Described = Callable[[State], dict[str, Any]]


@dataclass(frozen=True)
class Component:
    """Transitions of a system: all that are reachable from a state, except those that are left out.

    States are counted from 0 as they are found, breadth first, from the state where the loop of a run
    begins; the steps of a state in the order of their events and of their participants, those that still
    look the same in the order of the descriptions of the states after them. `left_out` has the states from
    which some steps are left out, with the places of these. The size is None where a limit was reached before
    it was known; nothing is left out then.
    """

    states: int | None
    transitions: int | None
    left_out: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether no step leads out of it."""
        return not self.left_out

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "states": self.states,
            "transitions": self.transitions,
            "left_out": [[state, list(places)] for state, places in self.left_out],
        }


def component_of(stored: object) -> Component | None:
    """A component that was stored as JSON; None if it is not one."""
    if not isinstance(stored, dict):
        return None
    entries = stored.get("left_out")
    size = (stored.get("states"), stored.get("transitions"))
    if size != (None, None) and not all(map(_is_count, size)):
        return None
    if not isinstance(entries, list) or (entries and size == (None, None)):
        return None
    left_out: list[tuple[int, tuple[int, ...]]] = []
    for entry in entries:
        match entry:
            case [state, [*places]] if _is_count(state) and all(map(_is_count, places)):
                left_out.append((state, tuple(places)))
            case _:
                return None
    return Component(*size, tuple(left_out))


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def in_order(
    steps: Sequence[tuple[str, frozenset[str], int]], state: Callable[[int], State], described: Described
) -> list[tuple[str, frozenset[str], int]]:
    """The steps of a state in the order in which a component counts them."""
    if len(steps) < 2:
        return list(steps)
    names = [(event, sorted(processes)) for event, processes, _ in steps]
    if len({(event, *processes) for event, processes in names}) == len(names):
        return [step for _, step in sorted(zip(names, steps, strict=True), key=lambda entry: entry[0])]
    shown = [repr(described(state(target))) for _, _, target in steps]
    order = sorted(range(len(steps)), key=lambda place: (*names[place], shown[place]))
    return [steps[place] for place in order]
