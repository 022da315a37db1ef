"""Expressions of CSP# with their types: names resolved, macros expanded, constants folded."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    LimitReached,
    Severity,
    counted,
    input_error,
    nearest,
)
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.complaints import defined_by_itself
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.arrays import (
    array_type,
    element_of,
    flat_index,
    not_an_array,
    product,
    written_out,
)
from fairlead.lang.csp.elaborate.calls import CallElaborator
from fairlead.lang.csp.elaborate.channels import CHANNEL_FUNCTIONS, Channels
from fairlead.lang.csp.elaborate.conversions import NOTHING, converted, never_equal, shorten
from fairlead.lang.csp.elaborate.declarations import Declarations, unsupported
from fairlead.lang.csp.elaborate.differing import NONE_DIFFERS
from fairlead.lang.csp.elaborate.effects import Effects
from fairlead.lang.csp.elaborate.sizes import MOST_EXPANSIONS, stands_for_too_much
from fairlead.lang.csp.library.library import Library
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import (
    Binary,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    Local,
    LocalElement,
    Operator,
    Shared,
    SharedElement,
    Unary,
    UnaryOperator,
    WholeLocal,
    WholeShared,
    children,
    slots_read,
    subexpressions,
)
from fairlead.model.folding import fold
from fairlead.model.network import Variable
from fairlead.model.program import Block, Branch, Store
from fairlead.model.types import Type
from fairlead.model.values import ArrayType

Environment = Mapping[str, Expression]

#: more combinations of index values than this are refused rather than expanded
EXPANSION_LIMIT = 1 << 20
#: the hint where something is expanded too often
SMALLER_CONSTANT = "use a smaller constant (-D NAME=VALUE)"

_COMPARISONS = (Operator.LESS, Operator.GREATER, Operator.LESS_EQUAL, Operator.GREATER_EQUAL)


@dataclass(frozen=True)
class LocalArray:
    """A local array of a program: where it lies and how long it is."""

    base: int
    dimensions: tuple[int, ...]
    type: Type


@dataclass(frozen=True)
class Names:
    """What names mean at one place of the text: parameters and index variables, and local variables.

    In a program, `effects` takes what method calls inside expressions change.
    """

    environment: Environment = field(default_factory=dict)
    locals: Mapping[str, Local | LocalArray] = field(default_factory=dict)
    effects: Effects | None = None

    def binding(self, name: str, value: Expression) -> Names:
        """These names and one more."""
        return replace(self, environment={**self.environment, name: value})


GLOBAL = Names()


class ExpressionElaborator:
    """Elaborates expressions of one model."""

    def __init__(self, declarations: Declarations, library: Library | None = None) -> None:
        self.declarations = declarations
        self.library = Library() if library is None else library
        self.variables: dict[str, Variable] = {}
        self.channels = Channels(self)
        #: for each slot the values it may start with; grows as variables are elaborated
        self.initial_values: list[list[int]] = []
        self.calls = CallElaborator(self)
        #: hidden variables that decide nothing: what is assigned to them is not kept
        self.undeciding: frozenset[str] = frozenset()
        #: whether to look for similar names, which takes time, where a user will see them
        self.gives_hints = True
        #: names that mean values of different types, whose wrong use is found when the model runs
        self.differing = NONE_DIFFERS
        #: what is worth knowing about the model, found while it is elaborated
        self.warnings: list[Diagnostic] = []
        self._expanding: list[str] = []
        #: how many definitions the outermost one has expanded
        self._expansions = 0

    # ------------------------------------------------------------ entry points

    def integer(self, node: syntax.Expression, names: Names) -> Expression:
        """An expression that must be an integer."""
        return self.typed(node, names, Type.INT)

    def condition(self, node: syntax.Expression, names: Names) -> Expression:
        """An expression that must be a boolean."""
        return self.typed(node, names, Type.BOOL)

    def asked(self, node: syntax.Expression, expected: Type) -> Expression:
        """An expression of a question about the model; it cannot be about what is not kept."""
        value = self.typed(node, GLOBAL, expected)
        for name in sorted(self.undeciding):
            variable = self.variables[name]
            kept_out = range(variable.slot, variable.slot + variable.size)
            if any(slot in kept_out for part in subexpressions(value) for slot in slots_read(part)):
                raise input_error(
                    Code.NOT_CONSTANT,
                    f"the hidden variable '{name}' is not kept, since nothing in the model needs its value",
                    node.span,
                    f"declare it as 'var {name}', or name the condition in the model by a #define",
                )
        return value

    def constant(self, node: syntax.Expression, names: Names = GLOBAL) -> int:
        """An integer that must be known before the run."""
        value = self.integer(node, names)
        if not isinstance(value, Constant):
            raise_fault(value)
            raise input_error(
                Code.NOT_CONSTANT,
                f"'{node.span.text}' must be a constant here",
                node.span,
                "use constants, enum names, and parameters of the process",
            )
        return value.value

    def typed(self, node: syntax.Expression, names: Names, expected: Type) -> Expression:
        """An expression that must have a type."""
        value = self.elaborate(node, names)
        try:
            return converted(value, expected, node.span)
        except InputError as error:
            return converted(self.failing(error, node, names), expected, node.span)

    def failing(self, error: InputError, node: syntax.Node, names: Names) -> Expression:
        """What fails in the run as an error says, if it is not sure before; else the error is raised."""
        found = self.differing.failing(error, node, names.environment, names.locals)
        if found is None:
            raise error
        return found

    def elaborate(self, node: syntax.Expression, names: Names) -> Expression:
        """An expression of any type."""
        try:
            match node:
                case syntax.Integer(value=value):
                    return Constant(value)
                case syntax.Boolean(value=flag):
                    return Constant(int(flag), Type.BOOL)
                case syntax.Name():
                    return self._name(node, names)
                case syntax.Subscript():
                    return self._subscript(node, names)
                case syntax.Unary():
                    return self._unary(node, names)
                case syntax.Binary():
                    return self._binary(node, names)
                case syntax.IndexedExpression():
                    return self._indexed(node, names)
                case syntax.ConditionalExpression():
                    return self._conditional(node, names)
                case syntax.Invocation():
                    return self._invocation(node, names)
                case syntax.Assignment():
                    raise unsupported("an assignment inside an expression", node.span)
                case syntax.MethodCall():
                    return self.calls.method(node, names)
                case syntax.FieldAccess():
                    return self.calls.field(node, names)
                case syntax.NewObject():
                    return self.calls.new(node, names)
                case syntax.Record():
                    return written_out(self, node, names)
                case syntax.ProcessCount():
                    raise unsupported("counting processes", node.span)
        except InputError as error:
            return self.failing(error, node, names)

    # ------------------------------------------------------------ names

    def _name(self, node: syntax.Name, names: Names) -> Expression:
        name = node.name
        if name in names.locals:
            local = names.locals[name]
            if isinstance(local, LocalArray):
                kind = array_type(self.library, name, local.type, node.span)
                return WholeLocal(local.base, product(local.dimensions), name, kind, kind.gather)
            return local
        if name in names.environment:
            return names.environment[name]
        if name in self.variables:
            variable = self.variables[name]
            if variable.dimensions:
                kind = array_type(self.library, name, variable.type, node.span)
                return WholeShared(variable.slot, variable.size, name, kind, kind.gather)
            return Shared(variable.slot, name, variable.type)
        if name in self.declarations.defines:
            return self._expand(name, (), node.span, names)
        if name in self.declarations.processes:
            raise input_error(Code.TYPE, f"'{name}' is a process; an expression is expected here", node.span)
        raise self._unknown(name, node.span, names)

    def _unknown(self, name: str, span: Span, names: Names) -> Exception:
        hint = None
        if self.gives_hints:
            known = [*names.locals, *names.environment, *self.declarations.names()]
            hint = nearest(name, known) or f"declare it, as in 'var {name} = 0;'"
        return input_error(Code.UNKNOWN_NAME, f"unknown name '{name}'", span, hint)

    def _expand(self, name: str, arguments: Sequence[Expression], span: Span, names: Names) -> Expression:
        define = self.declarations.defines[name]
        parameters = define.parameters or ()
        if len(parameters) != len(arguments):
            raise input_error(
                Code.ARITY,
                f"'{name}' takes {counted(len(parameters), 'argument')}, {len(arguments)} given",
                span,
            )
        if isinstance(define.body, syntax.Block):
            raise input_error(Code.TYPE, f"'{name}' is a program fragment, not a value", span)
        if name in self._expanding:
            raise defined_by_itself(f"'{name}'", define.name_span)
        self._expansions = self._expansions + 1 if self._expanding else 1
        if self._expansions > MOST_EXPANSIONS:
            what = f"'{self._expanding[0]}', once it is expanded,"
            raise stands_for_too_much(what, MOST_EXPANSIONS, "definitions", define.name_span)
        tick()
        self._expanding.append(name)
        try:
            bound = dict(zip(parameters, arguments, strict=True))
            return self.elaborate(define.body, Names(bound, effects=names.effects))
        finally:
            self._expanding.pop()

    def _invocation(self, node: syntax.Invocation, names: Names) -> Expression:
        name = node.function
        if name in self.declarations.defines:
            return self._expand(name, self.all_of(node.arguments, names), node.span, names)
        if name in CHANNEL_FUNCTIONS:
            return self.channels.function(node, names)
        value = self.calls.function(node, names)
        if value is not None:
            return value
        known = [*self.declarations.defines, *self.library.function_names()]
        own = "a function of your own is written in Python: docs/reference/python-types.md"
        hint = nearest(name, known) or own
        raise input_error(Code.UNKNOWN_NAME, f"unknown function '{name}'", node.span, hint)

    def _subscript(self, node: syntax.Subscript, names: Names) -> Expression:
        name = node.name
        indices = self.in_order([partial(self.integer, index, names) for index in node.indices], names)
        if name in names.locals:
            local = names.locals[name]
            if not isinstance(local, LocalArray):
                return element_of(local, flat_index(name, (0,), indices, node), node)
            index = flat_index(name, local.dimensions, indices, node)
            size = product(local.dimensions)
            return LocalElement(local.base, size, index, name, local.type, node.span)
        if name not in self.variables:
            if name in names.environment:
                return element_of(names.environment[name], flat_index(name, (0,), indices, node), node)
            if name in self.declarations.defines:
                raise not_an_array(node)
            raise self._unknown(name, node.span, names)
        variable = self.variables[name]
        if not variable.dimensions:
            raise not_an_array(node)
        index = flat_index(name, variable.dimensions, indices, node)
        return fold(SharedElement(variable.slot, variable.size, index, name, variable.type, node.span))

    # ------------------------------------------------------------ the order of effects

    def all_of(self, nodes: Sequence[syntax.Expression], names: Names) -> list[Expression]:
        """The values of several expressions, evaluated in this order."""
        return self.in_order([partial(self.elaborate, node, names) for node in nodes], names)

    def in_order(self, operands: Sequence[Callable[[], Expression]], names: Names) -> list[Expression]:
        """The values of operands, first to last: what a later one changes does not touch an earlier one."""
        values: list[Expression] = []
        for operand in operands:
            position = 0 if names.effects is None else len(names.effects.parts)
            value = operand()
            if names.effects is not None and len(names.effects.parts) > position:
                values = [names.effects.kept_before(earlier, position) for earlier in values]
            values.append(value)
        return values

    def _lazy(self, node: syntax.Binary, operator: Operator, names: Names) -> Expression:
        """`&&` and `||`: what the right side changes, it changes only if it is reached."""
        left = self.condition(node.left, names)
        inner = None if names.effects is None else names.effects.nested()
        right = self.condition(node.right, replace(names, effects=inner))
        if inner is None or not inner.parts or names.effects is None:
            return fold(Binary(operator, left, right, Type.BOOL, node.span))
        result = names.effects.keep(left)
        reached = Block((*inner.parts, Store(result, right, None, None, node.span)))
        nothing = Block(())
        is_and = operator is Operator.AND
        parts = (reached, nothing) if is_and else (nothing, reached)
        names.effects.parts.append(Branch(result, *parts))
        return result

    # ------------------------------------------------------------ operators

    def _unary(self, node: syntax.Unary, names: Names) -> Expression:
        if node.operator == "!":
            operand = self.condition(node.operand, names)
            return fold(Unary(UnaryOperator.NOT, operand, Type.BOOL, node.span))
        if node.operator == "-":
            operand = self.integer(node.operand, names)
            return fold(Unary(UnaryOperator.NEGATE, operand, Type.INT, node.span))
        return self.integer(node.operand, names)

    def _binary(self, node: syntax.Binary, names: Names) -> Expression:
        operator = Operator(node.operator)
        if operator in (Operator.AND, Operator.OR):
            return self._lazy(node, operator, names)
        left, right = self.all_of((node.left, node.right), names)
        expected, kind = Type.INT, Type.INT
        if operator is Operator.XOR:
            expected = kind = Type.BOOL
        elif operator in (Operator.EQUAL, Operator.UNEQUAL):
            kind = Type.BOOL
            expected = Type.MIXED if Type.MIXED in (left.type, right.type) else left.type
            expected = right.type if left.type is NOTHING else expected
            if never_equal(left.type, right.type):
                if self.differing.mentioned(node, names.environment, names.locals):
                    return Constant(int(operator is Operator.UNEQUAL), Type.BOOL)
                if {left.type, right.type} == {Type.INT, Type.BOOL}:
                    return self._never_equal(node, operator)
            if isinstance(left.type, ArrayType) and right.type is left.type.element:
                expected = right.type  # the index was forgotten
        elif operator in (Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR):
            expected = kind = Type.BOOL if left.type is Type.BOOL else Type.INT
        elif operator in _COMPARISONS:
            kind = Type.BOOL
        left = converted(left, expected, node.left.span)
        right = converted(right, expected, node.right.span)
        return fold(Binary(operator, left, right, kind, node.span))

    def _never_equal(self, node: syntax.Binary, operator: Operator) -> Expression:
        """An integer and a boolean are never equal."""
        message = f"'{shorten(node.span.text)}' compares an integer with a boolean: they are never equal"
        warning = Diagnostic(Code.TYPE, message, node.span, severity=Severity.WARNING)
        if warning not in self.warnings:
            self.warnings.append(warning)
        return Constant(int(operator is Operator.UNEQUAL), Type.BOOL)

    def _conditional(self, node: syntax.ConditionalExpression, names: Names) -> Expression:
        condition = self.condition(node.condition, names)
        pure = replace(names, effects=None)  # only one of them is evaluated
        then = self.elaborate(node.then, pure)
        if then.type is NOTHING:
            otherwise = self.elaborate(node.otherwise, pure)
            then = converted(then, otherwise.type, node.then.span)
        else:
            otherwise = converted(self.elaborate(node.otherwise, pure), then.type, node.otherwise.span)
        return fold(Conditional(condition, then, otherwise, then.type))

    def _indexed(self, node: syntax.IndexedExpression, names: Names) -> Expression:
        operator = Operator(node.operator)
        result: Expression | None = None
        for inner in self.index_values(node.ranges, names):
            part = self.condition(node.body, replace(inner, effects=None))
            result = part if result is None else fold(Binary(operator, result, part, Type.BOOL, node.span))
        assert result is not None
        return result

    # ------------------------------------------------------------ indices

    def index_values(self, ranges: tuple[syntax.IndexRange, ...], names: Names) -> Iterator[Names]:
        """The names in scope for each combination of index values, first index outermost."""
        values = [self._range_values(index, names) for index in ranges]
        if product(tuple(len(choices) for choices in values)) > EXPANSION_LIMIT:
            raise LimitReached(
                (
                    Diagnostic(
                        Code.LIMIT,
                        f"more than {EXPANSION_LIMIT} combinations of index values",
                        ranges[0].span,
                        SMALLER_CONSTANT,
                    ),
                )
            )
        for combination in itertools.product(*values):
            bound = {index.name: Constant(value) for index, value in zip(ranges, combination, strict=True)}
            yield replace(names, environment={**names.environment, **bound})

    def _range_values(self, index: syntax.IndexRange, names: Names) -> range | list[int]:
        if len(index.values) == 1 and isinstance(index.values[0], syntax.Interval):
            interval = index.values[0]
            low, high = self.constant(interval.first, names), self.constant(interval.last, names)
            if low > high:
                raise input_error(Code.EMPTY_RANGE, f"the range {{{low}..{high}}} is empty", index.span)
            return range(low, high + 1)
        return [
            self.constant(value, names) for value in index.values if not isinstance(value, syntax.Interval)
        ]


def raise_fault(expression: Expression) -> None:
    """Raises the fault (a division by zero, say) for which an expression of constants has no value."""
    leaves = (part for part in subexpressions(expression) if not children(part))
    if all(isinstance(leaf, Constant | FunctionCall) for leaf in leaves):
        evaluate(expression, Scope([]))
