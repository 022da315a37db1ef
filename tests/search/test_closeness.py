"""How far random conditions are from being true: against the same, computed from the definitions."""

from __future__ import annotations

from random import Random

import pytest

import fairlead
from fairlead.checker.questions import system_of
from fairlead.engine import _native
from fairlead.model.assertion import Reaches
from fairlead.model.evaluation import Fault, Scope, evaluate
from fairlead.model.expression import Binary, Expression, Operator, Unary, UnaryOperator
from fairlead.model.network import Network
from fairlead.model.tree import Configuration
from fairlead.model.types import Type
from fairlead.search.closeness import closeness_of
from fairlead.search.target import Goal, NetworkTarget

FAR, FARTHEST = 255, 4095
MODEL = """
var x:{0..4}; var y:{-300..300} = 300; var a[3]:{0..9} = [1, 5, 9]; var b = false;
P() = [x < 4] up{x = x + 1; a[x % 3] = x;} -> P() [] flip{b = !b;} -> P() [] down{y = 0 - y;} -> P();
"""


def random_condition(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.2:
        if random.random() < 0.15:
            return "b"
        operands = [random.choice(("x", "y", "a[1]", "a[x]", "x + a[2]", "3", "-290")) for _ in range(2)]
        return f"({operands[0]} {random.choice(('==', '!=', '<', '<=', '>', '>='))} {operands[1]})"
    if random.random() < 0.2:
        return f"!({random_condition(random, depth - 1)})"
    parts = [random_condition(random, depth - 1) for _ in range(2)]
    return f"({parts[0]} {random.choice(('&&', '||'))} {parts[1]})"


def value(expression: Expression, values: list[int]) -> int | None:
    try:
        return evaluate(expression, Scope(values))
    except Fault:
        return None


def apart(operator: Operator, left: int, right: int) -> int:
    """How far two numbers are from being as an operator wants them."""
    return next(
        distance
        for distance in range(FAR + 1)
        if distance == FAR
        or any(
            {
                Operator.EQUAL: left + moved == right,
                Operator.UNEQUAL: left + moved != right,
                Operator.LESS: left + moved < right,
                Operator.LESS_EQUAL: left + moved <= right,
                Operator.GREATER: left + moved > right,
                Operator.GREATER_EQUAL: left + moved >= right,
            }[operator]
            for moved in (distance, -distance)
        )
    )


OPPOSITE = {
    Operator.EQUAL: Operator.UNEQUAL,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER: Operator.LESS_EQUAL,
}
OPPOSITE |= {other: operator for operator, other in OPPOSITE.items()}


def distance(condition: Expression, values: list[int], wanted: bool = True) -> int:
    """The same, by the definitions."""
    match condition:
        case Unary(UnaryOperator.NOT, operand):
            return distance(operand, values, not wanted)
        case Binary(Operator.AND | Operator.OR as operator, left, right):
            both = distance(left, values, wanted), distance(right, values, wanted)
            return sum(both) if (operator is Operator.AND) is wanted else min(FAR, *both)
        case Binary(operator, left, right) if operator in OPPOSITE:
            first, second = value(left, values), value(right, values)
            if first is None or second is None:
                return FAR
            return apart(operator if wanted else OPPOSITE[operator], first, second)
        case _:
            return int(bool(value(condition, values)) is not wanted)


def target_of(text: str) -> tuple[NetworkTarget, Expression]:
    model = fairlead.loads(f"{MODEL} #define goal {text}; #assert P() reaches goal;")
    query = model._checker.questions.query(model.assertions[0], None, None)
    network, question = system_of(query), query.question
    assert isinstance(network, Network)
    assert isinstance(question, Reaches)
    return NetworkTarget(network, fairlead.Limits()), question.goal.meaning


@pytest.mark.parametrize("seed", range(60))
def test_random_conditions(seed: int) -> None:
    target, condition = target_of(random_condition(Random(seed), 3))
    found = closeness_of(condition, target.code)
    graph = target.plain_graph()
    graph.explore(Goal.NONE, _native.NO_CODE, 200)
    for number in range(graph.state_count):
        state = target.state(graph, number)
        assert isinstance(state, Configuration)
        expected = min(FARTHEST, distance(condition, list(state.values)))
        if found is not None:
            assert found.distance(graph, number) == expected, number
        holds = value(condition, list(state.values))
        assert holds is None or bool(holds) == (expected == 0)


@pytest.mark.parametrize("text", ["b", "!b", "x != 3"])
def test_conditions_that_tell_nothing_but_whether_they_are_true(text: str) -> None:
    target, condition = target_of(text)
    assert condition.type is Type.BOOL
    assert closeness_of(condition, target.code) is None
