"""Results that `check --json` wrote: what they are about, found again in the model and judged again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.certify.meanings import as_system
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.checker.questions import Questions, system_of
from fairlead.evidence.stored import find_run
from fairlead.evidence.validate import Claim, problem_with
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import parse_fairness
from fairlead.model.annotation import Annotated, parse_annotated
from fairlead.model.assertion import Assertion
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.outcome.component import Component, component_of
from fairlead.outcome.demonstration import Demonstration
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock, Limits
from fairlead.search.assumptions import FairnessAsked, assumptions_of
from fairlead.search.target import target_of

Stored = Mapping[str, Any]


class StoredResults:
    """Stored results about one model."""

    def __init__(
        self,
        loaded: LoadedModel,
        questions: Questions,
        counted: Callable[[Query[Assertion], bool], Network],
    ) -> None:
        self._loaded = loaded
        self._questions = questions
        self._counted = counted

    def question(self, stored: Stored) -> Assertion:
        """The question that a result answers."""
        formula, process = stored.get("ctl"), stored.get("process")
        if isinstance(formula, str):
            about = process if isinstance(process, str) else None
            return self._loaded.branching(formula, about, stored.get("finite_paths") is True)
        return self._loaded.assertion(str(stored["assertion"]))

    def system(self, stored: Stored) -> Network | ExplicitGraph:
        """The system in which a result was found."""
        return self._system(self._query(stored), stored)

    def run(self, stored: Stored) -> Run:
        """The run of a result."""
        if not isinstance(stored.get("evidence"), Mapping):
            raise input_error(Code.EVIDENCE, "the result has no evidence to replay")
        run = find_run(as_system(self.system(stored)), dict(stored["evidence"]))
        if isinstance(run, str):
            assertion = str(stored["assertion"])
            raise input_error(Code.EVIDENCE, f"the evidence for '{assertion}' does not fit the model: {run}")
        return run

    def problem(self, stored: Stored) -> str | None:
        """Judges all evidence of a result again; what is wrong with it, or None."""
        further = stored.get("further")
        others = further.get("evidence") if isinstance(further, Mapping) else None
        runs = [stored["evidence"], *(others if isinstance(others, list) else ())]
        if not all(isinstance(run, Mapping) for run in runs):
            return "'further' has a list of runs"
        problems = (self._problem({**stored, "evidence": run}) for run in runs)
        return next((problem for problem in problems if problem is not None), None)

    def _problem(self, stored: Stored) -> str | None:
        query = self._query(stored)
        kind = kind_of(query.question)
        found = self._system(query, stored)
        system = as_system(found)
        run = find_run(system, dict(stored["evidence"]))
        if isinstance(run, str):
            return run
        if stored.get("verdict") == Verdict.ERROR.value:
            return problem_with(system, run, _fault_claim(query, stored))
        demonstration: Demonstration | str | None = None
        if kind.formula.demonstration is not None:
            demonstration = kind.formula.demonstration(query, system, stored, run.start)
        if isinstance(demonstration, str):
            return demonstration
        details = EvidenceDetails(
            _optimum(stored),
            _annotations(stored),
            _conjuncts(found, query.asked),
            demonstration=demonstration,
            component=claimed_component(stored),
        )
        claim = kind.claim(query, details, lambda: None)
        if details.component is not None:
            from fairlead.evidence.component import StaysInComponent

            if not isinstance(claim, StaysInComponent):
                return "the question has no component as evidence"
            claim = replace(claim, most=details.component.transitions)
        return problem_with(system, run, claim)

    def _system(self, query: Query[Assertion], stored: Stored) -> Network | ExplicitGraph:
        counters = stored.get("counters")
        if isinstance(counters, Mapping) and counters.get("evidence_is_counted") is True:
            # in an instance processes are counted that become several, even if there is just one of them
            return self._counted(query, bool(instance_of(stored)))
        return system_of(query)

    def _query(self, stored: Stored) -> Query[Assertion]:
        fair = stored.get("fair")
        notion = parse_fairness(str(stored["fairness"]))[0]
        question = self.question(stored)
        return self._questions.query_under(question, notion, None if fair is None else str(fair))


def _fault_claim(query: Query[Assertion], stored: Stored) -> Claim:
    """That the run leads to the run-time error that a result names."""
    from fairlead.checker.faulted import expressions_of
    from fairlead.evidence.faults import ReachesFault

    if not isinstance(stored.get("fault"), Mapping):
        raise input_error(Code.EVIDENCE, "a result that is an error has a 'fault'")
    return ReachesFault(stored["fault"], expressions_of(query))


def _conjuncts(system: Network | ExplicitGraph, asked: FairnessAsked) -> tuple[Conjunct, ...]:
    """What a fairness formula demands; if it speaks of all processes or events, these must be known."""
    if asked.is_closed:
        return asked.conjuncts()
    target = target_of(system, Limits())
    clock = Clock(target.limits)
    target.explore_all(clock)
    return assumptions_of(target, clock).conjuncts(asked)


def _annotations(stored: Stored) -> tuple[Annotated, ...]:
    """The annotations a result names."""
    named = stored.get("annotations", [])
    texts = named if isinstance(named, list) else [named]
    found = [parse_annotated(text) if isinstance(text, str) else None for text in texts]
    if None in found:
        raise input_error(Code.EVIDENCE, "'annotations' must be a list of annotations such as 'wf(a)'")
    return tuple(annotated for annotated in found if annotated is not None)


def claimed_component(stored: Stored) -> Component | None:
    """The component that the evidence of a result claims, if it does."""
    evidence = stored.get("evidence")
    if not isinstance(evidence, Mapping) or "component" not in evidence:
        return None
    found = component_of(evidence["component"])
    if found is None:
        raise input_error(Code.EVIDENCE, "'component' has 'states', 'transitions' and what is 'left_out'")
    return found


def _optimum(stored: Stored) -> int | None:
    value = stored.get("optimum")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def instance_of(stored: Stored) -> dict[str, int]:
    """How many there are in the instance that a result is about, of processes that are unboundedly many."""
    counters = stored.get("counters")
    numbers = counters.get("instance") if isinstance(counters, Mapping) else None
    if not isinstance(numbers, Mapping):
        return {}
    return {str(name): number for name, number in numbers.items() if isinstance(number, int)}
