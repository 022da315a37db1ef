"""Elaborates sets of events, as alphabets and hiding list them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names
from fairlead.model.evaluation import Scope
from fairlead.model.expression import Constant
from fairlead.model.labels import EventTemplate, event_text, label_text


def event_label(expressions: ExpressionElaborator, event: syntax.Event, names: Names) -> str | None:
    """The label of an event, or None if its arguments depend on variables."""
    arguments = tuple(expressions.elaborate(argument, names) for argument in event.arguments)
    if not all(isinstance(argument, Constant) for argument in arguments):
        return None
    return event_text(label_text(EventTemplate(event.name, arguments)), Scope([]))


def listed_events(
    expressions: ExpressionElaborator, events: syntax.EventSet, names: Names
) -> Iterator[tuple[syntax.Event, Names]]:
    """The events of a set, `i:{0..2} @ e.i` one by one, with what their names mean."""
    for item in events:
        if isinstance(item, syntax.IndexedEvent):
            for inner in expressions.index_values(item.ranges, names):
                yield item.event, inner
        else:
            yield item, names


def listed_labels(expressions: ExpressionElaborator, events: syntax.EventSet, names: Names) -> frozenset[str]:
    """The labels of a set of events, which must be known without running the model."""
    labels: set[str] = set()
    for event, inner in listed_events(expressions, events, names):
        label = event_label(expressions, event, inner)
        if label is None:
            raise input_error(
                Code.NOT_CONSTANT,
                f"'{event.span.text}' depends on variables; a set of events must be known before the run",
                event.span,
            )
        labels.add(label)
    return frozenset(labels)
