"""A question as it is asked of a model: with the executions that count."""

from __future__ import annotations

from typing import Generic, TypeVar

from fairlead.base.records import dataclass
from fairlead.checker.context import Context
from fairlead.logic.fairness.formula import Conjunct
from fairlead.model.annotation import Annotated
from fairlead.model.network import Network
from fairlead.outcome.component import Component
from fairlead.outcome.demonstration import Demonstration
from fairlead.outcome.finding import Finding, TerminalSet
from fairlead.search.assumptions import FairnessAsked

Q = TypeVar("Q")


@dataclass(frozen=True)
class Query(Generic[Q]):
    """A question, which executions count for it, and what the questions about its model share.

    `instead` is a network that is searched in place of the model's system: one that a reduction made of it.
    """

    question: Q
    asked: FairnessAsked
    context: Context
    instead: Network | None = None


@dataclass(frozen=True)
class EvidenceDetails:
    """What belongs to evidence besides the run, as far as a question has it."""

    optimum: int | None = None
    annotations: tuple[Annotated, ...] = ()
    conjuncts: tuple[Conjunct, ...] = ()
    terminal: TerminalSet | None = None
    demonstration: Demonstration | None = None
    component: Component | None = None

    @classmethod
    def of(cls, finding: Finding) -> EvidenceDetails:
        """Those of a fresh finding."""
        return cls(
            finding.optimum,
            finding.annotations,
            finding.conjuncts,
            finding.terminal,
            finding.demonstration,
            finding.component,
        )
