"""Models and what can be asked of them: what the command line, notebooks and other programs call.

What a plain check does not need is imported where it is used, so that the command starts fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, Severity, input_error
from fairlead.checker.answer import Answering, stopped
from fairlead.checker.questions import Questions, as_system
from fairlead.checker.result import PartialOrderReport, Result, result_as_json
from fairlead.checker.strategies.reduction import Reduction, parse_reduction
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.notions import Fairness, parse_fairness
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    Assertion,
    Refinement,
    Refines,
    Satisfies,
    SatisfiesBranching,
    parse_refinement,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.system import System
from fairlead.outcome.events import Phase, Reporter
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock, Limits, Stopped
from fairlead.outcome.vacuity import VacuityCheck
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.checkpoint import Checkpoints
from fairlead.search.target import Target, target_of

if TYPE_CHECKING:
    from fairlead.advice.advice import Advice
    from fairlead.checker.stored import StoredResults
    from fairlead.checker.strategies.counters import CounterChecks, Counters
    from fairlead.checker.strategies.partial_order import PartialOrderTargets
    from fairlead.checker.strategies.symmetry import SymmetryChecks
    from fairlead.reduce.bisimulation import Equivalence
    from fairlead.reduce.system import Minimised
    from fairlead.search.ctl.branching import StateSet

Question = str | Assertion

#: how answers are found on systems that were made small part by part
COMPOSITIONAL = "compositional minimisation"


class Model:
    """A model file. Explored graphs are kept, so that asking again about the same process is cheap."""

    def __init__(
        self,
        loaded: LoadedModel,
        name: str,
        definitions: Mapping[str, str],
        processes: Mapping[str, str] | None = None,
        reload: Callable[[Mapping[str, str]], Model] | None = None,
        sources: Callable[[], bytes] = bytes,
    ) -> None:
        self.name = name
        self.definitions = dict(definitions)
        self.processes = dict(processes or {})
        self._reload = reload
        self._sources = sources
        self.warnings: list[Diagnostic] = loaded.warnings
        self._loaded = loaded
        self._targets: dict[tuple[str, Limits, Checkpoints | None], Target] = {}
        self._questions = Questions(loaded, self.warnings)
        self._answering = Answering(self._questions)

    @cached_property
    def _counting(self) -> CounterChecks:
        from fairlead.checker.strategies.counters import CounterChecks

        return CounterChecks(self._questions, self._answering, self._instance)

    @cached_property
    def _symmetric(self) -> SymmetryChecks:
        from fairlead.checker.strategies.symmetry import SymmetryChecks

        return SymmetryChecks(self._questions, self._answering)

    @cached_property
    def _partial_order(self) -> PartialOrderTargets:
        from fairlead.checker.strategies.partial_order import PartialOrderTargets

        return PartialOrderTargets(self._questions)

    @cached_property
    def _stored(self) -> StoredResults:
        from fairlead.checker.stored import StoredResults

        return StoredResults(self._loaded, self._questions, self._counting.network)

    # ------------------------------------------------------------ questions

    def notions_for(
        self, question: Assertion, asked: Sequence[Fairness] | None, fair: str | None = None
    ) -> Sequence[Fairness]:
        """The notions of fairness under which a question is answered, if these (or none) are asked for."""
        return self._questions.notions(question, asked, by_formula=fair is not None)

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

    def asked(self, text: str) -> Assertion:
        """A question given as text, or by its number in the model file, from 1."""
        if not text.isdecimal():
            return self.assertion(text)
        own = self.assertions
        if not 1 <= int(text) <= len(own):
            raise input_error(Code.USAGE, f"there is no assertion {text}; the model has {len(own)}")
        return own[int(text) - 1]

    def formula(self, text: str, process: str | None = None) -> Satisfies:
        """The question whether every fair execution of a process satisfies a formula."""
        return self._loaded.formula(text, process)

    def ctl(self, text: str, process: str | None = None, *, finite_paths: bool = False) -> SatisfiesBranching:
        """The question whether a process satisfies a formula of CTL or CTL*.

        With `finite_paths` a state without steps ends a path, which then does not count; otherwise the
        process idles there for ever.
        """
        return self._loaded.branching(text, process, finite_paths)

    # ------------------------------------------------------------ answers

    def check(
        self,
        assertion: Question,
        fairness: str | Fairness | None = None,
        *,
        fair: str | None = None,
        compositional: bool = False,
        counters: bool | Counters = False,
        reduction: str | Reduction = Reduction.NONE,
        limits: Limits | None = None,
        checkpoints: Checkpoints | None = None,
        vacuity: bool | None = None,
        reporter: Reporter | None = None,
    ) -> Result:
        """Answers one question under one notion of fairness (if none is given, that of the language).

        `fair` is a formula that executions must satisfy besides, such as `GF a -> GF b`; without a notion
        beside it, it stands alone.
        If it is to be `compositional`, processes are composed part by part, each part made small at once,
        where that keeps the answer. What is violated is looked for in the whole system all the same.
        With `counters`, processes that are alike are not told apart; only then there may be unboundedly many.
        With `checkpoints`, what is explored is saved now and then, and another run can go on from there.
        A `reduction` looks at fewer states, where that keeps the answer.
        If a formula holds, trivial reasons are looked for: where that is cheap, or with `vacuity` always or
        never.
        """
        question = self.assertion(assertion) if isinstance(assertion, str) else assertion
        asked = self._asked(question, fairness, fair)
        clock = Clock(limits or Limits())
        chosen = parse_reduction(reduction)
        extent = VacuityCheck.of(vacuity)
        if checkpoints is not None and (counters or compositional or chosen is not Reduction.NONE):
            raise input_error(Code.USAGE, "checkpoints are for whole systems, explored as they are")
        if counters:
            from fairlead.checker.strategies.counters import Counters

            how = counters if isinstance(counters, Counters) else Counters()
            return _told(self._counting.check(question, asked, how, clock, reporter), extent)
        if chosen is Reduction.SYMMETRY:
            return _told(self._symmetric.check(question, asked, clock, reporter), extent)
        reduced: PartialOrderReport | None = None
        try:
            system = self._questions.system(question, asked)
            target = self._target(system, clock.limits, reporter, checkpoints)
            if chosen is Reduction.PARTIAL_ORDER:
                target, reduced = self._partial_order.reduced(question, asked, target)
            finding = self._compositionally(question, asked, clock, extent) if compositional else None
            if finding is None:
                finding = self._questions.find(question, target, asked, extent)
        except Stopped as stop:  # before there was anything to look at
            return stopped(question, asked, stop)
        if target.checkpoint_problem is not None:
            problem = f"{target.checkpoint_problem}; the last checkpoint is older"
            self.warnings.append(Diagnostic(Code.FILE, problem, severity=Severity.WARNING))
        if finding.run is not None:
            target.report(Phase.JUDGING, clock, target.known_graph())
        result = self._answering.result(question, asked, finding, target.system, clock)
        return result if reduced is None else replace(result, partial_order=reduced)

    def _asked(self, question: Assertion, fairness: str | Fairness | None, fair: str | None) -> FairnessAsked:
        """Which executions count; a wrong formula is told here, before any work is done."""
        notion = parse_fairness(fairness)[0] if isinstance(fairness, str) else fairness
        return self._questions.asked(question, notion, fair)

    def states(
        self,
        question: SatisfiesBranching,
        fairness: str | Fairness | None = None,
        *,
        fair: str | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> StateSet:
        """The states where a formula of CTL or CTL* holds, by their numbers in the graph of the question."""
        from fairlead.search.ctl.branching import states_where

        asked = self._asked(question, fairness, fair)
        try:
            target = self._target(self._questions.system(question, asked), limits or Limits(), reporter)
            return states_where(target, self._questions.branching(question), asked)
        except Stopped as stop:
            problem = f"where the formula holds could not be found ({stop.kind.value} reached)"
            raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None

    def _compositionally(
        self, question: Assertion, asked: FairnessAsked, clock: Clock, vacuity: VacuityCheck
    ) -> Finding | None:
        """The answer, if a smaller system shows that the assertion holds."""
        small = self._questions.reduced_system(question, asked, clock.check)
        if small is None:
            return None
        finding = self._questions.find(question, target_of(small, clock.limits), asked, vacuity)
        if finding.verdict is not Verdict.HOLDS:
            return None
        statistics = replace(finding.statistics, seconds=clock.seconds)
        return replace(finding, method=COMPOSITIONAL, statistics=statistics)

    def check_all(
        self,
        assertions: Sequence[Question] | None = None,
        fairness: str | Sequence[Fairness] | None = None,
        *,
        fair: str | None = None,
        vacuity: bool | None = None,
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
            self.check(question, notion, fair=fair, vacuity=vacuity, limits=limits, reporter=reporter)
            for question in questions
            for notion in self._questions.notions(question, notions, by_formula=fair is not None)
        ]

    def advise(
        self,
        assertion: Question,
        *,
        fair: str | None = None,
        alternatives: int | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Advice:
        """Which fairness a formula needs: under every notion, and as least sets of single assumptions.

        What `fair` says is assumed anyway. At most so many `alternatives` are looked for.
        """
        from fairlead.advice.advising import ALTERNATIVES, Advising

        question = self.assertion(assertion) if isinstance(assertion, str) else assertion
        advising = Advising(self._questions, self._answering, question, fair)
        target = self._target(advising.system, limits or Limits(), reporter)
        return advising.advice(target, ALTERNATIVES if alternatives is None else alternatives)

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """The text of this model with annotations such as `wf(a)` written into it, where its language has
        them.

        In CSP# an event is written once for all its arguments, so all that the text stands for is annotated.
        """
        return self._loaded.annotated(annotations)

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
        question: Assertion | None = None,
        fair: str | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> ExplicitGraph:
        """The reachable system of a process as an explicit graph, with the model's propositions.

        With a result, fresh or stored as JSON, the system that the result is about; with a question (and a
        fairness formula), the system in which it is answered. With both, these have to be the same.
        """
        from fairlead.search.space import explicit_graph

        shown = self._shown(process, result, question, fair)
        target = self._target(shown, limits or Limits(), reporter)
        return explicit_graph(target, self._loaded.propositions)

    def size(
        self,
        process: str | None = None,
        *,
        result: Result | Mapping[str, Any] | None = None,
        question: Assertion | None = None,
        fair: str | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> tuple[int, int]:
        """How many states and transitions `graph` would give."""
        from fairlead.search.space import system_size

        shown = self._shown(process, result, question, fair)
        return system_size(self._target(shown, limits or Limits(), reporter))

    def question_of(self, result: Result | Mapping[str, Any]) -> Assertion:
        """The question that a result, fresh or stored as JSON, answers."""
        return self._stored.question(result_as_json(result))

    def run_of(
        self,
        result: Result | Mapping[str, Any],
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Run:
        """The run of a result, fresh or stored as JSON, in the graph of the system it is about."""
        from fairlead.search.space import run_in_graph

        stored = result_as_json(result)
        about = self._about(stored)._stored
        system, run = about.system(stored), about.run(stored)
        found = run_in_graph(self._target(system, limits or Limits(), reporter), run)
        if found is None:
            process = self._stored.question(stored).process
            raise input_error(Code.EVIDENCE, f"the evidence does not fit the graph of {process}")
        return found

    def _shown(
        self,
        process: str | None,
        result: Result | Mapping[str, Any] | None,
        question: Assertion | None,
        fair: str | None,
    ) -> Network | ExplicitGraph:
        systems: list[Network | ExplicitGraph] = []
        if result is not None:
            stored = result_as_json(result)
            systems.append(self._about(stored)._stored.system(stored))
        if question is not None:
            systems.append(self._questions.system(question, self._questions.asked(question, None, fair)))
        if len({_key(system) for system in systems}) > 1:
            raise input_error(
                Code.EVIDENCE,
                "the result is about another system than the formula",
                hint="a system has the fluents that its formula names; take a result of the same formula",
            )
        return systems[0] if systems else self._loaded.presented(process)

    def minimised(
        self,
        process: str | None = None,
        equivalence: str | Equivalence = "weak",
        *,
        hide: Sequence[str] = (),
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Minimised:
        """The smallest graph equivalent to a process: by strong or weak bisimulation, or one that sees
        divergence. The events in `hide`, and those with arguments after these names, are internal."""
        from fairlead.reduce.bisimulation import Equivalence, parse_equivalence
        from fairlead.reduce.system import minimised_system

        target = self._target(self._loaded.presented(process), limits or Limits(), reporter)
        kind = equivalence if isinstance(equivalence, Equivalence) else parse_equivalence(equivalence)
        return minimised_system(target, kind, hide)

    def validate(self, result: Mapping[str, Any]) -> str | None:
        """Judges the evidence of a stored result anew; what is wrong with it, or None."""
        return self._about(result)._stored.problem(result)

    # ------------------------------------------------------------ inside

    def _instance(self, processes: Mapping[str, int]) -> Model:
        """The same model with these numbers of processes."""
        assert self._reload is not None, "only models that were loaded have unboundedly many processes"
        numbers = {name: str(number) for name, number in processes.items()}
        return self._reload({**self.processes, **numbers})

    def _about(self, stored: Mapping[str, Any]) -> Model:
        """The model that a stored result is about: this one, or one of its instances."""
        from fairlead.checker.stored import instance_of

        numbers = instance_of(stored)
        return self._instance(numbers) if numbers else self

    def _system(self, process: str | None) -> System:
        return as_system(self._loaded.system(process))

    def _target(
        self,
        found: Network | ExplicitGraph,
        limits: Limits,
        reporter: Reporter | None,
        checkpoints: Checkpoints | None = None,
    ) -> Target:
        key = (_key(found), limits, checkpoints)
        if key not in self._targets:
            if checkpoints is not None:
                checkpoints = replace(checkpoints, identity=self._identity())
            self._targets[key] = target_of(found, limits, checkpoints=checkpoints)
        self._targets[key].reporter = reporter
        return self._targets[key]

    def _identity(self) -> str:
        """Tells the model from others, for checkpoints."""
        import hashlib

        given = (sorted(self.definitions.items()), sorted(self.processes.items()))
        return hashlib.blake2b(repr(given).encode() + self._sources(), digest_size=16).hexdigest()


def _told(result: Result, vacuity: VacuityCheck) -> Result:
    """A result of a check that always looks for trivial reasons, since there it is cheap."""
    if vacuity is VacuityCheck.NEVER and result.vacuity is not None and not result.nothing_is_fair:
        return replace(result, vacuity=None)
    return result


def _key(system: Network | ExplicitGraph) -> str:
    """What tells the systems of a model apart."""
    return system.name if isinstance(system, Network) else ""
