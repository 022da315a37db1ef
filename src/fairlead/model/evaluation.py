"""Evaluates expressions and programs. This is the reference: the engine must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, assert_never

from fairlead.base.diagnostics import Code, Diagnostic, InputError
from fairlead.base.records import dataclass
from fairlead.base.source import Span
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
    UnaryOperator,
    WholeLocal,
    WholeShared,
)
from fairlead.model.program import Block, Branch, Dequeue, Enqueue, Loop, Program, Require, Store
from fairlead.model.types import (
    DOES_NOT_FIT,
    INT_MAX,
    INT_MIN,
    MIXED_FALSE,
    MIXED_TRUE,
    CallFailed,
    Function,
    Type,
    index_detail,
    out_of_bounds,
)

if TYPE_CHECKING:
    from fairlead.model.run import Run

#: what tells a place in the text from all others (`Span.key`)
PlaceKey = tuple[str, int, int]

#: a program that takes more steps than this is reported as endless
STEP_LIMIT = 1_000_000


class Fault(InputError):
    """A run-time error of the model: what went wrong and where in its text.

    `run` leads to the state in which it was met, if that is known where it is raised.
    """

    def __init__(self, code: Code, message: str, span: Span | None) -> None:
        super().__init__((Diagnostic(code, message, span),))
        self.code = code
        self.message = message
        self.span = span
        self.run: Run | None = None


def fault_message(code: Code, detail: str = "") -> str:
    """The text of a run-time error; the engine's faults use the same words."""
    match code:
        case Code.OVERFLOW:
            return DOES_NOT_FIT
        case Code.DIVISION_BY_ZERO:
            return "division by zero"
        case Code.INDEX_OUT_OF_BOUNDS:
            return out_of_bounds(detail)
        case Code.OUT_OF_RANGE:
            return f"value outside the declared range: {detail}"
        case Code.ENDLESS_OPERATION:
            return f"a data operation did not end within {STEP_LIMIT} steps"
        case Code.TYPE:
            return f"value of the wrong type: {detail}"
        case Code.ASSERTION:
            return "the asserted condition is false"
    raise AssertionError(code)


def _checked(value: int, span: Span | None) -> int:
    if INT_MIN <= value <= INT_MAX:
        return value
    raise Fault(Code.OVERFLOW, fault_message(Code.OVERFLOW), span)


def _divide(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_OPERATIONS: dict[Operator, Callable[[int, int], int]] = {
    Operator.XOR: lambda a, b: a ^ b,
    Operator.BIT_AND: lambda a, b: a & b,
    Operator.BIT_OR: lambda a, b: a | b,
    Operator.BIT_XOR: lambda a, b: a ^ b,
    Operator.EQUAL: lambda a, b: int(a == b),
    Operator.UNEQUAL: lambda a, b: int(a != b),
    Operator.LESS: lambda a, b: int(a < b),
    Operator.GREATER: lambda a, b: int(a > b),
    Operator.LESS_EQUAL: lambda a, b: int(a <= b),
    Operator.GREATER_EQUAL: lambda a, b: int(a >= b),
    Operator.ADD: lambda a, b: a + b,
    Operator.SUBTRACT: lambda a, b: a - b,
    Operator.MULTIPLY: lambda a, b: a * b,
    Operator.DIVIDE: _divide,
    # never negative, as PAT's users rely on: (-1) % n is n - 1
    Operator.MODULO: lambda a, b: a % abs(b),
}


def apply_binary(operator: Operator, left: int, right: int, span: Span | None) -> int:
    """The value of a binary operation on two values (AND and OR included)."""
    if operator is Operator.AND:
        return int(bool(left) and bool(right))
    if operator is Operator.OR:
        return int(bool(left) or bool(right))
    if operator in (Operator.DIVIDE, Operator.MODULO) and right == 0:
        raise Fault(Code.DIVISION_BY_ZERO, fault_message(Code.DIVISION_BY_ZERO), span)
    return _checked(_OPERATIONS[operator](left, right), span)


@dataclass
class Scope:
    """What an expression can read: shared variables, parameters, local variables.

    If there is a set `executed`, the keys of the statements that a program comes to are added to it.
    """

    shared: list[int]
    parameters: Sequence[int] = ()
    received: Sequence[int] = ()
    locals: dict[int, int] = field(default_factory=dict)
    steps: int = 0
    executed: set[PlaceKey] | None = None


def _element_slot(element: SharedElement | LocalElement, scope: Scope) -> int:
    index = _index(element.index, element.size, element.name, element.span, scope)
    return element.base + index * (element.stride if isinstance(element, SharedElement) else 1)


def _index(expression: Expression, size: int, name: str, span: Span | None, scope: Scope) -> int:
    index = evaluate(expression, scope)
    if not 0 <= index < size:
        detail = index_detail(name, size, index)
        raise Fault(Code.INDEX_OUT_OF_BOUNDS, fault_message(Code.INDEX_OUT_OF_BOUNDS, detail), span)
    return index


def evaluate(expression: Expression, scope: Scope) -> int:
    """The value of an expression; raises `Fault` where it has none."""
    match expression:
        case Constant(value):
            return value
        case Shared(slot):
            return scope.shared[slot]
        case Parameter(slot):
            return scope.parameters[slot]
        case Received(number):
            return scope.received[number]
        case Local(slot):
            return scope.locals.get(slot, 0)
        case SharedElement():
            return scope.shared[_element_slot(expression, scope)]
        case LocalElement():
            return scope.locals.get(_element_slot(expression, scope), 0)
        case Unary(UnaryOperator.NOT, operand):
            return 1 - evaluate(operand, scope)
        case Unary(UnaryOperator.NEGATE, operand, _, span):
            return _checked(-evaluate(operand, scope), span)
        case Binary(Operator.AND, left, right):
            return evaluate(right, scope) if evaluate(left, scope) else 0
        case Binary(Operator.OR, left, right):
            return 1 if evaluate(left, scope) else evaluate(right, scope)
        case Binary(operator, left, right, _, span):
            return apply_binary(operator, evaluate(left, scope), evaluate(right, scope), span)
        case Conditional(condition, then, otherwise):
            return evaluate(then if evaluate(condition, scope) else otherwise, scope)
        case Checked(operand, low, high, name, _, span):
            value = evaluate(operand, scope)
            _check_range(value, low, high, name, span)
            return value
        case Bounded(operand, size, name, _, span):
            return _index(operand, size, name, span, scope)
        case Converted(operand, kind, span):
            return _converted(evaluate(operand, scope), operand.type, kind, span)
        case Asserted(condition, _, span):
            if not evaluate(condition, scope):
                raise Fault(Code.ASSERTION, fault_message(Code.ASSERTION), span)
            return 1
        case FunctionCall(function, arguments, _, span):
            return _apply(function, [evaluate(argument, scope) for argument in arguments], span)
        case WholeShared(base, size, _, _, gather):
            return gather.apply(scope.shared[base : base + size])
        case WholeLocal(base, size, _, _, gather):
            return gather.apply([scope.locals.get(slot, 0) for slot in range(base, base + size)])
        case Unary():
            raise AssertionError(expression.operator)
        case _:
            assert_never(expression)


def _apply(function: Function, words: Sequence[int], span: Span | None) -> int:
    try:
        return function.apply(words)
    except CallFailed as failure:
        raise Fault(failure.code, failure.message, span) from None


def _converted(word: int, source: Type, kind: Type, span: Span | None) -> int:
    is_boolean = word in (MIXED_FALSE, MIXED_TRUE)
    if kind is Type.MIXED:
        if source is Type.BOOL:
            return MIXED_TRUE if word else MIXED_FALSE
        if is_boolean:
            raise Fault(Code.OVERFLOW, fault_message(Code.OVERFLOW), span)
        return word
    if is_boolean is not (kind is Type.BOOL):
        raise Fault(Code.TYPE, fault_message(Code.TYPE, wrong_type(word, kind)), span)
    return word - MIXED_FALSE if kind is Type.BOOL else word


def wrong_type(word: int, expected: Type) -> str:
    """What is wrong with a value that may be an integer or a boolean."""
    return f"expected {expected.phrase}, found {Type.MIXED.text(word)}"


def _check_range(value: int, low: int | None, high: int | None, name: str, span: Span | None) -> None:
    if (low is not None and value < low) or (high is not None and value > high):
        detail = f"'{name}' would become {value}, allowed are {range_text(low, high)}"
        raise Fault(Code.OUT_OF_RANGE, fault_message(Code.OUT_OF_RANGE, detail), span)


def execute(program: Program, scope: Scope) -> None:
    """Runs a program on the scope's shared and local variables."""
    if scope.executed is not None and program.place is not None:
        scope.executed.add(program.place.key)
    match program:
        case Block(parts):
            for part in parts:
                execute(part, scope)
        case Store():
            _store(program, scope)
        case Branch(condition, then, otherwise):
            execute(then if evaluate(condition, scope) else otherwise, scope)
        case Loop(condition, body, span):
            while evaluate(condition, scope):
                scope.steps += 1
                if scope.steps > STEP_LIMIT:
                    raise Fault(Code.ENDLESS_OPERATION, fault_message(Code.ENDLESS_OPERATION), span)
                execute(body, scope)
        case Enqueue():
            _enqueue(program, scope)
        case Dequeue():
            _dequeue(program, scope)
        case Require(condition):
            evaluate(condition, scope)
        case _:
            assert_never(program)


def _enqueue(program: Enqueue, scope: Scope) -> None:
    queue = program.queue
    values = [evaluate(value, scope) for value in program.values]
    base = queue.base + evaluate(program.index, scope) * queue.stride
    free = base + 1 + scope.shared[base] * queue.width
    scope.shared[free : free + queue.width] = values
    scope.shared[base] += 1


def _dequeue(program: Dequeue, scope: Scope) -> None:
    queue = program.queue
    base = queue.base + evaluate(program.index, scope) * queue.stride
    waiting = scope.shared[base + 1 + queue.width : base + queue.stride]
    scope.shared[base + 1 : base + queue.stride] = [*waiting, *[0] * queue.width]
    scope.shared[base] -= 1


def _store(store: Store, scope: Scope) -> None:
    value = evaluate(store.value, scope)
    target = store.target
    _check_range(value, store.low, store.high, target.name, store.span)
    match target:
        case Shared(slot):
            scope.shared[slot] = value
        case SharedElement():
            scope.shared[_element_slot(target, scope)] = value
        case Local(slot):
            scope.locals[slot] = value
        case LocalElement():
            scope.locals[_element_slot(target, scope)] = value


def range_text(low: int | None, high: int | None) -> str:
    """`{lo..hi}` as the user wrote it."""
    return f"{{{'' if low is None else low}..{'' if high is None else high}}}"
