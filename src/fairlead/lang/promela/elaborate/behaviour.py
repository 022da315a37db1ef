"""Describes the positions of a model: a leaf for each pid, a position for each control point."""

from __future__ import annotations

import re
from functools import cached_property

from fairlead.base.diagnostics import InternalError
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.control import Move, Point
from fairlead.lang.promela.elaborate.creation import Creation
from fairlead.lang.promela.elaborate.expressions import Expressions, point_code
from fairlead.lang.promela.elaborate.options import Option, Options
from fairlead.lang.promela.elaborate.steps import Outcome, Steps
from fairlead.lang.promela.elaborate.values import all_of, any_of, condition, of_type
from fairlead.lang.promela.elaborate.world import Instance, Member, World
from fairlead.model.canonical.numbers import Reader, unknown_position, unsigned
from fairlead.model.expression import (
    FALSE,
    TRUE,
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Shared,
    with_received,
)
from fairlead.model.labels import EventTemplate
from fairlead.model.network import Edge, Place, Receive, Rendezvous, Send, Target
from fairlead.model.program import Block, Program, Store
from fairlead.model.tree import ERROR, FIRST_POSITION, STOP, Leaf, LocalState, Parallel, Tree
from fairlead.model.types import Type

#: longer texts of steps are cut short
SHOWN_TEXT = 72
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class _At:
    """What a position is: a point of a process, or where one waits to be created, or has just been."""

    member: Member
    instance: Instance | None
    point: Point | None


class PromelaBehaviour:
    """Answers what can be done at the positions of a model."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.creation = Creation(world)
        self._options: dict[Instance, Options] = {}
        self._plain_options: dict[Instance, Options] = {}
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._at: list[_At] = []
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._timeout: Expression | None = None
        #: values of slots that are the same whenever a process is at its first point
        self.known_at_start: dict[Instance, dict[int, int]] = {}
        self.was_cut = False
        for member in world.members:
            if member.is_created:
                self._add(member, None, None)
            for instance in member.instances:
                for point in instance.control.points:
                    if point.alias is None:
                        self._add(member, instance, point)

    def _add(self, member: Member, instance: Instance | None, point: Point | None) -> None:
        number = FIRST_POSITION + 1 + len(self._at)
        self._at.append(_At(member, instance, point))
        self._numbers[self._key(member, instance, point)] = number

    @staticmethod
    def _key(member: Member, instance: Instance | None, point: Point | None) -> tuple[int, int, int]:
        which = -1 if instance is None else member.instances.index(instance)
        return member.pid, which, -1 if point is None else point.number

    def number(self, member: Member, instance: Instance | None, point: Point | None) -> int:
        """The position of a point: the first one of a process that may be created is where it was created."""
        if member.is_created and instance is not None and point is instance.control.start:
            instance, point = None, None
        return self._numbers[self._key(member, instance, point)]

    def dead(self, member: Member) -> int:
        """The position of a process that has ended."""
        return self.number(member, None, None) if member.is_created else STOP.position

    # ------------------------------------------------------------ ends

    @cached_property
    def resting(self) -> frozenset[int]:
        """The positions at which a process may stay forever without being stuck."""
        found = {STOP.position}
        for offset, at in enumerate(self._at):
            if at.point is None or is_end(at.instance, at.point):
                found.add(FIRST_POSITION + 1 + offset)
        return frozenset(found)

    @property
    def ends(self) -> Expression:
        """That every process which has been created and has done nothing may stay as it is."""
        tests: list[Expression] = []
        for member in self.world.members:
            if member.fresh is None:
                continue
            slot = Shared(member.fresh, f"(fresh {member.pid})", Type.INT)
            allowed = [0]
            for number, instance in enumerate(member.instances, 1):
                if is_end(instance, instance.control.start):
                    allowed.append(number)
            if len(allowed) <= len(member.instances):
                tests.append(
                    any_of([Binary(Operator.EQUAL, slot, Constant(one), Type.BOOL) for one in allowed])
                )
        return all_of(tests)

    # ------------------------------------------------------------ Behaviour

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The steps of a position."""
        if position == FIRST_POSITION:
            return None
        if position < FIRST_POSITION:
            return ()
        if position not in self._edges:
            at = self._at[position - FIRST_POSITION - 1]
            self._edges[position] = tuple(self._found(at))
        return self._edges[position]

    def compose(self, state: LocalState, process: str, values: object) -> Tree:
        """All processes side by side."""
        leaves = []
        for member in self.world.members:
            if member.is_created:
                position = self.number(member, None, None)
            else:
                instance = member.instances[0]
                position = self.number(member, instance, instance.control.start)
            leaves.append(Leaf(LocalState(position), member.name))
        return Parallel(tuple(leaves))

    def composition_reads(self, position: int) -> frozenset[int]:
        """The beginning depends on nothing."""
        return frozenset()

    def is_guard(self, position: int) -> bool:
        """There are no guards of compositions."""
        return False

    def condition(self, position: int) -> Expression:
        """There are no guards of compositions."""
        raise AssertionError(position)

    def place(self, position: int) -> Place:
        """A position as the statement that stands there."""
        if position == FIRST_POSITION:
            return Place("system")
        if position < FIRST_POSITION:
            return Place(
                {ERROR.position: "assertion violated", STOP.position: "ended"}.get(position, "ended")
            )
        at = self._at[position - FIRST_POSITION - 1]
        if at.point is None:
            first = at.member.instances[0].control.start
            return Place("not running, or at its beginning", first.span)
        return Place(self._point_text(at.point), at.point.span)

    def identity(self, position: int) -> bytes:
        """Its number, since all are known from the start."""
        return unsigned(position)

    def position(self, identity: bytes) -> int:
        """The position with a number."""
        number = Reader(identity).unsigned()
        if not FIRST_POSITION <= number < self.position_count:
            raise unknown_position(number)
        return number

    @property
    def position_count(self) -> int:
        """All are known from the start."""
        return FIRST_POSITION + 1 + len(self._at)

    # ------------------------------------------------------------ steps

    def options(self, member: Member, instance: Instance) -> Options:
        """The options of a process."""
        if instance not in self._options:
            self._options[instance] = Options(self.world, member, instance, self.creation)
        return self._options[instance]

    def _found(self, at: _At) -> list[Edge]:
        labels: dict[str, int] = {}
        if at.instance is None or at.point is None:
            found = []
            for number, instance in enumerate(at.member.instances, 1):
                fresh = Shared(at.member.fresh or 0, f"(fresh {at.member.pid})", Type.INT)
                test = Binary(Operator.EQUAL, fresh, Constant(number), Type.BOOL)
                point = instance.control.start
                found += self._edges_at(at.member, instance, point, test, labels)
            return found
        return self._edges_at(at.member, at.instance, at.point, TRUE, labels)

    def _edges_at(
        self, member: Member, instance: Instance, point: Point, test: Expression, labels: dict[str, int]
    ) -> list[Edge]:
        steps = Steps(self.options(member, instance))
        known = self.known_at_start.get(instance, {}) if point is instance.control.start else {}
        found = []
        for outcome in steps.at(point, known):
            edge = self._edge(member, instance, point, test, outcome, labels)
            if edge is not None:
                found.append(edge)
        return found

    def _edge(
        self,
        member: Member,
        instance: Instance,
        point: Point,
        test: Expression,
        outcome: Outcome,
        labels: dict[str, int],
    ) -> Edge | None:
        tests = [test]
        holder = self.world.holder
        is_receiving = outcome.meeting is not None and outcome.meeting.sent is None
        if holder is not None and not is_receiving:
            slot = Shared(holder, "(atomic)", Type.INT)
            free = Binary(Operator.EQUAL, slot, Constant(0), Type.BOOL)
            own = Binary(Operator.EQUAL, slot, Constant(member.pid + 1), Type.BOOL)
            tests.append(any_of([free, own]) if point.atomic is not None else free)
        guard = all_of([*tests, outcome.guard])
        if guard == FALSE:
            return None
        update = self._update(member, instance, point, outcome)
        if outcome.to is None:
            target = ERROR.position
        elif outcome.has_ended:
            target = self.dead(member)
        else:
            target = self.number(member, instance, outcome.to)
        text = self._label(member, instance, outcome.moves)
        if outcome.to is None:
            text += " violated"
        labels[text] = labels.get(text, 0) + 1
        if labels[text] > 1:
            text += f" #{labels[text]}"
        places = tuple(move.span for move in outcome.moves)
        return Edge(
            None if guard == TRUE else guard,
            EventTemplate(text),
            update,
            False,
            Target(target),
            self._handshake(outcome),
            places=places,
        )

    def _handshake(self, outcome: Outcome) -> Send | Receive | None:
        meeting = outcome.meeting
        if meeting is None:
            return None
        rendezvous = Rendezvous(meeting.channel.name, 1, Constant(0))
        if meeting.sent is not None:
            return Send(rendezvous, tuple(value.expression for value in meeting.sent))
        return Receive(rendezvous, len(meeting.channel.form), meeting.accepts)

    def _update(self, member: Member, instance: Instance, point: Point, outcome: Outcome) -> Program | None:
        """What the step does, and what the slots say that tell where the process is."""
        world, found = self.world, list(outcome.effects)

        def put(slot: int, name: str, value: Expression) -> None:
            found.append(Store(Shared(slot, name, Type.INT), value, None, None))

        first = instance.control.start
        if member.fresh is not None and outcome.to is not None:
            comes_back = outcome.to is first and not outcome.has_ended
            if point is first and not comes_back:
                put(member.fresh, f"(fresh {member.pid})", Constant(0))
            elif point is not first and comes_back:
                kind = member.instances.index(instance) + 1
                put(member.fresh, f"(fresh {member.pid})", Constant(kind))
        if member.point is not None and outcome.to is not None:
            code = 0 if outcome.has_ended else point_code(member, instance, outcome.to.number)
            put(member.point, f"(point {member.pid})", Constant(code))
        if world.last is not None:
            put(world.last, "_last", Constant(member.pid))
        if outcome.is_cut:
            assert outcome.to is not None
            self._hold(member, instance, outcome.to, found)
        elif world.holder is not None and (point.atomic is not None or outcome.meeting is not None):
            put(world.holder, "(atomic)", Constant(0))
        if not found:
            return None
        return found[0] if len(found) == 1 else Block(tuple(found))

    def _hold(self, member: Member, instance: Instance, point: Point, found: list[Program]) -> None:
        """The process continues alone if it can."""
        self.was_cut = True
        holder = self.world.holder
        if holder is None:
            return
        slot = Shared(holder, "(atomic)", Type.INT)
        own, free = Constant(member.pid + 1), Constant(0)
        # who waits for a timeout does not continue alone
        own_options = self._plain(member, instance)
        tests = [own_options.enabled(point)]
        tests += [
            self.is_met(member, option)
            for option in own_options.at(point)
            if option.meeting is not None and option.meeting.sent is not None
        ]
        test = any_of(tests)
        value = own if test == TRUE else free if test == FALSE else Conditional(test, own, free, Type.INT)
        found.append(Store(slot, value, None, None))

    # ------------------------------------------------------------ what other processes can do

    def is_met(self, member: Member, option: Option) -> Expression:
        """Whether some other process can receive what an option sends."""
        meeting = option.meeting
        assert meeting is not None and meeting.sent is not None
        reader = Expressions(self.world)
        tests = []
        for other, instance, point in self._points():
            if other is member:
                continue
            for receiving in self._plain(other, instance).at(point):
                their = receiving.meeting
                if their is None or their.sent is not None or their.channel is not meeting.channel:
                    continue
                accepted = TRUE if their.accepts is None else their.accepts
                message = [value.expression for value in meeting.sent]
                tests.append(
                    all_of(
                        [
                            reader.is_at(other, instance, point.number),
                            receiving.guard,
                            with_received(accepted, message),
                        ]
                    )
                )
        return all_of([option.guard, any_of(tests)])

    def _points(self) -> list[tuple[Member, Instance, Point]]:
        return [
            (member, instance, point)
            for member in self.world.members
            for instance in member.instances
            for point in instance.control.reachable()
        ]

    def _plain(self, member: Member, instance: Instance) -> Options:
        """The options of a process without those that wait for a timeout."""
        if instance not in self._plain_options:
            self._plain_options[instance] = _WithoutTimeout(self.world, member, instance, self.creation)
        return self._plain_options[instance]

    def nothing_possible(self) -> Expression:
        """What `timeout` means: no process can do anything else."""
        if self._timeout is None:
            reader = Expressions(self.world)
            tests = []
            for member, instance, point in self._points():
                own = [option for option in self._plain(member, instance).at(point) if option.guard != FALSE]
                able = [option.guard for option in own if option.meeting is None]
                able += [
                    self.is_met(member, option)
                    for option in own
                    if option.meeting is not None and option.meeting.sent is not None
                ]
                possible = any_of(able)
                if possible != FALSE:
                    tests.append(all_of([reader.is_at(member, instance, point.number), possible]))
            from fairlead.lang.promela.elaborate.values import negation

            self._timeout = negation(any_of(tests))
        return self._timeout

    # ------------------------------------------------------------ texts

    def _label(self, member: Member, instance: Instance, moves: tuple[Move, ...]) -> str:
        """`proc 2 (client:1) model.pml:14 [x = 1]`."""
        first = moves[0].span
        text = "; ".join(move_text(move) for move in moves[:4])
        if len(text) > SHOWN_TEXT or len(moves) > 4:
            text = text[: SHOWN_TEXT - 1] + "…"
        return f"proc {member.pid} ({instance.proctype.name}:1) {place_text(first)} [{text}]"

    def _point_text(self, point: Point) -> str:
        texts = [move_text(move) for move in point.moves[:3]]
        where = "" if point.span is None else f"{place_text(point.span)} "
        return f"{where}[{' or '.join(texts)}{' …' if len(point.moves) > 3 else ''}]"


class _WithoutTimeout(Options):
    """The options of a process where nothing waits for a timeout."""

    def at(self, point: Point) -> list[Option]:
        """The options at a point, in the order of the text."""
        kept, self.world.timeout = self.world.timeout, lambda: FALSE
        try:
            return super().at(point)
        finally:
            self.world.timeout = kept


def is_end(instance: Instance | None, point: Point) -> bool:
    """Whether a process may stay at a point forever: at its end, or at a label that begins with `end`."""
    if instance is not None and point is instance.control.end:
        return True
    return any(label.startswith("end") for label in point.labels)


def move_text(move: Move) -> str:
    """A statement as it stands in the text, in one line."""
    statement = move.statement
    if statement is None:
        return "-end-"
    if isinstance(statement, syntax.Else):
        return "else"
    if isinstance(statement, syntax.DStep):
        return "d_step"
    return _BLANKS.sub(" ", move.span.text)[:60]


def place_text(span: Span) -> str:
    """`model.pml:14`."""
    return f"{span.source.name.replace(chr(92), '/').rpartition('/')[2]}:{span.line}"


__all__ = ["InternalError", "PromelaBehaviour", "condition", "of_type"]
