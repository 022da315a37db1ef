"""Alphabets of the components of `||`: the events on which they synchronise."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.errors import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.declarations import Declarations
from fairlead.lang.csp.elaborate.expressions import Names
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable
from fairlead.model.expression import Constant, Expression
from fairlead.model.semantics import argument_text

#: more process instances than this are not searched for events
INSTANCE_LIMIT = 20_000


class Alphabets:
    """Computes alphabets: declared by `#alphabet`, or the events in the text a component can reach."""

    def __init__(self, table: PositionTable, declarations: Declarations) -> None:
        self._table = table
        self._declarations = declarations

    def alphabet(self, frame: Frame) -> frozenset[str]:
        """The events of a component: not τ and no data operations, which never synchronise."""
        found: set[str] = set()
        seen: set[tuple[int, tuple[tuple[str, Expression], ...]]] = set()
        pending = [frame]
        while pending:
            current = pending.pop()
            free = self._table.names.free(current.node)
            environment = {n: v for n, v in current.environment.items() if n in free}
            key = (id(current.node), tuple(sorted(environment.items(), key=lambda item: item[0])))
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > INSTANCE_LIMIT:
                raise _not_computable(frame.node, "it has too many instances")
            pending += self._search(Frame(current.node, environment), found, frame.node)
        return frozenset(found)

    def _search(self, frame: Frame, found: set[str], component: syntax.Process) -> Iterator[Frame]:
        node, names = frame.node, Names(frame.environment)
        match node:
            case syntax.Prefix(event=event, program=program, next=following):
                if program is None and event.name != "tau":
                    found.add(self._event(event, names, component))
                yield Frame(following, frame.environment)
            case syntax.Call(process=process):
                yield from self._called(frame, process, found, component)
            case (
                syntax.IndexedChoice(ranges=ranges, body=body)
                | syntax.IndexedParallel(ranges=ranges, body=body)
            ):
                for inner in self._table.expressions.index_values(ranges, names):
                    yield Frame(body, inner.environment)
            case _:
                for child in process_children(node):
                    yield Frame(child, frame.environment)

    def _called(
        self, frame: Frame, process: str, found: set[str], component: syntax.Process
    ) -> Iterator[Frame]:
        body = self._table.unfold(frame)
        if process in self._declarations.alphabets:
            names = Names(body.environment)
            for item in self._declarations.alphabets[process].events:
                if isinstance(item, syntax.IndexedEvent):
                    for inner in self._table.expressions.index_values(item.ranges, names):
                        found.add(self._event(item.event, inner, component))
                else:
                    found.add(self._event(item, names, component))
            return
        free = self._table.names.free(body.node)
        for name, value in body.environment.items():
            if name in free and not isinstance(value, Constant):
                raise _not_computable(component, f"'{name}' of '{process}' depends on variables", frame.node)
        yield body

    def _event(self, event: syntax.Event, names: Names, component: syntax.Process) -> str:
        texts = [event.name]
        for argument in event.arguments:
            value = self._table.expressions.elaborate(argument, names)
            if not isinstance(value, Constant):
                raise _not_computable(component, f"'{event.span.text}' depends on variables", event)
            texts.append(argument_text(value.value, value.type))
        return ".".join(texts)


def process_children(node: syntax.Process) -> tuple[syntax.Process, ...]:
    """The processes directly below a node (not below calls)."""
    match node:
        case syntax.Choice(branches=parts) | syntax.Parallel(components=parts):
            return parts
        case syntax.Sequence(parts=parts) | syntax.Interrupt(parts=parts):
            return parts
        case syntax.Guarded(process=process) | syntax.Hiding(process=process):
            return (process,)
        case syntax.Atomic(process=process):
            return (process,)
        case syntax.Replication(body=body):
            return (body,)
        case syntax.Conditional(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case syntax.Case(branches=branches, default=default):
            processes = tuple(branch.process for branch in branches)
            return processes if default is None else (*processes, default)
        case syntax.Output(next=following) | syntax.Input(next=following):
            return (following,)
        case syntax.CompoundPrefix(next=following):
            return (following,)
    return ()


def _not_computable(component: syntax.Process, reason: str, place: syntax.Node | None = None) -> Exception:
    where = place or component
    name = component.process if isinstance(component, syntax.Call) else "P"
    return input_error(
        Code.ALPHABET,
        f"the alphabet of '{' '.join(component.span.text.split())[:40]}' cannot be computed: {reason}",
        where.span,
        f"declare it, as in '#alphabet {name} {{a, b}};'",
    )
