"""What may be the number of a process: parameters, variables, indices and messages that are used as one.

Whatever is compared with, assigned to, or used in the same place as the number of a process is a number of
the same kind. Numbers can be compared for equality, kept, sent by handshakes and used as indices. All that is
calculated with, or compared in other ways, is a plain value. Nothing rests on these guesses: what they lead
to is verified (`forms.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fairlead.base.records import dataclass
from fairlead.model.expression import (
    Binary,
    Bounded,
    Checked,
    Conditional,
    Constant,
    Expression,
    Local,
    Operator,
    Parameter,
    Received,
    Shared,
    SharedElement,
    WholeShared,
    children,
    subexpressions,
)
from fairlead.model.labels import EventTemplate
from fairlead.model.network import Edge, Network, Receive, Send, Variable
from fairlead.model.program import (
    Block,
    Branch,
    Dequeue,
    Enqueue,
    Loop,
    Program,
    Require,
    Store,
    expressions_in,
)
from fairlead.reduce.symmetry.indices import indices_of

#: what can be of a kind: a parameter, the elements of a variable, one of its indices, a field of a message …
Item = tuple[str | int, ...]

PLAIN: Item = ("plain",)

# why an item is plain
USED_AS_VALUE = "its number is used as a value like any other"
_KEPT_WITH_OTHERS = "it is kept with other values"
_INDEX_OF_BUFFER = "its number is an index of a channel with a buffer"


@dataclass(frozen=True)
class Where:
    """The edge that an expression belongs to: its position and its number there.

    `assigned` are the local variables of its program that are never examined before something is stored in
    them.
    """

    position: int
    edge: int
    assigned: frozenset[int] = frozenset()


class Items:
    """The items of a network: what of its variables and channels an expression is about."""

    def __init__(self, network: Network) -> None:
        self.variables = network.variables
        self._of_slot: list[int | None] = [None] * network.slots
        for number, variable in enumerate(network.variables):
            for slot in range(variable.slot, variable.slot + variable.size):
                self._of_slot[slot] = number

    def variable(self, slot: int) -> int | None:
        """The number of the variable that a slot belongs to; None for those of buffers."""
        return self._of_slot[slot]

    def element(self, slot: int) -> Item:
        """What the values in a slot are."""
        number = self._of_slot[slot]
        return PLAIN if number is None else ("element", number)

    def array(self, expression: SharedElement | WholeShared) -> tuple[int, Variable] | None:
        """The array that is meant, unless it is one of buffers."""
        number = self._of_slot[expression.base]
        if number is None:
            return None
        variable = self.variables[number]
        whole = variable.slot == expression.base and variable.size == expression.size
        return (number, variable) if whole and getattr(expression, "stride", 1) == 1 else None


class Kinds:
    """A partition of items, in which those that must be plain are together with `PLAIN`."""

    def __init__(self, items: Items) -> None:
        self.items = items
        self._above: dict[Item, Item] = {}
        self._together: dict[Item, list[Item]] = {}
        self._reasons: dict[Item, str] = {}

    def find(self, item: Item) -> Item:
        """What stands for all items of the same kind."""
        return self._above.get(item, item)

    def is_plain(self, item: Item) -> bool:
        """Whether an item cannot be the number of a process."""
        return self.find(item) == self.find(PLAIN)

    def reason(self, item: Item) -> str:
        """Why an item is plain."""
        return self._reasons.get(item) or USED_AS_VALUE

    def unite(self, one: Item, other: Item, reason: str) -> None:
        """Makes two items the same kind."""
        first, second = self.find(one), self.find(other)
        if first == second:
            return
        plain = self.find(PLAIN)
        if plain in (first, second):
            why = self._reasons.get(one) or self._reasons.get(other) or reason
            for item in self._class(second if first == plain else first):
                self._reasons[item] = why
        if len(self._class(first)) > len(self._class(second)):
            first, second = second, first
        for item in self._class(first):
            self._above[item] = second
        self._together[second] = self._class(second) + self._class(first)

    def _class(self, found: Item) -> list[Item]:
        return self._together.get(found, [found])

    # ------------------------------------------------------------ from the text

    def learn(self, where: Where, edge: Edge, sees_labels: bool) -> None:
        """Takes in what an edge does with its values."""
        message = edge.handshake
        channel = None if message is None else message.rendezvous.channel
        reader = _Reader(self, where, channel)
        if edge.guard is not None:
            reader.plain(edge.guard, "")
        if edge.update is not None:
            reader.program(edge.update)
        for number, argument in enumerate(edge.target.arguments):
            reader.keep(argument, ("parameter", edge.target.position, number), _KEPT_WITH_OTHERS)
        if message is not None:
            reader.handshake(message)
        if sees_labels and isinstance(edge.label, EventTemplate):
            for number, argument in enumerate(edge.label.arguments):
                reader.keep(argument, ("label", edge.label.name, number), "its events are not named after it")


class _Reader:
    """Reads the expressions of one edge."""

    def __init__(self, kinds: Kinds, where: Where, channel: str | None) -> None:
        self._kinds = kinds
        self._where = where
        self._channel = channel

    def item(self, expression: Expression) -> Item | None:
        """What the value of an expression is; None for a constant, which can be anything."""
        return item_of(expression, self._kinds.items, self._where, self._channel)

    def keep(self, expression: Expression, item: Item, reason: str) -> None:
        """The value of the expression becomes that of the item."""
        self.inside(expression)
        found = self.item(expression)
        if found is not None:
            self._kinds.unite(found, item, reason)

    def plain(self, expression: Expression, reason: str) -> None:
        """The value is used as what it is."""
        self.keep(expression, PLAIN, reason)

    def inside(self, expression: Expression) -> None:
        """Takes in what happens below the outermost operation, and at it."""
        kinds = self._kinds
        match expression:
            case Binary(Operator.EQUAL | Operator.UNEQUAL, left, right):
                self._together(left, right, "it is compared with a value that is not such a number")
            case Binary(operator, left, right):
                word = f"its number is used with '{operator.value}'"
                self.plain(left, word)
                self.plain(right, word)
            case Conditional(condition, then, otherwise):
                self.plain(condition, "")
                self._together(then, otherwise, _KEPT_WITH_OTHERS)
            case Checked(value) | Bounded(value):
                self.inside(value)
            case SharedElement():
                self._element(expression)
            case WholeShared():
                found = kinds.items.array(expression)
                if found is not None:
                    number, variable = found
                    for item in (("element", number), *index_items(number, variable)):
                        kinds.unite(item, PLAIN, f"'{variable.name}' is used as a whole")
            case _:
                for part in children(expression):
                    self.plain(part, "arithmetic is done with its number")

    def _together(self, left: Expression, right: Expression, reason: str) -> None:
        self.inside(left)
        self.inside(right)
        one, other = self.item(left), self.item(right)
        if one is not None and other is not None:
            self._kinds.unite(one, other, reason)

    def _element(self, expression: SharedElement) -> None:
        found = self._kinds.items.array(expression)
        if found is None:
            self.plain(expression.index, _INDEX_OF_BUFFER)
            return
        number, variable = found
        parts = indices_of(expression.index, variable.dimensions)
        if parts is None:
            self.plain(expression.index, f"the index into '{variable.name}' is computed")
            for item in index_items(number, variable):
                self._kinds.unite(item, PLAIN, f"an index into '{variable.name}' is computed")
            return
        for dimension, part in enumerate(parts):
            self.keep(part, ("index", number, dimension), f"'{variable.name}' has another kind of index")

    def program(self, program: Program) -> None:
        """Takes in a program."""
        match program:
            case Store(target, value):
                self.inside(target)
                item = self.item(target)
                assert item is not None
                name = target.name
                self.keep(value, item, f"it is stored in '{name}', which has other values too")
            case Branch(condition, then, otherwise):
                self.plain(condition, "")
                self.program(then)
                self.program(otherwise)
            case Loop(condition, body):
                self.plain(condition, "")
                self.program(body)
            case Block(parts):
                for part in parts:
                    self.program(part)
            case Enqueue(index=index, values=values):
                for sent in (index, *values):
                    self.plain(sent, "its number goes through a channel with a buffer")
            case Dequeue(index=index):
                self.plain(index, _INDEX_OF_BUFFER)
            case Require(condition):
                self.plain(condition, "")

    def handshake(self, half: Send | Receive) -> None:
        """Takes in what is sent, or what is accepted."""
        where = half.rendezvous
        self.keep(
            where.index, ("channel", where.channel), "it is an index of a channel with other indices too"
        )
        if isinstance(half, Send):
            for number, value in enumerate(half.values):
                self.keep(
                    value, ("field", where.channel, number), "it is sent where other values are sent too"
                )
        elif half.accepts is not None:
            self.plain(half.accepts, "")


def item_of(expression: Expression, items: Items, where: Where, channel: str | None) -> Item | None:
    """What the value of an expression is; None for a constant, which can be anything.

    A local variable that may be examined before anything is stored in it is plain: it is 0 then, for all.
    """
    match expression:
        case Constant():
            return None
        case Shared(slot):
            return items.element(slot)
        case SharedElement(base):
            return items.element(base)
        case Parameter(slot):
            return ("parameter", where.position, slot)
        case Received(number):
            assert channel is not None
            return ("field", channel, number)
        case Local(slot) if slot in where.assigned:
            return ("local", where.position, where.edge, slot)
        case Checked(value) | Bounded(value):
            return item_of(value, items, where, channel)
        case Conditional(_, then, otherwise):
            found = item_of(then, items, where, channel)
            return item_of(otherwise, items, where, channel) if found is None else found
        case _:
            return PLAIN


def index_items(number: int, variable: Variable) -> Iterator[Item]:
    """The indices of an array."""
    return (("index", number, dimension) for dimension in range(len(variable.dimensions)))


def learned(network: Network, edges: Iterable[tuple[Where, Edge]], sees_labels: bool) -> Kinds:
    """The kinds of a network, from the edges of its processes."""
    kinds = Kinds(Items(network))
    for where, edge in edges:
        kinds.learn(where, edge, sees_labels)
    return kinds


def guess_indices(kinds: Kinds, item: Item, size: int) -> None:
    """Takes all arrays of a size to be indexed by numbers of a kind, as far as they can be.

    Where an array is only examined for each of its elements, its text does not tell what its indices are.
    """
    for number, variable in enumerate(kinds.items.variables):
        for index, dimension in zip(index_items(number, variable), variable.dimensions, strict=True):
            if dimension == size and not kinds.is_plain(index) and not kinds.is_plain(item):
                kinds.unite(index, item, "")


def edges_of(network: Network, positions: Sequence[int]) -> Iterator[tuple[Where, Edge]]:
    """The edges of some positions."""
    for position in positions:
        for number, edge in enumerate(network.behaviour.edges(position) or ()):
            yield where_of(position, number, edge), edge


def where_of(position: int, number: int, edge: Edge) -> Where:
    """The place of an edge."""
    return Where(position, number, frozenset() if edge.update is None else surely_assigned(edge.update))


def surely_assigned(program: Program) -> frozenset[int]:
    """The local variables that are stored, always, before they are examined."""
    assigned: set[int] = set()
    too_early: set[int] = set()
    pending: list[Program] = [program]
    while pending:
        statement = pending.pop()
        if isinstance(statement, Block):
            pending += reversed(statement.parts)
            continue
        stores = isinstance(statement, Store) and isinstance(statement.target, Local)
        for expression in expressions_in(statement):
            if stores and isinstance(statement, Store) and expression is statement.target:
                continue
            for part in subexpressions(expression):
                if isinstance(part, Local) and part.slot not in assigned:
                    too_early.add(part.slot)
        if isinstance(statement, Store) and isinstance(statement.target, Local):
            assigned.add(statement.target.slot)
    return frozenset(assigned - too_early)
