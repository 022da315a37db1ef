"""Elaborates arrays as values: written out, named as a whole, and their elements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Code, Diagnostic, InputError, LimitReached, input_error
from fairlead.base.source import Span
from fairlead.lang.complaints import no_array
from fairlead.lang.csp import syntax
from fairlead.model.expression import (
    Binary,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    Operator,
    SharedElement,
    WholeShared,
)
from fairlead.model.folding import fold
from fairlead.model.types import Type
from fairlead.model.values import ArrayType

if TYPE_CHECKING:
    from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names
    from fairlead.lang.csp.library.library import Library

#: an array with more elements than this is not written out
LISTED_LIMIT = 1 << 16

#: an index that lies outside of every array, whatever is added to it within one
OUTSIDE = Constant(-(1 << 24))


def not_an_array(node: syntax.Subscript) -> InputError:
    """The error for an index of something else."""
    return no_array(node.name, node.span)


def empty_array(span: Span) -> InputError:
    """The error for an array without elements."""
    return input_error(Code.RANGE, "an array needs at least one element", span)


def flat_index(
    name: str, dimensions: tuple[int, ...], indices: list[Expression], node: syntax.Subscript
) -> Expression:
    """The row-major index of `name[i][j]…`, each index checked against its own dimension.

    A lone index into a multi-dimensional array addresses the flat array, as in PAT.
    """
    if len(indices) == 1:
        return indices[0]
    if len(indices) != len(dimensions):
        raise input_error(
            Code.ARITY, f"'{name}' has {len(dimensions)} dimensions, {len(indices)} indices given", node.span
        )
    flat: Expression = Constant(0)
    for dimension, index in zip(dimensions, indices, strict=True):
        scaled = fold(Binary(Operator.MULTIPLY, flat, Constant(dimension), Type.INT, node.span))
        flat = fold(Binary(Operator.ADD, scaled, _bounded(index, dimension), Type.INT, node.span))
    return flat


def _bounded(index: Expression, dimension: int) -> Expression:
    """The index if it lies within its dimension, else one that lies outside of every array."""
    if isinstance(index, Constant):
        return index if 0 <= index.value < dimension else OUTSIDE
    low = Binary(Operator.GREATER_EQUAL, index, Constant(0), Type.BOOL)
    high = Binary(Operator.LESS, index, Constant(dimension), Type.BOOL)
    return Conditional(Binary(Operator.AND, low, high, Type.BOOL), index, OUTSIDE, Type.INT)


def product(numbers: tuple[int, ...]) -> int:
    """The product of some numbers; 1 if there are none."""
    result = 1
    for number in numbers:
        result *= number
    return result


def array_type(library: Library, name: str, element: Type, span: Span) -> ArrayType:
    """The type of an array as a whole."""
    kind = library.array(element)
    if kind is None:
        raise input_error(Code.TYPE, f"'{name}' is an array of objects; give an index", span)
    return kind


def element_of(array: Expression, index: Expression, node: syntax.Subscript) -> Expression:
    """`x[i]`, where `x` is a value that is an array."""
    if not isinstance(array.type, ArrayType):
        raise not_an_array(node)
    element = array.type.element
    if isinstance(array, WholeShared):
        return fold(SharedElement(array.base, array.size, index, node.name, element, node.span))
    return fold(FunctionCall(array.type.element_of(node.name), (array, index), element, node.span))


def written_out(expressions: ExpressionElaborator, node: syntax.Record, names: Names) -> Expression:
    """`[1, x, 3..5]` as a value."""
    elements = listed(expressions, node, names)
    kind = array_type(expressions.library, node.span.text, elements[0].type, node.span)
    return fold(FunctionCall(kind.gather, tuple(elements), kind, node.span))


def listed(expressions: ExpressionElaborator, node: syntax.Record, names: Names) -> list[Expression]:
    """The elements of an array that is written out; all have one type."""
    found: list[Expression] = []
    for element in node.elements:
        match element:
            case syntax.Interval(first=first, last=last):
                start, end = expressions.constant(first, names), expressions.constant(last, names)
                step = 1 if start <= end else -1
                _limit(abs(end - start) + len(found), element.span)
                found += [Constant(number) for number in range(start, end + step, step)]
            case syntax.Repeat(value=value, count=count):
                times = expressions.constant(count, names)
                _limit(times + len(found), element.span)
                found += [expressions.elaborate(value, replace(names, effects=None))] * times
            case _:
                pure = replace(names, effects=None)  # the elements before it would have to be kept
                found.append(expressions.elaborate(element, pure))
    if not found:
        raise empty_array(node.span)
    for item in found:
        if item.type is not found[0].type:
            raise input_error(Code.TYPE, "the elements of an array must all have one type", node.span)
    return found


def _limit(count: int, span: Span) -> None:
    if count > LISTED_LIMIT:
        raise LimitReached((Diagnostic(Code.LIMIT, f"an array of {count} elements is written out", span),))
