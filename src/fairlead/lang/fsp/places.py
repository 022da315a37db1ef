"""The places in the text of an FSP model that transitions execute: the actions before its arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from fairlead.base.source import Span
from fairlead.lang.fsp.syntax import Choice, Conditional, ImportDefinition, LocalProcess, ProcessDefinition
from fairlead.model.coverable import CoverablePlace, Definition, PlaceKind, in_order


def coverable(
    processes: Iterable[ProcessDefinition | ImportDefinition], merged: Set[Span]
) -> tuple[Definition, ...]:
    """The primitive processes with their places, those left out that are `merged` with others."""
    return tuple(
        Definition(
            definition.name,
            definition.span,
            in_order(
                [
                    CoverablePlace(PlaceKind.EVENT, span)
                    for local in definition.locals
                    for span in _actions(local.body)
                    if span not in merged
                ]
            ),
        )
        for definition in processes
        if isinstance(definition, ProcessDefinition)
    )


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
