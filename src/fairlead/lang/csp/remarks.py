"""What is worth knowing about a text that is right: warnings about what is most likely not meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fairlead.base.diagnostics import Code, Diagnostic, Related, Severity
from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import nodes_of, processes_reached

_WORD = re.compile(r"[A-Za-z_]\w*")

Processes = Mapping[str, syntax.ProcessDefinition]


def remarks(
    specification: syntax.Specification, processes: Processes, asked: Iterable[syntax.Call], words: set[str]
) -> Iterator[Diagnostic]:
    """The warnings; `asked` are the processes that questions are about, `words` is what formulas mention."""
    started: dict[str, syntax.ProcessDefinition] = {}
    for call in asked:
        started |= processes_reached(call, processes)
    yield from _unused(specification, started, words)
    for definition in started.values():
        for node in nodes_of((definition.body,)):
            match node:
                case syntax.Parallel(kind=syntax.ParallelKind.SYNCHRONISE, components=components):
                    yield from _unsynchronised(components, processes)
                case syntax.Guarded(condition=condition):
                    yield from _constant(condition)
                case syntax.Conditional(condition=condition):
                    yield from _constant(condition)


def words_of(text: str) -> set[str]:
    """The names that a formula may mention."""
    return set(_WORD.findall(text))


def _warning(
    code: Code, message: str, span: Span, hint: str | None = None, related: tuple[Related, ...] = ()
) -> Diagnostic:
    return Diagnostic(code, message, span, hint, related, Severity.WARNING)


# ---------------------------------------------------------------- what nothing uses


def _unused(specification: syntax.Specification, started: Processes, words: set[str]) -> Iterator[Diagnostic]:
    mentioned = words | _mentioned(specification)
    for declaration in specification.declarations:
        if declaration.span.source is not specification.source:
            continue  # what a file has that several models include need not be used by all
        match declaration:
            case syntax.ProcessDefinition(name=name, name_span=span) if name not in started and started:
                yield _warning(
                    Code.UNUSED,
                    f"process '{name}' is never started",
                    span,
                    "no assertion is about a process that reaches it",
                )
            case syntax.VariableDeclaration(name=name, name_span=span) if name not in mentioned:
                yield _warning(Code.UNUSED, f"variable '{name}' is never used", span)
            case syntax.ChannelDeclaration(name=name, name_span=span) if name not in mentioned:
                yield _warning(Code.UNUSED, f"channel '{name}' is never used", span)
            # propositions may be for formulas that are given apart from the model
            case syntax.Define(name=name, name_span=span, body=syntax.Integer()) if name not in mentioned:
                yield _warning(Code.UNUSED, f"constant '{name}' is never used", span)


def _mentioned(specification: syntax.Specification) -> set[str]:
    found: set[str] = set()
    for node in nodes_of(specification.declarations):
        match node:
            case syntax.Name(name=name) | syntax.Subscript(name=name) | syntax.Channel(name=name):
                found.add(name)
            case syntax.Invocation(function=name):
                found.add(name)
            case syntax.Satisfies(formula=formula):
                found |= words_of(formula.text)
    return found


# ---------------------------------------------------------------- what is not taken together


def _unsynchronised(components: tuple[syntax.Process, ...], processes: Processes) -> Iterator[Diagnostic]:
    """Events with a program in one component that another component has as well."""
    first: dict[str, tuple[int, syntax.Event]] = {}
    told: set[str] = set()
    events = [list(_events(component, processes)) for component in components]
    with_program = {event.name for found in events for event, has_program in found if has_program}
    for number, found in enumerate(events):
        for event, _ in found:
            if event.name not in with_program or event.name == "tau":
                continue
            other, place = first.setdefault(event.name, (number, event))
            if other != number and event.name not in told:
                told.add(event.name)
                yield _warning(
                    Code.NOT_SHARED,
                    f"'{event.name}' has a program, so the components of '||' do not synchronise on it",
                    event.span,
                    "a synchronised event has no program; put the assignment into an event of its own",
                    (Related("another component has it here", place.span),),
                )


def _events(component: syntax.Process, processes: Processes) -> Iterator[tuple[syntax.Event, bool]]:
    """The events of a component and of what it calls, and whether they have a program."""
    bodies: list[syntax.Node] = [component]
    for node in nodes_of((component,)):
        if isinstance(node, syntax.Call):
            bodies += [definition.body for definition in processes_reached(node, processes).values()]
    for node in nodes_of({id(body): body for body in bodies}.values()):
        if isinstance(node, syntax.Prefix):
            yield node.event, node.program is not None


# ---------------------------------------------------------------- conditions


def _constant(condition: syntax.Expression) -> Iterator[Diagnostic]:
    """A condition of numbers alone; one of constants may be meant for other values of them (`-D`)."""
    if any(not isinstance(node, _LITERALS) for node in nodes_of((condition,))):
        return
    yield _warning(
        Code.CONSTANT_CONDITION,
        f"'{' '.join(condition.span.text.split())}' does not depend on anything",
        condition.span,
        "remove a condition that is always true, and the part behind one that is always false",
    )


_LITERALS = syntax.Integer | syntax.Boolean | syntax.Unary | syntax.Binary
