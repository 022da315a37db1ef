"""The truth of branching formulas in all states of a system, subformula by subformula."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.engine import _native
from fairlead.engine.atoms import EngineAtoms
from fairlead.engine.automaton import engine_automaton
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.branching import StateFormulas, letters_of, with_letters
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    AtomKind,
    Constant,
    Exists,
    Formula,
    Next,
    Not,
    Or,
    Until,
    chain,
    children,
    fold,
)
from fairlead.logic.rewrite import simplify
from fairlead.model.assertion import Enabled, Meaning, Ready
from fairlead.model.system import Proposition
from fairlead.search.target import IDLE_ACTION, RawLasso, RawSteps, Target


class Labelling:
    """Formulas in existential form on a complete graph; each subformula is computed once."""

    def __init__(
        self,
        target: Target,
        graph: _native.Graph,
        meanings: Mapping[Atom, Meaning],
        fairness: _native.Fairness,
        *,
        idles: bool,
        always_continues: bool,
    ) -> None:
        atoms = EngineAtoms(graph, target.proposition)
        self._atoms = {atom: atoms.add(meaning) for atom, meaning in meanings.items()}
        self._step_atoms = {
            self._atoms[atom]: atom
            for atom, meaning in meanings.items()
            if not isinstance(meaning, Proposition | Enabled | Ready)
        }
        self.native = _native.Labelling(atoms.native, fairness, idles, always_continues)
        #: whether every finite path continues to a fair one, so that it need not be shown
        self.always_continues = idles and always_continues
        self._about_states = StateFormulas()
        self._numbers: dict[Formula, int] = {}
        self._after: dict[tuple[int, int], int] = {}

    def label(self, formula: Formula) -> int:
        """The engine's number of a formula about states, labelled if it was not yet."""
        return fold(self._numbers, formula, self._label, self._parts)

    def is_path_of_ctl(self, path: Formula) -> bool:
        """Whether a path formula is X p, p U q or G p with formulas about states."""
        return self._about_states.make_path(path)

    def holds(self, formula: Formula, state: int, action: int = IDLE_ACTION) -> bool:
        """Whether a formula holds in a state that was entered by an action."""
        return self.native.holds(self.label(formula), state, action)

    def states(self, formula: Formula) -> tuple[list[int], list[int]]:
        """Where a formula holds whatever the step into the state, and where after some steps only."""
        return self.native.states(self.label(formula))

    def counts(self, formula: Formula) -> tuple[int, int]:
        """How many states these are."""
        return self.native.counts(self.label(formula))

    @property
    def is_always_fair(self) -> bool:
        """Whether some path from every state is fair."""
        return self.native.is_always_fair

    def is_fair(self, state: int) -> bool:
        """Whether some path from a state is fair."""
        return self.native.is_fair(state)

    def way(self, state: int, p: Formula, q: Formula) -> RawSteps:
        """A shortest way to a position with q on a fair path, over positions with p; at least one step."""
        return self.native.way(state, self.label(p), self.label(q))

    def fair_path(self, state: int, p: Formula) -> RawLasso:
        """A fair path from a state, with p at all positions after the first."""
        return self.native.fair_path(state, self.label(p))

    def accepted_path(self, state: int, action: int, formula: Exists) -> RawLasso:
        """A fair path that shows a formula whose path is not one of CTL."""
        return self.native.accepted_path(state, action, self.label(formula))

    def _parts(self, formula: Formula) -> tuple[Formula, ...]:
        """The formulas about states that have to be labelled before."""
        return (
            letters_of(formula.operand, self._about_states)
            if isinstance(formula, Exists)
            else children(formula)
        )

    def _label(self, formula: Formula, parts: list[int]) -> int:
        native = self.native
        match formula:
            case Constant(value):
                return native.constant(value)
            case Atom():
                return native.atom(self._atoms[formula])
            case Not():
                return native.negation(parts[0])
            case And():
                return native.conjunction(parts[0], parts[1])
            case Or():
                return native.disjunction(parts[0], parts[1])
            case Exists(path) if not self.is_path_of_ctl(path):
                return self._any_path(path)
            case Exists(Next(p)):
                return native.next(self._numbers[p])
            case Exists(Always(p)):
                return native.always(self._numbers[p])
            case Exists(Until(p, q)):
                return native.until(self._numbers[p], self._numbers[q])
        raise AssertionError(f"not in existential form: {formula}")

    # ------------------------------------------------------------ path formulas that are not of CTL

    def _any_path(self, path: Formula) -> int:
        """`E path` by an automaton for the path, which reads the state formulas as letters."""
        letters: dict[Formula, tuple[bool, int]] = {}

        def letter(part: Formula) -> Formula:
            number = self._numbers[part]
            if not self.native.reads_steps(number):
                return self._state_letter(letters, number)
            # what depends on the step into the state is one thing after each kind of step
            cases: list[Formula] = []
            for place, kind in enumerate(self.native.kinds):
                there = self._state_letter(letters, self._given(number, place))
                cases.append(And(self._step_letters(letters, kind), there))
            return chain(Or, cases)

        read = with_letters(path, self._about_states, letter)
        automaton = reduce(to_automaton(simplify(read)))
        return self.native.accepted(engine_automaton(automaton), [letters[atom] for atom in automaton.atoms])

    def _given(self, number: int, kind: int) -> int:
        if (number, kind) not in self._after:
            self._after[number, kind] = self.native.after(number, kind)
        return self._after[number, kind]

    def _state_letter(self, letters: dict[Formula, tuple[bool, int]], number: int) -> Formula:
        atom = Atom(f"formula {number}", AtomKind.QUOTED)
        letters[atom] = (False, number)
        return atom

    def _step_letters(self, letters: dict[Formula, tuple[bool, int]], kind: list[int]) -> Formula:
        """That a step is of a kind: which step atoms are true after it, and which are not."""
        literals: list[Formula] = []
        for number in self._step_atoms:
            atom = Atom(f"step {number}", AtomKind.QUOTED)
            letters[atom] = (True, number)
            literals.append(atom if number in kind else Not(atom))
        return chain(And, literals)
