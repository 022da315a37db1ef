"""Partial order reduction: what is saved, what is refused, and what forcing it would answer wrongly."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.checker.questions import system_of
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.network import Network
from fairlead.search.ltl import check_ltl
from fairlead.search.reduced import Proviso, ReducedTarget, Sight

TWO_LOOPS = """
var x = 0;
P() = a -> P();
Q() = b{x = 1 - x;} -> Q();
System() = P() || Q();
#assert System() |= []<> a;
"""
STRONG = """
var x = 0;
P() = [x == 1] a{x = 0;} -> Stop [] b{x = 1;} -> P();
Q() = b -> Q();
System() = Q() ||| P();
#assert System() |= <> a;
"""


def forced(text: str, notion: Fairness) -> fairlead.Verdict:
    """The verdict of the assertion if the notion does not turn the reduction off."""
    model = fairlead.loads(text)
    (question,) = model.assertions
    query = model._checker.questions.query(question, notion, None)
    network = system_of(query)
    assert isinstance(network, Network)
    target = ReducedTarget(network, fairlead.Limits(), Sight(Proviso.CYCLES, labels=frozenset({"a"})))
    ltl = query.context.formula(question)  # type: ignore[arg-type]
    return check_ltl(target, ltl, query.asked).verdict


@pytest.mark.parametrize(
    ("text", "notion"),
    [(TWO_LOOPS, Fairness.EVENT_WEAK), (TWO_LOOPS, Fairness.PROCESS_WEAK), (STRONG, Fairness.EVENT_STRONG)],
)
def test_notions_that_see_everything_turn_it_off(text: str, notion: Fairness) -> None:
    model = fairlead.loads(text)
    (question,) = model.assertions
    right = model.check(question, notion)
    safe = model.check(question, notion, reduction="por")
    assert safe.verdict is right.verdict
    assert safe.partial_order is not None
    assert safe.partial_order.problem is not None
    assert forced(text, notion) is not right.verdict


def test_independent_loops_are_not_multiplied() -> None:
    text = "P(i) = a.i -> b.i -> P(i);\nSystem() = ||| i:{0..9} @ P(i);\n#assert System() deadlockfree;\n"
    model = fairlead.loads(text)
    assert model.check(model.assertions[0], reduction="por").statistics.states == 2
    assert model.check(model.assertions[0]).statistics.states == 1024


@pytest.mark.parametrize("system", ["P() || Q()", "Q() || P()"])
def test_a_partner_that_is_not_there_yet_may_come(system: str) -> None:
    """P must not move on alone: Q can still make their event possible, which alone leads to the deadlock."""
    text = f"""
P() = e -> Stop [] a -> Loop();
Loop() = c -> Loop();
Q() = b -> e -> Stop;
System() = {system};
#assert System() deadlockfree;
"""
    model = fairlead.loads(text)
    assert model.check(model.assertions[0]).verdict is fairlead.Verdict.VIOLATED
    assert model.check(model.assertions[0], reduction="por").verdict is fairlead.Verdict.VIOLATED


def test_philosophers_wait_for_each_other() -> None:
    """One is left-handed; all 1,684,801 states of twelve need not be examined, nor one in a thousand."""
    model = fairlead.load("examples/philosophers/dining_philosophers.csp", {"N": 12})
    result = model.check(model.assertion("MixedCollege() deadlockfree"), reduction="por")
    assert result.verdict is fairlead.Verdict.HOLDS
    assert result.statistics.states <= 1000


def test_parameters_that_messages_bring_do_not_hide_the_others() -> None:
    """Which channel a cell sends on is known, though not what it sends."""
    text = """
channel link[9] 0;
Source() = link[0]!0 -> Source() [] link[0]!1 -> Source();
Cell(i) = link[i]?x -> link[i + 1]!x -> Cell(i);
Sink() = link[8]?x -> Sink();
System() = Source() ||| (||| i:{0..7} @ Cell(i)) ||| Sink();
#assert System() deadlockfree;
"""
    model = fairlead.loads(text)
    assert model.check(model.assertions[0]).statistics.states == 3**8
    assert model.check(model.assertions[0], reduction="por").statistics.states < 50


def test_hidden_events_are_steps_like_others() -> None:
    text = """
P(i) = a.i -> b.i -> P(i);
System() = (||| i:{0..9} @ P(i)) \\ {a.0, b.1};
#assert System() deadlockfree;
#assert System() |= []<> b.0;
#assert System() |= [] !a.0;
"""
    model = fairlead.loads(text)
    for question in model.assertions:
        whole = model.check(question)
        reduced = model.check(question, reduction="por")
        assert reduced.verdict is whole.verdict
        assert reduced.partial_order is not None
        assert reduced.partial_order.problem is None
    assert model.check(model.assertions[0], reduction="por").statistics.states == 2
