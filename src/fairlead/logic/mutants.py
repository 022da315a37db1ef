"""Formulas with one part replaced by the constant that makes them hardest to satisfy.

If such a mutant still holds, the part plays no role: the formula holds vacuously in it (Beer, Ben-David,
Eisner & Rodeh, CAV 1997; Kupferman & Vardi, CHARME 1999). What stands below an even number of negations is
replaced by `false`, below an odd number by `true`; below `<->` it is neither, so an equivalence is taken as a
whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.ltl import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Binary,
    Constant,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Unary,
    Until,
    WeakUntil,
    atoms,
    children,
    fold,
    operands,
)

#: formulas with more parts are not looked into
MOST_PARTS = 300


class Role(Enum):
    """What it means that a part can be left out."""

    CONSEQUENT = "consequent"  # of an implication, whose condition asks for nothing
    OPERAND = "operand"  # of U, W or R, or of what a quantifier says: it has come true, or is not needed
    ALTERNATIVE = "alternative"  # the rest is enough: more holds than was asked for


@dataclass(frozen=True)
class Part:
    """An occurrence of a subformula: which operands lead to it, and how it is negated."""

    whole: Formula
    path: tuple[int, ...]
    formula: Formula
    is_positive: bool

    @property
    def mutant(self) -> Formula:
        """The whole with the strongest constant in place of the part."""
        return _replaced(self.whole, self.path, FALSE if self.is_positive else TRUE)


def conjuncts(formula: Formula) -> list[Formula]:
    """Formulas that hold together iff the formula does; `[]`, `X` and `A` are spread over `&&`."""
    found: list[Formula] = []
    pending: list[tuple[tuple[type[Unary], ...], Formula]] = [((), formula)]
    while pending:
        around, node = pending.pop()
        while isinstance(node, Next | Always | ForAll):
            around, node = (*around, type(node)), node.operand
        if isinstance(node, And):
            pending += [(around, operand) for operand in reversed(operands(node, And))]
            continue
        for operator in reversed(around):
            node = operator(node)
        found.append(node)
    return found


def parts(formula: Formula) -> Iterator[Part]:
    """The formula and all its parts, each before its own parts."""
    pending = [Part(formula, (), formula, True)]
    while pending:
        part = pending.pop()
        yield part
        node = part.formula
        if isinstance(node, Iff):
            continue
        for place, child in reversed(list(enumerate(children(node)))):
            turned = isinstance(node, Not) or (isinstance(node, Implies) and place == 0)
            pending.append(Part(formula, (*part.path, place), child, part.is_positive is not turned))


def has_too_many_parts(formula: Formula) -> bool:
    """Whether looking into the formula might take long."""
    return any(number >= MOST_PARTS for number, _ in enumerate(parts(formula)))


def unneeded(formula: Formula, holds: Callable[[Formula], bool], *, trivial: bool) -> list[Part]:
    """The largest parts with atoms that can be left out of a formula that holds.

    A part that plays no role plays none with all its own parts. So the search begins with the smallest parts:
    usually each of them plays a role. If only `trivial` ones are wanted, an alternative is none of them.
    """
    known = {part.path: part for part in parts(formula) if atoms(part.formula)}
    inner = {path[:-1] for path in known if path}
    answers: dict[Formula, bool] = {}

    def can_go(part: Part) -> bool:
        mutant = part.mutant
        if mutant not in answers:
            answers[mutant] = holds(mutant)
        return answers[mutant]

    found: dict[tuple[int, ...], Part] = {}
    for part in known.values():
        starts = role_of(part) in (Role.CONSEQUENT, Role.OPERAND) if trivial else part.path not in inner
        if not starts or not part.path or not can_go(part):
            continue
        while len(part.path) > 1 and can_go(known[part.path[:-1]]):
            part = known[part.path[:-1]]
        found[part.path] = part
    if trivial:
        return [part for part in found.values() if role_of(part) is not Role.ALTERNATIVE]
    return list(found.values())


def role_of(part: Part) -> Role | None:
    """What leaving out a part means; None, if all around it goes with it."""
    if not part.path:
        return None
    parent, is_positive = _parent(part)
    match parent:
        case Implies() if is_positive:
            return Role.CONSEQUENT if part.path[-1] == 1 else Role.ALTERNATIVE
        case Or() if is_positive:
            return Role.ALTERNATIVE
        case And() if not is_positive:
            return Role.ALTERNATIVE
        case Until() | WeakUntil() | Release() | Exists() | ForAll():
            return Role.OPERAND
    return None


def condition_of(part: Part) -> Formula | None:
    """The condition of the implication whose consequent a part is."""
    if role_of(part) is not Role.CONSEQUENT:
        return None
    parent, _ = _parent(part)
    assert isinstance(parent, Implies)
    return parent.left


def _parent(part: Part) -> tuple[Formula, bool]:
    """The formula around a part, and whether that is positive."""
    node, is_positive = part.whole, True
    for place in part.path[:-1]:
        if isinstance(node, Not) or (isinstance(node, Implies) and place == 0):
            is_positive = not is_positive
        node = children(node)[place]
    return node, is_positive


def _replaced(formula: Formula, path: tuple[int, ...], value: Formula) -> Formula:
    above: list[Formula] = []
    node = formula
    for place in path:
        above.append(node)
        node = children(node)[place]
    result = value
    for node, place in zip(reversed(above), reversed(path), strict=True):
        below = list(children(node))
        below[place] = result
        result = type(node)(*below)
    return result


# ---------------------------------------------------------------- constants


def with_values(formula: Formula, values: Mapping[Atom, bool]) -> Formula:
    """The formula with constants in place of some atoms."""

    def replaced(node: Formula, below: list[Formula]) -> Formula:
        if isinstance(node, Atom) and node in values:
            return TRUE if values[node] else FALSE
        return type(node)(*below) if below else node

    return fold({}, formula, replaced)


def without_constants(formula: Formula) -> Formula:
    """The same meaning with constants only where nothing simpler says it: `[] !p` for `[](p -> false)`."""
    return fold({}, formula, simpler)


def simpler(node: Formula, below: list[Formula]) -> Formula:
    """A formula with these operands, where constants among them are not needed."""
    match node:
        case Not():
            return negated(below[0])
        case Exists() | ForAll():
            # whether there is a fair path at all depends on the system
            settled = below[0] == (FALSE if isinstance(node, Exists) else TRUE)
            return below[0] if settled else type(node)(below[0])
        case Unary():
            return below[0] if isinstance(below[0], Constant) else type(node)(below[0])
        case Binary():
            left, right = below
            if isinstance(left, Constant) or isinstance(right, Constant):
                return _with_constant(node, left, right)
            return type(node)(left, right)
    return node


def negated(formula: Formula) -> Formula:
    """The negation of a formula, without a double one."""
    if isinstance(formula, Constant):
        return FALSE if formula.value else TRUE
    return formula.operand if isinstance(formula, Not) else Not(formula)


def _with_constant(node: Binary, left: Formula, right: Formula) -> Formula:
    """A binary operator one of whose operands is a constant."""
    match node, left, right:
        case And(), Constant(value), other:
            return other if value else FALSE
        case Or(), Constant(value), other:
            return TRUE if value else other
        case Implies(), Constant(value), other:
            return other if value else TRUE
        case Iff(), Constant(value), other:
            return other if value else negated(other)
        case Until(), other, Constant():
            return right
        case Until(), Constant(value), other:
            return Eventually(other) if value else other
        case Release(), other, Constant():
            return right
        case Release(), Constant(value), other:
            return other if value else Always(other)
        case WeakUntil(), other, Constant(value):
            return TRUE if value else simpler(Always(other), [other])
        case WeakUntil(), Constant(value), other:
            return TRUE if value else other
        case Implies(), other, Constant(value):
            return TRUE if value else negated(other)
        case ((And() | Or() | Iff()), other, Constant()):
            return _with_constant(node, right, other)
    raise AssertionError(node)
