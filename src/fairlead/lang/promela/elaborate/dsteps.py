"""Writes a `d_step` as one program: of several options that are possible the first is taken, as SPIN does."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.source import Span
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate import messages, values
from fairlead.lang.promela.elaborate.expressions import Expressions
from fairlead.lang.promela.elaborate.values import all_of, any_of, number
from fairlead.lang.promela.syntax import Sequence, Statement
from fairlead.model.expression import FALSE, TRUE, Asserted, Expression, Local
from fairlead.model.program import Block, Branch, Loop, Program, Require, Store
from fairlead.model.types import Type


class DSteps:
    """Compiles the body of a `d_step`; loops continue until a local variable says that they are left."""

    def __init__(self, reader: Expressions, span: Span) -> None:
        self._reader = reader
        self._span = span
        self._loops: list[Local] = []
        self._next = messages.FIRST_FREE

    def compiled(self, body: Sequence) -> tuple[Expression, Program]:
        """When it can begin, and what it does."""
        return self._guard(body), Block(tuple(self._sequence(body, is_first=True)))

    # ------------------------------------------------------------ when it can begin

    def _guard(self, body: Sequence) -> Expression:
        """Whether a sequence can begin."""
        if not body:
            return TRUE
        first = body[0]
        match first:
            case syntax.If(options=options) | syntax.Do(options=options):
                if any(isinstance(option[0], syntax.Else) for option in options):
                    return TRUE
                return any_of([self._guard(option) for option in options])
            case syntax.Block(body=inner) | syntax.Atomic(body=inner) | syntax.DStep(body=inner):
                return self._guard((*inner, *body[1:]))
        return self._test(first)

    def _test(self, statement: Statement) -> Expression:
        """Whether a simple statement can be executed."""
        reader = self._reader
        match statement:
            case syntax.Condition(value=syntax.Run(span=span)):
                raise _not_here("'run'", span)
            case syntax.Condition(value=value):
                return reader.condition(value)
            case syntax.Send(channel=channel, values=sent, span=span):
                tests = []
                for test, one in reader.channels(channel, len(sent)):
                    if one.queue is None:
                        raise _not_here("a rendezvous", span)
                    length = reader.length(one)
                    room = _room(length.expression, one.capacity)
                    tests.append(all_of([test, room]))
                return any_of(tests)
            case syntax.Receive(channel=channel, fields=fields, is_random=is_random, span=span):
                tests = []
                for test, one in reader.channels(channel, len(fields)):
                    if one.queue is None:
                        raise _not_here("a rendezvous", span)
                    tests.append(all_of([test, reader.has_message(one, fields, is_random)]))
                return any_of(tests)
            case syntax.Else(span=span):
                raise input_error(Code.SYNTAX, "'else' stands outside of a choice", span)
        return TRUE

    # ------------------------------------------------------------ what it does

    def _sequence(self, body: Sequence, *, is_first: bool = False) -> list[Program]:
        found: list[Program] = []
        for at, statement in enumerate(body):
            found += self._statement(statement, is_known=is_first and at == 0)
            if _leaves(statement) and self._loops:
                rest = self._sequence(body[at + 1 :])
                if rest:
                    found.append(Branch(self._loops[-1], Block(tuple(rest)), Block(())))
                break
        return found

    def _statement(self, statement: Statement, *, is_known: bool) -> list[Program]:
        reader = self._reader
        match statement:
            case syntax.Assign(value=syntax.Run(span=span)):
                raise _not_here("'run'", span)
            case syntax.Assign(target=target, value=value):
                return [messages.stored(reader, target, reader.value(value))]
            case syntax.Declare(variables=(variable,)):
                name = syntax.Name(variable, None, None, variable.span)
                if variable.size is not None:
                    name = syntax.Name(variable, syntax.Number(0, variable.span, "0"), None, variable.span)
                init = variable.init
                assert not isinstance(init, syntax.ChannelInit | tuple)
                return [messages.stored(reader, name, number(0) if init is None else reader.value(init))]
            case syntax.Print() | syntax.Else():
                return []
            case syntax.Assert(value=value, span=span):
                return [Require(Asserted(reader.condition(value), Type.BOOL, span))]
            case syntax.Block(body=inner) | syntax.Atomic(body=inner) | syntax.DStep(body=inner):
                return self._sequence(inner, is_first=is_known)
            case syntax.If(options=options, span=span):
                return [self._choice(options, span)]
            case syntax.Do(options=options, span=span):
                return self._loop(options, span)
            case syntax.Break(span=span):
                if not self._loops:
                    raise input_error(Code.UNSUPPORTED, "'break' leaves the d_step", span)
                return [Store(self._loops[-1], FALSE, None, None)]
            case syntax.Goto(span=span):
                hint = "write a loop and 'break', or use atomic"
                raise _not_here("'goto'", span, hint)
            case syntax.Unless(span=span):
                raise _not_here("'unless'", span)
        test = self._test(statement)
        found: list[Program] = []
        if not is_known and test != TRUE:
            found.append(Require(Asserted(test, Type.BOOL, statement.span)))
        match statement:
            case syntax.Send(channel=channel, values=sent, is_sorted=is_sorted):
                message = [reader.value(one) for one in sent]
                program = messages.sent_in_order if is_sorted else messages.sent
                found.append(
                    messages.chosen(
                        [(test, program(one, message)) for test, one in reader.channels(channel, len(sent))]
                    )
                )
            case syntax.Receive(channel=channel, fields=fields, is_random=is_random, keeps=keeps):
                taken = messages.taken_anywhere if is_random else messages.taken_first
                found.append(
                    messages.chosen(
                        [
                            (test, Block(tuple(taken(one, fields, reader, keeps))))
                            for test, one in reader.channels(channel, len(fields))
                        ]
                    )
                )
        return found

    def _choice(self, options: tuple[Sequence, ...], span: Span) -> Program:
        """The first option that is possible; that none is, is an error of the model."""
        otherwise: Program = Require(Asserted(FALSE, Type.BOOL, span))
        last = next((option for option in options if isinstance(option[0], syntax.Else)), None)
        if last is not None:
            otherwise = Block(tuple(self._sequence(last)))
        for option in reversed(options):
            if option is last:
                continue
            test = self._guard(option)
            program = Block(tuple(self._sequence(option, is_first=True)))
            otherwise = program if test == TRUE else Branch(test, program, otherwise)
        return otherwise

    def _loop(self, options: tuple[Sequence, ...], span: Span) -> list[Program]:
        goes_on = Local(self._next, "(loop)", Type.BOOL)
        self._next += 1
        self._loops.append(goes_on)
        body = self._choice(options, span)
        self._loops.pop()
        return [Store(goes_on, TRUE, None, None), Loop(goes_on, body, span)]


def _not_here(what: str, span: Span, hint: str | None = None) -> InputError:
    """The error for something that a d_step cannot have here."""
    return input_error(Code.UNSUPPORTED, f"{what} in a d_step is not supported", span, hint)


def _room(length: Expression, capacity: int) -> Expression:
    """Whether there is room in a buffer."""
    return values.compared("<", values.Value(length, 0, capacity), number(capacity)).expression


def _leaves(statement: Statement) -> bool:
    """Whether a statement may leave the loop that it stands in."""
    match statement:
        case syntax.Break():
            return True
        case syntax.If(options=options):
            return any(_leaves(inner) for option in options for inner in option)
        case syntax.Block(body=body) | syntax.Atomic(body=body) | syntax.DStep(body=body):
            return any(_leaves(inner) for inner in body)
    return False
