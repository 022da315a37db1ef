"""That the parser of FSP reads composites and formulas as they are meant."""

from __future__ import annotations

import pytest

from fairlead.base.source import Source
from fairlead.lang.fsp import syntax as s
from fairlead.lang.fsp.parse import parse, parse_formula
from tests.support.fsp.printing import Printer, text_of
from tests.support.fsp.reading import composite, formula, one


def shown_formula(text: str) -> str:
    """A formula with all parentheses."""

    def show(f: s.Formula) -> str:
        match f:
            case s.BinaryFormula(operator, left, right):
                return f"({show(left)} {operator} {show(right)})"
            case s.UnaryFormula(operator, operand):
                return f"{operator}({show(operand)})"
            case s.QuantifiedFormula(is_forall, _, body):
                return f"{'forall' if is_forall else 'exists'}({show(body)})"
            case _:
                return text_of(Printer().formula(f)).replace(" ", "")

    return show(formula(text))


# ---------------------------------------------------------------- composites


@pytest.mark.parametrize(
    ("text", "sharing", "prefix"),
    [
        ("P", None, None),
        ("P(1,N)", None, None),
        ("a:P", None, "a"),
        ("{a,b}:P", None, "{a,b}"),
        ("{a,b}::P", "{a,b}", None),
        ("{a,b}::c:P", "{a,b}", "c"),
        ("[i:R]:P", None, "[i:R]"),
        ("p[1..2]:P", None, "p[1..2]"),
        ("{a,b}\\{b}:P", None, "{a,b}\\{b}"),
        ("a:(P || Q)", None, "a"),
        ("a::(P || Q)", "a", None),
    ],
)
def test_prefixes(text: str, sharing: str | None, prefix: str | None) -> None:
    found = composite(text)
    assert isinstance(found, s.CompositePart)
    assert (found.sharing and found.sharing.span.text) == sharing
    assert (found.prefix and found.prefix.span.text) == prefix
    assert found.span.text == text


@pytest.mark.parametrize("prefix", ["S", "S.x", "S[1]", "S[1].x", "S\\{b}", "x.S"])
def test_a_declared_set_as_prefix(prefix: str) -> None:
    for around in ("", "a::"):
        _, found = parse(Source("m.lts", f"set S = {{a,b}} ||C = {around}{prefix}:P."))
        assert isinstance(found, s.CompositeDefinition)
        assert isinstance(found.body, s.CompositePart)
        assert found.body.prefix is not None
        assert found.body.prefix.span.text == prefix
    _, found = parse(Source("m.lts", f"set S = {{a,b}} ||C = {prefix}::P."))
    assert found.body.sharing.span.text == prefix  # type: ignore[union-attr]


def test_a_process_at_the_end_is_no_prefix() -> None:
    first, second, third = parse(Source("m.lts", "||S = P. Q = STOP. ||T = P\\{a}."))
    assert isinstance(first, s.CompositeDefinition)
    assert first.body == composite("P")
    assert isinstance(second, s.ProcessDefinition)
    assert isinstance(third, s.CompositeDefinition)
    assert third.hiding is not None


def test_bodies_within_bodies() -> None:
    found = composite("(forall[i:1..2][j:R] (p[i]:P || Q) || if N>0 then (A || B) else C || ())/{a/b}")
    assert isinstance(found, s.CompositePart)
    assert isinstance(found.body, tuple)
    assert [type(each) for each in found.body] == [s.CompositeForall, s.CompositeIf, s.CompositePart]
    assert found.body[2].body == ()  # type: ignore[union-attr]
    assert len(found.relabelling) == 1
    assert composite("(P/{x/a})/{y/x}") != composite("(P/{x/a})")


@pytest.mark.parametrize(
    ("text", "priority", "hiding"),
    [
        ("P", None, None),
        ("P << {a}", True, None),
        ("P >> {a} \\ {b}", False, False),
        ("(P || Q)/{x/a} << S @ S", True, True),
    ],
)
def test_what_comes_after_a_composite(text: str, priority: bool | None, hiding: bool | None) -> None:
    found = one(f"||C(N=2) = {text}.", s.CompositeDefinition)
    assert (found.priority and found.priority.is_high) == priority
    assert (found.hiding and found.hiding.exposes) == hiding
    assert (found.name, [each.name for each in found.parameters]) == ("C", ["N"])


# ---------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a -> b || c", "((a -> b) || c)"),
        ("a || b -> c", "(a || (b -> c))"),
        ("a && b -> c && d", "((a && b) -> (c && d))"),
        ("a && b U c", "((a && b) U c)"),
        ("a || b || c", "((a || b) || c)"),
        ("a && b && c", "((a && b) && c)"),
        ("!a U b", "(!(a) U b)"),
        ("[]a -> b", "([](a) -> b)"),
        ("[]<>X!a", "[](<>(X(!(a))))"),
        ("a <-> F", "(a <-> F)"),
        ("(a U b) W c", "((a U b) W c)"),
        ("[](a -> X(b || c))", "[]((a -> X((b || c))))"),
        ("forall[i:R] []<>a[i] && b", "(forall([](<>(a[i]))) && b)"),
        ("exists[i:R][j:S] F[i][j]", "exists(F[i][j])"),
        ("!forall[i:R] !F[i]", "!(forall(!(F[i])))"),
        ("rigid(i==1) -> F", "(rigid(i==1) -> F)"),
        ("rigid N-1 && a", "(rigid(N-1) && a)"),
        ("{a,b} U a[1].b", "({a,b} U a[1].b)"),
        ("[1].on", "[1].on"),
        ("A(2,N) && F[i:R]", "(A(2,N) && F[i:R])"),
        ("S.x U S[1].x", "(S.x U S[1].x)"),
    ],
)
def test_formulas(text: str, expected: str) -> None:
    assert shown_formula(text) == expected
    _, asserted = parse(Source("m.lts", f"set S = {{a}} assert A = ({text})"))
    assert isinstance(asserted, s.AssertDefinition)
    assert asserted.formula == formula(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("F", s.NamedFormula),
        ("F[i]", s.NamedFormula),
        ("F[i:R]", s.NamedFormula),
        ("A(2)", s.NamedFormula),
        ("a", s.ActionFormula),
        ("a[1].b", s.ActionFormula),
        ("{a,b}", s.ActionFormula),
        ("[i].on", s.ActionFormula),
        ("S.x", s.ActionFormula),
        ("S\\{a}", s.ActionFormula),
        ("XX", s.NamedFormula),
    ],
)
def test_propositions(text: str, kind: type) -> None:
    found = formula(text)
    assert isinstance(found, kind)
    assert found.span.text == text  # type: ignore[union-attr]


def test_a_formula_within_a_text() -> None:
    source = Source("command", "--ltl a && b U c --fair")
    assert parse_formula(source, 6, 16) == formula("a && b U c")
    found = parse_formula(source, 6, 7)
    assert isinstance(found, s.ActionFormula)
    assert (found.span.line, found.span.column) == (1, 7)


def test_asserts_end_where_the_next_definition_begins() -> None:
    text = """assert A(N=1) = F[N] ||S = P. assert B = a U = STOP. assert C = []a X = STOP.
        constraint D = !b + {c} W(N=1) = END."""
    found = parse(Source("m.lts", text))
    assert [definition.name for definition in found] == ["A", "S", "B", "U", "C", "X", "D", "W"]
    last = found[6]
    assert isinstance(last, s.AssertDefinition)
    assert last.is_constraint
    assert isinstance(last.extension, s.SetBody)
    assert found[0].parameters[0].name == "N"  # type: ignore[union-attr]
