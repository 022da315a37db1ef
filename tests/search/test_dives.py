"""Dives: what they find can be reached, and whatever they do the verdict is that of the exhaustive search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import Code, FairleadError
from fairlead.checker.questions import system_of
from fairlead.lang.explicit.write import to_json
from fairlead.model.assertion import Reaches, Safe
from fairlead.model.network import Network
from fairlead.outcome.events import Phase, Progress
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.dives import Dives, Sought, whole_system
from fairlead.search.target import Diving, Goal, NetworkTarget
from tests.support.asking.answers import PHILOSOPHERS, what_stays
from tests.support.generators.csp_models import random_model
from tests.support.generators.fsp_models import TAKE_LONG, random_system
from tests.support.generators.symmetry_models import random_numbered_model
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

LIMITS = fairlead.Limits(max_states=1500)
QUESTIONS = (
    "deadlockfree",
    "nonterminating",
    "reaches goal",
    "|= [] !goal",
    "|= [] (a -> X !b)",
    "|= a R !goal",
)
#: goals that depth-first search finds after some hundred or thousand states
GAMES = {"mines": "won", "blocks": "ordered"}


@pytest.fixture
def at_once(tune: Tune) -> None:
    """Dives begin after the first state, and have many turns."""
    tune(first_dives_at=1, first_dive=3, dive_part=1, least_work=2)


def graph_of(text: str) -> fairlead.Model | None:
    """The graph of a random model as a model of its own, if it has one and is not too large."""
    try:
        return fairlead.loads(to_json(fairlead.loads(text).graph("System()", limits=LIMITS)), "json")
    except FairleadError:
        return None


def random_graphs(seeds: range, few: int) -> Iterator[tuple[str, fairlead.Model]]:
    """Random models, each with its graph, which is searched without the engine and without dives."""
    for seed in some(seeds, few):
        text = random_model(seed)
        graph = graph_of(text)
        if graph is not None:
            yield text, graph


def length(result: fairlead.Result) -> int | None:
    """How many steps the run of a result has."""
    return None if result.evidence is None else len(result.evidence.run.stem)


def nearest_in(result: fairlead.Result) -> int:
    """The same for a run of a graph, which has one more step where there are several initial states."""
    assert result.evidence is not None
    steps = result.evidence.run.stem
    return len(steps) - (1 if steps and steps[0].event == "τ[start]" else 0)


def expected_of(graph: fairlead.Model, question: str) -> fairlead.Result | None:
    """The answer about an explicit graph; None if the question has names that it does not have."""
    try:
        return graph.check(graph.asked(f"System() {question}"))
    except fairlead.InputError:
        return None


def compare(text: str, graph: fairlead.Model, seed: int) -> tuple[int, int]:
    """Compares what is found with the graph; how many answers there are, and how many of dives."""
    compared = dived = 0
    for question in QUESTIONS:
        expected = expected_of(graph, question)
        if expected is None:
            continue
        asked = f"System() {question}"
        found = fairlead.loads(text).check(asked, seed=seed, limits=fairlead.Limits(threads=1))
        assert found.verdict is expected.verdict, f"{asked}\n{text}"
        assert (found.evidence is None) == (expected.evidence is None)
        if found.evidence is not None and not found.evidence.run.loop:
            nearest = nearest_in(expected)
            assert found.is_shortest is not None
            assert length(found) == nearest or (not found.is_shortest and (length(found) or 0) > nearest)
            shortest = fairlead.loads(text).check(asked, shortest=True)
            assert shortest.is_shortest
            assert length(shortest) == nearest
            dived += found.method != shortest.method
        # whoever counts the threads, and however often
        for threads in (1, 3):
            limits = fairlead.Limits(threads=threads)
            again = what_stays(lambda: fairlead.loads(text).check(asked, seed=seed, limits=limits))  # noqa: B023
            assert again == what_stays(lambda: found), text  # noqa: B023
        compared += 1
    return compared, dived


@pytest.mark.sampled
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int) -> None:
    compared = dived = 0
    for number, (text, graph) in enumerate(random_graphs(range(chunk, 60, 4), 2)):
        more, by_dives = compare(text, graph, seed=number)
        compared, dived = compared + more, dived + by_dives
    assert (compared > 20 and dived > 2) or is_sample()


@pytest.mark.long
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_models(chunk: int) -> None:
    for number, (text, graph) in enumerate(random_graphs(range(10_000 + chunk, 12_000, 20), 2)):
        compare(text, graph, seed=number)


@pytest.mark.sampled
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("chunk", range(2))
def test_safety_of_random_compositions(chunk: int) -> None:
    """Deadlocks and errors, of which either may be nearer."""
    violated = 0
    for seed in some(sorted(set(range(chunk, 80, 2)) - TAKE_LONG), 2):
        text = "\n".join(random_system(seed))
        try:
            model = fairlead.loads(text, "lts")
            asked = [question for question in model.assertions if isinstance(question, Safe)]
            for question in asked[:2]:
                found = fairlead.loads(text, "lts").check(question, limits=LIMITS)
                exact = fairlead.loads(text, "lts").check(question, limits=LIMITS, shortest=True)
                if Verdict.UNKNOWN in (found.verdict, exact.verdict):
                    continue
                assert found.verdict is exact.verdict, text
                assert (length(found) or 0) >= (length(exact) or 0)
                assert not found.is_shortest or length(found) == length(exact), text
                violated += found.verdict is Verdict.VIOLATED
        except FairleadError:
            continue
    assert violated or is_sample()


@pytest.mark.sampled
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "options",
    [{"reduction": "symmetry"}, {"counters": True}, {"reduction": "por"}, {"reduction": "variables"}],
    ids=str,
)
def test_reduced_systems(options: dict[str, Any]) -> None:
    """What a dive finds in a reduced system is a run of the system itself: all evidence is judged."""
    compared = 0
    for seed in some(range(20), 2):
        text = random_numbered_model(seed)
        for asked in ("deadlockfree", "reaches goal", "reaches near && !goal"):
            question = f"System() {asked}"
            try:
                plain = fairlead.loads(text).check(question, limits=LIMITS, shortest=True)
                reduced = fairlead.loads(text).check(question, limits=LIMITS, **options)
            except FairleadError:
                continue
            if Verdict.UNKNOWN not in (plain.verdict, reduced.verdict):
                assert reduced.verdict is plain.verdict, f"{question}\n{text}"
                compared += 1
    assert compared > 10 or is_sample()


#: a goal at the end of a long way and of a short one; nothing reads the log
TWO_WAYS = """
var x = 0; var log = 0;
P(i) = [i < 6] long.i{log = i;} -> P(i + 1) [] [i == 6] last{x = 1;} -> Stop;
System() = P(0) [] (short -> soon{x = 1;} -> Stop) [] (other{log = 9;} -> P(3));
#define goal x == 1;
"""


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("options", [{}, {"reduction": "variables"}], ids=str)
def test_a_shortest_run_is_asked_for(options: dict[str, Any]) -> None:
    for seed in range(3):
        model = fairlead.loads(TWO_WAYS)
        found = model.check("System() reaches goal", seed=seed, **options)
        assert not found.is_shortest or length(found) == 2
        for asked in (model, fairlead.loads(TWO_WAYS)):  # asked before, and not
            exact = asked.check("System() reaches goal", seed=seed, shortest=True, **options)
            assert (length(exact), exact.is_shortest) == (2, True)


# ---------------------------------------------------------------- large systems


@pytest.mark.parametrize("game", GAMES)
def test_games_are_won_early(game: str) -> None:
    path = ROOT / "bench" / "puzzles" / f"{game}.csp"
    results = [
        fairlead.load(path).check(f"Game() reaches {GAMES[game]}", limits=fairlead.Limits(threads=threads))
        for threads in (1, 3)
    ]
    assert results[0].verdict is Verdict.HOLDS
    assert results[0].statistics.states < 60_000
    assert what_stays(lambda: results[0]) == what_stays(lambda: results[1])
    assert "may not be a shortest one; --shortest" in str(results[0])


def test_a_shortest_solution() -> None:
    """The farthest states of this game need 31 moves."""
    path = ROOT / "bench" / "puzzles" / "blocks.csp"
    found = fairlead.load(path).check("Game() reaches ordered", shortest=True)
    assert (length(found), found.is_shortest) == (31, True)
    assert found.to_json()["shortest"] is True
    assert not found.notes


def test_peg_solitaire_is_solved_by_dives_alone() -> None:
    """Whatever the exhaustive search would do: one solution of 31 jumps among 10⁸ states."""
    model = fairlead.load(ROOT / "bench" / "puzzles" / "peg33.csp")
    query = model._checker.questions.query(model.assertions[0], None, None)
    network = system_of(query)
    assert isinstance(network, Network)
    target = NetworkTarget(network, fairlead.Limits(threads=1))
    target.diving = Diving(seed=2)
    assert isinstance(query.question, Reaches)
    goal = query.question.goal
    target.plain_graph()
    sought = Sought(whole_system, Goal.CONDITION, target.proposition(goal), goal.meaning)
    dives = Dives.beside(target, sought, Clock(target.limits))
    assert dives is not None
    found = dives.turn(16_000_000)
    assert found is not None
    assert len(found.run.stem) == 31


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_of_a_whole_system_do_not_depend_on_dives(tune: Tune, threads: int) -> None:
    question, limits = "System() reaches eatsWithoutForks", fairlead.Limits(threads=threads)
    without = fairlead.load(PHILOSOPHERS, {"N": 8}).check(question, limits=limits, shortest=True)
    tune(first_dives_at=100)
    beside = fairlead.load(PHILOSOPHERS, {"N": 8}).check(question, limits=limits)
    assert what_stays(lambda: beside) == what_stays(lambda: without)


def test_a_seed_decides_which_run_is_found(tune: Tune) -> None:
    tune(first_dives_at=100)
    path = ROOT / "bench" / "puzzles" / "mines.csp"
    runs = [fairlead.load(path).check("Game() reaches won", seed=seed) for seed in (1, 1, 2, 3, 4)]
    events = [tuple(step.event for step in result.evidence.run.stem) for result in runs if result.evidence]
    assert events[0] == events[1]
    assert len(set(events)) > 1


# ---------------------------------------------------------------- what goes wrong


def test_a_fault_that_a_dive_meets_is_told(tune: Tune) -> None:
    """It lies deep, beside a system that is too large to be explored."""
    tune(first_dives_at=100)
    text = "var n:{0..300}; Deep() = down{n = n + 1;} -> Deep(); Wide(i) = a.i -> b.i -> c.i -> Wide(i);"
    text += "System() = Deep() ||| (||| i:{0..30} @ Wide(i));"
    limits = fairlead.Limits(max_states=1_000_000)
    result = fairlead.loads(text).check("System() deadlockfree", limits=limits)
    assert result.fault is not None and result.fault.code is Code.OUT_OF_RANGE
    assert result.evidence is not None and len(result.evidence.run.stem) >= 300
    assert result.is_shortest is False


@pytest.mark.parametrize("budget", [3 << 20, 8 << 20, 30 << 20])
def test_a_limit_of_memory_holds(tune: Tune, budget: int) -> None:
    """Dives end before they take what the exhaustive search needs."""
    tune(first_dives_at=1_000)
    limits = fairlead.Limits(max_memory=budget, threads=1)
    question = "System() reaches eatsWithoutForks"
    result = fairlead.load(PHILOSOPHERS, {"N": 12}).check(question, limits=limits, reduction="none")
    assert result.reason == "max-memory"
    assert result.statistics.memory_bytes <= budget
    model = fairlead.load(PHILOSOPHERS, {"N": 12})
    without = model.check(question, limits=limits, reduction="none", shortest=True)
    assert result.statistics.states >= 0.9 * without.statistics.states


@pytest.mark.usefixtures("at_once")
def test_interrupted_while_diving() -> None:
    """The next question begins again, and is answered."""

    def interrupt(progress: Progress) -> None:
        if progress.phase is Phase.DIVING:
            raise KeyboardInterrupt

    model = fairlead.load(PHILOSOPHERS, {"N": 7})
    with pytest.raises(KeyboardInterrupt):
        model.check("System() reaches eatsWithoutForks", reporter=interrupt)
    assert model.check("System() reaches eatsWithoutForks").verdict is Verdict.VIOLATED


@pytest.mark.usefixtures("at_once")
def test_time_that_is_up_while_diving(tune: Tune) -> None:
    tune(first_dives_at=1, first_dive=1 << 40)
    text = "var n; Up() = up{n = (n + 1) % 1000000;} -> Up(); System() = Up() ||| Up() ||| Up();"
    text += "#define never n == -1;"
    limits = fairlead.Limits(timeout=0.3)
    result = fairlead.loads(text).check("System() reaches never", limits=limits, reduction="none")
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "timeout")


@pytest.mark.parametrize("seed", [-1, 1 << 32])
def test_seeds_that_are_none(seed: int) -> None:
    with pytest.raises(fairlead.InputError, match="the seed must be from 0 to"):
        fairlead.load(PHILOSOPHERS).check("System() reaches eatsWithoutForks", seed=seed)


def test_a_shortest_run_is_not_known_with_fewer_steps() -> None:
    with pytest.raises(fairlead.InputError, match="cannot be used together"):
        fairlead.load(PHILOSOPHERS).check("System() deadlockfree", shortest=True, reduction="por")
