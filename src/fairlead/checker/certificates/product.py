"""The product of a system with the automaton of violations, explored for a certificate."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.base.allowance import tick
from fairlead.base.records import dataclass
from fairlead.certify.expansion import Expansion
from fairlead.certify.questions import sorted_atoms
from fairlead.checker.certificates.explored import Explored
from fairlead.checker.certificates.tableau import ViolationAutomaton, violation_automaton
from fairlead.logic import ltl
from fairlead.logic.ltl import Atom, Formula
from fairlead.model.assertion import Enabled, Meaning, Ready
from fairlead.model.system import Proposition

#: the number of the step by which a state idles
IDLE = -1
#: the action of idling: no proposition names it
NO_ACTION = -1


@dataclass(frozen=True)
class Step:
    """A step of the product: the node it leads to, which step of the state it takes, with which action, and
    the acceptance sets it is in."""

    target: int
    edge: int
    action: int
    marks: int


class ProductGraph:
    """Nodes by number, each with the state of the system and that of the automaton."""

    def __init__(self, explored: Explored, formula: Formula, meanings: Mapping[Atom, Meaning]) -> None:
        self.explored = explored
        atoms = ltl.atoms(formula)
        self._meanings = [meanings[atom] for atom in atoms]
        self._on_states = [isinstance(meaning, Proposition | Enabled | Ready) for meaning in self._meanings]
        self._by_action: dict[int, int] = {}
        self._by_state: dict[int, int] = {}
        self.automaton: ViolationAutomaton = violation_automaton(Expansion(formula, sorted_atoms(atoms)))
        #: the state of the system and that of the automaton
        self.nodes: list[tuple[int, int]] = []
        self.steps: list[list[Step]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._explore()

    def _explore(self) -> None:
        edges = self.automaton.edges
        for state in self.explored.initial:
            letter = self._state_letter(state)
            for edge in edges[0]:
                if edge.reads(letter):
                    self._number(state, edge.target)
        for state, beside in self.nodes:
            tick()
            row: list[Step] = []
            steps = self.explored.rows[state]
            for number, (action, target) in enumerate(steps) if steps else ((IDLE, (NO_ACTION, state)),):
                letter = self._state_letter(target) | self._action_letter(action)
                row += [
                    Step(self._number(target, edge.target), number, action, edge.marks)
                    for edge in edges[beside]
                    if edge.reads(letter)
                ]
            self.steps.append(row)

    def _number(self, state: int, beside: int) -> int:
        node = state, beside
        found = self._numbers.setdefault(node, len(self.nodes))
        if found == len(self.nodes):
            self.nodes.append(node)
        return found

    def _state_letter(self, state: int) -> int:
        if state not in self._by_state:
            self._by_state[state] = self._letter(None, state, True)
        return self._by_state[state]

    def _action_letter(self, action: int) -> int:
        if action == NO_ACTION:
            return 0
        if action not in self._by_action:
            self._by_action[action] = self._letter(action, 0, False)
        return self._by_action[action]

    def _letter(self, action: int | None, state: int, on_states: bool) -> int:
        return sum(
            1 << place
            for place, meaning in enumerate(self._meanings)
            if self._on_states[place] is on_states and self.explored.is_true(meaning, action, state)
        )
