"""Formulas: how they are read, printed and compared, and what is said about wrong ones."""

from __future__ import annotations

import pickle
import random

import pytest

from fairlead.base.diagnostics import Code, InputError, Severity
from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.ltl import Always, And, Atom, AtomKind, Eventually, Implies, Next, Not, Or, Until
from fairlead.logic.parsing.parse import ParsedFormula, parse_ltl
from tests.support.oracle.lasso_semantics import random_formula

P, Q, R = Atom("p"), Atom("q"), Atom("r")


def parse(text: str) -> ParsedFormula:
    return parse_ltl(Source("formula", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]<>p", Always(Eventually(P))),
        ("G F p", Always(Eventually(P))),
        ("GF p", Always(Eventually(P))),
        ("FG (p)", Eventually(Always(P))),
        ("F∞ p", Always(Eventually(P))),
        ("G∞ p", Eventually(Always(P))),
        ("Finf !p", Always(Eventually(Not(P)))),
        ("GF GF", Always(Eventually(Atom("GF")))),
        ("GF U FG", Until(Atom("GF"), Atom("FG"))),
        ("(GF) && Ginf", And(Atom("GF"), Atom("Ginf"))),
        ("p U q U r", Until(P, Until(Q, R))),
        ("p V q", ltl.Release(P, Q)),
        ("p R q", ltl.Release(P, Q)),
        ("p W q", ltl.WeakUntil(P, Q)),
        ("!p && q || r", Or(And(Not(P), Q), R)),
        ("p /\\ q \\/ r", Or(And(P, Q), R)),
        ("p -> q -> r", Implies(P, Implies(Q, R))),
        ("p <-> q", ltl.Iff(P, Q)),
        ("X p U q", Until(Next(P), Q)),
        ("true U false", Until(ltl.TRUE, ltl.FALSE)),
        ("!(p) // a comment", Not(P)),
        ("p /* inside */ && q", And(P, Q)),
        ("p || q && r", Or(P, And(Q, R))),
    ],
)
def test_operators_and_precedence(text: str, expected: ltl.Formula) -> None:
    assert parse(text).formula == expected


@pytest.mark.parametrize(
    ("text", "atom", "kind"),
    [
        ("eat.0", "eat.0", AtomKind.NAME),
        ("Sout . I_OK", "Sout.I_OK", AtomKind.NAME),
        ("get.( 0 + 1 ).-3.true", "get.(0+1).-3.true", AtomKind.NAME),
        ("a.X", "a.X", AtomKind.NAME),
        ('"c!1"', "c!1", AtomKind.QUOTED),
        ('"X"', "X", AtomKind.QUOTED),
        ("x[0]==1", "x[0] == 1", AtomKind.COMPARISON),
        ("x<-1", "x < -1", AtomKind.COMPARISON),
        ("m[i][j + 1]*2 >= (n - 1) % 3", "m[i][j+1]*2 >= (n-1)%3", AtomKind.COMPARISON),
        ("x - - 1 == 2", "x- -1 == 2", AtomKind.COMPARISON),
        ("1 < x", "1 < x", AtomKind.COMPARISON),
        ("b == true", "b == true", AtomKind.COMPARISON),
        ("GF.0", "GF.0", AtomKind.NAME),
        ("GF - 1 == x", "GF-1 == x", AtomKind.COMPARISON),
        ("enabled(P1)", "P1", AtomKind.ENABLED),
        ("executed (eat.0)", "eat.0", AtomKind.EXECUTED),
        ("enabled( Phil ( 0 , x y ) )", "Phil(0,x y)", AtomKind.ENABLED),
        ('executed( " c!) " )', '"c!)"', AtomKind.EXECUTED),
        ("enabled(reader[1]:a.{b, c}?$ /* ) */ )", "reader[1]:a.{b,c}?$", AtomKind.ENABLED),
        ("enabled", "enabled", AtomKind.NAME),
        ("executed.1", "executed.1", AtomKind.NAME),
        ("executed == 1", "executed == 1", AtomKind.COMPARISON),
    ],
)
def test_atoms(text: str, atom: str, kind: AtomKind) -> None:
    assert parse(text).formula == Atom(atom, kind)


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("p & q", 2, "&&"),
        ("p | q", 2, "||"),
        ("x = 1", 2, "=="),
        ("p => q", 2, "->"),
        ("p <=> q", 2, "<->"),
        ("~p", 0, "!"),
        ("c!1", 1, "quotes"),
        ("c?1", 1, "quotes"),
        ("(x+1) == 2", 4, "cannot start with a parenthesis"),
        ("(x) == 1", 4, "cannot start with a parenthesis"),
        ("eat.0 == 1", 6, "an event cannot be compared"),
        ("get.0+1", 5, "parentheses"),
        ("GX p", 3, "G X"),
        ("GFG p", 4, "GF G"),
        ("AG p", 3, "operator of CTL"),
        ("p AU q", 2, "A(p U q)"),
        ("enabled()", 0, "enabled(P)"),
        ("enabled(P", 7, None),
        ("a.enabled(P)", 9, None),
        ("U && p", 0, '"U"'),
        ("X.1", 1, '"X"'),
        ("0 < x < 3", 6, "&&"),
        ("x <> y", 2, "!="),
        ("p q", 2, None),
        ("(p", 0, None),
        ("p)", 1, "never opened"),
        ("", 0, None),
        ("()", 1, None),
        ("p U", 3, None),
        ("a.", 2, None),
        ("x[", 2, None),
        ("x[0]", 4, None),
        ('"c!1', 0, None),
        ('""', 0, None),
        ("p $ q", 2, None),
    ],
)
def test_errors_say_where_and_what_to_do(text: str, place: int, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is Code.FORMULA
    assert diagnostic.span is not None
    assert diagnostic.span.start == place
    assert hint is None or (diagnostic.hint is not None and hint in diagnostic.hint)


@pytest.mark.parametrize(
    ("text", "ours", "pat"),
    [
        ("a -> b && c", "a -> (b && c)", "(a -> b) && c"),
        ("a || b && c", "a || (b && c)", "(a || b) && c"),
        ("a -> b -> c", "a -> (b -> c)", "(a -> b) -> c"),
        ("a U b U c", "a U (b U c)", "(a U b) U c"),
        ("[](a || b && c)", "a || (b && c)", "(a || b) && c"),
    ],
)
def test_warns_where_pat_reads_differently(text: str, ours: str, pat: str) -> None:
    (warning,) = parse(text).warnings
    assert warning.code is Code.PRECEDENCE
    assert warning.severity is Severity.WARNING
    assert f"read as {ours};" in warning.message
    assert warning.message.endswith(f"PAT would read {pat}")


@pytest.mark.parametrize(
    "text",
    [
        "a && b && c",
        "a || b || c",
        "a && b || c -> d <-> e",
        "a <-> b <-> c",
        "a -> (b && c)",
        "a U b && c",
        "a && (b || c) && d",
    ],
)
def test_no_warning_where_both_readings_agree(text: str) -> None:
    assert parse(text).warnings == ()


def test_spans_refer_to_the_whole_file() -> None:
    text = "P = a -> P;\n#assert P |= [](alpha -> x == 1);"
    parsed = parse_ltl(Source("model.csp", text), text.index("[]"), text.rindex(";"))
    alpha, comparison = ltl.atoms(parsed.formula)
    assert alpha.span is not None and comparison.span is not None
    assert (str(alpha.span), alpha.span.text) == ("model.csp:2:17", "alpha")
    assert comparison.span.text == "x == 1"


def test_printing_and_parsing_are_inverse() -> None:
    chance = random.Random(11)
    atoms = [
        P,
        Atom("eat.0"),
        Atom("c!1", AtomKind.QUOTED),
        Atom("x[0] == 1", AtomKind.COMPARISON),
        Atom("GF"),
        Atom("Phil(0)", AtomKind.ENABLED),
        Atom('"c!1"', AtomKind.EXECUTED),
    ]
    for _ in range(2000):
        formula = random_formula(chance, atoms, chance.randint(0, 12))
        assert parse(str(formula)).formula == formula
        assert parse(ltl.parenthesised(formula)).formula == formula
        assert parse(ltl.in_letters(formula)).formula == formula
        assert not parse(ltl.parenthesised(formula)).warnings


@pytest.mark.parametrize(
    "text",
    [
        "X " * 2000 + "p",
        "!" * 4000 + "p",
        "(" * 2000 + "p" + ")" * 2000,
        "p U " * 1000 + "p",
        "p->" * 1300 + "p",
        "[](p && " * 500 + "p" + ")" * 500,
    ],
)
def test_deep_formulas(text: str) -> None:
    formula = parse(text).formula
    assert parse(str(formula)).formula == formula


def test_formulas_are_values() -> None:
    first, second = parse("[](p -> q)").formula, parse("[] ( p->q )").formula
    assert first == second
    assert hash(first) == hash(second)
    assert first != parse("[](q -> p)").formula
    assert Atom("x", AtomKind.QUOTED) != Atom("x")
    assert pickle.loads(pickle.dumps(first)) == first
    with pytest.raises(AttributeError):
        first.operand = P  # type: ignore[attr-defined]
