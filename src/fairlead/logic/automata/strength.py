"""Classifies a property: its class in the temporal hierarchy, and the strength of an automaton.

Classes are those of Chang, Manna & Pnueli (ICALP 1992); the syntactic test and the
division of automata into terminal, weak and strong ones follow Černá & Pelánek (MFCS 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from fairlead.logic import ltl, rewrite
from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.ltl import Always, And, Eventually, Formula, Next, Or, Release, Until
from fairlead.model.components import strong_components


class PropertyClass(Enum):
    """The temporal hierarchy; a property is given the lowest class that is seen to contain it."""

    SAFETY = "safety"  # a violation shows after finitely many steps
    GUARANTEE = "guarantee"  # satisfaction shows after finitely many steps
    OBLIGATION = "obligation"  # boolean combination of the two
    RECURRENCE = "recurrence"  # like []<>p
    PERSISTENCE = "persistence"  # like <>[]p
    REACTIVITY = "reactivity"  # boolean combination of the two


class AutomatonStrength(Enum):
    """What has to be searched for to find an accepting run."""

    TERMINAL = "terminal"  # a reachable state that accepts every word: reachability
    WEAK = "weak"  # a cycle through certain states: no acceptance sets to collect
    STRONG = "strong"  # a cycle that meets every acceptance set


class _Classes(NamedTuple):
    """To which classes a formula belongs."""

    safety: bool
    guarantee: bool
    obligation: bool
    recurrence: bool
    persistence: bool


def is_stutter_invariant(formula: Formula) -> bool:
    """Whether repeating letters cannot change the truth of a formula, judged by the absence of X."""
    return not any(isinstance(node, Next) for node in ltl.subformulas(formula))


def classify(
    formula: Formula, automaton: Automaton | None = None, negated: Automaton | None = None
) -> PropertyClass:
    """The class of a property, by its syntax and by the automata of it and of its negation where given."""
    safety, guarantee, obligation, recurrence, persistence = _syntactic_classes(rewrite.simplify(formula))
    if automaton is not None:
        safety = safety or _is_closed(automaton)
        guarantee = guarantee or strength(automaton) is AutomatonStrength.TERMINAL
        # a weak nondeterministic automaton has an equivalent deterministic co-Büchi automaton
        persistence = persistence or strength(automaton) is not AutomatonStrength.STRONG
    if negated is not None:
        guarantee = guarantee or _is_closed(negated)
        safety = safety or strength(negated) is AutomatonStrength.TERMINAL
        recurrence = recurrence or strength(negated) is not AutomatonStrength.STRONG
    if safety:
        return PropertyClass.SAFETY
    if guarantee:
        return PropertyClass.GUARANTEE
    if obligation or (recurrence and persistence):
        return PropertyClass.OBLIGATION
    if recurrence:
        return PropertyClass.RECURRENCE
    return PropertyClass.PERSISTENCE if persistence else PropertyClass.REACTIVITY


def _syntactic_classes(formula: Formula) -> _Classes:
    results: dict[Formula, _Classes] = {}
    for node in ltl.subformulas(formula):
        results[node] = _classes_of_node(node, [results[child] for child in ltl.children(node)])
    return results[formula]


def _classes_of_node(node: Formula, parts: list[_Classes]) -> _Classes:
    match node:
        case And() | Or():
            return _Classes(*(a and b for a, b in zip(*parts, strict=True)))
        case Next():
            return parts[0]
        case Eventually():
            (f,) = parts
            return _Classes(False, f.guarantee, f.guarantee, f.guarantee, f.persistence)
        case Always():
            (f,) = parts
            return _Classes(f.safety, False, f.safety, f.recurrence, f.safety)
        case Until():
            f, g = parts
            return _Classes(
                safety=False,
                guarantee=f.guarantee and g.guarantee,
                obligation=f.obligation and g.guarantee,
                recurrence=f.recurrence and g.guarantee,
                persistence=f.persistence and g.persistence,
            )
        case Release():
            f, g = parts
            return _Classes(
                safety=f.safety and g.safety,
                guarantee=False,
                obligation=f.obligation and g.safety,
                recurrence=f.recurrence and g.recurrence,
                persistence=f.persistence and g.safety,
            )
    return _Classes(True, True, True, True, True)  # literals and constants


def strength(automaton: Automaton) -> AutomatonStrength:
    """The strength of an automaton, seen best after reduction."""
    universal = universal_states(automaton)
    accepting = automaton.accepting_components
    if all(state in universal for c in accepting for state in automaton.components[c]):
        return AutomatonStrength.TERMINAL
    if all(not needed_sets(automaton, c) for c in accepting):
        return AutomatonStrength.WEAK
    return AutomatonStrength.STRONG


def _is_closed(automaton: Automaton) -> bool:
    """Whether every infinite run is accepting: then every word outside has a prefix that no run reads."""
    trimmed = automaton.trim()
    return all(
        c in trimmed.accepting_components and not needed_sets(trimmed, c)
        for c in range(len(trimmed.components))
        if trimmed.inner_transitions(c)
    )


def needed_sets(automaton: Automaton, component: int) -> tuple[int, ...]:
    """Acceptance sets that suffice to tell accepting runs within an accepting component; few, if not fewest.

    A set can be left out if no cycle avoids it and still meets all the others.
    """
    inner = [(source, t.target, t.marks) for source, t in automaton.inner_transitions(component)]
    needed = automaton.all_marks
    for place in range(automaton.acceptance_sets):
        others = needed & ~(1 << place)
        avoiding = [edge for edge in inner if not edge[2] >> place & 1]
        if not _has_cycle_with(avoiding, others):
            needed = others
    return tuple(place for place in range(automaton.acceptance_sets) if needed >> place & 1)


def _has_cycle_with(edges: list[tuple[int, int, int]], wanted: int) -> bool:
    nodes = {node: n for n, node in enumerate(dict.fromkeys(node for edge in edges for node in edge[:2]))}
    successors: list[list[int]] = [[] for _ in nodes]
    for source, target, _ in edges:
        successors[nodes[source]].append(nodes[target])
    component_of = [0] * len(nodes)
    for number, component in enumerate(strong_components(len(nodes), successors.__getitem__)):
        for node in component:
            component_of[node] = number
    met: dict[int, int] = {}
    for source, target, marks in edges:
        home = component_of[nodes[source]]
        if home == component_of[nodes[target]]:
            met[home] = met.get(home, 0) | marks
    return any(marks & wanted == wanted for marks in met.values())


def universal_states(automaton: Automaton) -> frozenset[int]:
    """States seen to accept every word; for a terminal automaton, those whose reachability decides.

    First the largest set in which every letter has a step that stays in the set and makes progress (so that
    always taking such steps is accepting), then whatever cannot help reaching that set.
    """
    component_of = automaton.component_of
    demanded: dict[int, int] = {}
    for c in automaton.accepting_components:
        demanded[c] = sum(1 << place for place in needed_sets(automaton, c))
    progress: list[list[tuple[int, int, int]]] = []
    for state, row in enumerate(automaton.transitions):
        home = component_of[state]
        progress.append(
            [
                (t.positive, t.negative, t.target)
                for t in row
                if component_of[t.target] != home or (home in demanded and not demanded[home] & ~t.marks)
            ]
        )
    sources: list[set[int]] = [set() for _ in automaton.states]
    for state, row in enumerate(automaton.transitions):
        for t in row:
            sources[t.target].add(state)
    universal = set(automaton.states)
    pending = list(automaton.states)
    while pending:
        state = pending.pop()
        if state in universal and not covers_everything(
            [(p, n) for p, n, t in progress[state] if t in universal]
        ):
            universal.remove(state)
            pending += sources[state]
    pending = [source for state in universal for source in sources[state]]
    while pending:
        state = pending.pop()
        inevitable = [(t.positive, t.negative) for t in automaton.transitions[state] if t.target in universal]
        if state not in universal and covers_everything(inevitable):
            universal.add(state)
            pending += sources[state]
    return frozenset(universal)


def covers_everything(cubes: Sequence[tuple[int, int]]) -> bool:
    """Whether every letter satisfies one of the cubes (positive, negative), by splitting on an atom."""
    stack = [list(cubes)]
    while stack:
        remaining = stack.pop()
        if any(not positive and not negative for positive, negative in remaining):
            continue
        # a cube with k literals covers 2^-k of the letters
        if sum(0.5 ** (positive | negative).bit_count() for positive, negative in remaining) < 1:
            return False
        literals = remaining[0][0] | remaining[0][1]
        atom = literals & -literals
        stack.append([(p & ~atom, n) for p, n in remaining if not n & atom])
        stack.append([(p, n & ~atom) for p, n in remaining if not p & atom])
    return True
