"""What checks report: phases in their order, numbers that are true, and how far exploring has come."""

from __future__ import annotations

import random

import pytest

import fairlead
from fairlead.outcome.events import Note, Phase, Progress, Tables, Translated, Way
from fairlead.outcome.limits import Clock, Limits
from fairlead.search.target import NetworkTarget, Target
from tests.support.tuning import Tune

MODEL = """
var x:{0..9} = 0;
P() = up{x = (x + 1) % 10;} -> P();
Q() = a -> b -> Q() [] c -> Q();
System() = P() ||| Q();
#assert System() |= []<> a;
#assert System() |= [] x < 9;
"""


class Heard:
    """A reporter that keeps all it hears."""

    def __init__(self) -> None:
        self.events: list[Progress] = []
        self.notes: list[Note] = []

    def __call__(self, progress: Progress) -> None:
        self.events.append(progress)

    def note(self, note: Note) -> None:
        self.notes.append(note)

    @property
    def phases(self) -> list[Phase]:
        """Without repetitions of the same phase."""
        found = [event.phase for event in self.events]
        return [phase for number, phase in enumerate(found) if number == 0 or found[number - 1] != phase]


def test_the_phases_of_a_liveness_check() -> None:
    heard = Heard()
    result = fairlead.loads(MODEL).check("System() |= []<> a", "pwf", reporter=heard)
    assert result.verdict.value == "violated"
    expected = [Phase.TRANSLATING, Phase.EXPLORING, Phase.CYCLE, Phase.LASSO]
    assert heard.phases[:4] == expected and heard.phases[-1] is Phase.JUDGING
    last = heard.events[-1]
    assert (last.states, last.transitions) == (result.statistics.states, result.statistics.transitions)
    assert last.memory_bytes > 0 and last.memory_limit is None


def test_notes_tell_how_it_was_done() -> None:
    heard = Heard()
    model = fairlead.loads(MODEL)
    model.check("System() |= []<> a", "pwf", reporter=heard)
    (translated,) = (note for note in heard.notes if isinstance(note, Translated))
    assert (translated.states, translated.acceptance_sets) == (2, 1)
    assert any(isinstance(note, Way) and note.what == "explored whole first" for note in heard.notes)
    tables = heard.notes[-1]
    assert isinstance(tables, Tables) and 0 < tables.records < tables.used and tables.transitions > 0
    heard = Heard()
    model.check("System() |= [] x < 9", reporter=heard)
    assert any(isinstance(note, Way) and note.what == "reachability" for note in heard.notes)
    tables = heard.notes[-1]
    assert isinstance(tables, Tables)


def test_a_plain_function_can_be_a_reporter() -> None:
    seen: list[str] = []
    limits = fairlead.Limits(max_memory=1 << 30)

    def reporter(progress: fairlead.Progress) -> None:
        assert progress.memory_limit == 1 << 30
        seen.append(progress.phase)

    fairlead.loads(MODEL).check("System() deadlockfree", limits=limits, reporter=reporter)
    assert seen and set(seen) == {"exploring"}


def test_a_safety_check_keeps_no_transitions_because_somebody_listens() -> None:
    heard = Heard()
    fairlead.loads(MODEL).check("System() |= [] x < 20", reporter=heard)
    tables = heard.notes[-1]
    assert isinstance(tables, Tables) and tables.transitions == 0 and tables.parents > 0


# ---------------------------------------------------------------- depth


def network_target(text: str, threads: int) -> NetworkTarget:
    model = fairlead.loads(text)
    target = model._checker.targets.of(model._loaded.system("System"), Limits(threads=threads), None)
    assert isinstance(target, NetworkTarget)
    return target


def levels(target: Target) -> int:
    """How many levels there are, counted one by one on the reference semantics."""
    system = target.system
    level, known, found = list(system.initial_states()), set(system.initial_states()), 0
    while level:
        found += 1
        following = [step.target for state in level for step in system.steps(state)]
        level = [state for state in dict.fromkeys(following) if state not in known]
        known.update(level)
    return found


def random_model(rng: random.Random) -> str:
    """A few counters that run side by side, some of which wait for others."""
    parts = []
    for number in range(rng.randint(1, 3)):
        size = rng.randint(2, 12)
        steps = " [] ".join(
            f"[v{number} < {size - jump}] s{number}.{jump}{{v{number} = v{number} + {jump};}} -> P{number}()"
            for jump in rng.sample(range(1, size), k=rng.randint(1, min(2, size - 1)))
        )
        back = f"[v{number} == {size - 1}] r{number}{{v{number} = 0;}} -> P{number}()"
        parts.append(f"var v{number}:{{0..{size}}} = 0; P{number}() = {steps} [] {back};")
    system = " ||| ".join(f"P{number}()" for number in range(len(parts)))
    return "\n".join(parts) + f"\nSystem() = {system};"


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("seed", range(60))
def test_depth_is_that_of_breadth_first_search(seed: int, threads: int, tune: Tune) -> None:
    tune(least_work=2)  # threads share even few states
    target = network_target(random_model(random.Random(seed)), threads)
    target.explore_all(Clock(target.limits))
    assert target.graph().level_count == levels(target)


@pytest.mark.parametrize("assertion", ["System() deadlockfree", "System() |= []<> x == 0"])
def test_the_depth_that_is_told_in_the_end_is_that_of_all_states(assertion: str) -> None:
    model = fairlead.loads(
        "var x = 0; System() = [x < 3000] up{x = x + 1;} -> System() [] [x == 3000] back{x = 0;} -> System();"
    )
    heard = Heard()
    assert model.check(assertion, reporter=heard).statistics.states == 3001
    tables = heard.notes[-1]
    assert isinstance(tables, Tables) and tables.depth == 3000


@pytest.mark.parametrize("seed", range(20))
def test_depth_of_an_exploration_in_pieces(seed: int) -> None:
    target = network_target(random_model(random.Random(seed)), 1)
    limit, before = 1, 0
    while not target.explore(limit):
        limit += 3
        assert target.graph().level_count >= before
        before = target.graph().level_count
    assert target.graph().level_count == levels(target)
