"""Loading models and checking them: what the command line, notebooks and other programs call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, assert_never

from fairlead.check.finding import Finding, Statistics, TerminalSet, Verdict
from fairlead.check.limits import Clock, Limits, Reporter, Stopped
from fairlead.check.ltl import LtlQuestion, check_ltl
from fairlead.check.optimum import check_optimum
from fairlead.check.progress import check_progress, progress_question
from fairlead.check.reach import check_deadlock, check_nonterminating, check_reaches, check_safety
from fairlead.check.refine import check_refinement
from fairlead.check.scan import check_deterministic, check_divergence_free
from fairlead.check.space import explicit_graph, run_in_graph, system_size
from fairlead.check.target import NetworkTarget, Target, target_of
from fairlead.errors import Code, Diagnostic, input_error
from fairlead.evidence.behaviour import BranchesUnderOneEvent, LoopsInternally, ReachesStop
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.refinement import BreaksRefinement
from fairlead.evidence.stored import find_run
from fairlead.evidence.terminal import EndsInTerminalSet
from fairlead.evidence.validate import (
    Claim,
    IsRun,
    ReachesDeadlock,
    ReachesGoal,
    ReachesUnsafe,
    ViolatesFormula,
    problem_with,
    validate,
)
from fairlead.lang.load import load_file, load_text
from fairlead.lang.model import LoadedModel
from fairlead.logic.fairness import Fairness, parse_fairness
from fairlead.logic.ltl import Atom, AtomKind, atoms
from fairlead.logic.parse import parse_ltl
from fairlead.model.annotation import Annotated, parse_annotated
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
    Refinement,
    Refines,
    Safe,
    Satisfies,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import FALSE, Binary, Constant, Expression, Operator
from fairlead.model.folding import conjunction
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, System
from fairlead.model.types import Type
from fairlead.reduce.bisimulation import Equivalence
from fairlead.reduce.system import Minimised, minimised_system
from fairlead.reduce.tools import ReducingTools
from fairlead.result import Result, subject_of
from fairlead.simulation.value import Loaded, Shows, Simulation, start
from fairlead.simulation.value import replay as replay_run

Question = str | Assertion


class Model:
    """A model file. Explored graphs are kept, so that asking again about the same process is cheap."""

    def __init__(self, loaded: LoadedModel, name: str, definitions: Mapping[str, str]) -> None:
        self.name = name
        self.definitions = dict(definitions)
        self.warnings: list[Diagnostic] = loaded.warnings
        self._loaded = loaded
        self._targets: dict[tuple[str, Limits], Target] = {}
        self._specifications: dict[tuple[str, str, Limits], Target] = {}
        self._questions: dict[tuple[str, str], LtlQuestion] = {}

    # ------------------------------------------------------------ questions

    def notions_for(self, question: Assertion, asked: Sequence[Fairness] | None) -> Sequence[Fairness]:
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

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        """What the model file asks."""
        return tuple(self._loaded.assertions)

    def asked_of(self, process: str) -> tuple[Assertion, ...]:
        """What the model file asks about one process."""
        return tuple(self._loaded.asked_of(process))

    def process_name(self, process: str | None) -> str:
        """How a process (or the only one asked about, if None) is called in assertions."""
        return self._loaded.process_name(process)

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
        fairness: str | Fairness | None = None,
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Result:
        """Answers one question under one notion of fairness (if none is given, that of the language)."""
        question = self.assertion(assertion) if isinstance(assertion, str) else assertion
        if isinstance(fairness, str):
            fairness = parse_fairness(fairness)[0]
        (notion,) = self.notions_for(question, None if fairness is None else (fairness,))
        if isinstance(question, Satisfies):
            self._question(question)  # a wrong formula is told before any work is done
        clock = Clock(limits or Limits())
        statistics = Statistics(0, 0, 0.0, 0, complete=False)
        try:
            target = self._target(self._asked(question), clock.limits, reporter)
            finding = self._find(question, target, notion)
            statistics = finding.statistics
            evidence = None
            if finding.run is not None:
                claim = self._claim(
                    question, notion, finding.optimum, finding.annotations, clock.check, finding.terminal
                )
                explanation = validate(target.system, finding.run, claim)
                # the loop in a terminal set is one of many: nothing is claimed about its own fairness
                judged = notion if finding.terminal is None else Fairness.NONE
                evidence = Evidence(target.system, finding.run, judged, finding.annotations, explanation)
        except Stopped as stop:  # before there was anything to look at, or while evidence was being judged
            return Result(
                question.text,
                notion,
                Verdict.UNKNOWN,
                None,
                statistics,
                stop.kind.value,
                subject=subject_of(question),
            )
        unfair_end = None
        if finding.shortfall is not None:
            validate(target.system, finding.shortfall.run, IsRun())
            unfair_end = Evidence(target.system, finding.shortfall.run, notion)
        return Result(
            question.text,
            notion,
            finding.verdict,
            evidence,
            finding.statistics,
            finding.reason
            if evidence is None or evidence.explanation is None
            else evidence.explanation.reason,
            finding.method,
            str(question.objective) if isinstance(question, ReachesOptimum) else None,
            finding.optimum,
            finding.annotations,
            finding.shortfall,
            unfair_end,
            subject_of(question),
        )

    def _find(self, question: Assertion, target: Target, fairness: Fairness) -> Finding:
        match question:
            case DeadlockFree():
                return check_deadlock(target)
            case Safe():
                return check_safety(target)
            case Reaches(goal=goal):
                return check_reaches(target, goal)
            case Satisfies():
                return check_ltl(target, self._question(question), fairness)
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

    def _claim(
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
                ltl = self._question(question)
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
                return BreaksRefinement(_as_system(self._specification(question)), name, refinement, tick)
            case Progresses(test=test) if fairness is not Fairness.STRONG_GLOBAL:
                ltl = progress_question(test)
                return ViolatesFormula(ltl.formula, ltl.meanings, fairness, annotations)
            case Progresses() | AllProgress():
                return EndsInTerminalSet(question, terminal, tick)
            case _:
                assert_never(question)

    def check_all(
        self,
        assertions: Sequence[Question] | None = None,
        fairness: str | Sequence[Fairness] | None = None,
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> list[Result]:
        """Answers several questions (by default those of the file) under several notions.

        Fairness concerns formulas only; other assertions are answered once.
        """
        notions = parse_fairness(fairness) if isinstance(fairness, str) else fairness
        questions = [
            self.assertion(assertion) if isinstance(assertion, str) else assertion
            for assertion in (self.assertions if assertions is None else assertions)
        ]
        return [
            self.check(question, notion, limits=limits, reporter=reporter)
            for question in questions
            for notion in self.notions_for(question, notions)
        ]

    def refines(
        self,
        specification: Model | str,
        refinement: str | Refinement = Refinement.TRACES,
        *,
        process: str | None = None,
        of: str | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Result:
        """Whether a process does only what a specification allows: in its traces, failures ("F") or
        failures and divergences ("FD").

        The specification is a process of this model, or (the process `of`) another model.
        """
        kind = refinement if isinstance(refinement, Refinement) else parse_refinement(refinement)
        own = self._loaded.process_name(process)
        if isinstance(specification, str):
            question = Refines(own, f"{own} {kind.word} {specification}", kind, specification)
        else:
            name = specification.name if of is None else f"{of} of {specification.name}"
            system = specification._loaded.system(of)
            question = Refines(own, f"{own} {kind.word} {name}", kind, name, system)
        return self.check(question, limits=limits, reporter=reporter)

    # ------------------------------------------------------------ graphs and stored evidence

    def graph(
        self,
        process: str | None = None,
        *,
        result: Result | Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> ExplicitGraph:
        """The reachable system of a process as an explicit graph, with the model's propositions.

        With a result, fresh or stored as JSON, the system that the result is about.
        """
        target = self._target(self._shown(process, result), limits or Limits(), reporter)
        return explicit_graph(target, self._loaded.propositions)

    def size(
        self,
        process: str | None = None,
        *,
        result: Result | Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> tuple[int, int]:
        """How many states and transitions `graph` would give."""
        return system_size(self._target(self._shown(process, result), limits or Limits(), reporter))

    def run_of(
        self,
        result: Result | Mapping[str, Any],
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Run:
        """The run of a result, fresh or stored as JSON, in the graph of the system it is about."""
        question, run = _stored_run(self, result.to_json() if isinstance(result, Result) else result)
        found = run_in_graph(self._target(self._asked(question), limits or Limits(), reporter), run)
        if found is None:
            raise input_error(Code.EVIDENCE, f"the evidence does not fit the graph of {question.process}")
        return found

    def _shown(
        self, process: str | None, result: Result | Mapping[str, Any] | None
    ) -> Network | ExplicitGraph:
        if result is None:
            return self._loaded.presented(process)
        asked = result.assertion if isinstance(result, Result) else str(result["assertion"])
        return self._asked(self.assertion(asked))

    def minimised(
        self,
        process: str | None = None,
        equivalence: str | Equivalence = Equivalence.WEAK,
        *,
        hide: Sequence[str] = (),
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Minimised:
        """The smallest graph equivalent to a process: by strong or weak bisimulation, or one that sees
        divergence. The events in `hide`, and those with arguments after these names, are internal."""
        target = self._target(self._loaded.presented(process), limits or Limits(), reporter)
        kind = equivalence if isinstance(equivalence, Equivalence) else parse_equivalence(equivalence)
        return minimised_system(target, kind, hide)

    def validate(self, result: Mapping[str, Any]) -> str | None:
        """Judges the evidence of a stored result anew; what is wrong with it, or None."""
        question = self.assertion(str(result["assertion"]))
        system = _as_system(self._asked(question))
        run = find_run(system, dict(result["evidence"]))
        if isinstance(run, str):
            return run
        notion = parse_fairness(str(result["fairness"]))[0]
        annotations = _annotations(result.get("annotations", []))
        claim = self._claim(question, notion, _stored_optimum(result), annotations)
        return problem_with(system, run, claim)

    # ------------------------------------------------------------ inside

    def _system(self, process: str | None) -> System:
        return _as_system(self._loaded.system(process))

    def _asked(self, question: Assertion) -> Network | ExplicitGraph:
        """The system that a question is about."""
        if isinstance(question, Satisfies) and question.system is not None:
            return question.system
        return self._loaded.system(question.process)

    def _target(self, found: Network | ExplicitGraph, limits: Limits, reporter: Reporter | None) -> Target:
        key = (found.name if isinstance(found, Network) else "", limits)
        if key not in self._targets:
            self._targets[key] = target_of(found, limits)
        self._targets[key].reporter = reporter
        return self._targets[key]

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

    def _question(self, question: Satisfies) -> LtlQuestion:
        key = (question.process, question.text)
        if key not in self._questions:
            text = question.formula
            parsed = parse_ltl(text.source, text.start, text.end)
            self.warnings += parsed.warnings
            meanings = {atom: self._meaning(question, atom) for atom in atoms(parsed.formula)}
            self._questions[key] = LtlQuestion(parsed.formula, meanings)
        return self._questions[key]

    def _meaning(self, question: Satisfies, atom: Atom) -> Meaning:
        if question.meanings is not None:
            return question.meanings[atom.text]
        quoted, comparison = atom.kind is AtomKind.QUOTED, atom.kind is AtomKind.COMPARISON
        return self._loaded.meaning(AtomText(atom.text, quoted, comparison, atom.span))


def _annotations(stored: Any) -> tuple[Annotated, ...]:
    """The annotations a stored result names."""
    texts = stored if isinstance(stored, list) else [stored]
    found = [parse_annotated(text) if isinstance(text, str) else None for text in texts]
    if None in found:
        raise input_error(Code.EVIDENCE, "'annotations' must be a list of annotations such as 'wf(a)'")
    return tuple(annotated for annotated in found if annotated is not None)


def _as_system(found: Network | ExplicitGraph) -> System:
    return NetworkSystem(found) if isinstance(found, Network) else found


def _with_value(goal: Proposition, objective: Objective, optimum: int | None) -> Proposition:
    """The goal, and that the quantity has the value found."""
    value = FALSE if optimum is None else _equal(objective.value, optimum)
    return Proposition(f"{goal.text} && {objective.text} == {optimum}", conjunction(goal.meaning, value))


def _equal(quantity: Expression, value: int) -> Expression:
    return Binary(Operator.EQUAL, quantity, Constant(value), Type.BOOL)


def _stored_optimum(result: Mapping[str, Any]) -> int | None:
    stored = result.get("optimum")
    return stored if isinstance(stored, int) and not isinstance(stored, bool) else None


def parse_refinement(text: str) -> Refinement:
    """`T`, `F` or `FD`."""
    try:
        return Refinement(text)
    except ValueError:
        names = ", ".join(kind.value for kind in Refinement)
        raise input_error(Code.USAGE, f"unknown refinement '{text}'; known are {names}") from None


def parse_equivalence(text: str) -> Equivalence:
    """`strong`, `weak` or `divergence`."""
    try:
        return Equivalence(text)
    except ValueError:
        names = ", ".join(kind.value for kind in Equivalence)
        raise input_error(Code.USAGE, f"unknown equivalence '{text}'; known are {names}") from None


def load(
    path: str | Path,
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
) -> Model:
    """Loads a model file: CSP# (.csp), FSP (.lts), or an explicit graph (.aut, .json).

    `definitions` overrides constants of the model, as `-D` does on the command line. `allow_python` names
    Python files with types and functions for the model; they are run.
    """
    texts = {name: str(value) for name, value in (definitions or {}).items()}
    files = [Path(file) for file in allow_python]
    return Model(load_file(Path(path), texts, files, ReducingTools()), str(path), texts)


def loads(
    text: str,
    language: str = "csp",
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
) -> Model:
    """Loads a model given as text; `language` is csp, lts, aut or json."""
    texts = {name: str(value) for name, value in (definitions or {}).items()}
    name = f"<{language}>"
    files = [Path(file) for file in allow_python]
    return Model(load_text(text, name, f".{language}", texts, files, ReducingTools()), name, texts)


def simulate(model: Model, process: str | None = None, *, seed: int = 0) -> Simulation:
    """A simulation of a process, in its first initial state; `fairlead.simulation` has what moves it."""
    return start(model._system(process), seed=seed)


def replay(model: Model, result: Result | Mapping[str, Any], *, seed: int = 0) -> Simulation:
    """A simulation that follows the run of a result, fresh or stored as JSON."""
    stored = result.to_json() if isinstance(result, Result) else result
    question, run = _stored_run(model, stored)
    shows = Shows.WITNESS if stored.get("verdict") == Verdict.HOLDS.value else Shows.COUNTEREXAMPLE
    return replay_run(
        _as_system(model._asked(question)), Loaded(run, str(stored["assertion"]), shows), seed=seed
    )


def _stored_run(model: Model, stored: Mapping[str, Any]) -> tuple[Assertion, Run]:
    """The question a stored result answers, and its run."""
    if not isinstance(stored.get("evidence"), Mapping):
        raise input_error(Code.EVIDENCE, "the result has no evidence to replay")
    assertion = str(stored["assertion"])
    question = model.assertion(assertion)
    run = find_run(_as_system(model._asked(question)), dict(stored["evidence"]))
    if isinstance(run, str):
        raise input_error(Code.EVIDENCE, f"the evidence for '{assertion}' does not fit the model: {run}")
    return question, run
