"""Represents a composition of machines, with the tools to make one machine of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol

from fairlead.base.records import dataclass
from fairlead.model.machine import ActionPriority, Machine, visible


@dataclass(frozen=True)
class Modifiers:
    """The words before a definition."""

    deterministic: bool = False
    minimal: bool = False
    compose: bool = False
    property: bool = False


#: no modifiers
PLAIN = Modifiers()


@dataclass(frozen=True)
class Composition:
    """Machines side by side; then priority, then hiding, then what the modifiers ask for.

    What is checked is the composition before hiding, with the names of all actions; the rest applies where
    the composition becomes a part of another one, is drawn or written.
    """

    name: str
    machines: tuple[Machine, ...]
    priority: ActionPriority | None = None
    hidden: frozenset[str] = frozenset()
    modifiers: Modifiers = PLAIN

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """The actions of all machines, in the order in which they first occur."""
        return tuple(dict.fromkeys(label for machine in self.machines for label in visible(machine)))

    @property
    def is_plain(self) -> bool:
        """Whether it is nothing but its machines side by side."""
        return self.priority is None and not self.hidden and self.modifiers == PLAIN

    @property
    def only_hides(self) -> bool:
        """Whether nothing but hiding applies to its machines."""
        return self.priority is None and self.modifiers == PLAIN


class NotDeterministic(Exception):
    """A property can do the same action in two ways, or an internal one; the label tells which."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


@dataclass(frozen=True)
class FluentRule:
    """A fluent: true from an initiating action on until a terminating one."""

    name: str
    initiating: frozenset[str]
    terminating: frozenset[str]
    initially: bool


@dataclass(frozen=True)
class ConstraintFormula:
    """A formula over actions: its text, with what each of its atoms stands for, and the alphabet."""

    text: str
    actions: dict[str, frozenset[str]]
    fluents: dict[str, FluentRule]
    alphabet: tuple[str, ...]


class NotSafety(Exception):
    """A constraint that no finite run can violate."""


class MachineTools(Protocol):
    """Builds machines of machines; `fairlead.reduce` does."""

    def composed(self, name: str, machines: Sequence[Machine], priority: ActionPriority | None) -> Machine:
        """The machine of a composition."""
        ...

    def minimised(self, machine: Machine, is_composite: bool) -> Machine:
        """What `minimal` makes of a machine."""
        ...

    def determinised(self, machine: Machine) -> Machine:
        """What `deterministic` makes of a machine."""
        ...

    def completed(self, machine: Machine) -> Machine:
        """What `property` makes of a machine; raises `NotDeterministic`."""
        ...

    def reduced(
        self,
        name: str,
        machines: Sequence[Machine],
        visible: frozenset[str],
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Machine:
        """A composition made small part by part; all but the visible labels are internal in it.

        Raises `LimitReached` if a part has more than `most` states.
        """
        ...

    def constraint(self, name: str, formula: ConstraintFormula) -> Machine:
        """The machine that can do just what satisfies a formula; raises `NotSafety`."""
        ...
