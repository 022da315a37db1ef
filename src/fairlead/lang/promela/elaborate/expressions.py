"""Translates expressions of Promela into those of the Network, for one process."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, InputError, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate import values
from fairlead.lang.promela.elaborate.control import no_label
from fairlead.lang.promela.elaborate.layout import Channel, offset_in, width_of
from fairlead.lang.promela.elaborate.values import (
    Value,
    all_of,
    any_of,
    condition,
    negation,
    number,
    truth_of,
)
from fairlead.lang.promela.elaborate.world import Instance, Member, World
from fairlead.lang.promela.syntax import BYTE, CHAN, Basic, ChannelInit, Special, Struct
from fairlead.model.expression import (
    FALSE,
    TRUE,
    Binary,
    Bounded,
    Constant,
    Expression,
    Operator,
    Shared,
    SharedElement,
)
from fairlead.model.folding import fold
from fairlead.model.types import Type

#: a hint for formulas
PARENTHESES = "write the expressions in formulas in parentheses: [] (x == 1)"
#: a variable that can be assigned to
Target = Shared | SharedElement


class Expressions:
    """Translates expressions of a process; without one, those of properties."""

    def __init__(self, world: World, instance: Instance | None = None) -> None:
        self.world = world
        self.instance = instance

    # ------------------------------------------------------------ values

    def condition(self, expression: syntax.Expression) -> Expression:
        """Whether an expression is not 0."""
        return condition(self.value(expression))

    def value(self, expression: syntax.Expression) -> Value:
        """The value of an expression."""
        match expression:
            case syntax.Number(value):
                return number(value)
            case syntax.Name():
                return self._read(expression)
            case syntax.SpecialName(which, span):
                return self._special(which, span)
            case syntax.Unary(operator, operand, span):
                inner = self.value(operand)
                if operator == "!":
                    return truth_of(negation(condition(inner)))
                return values.negative(inner, span) if operator == "-" else values.complement(inner, span)
            case syntax.Binary(operator, left, right, span):
                return values.applied(operator, self.value(left), self.value(right), span)
            case syntax.Conditional(test, then, otherwise):
                return values.chosen(self.condition(test), self.value(then), self.value(otherwise))
            case syntax.ChannelTest(function, channel, span):
                return self._channel_test(function, channel, span)
            case syntax.ProcessTest(function, _, span):
                raise input_error(Code.UNSUPPORTED, f"'{function}' is not supported", span)
            case syntax.AtLabel():
                return self._at_label(expression)
            case syntax.RemoteVariable():
                return self._remote(expression)
            case syntax.Poll():
                return self._poll(expression)
            case syntax.Run(span=span):
                message = "'run' can only be a statement, or what is assigned to a variable"
                raise input_error(Code.UNSUPPORTED, message, span)
            case syntax.Any(span):
                raise input_error(Code.TYPE, "'_' has no value", span)
            case syntax.Eval(value):
                return self.value(value)
            case syntax.Temporal(operator, span=span):
                message = f"'{operator}' stands inside of an expression"
                hint = PARENTHESES
                raise input_error(Code.FORMULA, message, span, hint)
        raise AssertionError(expression)

    def _special(self, which: Special, span: Span) -> Value:
        world = self.world
        match which:
            case Special.PID:
                if self.instance is None:
                    raise input_error(Code.UNKNOWN_NAME, "'_pid' has a meaning only in a process", span)
                return number(self.instance.pid)
            case Special.COUNT:
                return Value(Shared(world.count, "_nr_pr", Type.INT), 0, 255)
            case Special.LAST:
                assert world.last is not None
                return Value(Shared(world.last, "_last", Type.INT), 0, 255)
            case Special.TIMEOUT:
                if self.world.timeout is None:
                    raise input_error(Code.UNSUPPORTED, "'timeout' has no meaning here", span)
                return truth_of(self.world.timeout())
            case Special.NON_PROGRESS:
                return truth_of(negation(self.at_some_label("progress")))
        raise AssertionError(which)

    # ------------------------------------------------------------ variables

    def place(self, name: syntax.Name) -> tuple[Target, Basic]:
        """The slot of a variable, or the elements one of which it is."""
        variable = name.variable
        base, kind = self._base(name), variable.type
        index = number(0)
        extent = width_of(kind) * (variable.size or 1)
        text, step = variable.name, name
        offset = 0
        while True:
            width = width_of(step.variable.type)
            # without an index the first element of an array is meant, as in SPIN
            if step.variable.size is not None and step.index is not None:
                offset_here = self._offset(step, width, step is name)
                index = values.applied("+", index, offset_here, step.span)
            if step.inner is None:
                break
            structure = step.variable.type
            assert isinstance(structure, Struct)
            offset += offset_in(structure, step.inner.variable.name)
            step = step.inner
            text += f".{step.variable.name}"
        found = step.variable.type
        if not isinstance(found, Basic):
            raise input_error(Code.TYPE, f"'{text}' is a structure, not a number", name.span)
        if step.variable.size is not None and found.bits < 8:
            # the elements of an array of bits are bytes in SPIN
            found = BYTE
        shown = self.world.layout.shown_type(step.variable)
        if index.constant is not None and 0 <= index.constant < extent:
            return Shared(base + offset + index.constant, text, shown), found
        size = extent - offset
        element = SharedElement(base + offset, size, index.expression, text, shown, name.span)
        return element, found

    def _offset(self, step: syntax.Name, width: int, is_first: bool) -> Value:
        assert step.index is not None and step.variable.size is not None
        index, size = self.value(step.index), step.variable.size
        if index.constant is not None and 0 <= index.constant < size:
            return number(index.constant * width)
        simple = is_first and step.inner is None and width == 1
        inside = index.expression
        if not simple or index.constant is not None:
            inside = Bounded(index.expression, size, step.variable.name, Type.INT, step.span)
        low, high = max(index.low, 0), min(index.high, size - 1)
        return values.applied("*", Value(inside, low, max(low, high)), number(width), step.span)

    def _base(self, name: syntax.Name) -> int:
        variable = name.variable
        if self.instance is not None and variable in self.instance.places:
            return self.instance.places[variable]
        if variable in self.world.globals:
            return self.world.globals[variable]
        message = f"'{variable.name}' is a variable of another process"
        raise input_error(Code.UNKNOWN_NAME, message, name.span)

    def _read(self, name: syntax.Name) -> Value:
        if self.instance is not None and name.variable in self.instance.constants:
            return number(self.instance.constants[name.variable])
        fixed = self._fixed_channel(name)
        if fixed is not None:
            return number(fixed)
        target, kind = self.place(name)
        return values.of_type(target, kind)

    def _fixed_channel(self, name: syntax.Name) -> int | None:
        """The number of a channel whose variable never changes."""
        variable = name.variable
        if variable.type is not CHAN or not isinstance(variable.init, ChannelInit):
            return None
        if variable in self.world.changed or name.inner is not None:
            return None
        at = 0
        if variable.size is not None:
            index = 0 if name.index is None else self.value(name.index).constant
            if index is None or not 0 <= index < variable.size:
                return None
            at = index
        base = self._base(name)
        if variable in self.world.globals:
            return self.world.layout.initial[base + at]
        return self.world.own_channels.get((variable, base + at))

    # ------------------------------------------------------------ channels

    def channels(self, name: syntax.Name, width: int | None) -> list[tuple[Expression, Channel]]:
        """The channels that a name can mean, each with the condition under which it does."""
        value = self._read(name)
        world = self.world
        if value.constant is not None:
            if not 1 <= value.constant <= len(world.layout.channels):
                return []
            return [(TRUE, world.channel(value.constant))]
        variable = name.variable
        if isinstance(variable.init, ChannelInit) and variable not in world.changed and name.inner is None:
            index = number(0) if name.index is None else self.value(name.index)
            base = self._base(name)
            found = []
            for at in range(variable.size or 1):
                held = world.layout.initial[base + at] or world.own_channels.get((variable, base + at), 0)
                test = values.compared("==", index, number(at)).expression
                found.append((test, world.channel(held)))
            return found
        known = [one for one in world.layout.channels if width is None or len(one.form) == width]
        held_ones = world.candidates(width) if width is not None else known
        found = []
        for channel in held_ones:
            test = fold(Binary(Operator.EQUAL, value.expression, Constant(channel.number), Type.BOOL))
            found.append((test, channel))
        return found

    def length(self, channel: Channel) -> Value:
        """How many messages are in a channel."""
        if channel.queue is None:
            return number(0)
        return Value(Shared(channel.queue.base, f"len({channel.name})", Type.INT), 0, channel.capacity)

    def slot(self, channel: Channel, message: int, part: int) -> Value:
        """A field of a message in a buffer."""
        queue = channel.queue
        assert queue is not None
        at = queue.base + 1 + message * queue.width + part
        return values.of_type(Shared(at, f"{channel.name}[{message}]", Type.INT), channel.form[part])

    def _channel_test(self, function: str, name: syntax.Name, span: Span) -> Value:
        if syntax_type(name) is not CHAN:
            raise input_error(Code.TYPE, f"'{name.variable.name}' is not a channel", span)
        found = number(0)
        for test, channel in reversed(self.channels(name, None)):
            length, full = self.length(channel), number(channel.capacity)
            match function:
                case "len":
                    one = length
                case "full":
                    one = values.compared("==", length, full)
                case "nfull":
                    one = values.compared("<", length, full)
                case "empty":
                    one = values.compared("==", length, number(0))
                case _:
                    one = values.compared(">", length, number(0))
            found = values.chosen(test, one, found)
        return found

    def _poll(self, poll: syntax.Poll) -> Value:
        tests = []
        for test, channel in self.channels(poll.channel, len(poll.fields)):
            if channel.queue is None:
                continue
            tests.append(all_of([test, self.has_message(channel, poll.fields, poll.is_random)]))
        return truth_of(any_of(tests))

    def has_message(
        self, channel: Channel, fields: tuple[syntax.Expression, ...], is_random: bool
    ) -> Expression:
        """Whether a buffer has a message that fits; only the first counts unless any may be taken."""
        length = self.length(channel)
        places = range(channel.capacity) if is_random else range(1)
        tests = []
        for message in places:
            there = values.compared(">", length, number(message)).expression
            tests.append(all_of([there, self.fits(channel, message, fields)]))
        return any_of(tests)

    def fits(self, channel: Channel, message: int, fields: tuple[syntax.Expression, ...]) -> Expression:
        """Whether a message in a buffer has the values that are asked for."""
        tests = []
        for part, one in enumerate(fields):
            wanted = self.wanted(one)
            if wanted is not None:
                tests.append(values.compared("==", self.slot(channel, message, part), wanted).expression)
        return all_of(tests)

    def wanted(self, one: syntax.Expression) -> Value | None:
        """The value that a field of a message must have to be received; None if any will do."""
        if isinstance(one, syntax.Name | syntax.Any):
            return None
        return self.value(one)

    # ------------------------------------------------------------ other processes

    def at_some_label(self, prefix: str) -> Expression:
        """Whether some process is at a label that begins with a word."""
        tests = []
        for member in self.world.members:
            for instance in member.instances:
                points = [
                    point
                    for point in instance.control.reachable()
                    if any(label.startswith(prefix) for label in point.labels)
                ]
                tests += [self.is_at(member, instance, point.number) for point in points]
        return any_of(tests)

    def is_at(self, member: Member, instance: Instance, point: int) -> Expression:
        """Whether a process is at a point."""
        assert member.point is not None
        slot = Shared(member.point, f"(point {member.pid})", Type.INT)
        return Binary(Operator.EQUAL, slot, Constant(point_code(member, instance, point)), Type.BOOL)

    def _of(
        self, name: str, pid: syntax.Expression | None, span: Span
    ) -> list[tuple[Expression, Member, Instance]]:
        """The processes that a remote reference can mean."""
        self.world.control(name, span)
        found = self.world.instances_of(name)
        if pid is None:
            if len(found) > 1:
                message = f"which process '{name}' is meant?"
                raise input_error(Code.USAGE, message, span, f"write {name}[pid]")
            return [(TRUE, member, instance) for member, instance in found]
        wanted = self.value(pid)
        chosen = []
        for member, instance in found:
            test = values.compared("==", wanted, number(member.pid)).expression
            if test != FALSE:
                chosen.append((test, member, instance))
        return chosen

    def _at_label(self, reference: syntax.AtLabel) -> Value:
        control = self.world.control(reference.proctype, reference.span)
        point = control.labelled(reference.label)
        if point is None:
            hint = nearest(reference.label, control.labels)
            raise no_label(reference.label, reference.proctype, reference.span, hint)
        tests = [
            all_of([test, self.is_at(member, instance, point.number)])
            for test, member, instance in self._of(reference.proctype, reference.pid, reference.span)
        ]
        return truth_of(any_of(tests))

    def _remote(self, reference: syntax.RemoteVariable) -> Value:
        control = self.world.control(reference.proctype, reference.span)
        declared = [*control.proctype.parameters, *control.proctype.locals]
        variable = next((one for one in declared if one.name == reference.name), None)
        if variable is None:
            hint = nearest(reference.name, [one.name for one in declared])
            message = f"there is no variable '{reference.name}' in '{reference.proctype}'"
            raise input_error(Code.UNKNOWN_NAME, message, reference.span, hint)
        found = number(0)
        for test, _, instance in self._of(reference.proctype, reference.pid, reference.span):
            found = values.chosen(test, self._variable_of(instance, variable, reference), found)
        return found

    def _variable_of(
        self, instance: Instance, variable: syntax.Variable, reference: syntax.RemoteVariable
    ) -> Value:
        kind, base = variable.type, instance.places[variable]
        if not isinstance(kind, Basic) or (variable.size is None) is not (reference.index is None):
            raise input_error(Code.TYPE, f"'{reference.name}' is not a number", reference.span)
        if variable in instance.constants:
            return number(instance.constants[variable])
        shown = self.world.layout.shown_type(variable)
        if reference.index is None:
            return values.of_type(Shared(base, variable.name, shown), kind)
        index, size = self.value(reference.index), variable.size or 1
        element = SharedElement(base, size, index.expression, variable.name, shown, reference.span)
        return values.of_type(fold(element), kind)


def point_code(member: Member, instance: Instance, point: int) -> int:
    """The number of a point in the slot of a process."""
    before = member.instances[: member.instances.index(instance)]
    return 1 + point + sum(len(one.control.points) for one in before)


def syntax_type(name: syntax.Name) -> syntax.VariableType:
    """The type of what a name stands for in the end."""
    while name.inner is not None:
        name = name.inner
    return name.variable.type


def together(problems: list[InputError]) -> InputError:
    """Several errors as one."""
    return InputError(tuple(one for problem in problems for one in problem.diagnostics))
