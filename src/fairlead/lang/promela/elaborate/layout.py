"""Says where the variables of a model lie among the shared slots, and what they are at the start."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.promela import syntax
from fairlead.lang.promela.parse_expressions import constant
from fairlead.lang.promela.syntax import BIT, BOOL, CHAN, MTYPE, Basic, ChannelInit, Struct
from fairlead.model.network import Buffer
from fairlead.model.network import Variable as NetworkVariable
from fairlead.model.program import Queue
from fairlead.model.types import CallFailed, Type

#: a state may have so many slots, and a model so many channels
MOST_SLOTS = 200_000
MOST_CHANNELS = 4_000


class MtypeType(Type):
    """The constants of a set of mtypes by their names; 0 is none of them."""

    def __init__(self, names: dict[str, int]) -> None:
        super().__init__("mtype", "an mtype")
        self._names = {value: name for name, value in names.items()}
        self._values = names

    def text(self, word: int) -> str:
        """The name, or the number if there is none."""
        return self._names.get(word, str(word))

    def plain(self, word: int) -> str | int:
        """The name, or the number if there is none."""
        return self._names.get(word, word)

    def value(self, word: int) -> int:
        """The number."""
        return word

    def word(self, value: object) -> int:
        """The number of a name, or a number itself."""
        if isinstance(value, str) and value in self._values:
            return self._values[value]
        if type(value) is not int:
            raise CallFailed("expected the name of an mtype")
        return value


@dataclass(frozen=True)
class Cells:
    """A variable that is one number, or an array of them: `size` slots, `stride` apart, from `base` on."""

    base: int
    type: Basic


@dataclass(frozen=True)
class Channel:
    """A channel: its number, its buffer (None for a rendezvous), and the types of the fields of messages."""

    number: int
    name: str
    queue: Queue | None
    form: tuple[Basic, ...]

    @property
    def capacity(self) -> int:
        """How many messages there is room for."""
        return 0 if self.queue is None else self.queue.capacity


def width_of(kind: syntax.VariableType) -> int:
    """How many slots a value of a type takes."""
    if isinstance(kind, Basic):
        return 1
    return sum(width_of(one.type) * (one.size or 1) for one in kind.fields)


def offset_in(kind: Struct, name: str) -> int:
    """Where a field begins."""
    at = 0
    for one in kind.fields:
        if one.name == name:
            return at
        at += width_of(one.type) * (one.size or 1)
    raise AssertionError(name)


class Layout:
    """The slots of the shared state, which are given out one after the other."""

    def __init__(self, mtypes: dict[str, dict[str, int]]) -> None:
        self.initial: list[int] = []
        self.variables: list[NetworkVariable] = []
        self.buffers: list[Buffer] = []
        self.channels: list[Channel] = []
        merged = {name: value for names in mtypes.values() for name, value in names.items()}
        self._mtypes = {name: MtypeType(names) for name, names in mtypes.items()}
        self._mtypes.setdefault("", MtypeType(merged))

    def scalar(self, name: str, kind: Type, value: int) -> int:
        """A slot for a number that stands in no text."""
        slot = self._take(1, value, None)
        self.variables.append(NetworkVariable(name, slot, 1, kind, is_internal=True))
        return slot

    def variable(self, declared: syntax.Variable, name: str) -> int:
        """The first slot of a declared variable; channels that it initialises are made as well."""
        width = width_of(declared.type) * (declared.size or 1)
        base = self._take(width, 0, declared.span)
        self._note(declared, name, base)
        if isinstance(declared.init, ChannelInit):
            self._channels(declared, declared.init, name, base)
        return base

    def shown_type(self, declared: syntax.Variable) -> Type:
        """How the values of a variable are shown."""
        if declared.type is BOOL:
            return Type.BOOL
        if declared.type is MTYPE:
            return self._mtypes.get(declared.subtype, self._mtypes[""])
        return Type.INT

    def field_type(self, kind: Basic) -> Type:
        """How the fields of messages are shown."""
        return Type.BOOL if kind is BOOL else self._mtypes[""] if kind is MTYPE else Type.INT

    def _take(self, count: int, value: int, span: Span | None) -> int:
        base = len(self.initial)
        if base + count > MOST_SLOTS:
            message = f"the variables and channels take more than {MOST_SLOTS} places in a state"
            raise LimitReached((Diagnostic(Code.LIMIT, message, span),))
        self.initial += [value] * count
        return base

    def _note(self, declared: syntax.Variable, name: str, base: int) -> None:
        """Adds what is shown of a variable: of a structure, each field."""
        kind = declared.type
        if isinstance(kind, Basic):
            dimensions = () if declared.size is None else (declared.size,)
            shown = self.shown_type(declared)
            size = declared.size or 1
            # of a channel its messages are shown
            is_internal = isinstance(declared.init, ChannelInit)
            span = declared.span
            self.variables.append(
                NetworkVariable(name, base, size, shown, dimensions, span=span, is_internal=is_internal)
            )
            return
        for number in range(declared.size or 1):
            prefix = name if declared.size is None else f"{name}[{number}]"
            for one in kind.fields:
                at = base + number * width_of(kind) + offset_in(kind, one.name)
                self._note(one, f"{prefix}.{one.name}", at)

    def _channels(self, declared: syntax.Variable, init: ChannelInit, name: str, base: int) -> None:
        count = declared.size or 1
        queue = None
        if init.capacity:
            width = len(init.form)
            stride = 1 + init.capacity * width
            first = self._take(count * stride, 0, declared.span)
            shown = name.rstrip() if declared.size is None else name
            queue = Queue(shown, first, count, init.capacity, width)
            types = tuple(self.field_type(kind) for kind in init.form)
            self.buffers.append(Buffer(queue, declared.size is not None, (types,)))
        for number in range(count):
            if len(self.channels) == MOST_CHANNELS:
                message = f"all processes together could have more than {MOST_CHANNELS} channels"
                raise LimitReached((Diagnostic(Code.LIMIT, message, declared.span),))
            own = queue
            if queue is not None and count > 1:
                own = Queue(
                    f"{name}[{number}]", queue.base + number * queue.stride, 1, queue.capacity, queue.width
                )
            label = name if declared.size is None else f"{name}[{number}]"
            self.channels.append(Channel(len(self.channels) + 1, label, own, init.form))
            self.initial[base + number] = len(self.channels)

    def initialise(self, declared: syntax.Variable, base: int) -> None:
        """Sets a global variable to its initial value, which must be constant."""
        init = declared.init
        if init is None or isinstance(init, ChannelInit):
            self._initialise_fields(declared, base)
            return
        size = declared.size or 1
        kind = declared.type
        if not isinstance(kind, Basic):
            raise input_error(Code.UNSUPPORTED, "a structure cannot be initialised as a whole", declared.span)
        if isinstance(init, tuple):
            values = [constant(value) for value in init]
            # the last one is that of the rest
            values += [values[-1]] * (size - len(values))
        else:
            values = [self._global_value(init)] * size
        for number, value in enumerate(values):
            self.initial[base + number] = wrapped(value, kind)

    def _global_value(self, init: syntax.Expression) -> int:
        return constant(init)

    def _initialise_fields(self, declared: syntax.Variable, base: int) -> None:
        kind = declared.type
        if isinstance(kind, Basic):
            return
        for number in range(declared.size or 1):
            for one in kind.fields:
                at = base + number * width_of(kind) + offset_in(kind, one.name)
                self.initialise(one, at)


def wrapped(value: int, kind: Basic) -> int:
    """The part that fits of a value in a variable of a type."""
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if kind.is_signed and value > kind.high else value


def is_truth(kind: Basic) -> bool:
    """Whether the values of a type are 0 and 1."""
    return kind in (BIT, BOOL)


def is_channel(kind: syntax.VariableType) -> bool:
    """Whether a variable holds the number of a channel."""
    return kind is CHAN
