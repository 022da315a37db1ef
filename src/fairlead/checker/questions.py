"""What each kind of question needs: its system, its notions of fairness, its search, what a run must show.

The searches and judges of the rarer kinds are imported when there is such a question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.evidence.validate import (
    Claim,
    ReachesDeadlock,
    ReachesGoal,
    ReachesUnsafe,
    ViolatesFormula,
)
from fairlead.lang.language import LoadedModel, Vocabulary
from fairlead.logic.automata.strength import AutomatonStrength
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.fairness.syntax import parse_fairness_formula
from fairlead.logic.ltl import Atom, AtomKind, atoms
from fairlead.logic.parsing.parse import parse_branching, parse_ltl
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    AllProgress,
    Assertion,
    AtomText,
    DeadlockFree,
    Deterministic,
    DivergenceFree,
    Enabled,
    Meaning,
    NonTerminating,
    Objective,
    Progresses,
    Reaches,
    ReachesOptimum,
    Refines,
    Safe,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import FALSE, Binary, Constant, Expression, Operator
from fairlead.model.folding import conjunction
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, System
from fairlead.model.types import Type
from fairlead.outcome.finding import Finding, TerminalSet, Verdict
from fairlead.outcome.limits import Limits
from fairlead.outcome.vacuity import Vacuity, VacuityCheck, VacuityKind
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion, check_ltl
from fairlead.search.reach import check_deadlock, check_nonterminating, check_reaches, check_safety
from fairlead.search.target import NetworkTarget, Target, target_of

if TYPE_CHECKING:
    from fairlead.outcome.demonstration import Demonstration
    from fairlead.search.ctl.branching import BranchingQuestion


class Questions:
    """The questions about one model. Formulas are translated once."""

    def __init__(self, loaded: LoadedModel, warnings: list[Diagnostic]) -> None:
        self._loaded = loaded
        self._warnings = warnings
        self._formulas: dict[tuple[str, str], LtlQuestion] = {}
        self._branching: dict[SatisfiesBranching, BranchingQuestion] = {}
        self._specifications: dict[tuple[str, str, Limits], Target] = {}

    def notions(
        self, question: Assertion, asked: Sequence[Fairness] | None, by_formula: bool = False
    ) -> Sequence[Fairness]:
        """The notions of fairness under which a question is answered, if these (or none) are asked for.

        Fairness concerns formulas, and progress, which is defined by fair choice: strong global fairness.
        Under another notion a single progress property is the formula that it stands for. A fairness formula
        is asked for instead of what the language would have.
        """
        match question:
            case Satisfies() | SatisfiesBranching() | Progresses() if asked:
                return asked
            case Satisfies() | SatisfiesBranching() | Progresses() if by_formula:
                return (Fairness.NONE,)
            case Satisfies() | SatisfiesBranching():
                return (Fairness(self._loaded.default_fairness),)
            case Progresses():
                return (Fairness.STRONG_GLOBAL,)
            case AllProgress():
                return (Fairness.STRONG_GLOBAL,)
            case _:
                return (Fairness.NONE,)

    def asked(self, question: Assertion, notion: Fairness | None, fair: str | None) -> FairnessAsked:
        """Which executions count if a notion and a formula, or none, are asked for.

        A wrong formula, be it that of the question, is told here: raises `InputError`.
        """
        given = None if notion is None else (notion,)
        (meant,) = self.notions(question, given, by_formula=fair is not None)
        if isinstance(question, Satisfies):
            self.formula(question)
        elif isinstance(question, SatisfiesBranching):
            self.branching(question)
        return self.fairness(question, meant, fair)

    def fairness(self, question: Assertion, notion: Fairness, fair: str | None) -> FairnessAsked:
        """Which executions count for a question; raises `InputError` if `fair` is wrong."""
        if fair is None or not isinstance(question, Satisfies | SatisfiesBranching | Progresses):
            return FairnessAsked(notion)  # others are answered whatever is fair
        formula = parse_fairness_formula(Source("fairness", fair))
        vocabulary = self._loaded.vocabulary(question, [fair])
        return FairnessAsked(notion, formula, _meanings(vocabulary, formula.atoms))

    def system(self, question: Assertion, asked: FairnessAsked | None = None) -> Network | ExplicitGraph:
        """The system that a question is about, in which what is asked for has a meaning."""
        if asked is not None and asked.formula is not None:
            return self._loaded.vocabulary(question, [asked.formula.text]).system
        if isinstance(question, Satisfies | SatisfiesBranching) and question.system is not None:
            return question.system
        return self._loaded.system(question.process)

    def reduced_system(
        self, question: Assertion, asked: FairnessAsked, tick: Callable[[], None]
    ) -> Network | ExplicitGraph | None:
        """A smaller system that gives the same answer, if there is one (docs/explanation/minimisation.md)."""
        match question:
            case Safe() | DeadlockFree():
                visible = frozenset[str]()
            case Progresses(test=test) if asked.is_fair_choice:
                visible = test.actions | (test.condition or frozenset())
            case AllProgress(alphabet=alphabet):
                visible = alphabet
            case _:
                return None
        return self._loaded.reduced(question.process, visible, tick)

    def find(
        self,
        question: Assertion,
        target: Target,
        asked: FairnessAsked,
        vacuity: VacuityCheck = VacuityCheck.IF_CHEAP,
    ) -> Finding:
        """Searches for the answer, and if it is that a formula holds, for trivial reasons why."""
        finding = self._find(question, target, asked)
        target.note_tables()
        if finding.verdict is not Verdict.HOLDS:
            return finding
        if finding.nothing_is_fair:
            return replace(finding, vacuity=Vacuity(VacuityKind.NO_FAIR_EXECUTION))
        if vacuity is VacuityCheck.NEVER:
            return finding
        match question:
            case Satisfies() | SatisfiesBranching() | Progresses():
                from fairlead.checker.vacuity import trivial_reason

                reason = trivial_reason(self, question, asked, target, finding, vacuity)
                return replace(finding, vacuity=reason)
        return finding

    def _find(self, question: Assertion, target: Target, asked: FairnessAsked) -> Finding:
        if not isinstance(question, SatisfiesBranching):
            target.labelled = None  # its memory is needed
        match question:
            case DeadlockFree():
                return check_deadlock(target)
            case Safe():
                return check_safety(target)
            case Reaches(goal=goal):
                return check_reaches(target, goal)
            case Satisfies():
                return check_ltl(target, self.formula(question), asked)
            case SatisfiesBranching():
                from fairlead.search.ctl.branching import check_branching

                return check_branching(target, self.branching(question), asked)
            case NonTerminating():
                return check_nonterminating(target)
            case Deterministic():
                from fairlead.search.scan import check_deterministic

                return check_deterministic(target)
            case DivergenceFree():
                from fairlead.search.scan import check_divergence_free

                return check_divergence_free(target)
            case ReachesOptimum(goal=goal, objective=objective):
                from fairlead.search.optimum import check_optimum

                assert isinstance(target, NetworkTarget), "graphs have no quantities"
                return check_optimum(target, goal, objective)
            case Refines(refinement=refinement):
                from fairlead.search.refine import check_refinement

                return check_refinement(target, self._beside(question, target), refinement)
            case Progresses(test=test) if not asked.is_fair_choice:
                from fairlead.search.progress import progress_question

                return check_ltl(target, progress_question(test), asked)
            case Progresses() | AllProgress():
                from fairlead.search.progress import check_progress

                return check_progress(target, question)
            case _:
                assert_never(question)

    def claim(
        self,
        question: Assertion,
        asked: FairnessAsked,
        details: EvidenceDetails,
        tick: Callable[[], None] = lambda: None,
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
                return _violation(self.formula(question), asked, details)
            case SatisfiesBranching():
                from fairlead.evidence.branching import ShowsFormula
                from fairlead.evidence.paths import FairPaths

                assert details.demonstration is not None
                paths = FairPaths(asked.notion, details.annotations, details.conjuncts, question.finite_paths)
                meanings = self.branching(question).meanings
                return ShowsFormula(details.demonstration, meanings, paths, tick)
            case NonTerminating():
                from fairlead.evidence.behaviour import ReachesStop

                return ReachesStop()
            case Deterministic():
                from fairlead.evidence.behaviour import BranchesUnderOneEvent

                return BranchesUnderOneEvent()
            case DivergenceFree():
                from fairlead.evidence.behaviour import LoopsInternally

                return LoopsInternally()
            case ReachesOptimum(goal=goal, objective=objective):
                return ReachesGoal(_with_value(goal, objective, details.optimum))
            case Refines(specification=name, refinement=refinement):
                from fairlead.evidence.refinement import BreaksRefinement

                return BreaksRefinement(as_system(self._specification(question)), name, refinement, tick)
            case Progresses(test=test) if not asked.is_fair_choice:
                from fairlead.search.progress import progress_question

                return _violation(progress_question(test), asked, details)
            case Progresses() | AllProgress():
                from fairlead.evidence.terminal import EndsInTerminalSet

                return EndsInTerminalSet(question, details.terminal, tick)
            case _:
                assert_never(question)

    def is_decided_by_finite_runs(self, question: Assertion, asked: FairnessAsked, network: Network) -> bool:
        """Whether a formula is about finite runs, each of which is the beginning of a fair one."""
        if not isinstance(question, Satisfies) or not asked.continues_every_run:
            return False
        if any(kind.may_be_unsatisfiable for kind in network.annotations):
            return False
        return self.formula(question).strength is AutomatonStrength.TERMINAL

    def meanings(self, question: Assertion, asked: FairnessAsked) -> list[Meaning]:
        """What the atoms of a question and of its fairness formula mean."""
        found = list(asked.meanings.values())
        if isinstance(question, Satisfies):
            found += self.formula(question).meanings.values()
        elif isinstance(question, SatisfiesBranching):
            found += self.branching(question).meanings.values()
        return found

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
            found = atoms(parsed.formula)
            if question.meanings is None:
                meanings = _meanings(self._loaded.vocabulary(question), found)
            else:
                meanings = {atom: question.meanings[atom.text] for atom in found}
            self._formulas[key] = LtlQuestion(parsed.formula, meanings)
        return self._formulas[key]

    def branching(self, question: SatisfiesBranching) -> BranchingQuestion:
        """The formula of a question; raises `InputError` if there is something wrong with it."""
        if question not in self._branching:
            from fairlead.search.ctl.branching import BranchingQuestion

            text = question.formula
            parsed = parse_branching(text.source, text.start, text.end)
            self._warnings += parsed.warnings
            meanings = _meanings(self._loaded.vocabulary(question), atoms(parsed.formula))
            self._branching[question] = BranchingQuestion(parsed.formula, meanings, question.finite_paths)
        return self._branching[question]


@dataclass(frozen=True)
class EvidenceDetails:
    """What beside the run belongs to evidence, as far as a question has it."""

    optimum: int | None = None
    annotations: tuple[Annotated, ...] = ()
    conjuncts: tuple[Conjunct, ...] = ()
    terminal: TerminalSet | None = None
    demonstration: Demonstration | None = None

    @classmethod
    def of(cls, finding: Finding) -> EvidenceDetails:
        """Those of a fresh finding."""
        return cls(
            finding.optimum,
            finding.annotations,
            finding.conjuncts,
            finding.terminal,
            finding.demonstration,
        )


def _meanings(vocabulary: Vocabulary, found: Sequence[Atom]) -> dict[Atom, Meaning]:
    """What atoms mean in a system."""
    return {atom: _meaning(vocabulary, atom) for atom in found}


def _meaning(vocabulary: Vocabulary, atom: Atom) -> Meaning:
    match atom.kind:
        case AtomKind.EXECUTED:
            return vocabulary.subject(atom.text, atom.span)
        case AtomKind.ENABLED:
            return Enabled(vocabulary.subject(atom.text, atom.span))
        case kind:
            quoted, comparison = kind is AtomKind.QUOTED, kind is AtomKind.COMPARISON
            return vocabulary.meaning(AtomText(atom.text, quoted, comparison, atom.span))


def _violation(ltl: LtlQuestion, asked: FairnessAsked, details: EvidenceDetails) -> ViolatesFormula:
    return ViolatesFormula(ltl.formula, ltl.meanings, asked.notion, details.annotations, details.conjuncts)


def as_system(found: Network | ExplicitGraph) -> System:
    """The reference semantics of what a language gives."""
    return NetworkSystem(found) if isinstance(found, Network) else found


def _with_value(goal: Proposition, objective: Objective, optimum: int | None) -> Proposition:
    """The goal, and that the quantity has the value found."""
    value = FALSE if optimum is None else _equal(objective.value, optimum)
    return Proposition(f"{goal.text} && {objective.text} == {optimum}", conjunction(goal.meaning, value))


def _equal(quantity: Expression, value: int) -> Expression:
    return Binary(Operator.EQUAL, quantity, Constant(value), Type.BOOL)
