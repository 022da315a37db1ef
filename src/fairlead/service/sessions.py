"""A simulation that takes commands while it runs: commands as in `fairlead simulate`, and some more.

What comes is a command, or an object of JSON with one of:

- `commands`: several commands, of which the last state is reported
- `until`: random steps, at most `most`, until a condition on the state and the event before it is met
- `watch`: conditions and expressions, whose values are reported with every state from now on
- `near`: the states around the current one, at most so many, as a graph
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from fairlead.api.model import Model
from fairlead.api.walking import condition_of
from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.base.records import dataclass
from fairlead.checker.targets import system_key
from fairlead.evidence.waiting import obstacle_text
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import Binary, Expression
from fairlead.model.meaning import meaning_holds
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, State, Step
from fairlead.model.tree import Configuration
from fairlead.model.waiting import waiting_in
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import within
from fairlead.search.walks import Until
from fairlead.service.requests import Request
from fairlead.service.worker import Tell, attempt, shown_of
from fairlead.simulation.commands import Word, parse_command, perform
from fairlead.simulation.records import state_record, step_records, why_record
from fairlead.simulation.value import Simulation, random_walk, why

#: as many expressions are watched
MOST_WATCHED = 20
#: so many states around one are reported
MOST_NEAR = 60
#: so many random steps are made at most to meet a condition
MOST_STEPS = 20_000


@dataclass(frozen=True)
class Watched:
    """An expression whose value is reported: a condition, or an expression of the language over variables."""

    text: str
    condition: Until | None = None
    expression: Expression | None = None

    def value(self, simulation: Simulation) -> object:
        """Its value in the current state."""
        step = simulation.path[-1] if simulation.path else None
        if self.condition is not None:
            return holds(simulation, self.condition, simulation.state, step)
        state = simulation.state
        assert self.expression is not None and isinstance(state, Configuration)
        return self.expression.type.text(evaluate(self.expression, Scope(list(state.values))))


class Session:
    """A simulation, and the function that reports its states. The limits hold for each command.

    A command that cannot be executed is reported, and changes nothing.
    """

    def __init__(self, asked: Request, model: Model, simulation: Simulation, tell: Tell) -> None:
        self._asked, self._model, self._tell = asked, model, tell
        self._simulation = simulation
        self._watched: tuple[Watched, ...] = ()

    def follow(self, commands: Iterator[str]) -> None:
        """Tells the state that it begins in, and then what each command leads to."""
        self._tell_state(self._simulation, 0)
        for line in commands:
            attempt(partial(self._answer, line.strip()), self._tell)

    def _answer(self, line: str) -> None:
        with within(self._asked.limits, Phase.STEPPING):
            if line.startswith("{"):
                self._do(_object(line))
            else:
                self._command(line)

    def _command(self, line: str) -> None:
        command = parse_command(line, self._simulation)
        if command is not None and command.word is Word.WHY:
            record, text = why_record(self._simulation, command.text), why(self._simulation, command.text)
            self._tell({"event": "why", "record": record, "text": "\n".join(text.lines())})
            return
        self._move(self._simulation if command is None else perform(self._simulation, command))

    def _do(self, asked: Mapping[str, Any]) -> None:
        match asked:
            case {"commands": list(lines)}:
                moved = self._simulation
                for line in lines:
                    tick()
                    command = parse_command(str(line), moved)
                    moved = moved if command is None else perform(moved, command)
                self._move(moved)
            case {"until": str(text), **others}:
                self._move(self._walked(text, _count(others.get("most", 1000))))
            case {"watch": list(texts)}:
                self._watched = tuple(self._watch(str(text)) for text in texts[:MOST_WATCHED])
                self._move(self._simulation)
            case {"near": int(most)}:
                found = near(self._simulation, min(max(most, 1), MOST_NEAR))
                self._tell({"event": "why", "record": {"kind": "near", **found}, "text": ""})
            case _:
                raise _no_command()

    def _move(self, moved: Simulation) -> None:
        kept = kept_steps(self._simulation, moved)
        self._simulation = moved
        self._tell_state(moved, kept)

    def _tell_state(self, simulation: Simulation, kept: int) -> None:
        record = {
            **state_record(simulation),
            "kept": kept,
            "steps": step_records(simulation, kept),
            "disabled": disabled(simulation),
            "watched": [self._value(watched) for watched in self._watched],
        }
        self._tell({"event": "state", "record": record, **shown_of(self._asked, simulation)})

    def _value(self, watched: Watched) -> dict[str, Any]:
        try:
            return {"text": watched.text, "value": watched.value(self._simulation)}
        except FairleadError as error:
            return {"text": watched.text, "problem": error.diagnostics[0].message}

    # ------------------------------------------------------------ conditions

    def _condition(self, text: str) -> Until:
        condition, system = condition_of(self._model, text, self._asked.process)
        mine = self._simulation.system
        own = mine.network if isinstance(mine, NetworkSystem) else mine
        if system_key(system) != system_key(own):  # type: ignore[arg-type]
            raise input_error(Code.USAGE, f"'{text}' has no meaning in the system that is simulated")
        return condition

    def _watch(self, text: str) -> Watched:
        try:
            return Watched(text, condition=self._condition(text))
        except FairleadError as error:
            try:
                compared = self._condition(f"{text} == 0")
            except FairleadError:
                raise error from None
        meaning = next(iter(compared.meanings.values()))
        if len(compared.meanings) == 1 and isinstance(meaning, Proposition):
            found = meaning.meaning
            if isinstance(found, Binary):
                return Watched(text, expression=found.left)
        raise input_error(Code.USAGE, f"'{text}' is neither a condition nor an expression over variables")

    def _walked(self, text: str, most: int) -> Simulation:
        condition = self._condition(text)
        simulation = self._simulation
        for _ in range(most):
            tick()
            moved = random_walk(simulation)
            if moved is simulation:
                break
            simulation = moved
            if holds(simulation, condition, simulation.state, simulation.path[-1]):
                return simulation
        return simulation


def holds(simulation: Simulation, condition: Until, state: State, step: Step | None) -> bool:
    """Whether a condition is met in a state, after a step."""
    truth = {
        atom: meaning_holds(simulation.system, meaning, state, step)
        for atom, meaning in condition.meanings.items()
    }
    return condition.value(truth)


def disabled(simulation: Simulation) -> list[dict[str, str]]:
    """The alternatives that cannot be taken in the current state, and why."""
    return [
        {"process": one.process, "event": blocked.event, "because": obstacle_text(blocked)}
        for one in waiting_in(simulation.system, simulation.state)
        for blocked in one.blocked
    ]


def kept_steps(before: Simulation, after: Simulation) -> int:
    """How many steps from the start on both have in common."""
    pairs = zip(before.path, after.path, strict=False)
    if before.start != after.start:
        return 0
    least = min(len(before.path), len(after.path))
    return next((number for number, (one, other) in enumerate(pairs) if one != other), least)


def near(simulation: Simulation, most: int) -> dict[str, Any]:
    """The states around the current one, breadth first, by the reference semantics; it has the number 0."""
    system = simulation.system
    numbers: dict[State, int] = {simulation.state: 0}
    edges: list[list[object]] = []
    open_states: list[int] = []
    for state in (queue := [simulation.state]):
        tick()
        for step in _steps(simulation, state):
            if step.target not in numbers:
                if len(numbers) >= most:
                    open_states.append(numbers[state])
                    continue
                numbers[step.target] = len(numbers)
                queue.append(step.target)
            edges.append([numbers[state], numbers[step.target], step.event])
    nodes = [{"id": number, "state": system.describe(state)} for state, number in numbers.items()]
    return {"nodes": nodes, "edges": edges, "open": sorted(set(open_states))}


def _steps(simulation: Simulation, state: State) -> Iterable[Step]:
    try:
        return simulation.system.steps(state)
    except FairleadError:  # an operation of the model fails there
        return ()


def _no_command() -> Exception:
    return input_error(Code.USAGE, "this is not a command of a simulation")


def _object(line: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _no_command()
    return found


def _count(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 1 <= given <= MOST_STEPS:
        raise input_error(Code.USAGE, f"the number of steps is from 1 to {MOST_STEPS:,}")
    return given
