"""Checks with partial order reduction: which questions it is for, and what these see.

docs/explanation/reduction.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fairlead.checker.questions import Questions
from fairlead.checker.result import PartialOrderReport
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.ltl import Always, Atom, Eventually, Formula, Next
from fairlead.logic.stuttering import FirstPosition, ignores_unseen_steps
from fairlead.model.assertion import (
    Assertion,
    DeadlockFree,
    Deterministic,
    DivergenceFree,
    EventAtom,
    Meaning,
    NonTerminating,
    ProcessAtom,
    Reaches,
    ReachesOptimum,
    Refines,
    Safe,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.network import Network
from fairlead.model.system import Proposition
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion
from fairlead.search.reduced import Proviso, ReducedTarget, Sight
from fairlead.search.target import Target

#: why a kind of question does
_QUESTIONS: Mapping[type[Assertion], str] = {
    SatisfiesBranching: "branching time sees where steps are chosen",
    Deterministic: "determinism sees every step of a state",
    DivergenceFree: "divergence sees every internal step",
    Refines: "refinement sees every event",
    ReachesOptimum: "the best value is looked for in every state",
}
_PROGRESS = "progress is strong global fairness, which sees every step of a state"


class NotReduced(Exception):
    """That a question needs all steps, and why."""


class PartialOrderTargets:
    """The reduced systems of one model; what was explored for one question serves others that see as much."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._targets: dict[object, ReducedTarget] = {}

    def reduced(
        self, question: Assertion, asked: FairnessAsked, whole: Target
    ) -> tuple[Target, PartialOrderReport]:
        """The system with fewer steps, if they are enough for a question; else the whole, and why."""
        network = self._questions.system(question, asked)
        try:
            if not isinstance(network, Network):
                raise NotReduced("a graph has no processes")
            sight = self.sight(question, asked, network)
            key = (network.name, sight, whole.limits)
            if key not in self._targets:
                self._targets[key] = ReducedTarget(network, whole.limits, sight)
            target = self._targets[key]
            target.reporter = whole.reporter
            target.graph()
            if target.problem is not None:
                raise NotReduced(target.problem)
        except NotReduced as needed:
            return whole, PartialOrderReport(str(needed))
        return target, PartialOrderReport()

    def sight(self, question: Assertion, asked: FairnessAsked, network: Network) -> Sight:
        """What a question can tell apart; raises `NotReduced` if that is too much."""
        match question:
            case DeadlockFree() | NonTerminating():
                return Sight(Proviso.NONE)
            case Safe():
                return Sight(Proviso.REACHED)
            case Reaches(goal=goal):
                return Sight(Proviso.REACHED, (goal,))
            case Satisfies():
                finite = self._questions.is_decided_by_finite_runs(question, asked, network)
                return formula_sight(self._questions.formula(question), asked, network, finite)
        raise NotReduced(_QUESTIONS.get(type(question), _PROGRESS))


def formula_sight(ltl: LtlQuestion, asked: FairnessAsked, network: Network, is_finite: bool) -> Sight:
    """What a formula and what is assumed of executions tell apart; finite runs may be all that matters."""
    meanings = dict(ltl.meanings)
    steps = _step_atoms(meanings)
    body, first = ltl.formula, FirstPosition.NO_EVENT
    if isinstance(body, Next):  # as all formulas of FSP: what counts begins after the first step
        body, first = body.operand, FirstPosition.ANY_EVENT
    if not ignores_unseen_steps(body, steps, first):
        raise NotReduced("unseen steps can change the truth of the formula")
    if not is_finite:
        _check_assumed(asked)
        meanings |= asked.meanings
    return Sight(
        Proviso.REACHED if is_finite else Proviso.CYCLES,
        tuple(_propositions(meanings.values())),
        frozenset(label for meaning in meanings.values() for label in _labels(meaning)),
        frozenset(name for meaning in meanings.values() for name in _processes(meaning)),
        bool(network.annotations) and not is_finite,
        first is FirstPosition.ANY_EVENT,
    )


def _check_assumed(asked: FairnessAsked) -> None:
    """Raises `NotReduced` if what is fair depends on more than a few events and propositions."""
    if asked.notion.notion.sees is not None:
        raise NotReduced(asked.notion.notion.sees)
    if asked.formula is None:
        return
    if not asked.formula.is_closed:
        raise NotReduced("a fairness formula about all processes or events sees all of them")
    for conjunct in asked.conjuncts():
        steps = _step_atoms(conjunct.meanings)
        if not all(ignores_unseen_steps(part, steps) for part in _parts(conjunct.condition)):
            raise NotReduced("unseen steps can change the truth of the fairness formula")


def _parts(condition: Condition) -> Iterator[Formula]:
    """What a condition is a boolean combination of."""
    match condition:
        case InfinitelyOften(predicate):
            yield Always(Eventually(predicate))
        case AlmostAlways(predicate):
            yield Eventually(Always(predicate))
        case AllOf(parts) | OneOf(parts):
            for part in parts:
                yield from _parts(part)


def _step_atoms(meanings: Mapping[Atom, Meaning]) -> frozenset[Atom]:
    """The atoms about the step into a state; raises `NotReduced` if some are about possible steps."""
    for atom, meaning in meanings.items():
        if not isinstance(meaning, Proposition | EventAtom | ProcessAtom):
            raise NotReduced(f"{atom} sees every step of a state")
    return frozenset(atom for atom, meaning in meanings.items() if not isinstance(meaning, Proposition))


def _propositions(meanings: Iterable[Meaning]) -> Iterator[Proposition]:
    return (meaning for meaning in meanings if isinstance(meaning, Proposition))


def _labels(meaning: Meaning) -> frozenset[str]:
    return meaning.labels if isinstance(meaning, EventAtom) else frozenset()


def _processes(meaning: Meaning) -> frozenset[str]:
    return meaning.processes if isinstance(meaning, ProcessAtom) else frozenset()
