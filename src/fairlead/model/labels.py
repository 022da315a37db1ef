"""Labels: what a step is called, made from its arguments in the state before it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import assert_never

from fairlead.base.records import dataclass
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import Expression
from fairlead.model.types import Type

TAU = "τ"


TERMINATE = "terminate"


IDLE = "(idle)"
#: how a state without steps is described
NOTHING_POSSIBLE = "no step is possible"


def is_internal(event: str) -> bool:
    """Whether a label is an internal step: no proposition names it, refinement does not see it."""
    return event.startswith(TAU)


def tau_label(construct: str, process: str) -> str:
    """The label of an internal step: for event-level fairness, an event of one construct in one process."""
    return f"{TAU}[{construct}]@{process}"


def hidden_label(event: str, processes: Iterable[str]) -> str:
    """The label of a hidden event, distinguished by who takes part."""
    return tau_label(event, "+".join(sorted(processes)))


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


class Kind(Enum):
    """What a step looks like to the operators around it."""

    EVENT = "event"
    INTERNAL = "internal"
    TERMINATION = "termination"


def label_of(label: LabelTemplate, process: str, scope: Scope) -> tuple[Kind, str]:
    """The kind and the text of an edge's label, evaluated in the state before the step."""
    match label:
        case EventTemplate() | ChannelTemplate():
            return Kind.EVENT, event_text(label_text(label), scope)
        case TauTemplate(construct):
            return Kind.INTERNAL, tau_label(construct, process)
        case TerminateTemplate():
            return Kind.TERMINATION, TERMINATE
        case _:
            assert_never(label)


def event_text(label: LabelText, scope: Scope) -> str:
    """`name.1.true`, `c!1.2`."""
    text = label.pieces[0]
    for argument, piece in zip(label.arguments, label.pieces[1:], strict=True):
        text += argument_text(evaluate(argument, scope), argument.type) + piece
    return text


def argument_text(value: int, kind: Type) -> str:
    """A value as it stands in event names."""
    return kind.text(value)
