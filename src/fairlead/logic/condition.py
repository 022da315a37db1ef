"""Fairness as a formula: boolean combinations of "infinitely often p" and "almost always p" (Emerson & Lei)."""

from __future__ import annotations

from dataclasses import dataclass

from fairlead.logic.ltl import Formula


@dataclass(frozen=True)
class InfinitelyOften:
    """`GF p`: p at infinitely many positions."""

    predicate: Formula


@dataclass(frozen=True)
class AlmostAlways:
    """`FG p`: p at all positions from some point on."""

    predicate: Formula


@dataclass(frozen=True)
class AllOf:
    """All parts are true; so nothing is demanded without any."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class OneOf:
    """At least one part is true; so nothing satisfies it without any."""

    parts: tuple[Condition, ...]


#: predicates are propositional: atoms, constants and boolean connectives
Condition = InfinitelyOften | AlmostAlways | AllOf | OneOf
