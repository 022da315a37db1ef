"""Refinement: every state of a process is listed with states that its specification may then be in.

The note of a state lists pairs: the number of a set of states of the specification, and a rank. Each of these
states can be reached by every trace that leads to the pair, so that what they can do, the specification can.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.allowance import tick
from fairlead.certify.container import Rejected, list_in, number_in, text_in
from fairlead.certify.proof import Closed, Emit, Need, numbers_in
from fairlead.certify.questions import Asked
from fairlead.certify.states import Encoded, States
from fairlead.model.assertion import Refinement, Refines
from fairlead.model.labels import is_internal
from fairlead.model.system import State

#: states of the specification
Members = frozenset[bytes]
#: how an internal step is written in a need, and the begin of all traces
_INTERNAL, _BEGIN = None, -1


class Pairs(Closed):
    """The section of pairs."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        assert isinstance(asked.question, Refines)
        self._kind, self._sees_divergence = asked.question.refinement, asked.sees_divergence
        self._beside = States(asked.specification)
        self._known: dict[bytes, State] = {}
        names = [self._member(text_in(name)) for name in list_in(asked.proof.get("members"))]
        self._sets = [
            frozenset(_at(names, number) for number in list_in(row))
            for row in list_in(asked.proof.get("sets"))
        ]
        if not all(self._sets):
            raise Rejected("a set of states of the specification is empty")
        self._after: dict[tuple[int, str | None], Members] = {}

    def _member(self, name: str) -> bytes:
        try:
            data = bytes.fromhex(name)
        except ValueError:
            raise Rejected("a state of the specification cannot be read") from None
        self._known[data] = self._beside.decode(data)
        return data

    def begin(self, emit: Emit) -> None:
        """Some pair of each initial state has states that the specification may begin in."""
        for data, _ in self.states.initial():
            emit(data, (_BEGIN, _INTERNAL, None))

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Says what is demanded after each step from each pair, and checks what is refused."""
        steps = self.states.steps(data, self.states.decode(data))
        is_stable = not any(is_internal(one.step.event) for one in steps)
        offered = {one.step.event for one in steps}
        for number, rank in self._pairs(note):
            if self._sees_divergence and self._diverges(number):
                continue  # from here on everything is allowed
            if self._kind is not Refinement.TRACES and is_stable and not self._matches(number, offered):
                raise Rejected("a stable state refuses more than the specification may")
            for one in steps:
                tick()
                if not is_internal(one.step.event):
                    emit(one.target, (number, one.step.event, None))
                elif self._sees_divergence:
                    emit(one.target, (number, _INTERNAL, rank))
                else:
                    emit(one.target, (number, _INTERNAL, None))

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """After each step there is a pair whose states the specification may be in after that step."""
        pairs = self._pairs(note)
        for source, event, limit in needs:
            allowed = self._reached(source, event)
            if not any(
                self._sets[number] <= allowed and (limit is None or rank < limit) for number, rank in pairs
            ):
                raise Rejected("a step leads to no pair that the specification allows")

    def _pairs(self, note: bytes) -> list[tuple[int, int]]:
        numbers = numbers_in(note)
        if len(numbers) % 2 or any(number >= len(self._sets) for number in numbers[::2]):
            raise Rejected("a note does not list pairs")
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    # ------------------------------------------------------------ the specification

    def _reached(self, source: int, event: str | None) -> Members:
        """Where the specification may be after an event, with internal steps before and after it."""
        key = source, event
        if key not in self._after:
            if source == _BEGIN:
                self._known.update(initial := dict(self._beside.initial()))
                found = self._closed(frozenset(initial))
            else:
                found = self._closed(self._sets[source])
                if event is not _INTERNAL:
                    steps = [one for member in found for one in self._steps(member)]
                    found = self._closed(self._targets([one for one in steps if one.step.event == event]))
            self._after[key] = found
        return self._after[key]

    def _steps(self, member: bytes) -> tuple[Encoded, ...]:
        return self._beside.steps(member, self._known[member])

    def _targets(self, steps: Sequence[Encoded]) -> Members:
        self._known.update({one.target: one.step.target for one in steps})
        return frozenset(one.target for one in steps)

    def _internal(self, member: bytes) -> Members:
        return self._targets([one for one in self._steps(member) if is_internal(one.step.event)])

    def _closed(self, members: Members) -> Members:
        """With the states that internal steps lead to."""
        found = set(members)
        pending = list(members)
        while pending:
            tick()
            fresh = self._internal(pending.pop()) - found
            found |= fresh
            pending += fresh
        return frozenset(found)

    def _diverges(self, number: int) -> bool:
        """Whether internal steps from a set can continue forever: then some of them remain on a cycle."""
        left = {member: self._internal(member) for member in self._reached(number, _INTERNAL)}
        while ended := [member for member, after in left.items() if not after & left.keys()]:
            tick()
            for member in ended:
                del left[member]
        return bool(left)

    def _matches(self, number: int, offered: set[str]) -> bool:
        """Whether a stable state of the specification offers no more."""
        for member in self._reached(number, _INTERNAL):
            events = {one.step.event for one in self._steps(member)}
            if events <= offered and not any(map(is_internal, events)):
                return True
        return False


def _at(names: list[bytes], number: object) -> bytes:
    found = number_in(number)
    if found >= len(names):
        raise Rejected("a set names a state of the specification that is not listed")
    return names[found]
