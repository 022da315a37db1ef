"""States by number: steps that are put together from remembered ones are those of the reference semantics."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.state_space import space_of
from fairlead.model.system import Proposition
from tests.support.generators.csp_models import random_model
from tests.support.generators.entangled import entangled
from tests.support.generators.side_by_side import side_by_side
from tests.support.generators.structured import structured_model
from tests.support.oracle.machine_networks import network_of, random_composite
from tests.support.sampling import is_sample, some

MOST_STATES = 120
CHUNKS = 5


def compare(network: Network) -> int:
    """Breadth first: the same steps, or the same error, in every state; how many states there were."""
    system = NetworkSystem(network)
    space = space_of(system)
    numbers = list(dict.fromkeys(map(space.number, system.initial_states())))
    seen = set(numbers)
    for number in numbers:
        state = space.state(number)
        assert space.number(state) == number
        try:
            expected = {
                (step.event, step.processes, space.number(step.target)) for step in system.steps(state)
            }
        except (InputError, LimitReached) as problem:
            with pytest.raises(type(problem)):
                space.steps(number)
            continue
        steps = space.steps(number)
        assert len(steps) == len(expected) and set(steps) == expected, system.describe(state)
        numbers += [target for _, _, target in steps if target not in seen]
        seen.update(target for _, _, target in steps)
        if len(numbers) > MOST_STATES:
            break
    return len(numbers)


def networks(text: str) -> list[Network]:
    """The systems that the assertions of a model are about."""
    model = fairlead.loads(text, "csp")
    names = dict.fromkeys(assertion.process for assertion in model.assertions) or ["System()"]
    found = [model._loaded.system(name) for name in names]
    return [system for system in found if isinstance(system, Network)]


@pytest.mark.parametrize("write", [random_model, side_by_side, structured_model, entangled])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_models(write: object, chunk: int) -> None:
    assert callable(write)
    states = 0
    for seed in some(range(chunk, 150, CHUNKS)):
        states += sum(map(compare, networks(write(seed))))
    assert is_sample() or states > 10


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_machines(chunk: int) -> None:
    for seed in some(range(chunk, 400, CHUNKS)):
        compare(network_of(random_composite(seed)))


RING = """
var token = 0;
var held[3];
Node(i) = take.i{held[i] = 1 - held[i];} -> Node(i)
          [] [token == i] pass.i{token = (token + 1) % 3;} -> Node(i);
Ring() = ||| i:{0..2} @ Node(i);
#assert Ring() deadlockfree;
#assert Ring() |= [] held[1] == 0;
"""


def test_what_was_read_is_remembered() -> None:
    """A process that reads two variables is asked again only if one of them has another value."""
    (network,) = networks(RING)
    asked = 0

    class Counting(NetworkSystem):
        def moves_of(self, tree, values):  # type: ignore[no-untyped-def]
            nonlocal asked
            asked += 1
            return super().moves_of(tree, values)

    space = space_of(NetworkSystem(network))
    space.system = Counting(network)
    numbers = [space.number(state) for state in space.system.initial_states()]
    seen = set(numbers)
    for number in numbers:
        fresh = {target for _, _, target in space.steps(number)} - seen
        seen |= fresh
        numbers += fresh
    assert len(numbers) == 3 * 2**3
    # each of the three nodes reads what it holds and the token
    assert asked == 3 * 2 * 3


def test_propositions_are_those_of_the_system() -> None:
    model = fairlead.loads(RING, "csp")
    network = model._loaded.system("Ring()")
    assert isinstance(network, Network)
    system = NetworkSystem(network)
    space = space_of(system)
    vocabulary = model._loaded.vocabulary(model.assertions[1])
    from fairlead.model.assertion import AtomText

    meaning = vocabulary.meaning(AtomText("held[1] == 0", False, True, None))
    assert isinstance(meaning, Proposition)
    numbers = [space.number(state) for state in system.initial_states()]
    for number in numbers:
        assert space.holds(meaning, number) is system.holds(meaning, space.state(number))
        if len(numbers) < 40:
            numbers += [target for _, _, target in space.steps(number)]
    assert {space.holds(meaning, number) for number in numbers} == {True, False}
