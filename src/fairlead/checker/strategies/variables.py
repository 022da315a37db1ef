"""Variables that do not distinguish states: costs, what nothing reads, and what is written before it is read.

docs/explanation/reduction.md has the proofs. Which questions may be answered so, their kinds know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from fairlead.base.diagnostics import Code, InputError, unreached
from fairlead.base.records import dataclass
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import conditions_of, find, is_decided_by_finite_runs, system_of
from fairlead.checker.result import Refused, Result, VariablesReport
from fairlead.checker.strategies.strategy import (
    MakeSearcher,
    Offer,
    Refusal,
    Resources,
    Searched,
    Searcher,
    Work,
    answer_by,
)
from fairlead.model.evaluation import Fault
from fairlead.model.expression import Shared, slots_in
from fairlead.model.network import Network, Variable
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import TOO_LONG, Clock
from fairlead.reduce.variables.network import Needed, Unneeded, WithoutUnneeded, unneeded_in, without
from fairlead.reduce.variables.replay import NotPeriodic, Replay
from fairlead.reduce.variables.signs import Sign
from fairlead.search.costs import BothSigns, CostQuestion, check_cost
from fairlead.search.target import NetworkTarget


@dataclass(frozen=True)
class _Seen:
    """What a question looks at: conditions and quantities, and the variable that may be its cost."""

    conditions: frozenset[int]
    quantities: frozenset[int]
    cost: Variable | None
    no_cost: str | None

    @property
    def slots(self) -> frozenset[int]:
        """The slots whose values must be right."""
        return self.conditions if self.cost is not None else self.conditions | self.quantities

    def without_cost(self, reason: str) -> _Seen:
        """The same, with the reason why the quantity is not a cost."""
        return replace(self, cost=None, no_cost=reason)


@dataclass(frozen=True)
class _Plan:
    """The variables that are left out for a question."""

    network: Network
    seen: _Seen
    unneeded: Unneeded

    def needing(self, problem: Needed | BothSigns) -> _Plan | Refusal:
        """The plan without a variable that turned out to be needed."""
        if isinstance(problem, BothSigns) or problem.variable == self.unneeded.cost:
            return _planned(self.network, self.seen.without_cost(str(problem)))
        return _offered(replace(self, unneeded=without(self.unneeded, problem.variable)))

    @property
    def report(self) -> VariablesReport:
        """For the result."""
        cost = self.unneeded.cost
        return VariablesReport(
            None if cost is None else cost.name,
            tuple(variable.name for variable in self.unneeded.unread),
            tuple(variable.name for variable in WithoutUnneeded(self.network, self.unneeded).dead),
            self.seen.no_cost,
        )


class Variables:
    """Answers on graphs in which values that do not matter are fixed."""

    title: ClassVar = "variables"
    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._plans: dict[tuple[str, _Seen], _Plan | Refusal] = {}
        self._targets: dict[object, NetworkTarget] = {}
        self._inner: dict[object, Searcher] = {}

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """How many states become one is seen when the system is explored."""
        plan = self._plan(query)
        return plan if isinstance(plan, Refusal) else Offer()

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """What the search finds is made a run of the system itself."""
        return answer_by(self, query, work)

    def search(self, query: Query[Any], work: Work, inner: MakeSearcher | None = None) -> Searched | Refusal:
        """Searches without the values, as the strategy `inner` does if there is one.

        Where a position is found that needs a variable after all, the search begins again with it.
        """
        plan = self._plan(query)
        while isinstance(plan, _Plan):
            try:
                return self._search(query, work, plan, inner)
            except (Needed, BothSigns) as problem:
                key = (plan.network.name, _seen_by(query, plan.network))
                plan = self._plans[key] = plan.needing(problem)
        return plan

    def has_cost(self, query: Query[Any]) -> bool:
        """Whether the best value that is asked for is that of a cost."""
        plan = self._plan(query)
        return isinstance(plan, _Plan) and plan.unneeded.cost is not None

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """Says why all variables were examined."""
        return replace(result, refused=Refused(self.title, refusal.reason))

    def _plan(self, query: Query[Any]) -> _Plan | Refusal:
        network = system_of(query)
        problem = _problem(query, network)
        if problem is not None:
            return Refusal(problem)
        assert isinstance(network, Network)
        key = (network.name, _seen_by(query, network))
        if key not in self._plans:
            self._plans[key] = _planned(network, key[1])
        return self._plans[key]

    def _search(
        self, query: Query[Any], work: Work, plan: _Plan, inner: MakeSearcher | None
    ) -> Searched | Refusal:
        reduction = WithoutUnneeded(plan.network, plan.unneeded)
        system = NetworkSystem(plan.network)
        replay = Replay(reduction, system)
        try:
            if inner is None or plan.unneeded.cost is not None:
                found: Searched | Refusal = self._search_alone(query, work, plan, reduction)
            else:
                found = self._inner_of(plan, inner).search(replace(query, instead=reduction.network), work)
        except Fault as fault:
            fault.run = None if fault.run is None else replay.run(fault.run)
            raise
        if isinstance(found, Refusal):
            return found
        report = replace(plan.report, cycle=found.finding.cycle)
        replayed = _replayed(found.finding, replay)
        return Searched(replayed, system, {**found.told, "variables": report})

    def inner(self, query: Query[Any], make: MakeSearcher) -> Searcher | None:
        """The strategy that searches without the values for a question, if some can be left out."""
        plan = self._plan(query)
        return self._inner_of(plan, make) if isinstance(plan, _Plan) else None

    def _inner_of(self, plan: _Plan, make: MakeSearcher) -> Searcher:
        key = (make, plan.network.name, plan.unneeded.unread, plan.seen.slots)
        if key not in self._inner:
            self._inner[key] = make(self._resources)
        return self._inner[key]

    def _search_alone(
        self, query: Query[Any], work: Work, plan: _Plan, reduction: WithoutUnneeded
    ) -> Searched:
        limits = work.options.limits
        key = (plan.network.name, plan.unneeded.cost, plan.unneeded.unread, plan.seen.slots, limits)
        if key not in self._targets:
            self._targets[key] = NetworkTarget(reduction.network, limits)
        target = self._targets[key]
        work.prepare(target)
        if plan.unneeded.cost is None:
            finding = find(query, target, work.options.vacuity)
        else:
            finding = _best(query, target, plan.unneeded.sign, work.clock)
            target.note_tables()
        if finding.run is not None:
            target.report(Phase.JUDGING, work.clock, target.known_graph())
        return Searched(finding, target.system)


class VariablesThen:
    """Another strategy, in networks in which values that do not matter are fixed."""

    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, variables: Variables, make: MakeSearcher, resources: Resources) -> None:
        self._variables = variables
        self._make = make
        self._alone = make(resources)
        self.title = f"{variables.title} and {self._alone.title}"

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """What the other strategy can do for the system with fewer values."""
        return self._alone.consider(query, work)

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """What the search finds is made a run of the system itself."""
        return answer_by(self, query, work)

    def search(self, query: Query[Any], work: Work) -> Searched | Refusal:
        """Searches as the other strategy does."""
        return self._variables.search(query, work, self._make)

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """Says why the whole system was explored."""
        return self._alone.refused(result, refusal)


_GLOBAL = "strong global fairness depends on the states, and merging states changes which runs are fair"


def _problem(query: Query[Any], network: object) -> str | None:
    """Why leaving out values might change the answer to a question, if it might."""
    if not isinstance(network, Network) or not network.variables:
        return "there are no variables"
    if network.counting is not None or network.interchange is not None:
        return "the processes are counted or exchanged already"
    problem = kind_of(query.question).reductions.variables(query)
    if problem is None and query.asked.notion.is_global and not is_decided_by_finite_runs(query, network):
        return _GLOBAL
    return problem


def _seen_by(query: Query[Any], network: Network) -> _Seen:
    reductions = kind_of(query.question).reductions
    conditions = slots_in(*conditions_of(query))
    seen = _Seen(conditions, slots_in(*reductions.quantities(query.question)), None, None)
    wanted = reductions.best_at(query.question)
    if wanted is None:
        return seen
    quantity = wanted[1].value
    if not isinstance(quantity, Shared):
        return seen.without_cost("the quantity is not one variable")
    if quantity.slot in conditions:
        return seen.without_cost(f"the goal reads '{quantity.name}'")
    variable = next(one for one in network.variables if one.slot == quantity.slot)
    return replace(seen, cost=variable)


def _planned(network: Network, seen: _Seen) -> _Plan | Refusal:
    try:
        found = unneeded_in(network, seen.slots, seen.cost)
    except Needed as problem:
        return _planned(network, seen.without_cost(str(problem)))
    except InputError as error:
        return Refusal(unreached(error))
    return _offered(_Plan(network, seen, found))


def _offered(plan: _Plan) -> _Plan | Refusal:
    if not plan.unneeded.is_empty:
        return plan
    reasons = [plan.seen.no_cost, "everything that is written is read", plan.unneeded.not_analysed]
    return Refusal("; ".join(reason for reason in reasons if reason is not None))


def _best(query: Query[Any], target: NetworkTarget, sign: Sign, clock: Clock) -> Finding:
    """The best value of the cost; where it is not known what steps add, both signs are tried."""
    wanted = kind_of(query.question).reductions.best_at(query.question)
    assert wanted is not None
    question = CostQuestion(*wanted, negated=sign is Sign.NEGATIVE, known=sign is not Sign.UNKNOWN)
    try:
        return check_cost(target, question, clock)
    except BothSigns:
        return check_cost(target, replace(question, negated=True), clock)


def _replayed(finding: Finding, replay: Replay) -> Finding:
    """The finding with runs of the system itself."""
    shortfall = finding.shortfall
    try:
        if shortfall is not None:
            finding = replace(finding, shortfall=replace(shortfall, run=replay.run(shortfall.run)))
        if finding.run is not None:
            finding = replace(finding, run=replay.run(finding.run))
    except NotPeriodic:
        return replace(finding, verdict=Verdict.UNKNOWN, run=None, reason=TOO_LONG)
    return finding


STRATEGY = Variables
