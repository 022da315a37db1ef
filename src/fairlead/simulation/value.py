"""A simulation as an immutable value, and the functions that give the next one.

A front end holds one `Simulation` and replaces it by what a function returns; nothing else changes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import field, replace
from enum import Enum

from fairlead.base.arguments import Expected, checked
from fairlead.base.diagnostics import Code, InputError, counted, input_error
from fairlead.base.display import in_one_line, presenter
from fairlead.base.records import dataclass
from fairlead.evidence.changes import state_line
from fairlead.evidence.evidence import StepView, step_views
from fairlead.evidence.faults import RUN_TO_ERROR
from fairlead.evidence.waiting import Deadlocked, NotEnabled, deadlock_in, why_not
from fairlead.model.attempts import Failure, attempts
from fairlead.model.labels import is_internal
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System

#: one call makes no more steps than this
MOST_STEPS = 1_000_000


class Status(Enum):
    """Whether the system can continue from the current state."""

    RUNNING = "running"
    DEADLOCK = "deadlock"
    TERMINATED = "terminated"
    FAILED = "failed"
    #: a process of the model is in ERROR
    ERROR = "error"


class Shows(Enum):
    """What a run shows about an assertion."""

    COUNTEREXAMPLE = "counterexample to"
    WITNESS = "witness of"
    FAULT = RUN_TO_ERROR


@dataclass(frozen=True)
class Loaded:
    """A run to step through, and what it is evidence for."""

    run: Run = field(repr=False)
    assertion: str
    shows: Shows = Shows.COUNTEREXAMPLE

    @property
    def title(self) -> str:
        """`counterexample to P() deadlockfree`."""
        return f"{self.shows.value} {self.assertion}"

    def step(self, number: int) -> Step | None:
        """The step after `number` steps of the run; None behind the end of a finite one."""
        stem, loop = self.run.stem, self.run.loop
        if number < len(stem):
            return stem[number]
        return loop[(number - len(stem)) % len(loop)] if loop else None

    def from_step(self, number: int) -> Iterator[Step]:
        """The steps after the first `number` ones, forever if there is a loop."""
        for index in itertools.count(number):
            step = self.step(index)
            if step is None:
                return
            yield step


@dataclass(frozen=True)
class Simulation:
    """Where a simulation is: its initial state, the steps taken since, and what is possible now."""

    system: System = field(repr=False, compare=False)
    starts: tuple[State, ...] = field(repr=False)
    #: which initial state it began in, from 0
    start: int = 0
    path: tuple[Step, ...] = ()
    #: steps that were taken back, the next one first
    undone: tuple[Step, ...] = ()
    enabled: tuple[Step, ...] = ()
    failures: tuple[Failure, ...] = ()
    seed: int = 0
    #: how many random choices were made: with the seed, they decide the next one
    draws: int = 0
    loaded: Loaded | None = None

    def __repr__(self) -> str:
        shown = state_line(self.system.describe(self.state))
        taken = counted(len(self.path), "step")
        return in_one_line(f"<Simulation after {taken}, {self.status.value}: {shown}>")

    def __iter__(self) -> Iterator[StepView]:
        """The steps taken, as evidence has them: event, processes, state after it and changes."""
        return iter(step_views(self.system, self.starts[self.start], self.path))

    @property
    def state(self) -> State:
        """The current state."""
        return self.path[-1].target if self.path else self.starts[self.start]

    @property
    def previous(self) -> State | None:
        """The state before the last step."""
        if not self.path:
            return None
        return self.path[-2].target if len(self.path) > 1 else self.starts[self.start]

    @property
    def status(self) -> Status:
        """Whether anything is possible, and if not, why."""
        if self.enabled:
            return Status.RUNNING
        if self.failures:
            return Status.FAILED
        if self.system.failed_process(self.state) is not None:
            return Status.ERROR
        return Status.TERMINATED if self.system.has_terminated(self.state) else Status.DEADLOCK

    def _repr_html_(self) -> str:
        return presenter().notebook(self)

    @property
    def followed(self) -> int | None:
        """How many steps of the loaded run were followed; None if there is none, or the start differs."""
        if self.loaded is None or self.loaded.run.start != self.starts[self.start]:
            return None
        pairs = zip(self.path, self.loaded.from_step(0), strict=False)
        return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))

    @property
    def expected(self) -> Step | None:
        """The step with which the loaded run continues; None if it was left, or is at its end."""
        if self.loaded is None or self.followed != len(self.path):
            return None
        return self.loaded.step(len(self.path))


def why(simulation: Simulation, event: str) -> NotEnabled:
    """Why an event is not enabled in the current state."""
    return why_not(simulation.system, simulation.state, event)


def waiting(simulation: Simulation) -> Deadlocked:
    """What each process waits for in the current state: its alternatives that cannot be taken, and why."""
    return deadlock_in(simulation.system, simulation.starts[simulation.start], simulation.path)


#: what the arguments of the functions below may be
_EXPECTED = {
    "simulation": Expected("a Simulation, such as fairlead.simulate(model)", (Simulation,)),
    "choice": Expected("the number or the name of an event, or an enabled step", (int, str, Step)),
    "count": Expected("a number of steps", (int,)),
    "number": Expected("a whole number", (int,)),
    "name": Expected("the name of an event", (str,)),
}

# ---------------------------------------------------------------- beginning


def start(system: System, *, seed: int = 0) -> Simulation:
    """A simulation in the first initial state of a system."""
    return _at(Simulation(system, tuple(system.initial_states()), seed=seed), ())


def replay(system: System, loaded: Loaded, *, seed: int = 0) -> Simulation:
    """A simulation at the start of a run of the system, ready to follow it."""
    starts = tuple(system.initial_states())
    if loaded.run.start not in starts:
        raise input_error(Code.EVIDENCE, "the run does not start in an initial state of the system")
    begun = Simulation(system, starts, starts.index(loaded.run.start), seed=seed, loaded=loaded)
    return _at(begun, ())


@checked(_EXPECTED)
def choose_start(simulation: Simulation, number: int) -> Simulation:
    """A fresh start in the initial state with this number, counted from 1."""
    count = len(simulation.starts)
    if not 1 <= number <= count:
        raise input_error(
            Code.USAGE, f"there is no initial state {number}; there {_is_are(count, 'initial state')}"
        )
    return _at(replace(simulation, start=number - 1), ())


# ---------------------------------------------------------------- forward


@checked(_EXPECTED)
def take(simulation: Simulation, choice: int | str | Step) -> Simulation:
    """One step: the number of an enabled event from 1 on, the name of an event, or a step itself."""
    match choice:
        case int():
            count = len(simulation.enabled)
            if not 1 <= choice <= count:
                raise input_error(
                    Code.USAGE, f"there is no event {choice}; there {_is_are(count, 'enabled event')}"
                )
            step = simulation.enabled[choice - 1]
        case str():
            step = simulation.enabled[_only(simulation, choice) - 1]
        case Step():
            if choice not in simulation.enabled:
                raise input_error(Code.USAGE, f"the step '{choice.event}' is not enabled")
            step = choice
    return _follow(simulation, step)


@checked(_EXPECTED)
def named(simulation: Simulation, name: str) -> list[int]:
    """The numbers of the enabled events called `name`: in full, or if there are none, without arguments."""
    events = [(number, step.event) for number, step in enumerate(simulation.enabled, 1)]
    exact = [number for number, event in events if name in (event, label(event))]
    if exact or is_internal(name):
        return exact
    return [number for number, event in events if not is_internal(event) and event.split(".")[0] == name]


def label(event: str) -> str:
    """An event for people: an internal step shows the construct that makes it."""
    return (event.rpartition("@")[0] or event) if is_internal(event) else event


def _only(simulation: Simulation, name: str) -> int:
    numbers = named(simulation, name)
    if len(numbers) == 1:
        return numbers[0]
    if numbers:
        steps = [(number, simulation.enabled[number - 1]) for number in numbers]
        shown = "; ".join(
            f"{number}: {label(step.event)} by {', '.join(sorted(step.processes)) or 'no process'}"
            for number, step in steps
        )
        raise input_error(
            Code.USAGE,
            f"'{name}' stands for {len(numbers)} enabled events",
            hint=f"take one by number: {shown}",
        )
    for failure in simulation.failures:
        if failure.event is not None and name in (failure.event, failure.event.split(".")[0]):
            raise InputError((failure.problem,))
    enabled = dict.fromkeys(label(step.event) for step in simulation.enabled)
    shown = ", ".join(itertools.islice(enabled, 10)) + (", …" if len(enabled) > 10 else "")
    raise input_error(Code.USAGE, f"no event '{name}' is enabled", hint=f"enabled: {shown or 'nothing'}")


def _loaded(simulation: Simulation) -> Loaded:
    if simulation.loaded is None:
        raise input_error(Code.USAGE, "no counterexample is loaded")
    return simulation.loaded


@checked(_EXPECTED)
def follow(simulation: Simulation, count: int = 1) -> Simulation:
    """The next steps of the loaded run, round and round its loop."""
    _check_count(count)
    loaded = _loaded(simulation)
    if simulation.followed != len(simulation.path):
        raise input_error(
            Code.USAGE,
            "the counterexample was left",
            hint=f"go back to step {simulation.followed or 0}, or to its loop",
        )
    steps = tuple(itertools.islice(loaded.from_step(len(simulation.path)), count))
    if not steps:
        raise input_error(Code.USAGE, "the counterexample ends here")
    undone = simulation.undone[len(steps) :] if simulation.undone[: len(steps)] == steps else ()
    return _at(simulation, (*simulation.path, *steps), undone)


@checked(_EXPECTED)
def random_walk(simulation: Simulation, count: int = 1) -> Simulation:
    """Up to `count` random steps; it ends early where nothing is possible, or where an event fails.

    The walk depends on the seed and on how many random choices were made before, on nothing else.
    """
    _check_count(count)
    taken: list[Step] = []
    enabled, failures = simulation.enabled, simulation.failures
    while len(taken) < count and enabled and not (taken and failures):
        chooser = random.Random(f"{simulation.seed}/{simulation.draws + len(taken)}")
        taken.append(enabled[int(chooser.random() * len(enabled))])
        found = attempts(simulation.system, taken[-1].target)
        enabled, failures = found.steps, found.failures
    if not taken:
        return simulation
    return replace(
        simulation,
        path=(*simulation.path, *taken),
        undone=(),
        enabled=enabled,
        failures=failures,
        draws=simulation.draws + len(taken),
    )


# ---------------------------------------------------------------- back, and back again


@checked(_EXPECTED)
def back(simulation: Simulation, count: int = 1) -> Simulation:
    """Without the last steps, which can be redone."""
    _check_count(count)
    length = len(simulation.path)
    if count > length:
        raise input_error(Code.USAGE, f"cannot go back {counted(count, 'step')}; {_have_been(length)} taken")
    return jump_to(simulation, length - count)


@checked(_EXPECTED)
def redo(simulation: Simulation, count: int = 1) -> Simulation:
    """Takes steps again that were taken back."""
    _check_count(count)
    length = len(simulation.undone)
    if count > length:
        raise input_error(
            Code.USAGE, f"cannot redo {counted(count, 'step')}; {_have_been(length)} taken back"
        )
    return jump_to(simulation, len(simulation.path) + count)


@checked(_EXPECTED)
def restart(simulation: Simulation) -> Simulation:
    """The same initial state again; all steps can be redone."""
    return jump_to(simulation, 0)


@checked(_EXPECTED)
def jump_to(simulation: Simulation, number: int) -> Simulation:
    """After `number` steps: of those taken, of those that can be redone, or of the loaded run beyond them."""
    steps = (*simulation.path, *simulation.undone)
    if number > len(steps):
        at_end = _at(simulation, steps)
        if at_end.expected is not None:
            reached = follow(at_end, number - len(steps))
            if len(reached.path) == number:
                return reached
    if not 0 <= number <= len(steps):
        raise input_error(Code.USAGE, f"there is no step {number}; the last one known is {len(steps)}")
    return _at(simulation, steps[:number], steps[number:])


@checked(_EXPECTED)
def jump_to_loop(simulation: Simulation) -> Simulation:
    """To where the loop of the loaded run begins, by its stem."""
    run = _loaded(simulation).run
    if not run.loop:
        raise input_error(Code.USAGE, "the counterexample is a finite run, without a loop")
    begun = replace(simulation, start=simulation.starts.index(run.start))
    return _at(begun, run.stem)


# ---------------------------------------------------------------- inside


def _follow(simulation: Simulation, step: Step) -> Simulation:
    undone = simulation.undone[1:] if simulation.undone[:1] == (step,) else ()
    return _at(simulation, (*simulation.path, step), undone)


def _at(simulation: Simulation, path: tuple[Step, ...], undone: tuple[Step, ...] = ()) -> Simulation:
    moved = replace(simulation, path=path, undone=undone)
    found = attempts(moved.system, moved.state)
    return replace(moved, enabled=found.steps, failures=found.failures)


def _check_count(count: int) -> None:
    if not 1 <= count <= MOST_STEPS:
        raise input_error(Code.USAGE, f"expected a number of steps from 1 to {MOST_STEPS:,}, not {count}")


def _is_are(count: int, noun: str) -> str:
    return f"{'is' if count == 1 else 'are'} {counted(count, noun)}"


def _have_been(count: int) -> str:
    return f"{counted(count, 'step')} {'has' if count == 1 else 'have'} been"
