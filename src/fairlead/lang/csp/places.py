"""The places in the text of a CSP# model that transitions execute: events, branches and statements.

What an edge executes (`elaborate/edges.py`) and what can be executed are determined by the same
functions, so that both speak of the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.coverable import CoverablePlace, Definition, PlaceKind, in_order

_Event = syntax.Prefix | syntax.Output | syntax.Input
#: branches of a choice that are known by what they begin with
_KNOWN_BY_THEIR_START = _Event | syntax.Guarded | syntax.Conditional | syntax.Case | syntax.Stop


def event_span(node: _Event) -> Span:
    """The part of a prefix before its program and the arrow."""
    match node:
        case syntax.Prefix(event=event):
            return event.span
        case syntax.Output(channel=channel, values=parts) | syntax.Input(channel=channel, patterns=parts):
            return channel.span.to(parts[-1].span) if parts else channel.span


def branch_span(node: syntax.Conditional | syntax.Case, branch: syntax.Process | None) -> Span:
    """The part of the text that a branch is, also one that is left out."""
    return node.span.left_out if branch is None else branch.span


def coverable(specification: syntax.Specification, composed: Set[int]) -> tuple[Definition, ...]:
    """The definitions of a model with their places.

    `composed` are nodes, by their identity, that were compositions of processes: which of their branches
    makes a step is known from the events of the branch alone.
    """
    found = []
    for declaration in specification.declarations:
        match declaration:
            case syntax.ProcessDefinition(name=name, parameters=parameters, body=body):
                shown = f"{name}({', '.join(parameter.name for parameter in parameters)})"
            case syntax.Define(name=name, body=syntax.Block() as body):
                shown = name
            case _:
                continue
        nodes = list(nodes_of((body,)))
        places = [place for node in nodes if not _untold(node, composed) for place in _places(node)]
        untold = [place for node in nodes if _untold(node, composed) for place in _places(node)]
        found.append(Definition(shown, declaration.span, in_order(places), len(untold)))
    return tuple(found)


def _untold(node: syntax.Node, composed: Set[int]) -> bool:
    """Whether the steps of a system do not tell which branch of a node makes them."""
    return isinstance(node, syntax.Choice | syntax.Guarded | syntax.Conditional) and id(node) in composed


def _places(node: syntax.Node) -> Iterator[CoverablePlace]:
    """The places of one node, without those of the nodes below it."""
    match node:
        case syntax.Prefix() | syntax.Output() | syntax.Input():
            yield CoverablePlace(PlaceKind.EVENT, event_span(node))
        case syntax.AssertProcess(condition=condition):
            yield CoverablePlace(PlaceKind.STATEMENT, condition.span)
        case syntax.Choice(kind=kind, branches=branches):
            for branch in branches:
                if kind is syntax.ChoiceKind.INTERNAL or not isinstance(branch, _KNOWN_BY_THEIR_START):
                    yield CoverablePlace(PlaceKind.BRANCH, branch.span)
        case syntax.Guarded(condition=condition):
            yield CoverablePlace(PlaceKind.BRANCH, condition.span)
        case syntax.Conditional(kind=kind, then=then, otherwise=otherwise):
            yield CoverablePlace(PlaceKind.BRANCH, then.span)
            if otherwise is not None or kind is not syntax.ConditionalKind.IFB:
                yield _branch(node, otherwise)
        case syntax.Case(branches=cases, default=default):
            for case in cases:
                yield CoverablePlace(PlaceKind.BRANCH, case.process.span)
            yield _branch(node, default)
        case syntax.Block(statements=statements):
            for statement in statements:
                yield from _statements(statement)
        case syntax.IfStatement(then=then_statement, otherwise=else_statement):
            yield from _statements(then_statement)
            if else_statement is None:
                yield CoverablePlace(PlaceKind.MISSING_BRANCH, node.span.left_out)
            else:
                yield from _statements(else_statement)
        case syntax.WhileStatement(body=repeated):
            yield from _statements(repeated)


def _branch(node: syntax.Conditional | syntax.Case, branch: syntax.Process | None) -> CoverablePlace:
    kind = PlaceKind.MISSING_BRANCH if branch is None else PlaceKind.BRANCH
    return CoverablePlace(kind, branch_span(node, branch))


def _statements(statement: syntax.Statement) -> Iterator[CoverablePlace]:
    """A statement itself; those of a block are its own."""
    if not isinstance(statement, syntax.Block):
        yield CoverablePlace(PlaceKind.STATEMENT, statement.span)
