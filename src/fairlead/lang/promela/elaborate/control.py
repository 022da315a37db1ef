"""Finds the control points of a proctype, and the statements that lead from one to another.

SPIN's own rules are followed: `goto` and `break` behind another statement take no step, as the first
statement of an option they take one; the first statements of nested choices are those of the choice around
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, InputError, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.promela.syntax import (
    Atomic,
    Block,
    Break,
    Declare,
    Do,
    DStep,
    Else,
    Goto,
    If,
    Label,
    Proctype,
    Sequence,
    Statement,
    Unless,
)

#: what labels begin with that say something about a point
_MARKS = ("end", "progress", "accept")


@dataclass(eq=False)
class Point:
    """A control point: what can be done there. `atomic` is the atomic sequence that it lies in."""

    number: int
    atomic: int | None
    moves: list[Move] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    span: Span | None = None
    #: a jump alone: the point is where it leads
    alias: Point | None = None

    @property
    def real(self) -> Point:
        """The point that is meant after all jumps."""
        seen = [self]
        while seen[-1].alias is not None:
            if seen[-1].alias in seen:
                return seen[-1]
            seen.append(seen[-1].alias)
        return seen[-1]


@dataclass(eq=False)
class Move:
    """A statement, and where it leads; None as statement is the end of the process.

    `escapes` are the first moves of what interrupts it, of the outermost `unless` first.
    """

    statement: Statement | None
    to: Point
    atomic: int | None
    span: Span
    escapes: tuple[tuple[Move, ...], ...] = ()

    @property
    def target(self) -> Point:
        """Where it leads."""
        return self.to.real

    @property
    def stays_atomic(self) -> bool:
        """Whether the process continues without others in between, as long as it can."""
        return self.atomic is not None and self.target.atomic == self.atomic


@dataclass(frozen=True)
class _Place:
    """Where statements stand: in which atomic sequence, what `break` means, and what interrupts them."""

    atomic: int | None = None
    leave: Point | None = None
    escapes: tuple[tuple[Move, ...], ...] = ()


class Control:
    """The control points of a proctype; `start` is the first, `end` the last."""

    def __init__(self, proctype: Proctype) -> None:
        self.proctype = proctype
        self.points: list[Point] = []
        self.problems: list[InputError] = []
        self._labels: dict[str, Point] = {}
        self._defined: dict[str, Label] = {}
        self._gotos: list[Goto] = []
        self._atomics = 0
        self._passed_on: list[tuple[Point, tuple[Label, ...]]] = []
        self.end = self._point(_Place())
        self.end.span = proctype.end_span
        self.end.moves.append(Move(None, self.end, None, proctype.end_span))
        begin = self._sequence(proctype.body, self.end, _Place())
        for point in self.points:
            if point.real.alias is not None:
                # jumps that lead to each other: going round takes steps
                ring = point.real
                assert ring.alias is not None
                jump = Goto(ring.span or proctype.end_span, "")
                ring.moves, ring.alias = [Move(jump, ring, None, jump.span)], None
        self.start = begin.real
        for point, labels in self._passed_on:
            # as in SPIN, such a label on the first statement of an option counts behind that statement
            marks = {label.name for label in labels if label.name.startswith(_MARKS)}
            for move in point.moves if marks else ():
                move.target.labels |= marks
        for goto in self._gotos:
            if goto.label not in self._defined:
                hint = nearest(goto.label, self._defined)
                self.problems.append(no_label(goto.label, proctype.name, goto.span, hint))

    def labelled(self, name: str) -> Point | None:
        """The point with a label."""
        return self._labels[name].real if name in self._defined else None

    @property
    def labels(self) -> dict[str, Label]:
        """The labels of the proctype."""
        return self._defined

    def reachable(self) -> list[Point]:
        """The points that some sequence of statements leads to."""
        found, pending = [self.start], [self.start]
        seen = {self.start.number}
        while pending:
            for move in pending.pop().moves:
                for one in (move, *(escape for escapes in move.escapes for escape in escapes)):
                    if one.target.number not in seen:
                        seen.add(one.target.number)
                        found.append(one.target)
                        pending.append(one.target)
        return found

    # ------------------------------------------------------------ points

    def _point(self, place: _Place) -> Point:
        tick()
        self.points.append(Point(len(self.points), place.atomic))
        return self.points[-1]

    def _label(self, name: str) -> Point:
        if name not in self._labels:
            self._labels[name] = self._point(_Place())
        return self._labels[name]

    def _sequence(self, body: Sequence, then: Point, place: _Place) -> Point:
        """Where a sequence begins that continues at a point."""
        at = then
        for statement in reversed(body):
            at = self._statement(statement, at, place)
        return at

    def _firsts(self, body: Sequence, then: Point, place: _Place) -> list[Move]:
        """What a sequence can begin with."""
        rest = self._sequence(body[1:], then, place)
        first = body[0]
        if first.labels:
            point = self._statement(first, rest, place)
            self._passed_on.append((point, first.labels))
            if point.alias is not None:
                return [Move(first, point, place.atomic, first.span, place.escapes)]
            return list(point.moves)
        return self._moves(first, rest, place)

    def _statement(self, statement: Statement, then: Point, place: _Place) -> Point:
        """The point at which a statement stands that continues at another one."""
        point: Point | None = None
        if statement.labels:
            point = self._label(statement.labels[0].name)
            for label in statement.labels:
                if label.name in self._defined:
                    message = f"the label '{label.name}' stands twice in '{self.proctype.name}'"
                    self.problems.append(input_error(Code.NAME_CLASH, message, label.span))
                self._defined[label.name] = label
                own = self._label(label.name)
                if own is not point:
                    own.alias = point
                point.labels.add(label.name)
        inner = place.atomic
        if isinstance(statement, Goto | Break):
            target = self._jump(statement, place)
            if point is None:
                return target
            point.alias = target
            return point
        if isinstance(statement, Atomic) and inner is None:
            self._atomics += 1
            inner = self._atomics
        if point is None:
            point = self._point(place)
        point.atomic, point.span = inner, statement.span
        if isinstance(statement, Do):
            # the loop comes back to this very point
            self._loop(statement, point, then, place)
        else:
            point.moves += self._moves(statement, then, place, point)
        return point

    def _jump(self, statement: Goto | Break, place: _Place) -> Point:
        if isinstance(statement, Goto):
            self._gotos.append(statement)
            return self._label(statement.label)
        if place.leave is None:
            self.problems.append(input_error(Code.SYNTAX, "'break' stands in no loop", statement.span))
            return self.end
        return place.leave

    def _loop(self, statement: Do, point: Point, then: Point, place: _Place) -> None:
        inside = _Place(place.atomic, then, place.escapes)
        for option in _else_last(statement.options):
            point.moves += self._firsts(option, point, inside)

    def _moves(
        self, statement: Statement, then: Point, place: _Place, point: Point | None = None
    ) -> list[Move]:
        match statement:
            case If(options=options):
                return [move for one in _else_last(options) for move in self._firsts(one, then, place)]
            case Do():
                loop = self._point(place)
                loop.span = statement.span
                self._loop(statement, loop, then, place)
                return list(loop.moves)
            case Block(body=body):
                return self._inside(body, then, place, statement)
            case Atomic(body=body):
                if place.atomic is not None:
                    return self._inside(body, then, place, statement)
                if point is None:
                    self._atomics += 1
                number = self._atomics if point is None else point.atomic
                return self._inside(body, then, _Place(number, place.leave, place.escapes), statement)
            case Unless(body=body, escape=escape):
                return self._unless(body, escape, then, place)
            case Goto() | Break():
                return [
                    Move(statement, self._jump(statement, place), place.atomic, statement.span, place.escapes)
                ]
        return [Move(statement, then, place.atomic, statement.span, place.escapes)]

    def _inside(self, body: Sequence, then: Point, place: _Place, around: Statement) -> list[Move]:
        if not body:
            return [Move(around, then, None, around.span, place.escapes)]
        return self._firsts(body, then, place)

    def _unless(self, body: Sequence, escape: Sequence, then: Point, place: _Place) -> list[Move]:
        if not escape:
            return self._firsts(body, then, place) if body else []
        escapes = tuple(self._firsts(escape, then, place))
        # the outermost escape goes first
        inside = _Place(place.atomic, place.leave, (*place.escapes, escapes))
        return self._firsts(body, then, inside)


def _else_last(options: tuple[Sequence, ...]) -> list[Sequence]:
    """The options of a choice; an `else` counts those before it."""
    return sorted(options, key=lambda option: isinstance(option[0], Else))


def no_label(label: str, proctype: str, span: Span, hint: str | None) -> InputError:
    """The error for a label that a proctype does not have."""
    return input_error(Code.UNKNOWN_NAME, f"there is no label '{label}' in '{proctype}'", span, hint)


def statements_in(body: Sequence) -> Iterator[Statement]:
    """The statements of a sequence, and those inside them."""
    pending: list[Statement] = list(reversed(body))
    while pending:
        statement = pending.pop()
        yield statement
        match statement:
            case If(options=options) | Do(options=options):
                for option in reversed(options):
                    pending += reversed(option)
            case Block(body=inner) | Atomic(body=inner) | DStep(body=inner):
                pending += reversed(inner)
            case Unless(body=inner, escape=escape):
                pending += reversed((*inner, *escape))


__all__ = ["Control", "Declare", "Move", "Point", "statements_in"]
