"""Elaborates `run`: which pid a new process gets, and what its variables are."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate import messages, values
from fairlead.lang.promela.elaborate.expressions import Expressions, point_code
from fairlead.lang.promela.elaborate.layout import width_of
from fairlead.lang.promela.elaborate.values import Value, number
from fairlead.lang.promela.elaborate.world import Instance, Member, World
from fairlead.lang.promela.syntax import Basic, ChannelInit, Variable
from fairlead.model.expression import Binary, Constant, Expression, Operator, Shared
from fairlead.model.program import Block, Program, Store
from fairlead.model.types import Type


class Creation:
    """Creates processes in one world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def of(self, run: syntax.Run, reader: Expressions) -> tuple[Expression, Program]:
        """When a process can be created, and the program that does so."""
        world = self._world
        control = world.control(run.name, run.name_at)
        parameters = control.proctype.parameters
        if len(parameters) != len(run.arguments):
            found, expected = len(run.arguments), len(parameters)
            message = f"'{run.name}' has {expected} parameters, not {found}"
            raise input_error(Code.ARITY, message, run.span)
        arguments = [reader.value(argument) for argument in run.arguments]
        count = Shared(world.count, "_nr_pr", Type.INT)
        alternatives: list[tuple[Expression, Program]] = []
        for member, instance in world.instances_of(run.name):
            if member.is_created:
                test = Binary(Operator.EQUAL, count, Constant(member.pid), Type.BOOL)
                alternatives.append((test, self.started(member, instance, arguments)))
        guard = values.any_of([test for test, _ in alternatives])
        last = max((member.pid for member in world.members), default=0)
        first = min((member.pid for member in world.members if member.is_created), default=0)
        pids = {member.pid for member, _ in world.instances_of(run.name) if member.is_created}
        if pids == set(range(first, last + 1)):
            guard = Binary(Operator.LESS_EQUAL, count, Constant(last), Type.BOOL)
        more = Store(count, Binary(Operator.ADD, count, Constant(1), Type.INT), None, None)
        return guard, Block((messages.chosen(alternatives), more))

    def started(self, member: Member, instance: Instance, arguments: list[Value]) -> Program:
        """Sets what is known of a process when it begins."""
        found: list[Program] = []
        proctype = instance.proctype
        for parameter, value in zip(proctype.parameters, arguments, strict=True):
            if parameter in instance.constants:
                continue
            assert isinstance(parameter.type, Basic)
            slot = self._slot(instance.places[parameter], parameter)
            found.append(Store(slot, values.fitted(value, parameter.type), None, None))
        reader = Expressions(self._world, instance)
        for variable in proctype.variables:
            found += self.initialised(variable, instance.places[variable], reader)
        if member.fresh is not None:
            kind = Constant(member.instances.index(instance) + 1)
            found.append(Store(Shared(member.fresh, "(fresh)", Type.INT), kind, None, None))
        if member.point is not None:
            code = Constant(point_code(member, instance, instance.control.start.number))
            found.append(Store(Shared(member.point, "(point)", Type.INT), code, None, None))
        return Block(tuple(found))

    def initialised(self, variable: Variable, base: int, reader: Expressions) -> list[Program]:
        """Sets a variable to its initial value, as far as that is not 0."""
        kind, init, size = variable.type, variable.init, variable.size or 1
        if isinstance(init, ChannelInit):
            return [
                Store(
                    self._slot(base + at, variable),
                    Constant(self._world.own_channels[variable, base + at]),
                    None,
                    None,
                )
                for at in range(size)
                if variable in self._world.changed or variable in self._world.escaping
            ]
        if not isinstance(kind, Basic):
            found: list[Program] = []
            for at in range(size):
                inside = base + at * width_of(kind)
                for one in kind.fields:
                    found += self.initialised(one, inside, reader)
                    inside += width_of(one.type) * (one.size or 1)
            return found
        if init is None:
            return []
        if isinstance(init, tuple):
            given = [reader.value(value) for value in init]
            given += [given[-1]] * (size - len(given))
        else:
            given = [reader.value(init)] * size
        return [
            Store(self._slot(base + at, variable), values.fitted(value, kind), None, None)
            for at, value in enumerate(given)
            if value != number(0)
        ]

    def _slot(self, at: int, variable: Variable) -> Shared:
        return Shared(at, variable.name, self._world.layout.shown_type(variable))
