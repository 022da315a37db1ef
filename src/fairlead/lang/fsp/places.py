"""Finds the places in the text of an FSP model that transitions execute: the actions before its arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from fairlead.base.source import Span
from fairlead.lang.fsp.syntax import Choice, Conditional, ImportDefinition, LocalProcess, ProcessDefinition
from fairlead.model.coverable import CoverablePlace, Definition, PlaceKind, in_order


def coverable(
    processes: Iterable[ProcessDefinition | ImportDefinition], merged: Set[Span]
) -> tuple[Definition, ...]:
    """The primitive processes with their places, those left out that are `merged` with others."""
    found = []
    for definition in processes:
        if isinstance(definition, ProcessDefinition):
            actions = [span for local in definition.locals for span in _actions(local.body)]
            places = [CoverablePlace(PlaceKind.EVENT, span) for span in actions if span not in merged]
            uncounted = len(actions) - len(places)
            found.append(Definition(definition.name, definition.span, in_order(places), uncounted))
    return tuple(found)


def _actions(body: LocalProcess) -> Iterator[Span]:
    pending = [body]
    while pending:
        match pending.pop():
            case Choice(branches):
                for branch in branches:
                    yield from (label.span for label in branch.labels)
                    pending.append(branch.target)
            case Conditional(_, then, otherwise):
                pending += [then] if otherwise is None else [then, otherwise]
