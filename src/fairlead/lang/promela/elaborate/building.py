"""Builds the Network of a model."""

from __future__ import annotations

from fairlead.base.diagnostics import Diagnostic, InputError, together
from fairlead.base.records import dataclass
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.behaviour import PromelaBehaviour
from fairlead.lang.promela.elaborate.control import statements_in
from fairlead.lang.promela.elaborate.creation import Creation
from fairlead.lang.promela.elaborate.knowledge import Knowledge
from fairlead.lang.promela.elaborate.layout import width_of, wrapped
from fairlead.lang.promela.elaborate.planning import Plan, plan
from fairlead.lang.promela.elaborate.values import number
from fairlead.lang.promela.elaborate.world import SYSTEM, Features, Instance, World, expressions_of, inside
from fairlead.lang.promela.syntax import Basic, Special, Specification
from fairlead.model.evaluation import Scope, execute
from fairlead.model.expression import Constant
from fairlead.model.network import Network
from fairlead.model.tree import FIRST_POSITION, LocalState

#: in models with more processes than this, those of one proctype are taken to be identical
MOST_LOOKED_AT = 64


@dataclass(frozen=True)
class Elaborated:
    """A Network, and what its slots and positions mean."""

    network: Network
    world: World
    behaviour: PromelaBehaviour


def elaborated(specification: Specification, *, points: bool = False) -> Elaborated:
    """A model as a Network; with `points`, it can be asked where processes are."""
    needs = points or _looks_at_points(specification)
    uses_last = _mentions(specification, Special.LAST)
    found_plan = plan(specification, Features(False, needs, uses_last))
    first = _built(specification, found_plan, Features(False, needs, uses_last))
    if not _has_cuts(first):
        return first
    return _built(specification, found_plan, Features(True, needs, uses_last))


def _built(specification: Specification, planned: Plan, features: Features) -> Elaborated:
    world = World(specification, features)
    for one in planned.members:
        world.add_member(one.proctypes, one.is_created, one.starts)
    changed = _changed_parameters(specification)
    for member, one in zip(world.members, planned.members, strict=True):
        if len(member.instances) == 1 and one.arguments:
            instance = member.instances[0]
            for parameter, value in zip(instance.proctype.parameters, one.arguments, strict=True):
                if value is not None and parameter not in changed and isinstance(parameter.type, Basic):
                    instance.constants[parameter] = wrapped(value, parameter.type)
    behaviour = PromelaBehaviour(world)
    world.timeout = behaviour.nothing_possible
    _start(world, planned)
    _know(behaviour, planned)
    layout = world.layout
    network = Network(
        f"{SYSTEM} with points" if features.points else SYSTEM,
        tuple(layout.variables),
        (tuple(layout.initial),),
        behaviour,
        LocalState(FIRST_POSITION),
        tuple(layout.buffers),
        resting=behaviour.resting,
        ends=behaviour.ends,
    )
    return Elaborated(network, world, behaviour)


def _start(world: World, planned: Plan) -> None:
    """Sets the variables of the processes that there are from the start."""
    creation = Creation(world)
    for member, one in zip(world.members, planned.members, strict=True):
        if one.starts is None:
            continue
        instance = next(item for item in member.instances if item.proctype.name == one.starts)
        arguments = [number(0) for _ in instance.proctype.parameters]
        execute(creation.started(member, instance, arguments), Scope(world.layout.initial))


def _know(behaviour: PromelaBehaviour, planned: Plan) -> None:
    """Notes what the variables of a process are at its first point, if it never comes back there."""
    world = behaviour.world
    creation = Creation(world)
    for member in world.members:
        for instance in member.instances:
            start = instance.control.start
            if any(move.target is start for point in instance.control.reachable() for move in point.moves):
                continue
            own = _own_slots(instance)
            known = Knowledge()
            known.values = {slot: Constant(0) for slot in own}
            for parameter in instance.proctype.parameters:
                known.forget(instance.places[parameter])
            arguments = [number(0) for _ in instance.proctype.parameters]
            for variable in instance.proctype.variables:
                from fairlead.lang.promela.elaborate.expressions import Expressions

                reader = Expressions(world, instance)
                for program in creation.initialised(variable, instance.places[variable], reader):
                    known.apply(program)
            del arguments
            found = {
                slot: value.value
                for slot in own
                if slot not in known.unknown and isinstance(value := known.values.get(slot), Constant)
            }
            if instance.proctype.name == "init" and planned.count is not None:
                found[world.count] = planned.count
            behaviour.known_at_start[instance] = found


def problems_in(found: Elaborated) -> tuple[Diagnostic, ...]:
    """What is wrong with the statements of the processes; one process of each proctype is examined."""
    behaviour, world = found.behaviour, found.world
    problems: list[Diagnostic] = []
    seen: set[str] = set()
    for member in world.members:
        for instance in member.instances:
            if instance.proctype.name in seen:
                continue
            seen.add(instance.proctype.name)
            for point in instance.control.reachable():
                try:
                    behaviour.edges(behaviour.number(member, instance, point))
                except InputError as error:
                    problems += error.diagnostics
    return together(problems, ())


def _own_slots(instance: Instance) -> list[int]:
    return [
        base + at
        for variable, base in instance.places.items()
        for at in range(width_of(variable.type) * (variable.size or 1))
    ]


def _has_cuts(found: Elaborated) -> bool:
    """Whether an atomic sequence is left in the middle; all steps are examined, if they are not many."""
    behaviour, world = found.behaviour, found.world
    has_atomic = any(
        isinstance(statement, syntax.Atomic)
        for proctype in world.specification.proctypes
        for statement in statements_in(proctype.body)
    )
    if not has_atomic:
        return False
    seen: set[str] = set()
    for member in world.members:
        for instance in member.instances:
            name = instance.proctype.name
            if len(world.members) > MOST_LOOKED_AT and name in seen:
                continue
            seen.add(name)
            for point in instance.control.reachable():
                try:
                    behaviour.edges(behaviour.number(member, instance, point))
                except InputError:
                    continue  # it is reported when all problems are collected
                if behaviour.was_cut:
                    return True
    return False


def _changed_parameters(specification: Specification) -> set[syntax.Variable]:
    found: set[syntax.Variable] = set()
    for proctype in specification.proctypes:
        for statement in statements_in(proctype.body):
            match statement:
                case syntax.Assign(target=target):
                    found.add(target.variable)
                case syntax.Receive(fields=fields):
                    found |= {one.variable for one in fields if isinstance(one, syntax.Name)}
    return found


def _mentions(specification: Specification, special: Special) -> bool:
    wanted = [*expressions_of(specification), *(one.formula for one in specification.properties)]
    return any(isinstance(one, syntax.SpecialName) and one.which is special for one in inside(wanted))


def _looks_at_points(specification: Specification) -> bool:
    """Whether something depends on where processes are."""
    wanted = [*expressions_of(specification), *(one.formula for one in specification.properties)]
    if any(isinstance(one, syntax.AtLabel | syntax.ProcessTest) for one in inside(wanted)):
        return True
    if _mentions(specification, Special.TIMEOUT) or _mentions(specification, Special.NON_PROGRESS):
        return True
    variables = [*specification.variables]
    for proctype in specification.proctypes:
        variables += proctype.locals
    has_rendezvous = any(
        isinstance(one.init, syntax.ChannelInit) and one.init.capacity == 0 for one in variables
    )
    return has_rendezvous and any(
        isinstance(inner, syntax.Send)
        for proctype in specification.proctypes
        for statement in statements_in(proctype.body)
        if isinstance(statement, syntax.Atomic)
        for inner in statements_in(statement.body)
    )
