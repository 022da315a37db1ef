"""Writes a syntax tree of CSP# back as text that has the same syntax tree.

Operands are in parentheses unless they are a single word, so no precedence matters. It recurs on the tree,
so it is for models of the size of tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from fairlead.lang.csp import syntax


def specification_text(declarations: Iterable[syntax.Declaration]) -> str:
    """The text of a whole model."""
    return "".join(declaration_text(declaration) + "\n" for declaration in declarations)


# ---------------------------------------------------------------- declarations


def declaration_text(node: syntax.Declaration) -> str:
    """A declaration with its `;`."""
    match node:
        case syntax.Import(path=path):
            return f'#import "{path}";'
        case syntax.Include(path=path):
            return f'#include "{path}";'
        case syntax.Define(name=name, parameters=parameters, body=body):
            listed = "" if parameters is None else f"({', '.join(parameters)})"
            return f"#define {name}{listed} {_body(body)};"
        case syntax.EnumDeclaration(names=names):
            return f"enum {{{', '.join(item.name for item in names)}}};"
        case syntax.VariableDeclaration():
            return _variable(node)
        case syntax.ChannelDeclaration(name=name, count=count, capacity=capacity):
            index = "" if count is None else f"[{_value(count)}]"
            return f"channel {name}{index} {_operand(capacity)};"
        case syntax.ProcessDefinition(name=name, parameters=parameters, body=process):
            listed = ", ".join(parameter.name + _range(parameter.range) for parameter in parameters)
            return f"{name}({listed}) = {process_text(process)};"
        case syntax.AlphabetDeclaration(process=name, events=events):
            return f"#alphabet {name} {_event_set(events)};"
        case syntax.AssertDeclaration(property=asserted):
            return f"#assert {property_text(asserted)};"
        case _:
            assert_never(node)


def _body(body: syntax.Expression | syntax.Block) -> str:
    return _block(body) if isinstance(body, syntax.Block) else _value(body)


def _variable(node: syntax.VariableDeclaration) -> str:
    word = node.kind.value
    kind = "" if node.type_name is None else f"<{node.type_name}>"
    initial = ""
    if node.initial is not None:
        initial = " = *" if isinstance(node.initial, syntax.Wild) else f" = {_value(node.initial)}"
    return f"{word}{kind} {node.name}{_indices(node.dimensions)}{_range(node.range)}{initial};"


def _range(node: syntax.ValueRange | None) -> str:
    if node is None:
        return ""
    low, high = ("" if bound is None else _operand(bound) for bound in (node.low, node.high))
    return f":{{{low}..{high}}}"


def property_text(node: syntax.Property) -> str:
    """An assertion without `#assert` and `;`."""
    process = process_text(node.process)
    match node:
        case syntax.SimpleProperty(word=word):
            return f"{process} {word}"
        case syntax.Reaches(goal=goal, optimum=optimum, objective=objective):
            best = (
                "" if optimum is None or objective is None else f" with {optimum.value}({_value(objective)})"
            )
            return f"{process} reaches {_value(goal)}{best}"
        case syntax.Satisfies(formula=formula):
            return f"{process} |= {formula.text}"
        case syntax.Refines(kind=kind, specification=specification):
            letters = f"<{kind.value}>" if kind.value else ""
            return f"{process} refines{letters} {process_text(specification)}"
        case _:
            assert_never(node)


# ---------------------------------------------------------------- processes


def process_text(node: syntax.Process) -> str:
    """A process, without parentheses round the whole."""
    match node:
        case syntax.Stop():
            return "Stop"
        case syntax.Skip():
            return "Skip"
        case syntax.Call(process=name, arguments=arguments):
            return f"{name}({_list(arguments)})"
        case (
            syntax.Prefix(next=following)
            | syntax.CompoundPrefix(next=following)
            | syntax.Output(next=following)
            | syntax.Input(next=following)
        ):
            return f"{_step(node)} -> {_part(following)}"
        case syntax.Choice(kind=kind, branches=parts) | syntax.Parallel(kind=kind, components=parts):
            return f" {kind.value} ".join(map(_part, parts))
        case syntax.Sequence(parts=parts):
            return "; ".join(map(_part, parts))
        case syntax.Interrupt(parts=parts):
            return " interrupt ".join(map(_part, parts))
        case (
            syntax.IndexedChoice(kind=kind, ranges=ranges, body=body)
            | syntax.IndexedParallel(kind=kind, ranges=ranges, body=body)
        ):
            return f"{kind.value} {_index_ranges(ranges)} @ {_part(body)}"
        case syntax.Replication(count=count, body=body):
            return f"||| {{{'..' if count is None else _value(count)}}} @ {_part(body)}"
        case syntax.Hiding(process=body, events=events):
            return f"{_part(body)} \\ {_event_set(events)}"
        case syntax.Guarded(condition=condition, process=body):
            return f"[{_value(condition)}] {_part(body)}"
        case syntax.Conditional(kind=kind, condition=condition, then=then, otherwise=otherwise):
            other = "" if otherwise is None else f" else {{{process_text(otherwise)}}}"
            return f"{kind.value} ({_value(condition)}) {{{process_text(then)}}}{other}"
        case syntax.Case(branches=branches, default=default):
            texts = [f"({_value(branch.condition)}) : {_part(branch.process)}" for branch in branches]
            texts += [] if default is None else [f"default : {_part(default)}"]
            return f"case {{{' '.join(texts)}}}"
        case syntax.Atomic(process=body):
            return f"atomic{{{process_text(body)}}}"
        case syntax.AssertProcess(condition=condition):
            return f"assert({_value(condition)})"
        case _:
            assert_never(node)


def _part(node: syntax.Process) -> str:
    text = process_text(node)
    return text if isinstance(node, syntax.Stop | syntax.Skip | syntax.Call) else f"({text})"


def _step(node: syntax.Prefix | syntax.CompoundPrefix | syntax.Output | syntax.Input) -> str:
    """What stands before the arrow."""
    if isinstance(node, syntax.CompoundPrefix):
        return f"({', '.join(map(_event, node.events))})"
    program = "" if node.program is None else _block(node.program)
    match node:
        case syntax.Prefix(event=event):
            return _event(event) + program
        case syntax.Output(channel=channel, values=values):
            return f"{_channel(channel)}!{_message(values)}{program}"
        case syntax.Input(channel=channel, guard=guard, patterns=patterns):
            test = "" if guard is None else f"[{_value(guard)}]"
            return f"{_channel(channel)}?{test}{_message(patterns)}{program}"
        case _:
            assert_never(node)


def _channel(node: syntax.Channel) -> str:
    return node.name if node.index is None else f"{node.name}[{_value(node.index)}]"


def _message(values: Iterable[syntax.Expression]) -> str:
    return ".".join(map(_operand, values))


def _event(node: syntax.Event) -> str:
    text = ".".join([node.name, *map(_operand, node.arguments)])
    return text if node.annotation is None else f"{node.annotation.value}({text})"


def _event_set(events: syntax.EventSet) -> str:
    texts = [
        _event(item)
        if isinstance(item, syntax.Event)
        else f"{_index_ranges(item.ranges)} @ {_event(item.event)}"
        for item in events
    ]
    return f"{{{', '.join(texts)}}}"


def _index_ranges(ranges: Iterable[syntax.IndexRange]) -> str:
    return "; ".join(f"{one.name}:{{{', '.join(map(_element, one.values))}}}" for one in ranges)


# ---------------------------------------------------------------- statements


def _block(node: syntax.Block) -> str:
    return f"{{{' '.join(map(_statement, node.statements))}}}"


def _statement(node: syntax.Statement) -> str:
    match node:
        case syntax.Block():
            return _block(node)
        case syntax.LocalVariable(name=name, dimensions=dimensions, initial=initial):
            value = "" if initial is None else f" = {_value(initial)}"
            return f"var {name}{_indices(dimensions)}{value};"
        case syntax.IfStatement(condition=condition, then=then, otherwise=otherwise):
            other = "" if otherwise is None else f" else {_statement(otherwise)}"
            return f"if ({_value(condition)}) {_statement(then)}{other}"
        case syntax.WhileStatement(condition=condition, body=body):
            return f"while ({_value(condition)}) {_statement(body)}"
        case syntax.AssertStatement(condition=condition):
            return f"assert({_value(condition)});"
        case syntax.ExpressionStatement(expression=expression):
            return f"{_value(expression)};"
        case _:
            assert_never(node)


# ---------------------------------------------------------------- expressions


def _value(node: syntax.Expression) -> str:
    """An expression, without parentheses round the whole."""
    match node:
        case syntax.Integer(value=value):
            return str(value)
        case syntax.Boolean(value=value):
            return "true" if value else "false"
        case syntax.Name(name=name):
            return name
        case syntax.Subscript(name=name, indices=indices):
            return name + _indices(indices)
        case syntax.Unary(operator=operator, operand=operand):
            return f"{operator}{_operand(operand)}"
        case syntax.Binary(operator=operator, left=left, right=right):
            return f"{_operand(left)} {operator} {_operand(right)}"
        case syntax.IndexedExpression(operator=operator, ranges=ranges, body=body):
            return f"{operator} {_index_ranges(ranges)} @ {_operand(body)}"
        case syntax.Assignment(target=target, value=assigned):
            return f"{_value(target)} = {_value(assigned)}"
        case syntax.Record(elements=elements):
            return f"[{', '.join(map(_element, elements))}]"
        case syntax.ConditionalExpression(condition=condition, then=then, otherwise=otherwise):
            return f"if ({_value(condition)}) {{{_value(then)}}} else {{{_value(otherwise)}}}"
        case syntax.Invocation() | syntax.ProcessCount() | syntax.NewObject():
            return _application(node)
        case syntax.MethodCall(receiver=receiver, method=method, arguments=arguments):
            return f"{_value(receiver)}.{method}({_list(arguments)})"
        case syntax.FieldAccess(receiver=receiver, field_name=name):
            return f"{_value(receiver)}${name}"
        case _:
            assert_never(node)


def _application(node: syntax.Invocation | syntax.ProcessCount | syntax.NewObject) -> str:
    match node:
        case syntax.Invocation(function=name, arguments=arguments):
            return f"call({', '.join([name, *map(_value, arguments)])})"
        case syntax.ProcessCount(process=name, arguments=arguments):
            return f"#{name}({_list(arguments)})"
        case syntax.NewObject(type_name=name, arguments=arguments):
            return f"new {name}({_list(arguments)})"
        case _:
            assert_never(node)


def _operand(node: syntax.Expression) -> str:
    words = syntax.Integer | syntax.Boolean | syntax.Name | syntax.Subscript | syntax.Record
    return _value(node) if isinstance(node, words) else f"({_value(node)})"


def _element(node: syntax.Expression | syntax.Repeat | syntax.Interval) -> str:
    match node:
        case syntax.Repeat(value=value, count=count):
            return f"{_operand(value)}({_value(count)})"
        case syntax.Interval(first=first, last=last):
            return f"{_operand(first)}..{_operand(last)}"
        case _:
            return _operand(node)


def _indices(indices: Iterable[syntax.Expression]) -> str:
    return "".join(f"[{_value(index)}]" for index in indices)


def _list(arguments: Iterable[syntax.Expression]) -> str:
    return ", ".join(map(_value, arguments))
