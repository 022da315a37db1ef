"""Shared variables: their slots, types, ranges and initial values."""

from __future__ import annotations

import itertools

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.arrays import empty_array
from fairlead.lang.csp.elaborate.conversions import mismatch
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.evaluation import Scope, evaluate, range_text
from fairlead.model.expression import Constant, slots_read, subexpressions
from fairlead.model.network import Variable
from fairlead.model.types import MIXED_FALSE, MIXED_TRUE, Type
from fairlead.model.values import ArrayType, ObjectType

#: more initial states than this (from `= *`) are refused
INITIAL_STATE_LIMIT = 1 << 20
#: an array with more elements than this is refused
ELEMENT_LIMIT = 1 << 20


def elaborate_variables(
    expressions: ExpressionElaborator, specification: syntax.Specification
) -> tuple[tuple[int, ...], ...]:
    """Gives every variable its slots, and returns the possible vectors of initial values."""
    assigned = _Assigned(specification, expressions)
    choices = expressions.initial_values
    for declaration in expressions.declarations.variables.values():
        choices += _elaborate_one(expressions, declaration, len(choices), assigned)
    count = 1
    for values in choices:
        count *= len(values)
    if count > INITIAL_STATE_LIMIT:
        declarations = expressions.declarations.variables.values()
        wild = next(item for item in declarations if isinstance(item.initial, syntax.Wild))
        message = f"the wild initial values give {count} initial states"
        raise LimitReached((Diagnostic(Code.LIMIT, message, wild.name_span),))
    return tuple(itertools.product(*choices))


def _elaborate_one(
    expressions: ExpressionElaborator,
    declaration: syntax.VariableDeclaration,
    slot: int,
    assigned: _Assigned,
) -> list[list[int]]:
    is_counter = declaration.kind is syntax.VariableKind.COUNTER
    if is_counter:
        _check_counter(declaration)
    dimensions = tuple(expressions.constant(size) for size in declaration.dimensions)
    if any(size <= 0 for size in dimensions):
        raise empty_array(declaration.span)
    _size(dimensions, declaration)
    low, high = declared_range(expressions, declaration.range)
    kind, values = _initial_values(expressions, declaration, low, high)
    if is_counter:
        kind = _integer(declaration, kind)
    else:
        kind, values = assigned.typed(declaration, kind, values)
    size = _size(dimensions, declaration)
    listed = isinstance(declaration.initial, syntax.Record)
    if isinstance(kind, ArrayType):
        listed, values, kind = True, [[int(item)] for item in kind.value(values[0][0])], kind.element
    if declaration.range is not None and isinstance(kind, ObjectType):
        raise input_error(Code.TYPE, "only integers have a range", declaration.range.span)
    if listed:
        assert declaration.initial is not None
        if not dimensions:
            dimensions, size = (len(values),), len(values)
        if len(values) != size:
            raise input_error(
                Code.ARITY,
                f"'{declaration.name}' has {size} elements, {len(values)} initial values given",
                declaration.initial.span,
            )
        if not values:
            raise empty_array(declaration.initial.span)
    elif size > 1 or dimensions:
        values = values * size
    for possible in values:
        _check_initial(declaration, possible, low, high)
    expressions.variables[declaration.name] = Variable(
        declaration.name, slot, size, kind, dimensions, low, high, declaration.name_span, is_counter
    )
    return values


def _check_counter(declaration: syntax.VariableDeclaration) -> None:
    """Refuses what a variable that counts processes cannot be."""
    name, initial = declaration.name, declaration.initial
    if declaration.type_name is not None:
        message = f"the counter '{name}' is an integer, not a {declaration.type_name}"
        raise input_error(Code.TYPE, message, declaration.name_span, f"write 'counter {name} = 0;'")
    if declaration.dimensions or isinstance(initial, syntax.Record):
        place = declaration.dimensions[0] if declaration.dimensions else initial
        assert place is not None
        message = f"the counter '{name}' is one integer, not an array"
        raise input_error(Code.TYPE, message, place.span, "declare one counter for each element")
    if isinstance(initial, syntax.Wild):
        message = f"the counter '{name}' needs one initial value: it counts processes from there on"
        raise input_error(Code.TYPE, message, initial.span, f"write 'counter {name} = 0;'")


def _integer(declaration: syntax.VariableDeclaration, kind: Type | None) -> Type:
    """The type of a counter, whose initial value must be an integer."""
    if kind not in (None, Type.INT):
        assert kind is not None and declaration.initial is not None
        raise mismatch(declaration.initial.span, Type.INT, kind)
    return Type.INT


def _size(dimensions: tuple[int, ...], declaration: syntax.VariableDeclaration) -> int:
    size = 1
    for dimension in dimensions:
        size *= dimension
    _limit(size, declaration)
    return size


def _limit(count: int, declaration: syntax.VariableDeclaration) -> None:
    if count > ELEMENT_LIMIT:
        message = f"'{declaration.name}' would have {count} elements or initial values"
        raise LimitReached((Diagnostic(Code.LIMIT, message, declaration.name_span),))


def declared_range(
    expressions: ExpressionElaborator, declared: syntax.ValueRange | None
) -> tuple[int | None, int | None]:
    """The ends of a declared range; None where there is none."""
    if declared is None:
        return None, None
    low = None if declared.low is None else expressions.constant(declared.low)
    high = None if declared.high is None else expressions.constant(declared.high)
    if low is not None and high is not None and low > high:
        raise input_error(Code.EMPTY_RANGE, f"the range {range_text(low, high)} is empty", declared.span)
    return low, high


def _initial_values(
    expressions: ExpressionElaborator,
    declaration: syntax.VariableDeclaration,
    low: int | None,
    high: int | None,
) -> tuple[Type | None, list[list[int]]]:
    """The type (None if undeclared) and, for each element, its possible initial values."""
    initial = declaration.initial
    if declaration.type_name is not None:
        return _object(expressions, declaration, declaration.type_name)
    match initial:
        case None:
            return (None if low is None and high is None else Type.INT), [[_nearest_to_zero(low, high)]]
        case syntax.Wild():
            if low is None or high is None:
                raise input_error(
                    Code.RANGE, "'= *' needs a declared range, as in 'var x:{0..3} = *'", initial.span
                )
            _limit(high - low + 1, declaration)
            return Type.INT, [list(range(low, high + 1))]
        case syntax.Record():
            return _record_values(expressions, initial, declaration)
        case _:
            value = _constant(expressions, initial)
            return value.type, [[value.value]]


def _object(
    expressions: ExpressionElaborator, declaration: syntax.VariableDeclaration, type_name: str
) -> tuple[Type, list[list[int]]]:
    """The initial value of a `var<T>`: the one given, or what `new T()` makes."""
    kind = expressions.calls.kind(type_name, declaration.span)
    initial = declaration.initial
    if initial is None:
        initial = syntax.NewObject(declaration.span, type_name, ())
    if isinstance(initial, syntax.Record | syntax.Wild):
        raise input_error(Code.TYPE, f"a {type_name} is made by 'new {type_name}(…)'", initial.span)
    value = _constant(expressions, initial)
    if value.type is not kind:
        raise mismatch(initial.span, kind, value.type)
    return kind, [[value.value]]


def _nearest_to_zero(low: int | None, high: int | None) -> int:
    if low is not None and low > 0:
        return low
    return high if high is not None and high < 0 else 0


def _record_values(
    expressions: ExpressionElaborator, record: syntax.Record, declaration: syntax.VariableDeclaration
) -> tuple[Type, list[list[int]]]:
    kinds: list[tuple[Type, syntax.Node]] = []
    values: list[list[int]] = []
    for element in record.elements:
        match element:
            case syntax.Interval(first=first, last=last):
                start, end = expressions.constant(first), expressions.constant(last)
                step = 1 if start <= end else -1
                _limit(abs(end - start) + len(values), declaration)
                values += [[number] for number in range(start, end + step, step)]
                kinds.append((Type.INT, element))
            case syntax.Repeat(value=repeated, count=count):
                value = _constant(expressions, repeated)
                times = expressions.constant(count)
                _limit(times + len(values), declaration)
                values += [[value.value]] * times
                kinds.append((value.type, element))
            case _:
                value = _constant(expressions, element)
                values.append([value.value])
                kinds.append((value.type, element))
    kind = kinds[0][0]
    for other, node in kinds:
        if other is not kind:
            raise mismatch(node.span, kind, other)
    return kind, values


def _constant(expressions: ExpressionElaborator, node: syntax.Expression) -> Constant:
    """A value known before the run; it may read variables that are declared before it and have one value."""
    value = expressions.elaborate(node, GLOBAL)
    if isinstance(value, Constant):
        return value
    known = expressions.initial_values
    for part in subexpressions(value):
        if any(len(known[slot]) > 1 for slot in slots_read(part)):
            message = "an initial value cannot read a variable that starts with any value ('= *')"
            raise input_error(Code.NOT_CONSTANT, message, node.span)
    return Constant(evaluate(value, Scope([choices[0] for choices in known])), value.type)


def _check_initial(
    declaration: syntax.VariableDeclaration, values: list[int], low: int | None, high: int | None
) -> None:
    for value in values:
        if (low is not None and value < low) or (high is not None and value > high):
            where = declaration.initial.span if declaration.initial else declaration.name_span
            raise input_error(
                Code.OUT_OF_RANGE,
                f"the initial value {value} of '{declaration.name}' is outside {range_text(low, high)}",
                where,
            )


class _Assigned:
    """Which variables are given booleans, and which integers, as far as the text of assignments shows it."""

    def __init__(self, specification: syntax.Specification, expressions: ExpressionElaborator) -> None:
        self._booleans: set[str] = set()
        self._integers: set[str] = set()
        for node in nodes_of(specification.declarations):
            if isinstance(node, syntax.Assignment):
                if _is_clearly_boolean(node.value, expressions):
                    self._booleans.add(node.target.name)
                elif _is_clearly_integer(node.value):
                    self._integers.add(node.target.name)

    def typed(
        self, declaration: syntax.VariableDeclaration, kind: Type | None, values: list[list[int]]
    ) -> tuple[Type, list[list[int]]]:
        """The type of a variable with its initial values; `kind` is None where it is undeclared.

        One that is given integers here and booleans there can hold both.
        """
        name = declaration.name
        takes_booleans = name in self._booleans or kind is Type.BOOL
        takes_integers = name in self._integers or kind is Type.INT
        if not (takes_booleans and takes_integers) or declaration.range is not None:
            return kind or (Type.BOOL if takes_booleans else Type.INT), values
        if kind is Type.BOOL:
            values = [[MIXED_TRUE if word else MIXED_FALSE for word in words] for words in values]
        return Type.MIXED, values


def _is_clearly_integer(node: syntax.Expression) -> bool:
    match node:
        case syntax.Integer():
            return True
        case syntax.Unary(operator="-"):
            return True
        case syntax.Binary(operator=operator):
            return operator in ("+", "-", "*", "/", "%")
        case syntax.Assignment(value=value):
            return _is_clearly_integer(value)
    return False


def _is_clearly_boolean(node: syntax.Expression, expressions: ExpressionElaborator) -> bool:
    match node:
        case syntax.Boolean() | syntax.IndexedExpression():
            return True
        case syntax.Unary(operator="!"):
            return True
        case syntax.Binary(operator=operator):
            return operator in ("&&", "||", "xor", "==", "!=", "<", ">", "<=", ">=")
        case syntax.Assignment(value=value):
            return _is_clearly_boolean(value, expressions)
        case syntax.MethodCall(receiver=receiver, method=method):
            declared = expressions.declarations.variables.get(receiver.name)
            kind = None if declared is None else declared.type_name
            return kind is not None and expressions.library.gives_boolean(kind, method)
    return False
