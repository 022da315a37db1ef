"""Boolean combinations of "infinitely often p" and "almost always p": fairness after Emerson & Lei."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar, assert_never

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


def predicates(condition: Condition) -> tuple[Formula, ...]:
    """The distinct predicates of a condition, left to right."""
    found: dict[Formula, None] = {}
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, AllOf | OneOf):
            stack += reversed(node.parts)
        else:
            found.setdefault(node.predicate)
    return tuple(found)


def fold_condition(
    condition: Condition,
    leaf: Callable[[InfinitelyOften | AlmostAlways], _Value],
    combine: Callable[[AllOf | OneOf, list[_Value]], _Value],
) -> _Value:
    """The value of a condition from those of its parts; iterative, because users decide the depth."""
    done: list[_Value] = []
    stack: list[tuple[Condition, bool]] = [(condition, False)]
    while stack:
        node, parts_done = stack.pop()
        match node:
            case InfinitelyOften() | AlmostAlways():
                done.append(leaf(node))
            case AllOf(parts) | OneOf(parts):
                if parts_done:
                    first = len(done) - len(parts)
                    done[first:] = [combine(node, done[first:])]
                else:
                    stack.append((node, True))
                    stack += [(part, False) for part in reversed(parts)]
            case _:
                assert_never(node)
    return done[0]


def holds_on_loop(condition: Condition, truth: Callable[[Formula, int], bool], length: int) -> bool:
    """Whether a loop, repeated for ever, satisfies the condition; `truth` is that of predicates in its places."""

    def at_some_or_all(leaf: InfinitelyOften | AlmostAlways) -> bool:
        at = (truth(leaf.predicate, place) for place in range(length))
        return any(at) if isinstance(leaf, InfinitelyOften) else all(at)

    def combined(node: AllOf | OneOf, parts: list[bool]) -> bool:
        return all(parts) if isinstance(node, AllOf) else any(parts)

    return fold_condition(condition, at_some_or_all, combined)
