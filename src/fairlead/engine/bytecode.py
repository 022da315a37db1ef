"""Compiles expressions and programs to the engine's bytecode (native/program/bytecode.hpp)."""

from __future__ import annotations

from dataclasses import field
from typing import assert_never

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.engine import _native
from fairlead.model.evaluation import Fault, fault_message, range_text, wrong_type
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
    INT_MAX,
    INT_MIN,
    MIXED_FALSE,
    MIXED_TRUE,
    CallFailed,
    Function,
    Type,
    index_detail,
)
from fairlead.model.values import ObjectType

Op = _native.Op

_FAULTING = {
    Operator.ADD: Op.ADD,
    Operator.SUBTRACT: Op.SUBTRACT,
    Operator.MULTIPLY: Op.MULTIPLY,
    Operator.DIVIDE: Op.DIVIDE,
    Operator.MODULO: Op.MODULO,
}
_PLAIN = {
    Operator.XOR: Op.BIT_XOR,
    Operator.BIT_AND: Op.BIT_AND,
    Operator.BIT_OR: Op.BIT_OR,
    Operator.BIT_XOR: Op.BIT_XOR,
    Operator.EQUAL: Op.EQUAL,
    Operator.UNEQUAL: Op.UNEQUAL,
    Operator.LESS: Op.LESS,
    Operator.GREATER: Op.GREATER,
    Operator.LESS_EQUAL: Op.LESS_EQUAL,
    Operator.GREATER_EQUAL: Op.GREATER_EQUAL,
}

#: whatever code does, the values of these have numbers
_HAVE_NUMBERS = Constant | Parameter | Received


@dataclass(frozen=True)
class Site:
    """A place in the code that can fail at run time, so that the failure can be told in the model's words."""

    code: Code
    span: Span | None
    name: str = ""
    size: int = 0
    low: int | None = None
    high: int | None = None

    def fault(self, value: int) -> Fault:
        """The fault the reference semantics would have raised."""
        detail = ""
        code = self.code
        if code is Code.INDEX_OUT_OF_BOUNDS:
            detail = index_detail(self.name, self.size, value)
        elif code is Code.OUT_OF_RANGE:
            allowed = range_text(self.low, self.high)
            detail = f"'{self.name}' would become {value}, allowed are {allowed}"
        elif code is Code.TYPE:
            detail = wrong_type(value, Type.BOOL if self.name == Type.BOOL.name else Type.INT)
        elif code is Code.DIVISION_BY_ZERO and value != 0:
            code = Code.OVERFLOW  # the one quotient that does not fit: INT_MIN / -1
        return Fault(code, fault_message(code, detail), self.span)


@dataclass(frozen=True)
class CallSite:
    """A call of a library: why it failed is noted where it is made."""

    span: Span | None
    failures: list[CallFailed]

    def fault(self, value: int) -> Fault:
        """The fault the reference semantics would have raised; `value` is the number of the failure."""
        failure = self.failures[value]
        return Fault(failure.code, failure.message, self.span)


@dataclass
class Compiler:
    """Compiles code for one network; `sites` grows with every place that can fail."""

    sites: list[Site | CallSite] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    failures: list[CallFailed] = field(default_factory=list)
    local_slots: int = 0
    _words: list[int] = field(default_factory=list)
    _depth: int = 0
    _function_numbers: dict[Function, int] = field(default_factory=dict)
    _makes_values: bool = False
    _stored: dict[int, int] = field(default_factory=dict)

    def expression(self, expression: Expression) -> list[int]:
        """Code that leaves the value of an expression."""
        self._begin()
        self._numbered(expression)
        return self._finished()

    def program(self, program: Program) -> list[int]:
        """Code that runs a program."""
        self._begin()
        self._run(program)
        for base, size in self._stored.items():
            self._emit(Op.KEEP_SHARED, base, size)
        return self._finished()

    def _begin(self) -> None:
        self._words, self._depth = [], 0
        self._makes_values, self._stored = False, {}

    def _finished(self) -> list[int]:
        return [*((Op.FRESH,) if self._makes_values else ()), *self._words, Op.END]

    # ------------------------------------------------------------ emitting

    def _emit(self, op: Op, *operands: int, grows: int = 0) -> None:
        self._words.append(op)
        self._words += operands
        self._depth += grows
        if self._depth >= _native.STACK_DEPTH:
            raise LimitReached((Diagnostic(Code.LIMIT, "an expression is nested too deeply"),))

    def _site(self, code: Code, span: Span | None, name: str = "", size: int = 0) -> int:
        self.sites.append(Site(code, span, name, size))
        return len(self.sites) - 1

    def _function(self, function: Function) -> int:
        if function not in self._function_numbers:
            self._function_numbers[function] = len(self.functions)
            self.functions.append(function)
        return self._function_numbers[function]

    def call(self, number: int, words: list[int]) -> tuple[bool, int]:
        """The value of a function the code calls, or (True, why there is none) for its site."""
        try:
            return False, self.functions[number].apply(words)
        except CallFailed as failure:
            self.failures.append(failure)
            return True, len(self.failures) - 1

    def _jump(self, op: Op, grows: int = 0) -> int:
        """A jump whose distance is filled in by `_land`."""
        self._emit(op, 0, grows=grows)
        return len(self._words)

    def _land(self, jump: int) -> None:
        self._words[jump - 1] = len(self._words) - jump

    # ------------------------------------------------------------ expressions

    def _value(self, expression: Expression) -> None:
        match expression:
            case Constant(value):
                self._emit(Op.CONST, value, grows=1)
            case Shared(slot):
                self._emit(Op.SHARED, slot, grows=1)
            case Parameter(slot):
                self._emit(Op.PARAMETER, slot, grows=1)
            case Local(slot):
                self.local_slots = max(self.local_slots, slot + 1)
                self._emit(Op.LOCAL, slot, grows=1)
            case Received(number):
                self._emit(Op.RECEIVED, number, grows=1)
            case SharedElement(base, size, Parameter(slot), name, _, span, 1):
                site = self._site(Code.INDEX_OUT_OF_BOUNDS, span, name, size)
                self._emit(Op.SHARED_AT_PARAMETER, base, size, slot, site, grows=1)
            case SharedElement() | LocalElement():
                self._element(expression)
            case Unary(UnaryOperator.NOT, operand):
                self._value(operand)
                self._emit(Op.NOT)
            case Unary(UnaryOperator.NEGATE, operand, _, span):
                self._value(operand)
                self._emit(Op.NEGATE, self._site(Code.OVERFLOW, span))
            case Checked(operand, low, high, name, _, span):
                self._value(operand)
                self._check_range(low, high, name, span)
            case Bounded(operand, size, name, _, span):
                self._value(operand)
                self._emit(
                    Op.CHECK_RANGE, 0, size - 1, self._site(Code.INDEX_OUT_OF_BOUNDS, span, name, size)
                )
            case Converted(operand, kind, span):
                self._value(operand)
                self._conversion(operand.type, kind, span)
            case Asserted(condition, _, span):
                self._value(condition)
                self._emit(Op.CHECK_RANGE, 1, 1, self._site(Code.ASSERTION, span))
            case Unary():
                raise AssertionError(expression.operator)
            case Binary():
                self._binary(expression)
            case Conditional(condition, then, otherwise):
                self._value(condition)
                to_otherwise = self._jump(Op.JUMP_IF_FALSE, grows=-1)
                self._value(then)
                to_end = self._jump(Op.JUMP, grows=-1)
                self._land(to_otherwise)
                self._value(otherwise)
                self._land(to_end)
            case FunctionCall():
                self._call(expression)
            case WholeShared(base, size, _, _, gather):
                self._gather(Op.GATHER, base, size, gather)
            case WholeLocal(base, size, _, _, gather):
                self.local_slots = max(self.local_slots, base + size)
                self._gather(Op.GATHER_LOCAL, base, size, gather)
            case _:
                assert_never(expression)

    def _call(self, call: FunctionCall) -> None:
        name = call.function.built_in
        built_in = _native.NO_BUILT_IN if name is None else _native.built_in(name)
        for argument in call.arguments:
            if built_in == _native.NO_BUILT_IN:
                self._numbered(argument)
            else:
                self._value(argument)
        self.sites.append(CallSite(call.span, self.failures))
        function, count, site = self._function(call.function), len(call.arguments), len(self.sites) - 1
        if built_in == _native.NO_BUILT_IN:
            self._emit(Op.CALL, function, count, site, grows=1 - count)
        else:
            self._makes_values |= isinstance(call.type, ObjectType)
            self._emit(Op.BUILT_IN, built_in, function, count, site, grows=1 - count)

    def _gather(self, op: Op, base: int, size: int, gather: Function) -> None:
        assert gather.built_in is not None
        kind = _native.gathered_kind(_native.built_in(gather.built_in))
        self._makes_values = True
        self._emit(op, base, size, kind.value, grows=1)

    def _numbered(self, expression: Expression) -> None:
        """The value of an expression; a container that is made on the way gets its number."""
        self._value(expression)
        if isinstance(expression.type, ObjectType) and not isinstance(expression, _HAVE_NUMBERS):
            self._emit(Op.KEEP)

    def _conversion(self, source: Type, kind: Type, span: Span | None) -> None:
        if source is Type.BOOL:  # into a place where integers are possible as well
            self._emit(Op.CONST, MIXED_FALSE, grows=1)
            self._emit(Op.ADD, self._site(Code.OVERFLOW, span), grows=-1)
            return
        code = Code.OVERFLOW if kind is Type.MIXED else Code.TYPE
        low, high = (INT_MIN, MIXED_TRUE) if kind is Type.BOOL else (MIXED_TRUE + 1, INT_MAX)
        self._emit(Op.CHECK_RANGE, low, high, self._site(code, span, kind.name))
        if kind is Type.BOOL:
            self._emit(Op.CONST, MIXED_FALSE, grows=1)
            self._emit(Op.SUBTRACT, self._site(Code.OVERFLOW, span), grows=-1)

    def _element(self, element: SharedElement | LocalElement) -> None:
        self._value(element.index)
        site = self._site(Code.INDEX_OUT_OF_BOUNDS, element.span, element.name, element.size)
        if isinstance(element, LocalElement):
            self.local_slots = max(self.local_slots, element.base + element.size)
        elif element.stride != 1:
            self._emit(Op.SHARED_AT_STRIDE, element.base, element.size, element.stride, site)
            return
        op = Op.SHARED_AT if isinstance(element, SharedElement) else Op.LOCAL_AT
        self._emit(op, element.base, element.size, site)

    def _binary(self, expression: Binary) -> None:
        operator, left, right = expression.operator, expression.left, expression.right
        if isinstance(left.type, ObjectType):
            self._comparison_of_values(expression)
            return
        match operator, left, right:
            case Operator.AND | Operator.OR, _, _:
                self._value(left)
                jump = self._jump(Op.AND_THEN if operator is Operator.AND else Op.OR_ELSE, grows=-1)
                self._value(right)
                self._land(jump)
            case Operator.EQUAL, Shared(slot), Constant(value):
                self._emit(Op.SHARED_EQUAL_CONST, slot, value, grows=1)
            case Operator.UNEQUAL, Shared(slot), Constant(value):
                self._emit(Op.SHARED_UNEQUAL_CONST, slot, value, grows=1)
            case Operator.EQUAL, _, Constant(value):
                self._value(left)
                self._emit(Op.EQUAL_CONST, value)
            case _:
                self._value(left)
                self._value(right)
                if operator in _FAULTING:
                    divides = operator in (Operator.DIVIDE, Operator.MODULO)
                    code = Code.DIVISION_BY_ZERO if divides else Code.OVERFLOW
                    self._emit(_FAULTING[operator], self._site(code, expression.span), grows=-1)
                else:
                    self._emit(_PLAIN[operator], grows=-1)

    def _comparison_of_values(self, expression: Binary) -> None:
        """Values with numbers are equal iff these are; of others the engine compares what they hold."""
        self._value(expression.left)
        self._value(expression.right)
        self._emit(Op.EQUAL_VALUES, grows=-1)
        if expression.operator is Operator.UNEQUAL:
            self._emit(Op.NOT)

    # ------------------------------------------------------------ programs

    def _run(self, program: Program) -> None:
        match program:
            case Block(parts):
                for part in parts:
                    self._run(part)
            case Store():
                self._store(program)
            case Branch(condition, then, otherwise):
                self._value(condition)
                to_otherwise = self._jump(Op.JUMP_IF_FALSE, grows=-1)
                self._run(then)
                to_end = self._jump(Op.JUMP)
                self._land(to_otherwise)
                self._run(otherwise)
                self._land(to_end)
            case Loop(condition, body, span):
                start = len(self._words)
                self._value(condition)
                to_end = self._jump(Op.JUMP_IF_FALSE, grows=-1)
                self._emit(Op.LOOP, self._site(Code.ENDLESS_OPERATION, span))
                self._run(body)
                self._emit(Op.JUMP, 0)
                self._words[-1] = start - len(self._words)
                self._land(to_end)
            case Enqueue(queue, index, values):
                for value in (*values, index):
                    self._numbered(value)
                self._emit(Op.ENQUEUE, queue.base, queue.stride, queue.width, grows=-1 - queue.width)
            case Dequeue(queue, index):
                self._value(index)
                self._emit(Op.DEQUEUE, queue.base, queue.stride, queue.width, grows=-1)
            case Require(condition):
                self._value(condition)
                self._emit(Op.POP, grows=-1)
            case _:
                assert_never(program)

    def _check_range(self, low: int | None, high: int | None, name: str, span: Span | None) -> None:
        if low is None and high is None:
            return
        self.sites.append(Site(Code.OUT_OF_RANGE, span, name, 0, low, high))
        least, most = INT_MIN if low is None else low, INT_MAX if high is None else high
        self._emit(Op.CHECK_RANGE, least, most, len(self.sites) - 1)

    def _store(self, store: Store) -> None:
        self._value(store.value)
        target = store.target
        self._check_range(store.low, store.high, target.name, store.span)
        if isinstance(target.type, ObjectType) and not isinstance(store.value, _HAVE_NUMBERS):
            self._note_stored(target)
        match target:
            case Shared(slot):
                self._emit(Op.STORE_SHARED, slot, grows=-1)
            case Local(slot):
                self.local_slots = max(self.local_slots, slot + 1)
                self._emit(Op.STORE_LOCAL, slot, grows=-1)
            case SharedElement(base, size, index, name, _, span):
                self._value(index)
                site_number = self._site(Code.INDEX_OUT_OF_BOUNDS, span, name, size)
                self._emit(Op.STORE_SHARED_AT, base, size, site_number, grows=-2)
            case LocalElement(base, size, index, name, _, span):
                self.local_slots = max(self.local_slots, base + size)
                self._value(index)
                site_number = self._site(Code.INDEX_OUT_OF_BOUNDS, span, name, size)
                self._emit(Op.STORE_LOCAL_AT, base, size, site_number, grows=-2)
            case _:
                assert_never(target)

    def _note_stored(self, target: Shared | SharedElement | Local | LocalElement) -> None:
        """A variable may hold a container without a number, until the program has ended."""
        if isinstance(target, Shared):
            self._stored.setdefault(target.slot, 1)
        elif isinstance(target, SharedElement):
            self._stored[target.base] = target.size
