"""Converts formulas to negation normal form: negations only before atoms."""

from __future__ import annotations

from fairlead.logic.ltl import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Binary,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    children,
    fold,
    subformulas,
)


def not_normal(node: Formula) -> TypeError:
    """The error for a formula that should be in negation normal form."""
    return TypeError(f"not in negation normal form: {node}")


class NormalForms:
    """Negation normal forms and their negations, each computed once."""

    def __init__(self) -> None:
        self.negations: dict[Formula, Formula] = {TRUE: FALSE, FALSE: TRUE}

    def normal(self, formula: Formula) -> Formula:
        """The same meaning with negations only before atoms, by && || X U R <> [] alone."""
        results: dict[Formula, Formula] = {}
        for node in subformulas(formula):
            results[node] = self._normal_node(node, [results[child] for child in children(node)])
        return results[formula]

    def _normal_node(self, node: Formula, parts: list[Formula]) -> Formula:
        match node:
            case Not():
                return self.negate(parts[0])
            case Implies():
                return Or(self.negate(parts[0]), parts[1])
            case Iff():
                (a, b), (not_a, not_b) = parts, [self.negate(part) for part in parts]
                agree, differ = Or(And(a, b), And(not_a, not_b)), Or(And(a, not_b), And(not_a, b))
                # the dual of `agree` is equivalent to `differ`, but multiplies out into twice as many cases
                self.negations.setdefault(agree, differ)
                self.negations.setdefault(differ, agree)
                return agree
            case WeakUntil():
                return Release(parts[1], Or(parts[0], parts[1]))
            case Binary():
                return type(node)(parts[0], parts[1])
            case Next() | Eventually() | Always():
                return type(node)(parts[0])
        return node

    def negate(self, formula: Formula) -> Formula:
        """The negation of a formula in normal form, in normal form."""
        return fold(self.negations, formula, self._negate_node)

    def _negate_node(self, node: Formula, parts: list[Formula]) -> Formula:
        match node:
            case Atom():
                negated: Formula = Not(node)
            case Not(operand):
                return operand
            case Next():
                negated = Next(parts[0])
            case Eventually():
                negated = Always(parts[0])
            case Always():
                negated = Eventually(parts[0])
            case And():
                negated = Or(parts[0], parts[1])
            case Or():
                negated = And(parts[0], parts[1])
            case Until():
                negated = Release(parts[0], parts[1])
            case Release():
                negated = Until(parts[0], parts[1])
            case _:
                raise not_normal(node)
        self.negations.setdefault(negated, node)
        return negated
