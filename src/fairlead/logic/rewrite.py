"""Negation normal form, and simplification by equivalences that make automata smaller.

The rules come from Somenzi & Bloem (CAV 2000), from Etessami & Holzmann (CONCUR 2000: pure eventualities and
universalities) and from Babiak et al. (TACAS 2012: alternating formulas). Each is an equivalence on infinite
words; only one of each pair of dual rules is written down, the other is obtained through negation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.logic.ltl import (
    FALSE,
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    Until,
    chain,
    children,
    fold,
    operands,
    subformulas,
)
from fairlead.logic.normal_form import NormalForms

# Implication is tested between all operands of a conjunction up to this many; beyond it only equal and
# complementary operands are found.
_PAIRWISE_LIMIT = 24
# Longer chains of reasons are not searched for: the answer may be "not known", never wrongly "yes".
_REASONING_DEPTH = 40
# Formulas with more distinct subformulas are only put into negation normal form.
_SIZE_LIMIT = 3000


def negation_normal_form(formula: Formula) -> Formula:
    """The same meaning with negations only before atoms, by && || X U R <> [] alone."""
    return NormalForms().normal(formula)


def negation(formula: Formula) -> Formula:
    """The negation of a formula, in negation normal form."""
    return NormalForms().normal(Not(formula))


def simplify(formula: Formula) -> Formula:
    """An equivalent formula in negation normal form that is usually smaller and never much larger."""
    plain = negation_normal_form(formula)
    best = plain
    try:
        for _ in range(3):
            if sum(1 for _ in subformulas(best)) > _SIZE_LIMIT:
                return best
            simpler = _Rewriter().simplified(best)
            if simpler == best:
                break
            best = simpler
    except RecursionError:
        # rules that pull an operator out of another one recurse; a formula too deep for that stays as it is
        return best
    return best


def implies(left: Formula, right: Formula) -> bool:
    """Whether simple reasons show that every word of `left` is a word of `right` (both in normal form)."""
    return _Rewriter().implies(left, right)


def is_eventual(formula: Formula) -> bool:
    """Whether, by its syntax, a formula (in normal form) that holds at some position also holds before it."""
    return _Rewriter().purity(formula)[0]


def is_universal(formula: Formula) -> bool:
    """Whether, by its syntax, a formula (in normal form) that holds at some position also holds after it."""
    return _Rewriter().purity(formula)[1]


class _Rewriter:
    """The rules, with the memories that keep them from being applied twice to a shared subformula."""

    def __init__(self) -> None:
        self.negate = NormalForms().negate
        self.purities: dict[Formula, tuple[bool, bool]] = {}
        self.implications: dict[tuple[Formula, Formula], bool] = {}

    # ---- what syntax tells about meaning ---------------------------------------------------------------

    def purity(self, formula: Formula) -> tuple[bool, bool]:
        """Whether a formula is eventual (f = <>f) and whether it is universal (f = []f)."""
        return fold(self.purities, formula, _purity_of_node)

    def eventual(self, formula: Formula) -> bool:
        return self.purity(formula)[0]

    def universal(self, formula: Formula) -> bool:
        return self.purity(formula)[1]

    def suspendable(self, formula: Formula) -> bool:
        return all(self.purity(formula))

    def implies(self, left: Formula, right: Formula, depth: int = _REASONING_DEPTH) -> bool:
        if left in (right, FALSE) or right == TRUE:
            return True
        if depth == 0 or left == TRUE or right == FALSE:
            return False
        key = (left, right)
        known = self.implications.get(key)
        if known is None:
            # while a question is open its answer counts as "not known"
            self.implications[key] = False
            known = self._implies_by_left(left, right, depth - 1) or self._implies_by_right(
                left, right, depth - 1
            )
            self.implications[key] = known
        return known

    def _implies_by_left(self, left: Formula, right: Formula, depth: int) -> bool:
        """Reasons that take `left` apart; most are of the form: left implies x, and x implies right."""
        match left:
            case Or(a, b):
                return self.implies(a, right, depth) and self.implies(b, right, depth)
            case And(a, b):
                if self.implies(a, right, depth) or self.implies(b, right, depth):
                    return True
            case Always(a) if self.implies(a, right, depth):
                return True
            case Eventually(a) if self.eventual(right) and self.implies(a, right, depth):
                return True
            case Next(a):
                if isinstance(right, Next) and self.implies(a, right.operand, depth):
                    return True
                if self.eventual(right) and self.implies(a, right, depth):
                    return True
            case Until(a, b):
                if self.implies(b, right, depth) and (self.eventual(right) or self.implies(a, right, depth)):
                    return True
                if isinstance(right, Until) and self.implies(a, right.left, depth):
                    return self.implies(b, right, depth)
            case Release(a, b):
                if self.implies(b, right, depth):
                    return True
                if isinstance(right, Release) and self.implies(b, right.right, depth):
                    return self.implies(a, right.left, depth)
        return False

    def _implies_by_right(self, left: Formula, right: Formula, depth: int) -> bool:
        match right:
            case And(a, b):
                return self.implies(left, a, depth) and self.implies(left, b, depth)
            case Or(a, b):
                return self.implies(left, a, depth) or self.implies(left, b, depth)
            case Eventually(a):
                return self.implies(left, a, depth)
            case Always(a):
                return self.universal(left) and self.implies(left, a, depth)
            case Next(a):
                return self.universal(left) and self.implies(left, a, depth)
            case Until(_, b):
                return self.implies(left, b, depth)
            case Release(a, b):
                return self.implies(left, b, depth) and (self.universal(left) or self.implies(left, a, depth))
        return False

    # ---- simplification --------------------------------------------------------------------------------

    def simplified(self, formula: Formula) -> Formula:
        """One pass of the rules from the atoms upwards."""
        results: dict[Formula, Formula] = {}
        return fold(results, formula, self._simplify_node, _parts_of_chain)

    def _simplify_node(self, node: Formula, parts: list[Formula]) -> Formula:
        match node:
            case And():
                return self.conjunction(parts)
            case Or():
                return self.disjunction(parts)
            case Next():
                return self.next(parts[0])
            case Eventually():
                return self.eventually(parts[0])
            case Always():
                return self.always(parts[0])
            case Until():
                return self.until(parts[0], parts[1])
            case Release():
                return self.release(parts[0], parts[1])
        return node

    def disjunction(self, parts: Iterable[Formula]) -> Formula:
        return self.negate(self.conjunction([self.negate(part) for part in parts]))

    def always(self, operand: Formula) -> Formula:
        return self.negate(self.eventually(self.negate(operand)))

    def release(self, left: Formula, right: Formula) -> Formula:
        return self.negate(self.until(self.negate(left), self.negate(right)))

    def next(self, operand: Formula) -> Formula:
        if self.suspendable(operand):
            return operand
        for operator, join in ((And, self.conjunction), (Or, self.disjunction)):
            if isinstance(operand, operator):
                fixed, rest = _split(operands(operand, operator), self.suspendable)
                if fixed:
                    return join([self.next(join(rest)), *fixed])
        return Next(operand)

    def eventually(self, operand: Formula) -> Formula:
        if self.eventual(operand):
            return operand
        steps, operand = _without_next(operand)
        if steps:
            return self._next_times(steps, self.eventually(operand))
        match operand:
            case Until(_, goal):
                return self.eventually(goal)
            case And():
                fixed, rest = _split(operands(operand, And), self.suspendable)
                if fixed:
                    return self.conjunction([self.eventually(self.conjunction(rest)), *fixed])
            case Or():
                return self._eventually_one_of(operands(operand, Or))
            case Always(Until(a, b)):
                # from some point on, a U b: infinitely often b, and a or b all the time
                return self.conjunction(
                    [self.always(self.eventually(b)), self.eventually(self.always(self.disjunction([a, b])))]
                )
            case Always(Or() as choice):
                lasting, rest = _split(operands(choice, Or), self.universal)
                if lasting:
                    reached = [self.eventually(part) for part in lasting]
                    return self.disjunction([self.eventually(self.always(self.disjunction(rest))), *reached])
        return Eventually(operand)

    def _eventually_one_of(self, parts: list[Formula]) -> Formula:
        """<> before a disjunction: pure parts get their own <>, the rest keeps a common one."""
        own, rest = _split(parts, lambda part: any(self.purity(part)))
        goals = [part.right if isinstance(part, Until) else part for part in rest]
        if not own and goals == rest:
            return Eventually(chain(Or, parts))
        results = [self.eventually(part) for part in own]
        if goals:
            results.append(self.eventually(self.disjunction(goals)))
        return self.disjunction(results)

    def until(self, left: Formula, right: Formula) -> Formula:
        if isinstance(right, Constant) or left == FALSE or self.eventual(right) or self.implies(left, right):
            return right
        if left == TRUE or self.implies(self.negate(right), left):
            return self.eventually(right)
        if isinstance(left, Next) and isinstance(right, Next):
            (left_steps, left_core), (right_steps, right_core) = _without_next(left), _without_next(right)
            common = min(left_steps, right_steps)
            left = self._next_times(left_steps - common, left_core)
            right = self._next_times(right_steps - common, right_core)
            return self._next_times(common, self.until(left, right))
        match right:
            case Until(a, b):
                if self.implies(left, a):
                    return right
                if self.implies(a, left):
                    return self.until(left, b)
            case Or():
                lasting, rest = _split(operands(right, Or), self.eventual)
                if lasting:
                    return self.disjunction([self.until(left, self.disjunction(rest)), *lasting])
            case And():
                fixed, rest = _split(operands(right, And), self.suspendable)
                if fixed:
                    return self.conjunction([self.until(left, self.conjunction(rest)), *fixed])
        if isinstance(left, Until) and left.right == right:
            return left
        if isinstance(left, Or):
            # where a part of the left side holds that implies the right side, nothing is left to wait for
            needless, rest = _split(operands(left, Or), lambda part: self.implies(part, right))
            if needless:
                return self.until(self.disjunction(rest), right)
        return Until(left, right)

    def conjunction(self, parts: Iterable[Formula]) -> Formula:
        found = [part for whole in parts for part in operands(whole, And) if part != TRUE]
        unique = list(dict.fromkeys(found))
        members = set(unique)
        if FALSE in members or any(self.negate(part) in members for part in unique):
            return FALSE
        if len(unique) <= _PAIRWISE_LIMIT:
            reduced = self._without_implied(unique)
            if reduced is None:
                return FALSE
            for place, part in enumerate(reduced):
                # one at a time: two parts that sharpen each other would lose what they had in common
                sharper = self._given(part, reduced[:place] + reduced[place + 1 :])
                if sharper != part:
                    return self.conjunction([*reduced[:place], sharper, *reduced[place + 1 :]])
            unique = reduced
        merged = self._merged(unique)
        return self.conjunction(merged) if merged != unique else chain(And, unique)

    def _without_implied(self, parts: list[Formula]) -> list[Formula] | None:
        """The parts not implied by another one; nothing if two contradict each other."""
        kept: list[Formula] = []
        for place, part in enumerate(parts):
            later = parts[place + 1 :]
            if any(self.implies(part, self.negate(other)) for other in kept + later):
                return None
            if not any(self.implies(other, part) for other in kept + later):
                kept.append(part)
        return kept

    def _given(self, part: Formula, others: list[Formula]) -> Formula:
        """What `part` still says where all of `others` hold anyway."""
        match part:
            case Release(a, b) if any(self.implies(other, a) for other in others):
                return b
            case Or():
                options = operands(part, Or)
                possible = [
                    option
                    for option in options
                    if not any(self.implies(other, self.negate(option)) for other in others)
                ]
                if len(possible) < len(options):
                    return self.disjunction(possible)
        return part

    def _merged(self, parts: list[Formula]) -> list[Formula]:
        """Conjuncts of one kind taken together: X a && X b is X (a && b), and so on."""
        groups: dict[tuple[object, ...], list[Formula]] = {}
        for part in parts:
            groups.setdefault(self._group(part), []).append(part)
        merged: list[Formula] = []
        for (kind, *_), group in groups.items():
            merged += group if len(group) == 1 or kind is None else [self._merge(group)]
        return merged if len(merged) < len(parts) else parts

    def _group(self, part: Formula) -> tuple[object, ...]:
        match part:
            case Next():
                return (Next,)
            case Always(a) if not self.eventual(a):
                return (Always,)
            case Eventually(Always()):
                return (Eventually,)
            case Until(_, b):
                return (Until, b)
            case Release(a, _):
                return (Release, a)
        return (None,)

    def _merge(self, group: list[Formula]) -> Formula:
        match group[0]:
            case Next():
                stripped = [_without_next(part) for part in group]
                common = min(steps for steps, _ in stripped)
                rest = [self._next_times(steps - common, core) for steps, core in stripped]
                return self._next_times(common, self.conjunction(rest))
            case Always():
                return self.always(self.conjunction([children(part)[0] for part in group]))
            case Eventually():
                lasting = [children(children(part)[0])[0] for part in group]
                return self.eventually(self.always(self.conjunction(lasting)))
            case Until(_, b):
                return self.until(self.conjunction([children(part)[0] for part in group]), b)
            case Release(a, _):
                return self.release(a, self.conjunction([children(part)[1] for part in group]))
        raise TypeError(f"no rule merges {group[0]}")

    def _next_times(self, steps: int, formula: Formula) -> Formula:
        for _ in range(steps):
            formula = self.next(formula)
        return formula


def _purity_of_node(node: Formula, parts: list[tuple[bool, bool]]) -> tuple[bool, bool]:
    """Whether (eventual, universal), given the same of the operands."""
    match node:
        case Constant():
            return True, True
        case And() | Or():
            return parts[0][0] and parts[1][0], parts[0][1] and parts[1][1]
        case Next():
            return parts[0]
        case Eventually():
            return True, parts[0][1]
        case Always():
            return parts[0][0], True
        case Until() | Release():
            # only the right operand counts: it holds at the position from which one argues
            return parts[1]
    return False, False


def _parts_of_chain(node: Formula) -> Iterable[Formula]:
    """Operands, seeing a chain of && or of || as one operator."""
    return operands(node, type(node)) if isinstance(node, And | Or) else children(node)


def _split(parts: list[Formula], test: Callable[[Formula], bool]) -> tuple[list[Formula], list[Formula]]:
    """The parts that pass a test, and the others."""
    passed = [part for part in parts if test(part)]
    return passed, [part for part in parts if not test(part)]


def _without_next(formula: Formula) -> tuple[int, Formula]:
    steps = 0
    while isinstance(formula, Next):
        formula = formula.operand
        steps += 1
    return steps, formula
