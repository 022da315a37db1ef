"""Judges runs that end in a fair component, which is explored again on the reference semantics.

The claim is that some execution goes along the stem, then stays in the component and takes each of its
transitions infinitely often, and that it is fair and violates the formula. The cycle of the run shows how
it is violated; by itself it need not be fair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairlead.base.allowance import Stopped
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.evidence.component_fairness import (
    all_reasons,
    exclusion_from,
    notion_reasons,
    unfair_problem,
)
from fairlead.evidence.component_graph import ComponentGraph, Letters, explored
from fairlead.evidence.component_ltl import ViolationProduct
from fairlead.evidence.exclusion import Exclusion
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.lasso_ltl import holds_on, word_of
from fairlead.evidence.obligations import ViolationTableau
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.validate import NO_LOOP, Claim
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Atom, Formula
from fairlead.model.assertion import Meaning
from fairlead.model.run import Run
from fairlead.model.state_space import space_of
from fairlead.model.system import System
from fairlead.outcome.component import Component


def _nothing() -> None:
    """Does nothing: there is no limit to watch."""


@dataclass(frozen=True)
class StaysInComponent(Claim):
    """Some fair execution goes along the stem, takes all of the component forever, and violates the formula.

    `tick` is called now and then, and may stop the work, as `most` transitions do; what was examined by
    then must not contradict the claim.
    """

    formula: Formula
    meanings: Mapping[Atom, Meaning]
    paths: FairPaths
    component: Component
    tick: Callable[[], None] = _nothing
    most: int | None = None

    def judge(self, system: System, run: Run) -> str | Explanation:
        """Explores the component, judges it by the definitions, and looks for the execution in it."""
        if not run.loop:
            return NO_LOOP
        if holds_on(self.formula, word_of(run), self.meanings, system):
            return "the cycle in the component does not violate the formula"
        most = tuning().judged_transitions if self.most is None else self.most
        graph = explored(space_of(system), run.loop_start, self.component, self.tick, most)
        if isinstance(graph, str):
            return graph
        if self.paths.fairness.is_global and not self.component.is_closed:
            return "the component can be left, and strong global fairness takes every transition"
        if not graph.is_whole:
            return self._explanation(graph)
        if not graph.has_loop(run.loop):
            return "the cycle leaves the component"
        try:
            problem = self._problem(graph, run)
        except Stopped:
            return self._explanation(graph, is_judged=False)
        return problem or self._explanation(graph)

    def _problem(self, graph: ComponentGraph, run: Run) -> str | None:
        if not graph.leads_back(self.tick):
            return "the component is not strongly connected"
        problem = unfair_problem(graph, self.paths)
        if problem is not None:
            return problem
        letters = Letters(graph, self.meanings)
        product = ViolationProduct(graph, ViolationTableau(self.formula, letters.bits), letters, self.tick)
        space = graph.space
        positions = [letters.of_state(space.number(run.start))]
        positions += [
            letters.of_step(step) | letters.of_state(space.number(step.target)) for step in run.stem
        ]
        if not product.is_violating(product.after(positions)):
            return "no execution that takes all of the component infinitely often violates the formula"
        return None

    def _explanation(self, graph: ComponentGraph, is_judged: bool = True) -> Explanation:
        if not graph.is_whole or not is_judged:
            looked_at = len(graph.leaving)
            return ComponentReached(self.component, self.paths.fairness, looked_at, False, (), (), None)
        found = replace(self.component, states=len(graph.numbers), transitions=graph.transitions)
        by_notion = [reason.text() for reason in notion_reasons(graph, self.paths.fairness)]
        reasons = [reason.text() for reason in all_reasons(graph, self.paths)]
        return ComponentReached(
            found,
            self.paths.fairness,
            len(graph.leaving),
            True,
            tuple(by_notion),
            tuple(reasons[len(by_notion) :]),
            exclusion_from(graph),
        )


#: longer lists of reasons are shown with their end left out
SHOWN_REASONS = 20


@dataclass(frozen=True)
class ComponentReached(Explanation):
    """In which component the execution stays, and why it is fair there.

    `looked_at` of its states were explored again. Unless it `is_judged`, a limit was reached before
    everything that is claimed had been seen to be true. `assumed` are the reasons why it is fair to
    annotations and formulas.
    """

    component: Component
    fairness: Fairness
    looked_at: int
    is_judged: bool
    fair: tuple[str, ...]
    assumed: tuple[str, ...]
    unfair_by: Exclusion | None

    @property
    def exclusion(self) -> Exclusion | None:
        """What would have excluded executions in the component."""
        return self.unfair_by

    @property
    def is_about_set(self) -> bool:
        """A component."""
        return True

    @property
    def loop_title(self) -> str:
        """The loop is one way to continue."""
        return "a cycle in the component that violates the formula:"

    @property
    def size(self) -> str:
        """How large the component is."""
        states, transitions = self.component.states, self.component.transitions
        if states is None or transitions is None:
            return f"more than {_many(self.looked_at, 'state')} with their transitions"
        return f"{_many(states, 'state')} and {_many(transitions, 'transition')}"

    def lines(self) -> Iterator[str]:
        """The component, and the reasons."""
        yield f"the execution stays in a component of {self.size}, and takes each of them infinitely often"
        if not self.component.is_closed:
            steps = sum(len(places) for _, places in self.component.left_out)
            yield f"it no longer takes {_many(steps, 'other step')} from its states"
        if not self.is_judged:
            yield self.unjudged
            return
        if self.fair:
            yield f"fair there ({self.fairness.title}):"
            yield from _shown(self.fair)
        if self.assumed:
            yield "fair there to the assumptions:"
            yield from _shown(self.assumed)

    @property
    def unjudged(self) -> str:
        """What was not seen to be true."""
        states = self.component.states
        seen = (
            _many(self.looked_at, "state")
            if states is None
            else f"{self.looked_at:,} of {_many(states, 'state')}"
        )
        return f"validated in part: a limit was reached when {seen} had been explored again"

    def to_json(self) -> dict[str, Any]:
        """How it was judged; the component itself is stored separately."""
        return {
            "kind": "component",
            "looked_at": self.looked_at,
            "judged": self.is_judged,
            "closed": self.component.is_closed,
            "fair": [*self.fair, *self.assumed],
        }


def _many(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _shown(reasons: tuple[str, ...]) -> Iterator[str]:
    yield from (f"  {reason}" for reason in reasons[:SHOWN_REASONS])
    if len(reasons) > SHOWN_REASONS:
        yield f"  … {len(reasons) - SHOWN_REASONS} more reasons"
