"""Random syntax trees of FSP, every one of which can be written as a text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from fairlead.base.source import Source
from fairlead.lang.fsp import syntax as s

_T = TypeVar("_T")
NOWHERE = Source("nowhere", "").span(0, 0)

UPPER_NAMES = ("P", "Q", "R", "N", "A1", "SET_2", "STOP", "END", "ERROR", "V")
LOWER_NAMES = ("a", "b", "go", "_x", "i", "j", "red2", "tauX", "x")
_OPERATORS = (
    "||",
    "&&",
    "|",
    "^",
    "&",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
)


class TreeWriter:
    """Writes random trees, smaller the deeper they are."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.depth = 0

    # ------------------------------------------------------------ choosing

    def _flip(self, probability: float = 0.5) -> bool:
        return self.rng.random() < probability

    def _upper(self) -> str:
        return self.rng.choice(UPPER_NAMES)

    def _lower(self) -> str:
        return self.rng.choice(LOWER_NAMES)

    def _some(self, make: Callable[[], _T], least: int = 1, most: int = 3) -> tuple[_T, ...]:
        count = self.rng.randint(least, most if self.depth < 3 else max(least, 1))
        return tuple(make() for _ in range(count))

    def _maybe(self, make: Callable[[], _T], probability: float = 0.3) -> _T | None:
        return make() if self._flip(probability) else None

    def _one_of(self, leaves: list[Callable[[], _T]], others: list[Callable[[], _T]]) -> _T:
        """A leaf, or something with more within it, less and less often."""
        nested = self._flip(0.7 * 0.75**self.depth)
        self.depth += 1
        result = self.rng.choice(others if nested else leaves)()
        self.depth -= 1
        return result

    # ------------------------------------------------------------ expressions and labels

    def expression(self) -> s.Expression:
        return self._one_of(
            [lambda: s.Number(self.rng.choice((0, 1, 7, 8, 2147483647)), NOWHERE), self.name],
            [
                lambda: s.Binary(self.rng.choice(_OPERATORS), self.expression(), self.expression(), NOWHERE),
                lambda: s.Binary(self.rng.choice(_OPERATORS), self.expression(), self.expression(), NOWHERE),
                lambda: s.Unary(self.rng.choice("+-!"), self.expression(), NOWHERE),
                lambda: s.LabelValue(self.label(), NOWHERE),
                lambda: s.SetSize(self.label(), NOWHERE),
                lambda: s.SetElement(self.label(), self.expression(), NOWHERE),
            ],
        )

    def name(self) -> s.Name:
        return s.Name(self._upper() if self._flip() else self._lower(), NOWHERE)

    def label(self) -> s.Label:
        return s.Label(self._some(self.part), NOWHERE)

    def part(self) -> s.LabelPart:
        return self._one_of(
            [lambda: s.NamePart(self._lower())],
            [
                lambda: s.NamePart(self._lower()),
                self.index,
                lambda: s.SetPart(self.label_set(), self._maybe(self.label_set, 0.2)),
            ],
        )

    def label_set(self) -> s.LabelSet:
        return s.SetName(self._upper(), NOWHERE) if self._flip(0.3) else self.set_body()

    def set_body(self) -> s.SetBody:
        return s.SetBody(self._some(self.label), NOWHERE)

    def index(self) -> s.Index:
        variable = self._lower() if self._flip() else None
        alone: Callable[[], s.Domain] = lambda: s.Name(self._upper(), NOWHERE)  # noqa: E731
        if variable is None:
            alone = self.expression
        return s.Index(variable, self.rng.choice((alone, self.interval, self.set_body))(), NOWHERE)

    def interval(self) -> s.Interval:
        return s.Interval(self.expression(), self.expression())

    def indices(self) -> tuple[s.Index, ...]:
        return self._some(self.index, 1, 2)

    def relabellings(self) -> tuple[s.Relabelling, ...]:
        return self._some(self._relabelling)

    def _relabelling(self) -> s.Relabelling:
        return self._one_of(
            [lambda: s.Relabel(self.label(), self.label(), NOWHERE)],
            [lambda: s.RelabelForall(self.indices(), self.relabellings())],
        )

    def _hiding(self) -> s.Hiding:
        return s.Hiding(self._flip(), self.label_set())

    def _parameters(self) -> tuple[s.Parameter, ...]:
        if self._flip(0.7):
            return ()
        return self._some(lambda: s.Parameter(self._upper(), self.expression(), NOWHERE))

    def _arguments(self) -> tuple[s.Expression, ...]:
        return self._some(self.expression) if self._flip(0.3) else ()

    # ------------------------------------------------------------ processes

    def process(self) -> s.LocalProcess:
        return self._one_of([self._continue], [self._choice, self._choice, self._continue, self._conditional])

    def _reference(self) -> s.ProcessReference:
        return s.ProcessReference(self._upper(), self._arguments(), NOWHERE)

    def _continue(self) -> s.Continue:
        before = self._some(self._reference) if self._flip(0.2) else ()
        indices = self._some(self.expression) if self._flip() else ()
        return s.Continue(before, self._upper(), indices, NOWHERE)

    def _choice(self) -> s.Choice:
        return s.Choice(self._some(self._branch))

    def _branch(self) -> s.Branch:
        return s.Branch(self._maybe(self.expression), self._some(self.label), self.process(), NOWHERE)

    def _conditional(self) -> s.Conditional:
        otherwise = self._maybe(self.process, 0.6)
        then = self.process()
        if otherwise is not None and _is_open(then):  # the `else` would belong to the inner `if`
            then = s.Choice((s.Branch(None, (self.label(),), then, NOWHERE),))
        return s.Conditional(self.expression(), then, otherwise)

    # ------------------------------------------------------------ composites

    def body(self) -> s.CompositeBody:
        return self._one_of(
            [self._reference_part],
            [self._parts, self._parts, self._composite_if, self._composite_forall],
        )

    def _prefix(self) -> s.Label | None:
        return self._maybe(self.label, 0.4)

    def _relabelled(self) -> tuple[s.Relabelling, ...]:
        return self.relabellings() if self._flip(0.2) else ()

    def _reference_part(self) -> s.CompositePart:
        reference = self._reference()
        return s.CompositePart(self._prefix(), self._prefix(), reference, self._relabelled(), NOWHERE)

    def _parts(self) -> s.CompositePart:
        bodies = self._some(self.body, 0, 3)
        return s.CompositePart(self._prefix(), self._prefix(), bodies, self._relabelled(), NOWHERE)

    def _in_parentheses(self, body: s.CompositeBody) -> s.CompositePart:
        return s.CompositePart(None, None, (body,), (), NOWHERE)

    def _composite_if(self) -> s.CompositeIf:
        then, otherwise = self.body(), self._maybe(self.body)
        if otherwise is not None and _is_open(then):
            then = self._in_parentheses(then)
        return s.CompositeIf(self.expression(), then, otherwise)

    def _composite_forall(self) -> s.CompositeForall:
        body = self.body()
        if isinstance(body, s.CompositePart):
            first = body.sharing or body.prefix
            if first is not None and isinstance(first.parts[0], s.Index):  # it would be one more index
                body = self._in_parentheses(body)
        return s.CompositeForall(self.indices(), body)

    # ------------------------------------------------------------ formulas

    def formula(self) -> s.Formula:
        return self._one_of(
            [self._action, self._named],
            [
                lambda: s.UnaryFormula(self.rng.choice(("!", "<>", "[]", "X")), self.formula()),
                lambda: s.UnaryFormula(self.rng.choice(("!", "<>", "[]", "X")), self.formula()),
                self._binary_formula,
                self._binary_formula,
                lambda: s.QuantifiedFormula(self._flip(), self.indices(), self.formula()),
                lambda: s.RigidFormula(self.expression()),
            ],
        )

    def _binary_formula(self) -> s.BinaryFormula:
        operator = self.rng.choice(("&&", "||", "->", "<->", "U", "W"))
        return s.BinaryFormula(operator, self.formula(), self.formula())

    def _named(self) -> s.NamedFormula:
        indices = self.indices() if self._flip(0.3) else ()
        return s.NamedFormula(self._upper(), indices, () if indices else self._arguments(), NOWHERE)

    def _action(self) -> s.ActionFormula:
        label = self.label()
        match label.parts:
            case (s.SetPart(s.SetName(), None), *rest) if all(isinstance(part, s.Index) for part in rest):
                # that is how a fluent is written
                label = s.Label((s.NamePart(self._lower()), *label.parts), NOWHERE)
        return s.ActionFormula(label, NOWHERE)

    # ------------------------------------------------------------ definitions

    def definitions(self) -> tuple[s.Definition, ...]:
        return self._some(self.definition, 1, 4)

    def definition(self) -> s.Definition:
        name = self._upper()
        match self.rng.randrange(13):
            case 0:
                return s.ConstDefinition(name, self.expression(), NOWHERE)
            case 1:
                return s.RangeDefinition(name, self.interval(), NOWHERE)
            case 2:
                return s.SetDefinition(name, self.set_body(), NOWHERE)
            case 3:
                indices = self.indices() if self._flip(0.3) else ()
                return s.ProgressDefinition(name, indices, self._maybe(self.label), self.label(), NOWHERE)
            case 4:
                indices = self.indices() if self._flip(0.3) else ()
                initially = self._maybe(self.expression)
                return s.FluentDefinition(name, indices, self.label(), self.label(), initially, NOWHERE)
            case 5:
                return s.MenuDefinition(name, self.label(), NOWHERE)
            case 6:
                return s.ImportDefinition(name, "some file.aut", NOWHERE)
            case 7:
                return s.AnimationDefinition(name, NOWHERE)
            case 8 | 9:
                extension = self._maybe(self.label_set, 0.2)
                is_constraint = self._flip(0.2)
                defaults = self._parameters()
                return s.AssertDefinition(name, defaults, self.formula(), extension, is_constraint, NOWHERE)
            case 10:
                return self._composite_definition(name)
            case _:
                return self._process_definition(name)

    def _modifiers(self) -> s.Modifiers:
        return s.Modifiers(self._flip(0.1), self._flip(0.1), self._flip(0.1), self._flip(0.1))

    def _process_definition(self, name: str) -> s.ProcessDefinition:
        first = s.LocalDefinition(name, (), self._flip(0.1), self.process(), NOWHERE)
        return s.ProcessDefinition(
            name,
            self._modifiers(),
            self._parameters(),
            (first, *self._some(self._local, 0, 2)),
            self._maybe(self.label_set),
            self._relabelled(),
            self._maybe(self._hiding),
            NOWHERE,
        )

    def _local(self) -> s.LocalDefinition:
        indices = self.indices() if self._flip() else ()
        return s.LocalDefinition(self._upper(), indices, self._flip(0.1), self.process(), NOWHERE)

    def _composite_definition(self, name: str) -> s.CompositeDefinition:
        priority = s.Priority(self._flip(), self.label_set()) if self._flip(0.3) else None
        body, hiding = self.body(), self._maybe(self._hiding)
        return s.CompositeDefinition(
            name, self._modifiers(), self._parameters(), body, priority, hiding, NOWHERE
        )


def _is_open(tree: s.LocalProcess | s.CompositeBody) -> bool:
    """Whether an `else` after it would belong to an `if` within it."""
    match tree:
        case s.Conditional(otherwise=otherwise) | s.CompositeIf(otherwise=otherwise):
            return otherwise is None or _is_open(otherwise)
        case s.CompositeForall(_, body):
            return _is_open(body)
        case _:
            return False
