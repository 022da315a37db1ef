"""Everything that is wrong with the text of a CSP# model, once something is.

A model is elaborated on demand and stops at the first mistake; here all declarations are examined. What
depends on a name whose declaration is wrong is left out, so that one mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, InputError, together
from fairlead.base.source import Source
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import bound_names
from fairlead.lang.csp.elaborate.conversions import NOTHING
from fairlead.lang.csp.elaborate.declarations import Declarations, check_event, collect_one
from fairlead.lang.csp.elaborate.differing import DifferingNames
from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names
from fairlead.lang.csp.elaborate.inference import elaborate_channels
from fairlead.lang.csp.elaborate.positions import PositionTable
from fairlead.lang.csp.elaborate.programs import elaborate_program
from fairlead.lang.csp.elaborate.variables import elaborate_variables
from fairlead.lang.csp.including import with_included
from fairlead.lang.csp.library.library import Library
from fairlead.lang.csp.library.python_files import PythonFile
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.recovering import recover
from fairlead.lang.csp.walk import nodes_of, process_children
from fairlead.model.evaluation import Fault
from fairlead.model.expression import Parameter
from fairlead.model.types import Type

#: what can be said about a declaration without running it
STATIC = frozenset(
    (Code.SYNTAX, Code.UNKNOWN_NAME, Code.NAME_CLASH, Code.TYPE, Code.ARITY, Code.UNSUPPORTED, Code.NO_EFFECT)
)
#: after so many wrong declarations of variables and channels, the rest is not examined
MOST_ATTEMPTS = 50
_NAMED = syntax.VariableDeclaration | syntax.ChannelDeclaration | syntax.Define


def all_problems(source: Source, error: InputError, python: Sequence[PythonFile]) -> InputError:
    """The error, with everything else that is wrong in the text."""
    if isinstance(error, Fault) or any(
        problem.code not in STATIC or problem.span is None or problem.span.source.name != source.name
        for problem in error.diagnostics
    ):
        return error
    try:
        specification = parse_specification(source)
        known, missing = error.diagnostics, frozenset[str]()
    except InputError as syntax_error:
        if syntax_error.diagnostics[0].code is not Code.SYNTAX:
            return error
        recovered = recover(source, syntax_error)
        specification = syntax.Specification(source, recovered.declarations)
        known, missing = recovered.problems, recovered.missing
    try:
        found = _Search(with_included(specification), missing, python).problems()
    except FairleadError:
        found = ()  # what the rest means cannot be told
    return InputError(together((*error.diagnostics, *known), found))


class _Search:
    """Looks at the declarations of a model one by one."""

    def __init__(
        self, specification: syntax.Specification, missing: frozenset[str], python: Sequence[PythonFile]
    ) -> None:
        self._python = python
        self._missing = set(missing)
        self._found: list[Diagnostic] = []
        self._kept = self._without_clashes(specification)

    def problems(self) -> Sequence[Diagnostic]:
        """What is wrong."""
        expressions = self._elaborator()
        if expressions is None:
            return self._found
        names = {node.name for node in nodes_of(self._kept.declarations) if isinstance(node, syntax.Name)}
        everything = frozenset(names) | {"x"}
        expressions.differing = DifferingNames(lambda: everything)  # types of parameters are not known
        table = PositionTable(expressions, expressions.declarations.processes)
        for declaration in self._kept.declarations:
            if not self._depends_on_missing(declaration):
                for check in _checks(declaration, expressions, table):
                    self._try(check)
        return self._found

    def _try(self, check: Callable[[], object]) -> bool:
        try:
            check()
        except InputError as error:
            self._found += [
                problem
                for problem in error.diagnostics
                if problem.code in STATIC and not isinstance(error, Fault)
            ]
            return False
        except FairleadError:
            return False
        return True

    def _without_clashes(self, specification: syntax.Specification) -> syntax.Specification:
        declared = Declarations()
        kept = [
            declaration
            for declaration in specification.declarations
            if self._try(partial(collect_one, declaration, declared))
        ]
        return replace(specification, declarations=tuple(kept))

    def _depends_on_missing(self, declaration: syntax.Declaration) -> bool:
        return bool(self._missing) and any(
            getattr(node, name, None) in self._missing
            for node in nodes_of((declaration,))
            for name in ("name", "process", "function")
        )

    def _elaborator(self) -> ExpressionElaborator | None:
        """An elaborator that knows all variables and channels whose declarations are right."""
        for _ in range(MOST_ATTEMPTS):
            declared = Declarations()
            for declaration in self._kept.declarations:
                collect_one(declaration, declared)
            expressions = ExpressionElaborator(declared, Library(self._python))
            try:
                initial = elaborate_variables(expressions, self._kept)
                elaborate_channels(expressions, len(initial[0]))
            except InputError as error:
                if not self._leave_out(error.diagnostics[0]):
                    return None
                continue
            return expressions
        return None

    def _leave_out(self, problem: Diagnostic) -> bool:
        """Leaves out the declaration that has a problem; False if there is none."""
        for declaration in self._kept.declarations:
            if _contains(declaration, problem):
                if problem.code in STATIC and not self._depends_on_missing(declaration):
                    self._found.append(problem)
                if isinstance(declaration, _NAMED):
                    self._missing.add(declaration.name)
                others = tuple(other for other in self._kept.declarations if other is not declaration)
                self._kept = replace(self._kept, declarations=others)
                return True
        return False


def _contains(declaration: syntax.Declaration, problem: Diagnostic) -> bool:
    whole, part = declaration.span, problem.span
    return part is not None and part.source is whole.source and whole.start <= part.start < whole.end


def _checks(
    declaration: syntax.Declaration, expressions: ExpressionElaborator, table: PositionTable
) -> Iterator[Callable[[], object]]:
    """What is to be examined in a declaration, each by itself."""
    match declaration:
        case syntax.Define(body=body, parameters=parameters):
            names = _unknown(parameters or ())
            if isinstance(body, syntax.Block):
                yield partial(elaborate_program, expressions, body, names)
            else:
                yield partial(expressions.elaborate, body, names)
        case syntax.ProcessDefinition(body=body, parameters=parameters):
            names = _unknown(parameter.name for parameter in parameters)
            yield from _process_checks(body, names, expressions, table)
        case syntax.AssertDeclaration(property=asked):
            yield from _call_checks(asked.process, Names(), expressions, table)
            if isinstance(asked, syntax.Reaches):
                yield partial(expressions.asked, asked.goal, Type.BOOL)
            elif isinstance(asked, syntax.Refines):
                yield from _call_checks(asked.specification, Names(), expressions, table)
        case syntax.AlphabetDeclaration(process=process, name_span=span):
            yield partial(table.definition, syntax.Call(span, process, ()))


def _unknown(names: Iterator[str] | Sequence[str]) -> Names:
    return Names({name: Parameter(0, NOTHING) for name in names})


def _process_checks(
    body: syntax.Process, names: Names, expressions: ExpressionElaborator, table: PositionTable
) -> Iterator[Callable[[], object]]:
    pending = [(body, names)]
    while pending:
        node, scope = pending.pop()
        yield from _node_checks(node, scope, expressions, table)
        match node:
            case syntax.Input():
                for name in bound_names(node, scope, expressions):
                    scope = scope.binding(name, Parameter(0, NOTHING))
            case syntax.IndexedChoice(ranges=ranges) | syntax.IndexedParallel(ranges=ranges):
                for index in ranges:
                    scope = scope.binding(index.name, Parameter(0, Type.INT))
        pending += [(child, scope) for child in process_children(node)]


def _node_checks(
    node: syntax.Process, names: Names, expressions: ExpressionElaborator, table: PositionTable
) -> Iterator[Callable[[], object]]:
    match node:
        case syntax.Prefix(event=event, program=program):
            yield partial(check_event, event, expressions.declarations)
            for argument in event.arguments:
                yield partial(expressions.elaborate, argument, names)
            if program is not None:
                yield partial(elaborate_program, expressions, program, names)
        case syntax.Output(channel=channel, values=values, program=program):
            yield partial(expressions.channels.resolve, channel, names)
            for value in values:
                yield partial(expressions.elaborate, value, names)
            if program is not None:
                yield partial(elaborate_program, expressions, program, names)
        case syntax.Input(channel=channel, guard=guard, program=program):
            yield partial(expressions.channels.resolve, channel, names)
            inner = names
            for name in bound_names(node, names, expressions):
                inner = inner.binding(name, Parameter(0, NOTHING))
            for pattern in node.patterns:
                yield partial(expressions.elaborate, pattern, inner)
            if guard is not None:
                yield partial(expressions.condition, guard, inner)
            if program is not None:
                yield partial(elaborate_program, expressions, program, inner)
        case syntax.Guarded(condition=condition) | syntax.Conditional(condition=condition):
            yield partial(expressions.condition, condition, names)
        case syntax.AssertProcess(condition=condition):
            yield partial(expressions.condition, condition, names)
        case syntax.Case(branches=branches):
            for branch in branches:
                yield partial(expressions.condition, branch.condition, names)
        case syntax.Call():
            yield from _call_checks(node, names, expressions, table)


def _call_checks(
    call: syntax.Call, names: Names, expressions: ExpressionElaborator, table: PositionTable
) -> Iterator[Callable[[], object]]:
    yield partial(table.check_arity, call)
    for argument in call.arguments:
        yield partial(expressions.elaborate, argument, names)
