"""Makes the steps of a process: a statement, or an atomic sequence as far as one step can follow it.

As in SPIN, the states inside of an atomic sequence are not states of the system. A sequence is followed from
statement to statement while the conditions of the next ones can be told from the state before it. Where they
cannot, or where it comes back to the same point, the sequence is cut: the state in between is one of the
system, in which a slot says who continues alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from fairlead.base.allowance import tick
from fairlead.base.records import dataclass
from fairlead.lang.promela.elaborate.control import Move, Point
from fairlead.lang.promela.elaborate.knowledge import Knowledge, is_received
from fairlead.lang.promela.elaborate.options import Meeting, Option, Options
from fairlead.lang.promela.elaborate.values import all_of, any_of, negation
from fairlead.model.expression import FALSE, TRUE, Constant, Expression
from fairlead.model.program import Program

#: a sequence is followed over so many statements, and in so many ways
MOST_STATEMENTS = 4_000
MOST_WAYS = 128


@dataclass(frozen=True)
class Outcome:
    """A step: its condition, what it does, where it leads (None: an assertion has failed).

    If it `is_cut`, it has been left in the middle of an atomic sequence, which continues at once if it can.
    """

    guard: Expression
    effects: tuple[Program, ...]
    to: Point | None
    moves: tuple[Move, ...]
    meeting: Meeting | None = None
    is_cut: bool = False
    has_ended: bool = False
    known: Knowledge = field(default_factory=Knowledge, compare=False, repr=False)


@dataclass(eq=False)
class _Way:
    """A sequence that is being followed."""

    guards: tuple[Expression, ...]
    effects: tuple[Program, ...]
    moves: tuple[Move, ...]
    known: Knowledge
    seen: frozenset[int]
    option: Option
    guard: Expression
    meeting: Meeting | None = None


@dataclass(eq=False)
class Steps:
    """Finds the steps from the points of one process."""

    options: Options
    #: informed of what is known when something has been done, for code that plans which processes there are
    watch: Callable[[Option, Knowledge], None] | None = None

    @property
    def points(self) -> list[int]:
        """The slots that tell where processes are."""
        return [one.point for one in self.options.world.members if one.point is not None]

    def at(self, point: Point, known: Mapping[int, int]) -> list[Outcome]:
        """The steps at a point; of some slots it may be known what is in them there."""
        start = Knowledge()
        start.values = {slot: Constant(value) for slot, value in known.items()}
        if self.options.member.point is not None:
            start.forget(self.options.member.point)
        found: list[Outcome] = []
        pending: list[_Way] = []
        for option in reversed(self.options.at(point)):
            # the first condition is examined in the state before
            guard = option.guard
            if known:
                guard = start.before(guard) or guard
            if guard != FALSE:
                seen = frozenset((point.number,))
                pending.append(_Way((), (), (), start.copy(), seen, option, guard))
        ways = len(pending)
        while pending:
            tick()
            way = pending.pop()
            following = self._taken(way, found, ways < MOST_WAYS)
            ways += max(0, len(following) - 1)
            pending += reversed(following)
        return found

    def _taken(self, way: _Way, found: list[Outcome], may_branch: bool) -> list[_Way]:
        option = way.option
        guards = (*way.guards, way.guard)
        if self.watch is not None:
            self.watch(option, way.known)
        for program in option.effects:
            way.known.apply(program)
        effects, moves = (*way.effects, *option.effects), (*way.moves, option.move)

        def outcome(to: Point | None, more: Expression = TRUE, *, is_cut: bool = False) -> Outcome:
            tests = [*guards, more]
            meeting = way.meeting or option.meeting
            if meeting is not None and meeting.sent is None:
                # what depends on the message is examined when it is known
                late = [test for test in tests if is_received(test)]
                tests = [test for test in tests if not is_received(test)]
                own = [] if meeting.accepts is None else [meeting.accepts]
                accepts = all_of([*own, *late])
                meeting = replace(meeting, accepts=None if accepts == TRUE else accepts)
            return Outcome(all_of(tests), effects, to, moves, meeting, is_cut, option.ends, way.known)

        if not option.stays_atomic:
            found.append(outcome(option.to))
            return []
        point = option.to
        assert point is not None
        if option.meeting is not None and option.meeting.sent is not None:
            # who receives continues
            found.append(outcome(point))
            return []
        if option.meeting is not None:
            for slot in self.points:
                way.known.forget(slot)
        following = self.options.at(point)
        tests = [way.known.before(one.guard) for one in following]
        if any(test is None for test in tests) or any(one.meeting is not None for one in following):
            found.append(outcome(point, is_cut=True))
            return []
        known = [test for test in tests if test is not None]
        is_decided = all(isinstance(test, Constant) for test in known)
        if not is_decided and (point.number in way.seen or not may_branch):
            found.append(outcome(point, is_cut=True))
            return []
        if len(moves) > MOST_STATEMENTS:
            found.append(outcome(point, is_cut=True))
            return []
        possible = any_of(known)
        blocked = negation(possible)
        if blocked != FALSE:
            found.append(outcome(point, blocked))
        seen = way.seen if is_decided else way.seen | {point.number}
        return [
            _Way(guards, effects, moves, way.known.copy(), seen, one, test, way.meeting or option.meeting)
            for one, test in zip(following, known, strict=True)
            if test != FALSE
        ]
