"""The Network: shared variables and a tree of processes whose leaves are local automata.

A configuration is the values of the shared variables and a tree; a leaf of the tree is a local state,
which is a position in the process text with the values of the parameters in scope there. Positions are
discovered on demand by a `Behaviour`, which a language's elaboration provides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fairlead.lang.source import Span
from fairlead.model.expression import Expression, Program, Type
from fairlead.model.values import ValueTable

TAU = "τ"
TERMINATE = "terminate"
IDLE = "idle"


def is_internal(event: str) -> bool:
    """Whether a label is an internal step: no proposition names it, refinement does not see it."""
    return event.startswith(TAU)


def tau_label(construct: str, process: str) -> str:
    """The label of an internal step: for event-level fairness, an event of one construct in one process."""
    return f"{TAU}[{construct}]@{process}"


@dataclass(frozen=True)
class Variable:
    """A shared variable: `size` consecutive slots from `slot` on (one, unless it is an array)."""

    name: str
    slot: int
    size: int
    type: Type
    dimensions: tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class EventTemplate:
    """`name.arg.arg`, to be evaluated in the state before the step."""

    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class TauTemplate:
    """An internal step, known by the construct that makes it."""

    construct: str


@dataclass(frozen=True)
class TerminateTemplate:
    """Successful termination."""


LabelTemplate = EventTemplate | TauTemplate | TerminateTemplate


@dataclass(frozen=True)
class Target:
    """Where an edge leads: a position and the values of its parameters, computed before the step."""

    position: int
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Edge:
    """One alternative of a local state; expressions are over shared variables and its parameters."""

    guard: Expression | None
    label: LabelTemplate
    update: Program | None
    synchronises: bool
    target: Target


@dataclass(frozen=True)
class LocalState:
    """A position with the values of its parameters."""

    position: int
    parameters: tuple[int, ...] = ()


#: the positions every network has
STOP = LocalState(0)
SKIP = LocalState(1)
TERMINATED = LocalState(2)


# ---------------------------------------------------------------- trees


@dataclass(frozen=True)
class Leaf:
    """A local automaton in a local state; `process` owns its steps."""

    state: LocalState
    process: str


@dataclass(frozen=True)
class Parallel:
    """Components side by side. With alphabets, a shared event needs every component that has it."""

    components: tuple[Tree, ...]
    alphabets: tuple[frozenset[str], ...] | None = None


@dataclass(frozen=True)
class Sequel:
    """`first`, and when it terminates, `then`, by an internal step known by `construct`."""

    first: Tree
    then: LocalState
    process: str
    construct: str


@dataclass(frozen=True)
class Choice:
    """The first step of any branch decides for it (`[]` over composite processes)."""

    branches: tuple[Tree, ...]


@dataclass(frozen=True)
class Guarded:
    """`body` can make its first step only while the condition of the guard's position holds."""

    guard: LocalState
    body: Tree


Tree = Leaf | Parallel | Sequel | Choice | Guarded


def parallel(components: tuple[Tree, ...], alphabets: tuple[frozenset[str], ...] | None) -> Parallel:
    """Components side by side; an interleaving inside an interleaving is part of it."""
    if alphabets is not None or not any(_is_interleaving(part) for part in components):
        return Parallel(components, alphabets)
    flat: list[Tree] = []
    for part in components:
        if isinstance(part, Parallel) and part.alphabets is None:
            flat += part.components
        else:
            flat.append(part)
    return Parallel(tuple(flat))


def _is_interleaving(tree: Tree) -> bool:
    return isinstance(tree, Parallel) and tree.alphabets is None


@dataclass(frozen=True)
class Configuration:
    """A state of the system."""

    values: tuple[int, ...]
    tree: Tree


# ---------------------------------------------------------------- the network


@dataclass(frozen=True)
class Place:
    """How a position is shown: its text and where that stands, and the names of its parameters."""

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)
    parameters: tuple[tuple[str, Type], ...] = ()


class Behaviour(Protocol):
    """What a language's elaboration answers about positions."""

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The edges of a position, or None if it stands for a tree (see `compose`)."""
        ...

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """The tree a composite local state stands for, when it is reached by `process`."""
        ...

    def composition_reads_values(self, position: int) -> bool:
        """Whether `compose` depends on the values of shared variables."""
        ...

    def is_guard(self, position: int) -> bool:
        """Whether a position stands for the guard of a composite process."""
        ...

    def condition(self, position: int) -> Expression:
        """The condition of a guard's position."""
        ...

    def place(self, position: int) -> Place:
        """How to show a position."""
        ...


@dataclass(frozen=True)
class Network:
    """A closed system: variables, behaviour and where it starts."""

    name: str
    variables: tuple[Variable, ...]
    initial_values: tuple[tuple[int, ...], ...]
    behaviour: Behaviour = field(compare=False, repr=False)
    root: LocalState = field(default=STOP)
    values: ValueTable = field(default_factory=ValueTable, compare=False, repr=False)
