"""Models in which counting processes would be wrong if it were not refused, or done with care."""

from __future__ import annotations

import pytest

import fairlead
from fairlead import Verdict
from fairlead.base.diagnostics import Code


def answer(model: fairlead.Model, formula: str, notion: str, counters: bool = True) -> Verdict | Code:
    try:
        return model.check(model.formula(formula, "System()"), notion, counters=counters).verdict
    except fairlead.InputError as error:
        return error.diagnostics[0].code


# Two processes, one at X and one at Y, exchange their places by c.0. Whoever is at X can do b. In the
# quotient there is one state, and (c.0 c.0 b)^ω takes all its steps; but then always the same process does b.
EXCHANGE = fairlead.loads(
    """
    channel c 0;
    P() = s -> X() [] t -> Y();
    X() = c!0 -> Y() [] b -> X();
    Y() = c?0 -> X();
    System() = ||| {2} @ P();
    """
)
IN_ORDER = '!(<>[] (b -> X ("c.0" && X ("c.0" && X b))) && []<> b)'


def test_the_order_of_steps_is_not_kept_by_strong_global_fairness() -> None:
    assert answer(EXCHANGE, IN_ORDER, "sgf", counters=False) is Verdict.HOLDS
    assert answer(EXCHANGE, IN_ORDER, "sgf") is Code.COUNTERS
    assert answer(EXCHANGE, IN_ORDER, "none") is Verdict.VIOLATED


@pytest.mark.parametrize("formula", ["[]<> b", '[]<> "c.0"', "<>[] !s", "[] (s -> <> b)"])
def test_what_is_taken_for_ever_is_kept_by_strong_global_fairness(formula: str) -> None:
    assert answer(EXCHANGE, formula, "sgf") is answer(EXCHANGE, formula, "sgf", counters=False)


# A hidden event is another one for each process. Under event fairness both processes must do it.
HIDDEN = fairlead.loads(
    """
    var x[2];
    P() = a{x[0] = 1 - x[0];} -> P();
    System() = ((||| {2} @ P()) ||| (s -> Stop)) \\ {a};
    """
)


@pytest.mark.parametrize("notion", ["ewf", "esf"])
def test_hidden_events_are_told_apart_by_event_fairness(notion: str) -> None:
    assert answer(HIDDEN, "[]<> x[0] == 1", notion) is Code.COUNTERS
    assert answer(HIDDEN, "[]<> x[0] == 1", "pwf") is answer(HIDDEN, "[]<> x[0] == 1", "pwf", counters=False)


# All of R() is one process of the system, so that fairness to processes does not make its parts take turns.
ONE_PROCESS = """
P() = a -> P();
S() = b -> S();
R() = (||| {2} @ P()) ||| S();
System() = (R() \\ {x}) ||| (c -> Skip);
"""


@pytest.mark.parametrize("notion", ["pwf", "psf"])
def test_parts_of_one_process_are_not_treated_fairly(notion: str) -> None:
    assert answer(fairlead.loads(ONE_PROCESS), "[]<> a", notion) is Verdict.VIOLATED


@pytest.mark.parametrize("notion", ["pwf", "psf"])
def test_unboundedly_many_parts_of_one_process_are_not_treated_fairly(notion: str) -> None:
    model = fairlead.loads(ONE_PROCESS, processes={"P": "inf"})
    assert answer(model, "[]<> a", notion) in (Verdict.VIOLATED, Verdict.UNKNOWN, Code.COUNTERS)


# Both kinds of processes are parts of R(), and are not to be mixed up.
TWO_KINDS = """
counter n = 0;
P() = a{n++;} -> b{n--;} -> P();
Q() = c -> (d -> Stop ||| d -> Stop);
R() = (||| {2} @ Q()) ||| (||| {2} @ P());
System() = (R() \\ {x}) ||| (e -> Skip);
"""


def test_two_kinds_of_processes_in_one_process() -> None:
    model = fairlead.loads(TWO_KINDS, processes={"P": "inf", "Q": "inf"})
    result = model.check(model.formula("[] !d", "System()"), "none", counters=True)
    assert result.verdict is Verdict.VIOLATED
    assert result.counters is not None
    assert result.counters.instance is not None
    assert result.counters.instance.keys() == {"P", "Q"}
    assert len(result.counters.merged) == 2


# What a member becomes belongs to it: one process of two parts may neglect one of them.
FORKS = """
P() = s -> (L() ||| M());
L() = a -> L();
M() = b -> M();
System() = ||| {2} @ P();
"""


@pytest.mark.parametrize("notion", ["pwf", "psf"])
@pytest.mark.parametrize("number", ["2", "inf"])
def test_the_parts_of_a_member_are_one_process(notion: str, number: str) -> None:
    model = fairlead.loads(FORKS, processes={"P": number})
    assert answer(fairlead.loads(FORKS), "[]<> a", notion, counters=False) is Verdict.VIOLATED
    assert answer(model, "[]<> a", notion) in (Verdict.VIOLATED, Code.COUNTERS)


# Of "many" some may leave forever, but not of any number of processes.
DRAIN = "P() = a -> b -> Stop; System() = ||| {2} @ P();"


@pytest.mark.parametrize("notion", ["none", "pwf", "psf", "ewf", "esf"])
@pytest.mark.parametrize("formula", ["<>[] !a", "[] (a -> <> !a)"])
def test_finitely_many_processes_come_to_an_end(notion: str, formula: str) -> None:
    model = fairlead.loads(DRAIN, processes={"P": "inf"})
    assert answer(model, formula, notion) is Verdict.HOLDS


def test_a_specification_of_unboundedly_many_is_refused() -> None:
    """More behaviour of the specification would be taken for allowed than any number of processes has."""
    text = "P() = a -> Skip; Spec() = ||| {2} @ P(); System() = a -> System();"
    model = fairlead.loads(text, processes={"P": "inf"})
    with pytest.raises(fairlead.InputError) as caught:
        model.check("System() refines Spec()", counters=True)
    assert caught.value.diagnostics[0].code is Code.COUNTERS


def test_determinism_is_refused() -> None:
    """Two processes that do the same event make a choice, which counted ones do not."""
    model = fairlead.loads("P() = a -> b -> P(); System() = ||| {2} @ P();")
    assert model.check("System() deterministic").verdict is Verdict.VIOLATED
    with pytest.raises(fairlead.InputError) as caught:
        model.check("System() deterministic", counters=True)
    assert caught.value.diagnostics[0].code is Code.COUNTERS
