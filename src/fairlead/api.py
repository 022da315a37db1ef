"""Loading models and checking them: what the command line, notebooks and other programs call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, assert_never

from fairlead.check.finding import Finding, Statistics, Verdict
from fairlead.check.limits import Limits, Reporter, Stopped
from fairlead.check.ltl import LtlQuestion, check_ltl
from fairlead.check.reach import check_deadlock, check_reaches
from fairlead.check.space import explicit_graph
from fairlead.check.target import ExplicitTarget, NetworkTarget, Target
from fairlead.errors import Diagnostic
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.stored import find_run
from fairlead.evidence.validate import (
    Claim,
    ReachesDeadlock,
    ReachesGoal,
    ViolatesFormula,
    problem_with,
    validate,
)
from fairlead.lang.load import load_file, load_text
from fairlead.lang.model import LoadedModel
from fairlead.logic.fairness import Fairness, parse_fairness
from fairlead.logic.ltl import AtomKind, atoms
from fairlead.logic.parse import parse_ltl
from fairlead.model.assertion import Assertion, AtomText, DeadlockFree, Reaches, Satisfies
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import System
from fairlead.result import Result

Question = str | Assertion


class Model:
    """A model file. Explored graphs are kept, so that asking again about the same process is cheap."""

    def __init__(self, loaded: LoadedModel, name: str, definitions: Mapping[str, str]) -> None:
        self.name = name
        self.definitions = dict(definitions)
        self.warnings: list[Diagnostic] = []
        self._loaded = loaded
        self._targets: dict[tuple[str, Limits], Target] = {}
        self._questions: dict[tuple[str, str], LtlQuestion] = {}

    # ------------------------------------------------------------ questions

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        """What the model file asks."""
        return tuple(self._loaded.assertions)

    def assertion(self, text: str) -> Assertion:
        """A question given as text, such as `System() |= []<> a`."""
        return self._loaded.assertion(text)

    def formula(self, text: str, process: str | None = None) -> Satisfies:
        """The question whether every fair execution of a process satisfies a formula."""
        return self._loaded.formula(text, process)

    # ------------------------------------------------------------ answers

    def check(
        self,
        assertion: Question,
        fairness: str | Fairness = Fairness.NONE,
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Result:
        """Answers one question under one notion of fairness."""
        question = self.assertion(assertion) if isinstance(assertion, str) else assertion
        notion = fairness if isinstance(fairness, Fairness) else parse_fairness(fairness)[0]
        (notion,) = relevant_notions(question, (notion,))
        claim = self._claim(question, notion)
        try:
            target = self._target(question.process, limits or Limits(), reporter)
            finding = self._find(question, target, notion)
        except Stopped as stop:  # before there was anything to look at
            nothing = Statistics(0, 0, 0.0, 0, complete=False)
            return Result(question.text, notion, Verdict.UNKNOWN, None, nothing, stop.kind.value)
        evidence = None
        if finding.run is not None:
            validate(target.system, finding.run, claim)
            evidence = Evidence(target.system, finding.run, notion)
        return Result(
            question.text,
            notion,
            finding.verdict,
            evidence,
            finding.statistics,
            finding.reason,
            finding.method,
        )

    def _find(self, question: Assertion, target: Target, fairness: Fairness) -> Finding:
        match question:
            case DeadlockFree():
                return check_deadlock(target)
            case Reaches(goal=goal):
                return check_reaches(target, goal)
            case Satisfies():
                return check_ltl(target, self._question(question), fairness)
            case _:
                assert_never(question)

    def _claim(self, question: Assertion, fairness: Fairness) -> Claim:
        """What a run must show to be evidence for the answer."""
        match question:
            case DeadlockFree():
                return ReachesDeadlock()
            case Reaches(goal=goal):
                return ReachesGoal(goal)
            case Satisfies():
                ltl = self._question(question)
                return ViolatesFormula(ltl.formula, ltl.meanings, fairness)
            case _:
                assert_never(question)

    def check_all(
        self,
        assertions: Sequence[Question] | None = None,
        fairness: str | Sequence[Fairness] = "none",
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> list[Result]:
        """Answers several questions (by default those of the file) under several notions.

        Fairness concerns formulas only; other assertions are answered once.
        """
        notions = parse_fairness(fairness) if isinstance(fairness, str) else tuple(fairness)
        questions = [
            self.assertion(assertion) if isinstance(assertion, str) else assertion
            for assertion in (self.assertions if assertions is None else assertions)
        ]
        return [
            self.check(question, notion, limits=limits, reporter=reporter)
            for question in questions
            for notion in relevant_notions(question, notions)
        ]

    # ------------------------------------------------------------ graphs and stored evidence

    def graph(
        self,
        process: str | None = None,
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> ExplicitGraph:
        """The reachable system of a process as an explicit graph, with the model's propositions."""
        target = self._target(process, limits or Limits(), reporter)
        return explicit_graph(target, self._loaded.propositions)

    def validate(self, result: Mapping[str, Any]) -> str | None:
        """Judges the evidence of a stored result anew; what is wrong with it, or None."""
        question = self.assertion(str(result["assertion"]))
        system = self._system(question.process)
        run = find_run(system, dict(result["evidence"]))
        if isinstance(run, str):
            return run
        notion = parse_fairness(str(result["fairness"]))[0]
        claim = self._claim(question, notion)
        return problem_with(system, run, claim)

    # ------------------------------------------------------------ inside

    def _system(self, process: str | None) -> System:
        found = self._loaded.system(process)
        return NetworkSystem(found) if isinstance(found, Network) else found

    def _target(self, process: str | None, limits: Limits, reporter: Reporter | None) -> Target:
        found = self._loaded.system(process)
        key = (found.name if isinstance(found, Network) else "", limits)
        if key not in self._targets:
            self._targets[key] = (
                NetworkTarget(found, limits) if isinstance(found, Network) else ExplicitTarget(found, limits)
            )
        self._targets[key].reporter = reporter
        return self._targets[key]

    def _question(self, question: Satisfies) -> LtlQuestion:
        key = (question.process, question.text)
        if key not in self._questions:
            text = question.formula
            parsed = parse_ltl(text.source, text.start, text.end)
            self.warnings += parsed.warnings
            meanings = {
                atom: self._loaded.meaning(
                    AtomText(
                        atom.text,
                        atom.kind is AtomKind.QUOTED,
                        atom.kind is AtomKind.COMPARISON,
                        atom.span,
                    )
                )
                for atom in atoms(parsed.formula)
            }
            self._questions[key] = LtlQuestion(parsed.formula, meanings)
        return self._questions[key]


def relevant_notions(question: Assertion, notions: Sequence[Fairness]) -> Sequence[Fairness]:
    """The notions under which a question is to be asked: fairness concerns formulas only."""
    return notions if isinstance(question, Satisfies) else (Fairness.NONE,)


def load(
    path: str | Path,
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
) -> Model:
    """Loads a model file: CSP# (.csp), or an explicit graph (.aut, .json).

    `definitions` overrides constants of the model, as `-D` does on the command line. `allow_python` names
    Python files with types and functions for the model; they are run.
    """
    texts = {name: str(value) for name, value in (definitions or {}).items()}
    files = [Path(file) for file in allow_python]
    return Model(load_file(Path(path), texts, files), str(path), texts)


def loads(
    text: str,
    language: str = "csp",
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
) -> Model:
    """Loads a model given as text; `language` is csp, aut or json."""
    texts = {name: str(value) for name, value in (definitions or {}).items()}
    name = f"<{language}>"
    files = [Path(file) for file in allow_python]
    return Model(load_text(text, name, f".{language}", texts, files), name, texts)
