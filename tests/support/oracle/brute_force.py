"""Answers about a process from its reference semantics, explored, and the definitions: slow and obvious."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import fairlead
from fairlead.model.assertion import Assertion, Optimum, ReachesOptimum
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.labels import is_internal
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration
from fairlead.outcome.finding import Verdict
from tests.support.generators.mixed_models import Question
from tests.support.oracle import behaviour, refinement
from tests.support.oracle.annotations import Note, find_fair, in_force
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.verdict import Product
from tests.support.steps import Explored, explore_reference

#: systems up to so many states are explored
MOST_EXPLORED = 250
#: and up to so many, formulas and refinement are decided
MOST_JUDGED = 80
#: if a specification has no more than this
MOST_SPECIFIED = 30


@dataclass(frozen=True)
class Expected:
    """What brute force says: whether it holds, the best value, the length of a shortest finite run."""

    verdict: Verdict
    optimum: int | None = None
    length: int | None = None


class IndexedGraph(Graph):
    """The same, with the steps of each state at hand."""

    @cached_property
    def _by_source(self) -> dict[int, list[Step]]:
        found: dict[int, list[Step]] = {}
        for step in self.transitions:
            found.setdefault(step.source, []).append(step)
        return found

    def outgoing(self, state: int) -> list[Step]:
        return self._by_source.get(state, [])


class BruteForce:
    """The reference semantics of one process, explored."""

    def __init__(self, model: fairlead.Model, process: str) -> None:
        network = model._loaded.system(process)
        assert isinstance(network, Network)
        self.model = model
        self.network = network
        self.system = NetworkSystem(network)
        self.explored: Explored = explore_reference(network, MOST_EXPLORED)
        self._others: dict[str, BruteForce] = {}
        self.starts = [state for state, depth in self.explored.depth.items() if depth == 0]

    @property
    def is_whole(self) -> bool:
        """Whether everything was explored, and nothing goes wrong."""
        return self.explored.is_complete and not self.explored.faults

    @cached_property
    def numbers(self) -> dict[Configuration, int]:
        return {state: number for number, state in enumerate(self.explored.depth)}

    def graph(self, start: int, silent: bool = False) -> IndexedGraph:
        """The system from one initial state; all internal steps are one event if they are `silent`."""
        steps = []
        for state, outgoing in self.explored.steps.items():
            for step in outgoing:
                event = behaviour.TAU if silent and is_internal(step.event) else step.event
                assert isinstance(step.target, Configuration)
                steps.append(Step(self.numbers[state], event, self.numbers[step.target], step.processes))
        return IndexedGraph(len(self.numbers), start, tuple(steps), {})

    def propositions(self) -> dict[str, frozenset[int]]:
        return {
            name: frozenset(
                number for state, number in self.numbers.items() if self.system.holds(meaning, state)
            )
            for name, meaning in self.model._loaded.propositions.items()
        }

    def _nearest(self, states: list[Configuration]) -> int | None:
        return min((self.explored.depth[state] for state in states), default=None)

    def expected(self, asked: Assertion, question: Question, notion: str) -> Expected | None:
        """The answer; None if it is not known how to find it."""
        word = question.text.removeprefix("System() ").split()[0]
        stuck = [state for state, steps in self.explored.steps.items() if not steps]
        match word:
            case "deadlockfree":
                return _never(self._nearest([one for one in stuck if not self.system.has_terminated(one)]))
            case "nonterminating":
                return _never(self._nearest(stuck))
            case "divergencefree" | "deterministic":
                graph = self.graph(0, silent=True)
                bad = (
                    behaviour.on_internal_cycle if word == "divergencefree" else behaviour.has_two_successors
                )
                found = [state for state, number in self.numbers.items() if bad(graph, number)]
                return Expected(Verdict.VIOLATED if found else Verdict.HOLDS)
            case "reaches":
                return self._reaches(asked)
            case "|=":
                return self._formula(question, notion)
        return self._refines(question)

    def _reaches(self, asked: Any) -> Expected:
        goals = [state for state in self.numbers if self.system.holds(asked.goal, state)]
        if not isinstance(asked, ReachesOptimum):
            length = self._nearest(goals)
            return Expected(Verdict.VIOLATED if length is None else Verdict.HOLDS, None, length)
        values = [evaluate(asked.objective.value, Scope(list(state.values))) for state in goals]
        best = (max if (asked.objective.optimum is Optimum.MAX) else min)(values, default=None)
        return Expected(Verdict.VIOLATED if best is None else Verdict.HOLDS, best)

    def _formula(self, question: Question, notion: str) -> Expected | None:
        if len(self.numbers) > MOST_JUDGED or question.formula is None:
            return None
        props = self.propositions()
        ready: dict[Any, set[int]] = {}
        for state, number in self.numbers.items():
            for item in self.system.ready(state):
                ready.setdefault(item, set()).add(number)
        notes = [Note(one.kind, one.label, frozenset(where)) for one, where in ready.items()]
        for start in self.starts:
            plain = self.graph(self.numbers[start])
            graph = IndexedGraph(plain.states, plain.initial, plain.transitions, props)
            if find_fair(Product(graph, question.formula), notion, in_force(graph, notes)) is not None:
                return Expected(Verdict.VIOLATED)
        return Expected(Verdict.HOLDS)

    def _refines(self, question: Question) -> Expected | None:
        kind, _, process = question.text.removeprefix("System() refines").partition(" ")
        right = self._others.get(process)
        if right is None:
            right = self._others[process] = BruteForce(self.model, process)
        if (
            not right.is_whole
            or len(right.starts) > 1
            or len(self.starts) > 1
            or len(self.numbers) > MOST_JUDGED
            or len(right.numbers) > MOST_SPECIFIED
        ):
            return None
        left, specified = (one.graph(0, silent=True) for one in (self, right))
        length = refinement.shortest_violation(left, specified, kind.strip("<>") or "T")
        return _never(length) if not kind else Expected(_never(length).verdict)


def _never(nearest: int | None) -> Expected:
    return Expected(Verdict.HOLDS if nearest is None else Verdict.VIOLATED, None, nearest)
