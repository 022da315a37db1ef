"""Steps that parts of a tree can make, before they are carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.labels import Kind
from fairlead.model.program import Program
from fairlead.model.tree import Tree

#: builds the tree after a step from the values after it
Continuation = Callable[[Sequence[int]], Tree]


Wrapping = Callable[[Tree, Sequence[int]], Tree]


@dataclass(frozen=True)
class Update:
    """A program to be run with the parameters, and the message, of the process that runs it."""

    program: Program
    parameters: tuple[int, ...]
    received: tuple[int, ...] = ()


@dataclass(frozen=True)
class Move:
    """A step some part of the tree is able to make, before it is carried out.

    `places` are the parts of the text that are executed, besides those of the updates.
    """

    kind: Kind
    event: str
    synchronises: bool
    processes: frozenset[str]
    updates: tuple[Update, ...]
    after: Continuation
    is_atomic: bool = False
    #: of a handshake: who sends, and who receives
    roles: tuple[frozenset[str], frozenset[str]] | None = None
    places: tuple[Span, ...] = ()

    def within(self, wrap: Wrapping) -> Move:
        """The same step seen from an operator that surrounds the part that makes it."""

        def after(values: Sequence[int]) -> Tree:
            return wrap(self.after(values), values)

        return replace(self, after=after)


@dataclass(frozen=True)
class SendOffer:
    """Half of a handshake: what is sent, and the step of the sender."""

    channel: tuple[str, int, int]
    values: tuple[int, ...]
    move: Move

    def within(self, wrap: Wrapping) -> SendOffer:
        """The same offer seen from an operator around it."""
        return replace(self, move=self.move.within(wrap))

    def made_atomic(self) -> SendOffer:
        """The same offer of an atomic process."""
        return replace(self, move=replace(self.move, is_atomic=True))


@dataclass(frozen=True)
class ReceiveOffer:
    """The other half: the step of the receiver for a message, or None if it does not accept it."""

    channel: tuple[str, int, int]
    fields: int
    accept: Callable[[tuple[int, ...]], Move | None]

    def within(self, wrap: Wrapping) -> ReceiveOffer:
        """The same offer seen from an operator around it."""
        return self._mapped(lambda move: move.within(wrap))

    def made_atomic(self) -> ReceiveOffer:
        """The same offer of an atomic process."""
        return self._mapped(lambda move: replace(move, is_atomic=True))

    def _mapped(self, change: Callable[[Move], Move]) -> ReceiveOffer:
        def accept(message: tuple[int, ...]) -> Move | None:
            move = self.accept(message)
            return None if move is None else change(move)

        return replace(self, accept=accept)


Offer = SendOffer | ReceiveOffer


def by_priority(moves: Iterable[Move | Offer], labels: frozenset[str], is_high: bool) -> list[Move | Offer]:
    """The moves that remain where some labels have priority. Half a handshake is not a step yet."""
    every = list(moves)
    steps = [move for move in every if isinstance(move, Move)]
    marked = [move for move in steps if move.event in labels]
    others = [move for move in steps if move.event not in labels]
    first, second = (marked, others) if is_high else (others, marked)
    return [*(first or second), *(move for move in every if not isinstance(move, Move))]
