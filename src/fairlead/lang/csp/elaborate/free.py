"""Finds the names that a process text depends on, and which of them decide its structure.

A position keeps only the parameters its text mentions, so that two states that differ in a parameter no
longer needed are one. A *structural* name decides how many branches or components there are (it stands in
an index range): its value is part of the position, all other parameters are only data.
"""

from __future__ import annotations

from collections.abc import Callable

from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import child_nodes, nodes_of, postorder

_NONE: frozenset[str] = frozenset()


class FreeNames:
    """Free and structural names of the nodes of one model."""

    def __init__(self, processes: dict[str, syntax.ProcessDefinition]) -> None:
        self._processes = processes
        self._pinned: list[syntax.Node] = []
        self._free: dict[int, frozenset[str]] = {}
        self._structural: dict[int, frozenset[str]] = {}
        self._structural_parameters: dict[str, frozenset[str]] = dict.fromkeys(processes, _NONE)
        self._find_structural_parameters()

    def free(self, node: syntax.Node) -> frozenset[str]:
        """The names that occur in a node and are not bound within it."""
        return self._lookup(node, self._free, self._free_of)

    def structural(self, node: syntax.Node) -> frozenset[str]:
        """The free names whose values decide the structure of the node."""
        return self._lookup(node, self._structural, self._structural_of)

    def _lookup(
        self,
        node: syntax.Node,
        memo: dict[int, frozenset[str]],
        rule: Callable[[syntax.Node], frozenset[str]],
    ) -> frozenset[str]:
        if id(node) not in memo:
            self._pinned.append(node)  # an id stays the node's own only while the node lives
            for part in postorder(node):
                if id(part) not in memo:
                    memo[id(part)] = rule(part)
        return memo[id(node)]

    def _free_of(self, node: syntax.Node) -> frozenset[str]:
        below = self._union(node, self._free)
        match node:
            case syntax.Name(name=name):
                return frozenset((name,))
            case syntax.Subscript(name=name):
                return below | {name}
        return below - bound_by(node)

    def _structural_of(self, node: syntax.Node) -> frozenset[str]:
        below = self._union(node, self._structural)
        match node:
            case syntax.IndexRange() | syntax.ValueRange():
                return self.free(node)
            case syntax.Replication(count=count) if count is not None:
                return below | self.free(count)
            case syntax.Call(process=process, arguments=arguments) if process in self._processes:
                decisive = self._structural_parameters[process]
                for parameter, argument in zip(self._processes[process].parameters, arguments, strict=False):
                    if parameter.name in decisive:
                        below |= self.free(argument)
                return below
        return below - bound_by(node)

    def _union(self, node: syntax.Node, memo: dict[int, frozenset[str]]) -> frozenset[str]:
        found = _NONE
        for child in child_nodes(node):
            part = memo[id(child)]
            if not part <= found:
                found = found | part if found else part
        return found

    def _find_structural_parameters(self) -> None:
        if not any(_has_ranges(definition) for definition in self._processes.values()):
            return
        changed = True
        while changed:
            changed = False
            self._structural.clear()
            for name, definition in self._processes.items():
                parameters = frozenset(parameter.name for parameter in definition.parameters)
                found = self.structural(definition.body) & parameters
                if found != self._structural_parameters[name]:
                    self._structural_parameters[name] = found
                    changed = True
        self._structural.clear()


def _has_ranges(definition: syntax.ProcessDefinition) -> bool:
    return any(
        isinstance(node, syntax.IndexRange | syntax.Replication) for node in nodes_of((definition.body,))
    )


def bound_by(node: syntax.Node) -> frozenset[str]:
    """The names that a node binds in the nodes below it."""
    match node:
        case (
            syntax.IndexedChoice(ranges=ranges)
            | syntax.IndexedParallel(ranges=ranges)
            | syntax.IndexedExpression(ranges=ranges)
            | syntax.IndexedEvent(ranges=ranges)
        ):
            return frozenset(index.name for index in ranges)
    return _NONE
