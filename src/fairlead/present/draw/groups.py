"""Groups of states that a drawing distinguishes by tints: terminal components, and where a formula holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.model.components import reachable, strong_components
from fairlead.model.explicit import ExplicitGraph
from fairlead.outcome.component import Component
from fairlead.present.draw.text import printable

#: the tints of a formula: green where it holds, yellow where that depends on the step before
_HOLDS, _PARTLY = 1, 2


@dataclass(frozen=True)
class Group:
    """States with one tint: what can be said of each of them, and what the legend says of all."""

    tint: int
    meaning: str
    legend: str
    states: frozenset[int]


@dataclass(frozen=True)
class Grouping:
    """Groups that have no state in common, and the lines of the legend above theirs."""

    groups: tuple[Group, ...] = ()
    heading: tuple[str, ...] = ()

    @cached_property
    def _by_state(self) -> Mapping[int, Group]:
        return {state: group for group in self.groups for state in group.states}

    def of_state(self, state: int) -> Group | None:
        """The group of a state, if it is in one."""
        return self._by_state.get(state)


NO_GROUPS = Grouping()


@dataclass(frozen=True)
class FormulaStates:
    """Where a formula holds: whatever the step into a state, or after some of the steps into it only.

    `assumed` says which paths count, if not all of them do.
    """

    formula: str
    holds: frozenset[int]
    partly: frozenset[int] = frozenset()
    assumed: str | None = None


def terminal_groups(graph: ExplicitGraph) -> Grouping:
    """Each terminal component by itself."""
    groups: list[Group] = []
    for number, component in enumerate(terminal_components(graph)):
        name = f"terminal component {number + 1}"
        legend = f"{name}: {counted(len(component), 'state')}"
        groups.append(Group(number, name, legend, frozenset(component)))
    return Grouping(tuple(groups))


def formula_groups(graph: ExplicitGraph, shown: FormulaStates) -> Grouping:
    """The reachable states where a formula holds, and those where that depends on the step into them."""
    states = frozenset(_reachable(graph))
    holds, partly = shown.holds & states, shown.partly & states
    where = counted(len(holds), "state") if holds else "no state"
    if holds == states:
        where = "every state"
    groups = [Group(_HOLDS, "the formula holds", f"holds in {where}", holds)]
    if partly:
        those = "it" if len(partly) == 1 else "them"
        text = f"holds in {counted(len(partly), 'state')} after some of the steps into {those} only"
        meaning = "the formula holds only after some of the steps into it"
        groups.append(Group(_PARTLY, meaning, text, partly))
    heading = [shown.formula] if shown.assumed is None else [shown.formula, shown.assumed]
    return Grouping(tuple(groups), tuple(printable(line) for line in heading))


def component_group(graph: ExplicitGraph, start: int, component: Component) -> Grouping:
    """The component that is entered in a state; no group, if it is not known which steps are left out."""
    left_out = dict(component.left_out)
    states = [start]
    for place, state in enumerate(states):
        steps = sorted(
            graph.transitions.get(state, ()), key=lambda step: (step.event, sorted(step.processes))
        )
        if left_out and len({(step.event, step.processes) for step in steps}) < len(steps):
            return NO_GROUPS
        omitted = left_out.get(place, ())
        kept = (step.target for number, step in enumerate(steps) if number not in omitted)
        states += dict.fromkeys(after for after in kept if isinstance(after, int) and after not in states)
    legend = f"the execution stays in {counted(len(states), 'state')}"
    return Grouping((Group(0, "in the component", legend, frozenset(states)),))


def terminal_components(graph: ExplicitGraph) -> list[list[int]]:
    """The reachable components that no transition leaves, in the order of their smallest states."""
    states = _reachable(graph)
    numbers = {state: number for number, state in enumerate(states)}
    targets = [[numbers[target] for target in _targets(graph, state)] for state in states]
    found = []
    for component in strong_components(len(states), targets.__getitem__):
        members = set(component)
        if all(target in members for number in component for target in targets[number]):
            found.append(sorted(states[number] for number in component))
    return sorted(found)


def _reachable(graph: ExplicitGraph) -> list[int]:
    return reachable(graph.initial, lambda state: _targets(graph, state))


def _targets(graph: ExplicitGraph, state: int) -> list[int]:
    return [step.target for step in graph.transitions.get(state, ()) if isinstance(step.target, int)]
