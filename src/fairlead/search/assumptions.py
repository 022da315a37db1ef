"""What is assumed of executions: a notion of fairness, a formula, and the annotations of the system.

Under `f`, `wl`, `sl`, impartiality and formulas a finite run need not be the beginning of a fair execution.
So it is asked from which states some execution is fair: if from no initial state, everything holds
vacuously.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.engine.atoms import EngineAtoms
from fairlead.engine.fairness import engine_fairness
from fairlead.logic.fairness.demand import annotation_conjunct, conservation
from fairlead.logic.fairness.formula import Conjunct, FairnessFormula
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Atom
from fairlead.model.assertion import Meaning
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Shortfall
from fairlead.outcome.limits import Clock
from fairlead.search.target import Target


@dataclass(frozen=True)
class FairnessAsked:
    """Which executions count: those that a notion calls fair, and a formula, if there is one.

    `meanings` are those of the formula's own atoms.
    """

    notion: Fairness
    formula: FairnessFormula | None = None
    meanings: Mapping[Atom, Meaning] = field(default_factory=dict, compare=False, repr=False)

    @property
    def continues_every_run(self) -> bool:
        """Whether every finite run is the beginning of a fair execution, in a system without annotations."""
        return self.formula is None and self.notion.continues_every_run

    @property
    def is_fair_choice(self) -> bool:
        """Whether it is what progress is defined by."""
        return self.notion.is_global and self.formula is None

    @property
    def is_closed(self) -> bool:
        """Whether it demands the same whatever processes and events the system has."""
        return all(formula.is_closed for formula in self._formulas())

    def conjuncts(self, processes: Sequence[str] = (), events: Sequence[str] = ()) -> tuple[Conjunct, ...]:
        """What the formula (and that of the notion) demands of a system with these processes and events."""
        found = [
            conjunct for formula in self._formulas() for conjunct in formula.conjuncts(processes, events)
        ]
        return tuple(replace(conjunct, meanings={**self.meanings, **conjunct.meanings}) for conjunct in found)

    def _formulas(self) -> list[FairnessFormula]:
        """The formula that defines the notion, if one does, and the one that was asked for."""
        found = [] if self.formula is None else [self.formula]
        if self.notion.facts.formula is not None:
            from fairlead.logic.fairness.syntax import formula_of_notion

            found.insert(0, formula_of_notion(self.notion))
        return found


class FairReach(Enum):
    """From which reachable states some execution is fair."""

    EVERYWHERE = "everywhere"
    NOT_EVERYWHERE = "not everywhere"
    NOWHERE = "nowhere"


def fairness_on_the_fly(target: Target, graph: _native.Graph, asked: FairnessAsked) -> _native.Fairness:
    """The question about a system without annotations whose processes and events do not matter."""
    atoms = EngineAtoms(graph, target.proposition)
    return engine_fairness(atoms, asked.notion, asked.conjuncts())


class Assumptions:
    """What can be assumed of a system whose graph is complete; what was computed is kept."""

    def __init__(self, target: Target, graph: _native.Graph, clock: Clock) -> None:
        self.graph = graph
        self._target = target
        self._annotations = None
        with target.working(Phase.ANNOTATIONS, clock, graph):
            if target.system.annotation_kinds:
                self._annotations = target.annotations(graph)
            actions = [graph.action(number) for number in graph.used_actions()]
        #: those that take part in a transition, and those that label one
        self.processes = sorted({process for _, processes in actions for process in processes})
        self.events = sorted({event for event, _ in actions})
        #: what is annotated somewhere
        self.annotated = () if self._annotations is None else self._annotations.annotated
        self._shortfalls: dict[FairnessAsked, Shortfall | None] = {}

    def conjuncts(self, asked: FairnessAsked) -> tuple[Conjunct, ...]:
        """What the formula that is asked for demands of this system."""
        return asked.conjuncts(self.processes, self.events)

    def fairness(self, asked: FairnessAsked, besides: Sequence[Conjunct] = ()) -> _native.Fairness:
        """The question, the annotations and the other demands, for the engine."""
        annotated = [annotation_conjunct(annotated) for annotated in self.annotated]
        conserved = [conjunct for name in self._target.conserved for conjunct in conservation(name)]
        return self._fairness(asked.notion, [*annotated, *self.conjuncts(asked), *conserved, *besides])

    def _fairness(self, notion: Fairness, conjuncts: Sequence[Conjunct]) -> _native.Fairness:
        atoms = EngineAtoms(self.graph, self._target.proposition, self._annotations)
        return engine_fairness(atoms, notion, conjuncts)

    def always_continues(self, asked: FairnessAsked) -> bool:
        """Whether every finite run is the beginning of a fair execution."""
        kinds = self._target.system.annotation_kinds
        return asked.continues_every_run and not any(kind.may_be_unsatisfiable for kind in kinds)

    def reach(self, asked: FairnessAsked, besides: Sequence[Conjunct], clock: Clock) -> FairReach:
        """From where executions can be fair, if something is demanded besides that never stands in the way
        by itself."""
        if self.always_continues(asked):
            return FairReach.EVERYWHERE
        annotated = map(annotation_conjunct, self.annotated)
        with self._target.working(Phase.FAIR_EXECUTIONS, clock, self.graph):
            region = self._region(asked.notion, [*self.conjuncts(asked), *annotated, *besides])
        if region.has_all:
            return FairReach.EVERYWHERE
        return FairReach.NOT_EVERYWHERE if region.has_start else FairReach.NOWHERE

    def shortfall(self, asked: FairnessAsked, clock: Clock) -> Shortfall | None:
        """What cannot be satisfied, if there are reachable states from which no execution is fair."""
        if self.always_continues(asked):
            return None
        if asked not in self._shortfalls:
            with self._target.working(Phase.FAIR_EXECUTIONS, clock, self.graph):
                self._shortfalls[asked] = self._find_shortfall(asked)
        return self._shortfalls[asked]

    def _find_shortfall(self, asked: FairnessAsked) -> Shortfall | None:
        # what may be impossible by itself comes first: of several small sets to blame it is in the one chosen
        suspects = sorted(self.annotated, key=lambda one: not one.annotation.may_be_unsatisfiable)
        candidates = [*self.conjuncts(asked), *map(annotation_conjunct, suspects)]
        region = self._region(asked.notion, candidates)
        if region.has_all:
            return None
        total = not region.has_start

        def falls_short(notion: Fairness, chosen: Sequence[Conjunct]) -> bool:
            part = self._region(notion, chosen)
            return not (part.has_start if total else part.has_all)

        plain = Fairness.NONE
        notion = plain if falls_short(plain, candidates) else asked.notion
        core = smallest_failing(candidates, lambda chosen: falls_short(notion, chosen))
        (_, start), *steps = region.way_out()
        run = self._target.run(self.graph, start, steps, [])
        blamed = tuple(conjunct.text for conjunct in candidates if conjunct in core)
        return Shortfall(blamed, notion, total, run)

    def _region(self, notion: Fairness, chosen: Sequence[Conjunct]) -> _native.FairRegion:
        product = _native.Product(_native.Atoms(self.graph, None), _native.Automaton.everything())
        return _native.FairRegion(product, self._fairness(notion, chosen))


def smallest_failing(
    candidates: Sequence[Conjunct], fails: Callable[[Sequence[Conjunct]], bool]
) -> list[Conjunct]:
    """A part of the candidates that fails and none of whose proper parts does; all of them together fail.

    What fails continues failing with more added. So of the shortest failing beginning the last one is needed.
    """
    needed: list[Conjunct] = []
    remaining = list(candidates)
    while not fails(needed):
        low, high = 1, len(remaining)
        while low < high:
            middle = (low + high) // 2
            if fails([*needed, *remaining[:middle]]):
                high = middle
            else:
                low = middle + 1
        needed.append(remaining[low - 1])
        remaining = remaining[: low - 1]
    return needed


def assumptions_of(target: Target, clock: Clock) -> Assumptions:
    """What can be assumed of a system that has been explored completely."""
    graph = target.graph()
    known = target.assumptions
    if not isinstance(known, Assumptions) or known.graph is not graph:
        known = target.assumptions = Assumptions(target, graph, clock)
    return known
