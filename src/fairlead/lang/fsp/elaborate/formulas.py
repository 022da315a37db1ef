"""Expands formulas of FSP: quantifiers, fluents and asserts, to a text that `logic` reads.

An action or a set of actions is an atom, a fluent is one. Position 0 of an FSP formula is the state after the
first action, which our position 1 is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, Related, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.complaints import defined_by_itself
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.labels import each, label_texts
from fairlead.lang.fsp.elaborate.scopes import instance_scope
from fairlead.lang.fsp.elaborate.values import Scope, Value, evaluate, is_positive
from fairlead.lang.fsp.syntax import (
    ActionFormula,
    BinaryFormula,
    FluentDefinition,
    Formula,
    Label,
    NamedFormula,
    QuantifiedFormula,
    RigidFormula,
    SetName,
    SetPart,
    UnaryFormula,
)
from fairlead.model.composition import FluentRule

#: how many actions of a set are named in its atom
_SHOWN_ACTIONS = 4
#: asserts that name each other
_NESTING_LIMIT = 100
#: a formula may not be longer when everything is expanded
_LONGEST_TEXT = 1_000_000
#: operators for which two equal operands are one
_IDEMPOTENT = ("&&", "||", "U", "W")


class FormulaElaborator:
    """Expands formulas, and keeps what their atoms stand for."""

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations
        self.actions: dict[str, frozenset[str]] = {}
        self.fluents: dict[str, FluentRule] = {}
        self.places: dict[str, Span] = {}
        self._atoms: dict[frozenset[str], str] = {}
        self._under_way: list[str] = []
        #: asserts that have been expanded, by their names and arguments
        self._expanded: dict[str, str] = {}

    @property
    def actions_used(self) -> dict[str, None]:
        """All actions that the formulas, or their fluents, name."""
        sets = [*self.actions.values()]
        sets += [labels for rule in self.fluents.values() for labels in (rule.initiating, rule.terminating)]
        return dict.fromkeys(label for labels in sets for label in sorted(labels))

    def text(self, formula: Formula, scope: Scope) -> str:
        """The formula with everything expanded, in parentheses."""
        match formula:
            case NamedFormula():
                return self._named(formula, scope)
            case ActionFormula(label, span):
                return self._actions(label_texts(label, scope), span)
            case UnaryFormula(operator, operand):
                return f"{operator} ({self.text(operand, scope)})"
            case BinaryFormula(operator, left, right):
                return self._binary(operator, self.text(left, scope), self.text(right, scope))
            case QuantifiedFormula(is_forall, indices, body):
                parts = [self.text(body, inner) for _, inner in each(indices, scope)]
                return _joined(list(dict.fromkeys(parts)), "&&" if is_forall else "||")
            case RigidFormula(condition):
                return "true" if is_positive(condition, scope) else "false"
            case _:
                assert_never(formula)

    def _binary(self, operator: str, left: str, right: str) -> str:
        """Both operands; of two equal ones just one, where that means the same."""
        if left == right and operator in _IDEMPOTENT:
            return left
        if len(left) + len(right) > _LONGEST_TEXT:
            message = f"a formula has more than {_LONGEST_TEXT} characters once its asserts are expanded"
            raise LimitReached((Diagnostic(Code.LIMIT, message),))
        return f"(({left}) {operator} ({right}))"

    def _named(self, formula: NamedFormula, scope: Scope) -> str:
        name, span = formula.name, formula.span
        declared = self._declarations
        if name in declared.fluents:
            return self._fluent(declared.fluents[name], formula, scope)
        if name in declared.asserts:
            return self._macro(formula, scope)
        if declared.has_set(name) and not formula.arguments:
            label = Label((SetPart(SetName(name, span)), *formula.indices), span)
            return self._actions(label_texts(label, scope), span)
        known = [*declared.fluents, *declared.asserts]
        problem = f"there is no fluent, assert or set '{name}'"
        raise input_error(Code.UNKNOWN_NAME, problem, span, nearest(name, known))

    def _macro(self, formula: NamedFormula, scope: Scope) -> str:
        definition = self._declarations.asserts[formula.name]
        values = tuple(evaluate(argument, scope) for argument in formula.arguments)
        instance = f"{formula.name}{values}"
        if instance in self._expanded:
            return self._expanded[instance]
        if instance in self._under_way or len(self._under_way) >= _NESTING_LIMIT:
            raise defined_by_itself(f"assert '{formula.name}'", formula.span)
        self._under_way.append(instance)
        try:
            inner = instance_scope(
                self._declarations, definition.name, definition.parameters, values, formula.span
            )
            text = self._expanded[instance] = self.text(definition.formula, inner)
            return text
        finally:
            self._under_way.pop()

    def _actions(self, labels: Sequence[str], span: Span) -> str:
        """The atom that is true when the last action was one of some."""
        chosen = frozenset(labels)
        if not chosen:
            return "false"
        if chosen not in self._atoms:
            shown = sorted(chosen)
            text = shown[0]
            if 1 < len(shown) <= _SHOWN_ACTIONS:
                text = f"{{{', '.join(shown)}}}"
            elif len(shown) > _SHOWN_ACTIONS:
                text = f"{{{shown[0]}, {shown[1]}, … {shown[-1]}: {len(shown)} actions}}"
            while text in self.actions:
                text += "'"
            self._atoms[chosen] = text
            self.actions[text] = chosen
            self.places[text] = span
        return f'"{self._atoms[chosen]}"'

    # ------------------------------------------------------------ fluents

    def _fluent(self, definition: FluentDefinition, formula: NamedFormula, scope: Scope) -> str:
        """A fluent; with several values in its indices, that one of them is true."""
        if formula.arguments or len(formula.indices) != len(definition.indices):
            problem = f"fluent '{formula.name}' has {len(definition.indices)} indices"
            raise input_error(Code.ARITY, problem, formula.span)
        names = [self._instance(definition, values, formula) for values, _ in each(formula.indices, scope)]
        return _joined([f'"{name}"' for name in names], "||")

    def _instance(
        self, definition: FluentDefinition, values: tuple[Value, ...], formula: NamedFormula
    ) -> str:
        name = ".".join([definition.name, *map(str, values)])
        if name not in self.fluents:
            found = [
                scope
                for known, scope in each(definition.indices, self._declarations.globals)
                if known == values
            ]
            if not found:
                related = (Related("the fluent is declared here", definition.span),)
                problem = f"there is no fluent '{name}'"
                raise input_error(Code.RANGE, problem, formula.span, related=related)
            self.fluents[name] = self._rule(name, definition, found[0])
            self.places[name] = formula.span
        return name

    def _rule(self, name: str, definition: FluentDefinition, scope: Scope) -> FluentRule:
        scope = scope if definition.indices else scope.loose()
        initiating = frozenset(label_texts(definition.initiating, scope))
        terminating = frozenset(label_texts(definition.terminating, scope))
        both = sorted(initiating & terminating)
        if both:
            problem = f"'{both[0]}' begins and ends fluent '{definition.name}'"
            raise input_error(Code.NAME_CLASH, problem, definition.span)
        initially = definition.initially is not None and is_positive(definition.initially, scope)
        return FluentRule(name, initiating, terminating, initially)


def _joined(parts: Sequence[str], operator: str) -> str:
    return parts[0] if len(parts) == 1 else "(" + f" {operator} ".join(f"({part})" for part in parts) + ")"
