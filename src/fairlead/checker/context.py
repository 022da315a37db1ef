"""What the questions about one model share: its formulas, translated once, and its specifications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.source import Source
from fairlead.certify.meanings import meanings_in
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.fairness.syntax import parse_fairness_formula
from fairlead.logic.ltl import atoms
from fairlead.logic.parsing.parse import parse_branching, parse_ltl
from fairlead.model.assertion import (
    Assertion,
    Refines,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.outcome.limits import Limits
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion
from fairlead.search.target import Target, target_of

if TYPE_CHECKING:
    from fairlead.search.ctl.branching import BranchingQuestion


class Context:
    """The formulas and specifications of one model."""

    def __init__(self, loaded: LoadedModel, warnings: list[Diagnostic]) -> None:
        self.loaded = loaded
        self._warnings = warnings
        self._formulas: dict[tuple[str, str], LtlQuestion] = {}
        self._branching: dict[SatisfiesBranching, BranchingQuestion] = {}
        self._specifications: dict[tuple[str, str, Limits], Target] = {}

    def formula(self, question: Satisfies) -> LtlQuestion:
        """The formula of a question; raises `InputError` if there is something wrong with it."""
        key = (question.process, question.text)
        if key not in self._formulas:
            text = question.formula
            parsed = parse_ltl(text.source, text.start, text.end)
            self._warnings += parsed.warnings
            found = atoms(parsed.formula)
            if question.meanings is None:
                meanings = meanings_in(self.loaded.vocabulary(question), found)
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
            meanings = meanings_in(self.loaded.vocabulary(question), atoms(parsed.formula))
            self._branching[question] = BranchingQuestion(parsed.formula, meanings, question.finite_paths)
        return self._branching[question]

    def fairness(self, question: Assertion, notion: Fairness, fair: str) -> FairnessAsked:
        """A notion together with a formula; raises `InputError` if the formula is wrong."""
        formula = parse_fairness_formula(Source("fairness", fair))
        vocabulary = self.loaded.vocabulary(question, [fair])
        return FairnessAsked(notion, formula, meanings_in(vocabulary, formula.atoms))

    def specification(self, question: Refines) -> Network | ExplicitGraph:
        """The system that a process is compared with."""
        return question.system or self.loaded.specification(question.specification)

    def beside(self, question: Refines, target: Target) -> Target:
        """The specification of a refinement, explored in the same bounds as the process."""
        if question.system is not None:
            return target_of(question.system, target.limits, target)
        key = (question.process, question.specification, target.limits)
        if key not in self._specifications:
            self._specifications[key] = target_of(self.specification(question), target.limits, target)
        return self._specifications[key]
