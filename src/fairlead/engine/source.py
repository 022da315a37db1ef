"""What the engine asks: it must not keep the whole network alive in a cycle it cannot see."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fairlead.base.diagnostics import FairleadError
from fairlead.engine.journal import Entry, Journal, Mismatch, TableFiller
from fairlead.model.evaluation import Fault

if TYPE_CHECKING:
    from fairlead.engine.network import EngineNetwork

T = TypeVar("T")
#: a shape and its local states, the kind of step, what moves where, what stays undecided, values
RewriteQuestion = tuple[int, list[int], int, list[tuple[int, int]], list[int], Sequence[int]]
#: the new shape, where its local states come from, whether it is always so
RewriteAnswer = tuple[int, list[tuple[bool, int]], bool]


class Source:
    """Passes the engine's questions on to the network that answers them."""

    def __init__(self, engine: EngineNetwork) -> None:
        self._reference = weakref.ref(engine)

    @property
    def _engine(self) -> EngineNetwork:
        engine = self._reference()
        assert engine is not None
        return engine

    def position(self, number: int) -> None:
        """Compiles a position."""
        self._engine.define_position(number)

    def rewrite(self, *question: *RewriteQuestion) -> RewriteAnswer:
        """How a step changes a shape."""
        return self._engine.rewrite(*question)

    def member(self, group: int, local: int) -> tuple[int, list[tuple[int, int]]]:
        """What is known of the processes of a group in a local state."""
        return self._engine.member(group, local)

    def components(self, group: int, composite: int) -> list[int]:
        """What a process of a group becomes."""
        return self._engine.components(group, composite)

    def call(self, function: int, words: list[int]) -> tuple[bool, int, int]:
        """A call of a library function."""
        return self._engine.call(function, words)

    def text(self, value: int) -> str:
        """The text of a value."""
        return self._engine.text(value)


class RecordingSource(Source):
    """The same, with a journal of the questions whose answers made tables grow."""

    def __init__(self, engine: EngineNetwork, journal: Journal) -> None:
        super().__init__(engine)
        self._journal = journal

    def position(self, number: int) -> None:
        """A position is asked for once."""
        ask = super().position
        known = self._engine.native.local_count
        with self._journal.asking():
            ask(number)
        self._journal.entries.append(Entry("position", [number], known, None))

    def rewrite(self, *question: *RewriteQuestion) -> RewriteAnswer:
        """New shapes, and new positions in them."""
        ask = super().rewrite
        return self._recorded("rewrite", question, lambda: ask(*question))

    def call(self, function: int, words: list[int]) -> tuple[bool, int, int]:
        """New values."""
        ask = super().call
        return self._recorded("call", [function, words], lambda: ask(function, words))

    def _recorded(self, question: str, arguments: Sequence[Any], ask: Callable[[], T]) -> T:
        before = self._engine.sizes()
        with self._journal.asking():
            answer = ask()
        if self._engine.sizes() != before:
            plain = _plain(answer)
            entry = Entry(question, _plain(arguments), before[-1], plain[:2] if question == "call" else plain)
            self._journal.entries.append(entry)
        return answer

    def replay(self, entries: Sequence[Entry], filler: TableFiller) -> None:
        """Asks again what was once asked; raises `Mismatch` if the answers are not the same."""
        answering: dict[str, Callable[..., object]] = {
            "position": self.position,
            "rewrite": self.rewrite,
            "call": self.call,
        }
        recorded = self._journal.entries
        for entry in entries:
            filler.fill_locals(entry.known_locals)
            try:
                answering[entry.question](*entry.arguments)
            except (LookupError, Fault, FairleadError):
                raise Mismatch from None
            if not recorded or recorded[-1] != entry:
                raise Mismatch
        filler.finish()


def _plain(value: Any) -> Any:
    """The same with lists for all sequences, as JSON has it."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
