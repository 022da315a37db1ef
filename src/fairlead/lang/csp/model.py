"""A CSP# model, loaded: its assertions, the Network of each process asked about, names in formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.errors import Code, FairleadError, InputError, input_error, nearest
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.behaviour import CspBehaviour
from fairlead.lang.csp.elaborate.declarations import collect, unsupported
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator, raise_fault
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable
from fairlead.lang.csp.elaborate.variables import elaborate_variables
from fairlead.lang.csp.library.imports import check_imports
from fairlead.lang.csp.library.library import Library
from fairlead.lang.csp.library.python_files import PythonFile
from fairlead.lang.csp.parse import parse_assertion, parse_expression, parse_specification
from fairlead.lang.csp.walk import nodes_of
from fairlead.lang.source import Source, Span
from fairlead.model.assertion import (
    Assertion,
    AtomText,
    DeadlockFree,
    EventAtom,
    FormulaText,
    Meaning,
    Reaches,
    Satisfies,
)
from fairlead.model.expression import Constant, Expression, Type
from fairlead.model.network import TERMINATE, Network
from fairlead.model.semantics import argument_text
from fairlead.model.system import Proposition


class CspModel:
    """A model file in CSP#. Processes are elaborated when they are asked about."""

    def __init__(
        self, source: Source, definitions: Mapping[str, str], python: Sequence[PythonFile] = ()
    ) -> None:
        self._specification = parse_specification(source)
        overrides = {name: _override(name, text) for name, text in definitions.items()}
        self._declarations = collect(self._specification, overrides)
        check_imports(self._declarations.imports, python)
        self._expressions = ExpressionElaborator(self._declarations, Library(python))
        for name, body in overrides.items():
            self._check_override(name, body)
        self._initial_values = elaborate_variables(self._expressions, self._specification)
        self._networks: dict[str, Network] = {}
        self._calls: dict[str, syntax.Call] = {}
        self._event_arities = self._find_events()
        self.assertions = tuple(
            self._assertion(declaration.property, declaration.span)
            for declaration in self._declarations.assertions
        )

    def _check_override(self, name: str, body: syntax.Expression) -> None:
        value = self._expressions.elaborate(body, GLOBAL)
        if not isinstance(value, Constant):
            raise_fault(value)
            raise input_error(Code.NOT_CONSTANT, f"-D {name}=…: the value must be a constant", body.span)

    # ------------------------------------------------------------ questions

    def assertion(self, text: str) -> Assertion:
        """An assertion such as `System() |= []<> a`."""
        source = Source("assertion", text)
        return self._assertion(parse_assertion(source), source.span(0, len(text)))

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A formula about a process; by default the one the model's assertions are about."""
        source = Source("formula", text)
        name = self._default_process() if process is None else self._process(process)
        formula = FormulaText(source, 0, len(text))
        return Satisfies(name, f"{name} |= {' '.join(text.split())}", formula)

    def _assertion(self, node: syntax.Property, span: Span) -> Assertion:
        name = self._remember(node.process)
        text = f"{name} {_after_process(node, span)}"
        match node:
            case syntax.DeadlockFree():
                return DeadlockFree(name, text)
            case syntax.Reaches(goal=goal, optimum=None):
                condition = self._expressions.condition(goal, GLOBAL)
                return Reaches(name, text, Proposition(" ".join(goal.span.text.split()), condition))
            case syntax.Satisfies(formula=formula):
                part = FormulaText(formula.source, formula.start, formula.end)
                return Satisfies(name, text, part)
        raise unsupported(f"the assertion '{_after_process(node, span).split()[0]}'", span)

    # ------------------------------------------------------------ processes

    def system(self, process: str | None) -> Network:
        """The closed system of a process call such as `System()` or `Phil(1)`."""
        name = self._default_process() if process is None else self._process(process)
        if name not in self._networks:
            call = self._calls[name]
            table = PositionTable(self._expressions, self._declarations.processes)
            behaviour = CspBehaviour(table, self._declarations, name)
            root = table.local_state((Frame(call),))
            variables = tuple(self._expressions.variables.values())
            values = self._expressions.library.table
            self._networks[name] = Network(name, variables, self._initial_values, behaviour, root, values)
        return self._networks[name]

    def _process(self, text: str) -> str:
        """The canonical name of a process given as text."""
        if text in self._calls:
            return text
        try:
            call = parse_assertion(Source("process", f"{text} deadlockfree")).process
        except InputError:
            raise input_error(
                Code.USAGE, f"'{text}' is not a process; write it as 'System()' or 'Phil(1)'"
            ) from None
        return self._remember(call)

    def _remember(self, call: syntax.Call) -> str:
        arguments = ",".join(" ".join(argument.span.text.split()) for argument in call.arguments)
        name = f"{call.process}({arguments})"
        if call.process not in self._declarations.processes:
            raise input_error(
                Code.UNKNOWN_NAME,
                f"there is no process '{call.process}'",
                call.span,
                nearest(call.process, self._declarations.processes),
            )
        self._calls.setdefault(name, call)
        return name

    def _default_process(self) -> str:
        """The process the file's assertions are about; else the only one no other process uses."""
        asked = list(dict.fromkeys(assertion.process for assertion in self.assertions))
        if len(asked) == 1:
            return asked[0]
        if not asked:
            asked = self._unused_processes()
            if len(asked) == 1:
                return self._process(asked[0])
        shown = ", ".join(asked) if asked else ", ".join(self._declarations.processes) or "none"
        raise input_error(Code.USAGE, f"which process? The model has {shown}", hint="name one with --process")

    def _unused_processes(self) -> list[str]:
        used = {
            node.process
            for definition in self._declarations.processes.values()
            for node in nodes_of((definition.body,))
            if isinstance(node, syntax.Call) and node.process != definition.name
        }
        return [
            f"{name}()"
            for name, definition in self._declarations.processes.items()
            if name not in used and not definition.parameters
        ]

    # ------------------------------------------------------------ names in formulas

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        """The `#define`s that are conditions on the state."""
        found: dict[str, Proposition] = {}
        for name, define in self._declarations.defines.items():
            if define.parameters or isinstance(define.body, syntax.Block):
                continue
            try:
                value = self._expressions.elaborate(define.body, GLOBAL)
            except FairleadError:
                continue
            if value.type is Type.BOOL and not isinstance(value, Constant):
                found[name] = Proposition(name, value)
        return found

    def meaning(self, atom: AtomText) -> Meaning:
        """A proposition, a comparison, or else an event."""
        if atom.is_quoted:
            return EventAtom(atom.text)
        if atom.is_comparison:
            return Proposition(atom.text, self._condition(atom))
        name, *arguments = atom.text.split(".", 1)
        if not arguments and (name in self._declarations.defines or name in self._expressions.variables):
            return Proposition(name, self._condition(atom))
        if name == TERMINATE and not arguments:
            return EventAtom(TERMINATE)
        if name not in self._event_arities:
            known = [*self._declarations.defines, *self._event_arities]
            raise input_error(
                Code.UNKNOWN_NAME,
                f"'{name}' is neither a proposition nor an event of the model",
                atom.span,
                nearest(name, known),
            )
        return self._event(atom, name)

    def _event(self, atom: AtomText, name: str) -> EventAtom:
        source = Source("event", f"{atom.text} -> Stop")
        values = [name]
        event = _parse_event(source)
        if len(event.arguments) not in self._event_arities[name]:
            wanted = " or ".join(str(count) for count in sorted(self._event_arities[name]))
            raise input_error(
                Code.ARITY,
                f"event '{name}' has {wanted} arguments in the model, {len(event.arguments)} given",
                atom.span,
            )
        for argument in event.arguments:
            value = self._expressions.elaborate(argument, GLOBAL)
            if not isinstance(value, Constant):
                raise input_error(
                    Code.NOT_CONSTANT, "an event in a formula must have constant arguments", atom.span
                )
            values.append(argument_text(value.value, value.type))
        return EventAtom(".".join(values))

    def _condition(self, atom: AtomText) -> Expression:
        try:
            return self._expressions.condition(parse_expression(Source("formula", atom.text)), GLOBAL)
        except InputError as error:
            problem = error.diagnostics[0]
            raise input_error(problem.code, problem.message, atom.span, problem.hint) from None

    def _find_events(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for node in nodes_of(self._specification.declarations):
            if isinstance(node, syntax.Event) and node.name != "tau":
                found.setdefault(node.name, set()).add(len(node.arguments))
        return found


def _parse_event(source: Source) -> syntax.Event:
    specification = parse_specification(Source(source.name, f"P = {source.text};"))
    definition = specification.declarations[0]
    assert isinstance(definition, syntax.ProcessDefinition)
    assert isinstance(definition.body, syntax.Prefix)
    return definition.body.event


def _after_process(node: syntax.Property, span: Span) -> str:
    """The text of an assertion after the process it is about."""
    end = span.source.text.rstrip().rstrip(";")
    text = span.source.text[node.process.span.end : min(span.end, len(end))]
    return " ".join(text.split())


def _override(name: str, text: str) -> syntax.Expression:
    return parse_expression(Source(f"-D {name}", text))
