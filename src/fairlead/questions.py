"""What each kind of question needs: its system, its notions of fairness, its search, what a run must show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from fairlead.check.finding import Finding, TerminalSet
from fairlead.check.limits import Limits
from fairlead.check.ltl import LtlQuestion, check_ltl
from fairlead.check.optimum import check_optimum
from fairlead.check.progress import check_progress, progress_question
from fairlead.check.reach import check_deadlock, check_nonterminating, check_reaches, check_safety
from fairlead.check.refine import check_refinement
from fairlead.check.scan import check_deterministic, check_divergence_free
from fairlead.check.target import NetworkTarget, Target, target_of
from fairlead.errors import Diagnostic
from fairlead.evidence.behaviour import BranchesUnderOneEvent, LoopsInternally, ReachesStop
from fairlead.evidence.refinement import BreaksRefinement
from fairlead.evidence.terminal import EndsInTerminalSet
from fairlead.evidence.validate import (
    Claim,
    ReachesDeadlock,
    ReachesGoal,
    ReachesUnsafe,
    ViolatesFormula,
)
from fairlead.lang.model import LoadedModel
from fairlead.logic.fairness import Fairness
from fairlead.logic.ltl import Atom, AtomKind, atoms
from fairlead.logic.parse import parse_ltl
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    AllProgress,
    Assertion,
    AtomText,
    DeadlockFree,
    Deterministic,
    DivergenceFree,
    Meaning,
    NonTerminating,
    Objective,
    Progresses,
    Reaches,
    ReachesOptimum,
    Refines,
    Safe,
    Satisfies,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import FALSE, Binary, Constant, Expression, Operator
from fairlead.model.folding import conjunction
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, System
from fairlead.model.types import Type


class Questions:
    """The questions about one model. Formulas are translated once."""

    def __init__(self, loaded: LoadedModel, warnings: list[Diagnostic]) -> None:
        self._loaded = loaded
        self._warnings = warnings
        self._formulas: dict[tuple[str, str], LtlQuestion] = {}
        self._specifications: dict[tuple[str, str, Limits], Target] = {}

    def notions(self, question: Assertion, asked: Sequence[Fairness] | None) -> Sequence[Fairness]:
        """The notions of fairness under which a question is answered, if these (or none) are asked for.

        Fairness concerns formulas, and progress, which is defined by fair choice: strong global fairness.
        Under another notion a single progress property is the formula that it stands for.
        """
        match question:
            case Satisfies():
                return asked or (Fairness(self._loaded.default_fairness),)
            case Progresses():
                return asked or (Fairness.STRONG_GLOBAL,)
            case AllProgress():
                return (Fairness.STRONG_GLOBAL,)
            case _:
                return (Fairness.NONE,)

    def system(self, question: Assertion) -> Network | ExplicitGraph:
        """The system that a question is about."""
        if isinstance(question, Satisfies) and question.system is not None:
            return question.system
        return self._loaded.system(question.process)

    def reduced_system(
        self, question: Assertion, fairness: Fairness, tick: Callable[[], None]
    ) -> Network | ExplicitGraph | None:
        """A smaller system that gives the same answer, if there is one (docs/minimisation.md says why)."""
        match question:
            case Safe() | DeadlockFree():
                visible = frozenset[str]()
            case Progresses(test=test) if fairness is Fairness.STRONG_GLOBAL:
                visible = test.actions | (test.condition or frozenset())
            case AllProgress(alphabet=alphabet):
                visible = alphabet
            case _:
                return None
        return self._loaded.reduced(question.process, visible, tick)

    def find(self, question: Assertion, target: Target, fairness: Fairness) -> Finding:
        """Searches for the answer."""
        match question:
            case DeadlockFree():
                return check_deadlock(target)
            case Safe():
                return check_safety(target)
            case Reaches(goal=goal):
                return check_reaches(target, goal)
            case Satisfies():
                return check_ltl(target, self.formula(question), fairness)
            case NonTerminating():
                return check_nonterminating(target)
            case Deterministic():
                return check_deterministic(target)
            case DivergenceFree():
                return check_divergence_free(target)
            case ReachesOptimum(goal=goal, objective=objective):
                assert isinstance(target, NetworkTarget), "graphs have no quantities"
                return check_optimum(target, goal, objective)
            case Refines(refinement=refinement):
                return check_refinement(target, self._beside(question, target), refinement)
            case Progresses(test=test) if fairness is not Fairness.STRONG_GLOBAL:
                return check_ltl(target, progress_question(test), fairness)
            case Progresses() | AllProgress():
                return check_progress(target, question)
            case _:
                assert_never(question)

    def claim(
        self,
        question: Assertion,
        fairness: Fairness,
        optimum: int | None,
        annotations: tuple[Annotated, ...],
        tick: Callable[[], None] = lambda: None,
        terminal: TerminalSet | None = None,
    ) -> Claim:
        """What a run must show to be evidence for the answer."""
        match question:
            case DeadlockFree():
                return ReachesDeadlock()
            case Safe():
                return ReachesUnsafe()
            case Reaches(goal=goal):
                return ReachesGoal(goal)
            case Satisfies():
                ltl = self.formula(question)
                return ViolatesFormula(ltl.formula, ltl.meanings, fairness, annotations)
            case NonTerminating():
                return ReachesStop()
            case Deterministic():
                return BranchesUnderOneEvent()
            case DivergenceFree():
                return LoopsInternally()
            case ReachesOptimum(goal=goal, objective=objective):
                return ReachesGoal(_with_value(goal, objective, optimum))
            case Refines(specification=name, refinement=refinement):
                return BreaksRefinement(as_system(self._specification(question)), name, refinement, tick)
            case Progresses(test=test) if fairness is not Fairness.STRONG_GLOBAL:
                ltl = progress_question(test)
                return ViolatesFormula(ltl.formula, ltl.meanings, fairness, annotations)
            case Progresses() | AllProgress():
                return EndsInTerminalSet(question, terminal, tick)
            case _:
                assert_never(question)

    def _beside(self, question: Refines, target: Target) -> Target:
        """The specification of a refinement, explored in the same bounds as the process."""
        if question.system is not None:
            return target_of(question.system, target.limits, target)
        key = (question.process, question.specification, target.limits)
        if key not in self._specifications:
            self._specifications[key] = target_of(self._specification(question), target.limits, target)
        return self._specifications[key]

    def _specification(self, question: Refines) -> Network | ExplicitGraph:
        return question.system or self._loaded.specification(question.specification)

    def formula(self, question: Satisfies) -> LtlQuestion:
        """The formula of a question; raises `InputError` if there is something wrong with it."""
        key = (question.process, question.text)
        if key not in self._formulas:
            text = question.formula
            parsed = parse_ltl(text.source, text.start, text.end)
            self._warnings += parsed.warnings
            meanings = {atom: self._meaning(question, atom) for atom in atoms(parsed.formula)}
            self._formulas[key] = LtlQuestion(parsed.formula, meanings)
        return self._formulas[key]

    def _meaning(self, question: Satisfies, atom: Atom) -> Meaning:
        if question.meanings is not None:
            return question.meanings[atom.text]
        quoted, comparison = atom.kind is AtomKind.QUOTED, atom.kind is AtomKind.COMPARISON
        vocabulary = self._loaded.vocabulary(question)
        return vocabulary.meaning(AtomText(atom.text, quoted, comparison, atom.span))


def as_system(found: Network | ExplicitGraph) -> System:
    """The reference semantics of what a language gives."""
    return NetworkSystem(found) if isinstance(found, Network) else found


def _with_value(goal: Proposition, objective: Objective, optimum: int | None) -> Proposition:
    """The goal, and that the quantity has the value found."""
    value = FALSE if optimum is None else _equal(objective.value, optimum)
    return Proposition(f"{goal.text} && {objective.text} == {optimum}", conjunction(goal.meaning, value))


def _equal(quantity: Expression, value: int) -> Expression:
    return Binary(Operator.EQUAL, quantity, Constant(value), Type.BOOL)
