"""Whether atoms of formulas are true at a position: a state with the step into it."""

from __future__ import annotations

import pytest

from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom, Ready
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.meaning import meaning_holds
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, Step, System, idle_step
from tests.support.asking.vocabulary import loaded

#: 0 -a(P)-> 1 -b(P,Q)-> 2, which has no steps; 0 -c(Q)-> 0
A, B, C = (
    Step("a", frozenset({"P"}), 1),
    Step("b", frozenset({"P", "Q"}), 2),
    Step("c", frozenset({"Q"}), 0),
)
READY = {Annotated("a", "wl"): frozenset({0, 2})}
GRAPH = ExplicitGraph(3, 0, {0: (A, C), 1: (B,)}, {"low": frozenset({0, 1})}, annotations=READY)

#: the positions of an execution: at the start, after c, a, b, and after idling
POSITIONS = [(0, None), (0, C), (1, A), (2, B), (2, idle_step(2))]


def event(*labels: str) -> EventAtom:
    return EventAtom(frozenset(labels))


def process(*names: str) -> ProcessAtom:
    return ProcessAtom(frozenset(names))


@pytest.mark.parametrize(
    ("meaning", "truth"),
    [
        (Proposition("low", "low"), "11100"),
        (event("a"), "00100"),
        (event("a", "c"), "01100"),
        (event("z"), "00000"),
        (event(), "00000"),
        (process("P"), "00110"),
        (process("Q"), "01010"),
        (process("P", "Q"), "01110"),
        (process("R"), "00000"),
        (Enabled(event("a")), "11000"),
        (Enabled(event("b", "c")), "11100"),
        (Enabled(event("(idle)")), "00000"),
        (Enabled(process("P")), "11100"),
        (Enabled(process("R")), "00000"),
        (Ready(Annotated("a", "wl")), "11011"),
        (Ready(Annotated("a", "sl")), "00000"),
    ],
)
def test_on_a_graph(meaning: Meaning, truth: str) -> None:
    found = [meaning_holds(GRAPH, meaning, state, step) for state, step in POSITIONS]
    assert found == [value == "1" for value in truth]


def test_on_a_network() -> None:
    text = "var x; P() = sl(a){x = 1;} -> b -> P(); Q() = b -> Q(); System() = P() || Q();"
    network = loaded(text, "csp").system("System()")
    assert isinstance(network, Network)
    system: System = NetworkSystem(network)
    (start,) = system.initial_states()
    (step,) = system.steps(start)
    ready = Ready(Annotated("a", "sl"))
    for meaning, before, after in (
        (event("a"), False, True),
        (process("P()"), False, True),
        (process("Q()"), False, False),
        (Enabled(event("b")), False, True),
        (Enabled(process("Q()")), False, True),
        (Enabled(process("P()")), True, True),
        (ready, True, False),
    ):
        assert meaning_holds(system, meaning, start, None) is before
        assert meaning_holds(system, meaning, step.target, step) is after
