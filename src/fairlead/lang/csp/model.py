"""A CSP# model, loaded: its assertions, the Network of each process asked about, names in formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import assert_never

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, InputError, input_error, nearest
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import formula_hint, unknown_process
from fairlead.lang.csp import syntax
from fairlead.lang.csp.atoms import Atoms
from fairlead.lang.csp.elaborate.behaviour import CspBehaviour
from fairlead.lang.csp.elaborate.declarations import collect
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator, raise_fault
from fairlead.lang.csp.elaborate.inference import elaborate_channels
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable
from fairlead.lang.csp.elaborate.replication import check_numbers
from fairlead.lang.csp.elaborate.secondary import undeciding
from fairlead.lang.csp.elaborate.variables import elaborate_variables
from fairlead.lang.csp.including import with_included
from fairlead.lang.csp.library.imports import check_imports
from fairlead.lang.csp.library.library import Library
from fairlead.lang.csp.library.python_files import PythonFile
from fairlead.lang.csp.parse import parse_assertion, parse_expression, parse_process, parse_specification
from fairlead.lang.csp.places import coverable
from fairlead.lang.csp.remarks import remarks, words_of
from fairlead.lang.csp.vocabulary import CspVocabulary
from fairlead.lang.csp.walk import nodes_of, processes_reached
from fairlead.lang.replication import read_numbers
from fairlead.model.annotation import Annotated, Annotation
from fairlead.model.assertion import (
    SIMPLE_QUESTIONS,
    Assertion,
    FormulaText,
    Objective,
    Reaches,
    ReachesOptimum,
    Refinement,
    Refines,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.coverable import Definition
from fairlead.model.expression import Constant
from fairlead.model.network import Buffer, Network
from fairlead.model.system import Proposition
from fairlead.model.types import Type

_REFINEMENTS = {
    syntax.RefinementKind.TRACES: Refinement.TRACES,
    syntax.RefinementKind.FAILURES: Refinement.FAILURES,
    syntax.RefinementKind.FAILURES_DIVERGENCES: Refinement.FAILURES_DIVERGENCES,
}


class CspModel:
    """A model file in CSP#. Processes are elaborated when they are asked about."""

    default_fairness = "none"

    def __init__(
        self,
        source: Source,
        definitions: Mapping[str, str],
        python: Sequence[PythonFile] = (),
        processes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`definitions` replaces constants, `processes` chooses how many copies of a process there are."""
        self._source, self._python = source, tuple(python)
        try:
            self._load(definitions, processes)
        except InputError as error:
            raise self.with_all_problems(error) from None

    def with_all_problems(self, error: InputError) -> InputError:
        """An error of the text, with all others that the text has."""
        from fairlead.lang.csp.problems import all_problems  # rarely needed

        return all_problems(self._source, error, self._python)

    def _load(self, definitions: Mapping[str, str], processes: Mapping[str, str]) -> None:
        self._specification = with_included(parse_specification(self._source))
        overrides = {name: _override(name, text) for name, text in definitions.items()}
        self._declarations = collect(self._specification, overrides)
        self._declarations.numbers = read_numbers(processes)
        check_numbers(self._declarations.numbers, self._declarations.processes)
        check_imports(self._specification, self._declarations.imports, self._python)
        self._expressions = ExpressionElaborator(self._declarations, Library(self._python))
        for name, body in overrides.items():
            self._check_override(name, body)
        self._expressions.undeciding = undeciding(self._specification)
        initial_values = elaborate_variables(self._expressions, self._specification)
        empty = (0,) * elaborate_channels(self._expressions, len(initial_values[0]))
        self._initial_values = tuple((*values, *empty) for values in initial_values)
        self._networks: dict[str, Network] = {}
        self._calls: dict[str, syntax.Call] = {}
        self._asked_words: set[str] = set()
        self._atoms = Atoms(self._expressions, self._specification, self._calls)
        self.assertions = tuple(
            replace(self._assertion(declaration.property, declaration.span), span=declaration.span)
            for declaration in self._declarations.assertions
        )

    def _check_override(self, name: str, body: syntax.Expression) -> None:
        value = self._expressions.elaborate(body, GLOBAL)
        if not isinstance(value, Constant):
            raise_fault(value)
            raise input_error(Code.NOT_CONSTANT, f"-D {name}=…: the value must be a constant", body.span)

    @property
    def warnings(self) -> list[Diagnostic]:
        """What is worth knowing; grows as the model is elaborated."""
        return self._expressions.warnings

    # ------------------------------------------------------------ questions

    def assertion(self, text: str) -> Assertion:
        """An assertion such as `System() |= []<> a`."""
        source = Source("assertion", text)
        self._asked_words |= words_of(text)
        try:
            found = parse_assertion(source)
        except InputError as error:
            hint = formula_hint(text)
            if hint is None:
                raise
            raise InputError(tuple(replace(problem, hint=hint) for problem in error.diagnostics)) from None
        return self._assertion(found, source.span(0, len(text)))

    def process_name(self, process: str | None) -> str:
        """How a process is called in assertions; by default the one they are about."""
        return self._default_process() if process is None else self._process(process)

    def asked_of(self, process: str) -> list[Assertion]:
        """The assertions about one process."""
        name = self.process_name(process)
        return [assertion for assertion in self.assertions if assertion.process == name]

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A formula about a process; by default the one the model's assertions are about."""
        source = Source("formula", text)
        self._asked_words |= words_of(text)
        name = self.process_name(process)
        formula = FormulaText(source, 0, len(text))
        return Satisfies(name, f"{name} |= {' '.join(text.split())}", formula)

    def branching(self, text: str, process: str | None, finite_paths: bool) -> SatisfiesBranching:
        """A formula of CTL or CTL* about a process; by default the one the model's assertions are about."""
        self._asked_words |= words_of(text)
        name = self.process_name(process)
        formula = FormulaText(Source("formula", text), 0, len(text))
        return SatisfiesBranching(name, f"{name} |= {' '.join(text.split())}", formula, finite_paths)

    def _assertion(self, node: syntax.Property, span: Span) -> Assertion:
        name = self._remember(node.process)
        text = f"{name} {_after_process(node, span)}"
        match node:
            case syntax.SimpleProperty(word=word):
                return SIMPLE_QUESTIONS[word](name, text)
            case syntax.Reaches():
                return self._reaches(node, name, text)
            case syntax.Refines(kind=kind, specification=call):
                return Refines(name, text, _REFINEMENTS[kind], self._remember(call))
            case syntax.Satisfies(formula=formula):
                part = FormulaText(formula.source, formula.start, formula.end)
                return Satisfies(name, text, part)
            case _:
                assert_never(node)

    def _reaches(self, node: syntax.Reaches, name: str, text: str) -> Reaches | ReachesOptimum:
        condition = self._expressions.asked(node.goal, Type.BOOL)
        goal = Proposition(_words(node.goal.span), condition)
        if node.optimum is None or node.objective is None:
            return Reaches(name, text, goal)
        value = self._expressions.asked(node.objective, Type.INT)
        objective = Objective(node.optimum, _words(node.objective.span), value)
        return ReachesOptimum(name, text, goal, objective)

    # ------------------------------------------------------------ processes

    def system(self, process: str | None) -> Network:
        """The closed system of a process call such as `System()` or `Phil(1)`."""
        name = self.process_name(process)
        if name not in self._networks:
            call = self._calls[name]
            self._remark()
            table = PositionTable(self._expressions, self._declarations.processes, call)
            behaviour = CspBehaviour(table, self._declarations, name)
            root = table.local_state((Frame(call),))
            variables = tuple(
                variable
                for name, variable in self._expressions.variables.items()
                if name not in self._expressions.undeciding
            )
            self._networks[name] = Network(
                name,
                variables,
                self._initial_values,
                behaviour,
                root,
                self._buffers(),
                self._annotations(call),
                self._expressions.library.table,
            )
        return self._networks[name]

    def _remark(self) -> None:
        """Adds the warnings about the text, once the questions about it are known."""
        if not self._networks:
            calls = self._calls.values()
            found = remarks(self._specification, self._declarations.processes, calls, self._asked_words)
            self._expressions.warnings += [
                warning for warning in found if warning not in self._expressions.warnings
            ]

    def _buffers(self) -> tuple[Buffer, ...]:
        return tuple(
            Buffer(channel.queue, channel.count is not None, channel.forms)
            for channel in self._expressions.channels.by_name.values()
            if channel.queue is not None
        )

    def presented(self, process: str | None) -> Network:
        """The same: nothing is left out."""
        return self.system(process)

    def coverable(self, processes: Sequence[str]) -> tuple[Definition, ...]:
        """The process definitions and the program fragments."""
        behaviours = [self.system(process).behaviour for process in processes]
        composed = [known.composed for known in behaviours if isinstance(known, CspBehaviour)]
        return coverable(self._specification, frozenset[int]().union(*composed))

    def reduced(
        self,
        process: str | None,
        visible: frozenset[str] | None,
        tick: Callable[[], None],
        most: int | None = None,
    ) -> None:
        """There are no parts that could be taken by themselves."""
        return

    def specification(self, name: str) -> Network:
        """The closed system of the process that an assertion refers to."""
        return self.system(name)

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """The text of the file, with the events annotated wherever they are written."""
        from fairlead.lang.csp.annotating import annotated_text

        return annotated_text(self._specification, annotations)

    def _annotations(self, call: syntax.Call) -> frozenset[Annotation]:
        """The kinds of annotations in the text that a call can reach."""
        reached = processes_reached(call, self._declarations.processes).values()
        return frozenset(
            node.annotation
            for node in nodes_of(definition.body for definition in reached)
            if isinstance(node, syntax.Event) and node.annotation is not None
        )

    def _process(self, text: str) -> str:
        """The canonical name of a process given as text."""
        if text in self._calls:
            return text
        return self._remember(parse_process(text, Code.USAGE))

    def _remember(self, call: syntax.Call) -> str:
        arguments = ",".join(" ".join(argument.span.text.split()) for argument in call.arguments)
        name = f"{call.process}({arguments})"
        if call.process not in self._declarations.processes:
            hint = nearest(call.process, self._declarations.processes)
            raise unknown_process(call.process, call.span, hint)
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

    def vocabulary(self, question: Assertion, texts: Sequence[str] = ()) -> CspVocabulary:
        """The names of the model, with the processes of the system that is asked about."""
        name = self.process_name(question.process)
        return CspVocabulary(self.system(name), self._calls[name], self._atoms, self._expressions)


def _words(span: Span) -> str:
    """The text of a place with single blanks."""
    return " ".join(span.text.split())


def _after_process(node: syntax.Property, span: Span) -> str:
    """The text of an assertion after the process it is about."""
    end = span.source.text.rstrip().rstrip(";")
    text = span.source.text[node.process.span.end : min(span.end, len(end))]
    return " ".join(text.split())


def _override(name: str, text: str) -> syntax.Expression:
    return parse_expression(Source(f"-D {name}", text))
