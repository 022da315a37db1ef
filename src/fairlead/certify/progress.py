"""Progress under fair choice: from every state there is a way to an action that is demanded.

A state names one of its steps, and has a distance. The step is an action that is demanded, or leads to a
state with a smaller distance. In a terminal set these ways end at such an action, inside the set. With a
condition they may also end in a *dead zone*: states that no step leaves and where no step is an action of
the condition.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.certify.container import Rejected
from fairlead.certify.proof import Closed, Emit, Need, numbers_in
from fairlead.certify.questions import Asked
from fairlead.model.assertion import AllProgress, Progresses


class Ways(Closed):
    """A note has two numbers for each goal: 0 and 0 in the dead zone, or the distance + 1 and the step."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        question = asked.question
        assert isinstance(question, Progresses | AllProgress)
        self._condition = question.condition
        self._goals: list[frozenset[str]] = [question.demanded]
        if isinstance(question, AllProgress):
            self._goals = [frozenset({action}) for action in sorted(question.demanded)]

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Says for each step and goal what distance the state after it may have."""
        steps = self.states.steps(data, self.states.decode(data))
        for one in steps:
            emit(one.target, None)
        for place, (distance, number) in enumerate(self._ways(note)):
            if distance == 0:
                self._check_dead(place, [one.step.event for one in steps])
                for one in steps:
                    emit(one.target, (place, 1))
            elif number >= len(steps):
                raise Rejected("a state names a step that it does not have")
            elif steps[number].step.event not in self._goals[place]:
                emit(steps[number].target, (place, distance))

    def _check_dead(self, place: int, events: list[str]) -> None:
        condition = self._condition
        if condition is None or not condition.isdisjoint(events) or place:
            raise Rejected("a state is listed as in a dead zone, and is not in one")

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """The distances are smaller than where named steps come from."""
        ways = self._ways(note)
        for need in needs:
            if need is not None and ways[need[0]][0] >= need[1]:
                raise Rejected("a named step does not decrease the distance")

    def _ways(self, note: bytes) -> list[tuple[int, int]]:
        numbers = numbers_in(note)
        if len(numbers) != 2 * len(self._goals):
            raise Rejected("a note has not two numbers for each goal")
        return list(zip(numbers[::2], numbers[1::2], strict=True))
