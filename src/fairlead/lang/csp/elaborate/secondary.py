"""Hidden variables (`hvar`) that decide nothing: they need not be part of the state.

PAT leaves every `hvar` out of the comparison of states, so that what depends on one depends on the order of
the search. Here a hidden variable is left out only where that cannot matter: if its value never reaches a
guard, an event, an argument, a visible variable or a proposition. All others are kept like any variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import child_nodes, nodes_of


def undeciding(specification: syntax.Specification) -> frozenset[str]:
    """The hidden variables whose values decide nothing."""
    hidden = {
        declaration.name
        for declaration in specification.declarations
        if isinstance(declaration, syntax.VariableDeclaration)
        and declaration.kind is syntax.VariableKind.HIDDEN
    }
    if not hidden:
        return frozenset()
    uses = _Uses(hidden)
    for declaration in specification.declarations:
        uses.look_at(declaration)
    deciding = set(uses.deciding)
    pending = list(deciding)
    while pending:  # what a deciding variable is computed from decides as well
        for source in uses.computed_from.get(pending.pop(), ()):
            if source not in deciding:
                deciding.add(source)
                pending.append(source)
    return frozenset(hidden - deciding)


class _Uses:
    """Where hidden variables are read: to compute other hidden ones, or for anything else."""

    def __init__(self, hidden: set[str]) -> None:
        self._hidden = hidden
        self.deciding: set[str] = set()
        self.computed_from: dict[str, set[str]] = {}

    def look_at(self, declaration: syntax.Node) -> None:
        pending = [declaration]
        while pending:
            node = pending.pop()
            match node:
                case syntax.ExpressionStatement(expression=syntax.Assignment() as assignment):
                    self._assignment(assignment)
                case syntax.IfStatement():
                    pending += self._branches(node)
                case _:
                    name = _named(node)
                    if name in self._hidden:
                        self.deciding.add(name)
                    pending += child_nodes(node)

    def _assignment(self, node: syntax.Assignment) -> None:
        target = node.target.name
        effects = (syntax.Assignment, syntax.MethodCall, syntax.Invocation)
        if target not in self._hidden or any(isinstance(part, effects) for part in nodes_of((node.value,))):
            self.deciding |= self._read(node)
            return
        found = self._read(node.value)
        if isinstance(node.target, syntax.Subscript):
            for index in node.target.indices:
                found |= self._read(index)
        self.computed_from.setdefault(target, set()).update(found)

    def _branches(self, node: syntax.IfStatement) -> Iterator[syntax.Node]:
        """The parts still to be examined; the condition decides, unless it is only about hidden ones."""
        inside = list(nodes_of([node.then] if node.otherwise is None else [node.then, node.otherwise]))
        targets = {part.target.name for part in inside if isinstance(part, syntax.Assignment)}
        effects = (syntax.WhileStatement, syntax.MethodCall, syntax.Invocation, syntax.LocalVariable)
        calls = any(isinstance(part, effects) for part in inside)
        names = any(
            isinstance(part, syntax.ExpressionStatement) and isinstance(part.expression, syntax.Name)
            for part in inside
        )
        if targets <= self._hidden and not calls and not names:
            for target in targets:
                self.computed_from.setdefault(target, set()).update(self._read(node.condition))
        else:
            self.deciding |= self._read(node.condition)
        yield node.then
        if node.otherwise is not None:
            yield node.otherwise

    def _read(self, node: syntax.Node) -> set[str]:
        return {_named(part) for part in nodes_of((node,))} & self._hidden


def _named(node: syntax.Node) -> str:
    match node:
        case syntax.Name(name=name) | syntax.Subscript(name=name):
            return name
    return ""
