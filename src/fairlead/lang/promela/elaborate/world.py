"""Lists what there is in a model: its shared slots, its processes, and who may be created when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property

from fairlead.base.diagnostics import Code, InputError, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.control import Control, statements_in
from fairlead.lang.promela.elaborate.layout import Channel, Layout
from fairlead.lang.promela.syntax import ChannelInit, Proctype, Variable
from fairlead.model.expression import Expression
from fairlead.model.types import Type

#: the name of the process that a whole model is
SYSTEM = "system"


@dataclass(eq=False)
class Instance:
    """A process of a proctype that can have a pid: where its variables lie, and which are always the same."""

    pid: int
    control: Control
    places: dict[Variable, int] = field(default_factory=dict)
    constants: dict[Variable, int] = field(default_factory=dict)

    @property
    def proctype(self) -> Proctype:
        """Its proctype."""
        return self.control.proctype

    @property
    def name(self) -> str:
        """How it is called, as remote references have it: `client[2]`."""
        return process_name(self.proctype.name, self.pid)

    @property
    def variables(self) -> list[Variable]:
        """Its parameters, and all its other variables."""
        return [*self.proctype.parameters, *self.proctype.locals]


def process_name(proctype: str, pid: int) -> str:
    """`client[2]`; there is only one init."""
    return proctype if proctype == "init" else f"{proctype}[{pid}]"


@dataclass(frozen=True)
class Features:
    """What of the language a model uses that needs slots of its own."""

    holder: bool = False
    points: bool = False
    last: bool = False


@dataclass(eq=False)
class Member:
    """All that can have one pid; `is_created` says whether `run` may give it, rather than the start alone."""

    pid: int
    instances: list[Instance]
    is_created: bool
    #: the slot that tells which proctype it is while it has not done anything yet, if it may be created
    fresh: int | None = None
    #: the slot with the number of its point, where something reads it
    point: int | None = None

    @property
    def name(self) -> str:
        """How its leaf is called."""
        if len(self.instances) == 1:
            return self.instances[0].name
        return f"pid[{self.pid}]"


class World:
    """A model with the slots of its state."""

    def __init__(self, specification: syntax.Specification, features: Features) -> None:
        self.specification = specification
        self.features = features
        self.layout = Layout(specification.mtypes)
        self.controls = {one.name: Control(one) for one in specification.proctypes}
        problems = [problem for control in self.controls.values() for problem in control.problems]
        if problems:
            raise InputError(tuple(found for problem in problems for found in problem.diagnostics))
        self.globals: dict[Variable, int] = {}
        for variable in specification.variables:
            self.globals[variable] = self.layout.variable(variable, variable.name)
            self.layout.initialise(variable, self.globals[variable])
        active = sum(one.active for one in specification.proctypes)
        self.count = self.layout.scalar("_nr_pr", Type.INT, active)
        self.holder = self.layout.scalar("(atomic)", Type.INT, 0) if features.holder else None
        self.last = self.layout.scalar("_last", Type.INT, 0) if features.last else None
        self.members: list[Member] = []
        #: the channels that processes declare: their numbers, by variable and slot
        self.own_channels: dict[tuple[Variable, int], int] = {}
        #: whether no process can do anything; known when all processes are
        self.timeout: Callable[[], Expression] | None = None
        self.changed = _changed_channels(specification)
        self.escaping = _escaping_channels(specification)

    # ------------------------------------------------------------ processes

    def add_member(self, proctypes: Sequence[str], is_created: bool, starts: str | None) -> Member:
        """Adds the next pid, which processes of these proctypes can have; one of them `starts` with it."""
        pid = len(self.members)
        member = Member(pid, [], is_created)
        for name in proctypes:
            instance = Instance(pid, self.controls[name])
            for variable in instance.variables:
                shown = f"{instance.name}:{variable.name}"
                instance.places[variable] = self.layout.variable(variable, shown)
                # what a channel is initialised with belongs to the process: it is set when it is created
                self._clear_channel(variable, instance.places[variable])
            member.instances.append(instance)
        if is_created:
            first = 0 if starts is None else list(proctypes).index(starts) + 1
            member.fresh = self.layout.scalar(f"(fresh {pid})", Type.INT, first)
        if self.features.points:
            member.point = self.layout.scalar(f"(point {pid})", Type.INT, 0)
        self.members.append(member)
        return member

    def _clear_channel(self, variable: Variable, base: int) -> None:
        if isinstance(variable.init, ChannelInit):
            for number in range(variable.size or 1):
                self.own_channels[variable, base + number] = self.layout.initial[base + number]
                self.layout.initial[base + number] = 0

    def control(self, name: str, span: Span) -> Control:
        """The control points of a proctype."""
        found = self.controls.get(name)
        if found is None:
            message = f"there is no proctype '{name}'"
            raise input_error(Code.UNKNOWN_NAME, message, span, nearest(name, self.controls))
        return found

    def instances_of(self, name: str) -> list[tuple[Member, Instance]]:
        """All processes of a proctype that there can be."""
        return [
            (member, instance)
            for member in self.members
            for instance in member.instances
            if instance.proctype.name == name
        ]

    # ------------------------------------------------------------ channels

    def channel(self, number: int) -> Channel:
        """The channel with a number."""
        return self.layout.channels[number - 1]

    def candidates(self, width: int) -> list[Channel]:
        """The channels that a variable can hold, as far as their messages have so many fields."""
        held = self._held
        return [one for one in self.layout.channels if len(one.form) == width and one.number in held]

    @cached_property
    def _held(self) -> frozenset[int]:
        """The channels whose numbers variables can hold."""
        held = set()
        for variable, base in self.globals.items():
            if isinstance(variable.init, ChannelInit) and variable in self.escaping | self.changed:
                held |= {self.layout.initial[base + at] for at in range(variable.size or 1)}
        for (variable, _), number in self.own_channels.items():
            if variable in self.escaping | self.changed:
                held.add(number)
        return frozenset(held)


# ---------------------------------------------------------------- what happens to channels


def expressions_of(specification: syntax.Specification) -> list[syntax.Expression]:
    """All expressions in the bodies of a model that are values: of assignments, messages, arguments."""
    found: list[syntax.Expression] = []
    for proctype in specification.proctypes:
        for statement in statements_in(proctype.body):
            match statement:
                case syntax.Assign(value=value) | syntax.Condition(value=value) | syntax.Assert(value=value):
                    found.append(value)
                case syntax.Send(values=values):
                    found += values
                case syntax.Print(arguments=arguments):
                    found += arguments
                case syntax.Receive(fields=fields):
                    found += [one for one in fields if isinstance(one, syntax.Eval)]
        for one in proctype.locals:
            if one.init is not None and not isinstance(one.init, ChannelInit | tuple):
                found.append(one.init)
        if proctype.provided is not None:
            found.append(proctype.provided)
    return found


def parts_of(expression: syntax.Expression) -> list[syntax.Expression]:
    """The expressions directly inside another one."""
    match expression:
        case syntax.Unary(operand=one) | syntax.Eval(value=one) | syntax.ProcessTest(pid=one):
            return [one]
        case syntax.Binary(left=left, right=right):
            return [left, right]
        case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
            return [condition, then, otherwise]
        case syntax.Run(arguments=arguments):
            return list(arguments)
        case syntax.Temporal(left=left, right=right):
            return [left] if right is None else [left, right]
        case syntax.Name(index=index, inner=inner):
            return [one for one in (index, inner) if one is not None]
        case syntax.Poll(fields=fields):
            return list(fields)
        case syntax.AtLabel(pid=pid) | syntax.RemoteVariable(pid=pid):
            return [] if pid is None else [pid]
    return []


def inside(expressions: list[syntax.Expression]) -> list[syntax.Expression]:
    """Expressions and all that is in them."""
    found, pending = [], list(expressions)
    while pending:
        expression = pending.pop()
        found.append(expression)
        pending += parts_of(expression)
    return found


def _escaping_channels(specification: syntax.Specification) -> set[Variable]:
    """The variables of channels whose values are given to others."""
    found: set[Variable] = set()
    for expression in inside(expressions_of(specification)):
        if isinstance(expression, syntax.Name):
            name = expression
            while name.inner is not None:
                name = name.inner
            if name.variable.type is syntax.CHAN:
                found.add(expression.variable)
    return found


def _changed_channels(specification: syntax.Specification) -> set[Variable]:
    """The variables that something is assigned to, or received into."""
    found: set[Variable] = set()
    for proctype in specification.proctypes:
        for statement in statements_in(proctype.body):
            match statement:
                case syntax.Assign(target=target):
                    found.add(target.variable)
                case syntax.Receive(fields=fields):
                    found |= {one.variable for one in fields if isinstance(one, syntax.Name)}
                case syntax.Declare(variables=variables):
                    found.update(variables)
    return found
