"""What a text declares: constants, ranges and sets are known from their place on, processes everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    Related,
    Severity,
    input_error,
    nearest,
)
from fairlead.base.source import Span
from fairlead.lang.fsp.elaborate.labels import checked_range, label_texts, set_texts
from fairlead.lang.fsp.elaborate.values import Scope, Value, as_value, evaluate, integer
from fairlead.lang.fsp.syntax import (
    AnimationDefinition,
    AssertDefinition,
    CompositeDefinition,
    ConstDefinition,
    Definition,
    FluentDefinition,
    ImportDefinition,
    Label,
    MenuDefinition,
    ProcessDefinition,
    ProgressDefinition,
    RangeDefinition,
    SetDefinition,
    SetName,
)

Named = TypeVar("Named", bound=Definition)


class Declarations:
    """The definitions of a text by name.

    Constants, processes, composites, ranges, sets, fluents, asserts and progress properties have a table
    each, so that a name may stand for one thing in each of them. `problems` are those of the definitions
    that are left out; `missing` are names that parts of the text which cannot be read may declare.
    """

    def __init__(
        self,
        definitions: Sequence[Definition],
        overrides: Mapping[str, str],
        missing: frozenset[str] = frozenset(),
    ) -> None:
        self.constants: dict[str, Value] = {}
        self.warnings: list[Diagnostic] = []
        self._ranges: dict[str, range] = {}
        self._sets: dict[str, list[str]] = {}
        self._declared_at: dict[tuple[str, str], Span] = {}
        self.processes: dict[str, ProcessDefinition | ImportDefinition] = {}
        self.composites: dict[str, CompositeDefinition] = {}
        self.asserts: dict[str, AssertDefinition] = {}
        self.fluents: dict[str, FluentDefinition] = {}
        self.progress: dict[str, ProgressDefinition] = {}
        self.menus: dict[str, MenuDefinition] = {}
        self.globals = Scope(self)
        self._wrong = set(missing)
        self._overrides = dict(overrides)
        problems: list[Diagnostic] = []
        for definition in definitions:
            try:
                self._declare(definition)
            except InputError as error:
                problems += error.diagnostics
                self._wrong.add(definition.name)
        self.problems = tuple(problem for problem in problems if not self.follows(problem))
        unused = [name for name in self._overrides if name not in self.constants]
        if unused and not self._wrong:
            hint = nearest(unused[0], self.constants)
            raise input_error(Code.UNKNOWN_NAME, f"-D {unused[0]}: the model has no such constant", hint=hint)

    def follows(self, problem: Diagnostic) -> bool:
        """Whether a name has no meaning only since its definition is wrong."""
        named = None if problem.span is None else problem.span.text
        return problem.code is not Code.NAME_CLASH and named in self._wrong

    def _declare(self, definition: Definition) -> None:
        match definition:
            case ConstDefinition(name, value):
                self._mark("constant", definition)
                self.constants[name] = self._constant_value(name, evaluate(value, self.globals))
            case RangeDefinition(name, bounds):
                self._mark("range", definition)
                low, high = integer(bounds.low, self.globals), integer(bounds.high, self.globals)
                self._ranges[name] = range(low, high + 1)  # LTSA minds an empty one only where it is used
            case SetDefinition(name, body):
                self._mark("set", definition)
                self._sets[name] = set_texts(body, self.globals.loose())
            case ProcessDefinition(name) | ImportDefinition(name):
                self._mark("process", definition)
                self.processes[name] = definition
            case CompositeDefinition(name):
                self._add("composite process", self.composites, definition)
            case AssertDefinition(name):
                self._add("assert", self.asserts, definition)
            case FluentDefinition(name):
                self._add("fluent", self.fluents, definition)
            case ProgressDefinition(name):
                self._add("progress property", self.progress, definition)
            case MenuDefinition(name):
                self._add("menu", self.menus, definition)
            case AnimationDefinition():
                pass

    def _constant_value(self, name: str, own: Value) -> Value:
        if name not in self._overrides:
            return own
        text = self._overrides[name].strip()
        value = as_value(text)
        if not isinstance(value, int):
            raise input_error(Code.USAGE, f"-D {name}={text}: a constant is an integer")
        return value

    def _add(self, kind: str, table: dict[str, Named], definition: Named) -> None:
        self._mark(kind, definition)
        table[definition.name] = definition

    def _mark(self, kind: str, definition: Definition) -> None:
        key = (kind, definition.name)
        if key in self._declared_at:
            related = (Related("the first one is here", self._declared_at[key]),)
            problem = f"there is a {kind} '{definition.name}' already"
            raise input_error(Code.NAME_CLASH, problem, definition.span, related=related)
        self._declared_at[key] = definition.span

    def warn(self, code: Code, message: str, span: Span | None = None, hint: str | None = None) -> None:
        """Remembers something worth knowing, once."""
        warning = Diagnostic(code, message, span, hint, severity=Severity.WARNING)
        if warning not in self.warnings:
            self.warnings.append(warning)

    # ------------------------------------------------------------ looking up

    def constant(self, name: str, span: Span) -> Value | None:
        """The value of a constant."""
        if name not in self.constants:
            return None
        self._require_declared_before("constant", name, span)
        return self.constants[name]

    def set_or_range(self, name: str, span: Span) -> Sequence[Value] | None:
        """The values of a declared set or range; None, if there is none of that name."""
        if name in self._sets:
            self._require_declared_before("set", name, span)
            return [as_value(text) for text in self._sets[name]]
        if name in self._ranges:
            self._require_declared_before("range", name, span)
            return checked_range(self._ranges[name], span)
        return None

    def is_primitive(self, name: str) -> bool:
        """Whether a name is that of a process which is a single machine: a primitive one, or a constraint."""
        return name in self.processes or (name in self.asserts and self.asserts[name].is_constraint)

    def has_set(self, name: str) -> bool:
        """Whether a set is declared."""
        return name in self._sets

    def set_of(self, name: SetName) -> list[str]:
        """The labels of a declared set."""
        if name.name not in self._sets:
            hint = nearest(name.name, self._sets) or "an action begins with a lower-case letter"
            raise input_error(Code.UNKNOWN_NAME, f"there is no set '{name.name}'", name.span, hint)
        self._require_declared_before("set", name.name, name.span)
        return self._sets[name.name]

    def label_texts(self, label: Label, scope: Scope) -> list[str]:
        """The labels something stands for, each once."""
        return label_texts(label, scope)

    def _require_declared_before(self, kind: str, name: str, span: Span) -> None:
        declared = self._declared_at[kind, name]
        if declared.source is span.source and span.start < declared.start:
            related = (Related("it is declared here", declared),)
            raise input_error(
                Code.UNKNOWN_NAME,
                f"{kind} '{name}' is used before it is declared",
                span,
                f"move the declaration of '{name}' up",
                related,
            )
