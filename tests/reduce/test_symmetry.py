"""What can be exchanged, against the definition: all permutations, on the reference semantics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import pytest
from oracle.symmetry_models import random_numbered_model

import fairlead
from fairlead.check.finding import Verdict
from fairlead.check.limits import Clock
from fairlead.check.target import NetworkTarget
from fairlead.errors import Code
from fairlead.model.interchange import Interchange
from fairlead.model.labels import is_internal
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.model.tree import Configuration, has_ended
from fairlead.reduce.symmetry.detection import Detected, interchange_of
from fairlead.reduce.symmetry.renaming import Renaming
from fairlead.reduce.symmetry.verification import Asked

CHUNKS = 10
SEEDS = range(400)
LONG_SEEDS = range(100_000, 103_000)
MOST_STATES = 400


def network_of(text: str) -> Network:
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return network


def detected(text: str, asked: Asked = Asked()) -> Detected:
    return interchange_of(network_of(text), asked)


def reachable(system: NetworkSystem, limit: int) -> list[Configuration] | None:
    found: dict[State, None] = dict.fromkeys(system.initial_states())
    queue = list(found)
    for state in queue:
        for step in system.steps(state):
            if step.target not in found:
                found[step.target] = None
                queue.append(step.target)
        if len(queue) > limit:
            return None
    return [state for state in queue if isinstance(state, Configuration)]


def all_renamings(interchange: Interchange) -> Iterator[Renaming]:
    """Every permutation of every block."""
    rows = []
    for first, block in zip(interchange.first_members, interchange.blocks, strict=True):
        rows.append(list(permutations(range(first, first + len(block)))))
    for chosen in product(*rows):
        yield Renaming(interchange, tuple(member for row in chosen for member in row))


def steps_of(system: NetworkSystem, state: State) -> set[tuple[bool, State]]:
    return {(is_internal(step.event), step.target) for step in system.steps(state)}


def is_set_up(state: Configuration, interchange: Interchange) -> bool:
    """Before all processes are there, nothing is exchanged."""
    return type(state.tree) is type(interchange.tree) or has_ended(state.tree)


def check_by_definition(seed: int) -> bool:
    """Whether there was something to exchange; all claims are checked."""
    text = random_numbered_model(seed, most=3)
    network = network_of(text)
    interchange = interchange_of(network, Asked()).interchange
    if interchange is None:
        return False
    system = NetworkSystem(network)
    try:
        states = reachable(system, MOST_STATES)
    except fairlead.FairleadError:
        return False
    if states is None:
        return False
    renamings = list(all_renamings(interchange))
    orbits: dict[Configuration, int] = {}
    for number, state in enumerate(states):
        if not is_set_up(state, interchange):
            orbits.setdefault(state, number)
            continue
        for renaming in renamings:
            image = renaming.configuration(state)
            orbits.setdefault(image, orbits.get(state, number))
            expected = {
                (internal, renaming.configuration(target))
                for internal, target in steps_of(system, state)
                if isinstance(target, Configuration)
            }
            assert steps_of(system, image) == expected, f"seed {seed}\n{text}\n{state}\n{renaming.to}"
    target = NetworkTarget(replace(network, interchange=interchange), fairlead.Limits())
    graph = target.explore_all(Clock(fairlead.Limits()))
    explored = [target.state(graph, number) for number in range(graph.state_count)]
    seen = {orbits[state] for state in explored if isinstance(state, Configuration)}
    assert seen == set(orbits.values()), f"seed {seed}: every orbit is represented, and nothing else\n{text}"
    assert len(seen) <= len(explored) <= len(orbits), f"seed {seed}\n{text}"
    return True


WALKERS = """
#define N 2;
var x[N]:{{1..9}} = [{start}, {start}];
#define started (&& i:{{0..N-1}} @ (x[i] != {start}));
P(i) = {event}{{x[i] = 1;}} -> Q(i);
Q(i) = {event}{{x[i] = 2;}} -> {event}{{x[i] = 1;}} -> Q(i);
System() = ||| i:{{0..N-1}} @ P(i);
#assert System() |= <> started;
"""

EXCHANGE = """
#define N 2;
channel c 0;
P(i) = s.i -> X() [] t.i -> Y();
X() = c!0 -> Y() [] b -> X();
Y() = c?0 -> X();
System() = ||| i:{0..N-1} @ P(i);
#assert System() |= !([]<> b && <>[] (b -> X ("c.0" && X ("c.0" && X b))));
"""


def forced(text: str, notion: str) -> tuple[Verdict, Verdict]:
    """The verdict of the only assertion, and what would be found if it were asked with symmetry all the same."""
    model = fairlead.loads(text)
    (question,) = model.assertions
    with pytest.raises(fairlead.InputError) as refused:
        model.check(question, notion, reduction="symmetry")
    assert refused.value.diagnostics[0].code is Code.SYMMETRY
    asked = model._questions.asked(question, fairlead.Fairness(notion), None)
    network = model._questions.system(question)
    assert isinstance(network, Network)
    reduced = model._symmetric._reduced(network, question, asked, fairlead.Limits())
    assert reduced.detected.interchange is not None
    found = model._questions.find(question, reduced.target, asked)
    return model.check(question, notion).verdict, found.verdict


@pytest.mark.parametrize("notion", ["pwf", "psf", "ewf", "esf", "impartial"])
def test_what_is_refused_would_be_answered_wrongly(notion: str) -> None:
    # which of two processes comes first in a representative is decided by hashing, so one start may do
    found = [forced(WALKERS.format(start=start, event="s.i"), notion) for start in range(3, 10)]
    assert (Verdict.HOLDS, Verdict.VIOLATED) in found


@pytest.mark.parametrize("annotation", ["wf", "sf"])
def test_annotations_would_be_answered_wrongly(annotation: str) -> None:
    event = f"{annotation}(s.i)"
    found = [forced(WALKERS.format(start=start, event=event), "none") for start in range(3, 10)]
    assert (Verdict.HOLDS, Verdict.VIOLATED) in found


def test_the_order_of_steps_would_be_answered_wrongly_under_global_fairness() -> None:
    assert forced(EXCHANGE, "sgf") == (Verdict.HOLDS, Verdict.VIOLATED)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exchanges_carry_steps_over_to_steps(chunk: int) -> None:
    assert sum(check_by_definition(seed) for seed in SEEDS[chunk::CHUNKS]) > 15


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exchanges_carry_steps_over_to_steps_of_many_models(chunk: int) -> None:
    assert sum(check_by_definition(seed) for seed in LONG_SEEDS[chunk::CHUNKS]) > 100
