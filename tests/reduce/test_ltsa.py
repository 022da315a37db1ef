"""What `minimal`, `deterministic` and `property` make of machines, and the sizes LTSA gives for them."""

from __future__ import annotations

import itertools
import random

import pytest

from fairlead.base.diagnostics import LimitReached
from fairlead.model.composition import NotDeterministic
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine
from fairlead.model.machine_operations import completed, composed
from fairlead.reduce.bisimulation import Equivalence, minimised
from fairlead.reduce.ltsa import (
    determinised,
    minimal_composite,
    minimal_primitive,
    tau_reduced,
)
from tests.support.oracle.bisimulation import Machines, random_machine


def machine(*rows: list[tuple[str, int]], end: int | None = None) -> Machine:
    labels = dict.fromkeys(label for row in rows for label, _ in row if label != TAU)
    return Machine("M", tuple(labels), tuple(map(tuple, rows)), end)


def hiding(given: Machine, hidden: str) -> Machine:
    rows = tuple(
        tuple((TAU if label in hidden else label, target) for label, target in row)
        for row in given.transitions
    )
    alphabet = tuple(label for label in given.alphabet if label not in hidden)
    return Machine(given.name, alphabet, rows, given.end)


def size(given: Machine) -> tuple[int, int]:
    return given.state_count, given.transition_count


# ---------------------------------------------------------------- sizes known from LTSA

#: a -> (tau -> b -> Q | tau -> c -> Q)
CHOOSES = machine([("a", 1)], [(TAU, 2), (TAU, 3)], [("b", 0)], [("c", 0)])


def test_minimal_processes_and_composites_have_the_sizes_of_ltsa() -> None:
    assert size(minimal_primitive(machine([("a", 1)], [(TAU, 2)], [("b", 0)]))) == (2, 2)
    assert size(minimal_primitive(CHOOSES)) == (4, 5)
    assert size(minimal_composite(CHOOSES)) == (3, 4)
    at_the_start = machine([(TAU, 1), (TAU, 2)], [("b", 0)], [("c", 0)])
    assert size(minimal_composite(at_the_start)) == (3, 4)
    loops = machine([("a", 1)], [(TAU, 1), ("b", 0)])
    assert size(minimal_composite(loops, Equivalence.WEAK)) == (2, 2)
    ends = composed([machine([("a", 1)], [], end=1), machine([("b", 1)], [], end=1)])
    assert size(ends) == (4, 4) and size(minimal_composite(hiding(ends, "a"))) == (2, 1)


def test_deterministic_machines_have_the_sizes_of_ltsa() -> None:
    assert size(determinised(CHOOSES)) == (2, 3)
    assert size(determinised(machine([("a", 1), ("a", ERROR_STATE)], [("b", 0)]))) == (1, 1)


def test_properties_have_the_sizes_of_ltsa() -> None:
    assert size(completed(machine([("a", 1)], [("b", 2)], [], end=2))) == (3, 6)
    choice = completed(determinised(CHOOSES))
    assert size(choice) == (2, 6)
    twice = machine([("a", 1)], [("a", 0)])
    assert size(composed([twice, choice])) == (4, 12)
    assert size(minimal_composite(composed([twice, choice]))) == (2, 6)
    both = composed([machine([("a", 1)], [("x", 0)]), machine([("x", 1)], [("b", 0)])])
    buffer = completed(determinised(hiding(both, "x")))
    assert size(buffer) == (3, 6)
    burst = machine([("a", 1)], [("a", 2)], [("a", 3)], [("a", 4)], [("b", 0)])
    assert size(composed([burst, buffer])) == (3, 3)


def test_nested_composites_have_the_sizes_of_ltsa() -> None:
    first, second = machine([("a", 1)], [("s", 0)]), machine([("s", 1)], [("b", 0)])
    inner = minimal_composite(hiding(composed([first, second]), "s"))
    assert size(inner) == (3, 4)
    outer = composed([inner, machine([("s", 1)], [("c", 0)])])
    assert size(outer) == (6, 14) and size(minimal_composite(outer)) == (6, 14)
    low = composed(
        [machine([("x", 1)], [("b", 0)]), machine([("b", 1)], [("c", 0)])],
        ActionPriority(frozenset("x"), is_high=False),
    )
    assert size(low) == (3, 3) and size(minimal_composite(hiding(low, "b"))) == (2, 2)


# ---------------------------------------------------------------- against the definitions

DEPTH = 4


def traces(given: Machine) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The visible traces up to a length, and those that may lead to ERROR."""
    system = Machines((given,))
    found, wrong = {()}, set()
    level = {(): system.silently[0, 0]}
    for _ in range(DEPTH + 1):
        wrong |= {trace for trace, states in level.items() if (0, ERROR_STATE) in states}
        following: dict[tuple[str, ...], set[tuple[int, int]]] = {}
        for trace, states in level.items():
            for state in states:
                for label, target in system.steps[state]:
                    if label != TAU:
                        following.setdefault((*trace, label), set()).update(system.silently[target])
        level = {trace: states for trace, states in following.items() if len(trace) <= DEPTH}
        found |= set(level)
    return found, wrong


def cut_at_errors(given: Machine) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """The traces until the first that may lead to ERROR."""
    found, wrong = traces(given)
    first = {trace for trace in wrong if not any(trace[:i] in wrong for i in range(len(trace)))}
    kept = {trace for trace in found if not any(trace[:i] in first for i in range(len(trace)))}
    return kept, first


def check_random_machine(seed: int) -> None:
    rng = random.Random(seed)
    given = random_machine(rng, "abc", states=rng.choice((3, 5, 7)), error=rng.choice((0.0, 0.1)))
    small = determinised(given)
    assert cut_at_errors(small) == cut_at_errors(given), (seed, given, small)
    for row in small.transitions:
        labels = [label for label, _ in row]
        assert len(set(labels)) == len(labels)
        assert TAU not in labels or small.transitions == (((TAU, ERROR_STATE),),)
    assert minimised(small, Equivalence.STRONG).state_count == small.state_count
    reduced = tau_reduced(given)
    assert traces(reduced) == traces(given), (seed, given, reduced)
    for state, row in enumerate(reduced.transitions):
        only_internal = bool(row) and all(label == TAU for label, _ in row)
        assert state == 0 or not only_internal or row == ((TAU, state),), (seed, given, reduced)
    before, after = Machines((given,)), Machines((reduced,))
    assert deadlocks(before) == deadlocks(after), (seed, given, reduced)


def deadlocks(system: Machines) -> tuple[bool, bool, bool]:
    """Whether a deadlock, a livelock and termination can be reached."""
    reachable = system._reached([(0, 0)], internal=False) - {(0, ERROR_STATE)}
    stopped = [state for state in reachable if not system.steps[state]]
    return (
        any(not system.is_end(state) for state in stopped),
        any(system.is_livelock(state) for state in reachable),
        any(system.is_end(state) for state in stopped),
    )


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_traces_are_kept(first: int) -> None:
    for seed in range(first, first + 100):
        check_random_machine(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 9000, 400))
def test_traces_are_kept_often(first: int) -> None:
    for seed in range(first, first + 400):
        check_random_machine(seed)


# ---------------------------------------------------------------- single cases


def test_internal_steps_that_never_end_stay() -> None:
    given = machine([("a", 1)], [(TAU, 2)], [(TAU, 3)], [(TAU, 2)])
    assert tau_reduced(given).transitions == ((("a", 1),), ((TAU, 1),))


def test_internal_cycles_that_can_be_left_vanish() -> None:
    given = machine([("a", 1)], [(TAU, 2)], [(TAU, 1), (TAU, 3)], [("b", 0)])
    assert tau_reduced(given).transitions == ((("a", 1),), (("b", 0),))


def test_the_initial_state_stays_and_leads_on() -> None:
    given = machine([(TAU, 1)], [(TAU, 2)], [("a", 0), ("b", -1)])
    assert tau_reduced(given).transitions == (((TAU, 1),), (("a", 0), ("b", -1)))


def test_end_of_a_deterministic_machine() -> None:
    surely = machine([("a", 1), ("a", 2)], [(TAU, 2)], [], end=2)
    assert determinised(surely) == Machine("M", ("a",), ((("a", 1),), ()), 1)
    perhaps = machine([("a", 1), ("a", 2)], [], [], end=2)
    assert determinised(perhaps) == Machine("M", ("a",), ((("a", 1),), ()), None)
    goes_on = machine([("a", 1), ("a", 2)], [("b", 2)], [], end=2)
    small = determinised(goes_on)
    assert small.transitions == ((("a", 1),), (("b", 2),), ()) and small.end == 2


def test_an_error_from_the_start() -> None:
    assert determinised(machine([(TAU, -1), ("a", 0)])).transitions == (((TAU, ERROR_STATE),),)


def test_determinising_keeps_its_limit() -> None:
    # c tells whether the eighth letter before it was a
    shifting = ([("a", i + 1), ("b", i + 1)] for i in range(1, 8))
    rows = [[("a", 0), ("b", 0), ("a", 1)], *shifting, [("c", 8)]]
    assert determinised(machine(*rows)).state_count > 100
    with pytest.raises(LimitReached):
        determinised(machine(*rows), max_states=50)


def test_completed_machines_allow_what_they_did_and_nothing_else() -> None:
    given = machine([("a", 1)], [("b", 0), ("c", ERROR_STATE)])
    for state, row in enumerate(completed(given).transitions):
        assert [label for label, _ in sorted(row)] == ["a", "b", "c"]
        for label, target in itertools.chain(row):
            listed = dict(given.transitions[state])
            assert target == listed.get(label, ERROR_STATE)


def test_what_is_no_property_is_refused() -> None:
    with pytest.raises(NotDeterministic, match=TAU):
        completed(machine([(TAU, 0)]))
    with pytest.raises(NotDeterministic) as problem:
        completed(machine([("a", 0), ("b", 0), ("b", 1)], []))
    assert problem.value.label == "b"
