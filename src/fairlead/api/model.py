"""Models and what can be asked of them: what the command line, notebooks and other programs call.

What a plain check does not need is imported where it is used, so that the command starts fast.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from fairlead.api.answering import Answering
from fairlead.api.arguments import EXPECTED, SEVERAL
from fairlead.api.certifying import Certifying
from fairlead.api.identity import identity_of, with_numbers
from fairlead.api.limited import limited
from fairlead.api.questions import (
    ALL_NAMES,
    CHECK_NAMES,
    CheckArguments,
    Question,
    asked_for,
    notion_of,
    notions_of,
    refinement_question,
)
from fairlead.base.arguments import Expected, checked
from fairlead.base.diagnostics import Code, Diagnostic, counted, input_error, nearest
from fairlead.base.display import in_one_line
from fairlead.certify.meanings import as_system
from fairlead.checker.checker import Checker
from fairlead.checker.keywords import OptionArguments, options_of
from fairlead.checker.kinds import kind_of
from fairlead.checker.options import CheckOptions
from fairlead.checker.questions import system_of
from fairlead.checker.result import Result, Results, result_as_json
from fairlead.checker.targets import system_key
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Assertion, Refinement, Satisfies, SatisfiesBranching
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.system import System
from fairlead.outcome.events import Phase, Reporter
from fairlead.outcome.limits import Limits

if TYPE_CHECKING:
    from fairlead.advice.advice import Advice
    from fairlead.checker.offers import StrategyOffer
    from fairlead.checker.stored import StoredResults
    from fairlead.outcome.coverage import Coverage
    from fairlead.reduce.bisimulation import Equivalence
    from fairlead.reduce.system import Minimised
    from fairlead.search.ctl.branching import StateSet


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
        digest: Callable[[], str] = str,
    ) -> None:
        self.name = name
        self.definitions = dict(definitions)
        self.processes = dict(processes or {})
        self.warnings: list[Diagnostic] = loaded.warnings
        self._loaded, self._reload = loaded, reload
        # neither refers to this model, which would then outlive its last user, and its graphs with it
        identity = partial(identity_of, self.definitions, self.processes, sources)
        self._certifying = Certifying(digest, self.definitions, self.processes)
        self._instance = instance = partial(with_numbers, reload, self.processes)
        self._checker = Checker(loaded, self.warnings, identity, lambda numbers: instance(numbers)._checker)

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value}" for name, value in (self.definitions | self.processes).items())
        given = f" ({chosen})" if chosen else ""
        return in_one_line(f"<Model {self.name}{given}: {counted(len(self.assertions), 'assertion')}>")

    if not TYPE_CHECKING:  # a type checker is to complain about what there is not

        def __getattr__(self, name: str) -> Any:
            if name == "minimised":
                warnings.warn("Model.minimised is Model.minimise now", DeprecationWarning, stacklevel=2)
                return self.minimise
            hint = None if name.startswith("_") else nearest(name, dir(Model))
            raise AttributeError(f"a Model has no '{name}'" + (f"; {hint}" if hint else ""))

    @cached_property
    def _stored(self) -> StoredResults:
        from fairlead.checker.stored import StoredResults
        from fairlead.checker.strategies.counters import ProcessCounters

        counters = self._checker.strategy("counters")
        assert isinstance(counters, ProcessCounters)
        return StoredResults(self._loaded, self._checker.questions, counters.network)

    # ------------------------------------------------------------ questions

    def notions_for(
        self, question: Assertion, asked: Sequence[Fairness] | None, fair: str | None = None
    ) -> Sequence[Fairness]:
        """The notions of fairness under which a question is answered, if these (or none) are asked for."""
        return self._checker.questions.notions(question, asked, by_formula=fair is not None)

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        """What the model file asks."""
        return tuple(self._loaded.assertions)

    @checked(EXPECTED)
    def asked_of(self, process: str) -> tuple[Assertion, ...]:
        """What the model file asks about one process."""
        return tuple(self._loaded.asked_of(process))

    @checked(EXPECTED)
    def process_name(self, process: str | None) -> str:
        """How a process (or the only one asked about, if None) is called in assertions."""
        return self._loaded.process_name(process)

    @checked(EXPECTED)
    def assertion(self, text: str) -> Assertion:
        """A question given as text, such as `System() |= []<> a`."""
        return self._loaded.assertion(text)

    @checked(EXPECTED)
    def asked(self, text: str) -> Assertion:
        """A question given as text, or by its number in the model file, from 1."""
        if not text.isdecimal():
            return self.assertion(text)
        own = self.assertions
        if len(text) > len(str(len(own))) or not 1 <= int(text) <= len(own):
            raise input_error(Code.USAGE, f"there is no assertion {text[:40]}; the model has {len(own)}")
        return own[int(text) - 1]

    @checked(EXPECTED)
    def formula(self, text: str, process: str | None = None) -> Satisfies:
        """The question whether every fair execution of a process satisfies a formula."""
        return self._loaded.formula(text, process)

    @checked(EXPECTED)
    def ctl(self, text: str, process: str | None = None, *, finite_paths: bool = False) -> SatisfiesBranching:
        """The question whether a process satisfies a formula of CTL or CTL*.

        With `finite_paths` a state without steps ends a path, which then does not count; otherwise the
        process idles there forever.
        """
        return self._loaded.branching(text, process, finite_paths)

    # ------------------------------------------------------------ answers

    @overload
    def check(
        self,
        assertion: Question | None = None,
        fairness: Fairness | str | None = None,
        *,
        reporter: Reporter | None = None,
        options: CheckOptions | None = None,
        **given: Unpack[CheckArguments],
    ) -> Result: ...

    @overload
    def check(
        self,
        assertion: Question | None = None,
        fairness: Literal["all"] | Sequence[Fairness | str] = "all",
        *,
        reporter: Reporter | None = None,
        options: CheckOptions | None = None,
        **given: Unpack[CheckArguments],
    ) -> Results: ...

    @checked(EXPECTED)
    def check(
        self,
        assertion: Question | None = None,
        fairness: str | Fairness | Sequence[Fairness | str] | None = None,
        *,
        reporter: Reporter | None = None,
        options: CheckOptions | None = None,
        **given: Unpack[CheckArguments],
    ) -> Result | Results:
        """Answers one question: a `Result` under one notion of fairness, `Results` under a list or "all".

        The question is an assertion, as text or from `assertions`, or a formula: `ltl` or `ctl` (with
        `process`, and for `ctl` with `finite_paths`). Without a notion, that of the language is meant.
        `options` say how it is answered, or keyword arguments: the fields of `CheckOptions`, and every option
        of the command line by its name (`max_states`, `timeout`, `cutoff`, …). The reporter hears how far the
        check is.

        Where finite runs decide a question, notions under which each of them can be continued fairly do not
        matter: one result stands for all of these (`Result.notions`).
        """
        question, rest = asked_for(self, assertion, given)
        chosen = options_of(rest, options, others=CHECK_NAMES)
        several = notions_of(fairness)
        with self._certifying.to(chosen.certificate):
            if several is not None:
                return Results(self.answering.check_under(question, several, chosen, reporter))
            return self.answering.check(question, notion_of(fairness), chosen, reporter)

    @property
    def answering(self) -> Answering:
        """Answers to questions, one by one, for front ends that show them as they come."""
        return Answering(self._renewed, self._certifying)

    def _renewed(self) -> tuple[LoadedModel, Checker]:
        self._renew()
        self._checker.certificate = self._certifying.current
        return self._loaded, self._checker

    @checked(EXPECTED)
    @limited(Phase.LABELLING)
    def states(
        self,
        question: Question,
        fairness: str | Fairness | None = None,
        *,
        fair: str | None = None,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> StateSet:
        """The states where a formula of CTL or CTL* holds, by their numbers in the graph of the question.

        The question is a formula as text, or what `ctl` gives.
        """
        question = self.ctl(question) if isinstance(question, str) else question
        query = self._checker.questions.query(question, notion_of(fairness), fair)
        states_where = kind_of(question).formula.states
        if states_where is None:
            raise input_error(Code.USAGE, f"this question is not about single states: {question.text}")
        return states_where(query, self._checker.targets.of(system_of(query), limits or Limits(), reporter))

    @checked(EXPECTED)
    def check_all(
        self,
        assertions: Sequence[Question] | None = None,
        fairness: str | Fairness | Sequence[Fairness | str] | None = None,
        *,
        reporter: Reporter | None = None,
        options: CheckOptions | None = None,
        **given: Unpack[OptionArguments],
    ) -> Results:
        """Answers several questions (by default those of the file) under several notions.

        Fairness concerns formulas only; other assertions are answered once. The options are those of `check`.
        """
        several = notions_of(fairness, in_a_text=True)
        chosen = options_of(given, options, "check_all", ALL_NAMES)
        asked = self.assertions if assertions is None else assertions
        questions = [asked_for(self, assertion, {})[0] for assertion in asked]
        under = self.answering.check_under
        with self._certifying.to(chosen.certificate):
            return Results(
                result for question in questions for result in under(question, several, chosen, reporter)
            )

    @checked(EXPECTED)
    def strategies(
        self,
        assertion: Question,
        fairness: str | Fairness | None = None,
        *,
        fair: str | None = None,
        limits: Limits | None = None,
    ) -> list[StrategyOffer]:
        """Which strategies can answer a question, with the options that ask for them, or why they cannot.

        Nothing is explored.
        """
        from fairlead.checker.offers import offers

        question, base = asked_for(self, assertion, {})[0], options_of({"fair": fair, "limits": limits})
        return offers(self._checker, question, notion_of(fairness), base)

    @checked(EXPECTED)
    @limited(Phase.PREPARING)
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

        What `fair` says is assumed anyway. At most so many `alternatives` are searched for.
        """
        from fairlead.advice.advising import ALTERNATIVES, Advising

        question = asked_for(self, assertion, {})[0]
        advising = Advising(self._checker.questions, question, fair)
        target = self._checker.targets.of(advising.system, limits or Limits(), reporter)
        return advising.advice(target, ALTERNATIVES if alternatives is None else alternatives)

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """The text of this model with annotations such as `wf(a)` written into it, where its language has
        them.

        In CSP# an event is written once for all its arguments, so all that the text stands for is annotated.
        """
        return self._loaded.annotated(annotations)

    @checked(EXPECTED)
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
        Expected("a Model, or the name of a process", (Model, str)).check(
            "refines", "specification", specification
        )
        own = self._loaded.process_name(process)
        if isinstance(specification, str):
            question = refinement_question(own, refinement, specification)
        else:
            name = specification.name if of is None else f"{of} of {specification.name}"
            question = refinement_question(own, refinement, name, specification._loaded.system(of))
        return self.check(question, limits=limits, reporter=reporter)

    # ------------------------------------------------------------ graphs and stored evidence

    @checked(EXPECTED)
    @limited(Phase.LISTING)
    def graph(
        self,
        process: str | None = None,
        *,
        result: Result | Mapping[str, Any] | None = None,
        question: Assertion | None = None,
        fair: str | None = None,
        values: bool = False,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> ExplicitGraph:
        """The reachable system of a process as an explicit graph, with propositions and, if asked, `values`.

        With a result, fresh or stored as JSON, the system that the result is about; with a question (and a
        fairness formula), the system in which it is answered. With both, these have to be the same.
        """
        from fairlead.search.space import explicit_graph

        shown = self._shown(process, result, question, fair)
        target = self._checker.targets.of(shown, limits or Limits(), reporter)
        return explicit_graph(target, self._loaded.propositions, with_values=values)

    @checked(EXPECTED)
    @limited(Phase.EXPLORING)
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
        return system_size(self._checker.targets.of(shown, limits or Limits(), reporter))

    @checked(EXPECTED)
    def question_of(self, result: Result | Mapping[str, Any]) -> Assertion:
        """The question that a result, fresh or stored as JSON, answers."""
        return self._stored.question(result_as_json(result))

    @checked(EXPECTED)
    @limited(Phase.LISTING)
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
        found = run_in_graph(self._checker.targets.of(system, limits or Limits(), reporter), run)
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
            systems.append(system_of(self._checker.questions.query(question, None, fair)))
        if len(set(map(system_key, systems))) > 1:
            raise input_error(
                Code.EVIDENCE,
                "the result belongs to another system than the formula",
                hint="a system contains the fluents of its formula; use a result for the same formula",
            )
        return systems[0] if systems else self._loaded.presented(process)

    @checked(SEVERAL)
    @limited(Phase.COVERAGE)
    def coverage(
        self,
        process: str | Sequence[str] | None = None,
        *,
        limits: Limits | None = None,
        reporter: Reporter | None = None,
    ) -> Coverage:
        """How often each event, branch and statement of the text is executed by the transitions of a process.

        Several processes are counted together; without any, they are those that the model asks about. All
        their reachable states are explored, up to `limits.max_states` each (20,000, if that is not given).
        """
        from fairlead.api.covering import coverage_of

        return coverage_of(self._loaded, process, limits or Limits(), reporter)

    @checked(EXPECTED)
    @limited(Phase.MINIMISING)
    def minimise(
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

        target = self._checker.targets.of(self._loaded.presented(process), limits or Limits(), reporter)
        kind = equivalence if isinstance(equivalence, Equivalence) else parse_equivalence(equivalence)
        return minimised_system(target, kind, hide)

    @checked(EXPECTED)
    @limited(Phase.JUDGING)
    def validate(self, result: Mapping[str, Any], *, limits: Limits | None = None) -> str | None:
        """Judges the evidence of a stored result again; what is wrong with it, or None."""
        return self._about(result)._stored.problem(result)

    # ------------------------------------------------------------ inside

    def _renew(self) -> None:
        """Reads the model again if work on it was stopped at an arbitrary moment: none of it is relied on."""
        if self._checker.is_spoilt and self._reload is not None:
            fresh = self._reload(self.processes)
            self._loaded, self._checker = fresh._loaded, fresh._checker
            self.__dict__.pop("_stored", None)

    def _note_abrupt_stop(self) -> None:
        self._checker.is_spoilt = True

    def _about(self, stored: Mapping[str, Any]) -> Model:
        """The model that a stored result is about: this one, or one of its instances."""
        from fairlead.checker.stored import instance_of

        numbers = instance_of(stored)
        return self._instance(numbers) if numbers else self

    def _system(self, process: str | None) -> System:
        return as_system(self._loaded.system(process))
