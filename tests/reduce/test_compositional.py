"""Compositional minimisation: what it keeps, each claim on random compositions, and what it does not keep."""

from __future__ import annotations

import json
import random

import pytest

import fairlead
from fairlead.base.diagnostics import LimitReached
from fairlead.model.machine import ERROR_STATE, TAU, Machine, hidden
from fairlead.model.machine_operations import composed
from fairlead.reduce.bisimulation import Equivalence, minimised
from fairlead.reduce.compositional import reduced
from tests.support.oracle.bisimulation import Machines, equivalent, random_machines


def whole(machines: list[Machine], visible: frozenset[str]) -> Machine:
    """The composition with all but some labels hidden, in one go."""
    built = composed(machines)
    return hidden(built, set(built.alphabet) - visible)


def random_case(seed: int) -> tuple[Machine, Machine, Equivalence]:
    """A composition whole, and reduced."""
    rng = random.Random(seed)
    machines = random_machines(rng)
    visible = frozenset(rng.sample("abcd", rng.randint(0, 3)))
    equivalence = rng.choice(list(Equivalence))
    return whole(machines, visible), reduced(machines, visible, equivalence), equivalence


# ---------------------------------------------------------------- what is kept


def terminal_sets(system: Machines) -> set[frozenset[str]]:
    """The visible actions of each set of states that, once entered, is never left.

    For those without any: whether they are deadlocks, livelocks, END or ERROR.
    """
    found = set()
    reachable = system._reached([(0, 0)], internal=False)
    for state in reachable:
        future = system._reached([state], internal=False)
        if all(state in system._reached([other], internal=False) for other in future):
            actions = {label for other in future for label, _ in system.steps[other]}
            if not actions:
                kind = "ERROR" if state[1] == ERROR_STATE else "END" if system.is_end(state) else "STOP"
                actions = {kind}
            found.add(frozenset(actions - {TAU} or actions))
    return found


def check_random_composition(seed: int) -> None:
    large, small, equivalence = random_case(seed)
    assert set(small.alphabet) == set(large.alphabet)
    assert terminal_sets(Machines((small,))) == terminal_sets(Machines((large,))), (seed, equivalence)
    if large.state_count <= 20:
        assert equivalent(large, small, equivalence.value), (seed, equivalence)
    assert small.state_count <= large.state_count
    assert small.state_count == minimised(large, equivalence).state_count, (seed, equivalence)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_terminal_sets_deadlocks_and_errors_are_kept(first: int) -> None:
    for seed in range(first, first + 50):
        check_random_composition(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_terminal_sets_deadlocks_and_errors_are_kept_often(first: int) -> None:
    for seed in range(first, first + 200):
        check_random_composition(seed)


#: formulas that do not see how many internal steps there are, and whose truth under fair choice depends on
#: the way to a terminal set and on the actions in it
FORMULAS = (
    "[]<> a",
    "<>[] !a",
    "<> a",
    "[] !a",
    "[](a -> <> b)",
    "[]<> a -> []<> b",
    "[]<> a && <>[] !b",
    "<>(a && <> b)",
    "[](a -> [] !b)",
    "(!a) W b",
    "(!a) U b",
)

#: formulas that see every step
STEP_BY_STEP = ("[](a -> X b)", "<>(a && X a)", "[](a -> (a U b))", "X X !a", "[]<>(a && X X b)")


def as_model(machine: Machine) -> fairlead.Model:
    """A machine as a graph; ERROR is a state with nothing to do."""
    error = machine.state_count
    transitions = [
        [state, label if label != TAU else "tau", error if target == ERROR_STATE else target, []]
        for state, steps in enumerate(machine.transitions)
        for label, target in steps
    ]
    # so that all labels are known, in a state that cannot be reached
    transitions += [[error + 1, label, error + 1, []] for label in "abcd"]
    graph = {"states": error + 2, "initial": 0, "transitions": transitions, "props": {}}
    return fairlead.loads(json.dumps(graph), "json")


def check_random_formulas(seed: int) -> None:
    large, small, equivalence = random_case(seed)
    notions = ("sgf",) if equivalence is Equivalence.WEAK else ("none", "sgf")
    cases = [(formula, notion) for formula in FORMULAS for notion in notions]
    if equivalence is Equivalence.STRONG:
        cases += [(formula, "none") for formula in STEP_BY_STEP]
    models = as_model(large), as_model(small)
    labels = sorted(large.alphabet)
    if len(labels) < 2:
        return
    for formula, notion in cases:
        text = "".join(labels["ab".index(c)] if c in "ab" else c for c in formula)
        verdicts = {model.check(model.formula(text), notion).verdict for model in models}
        assert len(verdicts) == 1, (seed, text, equivalence, notion)


@pytest.mark.parametrize("first", range(0, 24, 8))
def test_formulas_keep_their_verdicts(first: int) -> None:
    for seed in range(first, first + 8):
        check_random_formulas(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 2200, 100))
def test_formulas_keep_their_verdicts_often(first: int) -> None:
    for seed in range(first, first + 100):
        check_random_formulas(seed)


# ---------------------------------------------------------------- what is not kept


def verdict(machine: Machine, formula: str, notion: str) -> str:
    model = as_model(machine)
    return model.check(model.formula(formula), notion).verdict.value


def machine(*rows: list[tuple[str, int]]) -> Machine:
    labels = dict.fromkeys(label for row in rows for label, _ in row if label != TAU)
    return Machine("M", tuple(labels), tuple(map(tuple, rows)))


def test_next_and_until_of_actions_see_internal_steps() -> None:
    large = machine([("a", 1)], [(TAU, 2)], [("b", 0)])
    small = minimised(large)
    assert small.state_count == 2
    for formula in ("[](a -> X b)", "[](a -> (a U b))"):
        assert verdict(large, formula, "none") == "violated"
        assert verdict(small, formula, "none") == "holds"


def test_weak_equivalence_needs_fair_choice() -> None:
    large = machine([("a", 1)], [(TAU, 1), ("b", 0)])
    assert verdict(large, "[]<> b", "none") == "violated"
    assert verdict(minimised(large, Equivalence.WEAK), "[]<> b", "none") == "holds"
    assert verdict(minimised(large, Equivalence.DIVERGENCE), "[]<> b", "none") == "violated"
    assert verdict(large, "[]<> b", "sgf") == "holds"


def test_weak_equivalence_is_not_for_parts() -> None:
    loops = machine([(TAU, 0), ("a", 0)])
    blocks = Machine("B", ("a",), ((),))
    assert composed([loops, blocks]).transitions == (((TAU, 0),),)
    assert composed([minimised(loops, Equivalence.WEAK), blocks]).transitions == ((),)
    assert composed([minimised(loops, Equivalence.DIVERGENCE), blocks]).transitions == (((TAU, 0),),)
    assert reduced([loops, blocks], frozenset()).transitions == (((TAU, 0),),)


def test_event_fairness_is_not_kept() -> None:
    # fairness to k, which leads to b, is lost when k cannot be told from h any more
    large = machine([("h", 0), ("k", 1)], [("b", 1)])
    assert verdict(large, "<> b", "esf") == "holds"
    for equivalence in (Equivalence.DIVERGENCE, Equivalence.STRONG):
        small = minimised(hidden(large, {"h", "k"}), equivalence)
        assert verdict(small, "<> b", "esf") == "violated"


def test_the_order_of_choices_under_strong_global_fairness_is_not_kept_even_by_strong_bisimulation() -> None:
    # fairness to every transition: in the large one, which remembers the last letter, every pair of letters
    # comes again and again; in the small one only every letter does
    letters = "abc"
    large = machine([(c, i) for i, c in enumerate(letters)], *[[(c, i) for i, c in enumerate(letters)]] * 2)
    remembering = Machine("M", tuple(letters), large.transitions)
    small = minimised(remembering, Equivalence.STRONG)
    assert small.state_count == 1
    in_turn = "<>[]((a -> X b) && (b -> X c) && (c -> X a))"
    assert verdict(remembering, f"!({in_turn})", "sgf") == "holds"
    assert verdict(small, f"!({in_turn})", "sgf") == "violated"


# ---------------------------------------------------------------- limits and size


def workers(count: int) -> list[Machine]:
    """All start together; then each does two things of its own."""
    return [
        Machine("W", ("go", f"v{i}", f"w{i}"), ((("go", 1),), ((f"v{i}", 2),), ((f"w{i}", 0),)))
        for i in range(count)
    ]


def test_parts_stay_small() -> None:
    # the whole has some 3 ** 40 states
    small = reduced(workers(40), frozenset(["go", "w0"]), max_states=10)
    assert small.transitions == ((("go", 1),), (("w0", 0),))


def test_the_limit_concerns_parts() -> None:
    visible = frozenset(f"w{i}" for i in range(8))
    with pytest.raises(LimitReached):
        reduced(workers(8), visible, max_states=100)
    assert reduced(workers(8), visible, max_states=1000).state_count == 2**8 - 1


def test_nothing_is_composed_of_nothing() -> None:
    assert reduced([], frozenset()).transitions == ((),)
