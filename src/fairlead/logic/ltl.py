"""Formulas of LTL and CTL* as immutable values that compare and hash in constant time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from enum import Enum
from itertools import count
from typing import Any, TypeVar

from fairlead.base.records import dataclass
from fairlead.base.source import Span

# Every structure ever built gets a number, so that comparing two formulas compares two numbers, however
# deep the formulas are. Nodes themselves are not shared: two occurrences of an atom keep their own spans.
_structures: dict[tuple[Any, ...], int] = {}
_numbers = count()
_Value = TypeVar("_Value")


class Formula:
    """A formula; equal to another iff both have the same structure and equal atoms, at any places."""

    __slots__ = ("_structure",)
    _structure: int

    def _number(self, *signature: object) -> None:
        key = (type(self).__name__, *signature)
        known = _structures.get(key)
        if known is None:
            known = _structures.setdefault(key, next(_numbers))
        object.__setattr__(self, "_structure", known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self._structure == other._structure

    def __hash__(self) -> int:
        return self._structure

    def __reduce__(self) -> tuple[Any, ...]:
        # structure numbers mean nothing in another process, so a copy is built again from its parts
        return type(self), tuple(getattr(self, name) for name in type(self).__match_args__)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return _render(self, minimal=True)

    def __repr__(self) -> str:
        # rewriting shares subformulas, and written out in full such a formula may not fit into memory
        return f"<{type(self).__name__} {_render(self, minimal=True, longest=200)}>"


class AtomKind(Enum):
    """How an atom was written, which says what it may refer to."""

    NAME = "name"  # a dotted identifier: an event or a defined proposition
    QUOTED = "quoted"  # in double quotes: an event whose label is not an identifier, such as c!1
    COMPARISON = "comparison"  # an inline expression over the variables of the model
    ENABLED = "enabled"  # enabled(x): the process or event x (the text) can take a step in the state
    EXECUTED = "executed"  # executed(x): x took the step into the state
    READY = "ready"  # an annotation (the text) is ready; made for annotations of the model, never written


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Constant(Formula):
    """`true` or `false`."""

    value: bool

    def __post_init__(self) -> None:
        self._number(self.value)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Atom(Formula):
    """A proposition about one position of a word."""

    text: str
    kind: AtomKind = AtomKind.NAME
    span: Span | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        self._number(self.text, self.kind)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Unary(Formula):
    """An operator with one operand."""

    operand: Formula

    def __post_init__(self) -> None:
        self._number(self.operand._structure)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Binary(Formula):
    """An operator with two operands."""

    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        self._number(self.left._structure, self.right._structure)


class Not(Unary):
    """`!p`."""

    __slots__ = ()


class Next(Unary):
    """`X p`: p at the next position."""

    __slots__ = ()


class Eventually(Unary):
    """`<>p`: p now or at some later position."""

    __slots__ = ()


class Always(Unary):
    """`[]p`: p now and at every later position."""

    __slots__ = ()


class Exists(Unary):
    """`E p`: p on some fair path from here."""

    __slots__ = ()


class ForAll(Unary):
    """`A p`: p on every fair path from here."""

    __slots__ = ()


class And(Binary):
    """`p && q`."""

    __slots__ = ()


class Or(Binary):
    """`p || q`."""

    __slots__ = ()


class Implies(Binary):
    """`p -> q`."""

    __slots__ = ()


class Iff(Binary):
    """`p <-> q`."""

    __slots__ = ()


class Until(Binary):
    """`p U q`: q at some position, p at all positions before it."""

    __slots__ = ()


class Release(Binary):
    """`p R q`: q up to and including the first position with p, or forever."""

    __slots__ = ()


class WeakUntil(Binary):
    """`p W q`: `p U q`, or p forever."""

    __slots__ = ()


class Domain(Enum):
    """What a variable of a fairness formula stands for, one after the other; the value names one of them."""

    PROCESSES = "process"
    EVENTS = "event"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Quantified(Formula):
    """`all processes p: …`, `some event e: …`; in fairness formulas only, until the system is known."""

    operator: type[And] | type[Or]
    domain: Domain
    variable: str
    operand: Formula

    def __post_init__(self) -> None:
        self._number(self.operator, self.domain, self.variable, self.operand._structure)


TRUE = Constant(True)
FALSE = Constant(False)

_ATOM, _COMPARISON, _UNARY, _TEMPORAL = 8, 7, 6, 5
_PRECEDENCE: dict[type[Formula], int] = {
    Constant: _ATOM,
    Atom: _ATOM,
    Not: _UNARY,
    Next: _UNARY,
    Eventually: _UNARY,
    Always: _UNARY,
    Exists: _UNARY,
    ForAll: _UNARY,
    Until: _TEMPORAL,
    Release: _TEMPORAL,
    WeakUntil: _TEMPORAL,
    And: 4,
    Or: 3,
    Implies: 2,
    Iff: 1,
    Quantified: 0,
}
_SPELLING: dict[type[Formula], str] = {
    Not: "!",
    Next: "X ",
    Eventually: "<>",
    Always: "[]",
    Until: " U ",
    Release: " R ",
    WeakUntil: " W ",
    And: " && ",
    Or: " || ",
    Implies: " -> ",
    Iff: " <-> ",
}
#: after path quantifiers these operators are letters, as is usual in CTL
_LETTERS: dict[type[Formula], str] = {Next: "X", Eventually: "F", Always: "G", Exists: "E", ForAll: "A"}
_RIGHT_ASSOCIATIVE = (Until, Release, WeakUntil, Implies)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The operands of a formula, left to right."""
    if isinstance(formula, Binary):
        return (formula.left, formula.right)
    if isinstance(formula, Unary | Quantified):
        return (formula.operand,)
    return ()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Every distinct subformula once, operands before the formulas they are part of."""
    seen: set[Formula] = set()
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        node, operands_done = stack.pop()
        if operands_done:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)) if child not in seen)


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """The distinct atoms of a formula in the order in which they are first read."""
    return tuple(node for node in subformulas(formula) if isinstance(node, Atom))


def operands(formula: Formula, operator: type[Binary]) -> list[Formula]:
    """The formulas joined by a chain of one associative operator, left to right."""
    found: list[Formula] = []
    stack = [formula]
    while stack:
        node = stack.pop()
        if type(node) is operator:
            assert isinstance(node, Binary)
            stack += (node.right, node.left)
        else:
            found.append(node)
    return found


def chain(operator: type[And] | type[Or], parts: list[Formula]) -> Formula:
    """The parts joined by && or ||, grouped to the left."""
    if not parts:
        return TRUE if operator is And else FALSE
    result = parts[0]
    for part in parts[1:]:
        result = operator(result, part)
    return result


def fold(
    known: dict[Formula, _Value],
    formula: Formula,
    compute: Callable[[Formula, list[_Value]], _Value],
    parts_of: Callable[[Formula], Iterable[Formula]] = children,
) -> _Value:
    """The value of a formula, from the values of its parts; iterative, and never twice for a known one."""
    stack = [formula]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        parts = list(parts_of(node))
        missing = [part for part in parts if part not in known]
        if missing:
            stack += missing
        else:
            known[stack.pop()] = compute(node, [known[part] for part in parts])
    return known[formula]


def parenthesised(formula: Formula) -> str:
    """The formula with every binary operator in parentheses, except the outermost."""
    return _render(formula, minimal=False)


def in_letters(formula: Formula, longest: int | None = None) -> str:
    """The formula with `GF` for `[]<>`; if `longest` is given, cut off after about as many symbols."""
    return _render(formula, minimal=True, longest=longest, letters=True)


def _binding(formula: Formula) -> int:
    if isinstance(formula, Atom) and formula.kind is AtomKind.COMPARISON:
        return _COMPARISON
    return _PRECEDENCE[type(formula)]


def _render(formula: Formula, *, minimal: bool, longest: int | None = None, letters: bool = False) -> str:
    """Text that parses back to the same formula; iterative, because users decide the depth."""
    parts: list[str] = []
    stack: list[str | tuple[Formula, int, bool]] = [(formula, 0, letters)]
    while stack:
        if longest is not None and len(parts) > longest:
            return "".join([*parts, "…"])
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, needed, letters = item
        binding = _binding(node)
        if binding < needed:
            parts.append("(")
            stack.append(")")
        if isinstance(node, Constant):
            parts.append("true" if node.value else "false")
        elif isinstance(node, Atom):
            parts.append(_atom_text(node))
        elif isinstance(node, Exists | ForAll) and isinstance(node.operand, Binary):
            parts.append(f"{_LETTERS[type(node)]}(")
            stack += (")", (node.operand, 0, True))
        elif isinstance(node, Unary):
            prefix, operand = _prefix(node, letters)
            parts.append(prefix)
            # `!x == 1` would parse, but reads like a negated x
            tight = isinstance(operand, Atom) and operand.kind is AtomKind.COMPARISON
            stack.append((operand, _ATOM if tight else _UNARY, letters or isinstance(node, Exists | ForAll)))
        elif isinstance(node, Binary):
            right_chain = isinstance(node, _RIGHT_ASSOCIATIVE)
            left_needs = binding + right_chain if minimal else _UNARY
            right_needs = binding + (not right_chain) if minimal else _UNARY
            stack += (
                (node.right, right_needs, letters),
                _SPELLING[type(node)],
                (node.left, left_needs, letters),
            )
        elif isinstance(node, Quantified):
            words = f"all {node.domain.value}es" if node.domain is Domain.PROCESSES else "all events"
            parts.append(words if node.operator is And else f"some {node.domain.value}")
            parts.append(f" {node.variable}: ")
            stack.append((node.operand, 0, letters))
    return "".join(parts)


def _atom_text(atom: Atom) -> str:
    match atom.kind:
        case AtomKind.QUOTED:
            return f'"{atom.text}"'
        case AtomKind.ENABLED | AtomKind.EXECUTED | AtomKind.READY:
            return f"{atom.kind.value}({atom.text})"
    return atom.text


def _prefix(node: Unary, letters: bool) -> tuple[str, Formula]:
    """The text of a unary operator, or of two where they are written as one word; then the rest."""
    operand, path = node.operand, (Next, Eventually, Always)
    if isinstance(node, Exists | ForAll):
        joined = isinstance(operand, path) and not isinstance(operand.operand, path)
    elif letters and isinstance(node, path):
        joined = isinstance(operand, Eventually | Always) and not isinstance(node, type(operand) | Next)
    else:
        return _SPELLING[type(node)], operand
    if joined:
        assert isinstance(operand, Unary)
        return f"{_LETTERS[type(node)]}{_LETTERS[type(operand)]} ", operand.operand
    return f"{_LETTERS[type(node)]} ", operand
