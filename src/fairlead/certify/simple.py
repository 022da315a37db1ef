"""What the states that can be reached decide: deadlocks, errors, unreachable goals, best values, determinism,
divergence; and a goal that is reached by a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fairlead.base.allowance import tick
from fairlead.certify.container import Rejected, list_in, number_in, text_in
from fairlead.certify.proof import Closed, Emit, Need, number_note
from fairlead.certify.questions import Asked
from fairlead.certify.states import Encoded, States
from fairlead.model.assertion import (
    DeadlockFree,
    Deterministic,
    DivergenceFree,
    NonTerminating,
    Optimum,
    Reaches,
    ReachesOptimum,
    Safe,
)
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.labels import TAU, is_internal
from fairlead.model.system import State, is_stuck
from fairlead.model.tree import Configuration

#: what is wrong with a state that can be reached
Problem = Callable[[States, State, tuple[Encoded, ...]], bool]


def _is_stuck(states: States, state: State, steps: tuple[Encoded, ...]) -> bool:
    return not steps and is_stuck(states.system, state)


def _is_unsafe(states: States, state: State, steps: tuple[Encoded, ...]) -> bool:
    return _is_stuck(states, state, steps) or states.system.failed_process(state) is not None


def _stops(states: States, state: State, steps: tuple[Encoded, ...]) -> bool:
    return not steps


def _is_undecided(states: States, state: State, steps: tuple[Encoded, ...]) -> bool:
    """All internal steps have one label."""
    targets: dict[str, bytes] = {}
    for one in steps:
        label = TAU if is_internal(one.step.event) else one.step.event
        if targets.setdefault(label, one.target) != one.target:
            return True
    return False


_PROBLEMS: Mapping[type, Problem] = {
    DeadlockFree: _is_stuck,
    Safe: _is_unsafe,
    NonTerminating: _stops,
    Deterministic: _is_undecided,
}


class AllStates(Closed):
    """No state that can be reached has the problem that the question is about."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        self._problem = _PROBLEMS.get(type(asked.question)) or self._reached

    def _reached(self, states: States, state: State, steps: tuple[Encoded, ...]) -> bool:
        """Whether a state satisfies a goal that is claimed to be unreachable, or with a better value."""
        question, system = self.asked.question, states.system
        assert isinstance(question, Reaches | ReachesOptimum)
        if not system.holds(question.goal, state):
            return False
        if wanted(self.asked) == "violated":
            return True
        assert isinstance(question, ReachesOptimum)
        assert isinstance(state, Configuration)
        value = evaluate(question.objective.value, Scope(list(state.values)))
        best = self.asked.proof.get("best")
        if not isinstance(best, int):
            raise Rejected("a best value is a number")
        return value > best if question.objective.optimum is Optimum.MAX else value < best

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """The state has no problem, and the states after it are listed."""
        state = self.states.decode(data)
        steps = self.states.steps(data, state)
        if self._problem(self.states, state, steps):
            raise Rejected("a listed state is as none may be")
        for one in steps:
            emit(one.target, None)


class InternalSteps(Closed):
    """Internal steps end: each of them decreases the rank of the state."""

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Says which rank the states after it must not reach."""
        rank = number_note(note)
        for one in self.states.steps(data, self.states.decode(data)):
            emit(one.target, rank if is_internal(one.step.event) else None)

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """The rank is lower than where an internal step comes from."""
        rank = number_note(note)
        if any(need is not None and rank >= need for need in needs):
            raise Rejected("an internal step does not decrease the rank")


SIMPLE = (DeadlockFree, Safe, NonTerminating, Deterministic, DivergenceFree, Reaches, ReachesOptimum)


def check_run(asked: Asked) -> int:
    """Follows the run of a certificate to a goal; how many steps it has."""
    states, question = States(asked.found), asked.question
    assert isinstance(question, Reaches | ReachesOptimum)
    starts, run = states.initial(), list_in(asked.proof.get("run"))
    begin = number_in(asked.proof.get("start"))
    if begin >= len(starts):
        raise Rejected("the run begins in no initial state")
    data, state = starts[begin]
    for number in run:
        tick()
        steps = states.steps(data, state)
        if number_in(number) >= len(steps):
            raise Rejected("the run takes a step that there is not")
        data, state = steps[number].target, steps[number].step.target
    if not states.system.holds(question.goal, state):
        raise Rejected("the run does not lead to the goal")
    if isinstance(question, ReachesOptimum):
        assert isinstance(state, Configuration)
        value = evaluate(question.objective.value, Scope(list(state.values)))
        if value != asked.proof.get("best"):
            raise Rejected("the run leads to another value")
    return len(run)


def wanted(asked: Asked) -> str:
    """What is claimed of the assertion: that it holds, or that it is violated."""
    found = text_in(asked.claim.get("verdict"))
    if found not in ("holds", "violated"):
        raise Rejected(f"nothing is claimed by '{found[:40]}'")
    return found
