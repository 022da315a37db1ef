"""What the engine asks: it must not keep the whole network alive in a cycle it cannot see."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fairlead.base.diagnostics import FairleadError
from fairlead.engine.journal import Entry, Journal, Mismatch, ValueFiller
from fairlead.model.evaluation import Fault

if TYPE_CHECKING:
    from fairlead.engine.network import EngineNetwork

T = TypeVar("T")
#: a tree, and the variables on which it depends
Composed = tuple[int, list[int]]


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

    def compose(self, local: int, process: int, values: list[int], quietly: bool) -> Composed | None:
        """What a composite local state stands for."""
        return self._engine.compose(local, process, values, quietly)

    def report_nesting(self) -> None:
        """Operators are nested too deeply."""
        self._engine.report_nesting()

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
    """The same, with a journal of the questions whose answers made tables on this side grow."""

    def __init__(self, engine: EngineNetwork, journal: Journal) -> None:
        super().__init__(engine)
        self._journal = journal

    def position(self, number: int) -> None:
        """A position is asked for once."""
        ask = super().position
        _, values, _ = self._engine.found()
        with self._journal.asking():
            ask(number)
        self._journal.entries.append(Entry("position", [number], values, None))

    def compose(self, local: int, process: int, values: list[int], quietly: bool) -> Composed | None:
        """New trees, and new positions in them."""
        ask = super().compose
        question = [local, process, values, quietly]
        return self._recorded("compose", question, lambda: ask(local, process, values, quietly))

    def call(self, function: int, words: list[int]) -> tuple[bool, int, int]:
        """New values."""
        ask = super().call
        return self._recorded("call", [function, words], lambda: ask(function, words))

    def _recorded(self, question: str, arguments: Sequence[Any], ask: Callable[[], T]) -> T:
        before = self._engine.found()
        with self._journal.asking():
            answer = ask()
        if self._engine.found() != before:
            plain = _plain(answer)
            _, values, _ = before
            given = plain[:2] if question == "call" else plain
            self._journal.entries.append(Entry(question, _plain(arguments), values, given))
        return answer

    def replay(self, entries: Sequence[Entry], filler: ValueFiller) -> None:
        """Asks again what was once asked; raises `Mismatch` if the answers are not the same."""
        answering: dict[str, Callable[..., object]] = {
            "position": self.position,
            "compose": self.compose,
            "call": self.call,
        }
        recorded = self._journal.entries
        for entry in entries:
            filler.fill(entry.known_values)
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
