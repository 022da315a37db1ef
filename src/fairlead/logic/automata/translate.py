"""Translates LTL into Büchi automata with acceptance sets on transitions.

A tableau in the manner of Couvreur (FM 1999): a state is a set of formulas that must hold from here on; a
transition satisfies all of them for one letter, and says what must hold next and which eventualities it has
put off ("promises"). A transition belongs to the acceptance set of an eventuality iff it does not put it off.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import NoReturn

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.tuning import tuning
from fairlead.logic import ltl, rewrite
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.ltl import Always, And, Atom, Constant, Eventually, Formula, Next, Not, Or, Release, Until
from fairlead.logic.normal_form import not_normal

STATE_LIMIT = 20_000
TRANSITION_LIMIT = 400_000

# One way to satisfy formulas now, as bits of a mask: from the lowest bit on, the atoms that must be true,
# those that must be false, the eventualities put off, the formulas owed next. So the union of two masks is
# the move that satisfies both, and a move whose bits are a subset of another's is possible whenever the other
# is, owes no more and puts off no more.
_Move = int


def to_automaton(formula: Formula, state_limit: int = STATE_LIMIT) -> Automaton:
    """An automaton that accepts exactly the words that satisfy the formula."""
    return _Tableau(rewrite.simplify(formula), ltl.atoms(formula), state_limit).automaton()


def _too_large(what: str) -> NoReturn:
    message = f"the automaton of this formula {what}"
    hint = "check the parts of the formula one at a time"
    raise LimitReached((Diagnostic(Code.LIMIT, message, hint=hint),))


class _Tableau:
    def __init__(self, formula: Formula, atoms: tuple[Atom, ...], state_limit: int) -> None:
        self.formula = formula
        self.atoms = atoms
        self.state_limit = state_limit
        self.comparisons = 0
        self.tuning = tuning()
        self.comparison_limit = self.tuning.move_comparisons
        self.atom_mask = (1 << len(atoms)) - 1
        self.bit_of_atom: dict[Formula, int] = {atom: 1 << place for place, atom in enumerate(atoms)}
        self.promise_shift = 2 * len(atoms)
        # every eventuality is a subformula, or the part of one disjunction that is eventual
        self.promise_width = 2 * sum(1 for _ in ltl.subformulas(formula))
        self.promise_of: dict[Formula, int] = {}
        self.owed_shift = self.promise_shift + self.promise_width
        self.bit_of: dict[Formula, int] = {}  # formulas that states are made of
        self.members: list[Formula] = []
        self.recurrences = 0  # those members that are []<>f
        self.covering = 0  # those members that cover others
        self.covered_by: dict[int, int] = {}
        self.moves_of: dict[Formula, list[_Move]] = {}

    def automaton(self) -> Automaton:
        start = self.owe(self.formula) >> self.owed_shift
        number_of = {start: 0}
        pending = [start]
        rows: list[list[_Move]] = []
        count = used = 0
        for state in pending:
            moves = self.moves_of_state(state)
            rows.append(moves)
            count += len(moves)
            for move in moves:
                used |= move
                owed = move >> self.owed_shift
                if owed not in number_of:
                    number_of[owed] = len(pending)
                    pending.append(owed)
            if len(pending) > self.state_limit:
                _too_large(f"has more than {self.state_limit:,} states")
            if count > TRANSITION_LIMIT:
                _too_large(f"has more than {TRANSITION_LIMIT:,} transitions")
        kept = [bit for bit in self.promise_of.values() if bit & used]
        transitions = tuple(tuple(self.transition(move, number_of, kept) for move in row) for row in rows)
        return Automaton(self.atoms, 0, transitions, len(kept))

    def transition(self, move: _Move, number_of: dict[int, int], promises: list[int]) -> Transition:
        marks = sum(1 << place for place, bit in enumerate(promises) if not move & bit)
        negative = move >> len(self.atoms) & self.atom_mask
        return Transition(move & self.atom_mask, negative, number_of[move >> self.owed_shift], marks)

    def owe(self, formula: Formula) -> _Move:
        """The move that demands nothing now, and a formula (as the set of its conjuncts) next."""
        owed = 0
        for part in ltl.operands(formula, And):
            if part == ltl.TRUE:
                continue
            owed |= self.member(part)
        return owed << self.owed_shift

    def member(self, formula: Formula) -> int:
        """The bit of a formula that states are made of."""
        stack = [formula]
        while stack:
            node = stack[-1]
            missing = [part for part in _covered(node) if part not in self.bit_of]
            if missing:
                stack += missing
            elif node in self.bit_of:
                stack.pop()
            else:
                self.add_member(stack.pop())
        return self.bit_of[formula]

    def add_member(self, formula: Formula) -> None:
        bit = self.bit_of[formula] = 1 << len(self.members)
        self.members.append(formula)
        if _is_recurrence(formula):
            self.recurrences |= bit
        covered = 0
        for part in _covered(formula):
            own = self.bit_of[part]
            covered |= own | self.covered_by.get(own, 0)
        if covered:
            self.covering |= bit
            self.covered_by[bit] = covered

    def lean(self, move: _Move) -> _Move:
        """The move without what it owes twice: whatever satisfies `f R g` satisfies `g` in the same way.

        Without this, a chain of n releases has 2^n states. The omitted formula must not be an eventuality:
        `[]<>f` satisfies `<>f`, but could put it off forever, one after the other.
        """
        covering = move >> self.owed_shift & self.covering
        covered = 0
        while covering:
            bit = covering & -covering
            covering ^= bit
            covered |= self.covered_by[bit]
        return move & ~(covered << self.owed_shift)

    def promise(self, eventuality: Formula) -> _Move:
        place = self.promise_shift + len(self.promise_of)
        return self.promise_of.setdefault(eventuality, 1 << place)

    def put_off(self, eventuality: Formula) -> _Move:
        return self.owe(eventuality) | self.promise(eventuality)

    def moves_of_state(self, state: int) -> list[_Move]:
        moves = [0]
        recurrences = state & self.recurrences
        if recurrences.bit_count() > self.tuning.joint_recurrences:
            moves = self.one_recurrence_at_a_time(recurrences)
            state &= ~recurrences
        while state:
            place = (state & -state).bit_length() - 1
            state &= state - 1
            moves = self.product([moves, self.moves(self.members[place])])
        return moves

    def one_recurrence_at_a_time(self, recurrences: int) -> list[_Move]:
        """Moves for many []<>f together, each answering at most one of them.

        Answering every subset needs exponentially many moves; a word with infinitely many answers to each
        can be read so that each move counts only one.
        """
        formulas = [self.members[p] for p in range(recurrences.bit_length()) if recurrences >> p & 1]
        wait = 0
        for formula in formulas:
            wait |= self.put_off(formula)
        moves = [wait]
        for formula in formulas:
            goal = ltl.children(ltl.children(formula)[0])[0]
            moves += self.product([[wait & ~self.promise(formula)], self.moves(goal)])
        return self.undominated(moves)

    def moves(self, formula: Formula) -> list[_Move]:
        """The moves of one formula; operands are done first, on a stack of our own."""
        stack = [formula]
        while stack:
            node = stack[-1]
            if node in self.moves_of:
                stack.pop()
                continue
            missing = [part for part in _needed(node) if part not in self.moves_of]
            if missing:
                stack += missing
            else:
                self.moves_of[stack.pop()] = self.expand(node)
        return self.moves_of[formula]

    def expand(self, node: Formula) -> list[_Move]:
        parts = [self.moves_of[part] for part in _needed(node)]
        match node:
            case Constant(value):
                return [0] if value else []
            case Atom():
                return [self.bit_of_atom[node]]
            case Not(operand):
                return [self.bit_of_atom[operand] << len(self.atoms)]
            case Next(operand):
                return [self.owe(operand)]
            case And():
                return self.product(parts)
            case Or():
                moves = [move for part in parts for move in part]
                return self.undominated([*moves, self.put_off(node)] if _is_open_choice(node) else moves)
            case Always(Eventually()):
                # f infinitely often: at each step see f begin to hold, or put it off. No <>f need be
                # remembered, since the obligation itself never ends.
                return self.undominated([*self.product([*parts, [self.owe(node)]]), self.put_off(node)])
            case Eventually():
                return self.undominated([*parts[0], self.put_off(node)])
            case Always():
                return self.product([*parts, [self.owe(node)]])
            case Until():
                return self.undominated([*parts[1], *self.product([parts[0], [self.put_off(node)]])])
            case Release():
                goes_on = self.product([parts[1], [self.owe(node)]])
                return self.undominated([*self.product(parts), *goes_on])
        raise not_normal(node)

    def product(self, factors: list[list[_Move]]) -> list[_Move]:
        """All ways to make one move of each factor at once."""
        result = [0]
        atom_count, mask = len(self.atoms), self.atom_mask
        for factor in factors:
            self.work(len(result) * len(factor))
            joined = [a | b for a in result for b in factor]
            if self.covering:
                joined = [self.lean(move) for move in joined]
            result = self.undominated([move for move in joined if not move & move >> atom_count & mask])
        return result

    def undominated(self, moves: list[_Move]) -> list[_Move]:
        """The moves not covered by another one (Gastin & Oddoux, CAV 2001, section 5).

        Dropping the others is safe: a state with fewer obligations accepts at least the same words, and a run
        that meets each goal as soon as it can puts nothing off forever, in the smaller set as in the larger.
        """
        kept: list[_Move] = []
        # a covering move has fewer bits, so it stands before those it covers
        for move in sorted(dict.fromkeys(moves), key=int.bit_count):
            missing = ~move
            for other in kept:
                if not other & missing:
                    break
            else:
                kept.append(move)
                self.work(len(kept))
        limit = self.tuning.move_limit
        if len(kept) > limit:
            _too_large(f"has more than {limit:,} transitions from one state")
        return kept

    def work(self, comparisons: int) -> None:
        self.comparisons += comparisons
        if self.comparisons > self.comparison_limit:
            _too_large("takes too long to build")


def _needed(node: Formula) -> Iterable[Formula]:
    """The formulas whose moves those of `node` are made of."""
    match node:
        case Next() | Not():
            return ()
        case Always(Eventually(goal)):
            return (goal,)
        case Or():
            parts = ltl.operands(node, Or)
            if _is_open_choice(node):
                return [_settled(part) for part in parts]
            open_parts = [part for part in parts if rewrite.is_eventual(part)]
            if len(open_parts) > 1:
                return [*(part for part in parts if part not in open_parts), reduce(Or, open_parts)]
            return parts
        case And():
            return ltl.operands(node, And)
    return ltl.children(node)


def _covered(formula: Formula) -> Iterable[Formula]:
    """Formulas whose moves are part of every move of `formula` while it is owed, and that put nothing off."""
    match formula:
        case Release(_, operand) | Always(operand):
            parts = ltl.operands(operand, And)
            return [part for part in parts if isinstance(part, Release | Always) and not _is_recurrence(part)]
    return ()


def _is_recurrence(formula: Formula) -> bool:
    return isinstance(formula, Always) and isinstance(formula.operand, Eventually)


def _is_open_choice(formula: Formula) -> bool:
    """Whether all parts of a disjunction are eventual: f || g is <>(f || g), so a run may choose later."""
    return isinstance(formula, Or) and rewrite.is_eventual(formula)


def _settled(part: Formula) -> Formula:
    """What a part of an open choice demands once chosen: f for <>f, since waiting is possible anyway."""
    return part.operand if isinstance(part, Eventually) else part
