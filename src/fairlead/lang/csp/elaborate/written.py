"""Writes the text of a process with the meanings of its names in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.free import bound_by
from fairlead.lang.csp.walk import child_nodes
from fairlead.model.expression import Constant, Expression, Parameter
from fairlead.model.labels import argument_text
from fairlead.model.network import SHOWN_TEXT, Piece

_SPACE = re.compile(r"\s+")


def piece_of(value: Expression | None, name: str) -> Piece:
    """What stands for a name: a parameter, the text of a constant, or the name itself."""
    match value:
        case Parameter():
            return value
        case Constant(known, kind):
            return argument_text(known, kind)
    return name


#: gives the value of an operation on integers, if constants and parameters alone determine it
Arithmetic = Callable[[syntax.Binary], Expression | None]


def written_pieces(
    node: syntax.Process, environment: Mapping[str, Expression], arithmetic: Arithmetic
) -> list[Piece]:
    """The beginning of the text of a node, as much as is shown of it."""
    source, start = node.span.source.text, node.span.start
    end = min(node.span.end, start + 4 * SHOWN_TEXT)
    pieces: list[Piece] = []
    known = _known_places(node, environment, end, arithmetic) if environment else ()
    for place, after, piece in sorted(known, key=lambda one: one[:2]):
        if start <= place and after <= end:
            pieces += [_SPACE.sub(" ", source[start:place]), piece]
            start = after
    return [*pieces, _SPACE.sub(" ", source[start:end])]


def _known_places(
    node: syntax.Process, environment: Mapping[str, Expression], end: int, arithmetic: Arithmetic
) -> Iterator[tuple[int, int, Piece]]:
    """The parts of a text, up to an end, whose values are known: from where to where, and the value."""
    pending: list[tuple[syntax.Node, frozenset[str]]] = [(node, frozenset())]
    while pending:
        part, bound = pending.pop()
        if isinstance(part, syntax.Binary) and not bound:
            value = arithmetic(part)
            if value is not None:
                yield *_with_brackets(part.span), value
                continue
        if isinstance(part, syntax.Name | syntax.Subscript) and part.name in environment.keys() - bound:
            start, name = part.span.start, part.name
            if part.span.source.text.startswith(name, start):
                yield start, start + len(name), piece_of(environment[name], name)
        bound |= bound_by(part)
        pending += [(child, bound) for child in child_nodes(part) if child.span.start < end]


def _with_brackets(span: Span) -> tuple[int, int]:
    """Where an operation stands, with the brackets around it if they are there for its sake."""
    text, start, end = span.source.text, span.start, span.end
    before = text[max(0, start - 9) : start - 1].rstrip()[-1:]
    is_call = before.isalnum() or before == "_"
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")" or is_call:
        return start, end
    return start - 1, end + 1
