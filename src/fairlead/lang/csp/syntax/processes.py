"""Defines the syntax tree of events and processes."""

from __future__ import annotations

from enum import Enum

from fairlead.base.records import dataclass
from fairlead.lang.csp.syntax.expressions import (
    Expression,
    IndexRange,
    Node,
)
from fairlead.lang.csp.syntax.statements import (
    Block,
)
from fairlead.model.annotation import Annotation


@dataclass(frozen=True)
class Event(Node):
    """`e.1.x`; the name `tau` is the internal event."""

    name: str
    arguments: tuple[Expression, ...]
    annotation: Annotation | None = None


@dataclass(frozen=True)
class IndexedEvent(Node):
    """`i:{0..2} @ e.i` in a set of events."""

    ranges: tuple[IndexRange, ...]
    event: Event


EventSet = tuple[Event | IndexedEvent, ...]


@dataclass(frozen=True)
class Stop(Node):
    pass


@dataclass(frozen=True)
class Skip(Node):
    pass


@dataclass(frozen=True)
class Prefix(Node):
    """`e{program} -> P`; a bare `{program} -> P` has the event `tau`."""

    event: Event
    program: Block | None
    next: Process


@dataclass(frozen=True)
class CompoundPrefix(Node):
    """`(a, b) -> P`."""

    events: tuple[Event, ...]
    next: Process


@dataclass(frozen=True)
class Channel(Node):
    """`c` or `c[i]`."""

    name: str
    index: Expression | None


@dataclass(frozen=True)
class Output(Node):
    """`c!e.e {program} -> P`."""

    channel: Channel
    values: tuple[Expression, ...]
    program: Block | None
    next: Process


@dataclass(frozen=True)
class Input(Node):
    """`c?[guard]x.1 {program} -> P`; names not known outside are bound."""

    channel: Channel
    guard: Expression | None
    patterns: tuple[Expression, ...]
    program: Block | None
    next: Process


class ChoiceKind(Enum):
    GENERAL = "[]"
    INTERNAL = "<>"
    EXTERNAL = "[*]"


@dataclass(frozen=True)
class Choice(Node):
    kind: ChoiceKind
    branches: tuple[Process, ...]


@dataclass(frozen=True)
class IndexedChoice(Node):
    kind: ChoiceKind
    ranges: tuple[IndexRange, ...]
    body: Process


class ParallelKind(Enum):
    INTERLEAVE = "|||"
    SYNCHRONISE = "||"


@dataclass(frozen=True)
class Parallel(Node):
    kind: ParallelKind
    components: tuple[Process, ...]


@dataclass(frozen=True)
class IndexedParallel(Node):
    kind: ParallelKind
    ranges: tuple[IndexRange, ...]
    body: Process


@dataclass(frozen=True)
class Replication(Node):
    """`|||{n} @ P`, or `|||{..} @ P` (count is None) for unboundedly many."""

    count: Expression | None
    body: Process


@dataclass(frozen=True)
class Sequence(Node):
    """`P; Q; R`."""

    parts: tuple[Process, ...]


@dataclass(frozen=True)
class Interrupt(Node):
    """`P interrupt Q interrupt R`."""

    parts: tuple[Process, ...]


@dataclass(frozen=True)
class Hiding(Node):
    """`P \\ {a, b}`."""

    process: Process
    events: EventSet


@dataclass(frozen=True)
class Guarded(Node):
    """`[b] P`."""

    condition: Expression
    process: Process


class ConditionalKind(Enum):
    IF = "if"
    IFA = "ifa"
    IFB = "ifb"


@dataclass(frozen=True)
class Conditional(Node):
    """`if (b) {P} else {Q}` and its relatives; a missing else is Skip for `if`."""

    kind: ConditionalKind
    condition: Expression
    then: Process
    otherwise: Process | None


@dataclass(frozen=True)
class CaseBranch(Node):
    condition: Expression
    process: Process


@dataclass(frozen=True)
class Case(Node):
    branches: tuple[CaseBranch, ...]
    default: Process | None


@dataclass(frozen=True)
class Atomic(Node):
    process: Process


@dataclass(frozen=True)
class AssertProcess(Node):
    """`assert(b)` as a process."""

    condition: Expression


@dataclass(frozen=True)
class Call(Node):
    """`P(1, x)`; `P` alone means `P()`."""

    process: str
    arguments: tuple[Expression, ...]


Process = (
    Stop
    | Skip
    | Prefix
    | CompoundPrefix
    | Output
    | Input
    | Choice
    | IndexedChoice
    | Parallel
    | IndexedParallel
    | Replication
    | Sequence
    | Interrupt
    | Hiding
    | Guarded
    | Conditional
    | Case
    | Atomic
    | AssertProcess
    | Call
)
