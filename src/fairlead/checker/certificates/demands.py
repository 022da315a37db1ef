"""What fair violating executions satisfy, judged on parts of a product: who is enabled, who is taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairlead.base.records import dataclass
from fairlead.certify.questions import Asked, Facts, fair_to, satisfies
from fairlead.certify.reasons import leaves_of
from fairlead.checker.certificates.product import NO_ACTION, ProductGraph, Step
from fairlead.logic.fairness.condition import AllOf, Condition, InfinitelyOften, fold_condition
from fairlead.logic.fairness.demand import annotation_conjunct
from fairlead.logic.fairness.notions import Subject
from fairlead.logic.ltl import Atom, Formula
from fairlead.model.assertion import Meaning

#: a node, and a step from it
Edge = tuple[int, Step]


@dataclass(frozen=True)
class Named:
    """A condition, as a certificate names it."""

    name: tuple[Any, ...]
    condition: Condition
    meanings: dict[Atom, Meaning]


class Demands:
    """The conditions of one question, and the list of those that reasons use."""

    def __init__(self, asked: Asked, facts: Facts, product: ProductGraph) -> None:
        self._asked = asked
        self._product = product
        self._subject = asked.notion.subject
        #: those that reasons use, by their names
        self.used: dict[tuple[Any, ...], int] = {}
        self.others = self._others(asked, facts)
        self._enabled: dict[int, frozenset[str]] = {}
        self._truth: dict[tuple[int, int, int], bool] = {}
        self._predicates: dict[tuple[Formula, int], int] = {}
        self._subjects: dict[str, Named] = {}
        self.marks = product.automaton.sets

    def _others(self, asked: Asked, facts: Facts) -> list[Named]:
        found = [
            Named(("conjunct", number), conjunct.condition, dict(conjunct.meanings))
            for number, conjunct in enumerate(asked.conjuncts(facts))
        ]
        for one in sorted(facts.annotated):
            conjunct = annotation_conjunct(one)
            name = ("annotation", one.kind, one.label)
            found.append(Named(name, conjunct.condition, dict(conjunct.meanings)))
        return found

    @property
    def is_strong(self) -> bool:
        """Whether who is enabled infinitely often must be taken."""
        return self._asked.notion.is_strong

    def subject(self, name: str) -> Named:
        """What the notion demands for one event or process."""
        if name not in self._subjects:
            conjunct = fair_to(self._asked.notion, name)
            self._subjects[name] = Named(("subject", name), conjunct.condition, dict(conjunct.meanings))
        return self._subjects[name]

    def use(self, name: tuple[Any, ...]) -> int:
        """The number of a condition that a reason names."""
        return self.used.setdefault(name, len(self.used))

    # ------------------------------------------------------------ events or processes of the notion

    def enabled(self, state: int) -> frozenset[str]:
        """The subjects of the notion that are enabled in a state of the system."""
        if state not in self._enabled:
            rows = self._product.explored.rows[state]
            self._enabled[state] = frozenset(name for action, _ in rows for name in self.taken(action))
        return self._enabled[state]

    def taken(self, action: int) -> frozenset[str]:
        """The subjects of the notion that an action takes."""
        if action == NO_ACTION or self._subject is Subject.NOBODY:
            return frozenset()
        event, processes = self._product.explored.action(action)
        return frozenset((event,)) if self._subject is Subject.EVENTS else processes

    def unfairly_treated(self, edges: Iterable[Edge]) -> tuple[set[str], set[str]]:
        """The subjects that a part never takes: those enabled at all its positions, and those at some."""
        nodes = self._product.nodes
        states = {nodes[step.target][0] for _, step in edges}
        taken = {name for action in {step.action for _, step in edges} for name in self.taken(action)}
        if not states or self._subject is Subject.NOBODY:
            return set(), set()
        enabled = [self.enabled(state) for state in states]
        return set(frozenset.intersection(*enabled) - taken), set(frozenset.union(*enabled) - taken)

    # ------------------------------------------------------------ leaves of conditions

    def never(self, condition: Condition, meanings: dict[Atom, Meaning], edges: list[Edge]) -> frozenset[int]:
        """The leaves of a condition that no step of a part satisfies."""
        leaves = leaves_of(condition)
        return frozenset(
            place
            for place, leaf in enumerate(leaves)
            if not any(self.holds(leaf.predicate, meanings, step) for _, step in edges)
        )

    def holds(self, predicate: Formula, meanings: dict[Atom, Meaning], step: Step) -> bool:
        """Whether a step of the product satisfies a predicate."""
        number = self._predicates.setdefault((predicate, id(meanings)), len(self._predicates))
        explored, state = self._product.explored, self._product.nodes[step.target][0]
        key = number, step.action, state
        if key not in self._truth:
            action = None if step.action == NO_ACTION else step.action
            self._truth[key] = satisfies(
                predicate, meanings, lambda meaning: explored.is_true(meaning, action, state)
            )
        return self._truth[key]

    def is_met(self, condition: Condition, meanings: dict[Atom, Meaning], edges: list[Edge]) -> bool:
        """Whether an execution through all of a part satisfies a condition."""

        def leaf(one: Any) -> bool:
            hits = (self.holds(one.predicate, meanings, step) for _, step in edges)
            return any(hits) if isinstance(one, InfinitelyOften) else all(hits)

        return fold_condition(
            condition, leaf, lambda node, parts: all(parts) if isinstance(node, AllOf) else any(parts)
        )
