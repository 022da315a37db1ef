"""The Network: shared variables and a tree of processes whose leaves are local automata.

A configuration is the values of the shared variables and a tree; a leaf of the tree is a local state,
which is a position in the process text with the values of the parameters in scope there. Positions are
discovered on demand by a `Behaviour`, which a language's elaboration provides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, assert_never

from fairlead.errors import Code, Diagnostic, LimitReached
from fairlead.lang.source import Span
from fairlead.model.annotation import Annotation
from fairlead.model.expression import Expression
from fairlead.model.program import Program, Queue
from fairlead.model.types import Type
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


def hidden_label(event: str, processes: Iterable[str]) -> str:
    """The label of a hidden event, told apart by who takes part."""
    return tau_label(event, "+".join(sorted(processes)))


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
class Buffer:
    """The buffers of a channel, with what their messages are made of, by number of fields.

    Where messages have different numbers of fields, each begins with its number.
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
                types = next(kinds for kinds in self.messages if len(kinds) == kept[0])
                kept = kept[1:]
            found.append(list(zip(kept, types, strict=False)))
        return found


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


class ChannelAction(Enum):
    """What happens on a channel, as its events show it."""

    SEND = "!"
    RECEIVE = "?"
    HANDSHAKE = "."


@dataclass(frozen=True)
class ChannelTemplate:
    """`c!1.2`, `c[0]?1`, `c.1`: a message on a channel; `index` is that of an array of channels."""

    channel: str
    index: Expression | None
    action: ChannelAction
    values: tuple[Expression, ...]


LabelTemplate = EventTemplate | ChannelTemplate | TauTemplate | TerminateTemplate


@dataclass(frozen=True)
class LabelText:
    """A label as text with gaps: piece, argument, piece, argument, …, piece."""

    pieces: tuple[str, ...]
    arguments: tuple[Expression, ...]


def label_text(label: EventTemplate | ChannelTemplate) -> LabelText:
    """How the text of a visible label is made from its arguments."""
    match label:
        case EventTemplate(name, arguments):
            if not arguments:
                return LabelText((name,), ())
            return LabelText((f"{name}.", *["."] * (len(arguments) - 1), ""), arguments)
        case ChannelTemplate(channel, index, action, values):
            between = ["."] * (len(values) - 1)
            if index is None:
                return LabelText((f"{channel}{action.value}", *between, ""), values)
            return LabelText((f"{channel}[", f"]{action.value}", *between, ""), (index, *values))
        case _:
            assert_never(label)


@dataclass(frozen=True)
class Target:
    """Where an edge leads: a position and the values of its parameters, computed before the step."""

    position: int
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Rendezvous:
    """A channel without a buffer: of an array of `count` channels, the one with the index."""

    channel: str
    count: int
    index: Expression


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
    """One alternative of a local state; expressions are over shared variables and its parameters."""

    guard: Expression | None
    label: LabelTemplate
    update: Program | None
    synchronises: bool
    target: Target
    handshake: Send | Receive | None = None
    annotation: Annotation | None = None


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


@dataclass(frozen=True)
class ExternalChoice:
    """As `Choice`, but an internal step of a branch does not decide (`[*]`)."""

    branches: tuple[Tree, ...]


@dataclass(frozen=True)
class Interrupt:
    """`body`, until a visible step of `handler` takes over."""

    body: Tree
    handler: Tree


@dataclass(frozen=True)
class Hidden:
    """`body`, with some of its events made internal."""

    body: Tree
    events: frozenset[str]


@dataclass(frozen=True)
class Atomic:
    """`body`, whose steps go before those of anything that is not atomic."""

    body: Tree


Tree = Leaf | Parallel | Sequel | Choice | Guarded | ExternalChoice | Interrupt | Hidden | Atomic


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """The trees directly below a node."""
    match tree:
        case Leaf():
            return ()
        case Parallel(parts) | Choice(parts) | ExternalChoice(parts):
            return parts
        case Sequel(body) | Guarded(_, body) | Hidden(body) | Atomic(body):
            return (body,)
        case Interrupt(body, handler):
            return (body, handler)
        case _:
            assert_never(tree)


def with_subtrees(tree: Tree, parts: tuple[Tree, ...]) -> Tree:
    """The same node with other trees directly below it."""
    match tree:
        case Leaf():
            return tree
        case Parallel():
            return Parallel(parts, tree.alphabets)
        case Choice():
            return Choice(parts)
        case ExternalChoice():
            return ExternalChoice(parts)
        case Sequel():
            return Sequel(parts[0], tree.then, tree.process, tree.construct)
        case Guarded():
            return Guarded(tree.guard, parts[0])
        case Hidden():
            return Hidden(parts[0], tree.events)
        case Atomic():
            return Atomic(parts[0])
        case Interrupt():
            return Interrupt(*parts)
        case _:
            assert_never(tree)


#: a tree that grows deeper than this is taken for one that grows for ever
NESTING_LIMIT = 120


def check_nesting(tree: Tree) -> None:
    """Raises `LimitReached` if operators are nested so deeply that there is no end to be expected."""
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > NESTING_LIMIT:
            problem = Diagnostic(
                Code.LIMIT,
                f"more than {NESTING_LIMIT} operators are nested in one state: endless recursion",
                hint="in 'P = (a -> P) interrupt Q' each round leaves one more 'Q' behind",
            )
            raise LimitReached((problem,))
        level = [part for node in level for part in subtrees(node)]


def has_ended(tree: Tree) -> bool:
    """Whether nothing is left to be hidden, made atomic or interrupted."""
    return isinstance(tree, Leaf) and tree.state == TERMINATED


def _is_trivial(tree: Tree) -> bool:
    return isinstance(tree, Leaf) and tree.state in (STOP, SKIP, TERMINATED)


def hidden(body: Tree, events: frozenset[str]) -> Tree:
    """`body` with events hidden; what is hidden twice is hidden once, and Skip has nothing to hide.

    Hiding goes inside of atomic, so that a process that calls itself within both does not grow.
    """
    if _is_trivial(body):
        return body
    match body:
        case Hidden(inner, others):
            return Hidden(inner, others | events)
        case Atomic(inner):
            return Atomic(hidden(inner, events))
    return Hidden(body, events)


def atomic(body: Tree) -> Tree:
    """`body` made atomic; Skip and what is atomic already stay as they are."""
    return body if _is_trivial(body) or isinstance(body, Atomic) else Atomic(body)


def interrupt(body: Tree, handler: Tree) -> Tree:
    """`body` with a handler, unless it has ended."""
    return body if has_ended(body) else Interrupt(body, handler)


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
    """A closed system: variables, behaviour and where it starts.

    `annotations` are the kinds of fairness annotations that its text may have: all of those that it has.
    """

    name: str
    variables: tuple[Variable, ...]
    initial_values: tuple[tuple[int, ...], ...]
    behaviour: Behaviour = field(compare=False, repr=False)
    root: LocalState = field(default=STOP)
    buffers: tuple[Buffer, ...] = ()
    annotations: frozenset[Annotation] = frozenset()
    values: ValueTable = field(default_factory=ValueTable, compare=False, repr=False)

    @property
    def slots(self) -> int:
        """How many shared slots there are, those of buffers included."""
        return len(self.initial_values[0])
