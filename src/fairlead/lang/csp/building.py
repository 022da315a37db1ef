"""Makes the nodes of the syntax tree, one function per alternative of the grammar.

The parser calls `Builder.<name>` with the span of the alternative and the values of its symbols, tokens
among them. Values that belong together are gathered in lists and become tuples when their node is made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.source import Source, Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.lexing import Token
from fairlead.model.annotation import Annotation
from fairlead.model.assertion import Optimum

Values = list[Any]


class Builder:
    """The functions that `grammar.lark` names."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def _span(self, token: Token) -> Span:
        return Span(self._source, token.start, token.end)

    # ------------------------------------------------------------ shapes of lists

    def nothing(self, _: Span, __: Values) -> None:
        return None

    def first(self, _: Span, values: Values) -> Any:
        return values[0]

    def second(self, _: Span, values: Values) -> Any:
        return values[1]

    inner = second

    def empty_list(self, _: Span, __: Values) -> list[Any]:
        return []

    def list_of_one(self, _: Span, values: Values) -> list[Any]:
        return [values[0]]

    def list_of_bracketed(self, _: Span, values: Values) -> list[Any]:
        return [values[1]]

    def pair(self, _: Span, values: Values) -> list[Any]:
        return [values[0], values[2]]

    def append(self, _: Span, values: Values) -> list[Any]:
        values[0].append(values[1])
        return values[0]  # type: ignore[no-any-return]

    def append_after_separator(self, _: Span, values: Values) -> list[Any]:
        values[0].append(values[2])
        return values[0]  # type: ignore[no-any-return]

    append_bracketed = append_after_separator

    # ------------------------------------------------------------ declarations

    def import_library(self, span: Span, values: Values) -> syntax.Import:
        return syntax.Import(span, values[2].text[1:-1])

    def include_file(self, span: Span, values: Values) -> syntax.Include:
        return syntax.Include(span, values[2].text[1:-1])

    def define(self, span: Span, values: Values) -> syntax.Define:
        name = values[2]
        return syntax.Define(span, name.text, self._span(name), None, values[3])

    def define_macro_without_parameters(self, span: Span, values: Values) -> syntax.Define:
        name = values[2]
        return syntax.Define(span, name.text, self._span(name), (), values[5])

    def define_macro(self, span: Span, values: Values) -> syntax.Define:
        name, parameters = values[2], tuple(parameter.text for parameter in values[4])
        return syntax.Define(span, name.text, self._span(name), parameters, values[6])

    def conditional_value(self, span: Span, values: Values) -> syntax.ConditionalExpression:
        return syntax.ConditionalExpression(span, values[2], values[5], values[8])

    def alphabet(self, span: Span, values: Values) -> syntax.AlphabetDeclaration:
        process = values[2]
        return syntax.AlphabetDeclaration(span, process.text, self._span(process), tuple(values[3]))

    def assertion(self, _: Span, values: Values) -> syntax.AssertDeclaration:
        return syntax.AssertDeclaration(values[2].span, values[2])

    def enumeration(self, span: Span, values: Values) -> syntax.EnumDeclaration:
        names = tuple(syntax.Name(self._span(name), name.text) for name in values[2])
        return syntax.EnumDeclaration(span, names)

    def variable(self, span: Span, values: Values) -> syntax.VariableDeclaration:
        word, type_name, name, dimensions, value_range, initial, _ = values
        return syntax.VariableDeclaration(
            span,
            name.text,
            self._span(name),
            syntax.VariableKind(word.text),
            type_name.text if type_name else None,
            tuple(dimensions),
            value_range,
            initial,
        )

    def value_range(self, span: Span, values: Values) -> syntax.ValueRange:
        return syntax.ValueRange(span, values[2], values[4])

    def wild(self, _: Span, values: Values) -> syntax.Wild:
        return syntax.Wild(self._span(values[1]))

    def record(self, span: Span, values: Values) -> syntax.Record:
        return syntax.Record(span, tuple(values[1]))

    def repeat(self, span: Span, values: Values) -> syntax.Repeat:
        return syntax.Repeat(span, values[0], values[2])

    def interval(self, span: Span, values: Values) -> syntax.Interval:
        return syntax.Interval(span, values[0], values[2])

    def channel_declaration(self, span: Span, values: Values) -> syntax.ChannelDeclaration:
        name = values[1]
        return syntax.ChannelDeclaration(span, name.text, self._span(name), None, values[2])

    def channel_array_declaration(self, span: Span, values: Values) -> syntax.ChannelDeclaration:
        name = values[1]
        return syntax.ChannelDeclaration(span, name.text, self._span(name), values[3], values[5])

    def parameter(self, span: Span, values: Values) -> syntax.Parameter:
        return syntax.Parameter(span, values[0].text, values[1])

    def process_definition(self, span: Span, values: Values) -> syntax.ProcessDefinition:
        name = values[0]
        return syntax.ProcessDefinition(span, name.text, self._span(name), (), values[-2])

    process_definition_without_parameters = process_definition

    def process_definition_with_parameters(self, span: Span, values: Values) -> syntax.ProcessDefinition:
        name = values[0]
        return syntax.ProcessDefinition(span, name.text, self._span(name), tuple(values[2]), values[-2])

    # ------------------------------------------------------------ assertions

    def simple_property(self, span: Span, values: Values) -> syntax.SimpleProperty:
        return syntax.SimpleProperty(span, values[0], values[1].text)

    def reaches(self, span: Span, values: Values) -> syntax.Reaches:
        return syntax.Reaches(span, values[0], values[2])

    def reaches_optimum(self, span: Span, values: Values) -> syntax.Reaches:
        return syntax.Reaches(span, values[0], values[2], Optimum(values[4].text), values[6])

    def refines_traces(self, span: Span, values: Values) -> syntax.Refines:
        return syntax.Refines(span, values[0], syntax.RefinementKind.TRACES, values[2])

    def refines(self, span: Span, values: Values) -> syntax.Refines:
        letters = values[3]
        if letters.text not in ("F", "FD"):
            hint = "it is <F> (failures), <FD> (failures and divergences), or not written (traces)"
            message = f"'<{letters.text}>' is not a kind of refinement"
            raise input_error(Code.SYNTAX, message, self._span(letters), hint)
        return syntax.Refines(span, values[0], syntax.RefinementKind(letters.text), values[5])

    def satisfies(self, span: Span, values: Values) -> syntax.Satisfies:
        return syntax.Satisfies(span, values[0], self._span(values[2]))

    # ------------------------------------------------------------ processes

    def interleave(self, span: Span, values: Values) -> syntax.Parallel:
        return syntax.Parallel(span, syntax.ParallelKind.INTERLEAVE, tuple(values[0]))

    def synchronise(self, span: Span, values: Values) -> syntax.Parallel:
        return syntax.Parallel(span, syntax.ParallelKind.SYNCHRONISE, tuple(values[0]))

    def general_choice(self, span: Span, values: Values) -> syntax.Choice:
        return syntax.Choice(span, syntax.ChoiceKind.GENERAL, tuple(values[0]))

    def internal_choice(self, span: Span, values: Values) -> syntax.Choice:
        return syntax.Choice(span, syntax.ChoiceKind.INTERNAL, tuple(values[0]))

    def external_choice(self, span: Span, values: Values) -> syntax.Choice:
        return syntax.Choice(span, syntax.ChoiceKind.EXTERNAL, tuple(values[0]))

    def interrupt(self, span: Span, values: Values) -> syntax.Interrupt:
        return syntax.Interrupt(span, tuple(values[0]))

    def hide(self, span: Span, values: Values) -> syntax.Hiding:
        return syntax.Hiding(span, values[0], tuple(values[2]))

    def sequence(self, span: Span, values: Values) -> syntax.Sequence:
        return syntax.Sequence(span, tuple(values[0]))

    def guard(self, span: Span, values: Values) -> syntax.Guarded:
        return syntax.Guarded(span, values[1], values[3])

    def prefix(self, span: Span, values: Values) -> syntax.Prefix:
        return syntax.Prefix(span, values[0], values[1], values[3])

    def internal_prefix(self, span: Span, values: Values) -> syntax.Prefix:
        program = values[0]
        return syntax.Prefix(span, syntax.Event(program.span, "tau", ()), program, values[2])

    def compound_prefix(self, span: Span, values: Values) -> syntax.CompoundPrefix | syntax.Prefix:
        events = tuple(values[1])
        if len(events) == 1:  # just an event in brackets
            return syntax.Prefix(span, events[0], None, values[4])
        return syntax.CompoundPrefix(span, events, values[4])

    def output(self, span: Span, values: Values) -> syntax.Output:
        return syntax.Output(span, values[0], tuple(values[2]), values[3], values[5])

    def input(self, span: Span, values: Values) -> syntax.Input:
        return syntax.Input(span, values[0], None, tuple(values[2]), values[3], values[5])

    def guarded_input(self, span: Span, values: Values) -> syntax.Input:
        return syntax.Input(span, values[0], values[3], tuple(values[5]), values[6], values[8])

    def case(self, span: Span, values: Values) -> syntax.Case:
        return syntax.Case(span, tuple(values[2]), None)

    def case_with_default(self, span: Span, values: Values) -> syntax.Case:
        return syntax.Case(span, tuple(values[2]), values[5])

    def branch(self, span: Span, values: Values) -> syntax.CaseBranch:
        return syntax.CaseBranch(span, values[0], values[2])

    def atomic(self, span: Span, values: Values) -> syntax.Atomic:
        return syntax.Atomic(span, values[2])

    def assert_process(self, span: Span, values: Values) -> syntax.AssertProcess:
        return syntax.AssertProcess(span, values[2])

    def skip(self, span: Span, _: Values) -> syntax.Skip:
        return syntax.Skip(span)

    def stop(self, span: Span, _: Values) -> syntax.Stop:
        return syntax.Stop(span)

    def replicate_without_bound(self, span: Span, values: Values) -> syntax.Replication:
        return syntax.Replication(span, None, values[5])

    def replicate(self, span: Span, values: Values) -> syntax.Replication:
        return syntax.Replication(span, values[2], values[5])

    def indexed_parallel(self, span: Span, values: Values) -> syntax.IndexedParallel:
        return syntax.IndexedParallel(span, syntax.ParallelKind(values[0].text), tuple(values[1]), values[3])

    def indexed_choice(self, span: Span, values: Values) -> syntax.IndexedChoice:
        return syntax.IndexedChoice(span, syntax.ChoiceKind(values[0].text), tuple(values[1]), values[3])

    def call(self, span: Span, values: Values) -> syntax.Call:
        return syntax.Call(span, values[0].text, ())

    def call_with_arguments(self, span: Span, values: Values) -> syntax.Call:
        return syntax.Call(span, values[0].text, tuple(values[2]))

    def conditional(self, span: Span, values: Values) -> syntax.Conditional:
        return syntax.Conditional(span, syntax.ConditionalKind(values[0].text), values[2], values[5], None)

    def conditional_with_else(self, span: Span, values: Values) -> syntax.Conditional:
        kind = syntax.ConditionalKind(values[0].text)
        return syntax.Conditional(span, kind, values[2], values[5], values[8])

    # ------------------------------------------------------------ events and channels

    def event(self, span: Span, values: Values) -> syntax.Event:
        name, *arguments = values[0]
        return syntax.Event(span, name.text, tuple(arguments))

    def annotated_event(self, span: Span, values: Values) -> syntax.Event:
        event: syntax.Event = values[2]
        return replace(event, span=span, annotation=Annotation(values[0].text))

    def indexed_event(self, span: Span, values: Values) -> syntax.IndexedEvent:
        return syntax.IndexedEvent(span, tuple(values[0]), values[2])

    def channel(self, span: Span, values: Values) -> syntax.Channel:
        return syntax.Channel(span, values[0].text, None)

    def channel_element(self, span: Span, values: Values) -> syntax.Channel:
        return syntax.Channel(span, values[0].text, values[2])

    def index_interval(self, span: Span, values: Values) -> syntax.IndexRange:
        first, last = values[3], values[5]
        return syntax.IndexRange(
            span, values[0].text, (syntax.Interval(first.span.to(last.span), first, last),)
        )

    def index_values(self, span: Span, values: Values) -> syntax.IndexRange:
        return syntax.IndexRange(span, values[0].text, tuple(values[3]))

    # ------------------------------------------------------------ statements

    def block(self, span: Span, values: Values) -> syntax.Block:
        return syntax.Block(span, tuple(values[1]))

    def append_statement(self, _: Span, values: Values) -> list[syntax.Statement]:
        statements, statement = values
        if statement.__class__ is not syntax.Block or statement.span.start < statement.span.end:
            statements.append(statement)
        return statements  # type: ignore[no-any-return]

    def empty_statement(self, span: Span, _: Values) -> syntax.Block:
        """As a statement of an `if` it must be something; `append_statement` drops the others."""
        return syntax.Block(Span(span.source, span.start, span.start), ())

    def local_variable(self, span: Span, values: Values) -> syntax.LocalVariable:
        initial = values[3]
        if isinstance(initial, syntax.Wild):
            raise input_error(Code.SYNTAX, "only a variable of the model can start with '*'", initial.span)
        return syntax.LocalVariable(span, values[1].text, tuple(values[2]), initial)

    def if_statement(self, span: Span, values: Values) -> syntax.IfStatement:
        return syntax.IfStatement(span, values[2], values[4], None)

    def if_else_statement(self, span: Span, values: Values) -> syntax.IfStatement:
        return syntax.IfStatement(span, values[2], values[4], values[6])

    def while_statement(self, span: Span, values: Values) -> syntax.WhileStatement:
        return syntax.WhileStatement(span, values[2], values[4])

    def assert_statement(self, span: Span, values: Values) -> syntax.AssertStatement:
        return syntax.AssertStatement(span, values[2])

    def expression_statement(self, span: Span, values: Values) -> syntax.ExpressionStatement:
        return syntax.ExpressionStatement(span, values[0])

    # ------------------------------------------------------------ expressions

    def assignment(self, span: Span, values: Values) -> syntax.Assignment:
        target, _, value = values
        if not isinstance(target, syntax.Name | syntax.Subscript):
            self._cannot_assign(target)
        return syntax.Assignment(span, target, value)

    def step_variable(self, span: Span, values: Values) -> syntax.Assignment:
        target, operator = values
        if not isinstance(target, syntax.Name | syntax.Subscript):
            self._cannot_assign(target)
        one = syntax.Integer(self._span(operator), 1)
        return syntax.Assignment(span, target, syntax.Binary(span, operator.text[0], target, one))

    def _cannot_assign(self, target: syntax.Expression) -> NoReturn:
        text = target.span.text
        shown = f"'{text}'" if len(text) <= 40 else "this expression"
        hint = "only a variable or an element of an array can; to compare, write '=='"
        raise input_error(Code.SYNTAX, f"{shown} cannot be assigned to", target.span, hint)

    def binary(self, span: Span, values: Values) -> syntax.Binary:
        return syntax.Binary(span, values[1].text, values[0], values[2])

    def unary(self, span: Span, values: Values) -> syntax.Unary:
        return syntax.Unary(span, values[0].text, values[1])

    def indexed_expression(self, span: Span, values: Values) -> syntax.IndexedExpression:
        return syntax.IndexedExpression(span, values[0].text, tuple(values[1]), values[3])

    def integer(self, span: Span, values: Values) -> syntax.Integer:
        return syntax.Integer(span, int(values[0].text.lstrip("0") or "0"))

    def boolean(self, span: Span, values: Values) -> syntax.Boolean:
        return syntax.Boolean(span, values[0].kind == "TRUE")

    def name(self, span: Span, values: Values) -> syntax.Name:
        return syntax.Name(span, values[0].text)

    def subscript(self, span: Span, values: Values) -> syntax.Subscript:
        return syntax.Subscript(span, values[0].text, tuple(values[1]))

    def method_call(self, span: Span, values: Values) -> syntax.MethodCall:
        return syntax.MethodCall(span, values[0], values[2].text, ())

    def method_call_with_arguments(self, span: Span, values: Values) -> syntax.MethodCall:
        return syntax.MethodCall(span, values[0], values[2].text, tuple(values[4]))

    def field_access(self, span: Span, values: Values) -> syntax.FieldAccess:
        return syntax.FieldAccess(span, values[0], values[2].text)

    def invocation(self, span: Span, values: Values) -> syntax.Invocation:
        return syntax.Invocation(span, values[2].text, ())

    def invocation_with_arguments(self, span: Span, values: Values) -> syntax.Invocation:
        return syntax.Invocation(span, values[2].text, tuple(values[4]))

    def new_object(self, span: Span, values: Values) -> syntax.NewObject:
        return syntax.NewObject(span, values[1].text, ())

    def new_object_with_arguments(self, span: Span, values: Values) -> syntax.NewObject:
        return syntax.NewObject(span, values[1].text, tuple(values[3]))

    def process_count(self, span: Span, values: Values) -> syntax.ProcessCount:
        return syntax.ProcessCount(span, values[1].text, ())

    def process_count_with_arguments(self, span: Span, values: Values) -> syntax.ProcessCount:
        return syntax.ProcessCount(span, values[1].text, tuple(values[3]))
