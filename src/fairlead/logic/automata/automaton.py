"""Represents Büchi automata with several acceptance sets on transitions (TGBA)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.logic.ltl import Atom
from fairlead.model.components import reachable, strong_components


@dataclass(frozen=True, slots=True)
class Transition:
    """A step, allowed where the atoms of `positive` are true and those of `negative` false."""

    positive: int  # bit i: atom i
    negative: int
    target: int
    marks: int  # bit i: this step belongs to acceptance set i

    def allows(self, letter: int) -> bool:
        """Whether the guard holds for a letter (bit i: atom i is true)."""
        return letter & self.positive == self.positive and not letter & self.negative


@dataclass(frozen=True)
class Automaton:
    """Accepts a word iff some run on it meets every acceptance set infinitely often.

    The letter at position 0 of the word is read by a transition from `initial`.
    """

    atoms: tuple[Atom, ...]
    initial: int
    transitions: tuple[tuple[Transition, ...], ...]
    acceptance_sets: int

    @property
    def states(self) -> range:
        return range(len(self.transitions))

    @property
    def all_marks(self) -> int:
        return (1 << self.acceptance_sets) - 1

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """The maximal strongly connected components, each after all those it can reach."""
        return strong_components(
            len(self.transitions), lambda state: [t.target for t in self.transitions[state]]
        )

    @cached_property
    def component_of(self) -> tuple[int, ...]:
        """For each state, the index of its component."""
        index = [0] * len(self.transitions)
        for number, component in enumerate(self.components):
            for state in component:
                index[state] = number
        return tuple(index)

    def inner_transitions(self, component: int) -> list[tuple[int, Transition]]:
        """The transitions (with their source) that stay in a component."""
        index = self.component_of
        return [
            (state, t)
            for state in self.components[component]
            for t in self.transitions[state]
            if index[t.target] == component
        ]

    def is_accepting_component(self, component: int) -> bool:
        """Whether a run can stay in a component and be accepting."""
        inner = self.inner_transitions(component)
        marks = 0
        for _, transition in inner:
            marks |= transition.marks
        return bool(inner) and marks & self.all_marks == self.all_marks

    @cached_property
    def accepting_components(self) -> frozenset[int]:
        """The components in which a run can be accepting."""
        return frozenset(c for c in range(len(self.components)) if self.is_accepting_component(c))

    def trim(self) -> Automaton:
        """The same language without states that are unreachable or lie on no accepting run.

        A language without words is left as one state without transitions.
        """
        useful = [False] * len(self.transitions)
        for number, component in enumerate(self.components):
            alive = number in self.accepting_components or any(
                useful[t.target] for state in component for t in self.transitions[state]
            )
            for state in component:
                useful[state] = alive
        kept = [
            state
            for state in reachable(self.initial, lambda s: [t.target for t in self.transitions[s]])
            if useful[state]
        ]
        if not kept:
            return Automaton(self.atoms, 0, ((),), self.acceptance_sets)
        number_of = {state: number for number, state in enumerate(kept)}
        rows = tuple(
            tuple(
                Transition(t.positive, t.negative, number_of[t.target], t.marks)
                for t in self.transitions[state]
                if t.target in number_of
            )
            for state in kept
        )
        return Automaton(self.atoms, 0, rows, self.acceptance_sets)

    def accepts_lasso(self, stem: Sequence[int], loop: Sequence[int]) -> bool:
        """Whether the word stem loop loop … is accepted; letters are bit masks over `atoms`."""
        letters = [*stem, *loop]
        length = len(letters)

        def steps(node: int) -> list[tuple[int, int]]:
            state, place = divmod(node, length)
            following = place + 1 if place + 1 < length else len(stem)
            letter = letters[place]
            return [
                (t.target * length + following, t.marks) for t in self.transitions[state] if t.allows(letter)
            ]

        nodes = reachable(self.initial * length, lambda node: [target for target, _ in steps(node)])
        number_of = {node: number for number, node in enumerate(nodes)}
        rows = [[(number_of[target], marks) for target, marks in steps(node)] for node in nodes]
        for component in strong_components(len(rows), lambda n: [target for target, _ in rows[n]]):
            members = set(component)
            inner = [marks for n in component for target, marks in rows[n] if target in members]
            met = 0
            for marks in inner:
                met |= marks
            if inner and met & self.all_marks == self.all_marks:
                return True
        return False
