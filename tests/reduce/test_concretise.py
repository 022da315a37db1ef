"""Runs of counted networks become runs of the processes themselves, which are judged by the definitions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from fairlead.evidence.paths import FairPaths
from fairlead.evidence.validate import replay_problem
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System
from fairlead.outcome.component import Component
from fairlead.reduce.closed_component import closing
from fairlead.reduce.counters.concrete_judge import Judge
from fairlead.reduce.counters.concretise import concrete_run
from fairlead.reduce.tour import tour
from tests.support.examples.loading import find_example
from tests.support.generators.concretise_by_hand import Pair, pair_of, random_lassos, random_walk
from tests.support.tuning import Tune

BUDGET = 200_000
LOCAL_NOTIONS = [notion for notion in Fairness if notion not in (Fairness.STRONG_GLOBAL, Fairness.IMPARTIAL)]


def concretised(pair: Pair, run: Run, fairness: Fairness, budget: int = BUDGET) -> Run | None:
    return concrete_run(pair.counted, pair.concrete, run, pair.groups, pair.counting.same, fairness, budget)


def check_stands_for(pair: Pair, run: Run, concrete: Run) -> None:
    """The concrete run is one of the system, and goes through what the counted one goes through."""
    assert replay_problem(pair.judge, concrete) is None
    assert pair.abstracted(concrete.start) == run.start
    steps = [*concrete.stem, *concrete.loop]
    rounds = -(-(len(steps) - len(run.stem)) // len(run.loop)) if run.loop else 0
    assert bool(run.loop) == bool(concrete.loop)
    followed = [*run.stem, *run.loop * rounds]
    assert len(steps) == len(followed)
    for step, counted in zip(steps, followed, strict=True):
        assert pair.abstracted(step.target) == counted.target
        assert len(step.processes) >= len(counted.processes)


def check_judge(pair: Pair, run: Run, seed: random.Random) -> None:
    """The judge of many processes says the same as the definitions, of wrong runs too."""
    judge = Judge(pair.concrete, pair.groups)
    steps = list(run.loop)
    left_out, repeated = seed.randrange(len(steps)), seed.randrange(len(steps))
    runs = [
        run,
        replace(run, loop=(*steps[:left_out], *steps[left_out + 1 :])),
        replace(run, loop=(*steps[:repeated], steps[repeated], *steps[repeated:])),
        replace(run, loop=(replace(steps[0], event="another"), *steps[1:])),
    ]
    for judged in runs:
        assert judge.replay_problem(judged) == replay_problem(pair.judge, judged)
    for notion in (Fairness.NONE, Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG):
        expected = FairPaths(notion).loop_problem(pair.judge, run)
        assert (judge.loop_problem(run, notion) is None) == (expected is None)


def check_lassos(
    pair: Pair, seed: random.Random, walks: int, length: int, notions: Sequence[Fairness] = LOCAL_NOTIONS
) -> dict[Fairness, int]:
    """How many fair lassos of each notion were turned into fair ones: all of them."""
    found = dict.fromkeys(notions, 0)
    for _ in range(walks):
        for run in random_lassos(pair.counted, seed, length):
            for notion in notions:
                if FairPaths(notion).loop_problem(pair.counted, run) is None:
                    concrete = concretised(pair, run, notion)
                    assert concrete is not None
                    check_stands_for(pair, run, concrete)
                    assert FairPaths(notion).loop_problem(pair.judge, concrete) is None
                    if seed.random() < 0.15:
                        check_judge(pair, concrete, seed)
                    found[notion] += 1
    return found


def example(name: str, process: str, number: int) -> Pair:
    text = find_example(f"{name}.csp").read_text()
    return pair_of(text, process, definitions={"N": str(number)})


@pytest.mark.parametrize(
    ("name", "process", "number", "length"),
    [
        ("leader_complete", "Network()", 5, 50),
        ("lock_free_stack", "System()", 3, 50),
        ("meta_lock", "System()", 4, 30),
        ("many_readers_writers", "Library()", 3, 30),
        ("register", "System()", 2, 100),
    ],
)
def test_lassos_of_the_examples(name: str, process: str, number: int, length: int) -> None:
    pair = example(name, process, number)
    found = check_lassos(pair, random.Random(name), 6, length)
    assert all(found.values())


def random_model(seed: random.Random, *, with_internal: bool, ending: bool) -> str:
    """Two groups and one more process: guards, assignments, handshakes, ways within and between states."""
    kinds = ["event", "event", "update", "send", "receive", *["internal"] * with_internal]

    def step(letter: str, number: int) -> str:
        target = f"{letter}{seed.randrange(3)}()"
        if ending and seed.random() < 0.15:
            target = "Skip"
        guard = seed.choice(["", "", f"[x == {seed.randrange(2)}]", f"[y != {seed.randrange(2)}]"])
        match seed.choice(kinds):
            case "send":
                return f"{guard} c!0 -> {target}"
            case "receive":
                return f"{guard} c?0 -> {target}"
            case "internal":
                return f"{guard} tau -> {target}"
            case "update":
                return f"{guard} a{number}{{{seed.choice('xy')} = {seed.randrange(2)};}} -> {target}"
        return f"{guard} {seed.choice('ab')}{number} -> {target}"

    lines = ["channel c 0;", "var x:{0..1} = 0;", "var y:{0..1} = 0;"]
    for letter in "PQR":
        for number in range(3):
            steps = [step(letter, number) for _ in range(seed.choice([1, 1, 2, 3]))]
            lines.append(f"{letter}{number}() = {' [] '.join(steps)};")
    beside = f"(||| {{{seed.randint(2, 4)}}} @ P0()) ||| (||| {{{seed.randint(2, 3)}}} @ Q0()) ||| R0()"
    lines.append(f"System() = {f'({beside}); again -> System()' if ending else beside};")
    return "\n".join(lines)


def check_random_lassos(number: int) -> dict[Fairness, int]:
    """Internal steps are events of each process, which event fairness distinguishes: then it is not asked."""
    seed = random.Random(number)
    with_internal = number % 2 == 1
    pair = pair_of(random_model(seed, with_internal=with_internal, ending=number % 5 == 0), "System()")
    notions = [
        notion for notion in LOCAL_NOTIONS if not with_internal or notion.subject is not Subject.EVENTS
    ]
    return check_lassos(pair, seed, 3, 30, notions)


@pytest.mark.parametrize("chunk", range(2))
def test_random_lassos(chunk: int) -> None:
    totals = Counter[Fairness]()
    for number in range(chunk, 8, 2):
        totals.update(check_random_lassos(number))
    assert totals[Fairness.NONE] > 20
    assert totals[Fairness.PROCESS_WEAK] > 4


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_lassos(chunk: int) -> None:
    for number in range(100 + chunk, 600, 20):
        check_random_lassos(number)


def test_an_index_in_labels_only() -> None:
    text = """
    var x = 0;
    P(i) = take.i{x = 1 - x;} -> Q(i) [] skip.i -> P(i);
    Q(i) = [x == 0] give.i -> P(i) [] drop.i -> P(i);
    System() = ||| i:{0..3} @ P(i);
    """
    pair = pair_of(text, "System()", is_indexed=True)
    (group,) = pair.groups
    assert len(group.members) == 4
    seed = random.Random(7)
    for _ in range(20):
        for run in random_lassos(pair.counted, seed, 25):
            concrete = concretised(pair, run, Fairness.NONE)
            assert concrete is not None
            check_stands_for(pair, run, concrete)
            for step in (*concrete.stem, *concrete.loop):
                (process,) = step.processes
                assert step.event.partition(".")[2] == process[2:-1]
            names = [step.event.partition(".")[0] for step in (*run.stem, *run.loop)]
            followed = [step.event.partition(".")[0] for step in (*concrete.stem, *concrete.loop)]
            assert followed[: len(names)] == names


def test_a_cycle_in_a_terminal_component_is_one_of_the_processes(tune: Tune) -> None:
    tune(longest_loop=0)
    for name, process in (("meta_lock", "System()"), ("many_readers_writers", "Library()")):
        pair = example(name, process, 3)
        start, path = random_walk(pair.counted, random.Random(3), 10)
        found = tour(pair.counted, path[-1].target, BUDGET)
        assert found is not None
        run = Run(start, (*path, *found[0]), tuple(found[1]))
        assert FairPaths(Fairness.STRONG_GLOBAL).loop_problem(pair.counted, run) is None
        concrete = concretised(pair, run, Fairness.STRONG_GLOBAL)
        assert concrete is not None
        assert replay_problem(pair.judge, concrete) is None
        closed = closing(pair.concrete, concrete, BUDGET, lambda: None)
        assert closed is not None and closed[1] is not None
        component = closed[1]
        states = reachable(pair.concrete, concrete.loop_start)
        assert component == Component(len(states), sum(len(pair.concrete.steps(one)) for one in states))
        assert {pair.abstracted(state) for state in states} == set(run.loop_states())
        members = sum(len(group.members) for group in pair.groups)
        too_small = members * (len(run.stem) + len(run.loop)) - members
        assert concretised(pair, run, Fairness.STRONG_GLOBAL, too_small) is None


def reachable(system: System, start: State) -> set[State]:
    found, pending = {start}, [start]
    while pending:
        fresh = {step.target for step in system.steps(pending.pop())} - found
        found |= fresh
        pending += fresh
    return found


TURNS = "P() = a -> Q(); Q() = b -> P(); System() = ||| {6} @ P();"


def lasso(pair: Pair, stem: str, loop: str) -> Run:
    """The run with these events, each of which is possible in one way only."""
    (start,) = pair.counted.initial_states()
    state, steps = start, list[Step]()
    for event in stem + loop:
        (step,) = (step for step in pair.counted.steps(state) if step.event == event)
        steps.append(step)
        state = step.target
    return Run(start, tuple(steps[: len(stem)]), tuple(steps[len(stem) :]))


def test_without_fairness_the_loop_stays_short() -> None:
    pair = pair_of(TURNS, "System()")
    run = lasso(pair, "aaa", "abab")
    concrete = concretised(pair, run, Fairness.NONE)
    assert concrete is not None
    assert len(concrete.loop) == 4


def test_under_process_fairness_all_have_their_turns() -> None:
    pair = pair_of(TURNS, "System()")
    for stem, rounds in (("aaa", 6), ("a", 6), ("", 6)):
        concrete = concretised(pair, lasso(pair, stem, "ab"), Fairness.PROCESS_WEAK)
        assert concrete is not None
        assert len(concrete.loop) == 2 * rounds
        assert {process for step in concrete.loop for process in step.processes} == set(
            pair.groups[0].members
        )


def test_a_run_too_long_for_the_budget_is_not_made() -> None:
    pair = pair_of(TURNS, "System()")
    run = lasso(pair, "aaa", "ab")
    assert concretised(pair, run, Fairness.PROCESS_WEAK, 6 * (3 + 12)) is not None
    assert concretised(pair, run, Fairness.PROCESS_WEAK, 6 * (3 + 12) - 1) is None


def test_a_finite_run() -> None:
    pair = pair_of(TURNS, "System()")
    run = lasso(pair, "aabab", "")
    concrete = concretised(pair, run, Fairness.NONE)
    assert concrete is not None
    check_stands_for(pair, run, concrete)


def test_a_counted_loop_that_is_unfair_stays_so() -> None:
    pair = pair_of("P() = a -> Q(); Q() = b -> Q() [] c -> P(); System() = ||| {3} @ P();", "System()")
    run = lasso(pair, "a", "b")
    assert FairPaths(Fairness.PROCESS_WEAK).loop_problem(pair.counted, run) is not None
    assert concretised(pair, run, Fairness.PROCESS_WEAK) is None
    assert concretised(pair, run, Fairness.NONE) is not None
    assert concretised(pair, run, Fairness.IMPARTIAL) is None


def test_a_member_that_becomes_several_is_not_followed() -> None:
    pair = pair_of("P() = a -> (Q() ||| Q()); Q() = b -> Q(); System() = ||| {2} @ P();", "System()")
    assert concretised(pair, lasso(pair, "a", "b"), Fairness.NONE) is None


def test_a_group_that_comes_later_and_goes_away() -> None:
    text = """
    P() = a -> Q(); Q() = b -> Q();
    System() = begin -> ((||| {3} @ P()) interrupt over -> System());
    """
    pair = pair_of(text, "System()")
    random_walk(pair.counted, random.Random(5), 5)  # finds the group
    notions = [notion for notion in LOCAL_NOTIONS if notion is not Fairness.PROCESS_STRONG]
    assert all(check_lassos(pair, random.Random(5), 8, 30, notions).values())
