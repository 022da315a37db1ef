"""Writes annotations into the text of a CSP# model."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.annotation import Annotated, Annotation

#: what includes what: an annotation is replaced by one that demands more
_MORE = {Annotation.WEAK: 0, Annotation.STRONG: 1}


def annotated_text(specification: syntax.Specification, wanted: Sequence[Annotated]) -> str:
    """The text of the model's file with these events annotated wherever they are written.

    An event is written once for all its arguments: with `take.0` whatever `take.i` stands for is annotated.
    Raises `InputError` if one of them is nowhere written as the event of a prefix.
    """
    source = specification.source
    changes: dict[tuple[int, int], tuple[syntax.Event, Annotation]] = {}
    for annotated in wanted:
        name, *arguments = annotated.label.split(".")
        places = [
            node.event
            for node in nodes_of(specification.declarations)
            if isinstance(node, syntax.Prefix) and _may_be(node.event, name, arguments)
        ]
        if not places:
            raise input_error(
                Code.USAGE,
                f"{annotated} cannot be written into the model: no prefix has this event",
                hint="messages on channels and internal steps cannot be annotated",
            )
        for event in places:
            if event.span.source is not source:
                raise input_error(
                    Code.USAGE, f"{annotated} belongs into a file that the model includes", event.span
                )
            key = (event.span.start, event.span.end)
            kind = annotated.annotation
            if key not in changes or _MORE[kind] > _MORE[changes[key][1]]:
                changes[key] = (event, kind)
    text = source.text
    for (start, end), (event, kind) in sorted(changes.items(), reverse=True):
        text = text[:start] + _written(event, kind) + text[end:]
    return text


def _may_be(event: syntax.Event, name: str, arguments: list[str]) -> bool:
    """Whether the text of an event may stand for one with these arguments."""
    if event.name != name or len(event.arguments) != len(arguments):
        return False
    return all(
        not isinstance(argument, syntax.Integer) or str(argument.value) == wanted
        for argument, wanted in zip(event.arguments, arguments, strict=True)
    )


def _written(event: syntax.Event, kind: Annotation) -> str:
    written = event.span.text
    if event.annotation is None:
        return f"{kind.value}({written})"
    if event.annotation is Annotation.WEAK and kind is Annotation.STRONG:
        return f"{kind.value}{written[written.index('(') :]}"
    return written
