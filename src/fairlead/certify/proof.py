"""What a proof is: states with notes, and what each of them demands of those after it.

A *section* lists states, each with a note. The checker looks at each state and its note once, which says what
must be true of the states after it (*needs*), and then settles the needs of each listed state with its note.
A need for a state that is not listed is a rejection: so what is listed is closed under steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from fairlead.base.allowance import tick
from fairlead.certify.container import Rejected
from fairlead.certify.questions import Asked, Facts
from fairlead.certify.states import States
from fairlead.model.canonical.numbers import NotCanonical, Reader
from fairlead.model.labels import is_internal

#: what is demanded of a state: anything that `marshal` can write
Need = Any
#: says what is demanded of a state
Emit = Callable[[bytes, Need], None]


class Section(Protocol):
    """The claims about one list of states."""

    #: what was found out by looking at states that later sections may use
    facts: Facts

    def begin(self, emit: Emit) -> None:
        """What is demanded of the initial states."""
        ...

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Checks a listed state by itself, and says what is demanded of the states after it."""
        ...

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """Checks that the note of a listed state is as all that is demanded of it."""
        ...


class Closed:
    """What sections have in common that are about the states of the system itself."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.states = States(asked.found)
        self.facts = Facts()

    def begin(self, emit: Emit) -> None:
        """They are listed."""
        for data, _ in self.states.initial():
            emit(data, None)

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """Being listed is all."""


class Reachable(Closed):
    """The states that can be reached, all of them and no others.

    The note of a state is its level. A state above level 0 has a step into it from a lower level: so it can
    be reached, by induction, and all that occurs in the listed states does occur.
    """

    def begin(self, emit: Emit) -> None:
        """Level 0 is for initial states alone."""
        for data, _ in self.states.initial():
            emit(data, 0)

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Collects what occurs."""
        level = number_note(note)
        state = self.states.decode(data)
        steps = self.states.steps(data, state)
        self.facts |= Facts(
            frozenset(name for one in steps for name in one.step.processes),
            frozenset(one.step.event for one in steps),
            self.states.system.ready(state),
        )
        for one in steps:
            emit(one.target, level + 1)

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """There is a step into the state from a lower level, or it is initial."""
        if min(needs, default=1 << 63) > number_note(note):
            raise Rejected("a state is listed as reachable, but no listed step leads to it from below")


def number_note(note: bytes) -> int:
    """A note that is a number."""
    (found,) = numbers_in(note)
    return found


def numbers_in(note: bytes) -> list[int]:
    """A note that is several numbers."""
    reader, found = Reader(note), []
    try:
        while not reader.is_at_end:
            tick()
            found.append(reader.unsigned())
    except NotCanonical as problem:
        raise unreadable(problem) from None
    return found


def unreadable(problem: NotCanonical) -> Rejected:
    """The rejection for a note that is not a sequence of numbers."""
    return Rejected(f"a note cannot be read: {problem}")


def visible(events: Iterable[str]) -> Iterator[str]:
    """The events that are not internal steps."""
    return (event for event in events if not is_internal(event))
