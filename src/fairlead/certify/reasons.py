"""Why no fair execution stays in a class of nodes: the reasons of a certificate, checked step by step.

Every node has a *label*: a rank and a reason, and for some reasons labels of their own below it. No step
increases the rank. A step between nodes of equal rank is *internal*: both have the same reason, and the step
is as that reason says. So all of it is checked by looking at one step at a time, and an execution that stays
among the listed nodes has the same label from some point on. docs/explanation/certificates.md proves that no
such execution is fair and violates the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from fairlead.base.records import dataclass
from fairlead.certify.container import Rejected, list_in, number_in
from fairlead.logic.fairness.condition import (
    AllOf,
    AlmostAlways,
    Condition,
    InfinitelyOften,
    OneOf,
    fold_condition,
)
from fairlead.model.canonical.numbers import Reader, unsigned

#: a rank, the number of a reason, and what that reason says of the node: labels below it, or two numbers
Label = tuple[Any, ...]
#: what a step demands of the label after it: a rank that is not to be reached, or a rank, a reason and more
Need = tuple[Any, ...]
#: where a condition stands: its number, and from there which part of which part it is
Path = tuple[int, ...]
#: the parts of conditions that are assumed where a condition is a choice between them
Chosen = frozenset[Path]

#: how deep labels can stand in labels
DEEPEST = 200


class Why(Enum):
    """The kinds of reasons; the value is how a certificate writes it."""

    NO_STEPS = "no-steps"
    FAILS = "fails"
    PRUNE = "prune"
    BRANCH = "branch"
    EXIT = "exit"


@dataclass(frozen=True)
class Reason:
    """A reason as it is written.

    - NO_STEPS: there are no internal steps.
    - FAILS: no internal step satisfies one of the leaves `never`, and so the condition is false.
    - PRUNE: if the condition is true, then from some point on all internal steps satisfy the leaves `keep`.
      Labels below are for these steps alone.
    - BRANCH: a condition that is a choice; there is a label below for each of its parts.
    - EXIT: strong global fairness leads out of the class. A node has a distance and the number of a step of
      its state; no internal step of the product that takes it leads to a state with as large a distance.
    """

    why: Why
    condition: Path = ()
    never: frozenset[int] = frozenset()
    keep: frozenset[int] = frozenset()


class Reasons:
    """The reasons of a certificate, and the conditions that they name."""

    def __init__(self, data: object, conditions: Sequence[Condition], exits: bool) -> None:
        """`exits` tells whether strong global fairness may be a reason."""
        self._conditions = conditions
        self._exits = exits
        self._reasons = [_read_reason(row) for row in list_in(data)]
        self._known: dict[tuple[int, Chosen], _Resolved] = {}

    # ------------------------------------------------------------ labels

    def read(self, reader: Reader, chosen: Chosen = frozenset(), depth: int = 0) -> Label:
        """The label that a note continues with."""
        if depth > DEEPEST:
            raise Rejected("labels are nested too deeply")
        rank, number = reader.unsigned(), reader.unsigned()
        resolved = self._resolved(number, chosen)
        if resolved.why is Why.EXIT:
            return rank, number, reader.unsigned(), reader.unsigned()
        below = (self.read(reader, inside, depth + 1) for inside in resolved.below)
        return rank, number, *below

    def exits(self, label: Label, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """The classes, named by the ranks and reasons around them, in which a node says how to exit."""
        rank, number, *below = label
        here = (*path, rank, number)
        if self._reasons[number].why is Why.EXIT:
            yield here, below[0], below[1]
            return
        for place, inside in enumerate(below):
            yield from self.exits(inside, (*here, place))

    # ------------------------------------------------------------ steps

    def need(
        self,
        label: Label,
        step: int | None,
        satisfies: Callable[[Path, int], bool],
        chosen: Chosen = frozenset(),
    ) -> Need:
        """What a step demands of the label after it.

        `step` is the number of the step among those of its state, None if the state idles. `satisfies` tells
        whether the step, or the state after it, satisfies a leaf of a condition.
        """
        rank, number, *below = label
        resolved = self._resolved(number, chosen)
        if resolved.why is Why.NO_STEPS:
            return (rank,)
        if resolved.why is Why.EXIT:
            return rank, number, (below[0] if below[1] == step else None)
        if any(satisfies(resolved.condition, leaf) for leaf in resolved.never):
            return (rank,)
        if not all(satisfies(resolved.condition, leaf) for leaf in resolved.keep):
            return rank, number, *(None for _ in below)
        inside = zip(below, resolved.below, strict=True)
        return rank, number, *(self.need(label, step, satisfies, assumed) for label, assumed in inside)

    def meets(self, label: Label, need: Need) -> bool:
        """Whether a label is as a step to it demands."""
        if label[0] != need[0]:
            return bool(label[0] < need[0])
        if len(need) == 1 or label[1] != need[1]:
            return False
        if self._reasons[label[1]].why is Why.EXIT:
            return need[2] is None or label[2] < need[2]
        return all(
            wanted is None or self.meets(below, wanted)
            for below, wanted in zip(label[2:], need[2:], strict=True)
        )

    # ------------------------------------------------------------ what the conditions make of a reason

    def _resolved(self, number: int, chosen: Chosen) -> _Resolved:
        key = number, chosen
        if key not in self._known:
            if number >= len(self._reasons):
                raise Rejected("a label names a reason that is not listed")
            self._known[key] = self._resolve(self._reasons[number], chosen)
        return self._known[key]

    def _resolve(self, reason: Reason, chosen: Chosen) -> _Resolved:
        why, path = reason.why, reason.condition
        if why is Why.NO_STEPS:
            return _Resolved(why)
        if why is Why.EXIT:
            if not self._exits:
                raise Rejected("a reason speaks of strong global fairness, which is not assumed")
            return _Resolved(why)
        condition = self._assumed(path, chosen)
        if why is Why.BRANCH:
            if not isinstance(condition, OneOf):
                raise Rejected("a reason branches where there is no choice")
            below = tuple(chosen | {(*path, place)} for place in range(len(condition.parts)))
            return _Resolved(why, below=below)
        leaves = leaves_of(condition)
        if any(leaf >= len(leaves) for leaf in reason.never | reason.keep):
            raise Rejected("a reason names a part that the condition does not have")
        if why is Why.FAILS:
            if can_be_true(condition, reason.never):
                raise Rejected("what a reason says does not contradict the condition")
            return _Resolved(why, path, tuple(sorted(reason.never)))
        for leaf in reason.keep:
            if not isinstance(leaves[leaf], AlmostAlways) or can_be_true(condition, reason.never | {leaf}):
                raise Rejected("a reason keeps what the condition does not demand")
        return _Resolved(why, path, tuple(sorted(reason.never)), tuple(sorted(reason.keep)), (chosen,))

    def _assumed(self, path: Path, chosen: Chosen) -> Condition:
        """The condition at a path, if it is assumed."""
        if not path or path[0] >= len(self._conditions):
            raise Rejected("a reason names a condition that is not listed")
        found = self._conditions[path[0]]
        for length, place in enumerate(path[1:], 2):
            is_part = isinstance(found, AllOf | OneOf) and place < len(found.parts)
            if not is_part or (isinstance(found, OneOf) and path[:length] not in chosen):
                raise Rejected("a reason names a part of a condition that is not assumed")
            assert isinstance(found, AllOf | OneOf)
            found = found.parts[place]
        return found


@dataclass(frozen=True)
class _Resolved:
    """A reason with what is assumed where it stands: what is checked of a step, and for labels below it."""

    why: Why
    condition: Path = ()
    never: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    below: tuple[Chosen, ...] = ()


def leaves_of(condition: Condition) -> list[InfinitelyOften | AlmostAlways]:
    """The leaves of a condition in their order; one that stands in several places counts once."""
    found: list[InfinitelyOften | AlmostAlways] = []

    def add(leaf: InfinitelyOften | AlmostAlways) -> None:
        found.append(leaf)

    fold_condition(condition, add, lambda _, __: None)
    return found


def can_be_true(condition: Condition, false: frozenset[int]) -> bool:
    """Whether a condition can be true although these of its leaves are false: it has no negations."""
    places: Iterator[int] = iter(range(1 << 62))

    def leaf(_: object) -> bool:
        return next(places) not in false

    return fold_condition(
        condition, leaf, lambda node, parts: all(parts) if isinstance(node, AllOf) else any(parts)
    )


def _read_reason(data: object) -> Reason:
    if not isinstance(data, Mapping):
        raise Rejected("a reason cannot be read")
    try:
        why = Why(data.get("why"))
    except ValueError:
        raise Rejected(f"there is no reason '{str(data.get('why'))[:40]}'") from None
    condition = tuple(map(number_in, list_in(data.get("condition", []))))
    never, keep = (frozenset(map(number_in, list_in(data.get(name, [])))) for name in ("never", "keep"))
    return Reason(why, condition, never, keep)


def label_bytes(label: Label) -> bytes:
    """A label, as it stands in a note."""
    return b"".join(unsigned(part) if isinstance(part, int) else label_bytes(part) for part in label)
