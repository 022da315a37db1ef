"""Boolean combinations of "infinitely often p" and "almost always p": fairness after Emerson & Lei."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, assert_never

from fairlead.base.records import dataclass
from fairlead.logic.ltl import Formula

_Value = TypeVar("_Value")


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

#: what every execution satisfies, and what none does
ALWAYS = AllOf(())
NEVER = OneOf(())


def conjunction(conditions: Iterable[Condition]) -> Condition:
    """All of the conditions; parts of parts become parts."""
    parts: list[Condition] = []
    for condition in conditions:
        if _is_never(condition):
            return NEVER
        parts += condition.parts if isinstance(condition, AllOf) else (condition,)
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def disjunction(conditions: Iterable[Condition]) -> Condition:
    """One of the conditions; parts of parts become parts."""
    parts: list[Condition] = []
    for condition in conditions:
        if is_always(condition):
            return ALWAYS
        parts += condition.parts if isinstance(condition, OneOf) else (condition,)
    return parts[0] if len(parts) == 1 else OneOf(tuple(parts))


def is_always(condition: Condition) -> bool:
    """Whether the condition demands nothing."""
    return isinstance(condition, AllOf) and not condition.parts


def _is_never(condition: Condition) -> bool:
    return isinstance(condition, OneOf) and not condition.parts


def fold_condition(
    condition: Condition,
    leaf: Callable[[InfinitelyOften | AlmostAlways], _Value],
    combine: Callable[[AllOf | OneOf, list[_Value]], _Value],
) -> _Value:
    """The value of a condition from those of its parts; iterative, because users decide the depth.

    A part that stands in several places, as those of `<->` do, is examined once.
    """
    known: dict[int, _Value] = {}
    stack = [condition]
    while stack:
        node = stack[-1]
        if id(node) in known:
            stack.pop()
            continue
        match node:
            case InfinitelyOften() | AlmostAlways():
                known[id(stack.pop())] = leaf(node)
            case AllOf(parts) | OneOf(parts):
                missing = [part for part in parts if id(part) not in known]
                if missing:
                    stack += reversed(missing)
                else:
                    known[id(stack.pop())] = combine(node, [known[id(part)] for part in parts])
            case _:
                assert_never(node)
    return known[id(condition)]
