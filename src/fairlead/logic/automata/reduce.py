"""Makes automata smaller without changing their language.

States are merged and transitions dropped by direct simulation (Etessami, Wilke & Schuller, ICALP 2001; for
acceptance on transitions Babiak et al., SPIN 2013), letter by letter; acceptance sets are renumbered
within each component, where only those count that a cycle could avoid.
"""

from __future__ import annotations

from functools import lru_cache

from fairlead.base.tuning import tuning
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.automata.strength import needed_sets, universal_states

# For each state, the letters that lead to a target with some marks.
_Row = dict[tuple[int, int], int]


def reduce(automaton: Automaton) -> Automaton:
    """An automaton for the same language, not larger and usually smaller."""
    letter_atoms = tuning().letter_atoms
    current = _with_clean_marks(_with_one_universal_state(automaton.trim()))
    current = _merge_bisimilar(current)
    if len(current.atoms) <= letter_atoms:
        current = _simulation_reduced(current)
    current = _merge_bisimilar(_with_fewest_sets(current))
    while len(current.atoms) <= letter_atoms:
        smaller = _simulation_reduced(_with_one_universal_state(current))
        smaller = _with_fewest_sets(smaller)
        if _size(smaller) >= _size(current):
            break
        current = smaller
    return _with_one_universal_state(current)


def _size(automaton: Automaton) -> tuple[int, int, int]:
    steps = sum(len(row) for row in automaton.transitions)
    return len(automaton.transitions), steps, automaton.acceptance_sets


# ---- acceptance ------------------------------------------------------------------------------------------


def _with_clean_marks(automaton: Automaton) -> Automaton:
    """All marks on steps between components (they happen finitely often), none in rejecting components."""
    component_of, accepting = automaton.component_of, automaton.accepting_components

    def marks(home: int, transition: Transition) -> int:
        if component_of[transition.target] != home:
            return automaton.all_marks
        return transition.marks if home in accepting else 0

    rows = tuple(
        tuple(
            Transition(t.positive, t.negative, t.target, marks(component_of[state], t))
            for t in automaton.transitions[state]
        )
        for state in automaton.states
    )
    return Automaton(automaton.atoms, automaton.initial, rows, automaton.acceptance_sets)


def _with_fewest_sets(automaton: Automaton) -> Automaton:
    """Only as many acceptance sets as the most demanding component needs.

    Which set gets which number may differ from component to component, since no run that counts for
    acceptance leaves its component.
    """
    automaton = automaton.trim()
    component_of = automaton.component_of
    needed = {c: needed_sets(automaton, c) for c in automaton.accepting_components}
    rejecting_cycle = any(
        c not in needed and automaton.inner_transitions(c) for c in range(len(automaton.components))
    )
    count = max([len(sets) for sets in needed.values()] + [int(rejecting_cycle)])
    everything = (1 << count) - 1

    def marks(home: int, transition: Transition) -> int:
        if home not in needed or component_of[transition.target] != home:
            return 0
        sets = needed[home]
        missing = sum(1 << new for new, old in enumerate(sets) if not transition.marks >> old & 1)
        return everything & ~missing

    rows = tuple(
        tuple(
            dict.fromkeys(
                Transition(t.positive, t.negative, t.target, marks(component_of[state], t))
                for t in automaton.transitions[state]
            )
        )
        for state in automaton.states
    )
    return Automaton(automaton.atoms, automaton.initial, rows, count)


# ---- merging ---------------------------------------------------------------------------------------------


def _with_one_universal_state(automaton: Automaton) -> Automaton:
    """One state with a loop for all letters in place of all states that accept every word."""
    universal = universal_states(automaton)
    if not universal:
        return automaton
    top = min(universal)
    loop = Transition(0, 0, top, automaton.all_marks)
    rows: list[tuple[Transition, ...]] = []
    for state, row in enumerate(automaton.transitions):
        if state in universal:
            rows.append((loop,))
            continue
        moved = (
            Transition(t.positive, t.negative, top, automaton.all_marks) if t.target in universal else t
            for t in row
        )
        rows.append(tuple(dict.fromkeys(moved)))
    initial = top if automaton.initial in universal else automaton.initial
    return Automaton(automaton.atoms, initial, tuple(rows), automaton.acceptance_sets).trim()


def _merge_bisimilar(automaton: Automaton) -> Automaton:
    """Merges states with the same guards, marks and, in turn, merged targets.

    Goes through the components from the last to the first, so that long chains take one pass; states of
    different cycles are left to simulation.
    """
    replacement = list(automaton.states)
    known: dict[frozenset[tuple[int, int, int, int]], int] = {}
    for component in automaton.components:
        class_of = dict.fromkeys(component, component[0])
        count = 0
        while len(set(class_of.values())) > count:
            count = len(set(class_of.values()))
            classes: dict[tuple[int, frozenset[tuple[int, int, int, int]]], int] = {}
            class_of = {
                state: classes.setdefault(
                    (class_of[state], _signature(automaton, state, replacement, class_of)), state
                )
                for state in component
            }
        for state in component:
            replacement[state] = class_of[state]
        for state in component:
            replacement[state] = known.setdefault(
                _signature(automaton, state, replacement, {}), replacement[state]
            )
    return _redirected(automaton, replacement)


def _signature(
    automaton: Automaton, state: int, replacement: list[int], class_of: dict[int, int]
) -> frozenset[tuple[int, int, int, int]]:
    return frozenset(
        (t.positive, t.negative, class_of.get(t.target, replacement[t.target]), t.marks)
        for t in automaton.transitions[state]
    )


def _redirected(automaton: Automaton, replacement: list[int]) -> Automaton:
    """Every step into a state leads to its replacement instead."""
    rows = tuple(
        tuple(dict.fromkeys(Transition(t.positive, t.negative, replacement[t.target], t.marks) for t in row))
        for row in automaton.transitions
    )
    return Automaton(automaton.atoms, replacement[automaton.initial], rows, automaton.acceptance_sets).trim()


# ---- simulation ------------------------------------------------------------------------------------------


def _simulation_reduced(automaton: Automaton) -> Automaton:
    """Merges states that simulate each other, and drops letters from steps that a better step covers."""
    automaton = _with_clean_marks(automaton)
    rows = _letter_rows(automaton)
    if sum(len(row) for row in rows) > tuning().simulation_transitions:
        return automaton
    simulators = _direct_simulation(rows)
    if simulators is None:
        return automaton
    representative = [
        next(s for s in automaton.states if simulators[state] >> s & 1 and simulators[s] >> state & 1)
        for state in automaton.states
    ]
    merged: list[_Row] = []
    for row in rows:
        moved: _Row = {}
        for (target, marks), letters in row.items():
            key = (representative[target], marks)
            moved[key] = moved.get(key, 0) | letters
        merged.append(_without_covered(moved, simulators))
    result = _from_letter_rows(automaton, merged, representative[automaton.initial])
    return _merge_transient(result.trim())


def _direct_simulation(rows: list[_Row]) -> list[int] | None:
    """For each state, the set (bit mask) of states that can answer each of its steps, for each letter, by a
    step with at least the same marks to a state that again can do so: the largest such relation.

    None if it takes too long to find: a relation that is still too large must not be used.
    """
    comparisons, limit = 0, tuning().simulation_comparisons
    everyone = (1 << len(rows)) - 1
    simulators = [everyone] * len(rows)
    dirty = set(range(len(rows)))
    while dirty:
        changed: set[int] = set()
        for state, row in enumerate(rows):
            if not any(target in dirty for target, _ in row):
                continue
            kept = 0
            candidates = simulators[state]
            comparisons += candidates.bit_count()
            if comparisons > limit:
                return None
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                if _answers(rows[bit.bit_length() - 1], row, simulators):
                    kept |= bit
            if kept != simulators[state]:
                simulators[state] = kept
                changed.add(state)
        dirty = changed
    return simulators


def _answers(answering: _Row, asking: _Row, simulators: list[int]) -> bool:
    for (target, marks), letters in asking.items():
        allowed = simulators[target]
        for (other_target, other_marks), other_letters in answering.items():
            if allowed >> other_target & 1 and not marks & ~other_marks:
                letters &= ~other_letters
                if not letters:
                    break
        if letters:
            return False
    return True


def _without_covered(row: _Row, simulators: list[int]) -> _Row:
    """Each step keeps the letters for which no other step has more marks and leads to a simulating state.

    Targets are representatives, so no two steps cover each other and of each chain the best one stays.
    """
    kept: _Row = {}
    for (target, marks), letters in row.items():
        for (other_target, other_marks), other_letters in row.items():
            better = (other_target, other_marks) != (target, marks)
            if better and simulators[target] >> other_target & 1 and not marks & ~other_marks:
                letters &= ~other_letters
        if letters:
            kept[target, marks] = letters
    return kept


def _merge_transient(automaton: Automaton) -> Automaton:
    """Replaces a state on no cycle by one with the same steps, whatever their marks: it is passed once."""
    known: dict[tuple[tuple[int, int], ...], int] = {}
    transient: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    for state, row in enumerate(_letter_rows(automaton)):
        by_target: dict[int, int] = {}
        for (target, _), letters in row.items():
            by_target[target] = by_target.get(target, 0) | letters
        key = tuple(sorted(by_target.items()))
        if automaton.inner_transitions(automaton.component_of[state]):
            known.setdefault(key, state)
        else:
            transient.append((state, key))
    replacement = list(automaton.states)
    for state, key in transient:
        replacement[state] = known.setdefault(key, state)
    return _redirected(automaton, replacement) if replacement != list(automaton.states) else automaton


# ---- sets of letters -------------------------------------------------------------------------------------


def _letter_rows(automaton: Automaton) -> list[_Row]:
    count = len(automaton.atoms)
    rows: list[_Row] = []
    for transitions in automaton.transitions:
        row: _Row = {}
        for t in transitions:
            key = (t.target, t.marks)
            row[key] = row.get(key, 0) | _letters(t.positive, t.negative, count)
        rows.append(row)
    return rows


def _from_letter_rows(automaton: Automaton, rows: list[_Row], initial: int) -> Automaton:
    count = len(automaton.atoms)
    transitions = tuple(
        tuple(
            Transition(positive, negative, target, marks)
            for (target, marks), letters in row.items()
            for positive, negative in _cubes(letters, letters, count)[0]
        )
        for row in rows
    )
    return Automaton(automaton.atoms, initial, transitions, automaton.acceptance_sets)


@lru_cache(maxsize=64)
def _letters_with(atom: int, count: int) -> int:
    """The letters in which an atom is true."""
    return sum(1 << letter for letter in range(1 << count) if letter >> atom & 1)


@lru_cache(maxsize=4096)
def _letters(positive: int, negative: int, count: int) -> int:
    """The letters that satisfy a cube."""
    everything = letters = (1 << (1 << count)) - 1
    for atom in range(count):
        if positive >> atom & 1:
            letters &= _letters_with(atom, count)
        if negative >> atom & 1:
            letters &= everything ^ _letters_with(atom, count)
    return letters


def _cubes(lower: int, upper: int, count: int) -> tuple[list[tuple[int, int]], int]:
    """Cubes, none of them needless, that cover at least `lower` and at most `upper`; and what they cover.

    Minato's irredundant sums of products (SASIMI 1992); the recursion is as deep as there are atoms.
    """
    everything = (1 << (1 << count)) - 1
    if not lower:
        return [], 0
    if upper == everything:
        return [(0, 0)], everything
    atom = count - 1
    while _cofactors(lower, atom, count)[0] == lower and _cofactors(upper, atom, count)[0] == upper:
        atom -= 1
    lower0, lower1 = _cofactors(lower, atom, count)
    upper0, upper1 = _cofactors(upper, atom, count)
    cubes0, covered0 = _cubes(lower0 & ~upper1, upper0, count)
    cubes1, covered1 = _cubes(lower1 & ~upper0, upper1, count)
    rest = (lower0 & ~covered0) | (lower1 & ~covered1)
    common, covered = _cubes(rest, upper0 & upper1, count)
    cubes = [(p, n | 1 << atom) for p, n in cubes0] + [(p | 1 << atom, n) for p, n in cubes1] + common
    true = _letters_with(atom, count)
    return cubes, (covered0 & ~true) | (covered1 & true) | covered


def _cofactors(letters: int, atom: int, count: int) -> tuple[int, int]:
    """The letters that are in the set once an atom is made false, and once it is made true."""
    true = _letters_with(atom, count)
    with_true, with_false = letters & true, letters & ~true
    shift = 1 << atom
    return with_false | with_false << shift, with_true | with_true >> shift
