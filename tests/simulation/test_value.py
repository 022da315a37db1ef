"""The simulation as a value, against its obvious twin: a list of steps and a cursor."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.model.system import State, Step, System
from fairlead.simulation import (
    Simulation,
    Status,
    back,
    choose_start,
    jump_to,
    named,
    random_walk,
    redo,
    restart,
    take,
)
from tests.support.examples.loading import load_example
from tests.support.generators.csp_models import random_model
from tests.support.places import ROOT

EXAMPLES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "examples").rglob("*.*")
    if path.suffix in (".csp", ".aut", ".json")
)


def simulate(text: str) -> Simulation:
    return fairlead.simulate(fairlead.loads(text))


# ---------------------------------------------------------------- random sessions


@dataclass
class Twin:
    """All steps known and how many of them are taken."""

    start: State
    steps: list[Step] = field(default_factory=list)
    cursor: int = 0

    def take(self, step: Step) -> None:
        if self.steps[self.cursor : self.cursor + 1] != [step]:
            self.steps = [*self.steps[: self.cursor], step]
        self.cursor += 1

    @property
    def state(self) -> State:
        return self.steps[self.cursor - 1].target if self.cursor else self.start


def check_against(twin: Twin, simulation: Simulation) -> None:
    assert list(simulation.path) == twin.steps[: twin.cursor]
    assert list(simulation.undone) == twin.steps[twin.cursor :]
    assert simulation.state == twin.state
    check_enabled(simulation.system, simulation)


def check_enabled(system: System, simulation: Simulation) -> None:
    """What is enabled is what the reference semantics says, unless an alternative fails there."""
    try:
        steps = list(system.steps(simulation.state))
    except fairlead.FairleadError as error:
        assert simulation.failures
        problems = {failure.problem for failure in simulation.failures}
        assert problems.issuperset(error.diagnostics)
    else:
        assert list(simulation.enabled) == steps
        assert not simulation.failures


def session(begun: Simulation, seed: int, length: int = 30) -> None:
    chooser = random.Random(seed)
    number = chooser.randrange(len(begun.starts))
    simulation = choose_start(begun, number + 1)
    twin = Twin(begun.starts[number])
    check_against(twin, simulation)
    for _ in range(length):
        before = simulation
        match chooser.choice(["take", "take", "take", "walk", "back", "redo", "goto", "restart"]):
            case "take" if simulation.enabled:
                choice = chooser.randrange(len(simulation.enabled))
                twin.take(simulation.enabled[choice])
                simulation = take(simulation, choice + 1)
                assert back(simulation).state == before.state
                assert back(simulation).enabled == before.enabled
            case "walk":
                simulation = random_walk(simulation, chooser.randint(1, 4))
                for step in simulation.path[len(before.path) :]:
                    twin.steps = [*twin.steps[: twin.cursor], step]
                    twin.cursor += 1
            case "back" if twin.cursor:
                count = chooser.randint(1, twin.cursor)
                twin.cursor -= count
                simulation = back(simulation, count)
            case "redo" if twin.cursor < len(twin.steps):
                twin.cursor += 1
                simulation = redo(simulation)
            case "goto":
                twin.cursor = chooser.randint(0, len(twin.steps))
                simulation = jump_to(simulation, twin.cursor)
            case "restart":
                twin.cursor = 0
                simulation = restart(simulation)
        check_against(twin, simulation)
    check_path(simulation)


def check_path(simulation: Simulation) -> None:
    """Every step taken is one of the state it was taken in."""
    current = choose_start(simulation, simulation.start + 1)
    for step in simulation.path:
        current = take(current, step)
    assert current.path == simulation.path


@pytest.mark.parametrize("file", EXAMPLES)
def test_sessions_on_examples(file: str) -> None:
    model = load_example(file)
    processes = dict.fromkeys(getattr(assertion, "process", None) for assertion in model.assertions)
    for process in processes or [None]:
        for seed in range(3):
            session(fairlead.simulate(model, process), seed)


@pytest.mark.parametrize("seed", range(60))
def test_sessions_on_random_models(seed: int) -> None:
    random_session(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_many_sessions_on_random_models(chunk: int) -> None:
    for seed in range(1000 + 150 * chunk, 1150 + 150 * chunk):
        random_session(seed)


def random_session(seed: int) -> None:
    try:
        begun = simulate(random_model(seed))
    except fairlead.FairleadError:
        return  # the composition that the model starts with fails already
    session(begun, seed)


# ---------------------------------------------------------------- random walks


def test_walks_are_reproducible() -> None:
    model = fairlead.load(ROOT / "examples/mutual_exclusion/peterson.csp", {"N": 3})
    first = random_walk(fairlead.simulate(model, seed=7), 40)
    assert len(first.path) == 40
    assert random_walk(fairlead.simulate(model, seed=7), 40) == first
    halves = random_walk(random_walk(fairlead.simulate(model, seed=7), 15), 25)
    assert halves == first
    assert random_walk(fairlead.simulate(model, seed=8), 40).path != first.path


def test_another_walk_from_the_same_state_differs() -> None:
    model = fairlead.load(ROOT / "examples/mutual_exclusion/peterson.csp", {"N": 3})
    first = random_walk(fairlead.simulate(model), 40)
    assert random_walk(restart(first), 40).path != first.path


def test_walks_reach_every_alternative() -> None:
    begun = simulate("P = a -> P [] b -> P [] c -> P;")
    taken = [step.event for step in random_walk(begun, 3000).path]
    assert all(850 < taken.count(event) < 1150 for event in "abc")


def test_walks_end_at_dead_ends() -> None:
    walked = random_walk(simulate("P = a -> b -> Stop;"), 10)
    assert [step.event for step in walked.path] == ["a", "b"]
    assert walked.status is Status.DEADLOCK
    assert random_walk(walked, 10) == walked


def test_walks_stop_where_an_event_fails_and_can_go_on() -> None:
    begun = simulate("var x = 1; P = a{x = 0;} -> Q; Q = b{x = 1 / x;} -> Q [] c -> Q;")
    walked = random_walk(begun, 10)
    assert [step.event for step in walked.path] == ["a"]
    assert [step.event for step in random_walk(walked, 10).path] == ["a", "c"]


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("text", "event", "code"),
    [
        ("var x = 0; P = a{x = 1 / x;} -> P [] ok -> P;", "a", "division-by-zero"),
        ("var x = 0; P = [1 / x == 1] a -> P [] ok -> P;", None, "division-by-zero"),
        ("var x = 0; P = a.(1 / x) -> P [] ok -> P;", None, "division-by-zero"),
        ("var x = 0; P = Q(1 / x) [] ok -> P; Q(i) = a.i -> P;", None, "division-by-zero"),
        ("var x:{0..1} = 1; P = a{x = x + 1;} -> P [] ok -> P;", "a", "value-out-of-range"),
        ("var x = 2; var v[2]; P = a{v[x] = 1;} -> P [] ok -> P;", "a", "index-out-of-bounds"),
        ("var x = 0; P = ([1 / x == 1] (a -> P ||| b -> P)) ||| Q; Q = ok -> Q;", None, "division-by-zero"),
        ("P = a -> R [] ok -> P; R = [1 == 1] R;", "a", "unguarded-recursion"),
        ("var x = 0; P = R || Q; R = [1 / x == 1] s -> R; Q = s -> Q [] ok -> Q;", None, "division-by-zero"),
    ],
)
def test_an_event_that_fails_hides_no_other(text: str, event: str | None, code: str) -> None:
    begun = simulate(text + " Main = P;")
    assert [step.event for step in begun.enabled] == ["ok"]
    (failure,) = begun.failures
    assert failure.event == event
    assert failure.problem.code.value == code
    assert failure.problem.span is not None
    after = take(begun, "ok")
    assert after.status is Status.RUNNING
    if event is not None:
        with pytest.raises(InputError) as caught:
            take(after, event)
        assert caught.value.diagnostics == (failure.problem,)


def test_a_state_in_which_everything_fails_is_no_deadlock() -> None:
    assert simulate("var x = 0; P = a{x = 1 / x;} -> P;").status is Status.FAILED


# ---------------------------------------------------------------- choices


def test_events_by_name() -> None:
    begun = simulate("P = a.1 -> P [] a.2 -> P [] b.3 -> P [] tau -> P; S = P ||| Q; Q = c -> Q [] a.1 -> Q;")
    assert named(begun, "b.3") == named(begun, "b") == [3]
    assert named(begun, "a.2") == [2]
    assert named(begun, "a.1") == [1, 6]
    assert named(begun, "a") == [1, 2, 6]
    assert named(begun, "d") == []
    internal = next(step for step in begun.enabled if step.event.startswith("τ"))
    assert take(begun, internal.event).path == (internal,)
    assert take(begun, internal.event.rpartition("@")[0]).path == (internal,)
    with pytest.raises(InputError, match=r"1: a.1 by P\(\); 6: a.1 by Q") as caught:
        take(begun, "a.1")
    assert caught.value.diagnostics[0].hint is not None
    with pytest.raises(InputError, match="no event 'd' is enabled"):
        take(begun, "d")


@pytest.mark.parametrize("number", [0, 3, -1])
def test_numbers_out_of_range(number: int) -> None:
    begun = simulate("P = a -> P [] b -> P;")
    with pytest.raises(InputError, match="no event"):
        take(begun, number)
    with pytest.raises(InputError):
        back(begun, number)
    with pytest.raises(InputError):
        redo(begun, number)
    with pytest.raises(InputError):
        choose_start(begun, number)
    with pytest.raises(InputError):
        jump_to(begun, number or 1)


def test_steps_of_other_states_cannot_be_taken() -> None:
    begun = simulate("P = a -> b -> P;")
    later = take(begun, 1)
    with pytest.raises(InputError, match="not enabled"):
        take(begun, later.enabled[0])


def test_every_initial_state_can_be_chosen() -> None:
    begun = simulate("var x:{0..3} = *; P = a.x -> P;")
    events = [choose_start(begun, number).enabled[0].event for number in range(1, 5)]
    assert events == ["a.0", "a.1", "a.2", "a.3"]
    moved = take(choose_start(begun, 3), 1)
    assert restart(moved).start == 2
    assert choose_start(moved, 1).path == choose_start(moved, 1).undone == ()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("P = a -> Stop;", Status.DEADLOCK),
        ("P = a -> Skip;", Status.TERMINATED),
        ("P = a -> P;", Status.RUNNING),
    ],
)
def test_dead_ends(text: str, status: Status) -> None:
    assert random_walk(simulate(text), 2).status is status


def test_values_do_not_change() -> None:
    begun = simulate("P = a -> b -> P;")
    copy = (begun.path, begun.undone, begun.enabled)
    later = take(take(begun, 1), 1)
    assert (begun.path, begun.undone, begun.enabled) == copy
    assert hash(later) == hash(take(take(begun, "a"), "b"))
    with pytest.raises(AttributeError):
        begun.path = ()  # type: ignore[misc]
