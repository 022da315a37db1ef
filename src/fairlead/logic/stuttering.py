"""Whether steps that a formula does not see can change its truth, decided with automata.

A step is seen if it changes a state proposition of the formula, or is one of the events it names. An unseen
step adds a position like the one before it, but without an event. Leaving out `X` is not enough where events
are named: `G F !a` is true as soon as an invisible step occurs infinitely often between two a.

The test is that of Michaud & Duret-Lutz (SPIN 2015) for this kind of stuttering: add unseen positions to the
words of one automaton, and see whether the automaton of the negation accepts one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Atom, Formula, Next, Not, atoms, subformulas
from fairlead.logic.rewrite import simplify
from fairlead.model.components import reachable, strong_components

#: formulas whose test would look at more than so many letters of so many states are taken to see everything
LARGEST = 100_000


class FirstPosition(Enum):
    """What is known of the first position of a word."""

    NO_EVENT = "no step has led to it"
    ANY_EVENT = "it may be after a step"


def ignores_unseen_steps(
    formula: Formula, step_atoms: Set[Atom], first: FirstPosition = FirstPosition.NO_EVENT
) -> bool:
    """Whether unseen steps leave the truth of a formula as it is; False also if that is too hard to tell."""
    if step_atoms.isdisjoint(atoms(formula)) and not any(
        isinstance(node, Next) for node in subformulas(formula)
    ):
        return True
    positive, negative = (reduce(to_automaton(simplify(part))) for part in (formula, Not(formula)))
    alphabet = _Alphabet(tuple(dict.fromkeys((*positive.atoms, *negative.atoms))), step_atoms, first)
    size = len(positive.states) * len(negative.states) << (2 * len(alphabet.atoms))
    if size > LARGEST:
        return False
    pairs = ((positive, negative), (negative, positive))
    return not any(_Lengthened(own, other, alphabet).has_word() for own, other in pairs)


@dataclass(frozen=True)
class _Alphabet:
    """Letters are bit masks over the atoms of both automata."""

    atoms: tuple[Atom, ...]
    step_atoms: Set[Atom]
    first: FirstPosition

    @property
    def letters(self) -> range:
        return range(1 << len(self.atoms))

    @property
    def events(self) -> int:
        """The atoms that are about a step."""
        return sum(1 << number for number, atom in enumerate(self.atoms) if atom in self.step_atoms)

    def places(self, automaton: Automaton) -> tuple[int, ...]:
        """Where the atoms of an automaton are in the letters."""
        return tuple(self.atoms.index(atom) for atom in automaton.atoms)


#: states of both automata, and the last letter without its events (None at the start)
_Node = tuple[int, int, int | None]


class _Lengthened:
    """The words of one automaton with unseen positions added, that another automaton accepts."""

    def __init__(self, own: Automaton, other: Automaton, alphabet: _Alphabet) -> None:
        self._own = own
        self._other = other
        self._alphabet = alphabet
        self._own_places = alphabet.places(own)
        self._other_places = alphabet.places(other)

    def has_word(self) -> bool:
        """Whether there is such a word, with infinitely many positions that were not added."""
        start: _Node = (self._own.initial, self._other.initial, None)
        rows: dict[_Node, list[tuple[_Node, int]]] = {}

        def following(node: _Node) -> list[_Node]:
            rows[node] = list(self._steps(node))
            return [target for target, _ in rows[node]]

        reachable(start, following)
        numbers = {node: number for number, node in enumerate(rows)}
        edges = [[(numbers[target], marks) for target, marks in row] for row in rows.values()]
        wanted = (1 << self._own.acceptance_sets + self._other.acceptance_sets + 1) - 1
        for component in strong_components(len(edges), lambda node: [target for target, _ in edges[node]]):
            members = set(component)
            met = 0
            for node in component:
                for target, marks in edges[node]:
                    met |= marks if target in members else 0
            if met == wanted:
                return True
        return False

    def _steps(self, node: _Node) -> Iterator[tuple[_Node, int]]:
        own, other, last = node
        events = self._alphabet.events
        for letter in self._alphabet.letters:
            if last is None and letter & events and self._alphabet.first is FirstPosition.NO_EVENT:
                continue
            followed = list(_moves(self._other, other, letter, self._other_places))
            if letter == last:  # an unseen position: only the other automaton reads it
                for target, marks in followed:
                    yield (own, target, last), marks << self._own.acceptance_sets + 1
            for own_target, own_marks in _moves(self._own, own, letter, self._own_places):
                for target, marks in followed:
                    met = 1 | own_marks << 1 | marks << self._own.acceptance_sets + 1
                    yield (own_target, target, letter & ~events), met


def _moves(
    automaton: Automaton, state: int, letter: int, places: tuple[int, ...]
) -> Iterator[tuple[int, int]]:
    own = sum((letter >> place & 1) << number for number, place in enumerate(places))
    for transition in automaton.transitions[state]:
        if transition.allows(own):
            yield transition.target, transition.marks
