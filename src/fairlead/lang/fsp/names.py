"""Names of FSP in formulas that are not in its notation: read as FSP would read them, dotted or not.

`reader.1.acquire` and `reader[1].acquire` are the same action, `Reading.1` and `Reading[1]` the same fluent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fairlead.base.diagnostics import Code, InputError, input_error, nearest
from fairlead.base.source import Source
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.formulas import FormulaElaborator
from fairlead.lang.fsp.elaborate.labels import label_texts
from fairlead.lang.fsp.elaborate.processes import instance_name
from fairlead.lang.fsp.elaborate.values import evaluate
from fairlead.lang.fsp.lexing import END_OF_TEXT, INTEGER, UPPER, lex
from fairlead.lang.fsp.parse import parse_formula
from fairlead.lang.fsp.parse_labels import arguments, label
from fairlead.lang.fsp.syntax import ActionFormula, NamedFormula
from fairlead.model.composition import FluentRule

#: parts of a dotted name that FSP has in brackets: numbers and sums; in that of a fluent, all parts
_DOTTED_NUMBER = re.compile(r"(?<!\.)\.\s*(?:(-?\d+)\b|\(([^()]*)\))")
_DOTTED_LABEL = re.compile(r"\.\s*([a-z_]\w*)")
_DOTTED_CONSTANT = re.compile(r"\.\s*([A-Z]\w*)")
_NAME = re.compile(r"\b[A-Z]\w*")
#: the indices of a fluent, dotted or in brackets
_INDICES = re.compile(r"(?:\s*\.\s*(?:-?\d+|[A-Za-z_]\w*|\([^()]*\))|\s*\[[^\[\]]*\])*")


def read_name(
    declarations: Declarations, text: str, into: FormulaElaborator | None = None
) -> FormulaElaborator:
    """What the name of a fluent, or of one or several actions, stands for."""
    found = FormulaElaborator(declarations) if into is None else into
    first = _NAME.match(text.strip())
    name = in_brackets(text, is_fluent=first is not None and first.group() in declarations.fluents)
    formula = parse_formula(Source("name", name), 0, len(name))
    match formula:
        case ActionFormula():
            pass
        case NamedFormula(name) if name in declarations.fluents or declarations.has_set(name):
            pass
        case NamedFormula(name):
            problem = f"'{name}' is neither a fluent nor a set of actions"
            hint = nearest(name, declarations.fluents)
            if name in declarations.asserts:
                hint = f"'{name}' is an assert: it says something about whole executions"
            raise input_error(Code.UNKNOWN_NAME, problem, formula.span, hint)
        case _:
            raise input_error(Code.FORMULA, f"'{text}' is neither an action nor a fluent")
    found.text(formula, declarations.globals)
    return found


def in_brackets(text: str, is_fluent: bool = False) -> str:
    """A dotted name with its indices as FSP has them."""
    text = _DOTTED_NUMBER.sub(lambda found: f"[{int(found[1])}]" if found[1] else f"[({found[2]})]", text)
    if is_fluent:
        text = _DOTTED_LABEL.sub(r"['\1]", _DOTTED_CONSTANT.sub(r"[\1]", text))
    return text


def fluents_in(declarations: Declarations, texts: Iterable[str]) -> tuple[FluentRule, ...]:
    """The fluents that formulas may name: all instances of one, where it is not plain which one is named."""
    found = FormulaElaborator(declarations)
    for text in texts:
        for name in _NAME.finditer(text):
            definition = declarations.fluents.get(name.group())
            if definition is None:
                continue
            indices = _INDICES.match(text, name.end())
            assert indices is not None
            try:
                read_name(declarations, name.group() + indices.group(), found)
            except InputError:  # reading the formula reports what is wrong, if anything
                every = NamedFormula(definition.name, definition.indices, (), definition.span)
                found.text(every, declarations.globals)
    return tuple(found.fluents.values())


def read_processes(declarations: Declarations, text: str) -> Sequence[str]:
    """The processes that are written as `reader[1..2]:READER(3)#2`; none, if the text is nothing like it."""
    source = Source("name", in_brackets(text))
    at = Cursor(source, lex(source), None)
    names = [""]
    while at.kind_at(at.after_label()) in (":", "::"):
        labels = label_texts(label(at), declarations.globals)
        if at.advance().kind == "::":  # all of them own it together
            labels = [labels[0] + ":" if len(labels) == 1 else f"{{{','.join(labels)}}}:"]
        names = [f"{name}{prefix}:" for name in names for prefix in labels]
    if at.kind != UPPER:
        return ()
    process = at.advance().text
    is_process = process in declarations.composites or declarations.is_primitive(process)
    values = [evaluate(value, declarations.globals) for value in arguments(at)] if at.kind == "(" else []
    copy = ""
    if at.accept("#"):
        number = at.expect(INTEGER).text
        copy = "" if number == "1" else f"#{number}"
    if at.kind != END_OF_TEXT or not is_process:
        return ()
    return [name + instance_name(process, values) + copy for name in names]
