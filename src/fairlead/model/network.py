"""Represents the Network: shared variables and a tree of processes whose leaves are local automata.

A configuration is the values of the shared variables and a tree; a leaf of the tree is a local state,
which is a position in the process text with the values of the parameters in scope there. Positions are
discovered on demand by a `Behaviour`, which a language's elaboration provides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.annotation import Annotation
from fairlead.model.counting import Counting
from fairlead.model.evaluation import Scope
from fairlead.model.expression import TRUE, Expression, Parameter, subexpressions
from fairlead.model.interchange import Interchange
from fairlead.model.labels import LabelTemplate, argument_text
from fairlead.model.program import Program, Queue
from fairlead.model.spelling import value_text
from fairlead.model.tree import STOP, LocalState, Tree
from fairlead.model.types import Type
from fairlead.model.values import ValueTable


@dataclass(frozen=True)
class Variable:
    """A shared variable: `size` consecutive slots from `slot` on (one, unless it is an array).

    One that `is_counter` counts processes: where there are unboundedly many it is known as these are.
    One that `is_internal` is not shown.
    """

    name: str
    slot: int
    size: int
    type: Type
    dimensions: tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)
    is_counter: bool = False
    is_internal: bool = False


@dataclass(frozen=True)
class Buffer:
    """The buffers of a channel, with the types of the fields for each form of message.

    Where there are several forms, each message begins with the number of its form.
    """

    queue: Queue
    is_array: bool
    messages: tuple[tuple[Type, ...], ...]

    def waiting(self, number: int, values: Sequence[int]) -> list[list[tuple[int, Type]]]:
        """The messages in one buffer, the first in front."""
        base = self.queue.base + number * self.queue.stride
        found = []
        for message in range(values[base]):
            start = base + 1 + message * self.queue.width
            kept = list(values[start : start + self.queue.width])
            types = self.messages[0] if self.messages else (Type.INT,)
            if len(self.messages) > 1:
                types, kept = self.messages[kept[0]], kept[1:]
            found.append(list(zip(kept, types, strict=False)))
        return found


@dataclass(frozen=True)
class Target:
    """Where an edge leads: a position and the values of its parameters, computed before the step."""

    position: int
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Rendezvous:
    """A channel without a buffer: of an array of `count` channels, the one with the index.

    Only messages of one `form`, the types of their fields, meet here.
    """

    channel: str
    count: int
    index: Expression
    form: int = 0


@dataclass(frozen=True)
class Send:
    """An edge that can only be taken together with one that receives its message."""

    rendezvous: Rendezvous
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class Receive:
    """An edge that can only be taken together with one that sends it a message of `fields` values.

    Where the edge leads, and whether it `accepts` the message, may depend on what is received.
    """

    rendezvous: Rendezvous
    fields: int
    accepts: Expression | None


@dataclass(frozen=True)
class Edge:
    """One alternative of a local state; expressions are over shared variables and its parameters.

    `places` are the parts of the text that it executes: its event, and the branches that lead there.
    """

    guard: Expression | None
    label: LabelTemplate
    update: Program | None
    synchronises: bool
    target: Target
    handshake: Send | Receive | None = None
    annotation: Annotation | None = None
    places: tuple[Span, ...] = field(default=(), compare=False, repr=False)


#: a part of the text of a position: as it stands there, or a value that parameters determine
Piece = str | Expression

#: longer texts of positions are cut short
SHOWN_TEXT = 60


@dataclass(frozen=True)
class Place:
    """How a position is shown: its text and where that stands, and the names of its parameters.

    `pieces` are the whole text, with values in their places; `text` may be cut short.
    """

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)
    parameters: tuple[tuple[str, Type], ...] = ()
    pieces: tuple[Piece, ...] = ()

    def shown(self, values: Sequence[int]) -> str:
        """The text with the values of the parameters in their places; those that have none follow it."""
        scope = Scope([], values)
        text, seen = "", set()
        for piece in self.pieces or (self.text,):
            if isinstance(piece, str):
                text += piece
                continue
            text += value_text(piece, scope)
            if len(text) < SHOWN_TEXT:
                seen |= {part.slot for part in subexpressions(piece) if isinstance(part, Parameter)}
        left = [
            f"{name}={argument_text(values[number], kind)}"
            for number, (name, kind) in enumerate(self.parameters)
            if number not in seen
        ]
        text = text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 1] + "…"
        return f"{text} [{', '.join(left)}]" if left else text


class Behaviour(Protocol):
    """What a language's elaboration answers about positions."""

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The edges of a position, or None if it stands for a tree (see `compose`)."""
        ...

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """The tree a composite local state stands for, when it is reached by `process`."""
        ...

    def composition_reads(self, position: int) -> frozenset[int]:
        """The shared slots at which `compose` has searched for a position so far."""
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

    def identity(self, position: int) -> bytes:
        """What a position that is not reserved is called whenever it was discovered; it depends on the text
        of the model alone, and begins with a byte from `FIRST_POSITION` on."""
        ...

    def position(self, identity: bytes) -> int:
        """The position with an identity, discovered if it was not yet; raises `NotCanonical` if there is
        none."""
        ...

    @property
    def position_count(self) -> int:
        """How many positions have numbers so far."""
        ...


class WrappedBehaviour:
    """A behaviour that answers as another one does; what is different a subclass tells."""

    def __init__(self, inner: Behaviour) -> None:
        self._inner = inner

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """As the inner one."""
        return self._inner.edges(position)

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """As the inner one."""
        return self._inner.compose(state, process, values)

    def composition_reads(self, position: int) -> frozenset[int]:
        """As the inner one."""
        return self._inner.composition_reads(position)

    def is_guard(self, position: int) -> bool:
        """As the inner one."""
        return self._inner.is_guard(position)

    def condition(self, position: int) -> Expression:
        """As the inner one."""
        return self._inner.condition(position)

    def place(self, position: int) -> Place:
        """As the inner one."""
        return self._inner.place(position)

    def identity(self, position: int) -> bytes:
        """As the inner one."""
        return self._inner.identity(position)

    def position(self, identity: bytes) -> int:
        """As the inner one."""
        return self._inner.position(identity)

    @property
    def position_count(self) -> int:
        """As the inner one."""
        return self._inner.position_count


@dataclass(frozen=True)
class Network:
    """A closed system: variables, behaviour and where it starts.

    `annotations` are the kinds of fairness annotations that its text may have: all of those that it has.
    `counting` is what has to be known of counted processes, if there are any; with unboundedly many of them
    it starts in one of several roots. `interchange` tells which processes need not be distinguished in the
    exploration; its steps do not depend on that.

    If there are `resting` positions, at which a process may stay forever, a state without steps has
    terminated iff all its leaves are at resting positions and the condition `ends` holds.
    """

    name: str
    variables: tuple[Variable, ...]
    initial_values: tuple[tuple[int, ...], ...]
    behaviour: Behaviour = field(compare=False, repr=False)
    root: LocalState = field(default=STOP)
    buffers: tuple[Buffer, ...] = ()
    annotations: frozenset[Annotation] = frozenset()
    values: ValueTable = field(default_factory=ValueTable, compare=False, repr=False)
    counting: Counting | None = field(default=None, compare=False, repr=False)
    other_roots: tuple[LocalState, ...] = ()
    interchange: Interchange | None = field(default=None, compare=False, repr=False)
    resting: frozenset[int] = frozenset()
    ends: Expression = TRUE

    @property
    def slots(self) -> int:
        """How many shared slots there are, those of buffers included."""
        return len(self.initial_values[0])
