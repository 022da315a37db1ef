"""Everything that violates a formula at once: in which ways its fair violations are unfair all the same."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.logic.fairness.formula import Conjunct
from fairlead.model.run import Run
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import FairnessAsked, assumptions_of
from fairlead.search.fair_search import FairSearch
from fairlead.search.ltl import LtlQuestion, product_of
from fairlead.search.target import Target


@dataclass(frozen=True)
class Unfairness:
    """To whom an execution that violates the formula is unfair, weakly and strongly, by name.

    A subject that starves in the weak sense starves in the strong one as well.
    """

    weak_events: frozenset[str]
    strong_events: frozenset[str]
    weak_processes: frozenset[str]
    strong_processes: frozenset[str]


class ViolationSurvey:
    """The violations of one formula in a system, which is explored completely."""

    def __init__(self, target: Target, question: LtlQuestion, asked: FairnessAsked, clock: Clock) -> None:
        self._target = target
        self._question = question
        self._asked = asked
        self._clock = clock
        self.graph = target.explore_all(clock)
        self._assumptions = assumptions_of(target, clock)
        self._product = product_of(target, self.graph, question)
        #: how many searches were made
        self.searches = 0

    @property
    def events(self) -> Sequence[str]:
        """All events of the system."""
        return self._assumptions.events

    @property
    def processes(self) -> Sequence[str]:
        """All processes that take steps."""
        return self._assumptions.processes

    @property
    def conjuncts(self) -> tuple[Conjunct, ...]:
        """What the fairness formula demands that is asked for anyway."""
        return self._assumptions.conjuncts(self._asked)

    def ways(self, demanded: Sequence[Conjunct], most: int) -> tuple[list[Unfairness], bool]:
        """How executions that violate the formula, and are fair as demanded, are unfair to others.

        At most so many different ways; whether these are all. Each is that of an execution which goes through
        all of a part of the system forever: no execution of that part is unfair to fewer in the weak sense.
        """
        graph = self.graph
        self.searches += 1
        with self._target.working(Phase.SURVEYING, self._clock, graph):
            fairness = self._assumptions.fairness(self._asked, demanded)
            survey = _native.Survey(_native.ComponentSearch(self._product, fairness, False, True))
            is_all = survey.run(most)
            found = [
                Unfairness(
                    frozenset(map(graph.label_text, way.weak_events)),
                    frozenset(map(graph.label_text, way.strong_events)),
                    frozenset(map(graph.process_name, way.weak_processes)),
                    frozenset(map(graph.process_name, way.strong_processes)),
                )
                for way in survey.found
            ]
        return found, is_all

    def violation(self, demanded: Sequence[Conjunct]) -> Run | None:
        """An execution that violates the formula and is fair as demanded, if there is one."""
        self.searches += 1
        fairness = self._assumptions.fairness(self._asked, demanded)
        search = FairSearch(self._target, self.graph, self._product, self._question, fairness, self._clock)
        search.shows_components = False
        found = search.in_complete()
        return None if found is None else self._target.run(self.graph, *found.lasso)
