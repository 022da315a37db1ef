"""Says what a statement does: under which condition, to which variables, together with whom."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate import messages, values
from fairlead.lang.promela.elaborate.control import Move, Point
from fairlead.lang.promela.elaborate.creation import Creation
from fairlead.lang.promela.elaborate.expressions import Expressions, together
from fairlead.lang.promela.elaborate.layout import Channel, width_of
from fairlead.lang.promela.elaborate.values import Value, all_of, any_of, negation, number
from fairlead.lang.promela.elaborate.world import Instance, Member, World
from fairlead.lang.promela.parse_statements import DECLARE_EARLIER
from fairlead.lang.promela.syntax import Basic
from fairlead.model.evaluation import Fault
from fairlead.model.expression import FALSE, TRUE, Binary, Constant, Expression, Operator, Received, Shared
from fairlead.model.program import Program, Store
from fairlead.model.types import Type


@dataclass(frozen=True)
class Meeting:
    """Half of a rendezvous: the values that are sent, or what is accepted of those that are received."""

    channel: Channel
    sent: tuple[Value, ...] | None
    accepts: Expression | None = None
    wanted: tuple[Value | None, ...] = ()


@dataclass(frozen=True)
class Option:
    """One thing that a process can do at a point; `to` is None where an assertion fails."""

    guard: Expression
    effects: tuple[Program, ...]
    move: Move
    to: Point | None
    meeting: Meeting | None = None
    #: something was created, so that what follows is known only when it has been
    ends: bool = False

    @property
    def stays_atomic(self) -> bool:
        """Whether the process continues without others."""
        return self.to is not None and self.move.stays_atomic


class Options:
    """The options of one process, point by point."""

    def __init__(self, world: World, member: Member, instance: Instance, creation: Creation) -> None:
        self.world = world
        self.member = member
        self.instance = instance
        self.reader = Expressions(world, instance)
        self._creation = creation
        self._known: dict[int, list[Option]] = {}
        self._enabled: dict[int, Expression] = {}

    def at(self, point: Point) -> list[Option]:
        """The options at a point, in the order of the text."""
        if point.number not in self._known:
            self._known[point.number] = self._found(point)
        return self._known[point.number]

    def enabled(self, point: Point) -> Expression:
        """Whether something can be done at a point without another process."""
        if point.number not in self._enabled:
            tests = [option.guard for option in self.at(point) if option.meeting is None]
            self._enabled[point.number] = any_of(tests)
        return self._enabled[point.number]

    def _found(self, point: Point) -> list[Option]:
        found: list[Option] = []
        others: list[Expression] = []
        # what interrupts several moves is one option
        interrupting: set[int] = set()
        for move in point.moves:
            if isinstance(move.statement, syntax.Else):
                # as in SPIN, the options before it count, and a rendezvous does not
                own = [Option(self._guarded(negation(any_of(others)), move), (), move, move.target)]
            else:
                own = self._of(move, interrupting)
            found += own
            others += [option.guard for option in own if option.meeting is None]
        provided = self.instance.proctype.provided
        if provided is not None:
            test = self.reader.condition(provided)
            found = [replace(option, guard=all_of([test, option.guard])) for option in found]
        return found

    def _guarded(self, guard: Expression, move: Move) -> Expression:
        """A guard of something that can be interrupted: only while nothing interrupts it."""
        tests = [guard]
        for escapes in move.escapes:
            for escape in escapes:
                tests += [negation(option.guard) for option in self._of(escape, set())]
        return all_of(tests)

    def _of(self, move: Move, known: set[int]) -> list[Option]:
        found = self._plain(move)
        if not move.escapes:
            return found
        interrupted = [replace(option, guard=self._guarded(option.guard, move)) for option in found]
        outer: list[Expression] = []
        for escapes in move.escapes:
            for escape in escapes:
                if isinstance(escape.statement, syntax.Else):
                    message = "'else' cannot stand at the beginning of an 'unless'"
                    raise input_error(Code.UNSUPPORTED, message, escape.span)
                for option in self._plain(escape):
                    if option.meeting is not None:
                        message = "a rendezvous cannot stand at the beginning of an 'unless'"
                        raise input_error(Code.UNSUPPORTED, message, escape.span)
                    if id(escape) not in known:
                        interrupted.append(replace(option, guard=all_of([*outer, option.guard])))
                known.add(id(escape))
            outer += [negation(option.guard) for escape in escapes for option in self._plain(escape)]
        return interrupted

    # ------------------------------------------------------------ statements

    def _plain(self, move: Move) -> list[Option]:
        statement, to = move.statement, move.target
        match statement:
            case None:
                return [self._end(move)]
            case syntax.Assign(target=target, value=syntax.Run() as run):
                return self._run(move, run, target)
            case syntax.Condition(value=syntax.Run() as run):
                return self._run(move, run, None)
            case syntax.Assign(target=target, value=value):
                return [Option(TRUE, (self._stored(target, value),), move, to)]
            case syntax.Declare(variables=(variable,)):
                return [Option(TRUE, (self._declared(variable),), move, to)]
            case syntax.Condition(value=value):
                return [Option(self.reader.condition(value), (), move, to)]
            case syntax.Assert(value=value):
                return self._assert(move, value)
            case syntax.Print() | syntax.Goto() | syntax.Break():
                return [Option(TRUE, (), move, to)]
            case syntax.Send(channel=channel, values=sent, is_sorted=is_sorted):
                return self._send(move, channel, sent, is_sorted)
            case syntax.Receive():
                return self._receive(move, statement)
            case syntax.DStep(body=body):
                from fairlead.lang.promela.elaborate.dsteps import DSteps

                guard, program = DSteps(self.reader, statement.span).compiled(body)
                return [Option(guard, (program,), move, to)]
            case syntax.Block() | syntax.Atomic() | syntax.Unless():
                return [Option(TRUE, (), move, to)]
        raise AssertionError(statement)

    def _stored(self, target: syntax.Name, value: syntax.Expression) -> Program:
        if target.variable.name == "_":
            raise input_error(Code.TYPE, "'_' takes no values here", target.span)
        return messages.stored(self.reader, target, self.reader.value(value))

    def _declared(self, variable: syntax.Variable) -> Program:
        """A declaration between statements sets the variable; of an array the first element, as in SPIN."""
        base, kind = self.instance.places[variable], variable.type
        init = variable.init
        if not isinstance(kind, Basic):
            return Store(Shared(base, variable.name, Type.INT), Constant(0), None, None)
        if isinstance(init, tuple):
            message = "an array with a list of values is declared between statements"
            hint = DECLARE_EARLIER
            raise input_error(Code.UNSUPPORTED, message, variable.span, hint)
        value = number(0)
        if init is not None:
            assert not isinstance(init, syntax.ChannelInit)
            value = self.reader.value(init)
        shown = self.world.layout.shown_type(variable)
        return Store(Shared(base, variable.name, shown), values.fitted(value, kind), None, None)

    def _assert(self, move: Move, value: syntax.Expression) -> list[Option]:
        test = self.reader.condition(value)
        found = [Option(test, (), move, move.target), Option(negation(test), (), move, None)]
        return [option for option in found if option.guard != FALSE]

    def _end(self, move: Move) -> Option:
        """A process ends when it is the youngest one; then all that it had is forgotten."""
        world, instance = self.world, self.instance
        count = Shared(world.count, "_nr_pr", Type.INT)
        guard = Binary(Operator.EQUAL, count, Constant(instance.pid + 1), Type.BOOL)
        effects: list[Program] = [Store(count, Constant(instance.pid), None, None)]
        for variable, base in instance.places.items():
            width = width_of(variable.type) * (variable.size or 1)
            effects += [_cleared(slot, variable.name) for slot in range(base, base + width)]
            effects += self._emptied(variable, base)
        return Option(guard, tuple(effects), move, move.target, ends=True)

    def _emptied(self, variable: syntax.Variable, base: int) -> list[Program]:
        """The channels of a process are gone with it."""
        found: list[Program] = []
        for (declared, slot), held in self.world.own_channels.items():
            queue = self.world.channel(held).queue
            if declared is variable and base <= slot < base + (variable.size or 1) and queue is not None:
                found += [_cleared(at, queue.name) for at in range(queue.base, queue.base + queue.stride)]
        return found

    def _run(self, move: Move, run: syntax.Run, target: syntax.Name | None) -> list[Option]:
        guard, created = self._creation.of(run, self.reader)
        effects = [created]
        if target is not None:  # the arguments of `run` are evaluated before its pid is stored
            count = Shared(self.world.count, "_nr_pr", Type.INT)
            pid = Value(Binary(Operator.SUBTRACT, count, Constant(1), Type.INT), 0, 255)
            effects.append(messages.stored(self.reader, target, pid))
        return [Option(guard, tuple(effects), move, move.target)]

    # ------------------------------------------------------------ messages

    def _message(self, sent: tuple[syntax.Expression, ...]) -> tuple[Value, ...]:
        """The fields of a message; a structure is all its fields."""
        return tuple(self.reader.value(one) for one in self._flat(sent))

    def _flat(self, fields: tuple[syntax.Expression, ...]) -> tuple[syntax.Expression, ...]:
        found: list[syntax.Expression] = []
        for one in fields:
            found += flattened(one) if isinstance(one, syntax.Name) else [one]
        return tuple(found)

    def _channels(self, name: syntax.Name, width: int, move: Move) -> list[tuple[Expression, Channel]]:
        found = self.reader.channels(name, None)
        fitting = [(test, channel) for test, channel in found if len(channel.form) == width]
        if found and not fitting:
            expected = len(found[0][1].form)
            message = f"messages of '{name.variable.name}' have {expected} fields, not {width}"
            raise input_error(Code.ARITY, message, move.span)
        return fitting

    def _send(
        self, move: Move, name: syntax.Name, sent: tuple[syntax.Expression, ...], is_sorted: bool
    ) -> list[Option]:
        message = self._message(sent)
        found = []
        for test, channel in self._channels(name, len(message), move):
            if channel.queue is None:
                fitted = tuple(
                    values.of_type(values.fitted(value, kind), kind)
                    for value, kind in zip(message, channel.form, strict=True)
                )
                found.append(Option(test, (), move, move.target, Meeting(channel, fitted)))
                continue
            room = values.compared("<", self.reader.length(channel), number(channel.capacity)).expression
            program = messages.sent_in_order if is_sorted else messages.sent
            found.append(Option(all_of([test, room]), (program(channel, message),), move, move.target))
        return found

    def _receive(self, move: Move, statement: syntax.Receive) -> list[Option]:
        fields = self._flat(statement.fields)
        found = []
        for test, channel in self._channels(statement.channel, len(fields), move):
            if channel.queue is None:
                found.append(self._met(move, test, channel, fields))
                continue
            there = self.reader.has_message(channel, fields, statement.is_random)
            taken = messages.taken_anywhere if statement.is_random else messages.taken_first
            effects = taken(channel, fields, self.reader, statement.keeps)
            found.append(Option(all_of([test, there]), tuple(effects), move, move.target))
        return found

    def _met(
        self, move: Move, test: Expression, channel: Channel, fields: tuple[syntax.Expression, ...]
    ) -> Option:
        """The half of a rendezvous that receives."""
        tests: list[Expression] = []
        effects: list[Program] = []
        all_wanted: list[Value | None] = []
        for part, one in enumerate(fields):
            received = values.of_type(Received(part, Type.INT), channel.form[part])
            wanted = self.reader.wanted(one)
            all_wanted.append(wanted)
            if wanted is not None:
                tests.append(Binary(Operator.EQUAL, received.expression, wanted.expression, Type.BOOL))
            if isinstance(one, syntax.Name):
                effects.append(messages.stored(self.reader, one, received))
        accepts = all_of(tests) if tests else None
        meeting = Meeting(channel, None, accepts, tuple(all_wanted))
        return Option(test, tuple(effects), move, move.target, meeting)


def _cleared(slot: int, name: str) -> Program:
    return Store(Shared(slot, name, Type.INT), Constant(0), None, None)


def flattened(name: syntax.Name) -> list[syntax.Expression]:
    """A structure as its fields; a number is itself."""
    last = name
    while last.inner is not None:
        last = last.inner
    kind = last.variable.type
    if isinstance(kind, Basic):
        return [name]
    found: list[syntax.Expression] = []
    for one in kind.fields:
        for at in range(one.size or 1):
            index = None if one.size is None else syntax.Number(at, name.span, str(at))
            found += flattened(_extended(name, syntax.Name(one, index, None, name.span)))
    return found


def _extended(name: syntax.Name, by: syntax.Name) -> syntax.Name:
    return replace(name, inner=by if name.inner is None else _extended(name.inner, by))


__all__ = ["Fault", "Meeting", "Option", "Options", "together"]
