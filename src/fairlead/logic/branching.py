"""Represents formulas of CTL* as they are checked: `E` is the only path quantifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.logic.ltl import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    chain,
    children,
    fold,
    operands,
    subformulas,
)
from fairlead.logic.normal_form import NormalForms

#: some execution from here is fair
FAIR_PATH = Exists(Always(TRUE))


def existential(formula: Formula) -> Formula:
    """The same meaning by `!`, `&&`, `||` and `E`, with negations only before atoms and before `E`.

    A path formula is X p, p U q or G p over formulas about states wherever these equivalences lead there, and
    in negation normal form elsewhere. They hold because the fairness of a path depends on its suffixes only.

        A f = !E !f                       E (f || g) = E f || E g        E (p && f) = p && E f
        E X f = E X E f                   E F f = E(true U E f)          E(p U f) = E(p U E f)
        E(p W f) = E(p U f) || E G p      E(f R p) = E(p U (E f && p)) || E G p
        E p = p && E G true
    """
    return _ExistentialForms().normal(formula)


def negation(formula: Formula) -> Formula:
    """The negation of a formula in existential form, in existential form."""
    return _ExistentialForms().negate(formula)


def is_ctl(formula: Formula) -> bool:
    """Whether a formula in existential form has no path formulas but X p, p U q and G p about states."""
    about_states = StateFormulas()
    return all(
        about_states.make_path(node.operand) for node in subformulas(formula) if isinstance(node, Exists)
    )


def letters_of(path: Formula, about_states: StateFormulas) -> tuple[Formula, ...]:
    """The formulas about states in a path formula that are part of no other, left to right."""
    found: dict[Formula, None] = {}
    pending = [path]
    while pending:
        node = pending.pop()
        if about_states(node):
            found.setdefault(node)
        else:
            pending += reversed(children(node))
    return tuple(found)


def with_letters(path: Formula, about_states: StateFormulas, letter: Callable[[Formula], Formula]) -> Formula:
    """A path formula with a letter in the place of each formula about states that is part of no other."""

    def parts(node: Formula) -> tuple[Formula, ...]:
        return () if about_states(node) else children(node)

    def replaced(node: Formula, parts: list[Formula]) -> Formula:
        return type(node)(*parts) if parts else letter(node)

    return fold({}, path, replaced, parts)


class StateFormulas:
    """Which formulas are about states: no temporal operator without a path quantifier above it."""

    def __init__(self) -> None:
        self.known: dict[Formula, bool] = {}

    def __call__(self, formula: Formula) -> bool:
        return fold(self.known, formula, self._compute, _outside_quantifiers)

    def make_path(self, path: Formula) -> bool:
        """Whether a path formula is one of CTL: X p, p U q or G p with formulas about states."""
        return isinstance(path, Next | Until | Always) and all(map(self, children(path)))

    def _compute(self, node: Formula, parts: list[bool]) -> bool:
        return isinstance(node, Atom | Constant | Exists | Not) or (isinstance(node, And | Or) and all(parts))


def _outside_quantifiers(node: Formula) -> Iterable[Formula]:
    return () if isinstance(node, Exists | Not) else children(node)


class _ExistentialForms(NormalForms):
    """Existential forms of state formulas and negation normal forms of path formulas, each computed once."""

    def __init__(self) -> None:
        super().__init__()
        self.about_states = StateFormulas()
        self.existences: dict[Formula, Formula] = {TRUE: FAIR_PATH, FALSE: FALSE}

    def _normal_node(self, node: Formula, parts: list[Formula]) -> Formula:
        match node:
            case Exists():
                return self.exists(parts[0])
            case ForAll():
                return self.negate(self.exists(self.negate(parts[0])))
            case WeakUntil():
                return WeakUntil(parts[0], parts[1])
        return super()._normal_node(node, parts)

    def negate(self, formula: Formula) -> Formula:
        """The negation of a formula in normal form, in normal form."""
        return fold(self.negations, formula, self._negate_node, _outside_quantifiers)

    def _negate_node(self, node: Formula, parts: list[Formula]) -> Formula:
        match node:
            case Exists():
                return Not(node)
            case WeakUntil():
                return Until(parts[1], And(parts[0], parts[1]))
        return super()._negate_node(node, parts)

    def exists(self, path: Formula) -> Formula:
        """`E path` for a path formula in normal form."""
        return fold(self.existences, path, self._exists_node, self._parts)

    def _parts(self, path: Formula) -> tuple[Formula, ...]:
        """The path formulas on whose existence that of a path depends."""
        match path:
            case _ if self.about_states(path):
                return ()
            case Or(left, right):
                return (left, right)
            case And():
                states, rest = self._divided(path)
                return (rest,) if states else ()
            case Next(operand) | Eventually(operand):
                return self._unless_about_states(operand)
            case Until(left, right) | WeakUntil(left, right) if self.about_states(left):
                return self._unless_about_states(right)
            case Release(left, right) if self.about_states(right):
                return self._unless_about_states(left)
        return ()

    def _unless_about_states(self, path: Formula) -> tuple[Formula, ...]:
        return () if self.about_states(path) else (path,)

    def _exists_node(self, path: Formula, parts: list[Formula]) -> Formula:
        match path:
            case _ if self.about_states(path):
                return And(path, FAIR_PATH)
            case Or():
                return Or(parts[0], parts[1])
            case And():
                states, _ = self._divided(path)
                return And(chain(And, states), parts[0]) if states else Exists(path)
            case Next(operand):
                return Exists(Next(parts[0] if parts else operand))
            case Eventually(operand):
                return Exists(Until(TRUE, parts[0] if parts else operand))
            case Until(left, right) if self.about_states(left):
                return Exists(Until(left, parts[0] if parts else right))
            case WeakUntil(left, right) if self.about_states(left):
                return Or(Exists(Until(left, parts[0] if parts else right)), Exists(Always(left)))
            case Release(left, right) if self.about_states(right):
                released = And(parts[0] if parts else left, right)
                return Or(Exists(Until(right, released)), Exists(Always(right)))
        return Exists(path)

    def _divided(self, conjunction: Formula) -> tuple[list[Formula], Formula]:
        """The conjuncts about states, and the conjunction of the others."""
        parts = operands(conjunction, And)
        states = [part for part in parts if self.about_states(part)]
        return states, chain(And, [part for part in parts if not self.about_states(part)])
