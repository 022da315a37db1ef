"""Collects what a model declares, by name, and reports clashes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from fairlead.base.diagnostics import Code, InputError, Related, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.complaints import unknown_process
from fairlead.lang.csp import syntax
from fairlead.lang.replication import Number

#: names of events that mean something else
RESERVED_EVENTS = frozenset({"init", "terminate"})


@dataclass
class Declarations:
    """The declarations of a model file; constants, propositions and macros are all `defines`."""

    defines: dict[str, syntax.Define] = field(default_factory=dict)
    variables: dict[str, syntax.VariableDeclaration] = field(default_factory=dict)
    channels: dict[str, syntax.ChannelDeclaration] = field(default_factory=dict)
    processes: dict[str, syntax.ProcessDefinition] = field(default_factory=dict)
    alphabets: dict[str, syntax.AlphabetDeclaration] = field(default_factory=dict)
    assertions: list[syntax.AssertDeclaration] = field(default_factory=list)
    imports: list[syntax.Import] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    #: how many copies of processes there are, where this is chosen from outside
    numbers: Mapping[str, Number] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Every name an expression could mean."""
        return [*self.defines, *self.variables]

    def _claim(self, name: str, span: Span) -> None:
        if name in self.places:
            raise _declared_twice(f"'{name}'", span, self.places[name])
        self.places[name] = span


def _declared_twice(what: str, span: Span, first: Span) -> InputError:
    related = (Related("the first declaration is here", first),)
    return input_error(Code.NAME_CLASH, f"{what} is declared twice", span, related=related)


def collect(specification: syntax.Specification, overrides: Mapping[str, syntax.Expression]) -> Declarations:
    """The declarations of a model; `overrides` replaces the bodies of constants (`-D NAME=VALUE`)."""
    found = Declarations()
    for declaration in specification.declarations:
        collect_one(declaration, found)
    for name, body in overrides.items():
        if name not in found.defines:
            raise input_error(
                Code.UNKNOWN_NAME,
                f"-D {name}=…: the model has no constant '{name}'",
                hint=nearest(name, found.defines),
            )
        old = found.defines[name]
        found.defines[name] = syntax.Define(old.span, name, old.name_span, None, body)
    for name, alphabet in found.alphabets.items():
        if name not in found.processes:
            raise unknown_process(name, alphabet.name_span, nearest(name, found.processes))
    return found


def collect_one(declaration: syntax.Declaration, found: Declarations) -> None:
    """Adds a declaration; an `InputError` if its name is taken."""
    match declaration:
        case syntax.Define(name=name, name_span=span):
            found._claim(name, span)
            found.defines[name] = declaration
        case syntax.EnumDeclaration(names=names):
            for number, name_node in enumerate(names):
                found._claim(name_node.name, name_node.span)
                value = syntax.Integer(name_node.span, number)
                found.defines[name_node.name] = syntax.Define(
                    name_node.span, name_node.name, name_node.span, None, value
                )
        case syntax.VariableDeclaration(name=name, name_span=span):
            found._claim(name, span)
            found.variables[name] = declaration
        case syntax.ChannelDeclaration(name=name, name_span=span):
            found._claim(name, span)
            found.channels[name] = declaration
        case syntax.ProcessDefinition(name=name, name_span=span):
            found._claim(name, span)
            found.processes[name] = declaration
            _check_parameters(declaration)
        case syntax.AlphabetDeclaration(process=name, name_span=span):
            if name in found.alphabets:
                raise _declared_twice(f"the alphabet of '{name}'", span, found.alphabets[name].name_span)
            found.alphabets[name] = declaration
        case syntax.AssertDeclaration():
            found.assertions.append(declaration)
        case syntax.Import():
            found.imports.append(declaration)
        case syntax.Include():
            raise unsupported("#include", declaration.span)


def check_event(event: syntax.Event, declarations: Declarations) -> None:
    """Refuses an event whose name means something else."""
    if event.name in RESERVED_EVENTS:
        raise input_error(Code.NAME_CLASH, f"'{event.name}' cannot be used as an event", event.span)
    if event.name in declarations.processes:
        raise input_error(
            Code.NAME_CLASH,
            f"'{event.name}' is a process, so it cannot be an event as well",
            event.span,
            f"to run it before the rest, write '{event.name}(); …'",
            (Related("the process is here", declarations.places[event.name]),),
        )


def _check_parameters(definition: syntax.ProcessDefinition) -> None:
    names: set[str] = set()
    for parameter in definition.parameters:
        if parameter.name in names:
            raise input_error(
                Code.NAME_CLASH,
                f"'{definition.name}' has two parameters '{parameter.name}'",
                parameter.span,
            )
        names.add(parameter.name)


def unsupported(construct: str, span: Span) -> Exception:
    """The error for a construct of CSP# that this version reads but does not run."""
    return input_error(
        Code.UNSUPPORTED,
        f"{construct}: this part of CSP# is recognised but not supported yet",
        span,
        "docs/reference/csp.md lists what is supported",
    )
