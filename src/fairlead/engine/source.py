"""What the engine asks: it must not keep the whole network alive in a cycle it cannot see."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fairlead.base.diagnostics import FairleadError
from fairlead.engine.journal import Entry, Journal, Mismatch, expect
from fairlead.engine.stored_tables import ValueFiller, are_words
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
        #: a position must not be defined again: the engine points to its edges
        self._defined = {entry.arguments[0] for entry in journal.entries if entry.question == "position"}

    def position(self, number: int) -> None:
        """A position is asked for once."""
        ask = super().position
        _, values, _ = self._engine.found()
        self._defined.add(number)
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

    def replay(self, entries: Sequence[object], filler: ValueFiller) -> None:
        """Asks again what was once asked, as a file has it; raises `Mismatch` if the answers differ."""
        recorded = self._journal.entries
        for stored in entries:
            expect(isinstance(stored, list) and len(stored) == 4)
            entry = Entry(*cast("list[Any]", stored))
            expect(type(entry.known_values) is int and isinstance(entry.arguments, list))
            filler.fill(entry.known_values)
            before = len(recorded)
            try:
                self._ask_again(entry.question, entry.arguments)
            except (
                LookupError,
                TypeError,
                ValueError,
                AttributeError,
                ArithmeticError,
                AssertionError,
                Fault,
            ):
                raise Mismatch from None  # the question cannot have been asked
            except FairleadError:
                raise Mismatch from None
            expect(len(recorded) == before + 1 and recorded[-1] == entry)
        filler.finish()

    def _ask_again(self, question: str, arguments: list[Any]) -> None:
        """Asks a question from a file, if it is one that the engine can ask."""
        native = self._engine.native
        match question, arguments:
            case "position", [int(number)]:
                positions, _, _ = self._engine.found()
                expect(0 <= number < positions and number not in self._defined)
                self.position(number)
            case "compose", [int(local), int(process), list(values), bool(quietly)]:
                expect(0 <= local < native.local_count and 0 <= process < len(native.processes))
                expect(are_words(values) and len(values) == self._engine.network.slots)
                self.compose(local, process, values, quietly)
            case "call", [int(function), list(words)]:
                expect(function >= 0 and are_words(words))
                self.call(function, words)
            case _:
                raise Mismatch


def _plain(value: Any) -> Any:
    """The same with lists for all sequences, as JSON has it."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
