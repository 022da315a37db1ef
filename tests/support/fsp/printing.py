"""From syntax trees of FSP back to tokens and texts, with parentheses where the tree needs them, or more."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import assert_never

from fairlead.lang.fsp import syntax as s

_BINDING = {
    operator: level
    for level, operators in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"), start=1
    )
    for operator in operators.split()
}
_ADDITIVE = _BINDING["+"]
_OPERAND = 11
_FORMULA_BINDING = {"||": 1, "U": 2, "W": 2, "->": 2, "<->": 2, "&&": 3}
_UNARY_FORMULA = 4


def text_of(tokens: Iterable[str], rng: random.Random | None = None) -> str:
    """Tokens as text: with blanks in between, or with any blanks and comments that leave them as they are."""
    if rng is None:
        return " ".join(tokens)
    parts: list[str] = []
    before = ""
    for token in tokens:
        between = rng.choice(("", "", "", " ", "\n", "\t ", " /* ( * */ ", " // ) \n"))
        if not between and before and (_is_word(before[-1]) and _is_word(token[0])):
            between = " "
        parts += (between, token)
        before = token
    return "".join(parts)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


class Printer:
    """Prints trees as lists of tokens; with a generator of random numbers, it adds parentheses."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self.rng = rng

    def _more(self) -> bool:
        return self.rng is not None and self.rng.random() < 0.1

    # ------------------------------------------------------------ expressions

    def expression(self, e: s.Expression, weakest: int = 1) -> list[str]:
        binding = _OPERAND
        match e:
            case s.Number(value):
                tokens = [self._number(value)]
            case s.Name(name):
                tokens = [name]
            case s.Unary(operator, operand):
                binding = _OPERAND - 1  # an operand, but not one of another sign
                tokens = [operator, *self.expression(operand, _OPERAND)]
                weakest = _OPERAND if weakest == _OPERAND else min(weakest, binding)
            case s.Binary(operator, left, right):
                binding = _BINDING[operator]
                tokens = [*self.expression(left, binding), operator, *self.expression(right, binding + 1)]
            case s.LabelValue(label):
                tokens = ["'", *self.label(label)]
            case s.SetSize(labels):
                tokens = ["#", *self.label(labels)]
            case s.SetElement(labels, index):
                tokens = ["@", "(", *self.label(labels), ",", *self.expression(index), ")"]
            case _:
                assert_never(e)
        return ["(", *tokens, ")"] if binding < weakest or self._more() else tokens

    def _number(self, value: int) -> str:
        if self.rng is None:
            return str(value)
        return self.rng.choice((str(value), str(value), f"0{value:o}", f"0x{value:x}", f"0X00{value:X}"))

    def additive(self, e: s.Expression) -> list[str]:
        return self.expression(e, _ADDITIVE)

    def arguments(self, values: tuple[s.Expression, ...]) -> list[str]:
        return ["(", *_joined(",", [self.expression(value) for value in values]), ")"] if values else []

    def parameters(self, parameters: tuple[s.Parameter, ...]) -> list[str]:
        printed = [[p.name, "=", *self.expression(p.default)] for p in parameters]
        return ["(", *_joined(",", printed), ")"] if printed else []

    # ------------------------------------------------------------ labels

    def label(self, label: s.Label) -> list[str]:
        tokens: list[str] = []
        for number, part in enumerate(label.parts):
            is_index = isinstance(part, s.Index)
            if number and not (is_index and (self.rng is None or self.rng.random() < 0.7)):
                tokens.append(".")
            tokens += self.part(part)
        return tokens

    def part(self, part: s.LabelPart) -> list[str]:
        match part:
            case s.NamePart(name):
                return [name]
            case s.SetPart(labels, None):
                return self.label_set(labels)
            case s.SetPart(labels, without):
                assert without is not None
                return [*self.label_set(labels), "\\", *self.label_set(without)]
            case s.Index():
                return self.index(part)
        assert_never(part)

    def label_set(self, labels: s.LabelSet) -> list[str]:
        if isinstance(labels, s.SetName):
            return [labels.name]
        return ["{", *_joined(",", [self.label(label) for label in labels.labels]), "}"]

    def index(self, index: s.Index) -> list[str]:
        head = ["["] if index.variable is None else ["[", index.variable, ":"]
        match index.domain:
            case s.SetBody():
                return [*head, *self.label_set(index.domain), "]"]
            case s.Interval(low, high):
                return [*head, *self.expression(low), "..", *self.expression(high), "]"]
            case s.Name(name):
                return [*head, name, "]"]
            case _:
                return [*head, *self.expression(index.domain), "]"]

    def indices(self, indices: tuple[s.Index, ...]) -> list[str]:
        return [token for index in indices for token in self.index(index)]

    def relabellings(self, relabellings: tuple[s.Relabelling, ...]) -> list[str]:
        printed = []
        for item in relabellings:
            match item:
                case s.Relabel(new, old):
                    printed.append([*self.label(new), "/", *self.label(old)])
                case s.RelabelForall(indices, body):
                    printed.append(["forall", *self.indices(indices), *self.relabellings(body)])
                case _:
                    assert_never(item)
        return ["{", *_joined(",", printed), "}"]

    def _relabelled(self, relabellings: tuple[s.Relabelling, ...]) -> list[str]:
        return ["/", *self.relabellings(relabellings)] if relabellings else []

    def _hidden(self, hiding: s.Hiding | None) -> list[str]:
        return [] if hiding is None else ["@" if hiding.exposes else "\\", *self.label_set(hiding.labels)]

    # ------------------------------------------------------------ processes

    def process(self, process: s.LocalProcess) -> list[str]:
        match process:
            case s.Continue(before, name, indices):
                tokens = [token for reference in before for token in [*self.reference(reference), ";"]]
                return [*tokens, name, *(t for i in indices for t in ["[", *self.expression(i), "]"])]
            case s.Conditional(condition, then, otherwise):
                tokens = ["if", *self.expression(condition), "then", *self.process(then)]
                return tokens if otherwise is None else [*tokens, "else", *self.process(otherwise)]
            case s.Choice(branches):
                return ["(", *_joined("|", [self.branch(branch) for branch in branches]), ")"]
        assert_never(process)

    def reference(self, reference: s.ProcessReference) -> list[str]:
        return [reference.name, *self.arguments(reference.arguments)]

    def branch(self, branch: s.Branch) -> list[str]:
        tokens: list[str] = []
        if branch.guard is not None:
            guard = self.expression(branch.guard)
            # the label of `'a` or `#S` would continue with the index that the first action begins with
            has_label = "'" in guard or "#" in guard
            tokens += ["when", "(", *guard, ")"] if has_label else ["when", *guard]
        for label in branch.labels:
            tokens += [*self.label(label), "->"]
        return [*tokens, *self.process(branch.target)]

    def _local(self, local: s.LocalDefinition, parameters: tuple[s.Parameter, ...]) -> list[str]:
        mark = ["@"] if local.is_accepting else []
        head = [local.name, *self.parameters(parameters), *mark, *self.indices(local.indices)]
        return [*head, "=", *self.process(local.body)]

    # ------------------------------------------------------------ composites

    def body(self, body: s.CompositeBody) -> list[str]:
        match body:
            case s.CompositeIf(condition, then, otherwise):
                tokens = ["if", *self.expression(condition), "then", *self.body(then)]
                return tokens if otherwise is None else [*tokens, "else", *self.body(otherwise)]
            case s.CompositeForall(indices, inner):
                return ["forall", *self.indices(indices), *self.body(inner)]
            case s.CompositePart(sharing, prefix, inside, relabelling):
                tokens = [] if sharing is None else [*self.label(sharing), "::"]
                tokens += [] if prefix is None else [*self.label(prefix), ":"]
                if isinstance(inside, s.ProcessReference):
                    tokens += self.reference(inside)
                else:
                    tokens += ["(", *_joined("||", [self.body(part) for part in inside]), ")"]
                return tokens + self._relabelled(relabelling)
        assert_never(body)

    # ------------------------------------------------------------ formulas

    def formula(self, formula: s.Formula, weakest: int = 1) -> list[str]:
        binding = _UNARY_FORMULA
        match formula:
            case s.NamedFormula(name, indices, arguments):
                tokens = [name, *self.indices(indices), *self.arguments(arguments)]
            case s.ActionFormula(label):
                tokens = self.label(label)
            case s.UnaryFormula(operator, operand):
                tokens = [operator, *self.formula(operand, _UNARY_FORMULA)]
            case s.BinaryFormula(operator, left, right):
                binding = _FORMULA_BINDING[operator]
                at_left = binding if operator in ("&&", "||") else binding + 1
                tokens = [*self.formula(left, at_left), operator, *self.formula(right, binding + 1)]
            case s.QuantifiedFormula(is_forall, indices, body):
                inner = self.formula(body, _UNARY_FORMULA)
                inner = ["(", *inner, ")"] if inner[0] == "[" else inner  # else it is one more index
                tokens = ["forall" if is_forall else "exists", *self.indices(indices), *inner]
            case s.RigidFormula(condition):
                tokens = ["rigid", "(", *self.expression(condition), ")"]
            case _:
                assert_never(formula)
        return ["(", *tokens, ")"] if binding < weakest or self._more() else tokens

    # ------------------------------------------------------------ definitions

    def definitions(self, definitions: Iterable[s.Definition]) -> list[str]:
        return [token for definition in definitions for token in self.definition(definition)]

    def definition(self, d: s.Definition) -> list[str]:
        match d:
            case s.ConstDefinition(name, value):
                return ["const", name, "=", *self.additive(value)]
            case s.RangeDefinition(name, interval):
                return ["range", name, "=", *self.additive(interval.low), "..", *self.additive(interval.high)]
            case s.SetDefinition(name, body):
                return ["set", name, "=", *self.label_set(body)]
            case s.ProgressDefinition(name, indices, condition, actions):
                tokens = [] if condition is None else ["if", *self.label(condition), "then"]
                return ["progress", name, *self.indices(indices), "=", *tokens, *self.label(actions)]
            case s.FluentDefinition(name, indices, initiating, terminating, initially):
                first, last = self.label(initiating), self.label(terminating)
                tokens = ["fluent", name, *self.indices(indices), "=", "<", *first, ",", *last, ">"]
                return tokens if initially is None else [*tokens, "initially", *self.additive(initially)]
            case s.MenuDefinition(name, actions):
                return ["menu", name, "=", *self.label(actions)]
            case s.ImportDefinition(name, file):
                return ["import", name, "=", f'"{file}"']
            case s.AnimationDefinition(name):
                return ["animation", name, "=", '"scene.xml"']
            case s.AssertDefinition():
                return self._assert(d)
            case s.ProcessDefinition():
                return self._process_definition(d)
            case s.CompositeDefinition():
                return self._composite_definition(d)
        assert_never(d)

    def _assert(self, d: s.AssertDefinition) -> list[str]:
        formula = self.formula(d.formula, _UNARY_FORMULA)
        if d.extension is not None:
            # without parentheses, the `+` would be one more operator of a `rigid`
            formula = ["(", *formula, ")"] if "rigid" in formula else formula
            formula += ["+", *self.label_set(d.extension)]
        word = "constraint" if d.is_constraint else "assert"
        return [word, d.name, *self.parameters(d.parameters), "=", *formula]

    def _process_definition(self, d: s.ProcessDefinition) -> list[str]:
        first, *others = d.locals
        tokens = [*_modifiers(d.modifiers), *self._local(first, d.parameters)]
        for local in others:
            tokens += [",", *self._local(local, ())]
        tokens += [] if d.extension is None else ["+", *self.label_set(d.extension)]
        return [*tokens, *self._relabelled(d.relabelling), *self._hidden(d.hiding), "."]

    def _composite_definition(self, d: s.CompositeDefinition) -> list[str]:
        tokens = [*_modifiers(d.modifiers), "||", d.name, *self.parameters(d.parameters), "="]
        tokens += self.body(d.body)
        if d.priority is not None:
            tokens += ["<<" if d.priority.is_high else ">>", *self.label_set(d.priority.labels)]
        return [*tokens, *self._hidden(d.hiding), "."]


def _modifiers(modifiers: s.Modifiers) -> list[str]:
    words = ("deterministic", "minimal", "compose", "property")
    return [word for word in words if getattr(modifiers, word)]


def _joined(separator: str, items: list[list[str]]) -> list[str]:
    tokens: list[str] = []
    for number, item in enumerate(items):
        tokens += [separator, *item] if number else item
    return tokens
