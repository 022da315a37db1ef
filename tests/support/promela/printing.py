"""Programs as Promela texts."""

from __future__ import annotations

from collections.abc import Iterable

from tests.support.promela import syntax as p

_INDENT = "  "


def printed(program: p.Program) -> str:
    """The text of a program."""
    lines = []
    if program.mtype:
        lines.append(f"mtype = {{ {', '.join(program.mtype)} }}")
    for name, fields in program.typedefs:
        lines.append(f"typedef {name} {{ {'; '.join(_declared(one) for one in fields)} }}")
    lines += [_declared(variable) for variable in program.variables]
    lines += [_channel(channel) for channel in program.channels]
    for proctype in program.proctypes:
        lines += _proctype(proctype)
    return "\n".join(lines) + "\n"


def _declared(variable: p.Declared) -> str:
    base, _, width = variable.type.partition(":")
    hidden = "hidden " if variable.hidden else ""
    size = "" if variable.size is None else f"[{variable.size}]"
    bits = f" : {width}" if width else ""
    initial = f" = {variable.initial}" if variable.initial else ""
    return f"{hidden}{base} {variable.name}{bits}{size}{initial}"


def _channel(channel: p.Channel) -> str:
    size = "" if channel.size is None else f"[{channel.size}]"
    return f"chan {channel.name}{size} = [{channel.capacity}] of {{ {', '.join(channel.fields)} }}"


def _proctype(proctype: p.Proctype) -> list[str]:
    provided = "" if proctype.provided is None else f" provided ({expression(proctype.provided)})"
    if proctype.name == "init":
        head = f"init{provided} {{"
    else:
        active = {0: "", 1: "active "}.get(proctype.active, f"active [{proctype.active}] ")
        parameters = "; ".join(f"{one.type} {one.name}" for one in proctype.parameters)
        head = f"{active}proctype {proctype.name}({parameters}){provided} {{"
    declared = [_INDENT + _declared(one) + ";" for one in proctype.variables]
    declared += [_INDENT + _channel(one) + ";" for one in proctype.channels]
    return [head, *declared, *_body(proctype.body, _INDENT), "}"]


def _body(body: p.Body, indent: str) -> list[str]:
    lines: list[str] = []
    for number, one in enumerate(body):
        shown = _statement(one, indent)
        if number < len(body) - 1:
            shown[-1] += ";"
        lines += shown
    return lines


def _statement(statement: p.Statement, indent: str) -> list[str]:
    match statement:
        case p.If(options):
            return [f"{indent}if", *_options(options, indent), f"{indent}fi"]
        case p.Do(options):
            return [f"{indent}do", *_options(options, indent), f"{indent}od"]
        case p.Atomic(body):
            return [f"{indent}atomic {{", *_body(body, indent + _INDENT), f"{indent}}}"]
        case p.DStep(body):
            return [f"{indent}d_step {{", *_body(body, indent + _INDENT), f"{indent}}}"]
        case p.Block(body):
            return [f"{indent}{{", *_body(body, indent + _INDENT), f"{indent}}}"]
        case p.For(variable, low, high, body):
            head = f"{indent}for ({expression(variable)} : {low} .. {high}) {{"
            return [head, *_body(body, indent + _INDENT), f"{indent}}}"]
        case p.Unless(main, escape):
            lines = [f"{indent}{{", *_body(main, indent + _INDENT), f"{indent}}} unless {{"]
            return [*lines, *_body(escape, indent + _INDENT), f"{indent}}}"]
        case p.Labelled(label, inner):
            first, *rest = _statement(inner, indent)
            return [f"{label}: {first.lstrip()}", *rest]
    return [indent + _simple(statement)]


def _options(options: Iterable[p.Body], indent: str) -> list[str]:
    lines = []
    for option in options:
        first, *rest = _body(option, indent + "   ")
        lines += [f"{indent}:: {first.lstrip()}", *rest]
    return lines


def _simple(statement: p.Statement) -> str:
    match statement:
        case p.Assign(target, value):
            return f"{expression(target)} = {expression(value)}"
        case p.Step(target, operator):
            return expression(target) + operator
        case p.Condition(condition):
            return expression(condition)
        case p.Else():
            return "else"
        case p.Assert(condition):
            return f"assert({expression(condition)})"
        case p.Print(values):
            return "printf(" + ", ".join(['"' + " %d" * len(values) + '\\n"', *map(expression, values)]) + ")"
        case p.Send(channel, values, is_sorted):
            # a space, for `!!` is sorted send
            return f"{expression(channel)}{'!!' if is_sorted else '!'} {', '.join(map(expression, values))}"
        case p.Receive(channel, patterns, anywhere, copy):
            shown = ", ".join(map(_pattern, patterns))

            return f"{expression(channel)}{'??' if anywhere else '?'}{f' <{shown}>' if copy else shown}"
        case p.Run(proctype, arguments, into):
            call = f"run {proctype}({', '.join(map(expression, arguments))})"
            return call if into is None else f"{expression(into)} = {call}"
        case p.Select(variable, low, high):
            return f"select ({expression(variable)} : {low} .. {high})"
        case p.Break():
            return "break"
        case p.Goto(label):
            return f"goto {label}"
    raise TypeError(f"not a simple statement: {statement}")


def _pattern(pattern: p.Pattern) -> str:
    return f"eval({expression(pattern.expression)})" if isinstance(pattern, p.Eval) else expression(pattern)


def expression(e: p.Expr) -> str:
    """An expression; all operands that are not atoms are in parentheses."""
    match e:
        case p.Num(value):
            return str(value)
        case p.Name(name):
            return name
        case p.Var(name, None):
            return name
        case p.Var(name, index):
            return f"{name}[{expression(index)}]"
        case p.Unary(operator, operand):
            return f"{operator}({expression(operand)})"
        case p.Binary(operator, left, right):
            return f"({expression(left)} {operator} {expression(right)})"
        case p.Conditional(condition, then, otherwise):
            return f"({expression(condition)} -> {expression(then)} : {expression(otherwise)})"
        case p.Measure(function, channel):
            return f"{function}({expression(channel)})"
        case p.Poll(channel, patterns, anywhere):
            return f"{expression(channel)}{'??' if anywhere else '?'} [{', '.join(map(_pattern, patterns))}]"
        case p.AtLabel(proctype, pid, label):
            return f"{proctype}[{pid}]@{label}"
        case p.RemoteVar(proctype, pid, variable):
            return f"{proctype}[{pid}]:{variable}"
    raise TypeError(f"not an expression: {e}")
