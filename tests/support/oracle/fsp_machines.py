"""Labelled transition systems with ERROR and END, and what FSP does with them, each by its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

TAU = "tau"
ERROR = -1
ENDED = "(ended)"

#: more states than this are too many for an interpreter that takes its time
MAX_STATES = 400

Step = tuple[str, int]


class TooLarge(Exception):
    """A machine has too many states."""


@dataclass(frozen=True)
class Lts:
    """State 0 is initial; the steps of a state are a list without duplicates, ERROR has none."""

    alphabet: frozenset[str]
    steps: tuple[tuple[Step, ...], ...]
    ends: frozenset[int] = frozenset()

    @property
    def transitions(self) -> int:
        return sum(len(steps) for steps in self.steps)


def lts(
    alphabet: Iterable[str], successors: Callable[[object], Iterable[tuple[str, object]]], start: object
) -> tuple[Lts, dict[object, int]]:
    """What is reachable from a start, numbered in order of discovery; the target None is ERROR."""
    numbers: dict[object, int] = {start: 0}
    queue = [start]
    rows: list[tuple[Step, ...]] = []
    for state in queue:
        row: list[Step] = []
        for label, target in successors(state):
            if target is not None and target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
                if len(queue) > MAX_STATES:
                    raise TooLarge
            row.append((label, ERROR if target is None else numbers[target]))
        rows.append(tuple(dict.fromkeys(row)))
    return Lts(frozenset(alphabet), tuple(rows)), numbers


def reachable(machine: Lts) -> Lts:
    """The same without what cannot be reached; the alphabet stays."""
    found, numbers = lts(
        machine.alphabet,
        lambda s: [(a, None if t == ERROR else t) for a, t in machine.steps[s]],  # type: ignore[call-overload]
        0,
    )
    return replace(found, ends=frozenset(numbers[s] for s in machine.ends if s in numbers))


def relabelled(machine: Lts, rename: Callable[[str], list[str]]) -> Lts:
    """Each label becomes one or several; tau stays what it is."""
    rows = tuple(
        tuple(dict.fromkeys((new, t) for a, t in row for new in ([TAU] if a == TAU else rename(a))))
        for row in machine.steps
    )
    return replace(
        machine, alphabet=frozenset(new for a in machine.alphabet for new in rename(a)), steps=rows
    )


def prefixes_of(label: str) -> list[str]:
    """The label itself and all its dotted prefixes, longest first."""
    parts = label.split(".")
    return [".".join(parts[:length]) for length in range(len(parts), 0, -1)]


def renaming(pairs: Sequence[tuple[str, str]]) -> Callable[[str], list[str]]:
    """What (new, old) pairs make of a label: the longest old one that is a prefix of it counts."""

    def rename(label: str) -> list[str]:
        for old in prefixes_of(label):
            news = list(dict.fromkeys(new for new, other in pairs if other == old))
            if news:
                return [new + label[len(old) :] for new in news]
        return [label]

    return rename


def hidden(machine: Lts, labels: Iterable[str], exposes: bool) -> Lts:
    """The labels that match (or, exposing, those that do not) become tau and leave the alphabet."""
    chosen = set(labels)

    def disappears(label: str) -> bool:
        return any(prefix in chosen for prefix in prefixes_of(label)) != exposes

    rows = tuple(
        tuple(dict.fromkeys((TAU if a != TAU and disappears(a) else a, t) for a, t in row))
        for row in machine.steps
    )
    return replace(machine, alphabet=frozenset(a for a in machine.alphabet if not disappears(a)), steps=rows)


def completed(machine: Lts) -> Lts:
    """As a property: what a state does not allow goes to ERROR; END is nothing special any more.

    One that goes to ERROR by itself at the start is wrong whatever happens, as a process that is ERROR.
    """
    if any(label == TAU for label, _ in machine.steps[0]):
        return machine
    rows = tuple(
        row + tuple((a, ERROR) for a in sorted(machine.alphabet) if all(a != b for b, _ in row))
        for row in machine.steps
    )
    return Lts(machine.alphabet, rows)


# ---------------------------------------------------------------- composition


@dataclass(frozen=True)
class Preference:
    """Labels that come before all others, or after them."""

    labels: frozenset[str]
    is_high: bool

    def kept(self, steps: Sequence[tuple[str, object]]) -> list[tuple[str, object]]:
        chosen = [s for s in steps if s[0] != TAU and any(p in self.labels for p in prefixes_of(s[0]))]
        others = [s for s in steps if s not in chosen]
        return (chosen or others) if self.is_high else (others or chosen)


def composed(machines: Sequence[Lts], preference: Preference | None = None) -> Lts:
    """All machines at once: a label takes everybody who has it in the alphabet, tau takes one."""
    alphabet = frozenset().union(*(m.alphabet for m in machines)) if machines else frozenset()

    def successors(state: object) -> list[tuple[str, object]]:
        assert isinstance(state, tuple)
        found: list[tuple[str, object]] = []
        for label in sorted(alphabet):
            offers: list[list[int]] = []
            for machine, local in zip(machines, state, strict=True):
                here = [t for a, t in machine.steps[local] if a == label]
                offers.append(here if label in machine.alphabet else [local])
            found += [(label, None if ERROR in targets else targets) for targets in product(*offers)]
        for i, (machine, local) in enumerate(zip(machines, state, strict=True)):
            for target in [t for a, t in machine.steps[local] if a == TAU]:
                found.append((TAU, None if target == ERROR else (*state[:i], target, *state[i + 1 :])))
        return preference.kept(found) if preference else found

    made, numbers = lts(alphabet, successors, tuple(0 for _ in machines))
    ends = {
        number
        for state, number in numbers.items()
        if not made.steps[number] and _terminates(machines, state)  # type: ignore[arg-type]
    }
    return replace(made, ends=frozenset(ends))


def _terminates(machines: Sequence[Lts], state: tuple[int, ...]) -> bool:
    """Whoever can end has ended, and no other machine has an action of its own.

    For the second part a machine that starts at its END counts as one that cannot end.
    """
    if any(m.ends and local not in m.ends for m, local in zip(machines, state, strict=True)):
        return False
    ending = frozenset(a for m in machines if m.ends and 0 not in m.ends for a in m.alphabet)
    others = frozenset(a for m in machines if not m.ends or 0 in m.ends for a in m.alphabet)
    return others <= ending and any(m.ends for m in machines)


# ---------------------------------------------------------------- reductions


def refined(machine: Lts, moves: Callable[[int], Iterable[tuple[str, int]]]) -> dict[int, int]:
    """The coarsest partition, ERROR apart, in which equal states can move to equal classes."""
    everything = [ERROR, *range(len(machine.steps))]
    kind = {s: int(s == ERROR) for s in everything}
    while True:
        signature = {s: (kind[s], frozenset((a, kind[t]) for a, t in moves(s))) for s in everything}
        order = {value: number for number, value in enumerate(dict.fromkeys(signature.values()))}
        finer = {s: order[signature[s]] for s in everything}
        if len(set(finer.values())) == len(set(kind.values())):
            return kind
        kind = finer


def tau_closure(machine: Lts, states: Iterable[int]) -> frozenset[int]:
    found = list(dict.fromkeys(states))
    for state in found:
        if state != ERROR:
            found += [t for a, t in machine.steps[state] if a == TAU and t not in found]
    return frozenset(found)


def strong_moves(machine: Lts) -> Callable[[int], list[tuple[str, int]]]:
    """The steps; that a state is the END counts as one that all can see."""

    def moves(state: int) -> list[tuple[str, int]]:
        if state == ERROR:
            return []
        return [*machine.steps[state], *([(ENDED, state)] if state in machine.ends else [])]

    return moves


def quotient(machine: Lts, classes: dict[int, int]) -> Lts:
    """One state for each class."""
    rows: dict[int, list[tuple[str, int]]] = {}
    for state, row in enumerate(machine.steps):
        here = rows.setdefault(classes[state], [])
        here += [(a, classes[t]) for a, t in row]
    made, numbers = lts(
        machine.alphabet,
        lambda c: [(a, None if d == classes[ERROR] else d) for a, d in rows[c]],  # type: ignore[index]
        classes[0],
    )
    return replace(made, ends=frozenset(numbers[classes[s]] for s in machine.ends if classes[s] in numbers))


def deterministic(machine: Lts) -> Lts:
    """The same traces without tau and choice, with as few states as can be; ERROR swallows its fellows."""

    def successors(state: object) -> list[tuple[str, object]]:
        assert isinstance(state, frozenset)
        found: list[tuple[str, object]] = []
        if ERROR in state:
            return [(TAU, None)]
        for label in sorted({a for s in state for a, _ in machine.steps[s]} - {TAU}):
            targets = tau_closure(machine, [t for s in state for a, t in machine.steps[s] if a == label])
            found.append((label, None if ERROR in targets else targets))
        return found

    made, _ = lts(machine.alphabet, successors, tau_closure(machine, [0]))
    return quotient(made, refined(made, strong_moves(made)))
