"""Whether executions that take just the transitions of a component, each infinitely often, are fair, and why.

By the definitions: an event or process is enabled infinitely often iff it is enabled in some state of the
component, and from some point on iff it is in all of them. It is engaged infinitely often iff it is in some
of the transitions. `GF p` is true iff p is true at one of them, with the state after it, and `FG p` iff it
is at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fairlead.base.records import dataclass
from fairlead.evidence.component_graph import ComponentGraph, Letters
from fairlead.evidence.conditions import ConditionReason, predicate_holds
from fairlead.evidence.exclusion import Exclusion, Grievance
from fairlead.evidence.paths import FairPaths
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, InfinitelyOften, fold_condition
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject
from fairlead.logic.ltl import Formula
from fairlead.model.annotation import Annotated, Demand
from fairlead.model.labels import IDLE


@dataclass(frozen=True)
class ComponentReason:
    """Why executions in a component are fair to a subject, or why not."""

    subject: str
    is_fair: bool
    is_taken: bool
    is_always: bool
    is_ever: bool = True
    wanted: str = "enabled"

    def text(self) -> str:
        """The reason in words."""
        if self.is_taken:
            return f"{self.subject}: taken in the component"
        if not self.is_ever:
            return f"{self.subject}: {self.wanted} in none of its states"
        if self.is_always:
            return f"{self.subject}: {self.wanted} in all of its states, never taken"
        if self.is_fair:
            return f"{self.subject}: not {self.wanted} in some of its states"
        return f"{self.subject}: {self.wanted} in some of its states, never taken"


@dataclass(frozen=True)
class GlobalReason:
    """Whether all steps from the states of a component belong to it."""

    is_fair: bool
    transitions: int

    def text(self) -> str:
        """The reason in words."""
        if self.is_fair:
            return f"all {self.transitions:,} transitions from its states belong to it"
        return "a transition from one of its states does not belong to it"


Reason = ComponentReason | GlobalReason | ConditionReason


def all_reasons(graph: ComponentGraph, paths: FairPaths) -> Iterator[Reason]:
    """By the notion, the annotations and the fairness formula, in this order."""
    yield from notion_reasons(graph, paths.fairness)
    yield from annotation_reasons(graph, paths.annotations)
    yield from condition_reasons(graph, paths.conditions)


def notion_reasons(graph: ComponentGraph, fairness: Fairness) -> list[ComponentReason] | list[GlobalReason]:
    """For each process or event of a notion, why executions are fair or unfair to it."""
    if fairness.is_global:
        if graph.actions == [(IDLE, frozenset())]:
            return []
        is_closed = all(
            len(kept) == len(all_) for kept, all_ in zip(graph.leaving, graph.offered, strict=True)
        )
        return [GlobalReason(is_closed, graph.transitions)]
    if fairness.subject is Subject.NOBODY:
        return []
    return [
        ComponentReason(name, taken or (not fairness.is_strong and not always), taken, always)
        for name, taken, always in _served(graph, fairness.subject)
    ]


def _served(graph: ComponentGraph, subject: Subject) -> Iterator[tuple[str, bool, bool]]:
    """The subjects enabled somewhere, whether they are taken, and whether they are enabled everywhere."""
    names = [
        () if event == IDLE else (event,) if subject is Subject.EVENTS else tuple(sorted(processes))
        for event, processes in graph.actions
    ]
    engaged = {name for action in graph.taken for name in names[action]}
    enabled: Counter[str] = Counter()
    for offered, count in Counter(graph.offered).items():
        for name in {name for action in offered for name in names[action]}:
            enabled[name] += count
    for name in sorted(enabled):
        yield name, name in engaged, enabled[name] == len(graph.offered)


def annotation_problem(graph: ComponentGraph, annotations: Iterable[Annotated]) -> str | None:
    """An annotation of the component's states that the claim does not know of, or None."""
    missing = sorted(set().union(*_ready(graph)) - set(annotations))
    return f"the annotation {missing[0]} was not judged" if missing else None


def _ready(graph: ComponentGraph) -> list[frozenset[Annotated]]:
    system = graph.space.system
    if not system.annotation_kinds:
        return []
    return [system.ready(graph.space.state(number)) for number in graph.numbers]


def annotation_reasons(graph: ComponentGraph, annotations: Iterable[Annotated]) -> list[ComponentReason]:
    """For every annotation why executions are fair or unfair to it."""
    ready = _ready(graph)
    taken = {graph.actions[action][0] for action in graph.taken}
    events = [{graph.actions[action][0] for action in offered} for offered in graph.offered]

    def reason(annotated: Annotated) -> ComponentReason:
        looks_at_readiness = annotated.annotation.looks_at_readiness
        if looks_at_readiness:
            wanted = [annotated in here for here in ready]
        else:
            wanted = [annotated.label in here for here in events]
        is_taken = annotated.label in taken
        fair = {
            Demand.UNCONDITIONAL: is_taken,
            Demand.WEAK: is_taken or not all(wanted),
            Demand.STRONG: is_taken or not any(wanted),
        }
        word = "ready" if looks_at_readiness else "enabled"
        demand = annotated.annotation.demand
        return ComponentReason(str(annotated), fair[demand], is_taken, all(wanted), any(wanted), word)

    return [reason(annotated) for annotated in annotations]


def condition_reasons(graph: ComponentGraph, conjuncts: Iterable[Conjunct]) -> list[ConditionReason]:
    """For each condition of a fairness formula whether executions meet it."""
    return [_condition_reason(graph, conjunct) for conjunct in conjuncts]


def _condition_reason(graph: ComponentGraph, conjunct: Conjunct) -> ConditionReason:
    letters = Letters(graph, conjunct.meanings)

    def is_true(predicate: Formula, letter: int) -> bool:
        return predicate_holds(predicate, lambda atom: bool(letter >> letters.bits[atom] & 1))

    def on_component(leaf: InfinitelyOften | AlmostAlways) -> bool:
        at = (is_true(leaf.predicate, letter) for letter in letters.distinct)
        return any(at) if isinstance(leaf, InfinitelyOften) else all(at)

    is_met = fold_condition(
        conjunct.condition,
        on_component,
        lambda node, parts: all(parts) if isinstance(node, AllOf) else any(parts),
    )
    return ConditionReason(conjunct.text, is_met, "met in the component" if is_met else "not met in it")


def unfair_problem(graph: ComponentGraph, paths: FairPaths) -> str | None:
    """Why executions in a component are unfair, or None."""
    problem = annotation_problem(graph, paths.annotations)
    if problem is not None:
        return problem
    unfair = (reason.text() for reason in all_reasons(graph, paths) if not reason.is_fair)
    return next((f"executions in the component are unfair: {text}" for text in unfair), None)


def exclusion_from(graph: ComponentGraph) -> Exclusion:
    """What excludes executions in a component."""
    grievances = [
        Grievance(subject, name, always, ComponentReason(name, False, False, always))
        for subject in (Subject.PROCESSES, Subject.EVENTS)
        for name, taken, always in _served(graph, subject)
        if not taken
    ]

    def is_excluded_by(notion: Fairness) -> bool:
        if notion.subject is Subject.NOBODY:
            return not all(reason.is_fair for reason in notion_reasons(graph, notion))
        return any(one.subject is notion.subject and (one.is_weak or notion.is_strong) for one in grievances)

    return Exclusion(tuple(filter(is_excluded_by, CLASSIC)), tuple(grievances))
