"""Compositional minimisation: machines are composed step by step, and each part is made small at once.

What only a part uses is hidden in it, unless it is to stay visible; then the part is minimised, and only then
composed with others. docs/explanation/minimisation.md says what is kept, and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from fairlead.model.machine import Machine, ending_machines, hidden
from fairlead.model.machine_operations import composed, union_of_alphabets
from fairlead.reduce.bisimulation import Equivalence, minimised


def reduced(
    machines: Sequence[Machine],
    visible: frozenset[str],
    equivalence: Equivalence = Equivalence.WEAK,
    *,
    name: str = "",
    max_states: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Machine:
    """A small machine equivalent to the composition of machines in which all but `visible` is hidden.

    For the weak equivalences the parts are minimised up to DIVERGENCE, which every composition keeps; the
    whole may then lose the internal cycles that it can leave. Raises `LimitReached` if a part gets more than
    `max_states` states while it is composed.
    """
    inner = Equivalence.STRONG if equivalence is Equivalence.STRONG else Equivalence.DIVERGENCE
    mark = _fresh_label(machines)
    # the place in the text of a transition of the small machine is not needed
    plain = [replace(machine, origins=()) for machine in machines]
    given = _with_visible_end(plain, mark) or [composed(())]
    parts = [minimised(part, inner, tick=tick) for part in _hide_local(given, visible, mark)]
    while len(parts) > 1:
        tick()
        first, second = _best_pair(parts, visible)
        joined = composed([parts[first], parts[second]], max_states=max_states, tick=tick)
        rest = [part for index, part in enumerate(parts) if index not in (first, second)]
        parts = _hide_local([joined, *rest], visible, mark)
        parts[0] = minimised(parts[0], inner, tick=tick)
    whole = _with_end(parts[0], mark)
    order = [label for label in union_of_alphabets(machines) if label in visible]
    return replace(minimised(whole, equivalence, tick=tick), name=name, alphabet=tuple(order))


# ---------------------------------------------------------------- termination

# Whether a composition has terminated is a question about all of its machines, not about pairs of them. So
# each machine shows that it is at its END by a loop, all loops together being one action.


def _fresh_label(machines: Sequence[Machine]) -> str:
    mark = "end"
    used = set(union_of_alphabets(machines))
    while mark in used:
        mark += "'"
    return mark


def _with_visible_end(machines: Sequence[Machine], mark: str) -> list[Machine]:
    """The machines with a loop instead of END, if the composition can terminate at all."""
    if ending_machines(machines) is None:
        return [replace(machine, end=None) for machine in machines]
    return [_looping(machine, mark) for machine in machines]


def _looping(machine: Machine, mark: str) -> Machine:
    if machine.end is None:
        return machine
    rows = list(machine.transitions)
    rows[machine.end] = ((mark, machine.end),)
    return replace(machine, alphabet=(*machine.alphabet, mark), transitions=tuple(rows), end=None)


def _with_end(machine: Machine, mark: str) -> Machine:
    """The machine with END where nothing but the loops is left; they are gone."""
    end = None
    rows = []
    for state, steps in enumerate(machine.transitions):
        kept = tuple((label, target) for label, target in steps if label != mark)
        if steps and not kept:
            end = state  # the only one, since the machine is minimal
        rows.append(kept)
    alphabet = tuple(label for label in machine.alphabet if label != mark)
    return replace(machine, alphabet=alphabet, transitions=tuple(rows), end=end)


# ---------------------------------------------------------------- parts


def _hide_local(machines: Sequence[Machine], visible: frozenset[str], mark: str) -> list[Machine]:
    """The machines, each with what only it uses hidden."""
    owners = Counter(label for machine in machines for label in dict.fromkeys(machine.alphabet))
    kept = visible | {mark}
    return [
        hidden(machine, {label for label in machine.alphabet if owners[label] == 1 and label not in kept})
        for machine in machines
    ]


def _best_pair(parts: Sequence[Machine], visible: frozenset[str]) -> tuple[int, int]:
    """The two parts to join next: small ones, that share much, most of it with no other part."""
    owners = Counter(label for part in parts for label in part.alphabet)
    alphabets = [frozenset(part.alphabet) for part in parts]

    def cost(pair: tuple[int, int]) -> float:
        shared = alphabets[pair[0]] & alphabets[pair[1]]
        local = sum(1 for label in shared if owners[label] == 2 and label not in visible)
        size = parts[pair[0]].state_count * parts[pair[1]].state_count
        return size / (1 + len(shared) + 2 * local)

    return min(combinations(range(len(parts)), 2), key=cost)
