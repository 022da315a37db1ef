"""Formulas of CTL and CTL*: how they are read and printed, and what is said about wrong ones."""

from __future__ import annotations

import random

import pytest

from fairlead.base.diagnostics import Code, InputError
from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    AtomKind,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from fairlead.logic.parsing.parse import ParsedFormula, parse_branching, parse_ltl
from tests.support.oracle.kripke_semantics import random_state_formula

P, Q, R = Atom("p"), Atom("q"), Atom("r")


def parse(text: str) -> ParsedFormula:
    return parse_branching(Source("formula", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG p", ForAll(Always(P))),
        ("A G p", ForAll(Always(P))),
        ("A[]p", ForAll(Always(P))),
        ("E<>p", Exists(Eventually(P))),
        ("EX !p", Exists(Next(Not(P)))),
        ("AX EF p", ForAll(Next(Exists(Eventually(P))))),
        ("A[p U q]", ForAll(Until(P, Q))),
        ("E[p U q]", Exists(Until(P, Q))),
        ("A (p U q)", ForAll(Until(P, Q))),
        ("E(p R q)", Exists(ltl.Release(P, Q))),
        ("A(p W q)", ForAll(ltl.WeakUntil(P, Q))),
        ("E[[]p && x[0]==1]", Exists(And(Always(P), Atom("x[0] == 1", AtomKind.COMPARISON)))),
        ("AG p -> q", Implies(ForAll(Always(P)), Q)),
        ("AG (p -> AF q)", ForAll(Always(Implies(P, ForAll(Eventually(Q)))))),
        ("A GF p", ForAll(Always(Eventually(P)))),
        ("A(GF p -> FG q)", ForAll(Implies(Always(Eventually(P)), Eventually(Always(Q))))),
        ("A p", ForAll(P)),
        ('"A" || E q', Or(Atom("A", AtomKind.QUOTED), Exists(Q))),
        ("A == 1", Atom("A == 1", AtomKind.COMPARISON)),
        ("A[0] == 1", Atom("A[0] == 1", AtomKind.COMPARISON)),
        ("AG E.1", ForAll(Always(Atom("E.1")))),
        ("AG GF", ForAll(Always(Atom("GF")))),
        ("EF enabled(P)", Exists(Eventually(Atom("P", AtomKind.ENABLED)))),
    ],
)
def test_operators(text: str, expected: Formula) -> None:
    assert parse(text).formula == expected


def test_quantifiers_are_names_in_ltl() -> None:
    assert parse_ltl(Source("formula", "[](A -> <>E)")).formula == Always(
        Implies(Atom("A"), Eventually(Atom("E")))
    )


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("G p", 0, "'G p' says something about a path", "AG p"),
        ("!GF p", 1, "'GF p' says", "A GF p"),
        ("p U q", 2, "'p U q' says", "A(p U q)"),
        ("p && (AG q -> X r)", 14, "'X r' says", "EX r"),
        ("AF p && AF p U q", 13, "about a path", "A binds tighter than U: write A(p U q)"),
        ("E p W q", 4, "about a path", "E binds tighter than W: write E(p W q)"),
        ("AGEF p", 5, "expected an operator", "AG EF"),
        ("AGF p", 4, "expected an operator", "AG F"),
        ("p AU q", 2, "expected an operator", "A(p U q)"),
        ("EW(p, q)", 2, "expected an operator", "E(p W q)"),
        ("A && p", 2, "expected a proposition", '"A"'),
        ("p || AF", 7, "expected a proposition", '"AF"'),
        ("A[p U q", 1, "this bracket is never closed", None),
        ("A[p U q)", 7, "or ']'", None),
        ("A(p U q]", 7, "or ')'", None),
        ("p && [q]", 5, "expected a proposition", None),
        ("", 0, "empty", None),
    ],
)
def test_errors_say_where_and_what_to_do(text: str, place: int, message: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is Code.FORMULA
    assert message in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.start == place
    assert hint is None or (diagnostic.hint is not None and hint in diagnostic.hint)


def test_warns_where_pat_reads_differently() -> None:
    (warning,) = parse("AG (p -> q && AF r)").warnings
    assert warning.code is Code.PRECEDENCE
    assert "read as p -> (q && AF r);" in warning.message


@pytest.mark.parametrize(
    "text",
    [
        "AG (p -> AF q)",
        "E(p U q) && !A(p R q)",
        "A(GF p -> GF q)",
        "A GF p || E X X p",
        "EG !(x == 1)",
        "A(p U E(q W r))",
        "A p",
        "A !p",
        "A EF p",
        "E(G p && F (q -> X r))",
        "E !(p U q)",
    ],
)
def test_printing(text: str) -> None:
    assert str(parse(text).formula) == text


def test_printing_and_parsing_are_inverse() -> None:
    chance = random.Random(5)
    atoms = [
        P,
        Atom("GF"),
        Atom("c!1", AtomKind.QUOTED),
        Atom("A[0] == 1", AtomKind.COMPARISON),
        Atom("Phil(0)", AtomKind.ENABLED),
        Atom('"c!1"', AtomKind.EXECUTED),
    ]
    for _ in range(2000):
        formula = random_state_formula(chance, atoms, chance.randint(0, 12))
        assert parse(str(formula)).formula == formula
        assert parse(ltl.parenthesised(formula)).formula == formula
        assert not parse(ltl.parenthesised(formula)).warnings


@pytest.mark.parametrize(
    "text",
    [
        "AX " * 5000 + "p",
        "A[p U " * 5000 + "p" + "]" * 5000,
        "E(G p && " * 5000 + "p" + ")" * 5000,
        "A(" * 5000 + "p" + ")" * 5000,
        "AG (p -> " * 5000 + "p" + ")" * 5000,
        "A " + "GF " * 5000 + "p",
    ],
)
def test_deep_formulas(text: str) -> None:
    formula = parse(text).formula
    assert parse(str(formula)).formula == formula


def test_walks_go_below_quantifiers() -> None:
    formula = parse("AG (p -> E(q U enabled(P)))").formula
    assert [str(atom) for atom in ltl.atoms(formula)] == ["p", "q", "enabled(P)"]
    assert len(list(ltl.subformulas(formula))) == 8
    sizes: dict[Formula, int] = {}
    assert ltl.fold(sizes, formula, lambda _, parts: 1 + sum(parts)) == 8
