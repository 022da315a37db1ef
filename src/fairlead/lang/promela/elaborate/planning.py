"""Finds which processes there can be: the pids, and which proctypes can have them.

Where only `init` creates processes, as in most models, they are found by following init from the start: then
it is known which process has which pid, and often what its parameters are. Otherwise any pid from the first
free one on can belong to any proctype that some process creates.
"""

from __future__ import annotations

from dataclasses import field

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.control import Control, Point, statements_in
from fairlead.lang.promela.elaborate.creation import Creation
from fairlead.lang.promela.elaborate.expressions import Expressions
from fairlead.lang.promela.elaborate.knowledge import Knowledge
from fairlead.lang.promela.elaborate.layout import width_of
from fairlead.lang.promela.elaborate.options import Option, Options
from fairlead.lang.promela.elaborate.steps import Steps
from fairlead.lang.promela.elaborate.world import Features, World, expressions_of, inside
from fairlead.lang.promela.parse import MOST_PROCESSES
from fairlead.lang.promela.syntax import Proctype, Run, Specification
from fairlead.model.expression import TRUE, Binary, Constant, Expression, Operator, Shared
from fairlead.model.program import Program, Store
from fairlead.model.types import Type

#: init is followed through so many states
MOST_FOLLOWED = 3_000


@dataclass(frozen=True)
class Planned:
    """What can have a pid: these proctypes; `starts` is the one that has it from the start.

    `arguments` are those of its only creation, as far as they are known.
    """

    proctypes: tuple[str, ...]
    is_created: bool
    starts: str | None = None
    arguments: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Plan:
    """All pids; `count` is how many processes there are when init begins, if that is known."""

    members: tuple[Planned, ...]
    count: int | None = None


def plan(specification: Specification, features: Features) -> Plan:
    """Which processes there can be."""
    active = [one.name for one in specification.proctypes for _ in range(one.active)]
    runs = {one.name: _runs_in(one) for one in specification.proctypes}
    started = tuple(Planned((name,), False, name) for name in active)
    runners = _running(active, runs)
    if not any(runs[name] for name in runners):
        return Plan(started)
    if [name for name in runners if runs[name]] == ["init"] and len(active) < MOST_PROCESSES:
        init = next(one for one in specification.proctypes if one.name == "init")
        found = None if _asks_others(init) else _Following(specification, active, features).plan(started)
        if found is not None:
            return found
    created = tuple(sorted({run.name for name in runners for run in runs[name] if run.name in runs}))
    return Plan(_anything(active, created, _most(active, runners, runs, specification)))


def _asks_others(init: Proctype) -> bool:
    """Whether what init does may depend on processes that are not known before it has been followed."""
    values: list[syntax.Expression] = []
    for statement in statements_in(init.body):
        match statement:
            case syntax.Assign(value=value) | syntax.Condition(value=value) | syntax.Assert(value=value):
                values.append(value)
            case syntax.Send(channel=channel, values=sent):
                values += [channel, *sent]
            case syntax.Receive(channel=channel, fields=fields):
                values += [channel, *fields]
    for one in inside(values):
        if isinstance(one, syntax.AtLabel | syntax.RemoteVariable):
            return True
        if isinstance(one, syntax.Name) and one.variable.type is syntax.CHAN and one.variable.init is None:
            return True
    return False


def _anything(active: list[str], created: tuple[str, ...], count: int) -> tuple[Planned, ...]:
    """Any pid can be reused, so that each can belong to whatever is created."""
    found = []
    for name in active:
        kinds = (name, *(one for one in created if one != name))
        found.append(Planned(kinds, True, name))
    found += [Planned(created, True)] * max(0, count - len(active))
    return tuple(found)


def _runs_in(proctype: Proctype) -> list[Run]:
    values: list[syntax.Expression] = []
    for statement in statements_in(proctype.body):
        match statement:
            case syntax.Assign(value=value) | syntax.Condition(value=value):
                values.append(value)
    return [one for one in inside(values) if isinstance(one, Run)]


def _running(active: list[str], runs: dict[str, list[Run]]) -> list[str]:
    """The proctypes of which there can be a process."""
    found, pending = list(dict.fromkeys(active)), list(dict.fromkeys(active))
    while pending:
        for run in runs.get(pending.pop(), []):
            if run.name in runs and run.name not in found:
                found.append(run.name)
                pending.append(run.name)
    return found


def _most(
    active: list[str], runners: list[str], runs: dict[str, list[Run]], specification: Specification
) -> int:
    """How many processes there can be at a time: all that are ever created, if no `run` is repeated."""
    controls = {one.name: Control(one) for one in specification.proctypes if one.name in runners}
    counts: dict[str, int] = {}
    visiting: set[str] = set()

    def created_by(name: str) -> int:
        """How many processes one of a proctype creates, itself included."""
        if name in visiting:
            return MOST_PROCESSES
        if name not in counts:
            visiting.add(name)
            total = 1
            for run in runs[name]:
                if run.name in runs:
                    times = MOST_PROCESSES if _is_repeated(controls[name], run) else 1
                    total = min(MOST_PROCESSES, total + times * created_by(run.name))
            visiting.discard(name)
            counts[name] = total
        return counts[name]

    return min(MOST_PROCESSES, sum(created_by(name) for name in active))


def _is_repeated(control: Control, run: Run) -> bool:
    """Whether a process can execute a `run` more than once."""
    for point in control.reachable():
        for move in point.moves:
            if run in _values(move.statement) and _reaches(move.target, point):
                return True
    return False


def _values(statement: syntax.Statement | None) -> list[syntax.Expression]:
    match statement:
        case syntax.Assign(value=value) | syntax.Condition(value=value):
            return [value]
    return []


def _reaches(start: Point, goal: Point) -> bool:
    seen, pending = {start.number}, [start]
    while pending:
        point = pending.pop()
        if point is goal:
            return True
        for move in point.moves:
            if move.target.number not in seen:
                seen.add(move.target.number)
                pending.append(move.target)
    return False


def can_end(control: Control) -> bool:
    """Whether a process can come to its end."""
    return any(point is control.end for point in control.reachable())


# ---------------------------------------------------------------- following init


class _Counting(Creation):
    """Only counts what is created."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._count = Shared(world.count, "_nr_pr", Type.INT)

    def of(self, run: Run, reader: Expressions) -> tuple[Expression, Program]:
        return TRUE, Store(self._count, Binary(Operator.ADD, self._count, Constant(1), Type.INT), None, None)


@dataclass(eq=False)
class _State:
    point: Point
    known: dict[int, int] = field(default_factory=dict)
    created: int = 0


class _Following:
    """Follows init from the start, as far as it depends on no other process."""

    def __init__(self, specification: Specification, active: list[str], features: Features) -> None:
        self._active = active
        self._world = world = World(specification, features)
        for name in active:
            world.add_member((name,), False, name)
        world.timeout = lambda: Binary(
            Operator.LESS, Shared(world.count, "_nr_pr", Type.INT), Constant(0), Type.BOOL
        )
        self._init = next(one for one in world.members if one.instances[0].proctype.name == "init")
        instance = self._init.instances[0]
        options = Options(world, self._init, instance, _Counting(world))
        self._steps = Steps(options, self._watch)
        self._own = [
            base + at
            for variable, base in instance.places.items()
            for at in range(width_of(variable.type) * (variable.size or 1))
        ]
        self._records: list[tuple[int | None, Run, tuple[int | None, ...]]] = []

    def _watch(self, option: Option, known: Knowledge) -> None:
        for value in _values(option.move.statement):
            if isinstance(value, Run):
                count = known.values.get(self._world.count)
                pid = count.value if isinstance(count, Constant) else None
                reader = Expressions(self._world, self._init.instances[0])
                arguments = []
                for argument in value.arguments:
                    found = known.before(reader.value(argument).expression)
                    arguments.append(found.value if isinstance(found, Constant) else None)
                self._records.append((pid, value, tuple(arguments)))

    def plan(self, started: tuple[Planned, ...]) -> Plan | None:
        """The plan; None if init cannot be followed to its end."""
        world = self._world
        controls = world.controls
        younger = self._active[self._init.pid + 1 :]
        count = None if any(can_end(controls[name]) for name in younger) else len(self._active)
        try:
            most = self._follow(count)
        except InputError:
            return None  # it is reported when the model is elaborated
        if most is None or len(self._active) + most > MOST_PROCESSES:
            return None
        if any(pid is None for pid, _, _ in self._records):
            created = tuple(sorted({run.name for _, run, _ in self._records if run.name in controls}))
            return Plan(_anything(self._active, created, len(self._active) + most), count)
        members = list(started)
        for pid in range(len(started), len(started) + most):
            own = [(run, arguments) for known, run, arguments in self._records if known == pid]
            kinds = tuple(dict.fromkeys(run.name for run, _ in own if run.name in controls))
            if not kinds:
                return None
            arguments = own[0][1]
            for _, others in own[1:]:
                arguments = _common(arguments, others)
            members.append(Planned(kinds, True, None, arguments if len(kinds) == 1 else ()))
        if any(pid is not None and pid < len(started) for pid, _, _ in self._records):
            return None
        return Plan(tuple(members), count)

    def _follow(self, count: int | None) -> int | None:
        """How many processes are created at most; None if that is not known."""
        world = self._world
        control = self._init.instances[0].control
        known = dict.fromkeys(self._own, 0)
        creation = Creation(world)
        start = Knowledge()
        start.values = {slot: Constant(0) for slot in self._own}
        start.apply(creation.started(self._init, self._init.instances[0], []))
        known = {
            slot: value.value for slot in self._own if isinstance(value := start.values.get(slot), Constant)
        }
        if count is not None:
            known[world.count] = count
        mortal = any(can_end(one) for name, one in world.controls.items() if name != "init")
        pending = [_State(control.start, known)]
        seen: set[tuple[int, int, frozenset[tuple[int, int]]]] = set()
        most = 0
        while pending:
            tick()
            state = pending.pop()
            key = (state.point.number, state.created, frozenset(state.known.items()))
            if key in seen:
                continue
            seen.add(key)
            most = max(most, state.created)
            if len(seen) > MOST_FOLLOWED or most > MOST_PROCESSES:
                return None
            for outcome in self._steps.at(state.point, state.known):
                runs = sum(
                    isinstance(value, Run) for move in outcome.moves for value in _values(move.statement)
                )
                created = state.created + runs
                most = max(most, created)
                if outcome.to is None or outcome.has_ended:
                    continue
                after = {
                    slot: value.value
                    for slot in (*self._own, world.count)
                    if isinstance(value := outcome.known.values.get(slot), Constant)
                }
                if mortal and created:
                    after.pop(world.count, None)
                pending.append(_State(outcome.to, after, created))
        return most


def _common(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(left if left == right else None for left, right in zip(one, other, strict=True))


__all__ = ["Plan", "Planned", "can_end", "expressions_of", "plan"]
