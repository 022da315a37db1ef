"""Fairness formulas on loops: against direct evaluation, and the reasons that people read."""

from __future__ import annotations

from random import Random

from fairlead.evidence.conditions import condition_problem, condition_reasons
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.ltl import And, Atom, Formula, Iff, Implies, Not, Or
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from tests.support.small_graphs import enabled, event, executed, graph, meanings, prop, run

LIGHT = graph("0 on P 1, 1 off Q 0, 1 wait P 1", "lit 1")


def reasons(loop: str, *conjuncts: tuple[str, Condition]) -> list[str]:
    found = condition_reasons(LIGHT, run(LIGHT, 0, "", loop), [conjunct(*entry) for entry in conjuncts])
    return [reason.text() for reason in found]


def conjunct(text: str, condition: Condition) -> Conjunct:
    atoms = (prop("lit"), event("wait"), executed("P"), executed("Q"), enabled("P"), enabled("Q"))
    return Conjunct(text, condition, meanings(*atoms))


def test_reasons() -> None:
    lit, wait = prop("lit"), event("wait")
    assert reasons("on off", ("GF lit", InfinitelyOften(lit))) == ["GF lit: at step 1"]
    assert reasons("on wait off", ("GF !lit", InfinitelyOften(Not(lit)))) == ["GF !lit: at step 3"]
    assert reasons("on off", ('GF "wait"', InfinitelyOften(wait))) == ['GF "wait": never in the loop']
    assert reasons("on off", ('FG !"wait"', AlmostAlways(Not(wait)))) == [
        'FG !"wait": at every step of the loop'
    ]
    assert reasons("on wait off", ("FG lit", AlmostAlways(lit))) == ["FG lit: not at step 3"]


def test_reasons_of_combinations() -> None:
    strong = OneOf((AlmostAlways(Not(enabled("Q"))), InfinitelyOften(executed("Q"))))
    assert reasons("on off", ("strong(Q)", strong)) == ["strong(Q): GF executed(Q) at step 2"]
    only_one = AllOf((InfinitelyOften(prop("lit")), AlmostAlways(prop("lit"))))
    assert reasons("on off", ("both", only_one)) == ["both: FG lit not at step 2"]
    both = AllOf((InfinitelyOften(prop("lit")), InfinitelyOften(executed("Q"))))
    assert reasons("on off", ("both", both)) == ["both: GF lit at step 1, GF executed(Q) at step 2"]
    neither = OneOf((AlmostAlways(prop("lit")), InfinitelyOften(event("wait"))))
    assert reasons("on off", ("one", neither)) == ['one: FG lit not at step 2, GF "wait" never in the loop']
    assert reasons("on off", ("true", AllOf(())), ("false", OneOf(()))) == [
        "true: nothing is demanded",
        "false: never satisfied",
    ]


def test_problems() -> None:
    lit = conjunct("FG lit", AlmostAlways(prop("lit")))
    assert condition_problem(LIGHT, run(LIGHT, 0, "on", "wait"), [lit]) is None
    assert condition_problem(LIGHT, run(LIGHT, 0, "", "on off"), [lit]) == (
        "the loop is unfair: FG lit: not at step 2"
    )
    assert condition_problem(LIGHT, run(LIGHT, 0, "on"), []) is None
    problem = condition_problem(LIGHT, run(LIGHT, 0, "on"), [lit])
    assert problem is not None and problem.startswith("a run without a loop is not enough")


def test_deep_conditions_need_no_stack() -> None:
    condition: Condition = InfinitelyOften(prop("lit"))
    for _ in range(3000):
        condition = OneOf((AllOf((condition, AllOf(()))), OneOf(())))
    assert condition_problem(LIGHT, run(LIGHT, 0, "", "on off"), [conjunct("deep", condition)]) is None
    assert condition_problem(LIGHT, run(LIGHT, 0, "on", "wait"), [conjunct("deep", condition)]) is None
    unlit: Condition = AlmostAlways(Not(prop("lit")))
    for _ in range(3000):
        unlit = OneOf((AllOf((unlit, AllOf(()))), OneOf(())))
    assert condition_problem(LIGHT, run(LIGHT, 0, "on", "wait"), [conjunct("deep", unlit)]) is not None


# ---------------------------------------------------------------- against the definition


def at_position(predicate: Formula, loop: Run, place: int, system: ExplicitGraph) -> bool:
    """A predicate after a step of a loop, written again by recursion."""
    step = loop.loop[place]

    def value(node: Formula) -> bool:
        match node:
            case Not(operand):
                return not value(operand)
            case And(left, right):
                return value(left) and value(right)
            case Or(left, right):
                return value(left) or value(right)
            case Implies(left, right):
                return value(right) or not value(left)
            case Iff(left, right):
                return value(left) is value(right)
            case Atom("lit"):
                return step.target == 1
            case Atom("wait"):
                return step.event == "wait"
        assert isinstance(node, Atom)
        if node == executed(node.text):
            return node.text in step.processes
        return any(node.text in possible.processes for possible in system.steps(step.target))

    return value(predicate)


def direct(condition: Condition, loop: Run) -> bool:
    match condition:
        case InfinitelyOften(predicate):
            return any(at_position(predicate, loop, place, LIGHT) for place in range(len(loop.loop)))
        case AlmostAlways(predicate):
            return all(at_position(predicate, loop, place, LIGHT) for place in range(len(loop.loop)))
        case AllOf(parts):
            return all(direct(part, loop) for part in parts)
        case OneOf(parts):
            return any(direct(part, loop) for part in parts)


def random_predicate(rng: Random, size: int) -> Formula:
    if size <= 1:
        return rng.choice(
            (prop("lit"), event("wait"), executed("P"), executed("Q"), enabled("P"), enabled("Q"))
        )
    if rng.random() < 0.3:
        return Not(random_predicate(rng, size - 1))
    operator = rng.choice((And, Or, Implies, Iff))
    cut = rng.randrange(1, size)
    return operator(random_predicate(rng, cut), random_predicate(rng, size - cut))


def random_condition(rng: Random, size: int) -> Condition:
    if size <= 1:
        return rng.choice((InfinitelyOften, AlmostAlways))(random_predicate(rng, rng.randint(1, 4)))
    parts = tuple(random_condition(rng, rng.randint(1, size - 1)) for _ in range(rng.randint(1, 3)))
    return rng.choice((AllOf, OneOf))(parts)


def test_conditions_against_direct_evaluation() -> None:
    rng = Random(1)
    outcomes = set()
    for _ in range(400):
        waits = "wait " * rng.randint(0, 2)
        loop = run(LIGHT, 0, *rng.choice((("", f"on {waits} off"), ("on", "wait"), ("", "on off"))))
        condition = random_condition(rng, rng.randint(1, 4))
        (reason,) = condition_reasons(LIGHT, loop, [conjunct("c", condition)])
        assert reason.is_fair is direct(condition, loop), (condition, loop)
        outcomes.add(reason.is_fair)
    assert outcomes == {True, False}
