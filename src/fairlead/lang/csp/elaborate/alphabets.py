"""Alphabets of the components of `||`: the events on which they synchronise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import bound_names
from fairlead.lang.csp.elaborate.declarations import Declarations
from fairlead.lang.csp.elaborate.events import event_label, listed_events, listed_labels
from fairlead.lang.csp.elaborate.expressions import Environment, Names
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable
from fairlead.lang.csp.elaborate.replication import Replications
from fairlead.lang.csp.walk import process_children
from fairlead.model.expression import Constant, Expression, Parameter

#: after so many instances of one process, what still varies in its parameters is taken for unknown
WIDENING = 200

_Key = tuple[int, tuple[tuple[str, Expression], ...], frozenset[str]]


@dataclass
class _Found:
    """What the search through one component has found."""

    labels: set[str] = field(default_factory=set)
    unknown: dict[str, syntax.Event] = field(default_factory=dict)  # events whose arguments vary, by name
    seen: set[_Key] = field(default_factory=set)
    instances: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Part:
    """A process text in a component, with the events that are hidden around it."""

    frame: Frame
    hidden: frozenset[str] = frozenset()


class Alphabets:
    """Computes alphabets: declared by `#alphabet`, or the events in the text a component can reach."""

    def __init__(self, table: PositionTable, declarations: Declarations) -> None:
        self._table = table
        self._declarations = declarations
        self._replications = Replications(table, declarations.numbers)

    def alphabets(self, components: list[Frame]) -> list[frozenset[str]]:
        """The events of each component: not τ and no data operations, which never synchronise.

        An event whose arguments vary does no harm as long as no other component has one of its name.
        """
        found = [self._search(component) for component in components]
        names = Counter(name for one in found for name in {label.split(".")[0] for label in one.labels})
        names.update(name for one in found for name in one.unknown)
        for component, one in zip(components, found, strict=True):
            own = {label.split(".")[0] for label in one.labels}
            for name, event in one.unknown.items():
                if names[name] > 1 + (name in own):
                    raise _not_computable(component.node, event)
        return [frozenset(one.labels) for one in found]

    def _search(self, component: Frame) -> _Found:
        found = _Found()
        pending = [_Part(component)]
        while pending:
            part = self._widened(pending.pop(), found)
            frame = part.frame
            key = (
                id(frame.node),
                tuple(sorted(frame.environment.items(), key=lambda item: item[0])),
                part.hidden,
            )
            if key not in found.seen:
                found.seen.add(key)
                pending += self._below(part, found)
        return found

    def _widened(self, part: _Part, found: _Found) -> _Part:
        """The part with the names its text needs; after many instances, with unknown values for them."""
        node = part.frame.node
        free = self._table.names.free(node)
        environment = {n: v for n, v in part.frame.environment.items() if n in free}
        if self._table.is_body(node):
            found.instances[id(node)] += 1
        if found.instances[id(node)] > WIDENING:
            structural = self._table.names.structural(node)
            environment = {
                name: value if name in structural else Parameter(0, value.type)
                for name, value in environment.items()
            }
        return _Part(Frame(node, environment), part.hidden)

    def _below(self, part: _Part, found: _Found) -> Iterator[_Part]:
        frame, node = part.frame, part.frame.node
        names, hidden = Names(frame.environment), part.hidden
        expressions = self._table.expressions
        match node:
            case syntax.Prefix(event=event, program=program, next=following):
                if program is None and event.name != "tau":
                    self._note(event, names, hidden, found)
                yield _Part(Frame(following, frame.environment), hidden)
            case syntax.Call():
                yield from self._called(part, found)
            case syntax.Input(next=following):
                channel, _ = expressions.channels.resolve(node.channel, names)
                bound = bound_names(node, names, expressions)
                for _, kinds in channel.forms_of(len(node.patterns)):
                    received = {name: Parameter(0, kinds[number]) for name, number in bound.items()}
                    yield _Part(Frame(following, {**frame.environment, **received}), hidden)
            case syntax.Hiding(process=body, events=events):
                yield _Part(
                    Frame(body, frame.environment), hidden | listed_labels(expressions, events, names)
                )
            case syntax.IndexedParallel():
                for copy in self._replications.different(node, frame.environment):
                    yield _Part(copy, hidden)
            case syntax.IndexedChoice(ranges=ranges, body=body):
                for inner in expressions.index_values(ranges, names):
                    yield _Part(Frame(body, inner.environment), hidden)
            case _:
                for child in process_children(node):
                    yield _Part(Frame(child, frame.environment), hidden)

    def _called(self, part: _Part, found: _Found) -> Iterator[_Part]:
        frame = part.frame
        assert isinstance(frame.node, syntax.Call)
        body = self._table.unfold(frame)
        declared = self._declarations.alphabets.get(frame.node.process)
        if declared is not None:
            listed = listed_events(self._table.expressions, declared.events, Names(body.environment))
            for event, inner in listed:
                self._note(event, inner, part.hidden, found)
            return
        environment: Environment = {
            name: value if isinstance(value, Constant) else Parameter(0, value.type)
            for name, value in body.environment.items()
        }
        yield _Part(Frame(body.node, environment), part.hidden)

    def _note(self, event: syntax.Event, names: Names, hidden: frozenset[str], found: _Found) -> None:
        label = event_label(self._table.expressions, event, names)
        if label is None:
            found.unknown[event.name] = event
        elif label not in hidden:
            found.labels.add(label)


def _not_computable(component: syntax.Process, event: syntax.Event) -> Exception:
    name = component.process if isinstance(component, syntax.Call) else "P"
    return input_error(
        Code.ALPHABET,
        f"the alphabet of '{' '.join(component.span.text.split())[:40]}' cannot be computed: "
        f"the arguments of '{event.span.text}' are known only when it happens, "
        f"and another component has events '{event.name}' as well",
        event.span,
        f"declare it, as in '#alphabet {name} {{a, b}};'",
    )
