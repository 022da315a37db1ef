"""Stubborn sets against their definition: what was left out changes nothing for what was kept.

In the whole graph, from each state whose steps were reduced, everything is tried that the processes can do
which take part in none of the kept steps. Meanwhile the kept steps, and no others of these processes, must be
possible, and must lead to the same before and after. And the same deadlocks are found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import pytest

import fairlead
from fairlead.checker.questions import system_of
from fairlead.engine import _native
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.system import State
from fairlead.search.reduced import Proviso, ReducedTarget, Sight
from fairlead.search.target import NetworkTarget
from tests.support.asking.faults import without_fault
from tests.support.generators.entangled import entangled
from tests.support.generators.side_by_side import side_by_side
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

DEFAULT_SEEDS = range(300)
LONG_SEEDS = range(10_000, 14_000)
CHUNKS = 10
MOST_STATES = 1500
#: so many states are tried from each state
MOST_TRIED = 60

Action = tuple[str, tuple[str, ...]]


@pytest.fixture(autouse=True)
def threads_are_worth_waking(tune: Tune) -> None:
    tune(least_work=1)


@dataclass
class Explored:
    """A graph with the configurations it stands for."""

    target: NetworkTarget
    graph: _native.NetworkGraph

    @classmethod
    def all_of(cls, target: NetworkTarget) -> Explored | None:
        """None if there are many states."""
        graph = target.graph()
        try:
            while not graph.complete:
                if graph.state_count > MOST_STATES:
                    return None
                target.explore(graph.state_count + MOST_STATES)
        except _native.EngineFault:
            return None
        return cls(target, graph)

    @cached_property
    def steps(self) -> dict[State, set[tuple[Action, State]]]:
        """By configuration."""
        states = [self.target.state(self.graph, number) for number in range(self.graph.state_count)]
        found: dict[State, set[tuple[Action, State]]] = {}
        for number, state in enumerate(states):
            found[state] = set()
            for action, target in self.graph.edges(number):
                label, processes = self.graph.action(action)
                found[state].add(((label, tuple(processes)), states[target]))
        return found

    @property
    def deadlocks(self) -> set[State]:
        return {state for state, steps in self.steps.items() if not steps}


def system(text: str) -> Network:
    """All graphs are made of the same network, so that they have the same configurations."""
    model = fairlead.loads(text)
    question = model.assertion("System() deadlockfree")
    network = system_of(model._checker.questions.query(question, fairlead.Fairness.NONE, None))
    assert isinstance(network, Network)
    return network


def explored(network: Network, sight: Sight | None, threads: int = 1) -> Explored | str | None:
    """The whole graph, or a reduced one; why it is not reduced, if so."""
    limits = fairlead.Limits(threads=threads)
    if sight is None:
        return Explored.all_of(NetworkTarget(network, limits))
    target = ReducedTarget(network, limits, sight)
    target.graph()
    return target.problem or Explored.all_of(target)


def check_definition(whole: Explored, reduced: Explored, where: str) -> int:
    """How many states had fewer steps."""
    count = 0
    for state, kept in reduced.steps.items():
        if kept == whole.steps[state]:
            continue
        assert kept < whole.steps[state], where
        assert kept, where
        count += 1
        check_state(whole, state, kept, where)
    return count


def check_state(whole: Explored, start: State, kept: set[tuple[Action, State]], where: str) -> None:
    actions = {action for action, _ in kept}
    processes = {process for _, taking_part in actions for process in taking_part}

    def concerns(action: Action) -> bool:
        return not processes.isdisjoint(action[1])

    def after(state: State, action: Action) -> set[State]:
        return {target for other, target in whole.steps[state] if other == action}

    assert {action for action, _ in whole.steps[start] if concerns(action)} == actions, where
    tried, pending = {start}, [start]
    while pending:
        state = pending.pop()
        for action, target in whole.steps[state]:
            if concerns(action):
                continue
            assert {other for other, _ in whole.steps[target] if concerns(other)} == actions, where
            for own in actions:
                first, then = after(state, own), after(target, own)
                assert all(not after(one, action).isdisjoint(then) for one in first), where
                assert then <= set().union(*(after(one, action) for one in first)), where
            if target not in tried and len(tried) < MOST_TRIED:
                tried.add(target)
                pending.append(target)


def check_model(text: str) -> Counter[str]:
    seen: Counter[str] = Counter()
    network = system(text)
    whole = explored(network, None)
    if not isinstance(whole, Explored):
        return Counter(skipped=1)
    for proviso in (Proviso.NONE, Proviso.CYCLES):
        reduced = explored(network, Sight(proviso))
        if isinstance(reduced, str):
            return Counter({"not reduced": 1})
        assert isinstance(reduced, Explored), text
        assert reduced.deadlocks == whole.deadlocks, text
        seen["deadlocks"] += len(whole.deadlocks)
        seen["reduced"] += check_definition(whole, reduced, text)
        again = explored(network, Sight(proviso), threads=3)
        assert isinstance(again, Explored), text
        assert again.steps == reduced.steps, text
    return seen


def models(seeds: Iterable[int]) -> Iterable[str]:
    for seed in seeds:
        yield entangled(seed)
        yield side_by_side(seed, annotated=False)


def check_models(seeds: Iterable[int]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for text in models(seeds):
        try:
            seen += check_model(text)
        except fairlead.InputError:
            seen["rejected"] += 1
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_left_out_changes_nothing_for_what_is_kept(chunk: int) -> None:
    seen = check_models(some(DEFAULT_SEEDS[chunk::CHUNKS]))
    if is_sample():
        return
    assert seen["reduced"] > 200
    assert seen["deadlocks"] > 10


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_stubborn_sets(chunk: int) -> None:
    check_models(LONG_SEEDS[chunk::CHUNKS])


#: each is written to break a rule of stubborn sets
WRITTEN = {
    "a guard that two others make true": """
var x = 0; var y = 0;
P() = [x == 1 && y == 1] a -> Stop [] b -> Loop();
Loop() = c -> Loop();
Q() = d{x = 1;} -> Stop;
R() = e{y = 1;} -> Stop;
System() = P() ||| Q() ||| R();""",
    "a value that is passed through": """
var x = 0;
P() = [x == 1] a -> Stop [] b -> Loop();
Loop() = c -> Loop();
Q() = d{x = 3;} -> Stop;
R() = [x > 1] e{x = x - 1;} -> R();
System() = P() ||| Q() ||| R();""",
    "what is added makes a test false": """
var x = 0;
P() = [x == 0] a -> Stop [] [x == 1] b -> Loop();
Loop() = d -> Loop();
Q() = c{x = x + 1;} -> Stop;
System() = P() ||| Q();""",
    "an event of three partners": """
P() = e -> Stop [] a -> Loop();
Loop() = c -> Loop();
Q() = b -> e -> Stop;
R() = d -> e -> Stop [] f -> R();
System() = P() || Q() || R();""",
    "an event with alternatives": """
var x = 0;
P() = e{x = 1;} -> Stop [] e{x = 2;} -> Stop;
Q() = b -> (e -> Stop [] [x == 0] e -> d -> Stop);
R() = [x == 1] f{x = 0;} -> R();
System() = P() || Q() || R();""",
    "a buffer that is full, then empty": """
channel q 1;
P() = q!1 -> q!2 -> Stop;
Q() = q?1 -> a -> Q() [] q?2 -> Stop;
R() = q?v -> R();
System() = P() ||| Q() ||| R();""",
    "two who look at the first message": """
channel q 2;
var x = 0;
P() = q!0 -> q!1 -> Stop;
Q() = q?[v == x]v -> Stop [] b -> Stop;
R() = a{x = 1;} -> q?v -> Stop;
System() = P() ||| Q() ||| R();""",
    "handshakes with a choice of partners": """
channel c 0;
var x = 0;
P() = c!x -> Stop [] a -> P2();
P2() = c!1 -> Stop;
Q() = c?[v == 1]v -> Stop [] b -> Q2();
Q2() = c?v -> d -> Q2();
R() = e{x = 1;} -> c?v -> Stop;
System() = P() ||| Q() ||| R();""",
    "channels that a variable chooses": """
channel c[2] 0;
var x = 0;
P() = c[x]!1 -> Stop;
Q() = c[1]?v -> Stop [] a -> Stop;
R() = c[0]?v -> b -> R() [] d{x = 1;} -> Stop;
System() = P() ||| Q() ||| R();""",
    "ending together": """
var x = 0;
P() = [x == 0] Skip [] a{x = 1;} -> Skip;
Q() = b -> Skip [] [x == 1] c -> Stop;
R() = d{x = 0;} -> Skip;
System() = P() ||| Q() ||| R();""",
    "the same constant twice": """
var x = 0;
P() = a{x = 1;} -> Stop;
Q() = b{x = 1;} -> [x == 0] c -> Q();
R() = [x == 1] d{x = 0;} -> Stop;
System() = P() ||| Q() ||| R();""",
    "what is hidden is shared all the same": """
P() = e -> Stop [] a -> Loop();
Loop() = c -> Loop();
Q() = b -> e -> Stop;
System() = (P() || Q()) \\ {e, b};""",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written_to_break_it(name: str) -> None:
    seen = check_model(WRITTEN[name])
    assert not seen["skipped"], seen
    assert not seen["not reduced"], seen
    assert seen["deadlocks"], seen


#: the fault comes only after steps that have nothing to do with those that could be chosen first
FAULTS = {
    "a guard that fails behind a test": """
var x = 0; var y = 1;
P() = [x == 1 && 1 / y == 1] a -> Stop [] own -> P();
Q() = b{y = 0;} -> c{x = 1;} -> Stop;
System() = P() ||| Q();""",
    "a test behind what cannot fail yet": """
var x = 0; var y = 1; var z = 0;
P() = [1 / y == 1 && x == 1 && 1 / z == 1 && y == 5] a -> Stop [] own -> Stop;
Q() = c{x = 1;} -> Stop;
System() = P() ||| Q();""",
    "more than the range, but only together": """
var x:{0..2} = 2;
P() = e{x = x + 1;} -> Stop;
Q() = b -> e -> Stop;
R() = c{x = x - 1;} -> Stop;
System() = P() || Q() || R();""",
    "more than the range of a variable": """
var x:{0..2} = 0;
P() = a{x = x + 1;} -> own -> P();
Q() = b{x = x + 1;} -> Stop;
R() = c{x = 0;} -> R();
System() = P() ||| Q() ||| R();""",
    "the effect of a shared event": """
var y = 1;
P() = e{y = 1 / y;} -> Stop [] own -> P();
Q() = b -> e -> Stop;
R() = c{y = 0;} -> Stop;
System() = P() || Q() || R();""",
    "a message that leads to it": """
channel c 0;
var y = 1;
P() = c!y -> Stop [] own -> P();
Q() = c?v{y = 1 / v;} -> Stop;
R() = b{y = 0;} -> Stop;
System() = P() ||| Q() ||| R();""",
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("question", ["deadlockfree", "reaches far", "|= [] !far"])
def test_faults_are_not_put_off(name: str, question: str) -> None:
    (declared, *_) = re.findall(r"var (\w)", FAULTS[name])
    model = fairlead.loads(f"{FAULTS[name]}\n#define far {declared} == 9;\n")
    with pytest.raises(Fault):
        without_fault(model.check(model.assertion(f"System() {question}"), reduction="por"))
