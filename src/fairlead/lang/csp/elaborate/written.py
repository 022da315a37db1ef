"""The text of a process with what its names stand for in their places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.free import bound_by
from fairlead.lang.csp.walk import child_nodes
from fairlead.model.expression import Constant, Expression, Parameter
from fairlead.model.labels import argument_text
from fairlead.model.network import SHOWN_TEXT

_SPACE = re.compile(r"\s+")


def piece_of(value: Expression | None, name: str) -> str | int:
    """What stands for a name: the number of a parameter, the text of a constant, or the name itself."""
    match value:
        case Parameter(slot):
            return slot
        case Constant(known, kind):
            return argument_text(known, kind)
    return name


def written_pieces(node: syntax.Process, environment: Mapping[str, Expression]) -> list[str | int]:
    """The beginning of the text of a node, as much as is shown of it."""
    source, start = node.span.source.text, node.span.start
    end = min(node.span.end, start + 4 * SHOWN_TEXT)
    pieces: list[str | int] = []
    known = _free_places(node, environment, end) if environment else ()
    for place, name in sorted(known):
        if start <= place and place + len(name) <= end and source.startswith(name, place):
            pieces += [_SPACE.sub(" ", source[start:place]), piece_of(environment[name], name)]
            start = place + len(name)
    return [*pieces, _SPACE.sub(" ", source[start:end])]


def _free_places(
    node: syntax.Process, environment: Mapping[str, Expression], end: int
) -> set[tuple[int, str]]:
    """Where names that the environment knows stand in a text, up to an end, and are not bound within it."""
    found: set[tuple[int, str]] = set()
    pending: list[tuple[syntax.Node, frozenset[str]]] = [(node, frozenset())]
    while pending:
        part, bound = pending.pop()
        if isinstance(part, syntax.Name | syntax.Subscript) and part.name in environment.keys() - bound:
            found.add((part.span.start, part.name))
        bound |= bound_by(part)
        pending += [(child, bound) for child in child_nodes(part) if child.span.start < end]
    return found
