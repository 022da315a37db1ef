"""Parts of the product in which nothing can be fair, because somebody waits there forever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fairlead
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import Configuration

#: two readers and a writer; whoever is in can always leave
READERS = """
var nr = 0; var wr = 0;
Reader(i) = want.i -> ([wr == 0] start.i{nr = nr + 1;} -> stop.i{nr = nr - 1;} -> Reader(i));
Writer() = [wr == 0 && nr == 0] write{wr = 1;} -> leave{wr = 0;} -> Writer();
System() = Reader(0) ||| Reader(1) ||| Writer();
"""
RESPONSE = "System() |= [] (start.0 -> <> stop.0)"
FAIR = ("ewf", "esf", "pwf", "psf", "sgf")


def system_of(model: fairlead.Model) -> NetworkSystem:
    network = model._loaded.system("System()")
    assert isinstance(network, Network)
    return NetworkSystem(network)


def reached(
    system: NetworkSystem, starts: list[Configuration], goes_on: Callable[[Step], bool]
) -> set[Configuration]:
    """What is reached by steps that count."""
    known, waiting = set(starts), list(starts)
    while waiting:
        for step in system.steps(waiting.pop()):
            if goes_on(step) and step.target not in known:
                known.add(step.target)
                waiting.append(step.target)
    return known


def waiting_states(model: fairlead.Model) -> set[Configuration]:
    """Those in which the first reader has begun, and has not stopped since."""
    system = system_of(model)
    everything = reached(system, list(system.initial_states()), lambda step: True)
    begun = [
        step.target for state in everything for step in system.steps(state) if str(step.event) == "start.0"
    ]
    return reached(system, begun, lambda step: str(step.event) != "stop.0")


@pytest.mark.parametrize("notion", FAIR)
def test_who_can_always_leave_does(notion: str) -> None:
    model = fairlead.loads(READERS)
    assert model.check(RESPONSE, "none").verdict is fairlead.Verdict.VIOLATED
    result = model.check(RESPONSE, notion)
    assert result.verdict is fairlead.Verdict.HOLDS
    assert result.statistics.product_nodes == len(waiting_states(model))


@pytest.mark.parametrize("notion", FAIR)
def test_who_may_be_kept_from_it_need_not(notion: str) -> None:
    """It can leave at first, but not while others hold the door: they let go of it again and again."""
    held = READERS.replace("stop.i{nr = nr - 1;}", "[i == 1 || door == 0] stop.i{nr = nr - 1;}")
    text = f"var door = 0; Door() = hold{{door = 1;}} -> free{{door = 0;}} -> Door();{held}".replace(
        "||| Writer()", "||| Writer() ||| Door()"
    )
    expected = fairlead.Verdict.VIOLATED if notion in ("ewf", "pwf") else fairlead.Verdict.HOLDS
    result = fairlead.loads(text).check(RESPONSE, notion)
    assert result.verdict is expected
    assert (result.evidence is not None) == (expected is fairlead.Verdict.VIOLATED)


@pytest.mark.parametrize("notion", FAIR)
def test_who_comes_to_a_state_without_steps_waits_for_nobody(notion: str) -> None:
    text = "P() = start.0 -> (stop.0 -> P() [] crash -> Stop); System() = P() ||| Stop;"
    result = fairlead.loads(text).check(RESPONSE, notion)
    assert result.verdict is fairlead.Verdict.VIOLATED


def test_only_those_to_whom_it_is_fair_count() -> None:
    model = fairlead.loads(READERS)
    assert model.check(RESPONSE, fair="weak(stop.0)").verdict is fairlead.Verdict.HOLDS
    assert model.check(RESPONSE, fair="weak(stop.1)").verdict is fairlead.Verdict.VIOLATED
    annotated = READERS.replace("stop.i{", "wf(stop.i){")
    assert fairlead.loads(annotated).check(RESPONSE, "none").verdict is fairlead.Verdict.HOLDS


def test_several_layers() -> None:
    """The negation of a conjunction has a layer for each half; in the second one something is fair."""
    model = fairlead.loads(READERS)
    both = f"({RESPONSE.removeprefix('System() |= ')}) && []<> write"
    assert model.check(f"System() |= {both}", "pwf").verdict is fairlead.Verdict.VIOLATED
    assert model.check(f"System() |= {both}", "sgf").verdict is fairlead.Verdict.HOLDS
