"""Normal forms of expressions and programs, after two numbers have been exchanged in them.

If an expression e has the form f after an exchange x, and e' has the same form without one, then e' has in
each state x(s) the value that e has in s, exchanged by x if it is a number; one fails iff the other does.
(By induction over the form; docs/explanation/reduction.md.) What would break this raises `NotSymmetric`: a
number that is used as a plain value, or the other way round. Operands of operators that do not care for their
order are sorted, where that cannot make a difference to what fails.
"""

from __future__ import annotations

from collections.abc import Hashable

from fairlead.base.records import dataclass
from fairlead.model.expression import (
    Asserted,
    Binary,
    Bounded,
    Checked,
    Conditional,
    Constant,
    Converted,
    Expression,
    FunctionCall,
    Local,
    LocalElement,
    Operator,
    Parameter,
    Received,
    Shared,
    SharedElement,
    Unary,
    WholeLocal,
    WholeShared,
)
from fairlead.model.program import Block, Branch, Dequeue, Enqueue, Loop, Program, Require, Store
from fairlead.reduce.symmetry.exchanging import Exchange, NotSymmetric, Numbering
from fairlead.reduce.symmetry.indices import indices_of
from fairlead.reduce.symmetry.kinds import USED_AS_VALUE, Where, item_of
from fairlead.reduce.symmetry.safety import Bounds

Form = Hashable

_COMMUTATIVE = {
    Operator.XOR,
    Operator.BIT_AND,
    Operator.BIT_OR,
    Operator.BIT_XOR,
    Operator.ADD,
    Operator.MULTIPLY,
}
#: the expressions of a question belong to no edge
NOWHERE = Where(-1, -1)


def in_order(forms: list[Form]) -> tuple[Form, ...]:
    """Forms in an order that depends on nothing but themselves."""
    return tuple(sorted(forms, key=repr))


@dataclass(frozen=True)
class Forms:
    """Makes the forms of what belongs to one edge, after an exchange or (None) without one."""

    numbering: Numbering
    bounds: Bounds
    exchange: Exchange | None
    where: Where = NOWHERE
    channel: str | None = None

    def kind(self, expression: Expression) -> int | None:
        """The kind of the value of an expression; a constant has none by itself."""
        item = item_of(expression, self.numbering.items, self.where, self.channel)
        return None if item is None else self.numbering.kind(item)

    def expression(self, expression: Expression, kind: int | None = None) -> Form:
        """The form of an expression whose value is used as a number of a kind, or (None) as a plain value."""
        if isinstance(expression, Constant):
            value = expression.value
            return ("constant", value if self.exchange is None else self.exchange.value(kind, value))
        if isinstance(expression, Conditional):
            branches = (expression.then, expression.otherwise)
            condition = self.expression(expression.condition)
            return ("if", condition, *(self.expression(branch, kind) for branch in branches))
        if self.kind(expression) != kind:
            raise NotSymmetric(USED_AS_VALUE)
        return self._operation(expression, kind)

    def _operation(self, expression: Expression, kind: int | None) -> Form:
        match expression:
            case Shared(slot):
                return ("shared", self.numbering.slot(slot, self.exchange))
            case SharedElement():
                return self._element(expression)
            case Parameter(slot):
                return ("parameter", slot)
            case Received(field):
                return ("received", field)
            case Local(slot):
                return ("local", slot)
            case LocalElement(base, size, index):
                return ("local element", base, size, self.expression(index))
            case Unary(operator, operand):
                return (operator, self.expression(operand))
            case Binary():
                return self._binary(expression)
            case Checked(value, low, high):
                self._check_range(kind, low, high)
                return ("checked", low, high, self.expression(value, kind))
            case Bounded(index, size):
                self._check_range(kind, 0, size - 1)
                return ("bounded", size, self.expression(index, kind))
            case Asserted(condition):
                return ("asserted", self.expression(condition))
            case Converted(value, to):
                return ("converted", value.type, to, self.expression(value))
            case FunctionCall(function, arguments):
                return ("call", function, *(self.expression(argument) for argument in arguments))
            case WholeShared(base, size):
                self._check_unmoved(base, size)
                return ("whole", base, size, expression.gather)
            case WholeLocal(base, size):
                return ("whole local", base, size, expression.gather)
            case _:
                raise AssertionError(expression)

    def _binary(self, expression: Binary) -> Form:
        operator, left, right = expression.operator, expression.left, expression.right
        if operator in (Operator.EQUAL, Operator.UNEQUAL):
            kind = self.kind(right) if isinstance(left, Constant) else self.kind(left)
            return (operator, *in_order([self.expression(left, kind), self.expression(right, kind)]))
        operands = _chain(expression) if operator in (Operator.AND, Operator.OR, Operator.ADD) else []
        if operands and self.bounds.may_be_reordered(operator, operands):
            forms = [self.expression(operand) for operand in operands]
            if operator is not Operator.ADD:
                forms = list(dict.fromkeys(forms))
            return (operator, *in_order(forms))
        both = [self.expression(left), self.expression(right)]
        return (operator, *(in_order(both) if operator in _COMMUTATIVE else both))

    def _element(self, expression: SharedElement) -> Form:
        items = self.numbering.items
        found = items.array(expression)
        if found is None:  # of a buffer, or of a record in one: nothing there has to do with numbers
            self._check_unmoved(expression.base, 1 + (expression.size - 1) * expression.stride)
            place = (expression.base, expression.size, expression.stride)
            return ("element", *place, self.expression(expression.index))
        number, variable = found
        parts = indices_of(expression.index, variable.dimensions)
        kinds = [
            self.numbering.kind(("index", number, dimension)) for dimension in range(len(variable.dimensions))
        ]
        if parts is None:
            if any(kind is not None for kind in kinds):
                raise NotSymmetric(f"an index into '{variable.name}' is computed")
            return ("element", number, self.expression(expression.index))
        for kind, size in zip(kinds, variable.dimensions, strict=True):
            self._check_range(kind, 0, size - 1)
        indices = [self.expression(part, kind) for part, kind in zip(parts, kinds, strict=True)]
        return ("element of", number, *indices)

    def _check_range(self, kind: int | None, low: int | None, high: int | None) -> None:
        if self.exchange is not None and not self.exchange.keeps_range(kind, low, high):
            raise NotSymmetric("its number lies outside of a range in which that of another one lies")

    def _check_unmoved(self, base: int, size: int) -> None:
        """Slots that are examined as a whole: they must hold no numbers and have none for indices."""
        for slot in range(base, base + size):
            kinds = [self.numbering.slot_kind(slot)]
            kinds += [kind for kind, _ in self.numbering.coordinates(slot)]
            if any(kind is not None for kind in kinds):
                raise NotSymmetric("an array with numbers is used as a whole")

    # ------------------------------------------------------------ programs

    def program(self, program: Program) -> Form:
        """The form of a program. What it does stays in its order."""
        match program:
            case Store(target, value, low, high):
                kind = self.kind(target)
                self._check_range(kind, low, high)
                return ("store", self.expression(target, kind), self.expression(value, kind), low, high)
            case Branch(condition, then, otherwise):
                return ("branch", self.expression(condition), self.program(then), self.program(otherwise))
            case Loop(condition, body):
                return ("loop", self.expression(condition), self.program(body))
            case Block(parts):
                return ("block", *(self.program(part) for part in parts))
            case Enqueue(queue, index, values):
                sent = tuple(self.expression(value) for value in values)
                return ("enqueue", queue.base, queue.count, self.expression(index), sent)
            case Dequeue(queue, index):
                return ("dequeue", queue.base, queue.count, self.expression(index))
            case Require(condition):
                return ("require", self.expression(condition))


def _chain(expression: Binary) -> list[Expression]:
    """The operands of a chain of the same operator, from left to right."""
    found: list[Expression] = []
    pending: list[Expression] = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, Binary) and part.operator is expression.operator:
            pending += [part.right, part.left]
        else:
            found.append(part)
    return found
