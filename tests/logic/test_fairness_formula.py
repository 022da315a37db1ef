"""Fairness formulas: how they are read, what is said about wrong ones, and which conditions they are."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fairlead.base.diagnostics import Code, InputError
from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.fairness.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AlmostAlways,
    Condition,
    InfinitelyOften,
    OneOf,
    conjunction,
    disjunction,
    fold_condition,
)
from fairlead.logic.fairness.formula import IMPARTIAL, Conjunct, FairnessFormula
from fairlead.logic.fairness.syntax import parse_fairness_formula
from fairlead.logic.ltl import Atom, AtomKind, Formula, Not
from fairlead.model.assertion import Enabled, EventAtom, ProcessAtom
from tests.support.oracle.lasso_semantics import holds, random_word

A, B, C = Atom("a"), Atom("b"), Atom("c")
ENABLED, EXECUTED = AtomKind.ENABLED, AtomKind.EXECUTED


def parse(text: str) -> FairnessFormula:
    return parse_fairness_formula(Source("fair", text))


def condition_of(text: str) -> Condition:
    found = parse(text).conjuncts((), ())
    return conjunction(conjunct.condition for conjunct in found)


def predicates(condition: Condition) -> tuple[Formula, ...]:
    """The distinct predicates of a condition, left to right."""
    found: dict[Formula, None] = {}
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, AllOf | OneOf):
            stack += reversed(node.parts)
        else:
            found.setdefault(node.predicate)
    return tuple(found)


def holds_on_loop(condition: Condition, truth: Callable[[Formula, int], bool], length: int) -> bool:
    """Whether a loop, repeated forever, satisfies it; `truth` is that of predicates in its places."""

    def at_some_or_all(leaf: InfinitelyOften | AlmostAlways) -> bool:
        at = (truth(leaf.predicate, place) for place in range(length))
        return any(at) if isinstance(leaf, InfinitelyOften) else all(at)

    def combined(node: AllOf | OneOf, parts: list[bool]) -> bool:
        return all(parts) if isinstance(node, AllOf) else any(parts)

    return fold_condition(condition, at_some_or_all, combined)


def conjuncts(text: str, processes: tuple[str, ...] = ("P", "Q(1)"), events: tuple[str, ...] = ("a", "P")):
    return parse(text).conjuncts(processes, events)


def texts(found: tuple[Conjunct, ...]) -> list[str]:
    return [conjunct.text for conjunct in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GF a", InfinitelyOften(A)),
        ("G F a", InfinitelyOften(A)),
        ("[]<>a", InfinitelyOften(A)),
        ("F∞ a", InfinitelyOften(A)),
        ("Finf a", InfinitelyOften(A)),
        ("FG a", AlmostAlways(A)),
        ("<>[]a", AlmostAlways(A)),
        ("G∞ a", AlmostAlways(A)),
        ("Ginf a", AlmostAlways(A)),
        ("F G F a", InfinitelyOften(A)),
        ("G F G a", AlmostAlways(A)),
        ("F F G G a", AlmostAlways(A)),
        ("GF FG a", AlmostAlways(A)),
        ("!GF a", AlmostAlways(Not(A))),
        ("!FG !a", InfinitelyOften(A)),
        ("GF a -> GF b", OneOf((AlmostAlways(Not(A)), InfinitelyOften(B)))),
        ("GF a && FG b", AllOf((InfinitelyOften(A), AlmostAlways(B)))),
        ("GF (GF a && FG b)", AllOf((InfinitelyOften(A), AlmostAlways(B)))),
        ("GF (a -> b)", InfinitelyOften(ltl.Or(Not(A), B))),
        ("FG !(a && !b)", AlmostAlways(ltl.Or(Not(A), B))),
        ("GF (a && true)", InfinitelyOften(A)),
        ("GF (a || true) && GF b", InfinitelyOften(B)),
        ("true", ALWAYS),
        ("!true", NEVER),
        ("false || GF a", InfinitelyOften(A)),
        ("!false -> FG (a && false)", NEVER),
        ("(true <-> GF a) && (false || !false)", InfinitelyOften(A)),
        ("GF GF", InfinitelyOften(Atom("GF"))),
        ("GF weak && GF all", AllOf((InfinitelyOften(Atom("weak")), InfinitelyOften(Atom("all"))))),
        ('GF "impartial"', InfinitelyOften(Atom("impartial", AtomKind.QUOTED))),
        ("GF impartial.1", InfinitelyOften(Atom("impartial.1"))),
    ],
)
def test_conditions(text: str, expected: Condition) -> None:
    assert condition_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("weak(P1)", "FG enabled(P1) -> GF executed(P1)"),
        ("strong( Phil( 0 ) )", "GF enabled(Phil(0)) -> GF executed(Phil(0))"),
        ("impartial", "all processes p: GF executed(p)"),
        ("impartial || GF a", "(all process x1: GF executed(x1)) || GF a"),
    ],
)
def test_macros(text: str, expected: str) -> None:
    names = ("P", "Q(1)"), ("a",)
    found, wanted = parse(text).conjuncts(*names), parse(expected).conjuncts(*names)
    assert [(part.condition, part.meanings) for part in found] == [
        (part.condition, part.meanings) for part in wanted
    ]


def test_conjuncts_have_the_texts_that_a_user_would_write() -> None:
    assert texts(conjuncts("GF request && (FG !crash || GF repair)")) == [
        "GF request",
        "FG !crash || GF repair",
    ]
    assert texts(conjuncts("(GF enabled(x) -> GF executed(x)) && weak(y)")) == ["strong(x)", "weak(y)"]
    assert texts(conjuncts("all processes p: strong(p)")) == ["strong(P)", "strong(Q(1))"]
    assert texts(conjuncts("impartial")) == ["GF executed(P)", "GF executed(Q(1))"]
    assert texts(conjuncts("some event e: GF e")) == ["some event e: GF e"]
    assert texts(conjuncts("GF x && GF x && true")) == ["GF x"]


def test_expansion_says_what_its_atoms_mean() -> None:
    process, event = ProcessAtom(frozenset({"P"})), EventAtom.of("P")
    (found,) = conjuncts("all processes p: some event e: GF (executed(p) && e && enabled(e))", ("P",), ("P",))
    assert isinstance(found.condition, InfinitelyOften)
    assert list(found.meanings.values()) == [process, event, Enabled(event)]
    assert set(found.meanings) == set(ltl.atoms(found.condition.predicate))
    assert found.text == "some event e: GF (executed(P) && e && enabled(e))"


def test_variables_reach_to_the_end_or_the_parenthesis() -> None:
    assert texts(conjuncts("all processes p: GF executed(p) && GF x")) == [
        "GF executed(P)",
        "GF x",
        "GF executed(Q(1))",
    ]
    assert texts(conjuncts("(all processes p: GF executed(p)) && GF enabled(p)")) == [
        "GF executed(P)",
        "GF executed(Q(1))",
        "GF enabled(p)",
    ]
    assert texts(conjuncts("!some events e: FG e")) == ["!(some event e: FG e)"]


def test_inner_variables_hide_outer_ones() -> None:
    found = conjuncts("all processes p: some event p: GF executed(p)", ("P",), ("a",))
    assert [list(part.meanings.values()) for part in found] == [[EventAtom.of("a")]]
    # the name of a process may be that of a variable
    found = conjuncts("all processes p: some process q: GF (executed(p) && !executed(q))", ("q",), ())
    assert found[0].condition == InfinitelyOften(
        ltl.And(Atom("process q", EXECUTED), Not(Atom("process q", EXECUTED)))
    )


def test_a_system_without_processes() -> None:
    assert parse("impartial").conjuncts((), ()) == ()
    (never,) = parse("some process p: GF executed(p)").conjuncts((), ())
    assert never.condition == NEVER


def test_free_atoms() -> None:
    formula = parse("GF x && all events e: (GF e -> strong(e)) && GF enabled(y) && FG x")
    assert formula.atoms == (Atom("x"), Atom("y", ENABLED))
    assert not formula.is_closed
    assert parse("weak(P) && GF x").is_closed
    assert not IMPARTIAL.is_closed
    assert IMPARTIAL.atoms == ()


def test_the_text_is_what_was_written() -> None:
    text = "model: GF a ;"
    formula = parse_fairness_formula(Source("file", text), 6, text.index(";"))
    assert formula.text == "GF a"
    assert formula.atoms[0].span is not None
    assert formula.atoms[0].span.start == text.index("a ;")


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("G p", 0, "'G p' is not a condition of fairness", "GF p"),
        ("GF p && F p", 8, "'F p' is not a condition", "GF p"),
        ("GF p && q", 8, "'q' is not a condition", "GF p"),
        ("p -> GF q", 0, "'p' is not a condition", "GF p"),
        ("p && q", 2, "'p && q' is not a condition", "GF p"),
        ("GF", 0, "'GF' is not a condition", "GF p"),
        ("GF X p", 3, "'X p' is not a condition", None),
        ("GF (p U q)", 6, "'p U q' is not a condition", None),
        ("GF (p && F q)", 9, "'F q' cannot be joined", "propositions"),
        ("G (p -> F q)", 8, "'F q' cannot be joined", "propositions"),
        ("GF (p || GF q)", 9, "'GF q' cannot be joined", "propositions"),
        ("GF (p || weak(q))", 9, "cannot be joined", "propositions"),
        ("all processes p: GF p", 20, "'p' stands for a process", "executed(p)"),
        ("all processes: GF p", 13, "expected a name for the process", None),
        ("all events G: GF p", 11, "expected a name for the event", None),
        ("all processes p GF p", 16, "expected ':'", None),
        ("all processes p:", 16, "expected a proposition", None),
        ("GF p)", 4, "expected an operator", "never opened"),
        ("(all processes p: GF executed(p)", 0, "never closed", None),
        ("weak()", 0, "no process or event", "weak(P)"),
        ("AG p", 3, "expected an operator", "operator of CTL"),
        ("GF p => GF q", 5, "not an operator", "->"),
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


def random_predicate(chance: random.Random, size: int) -> Formula:
    if size <= 0:
        return chance.choice((A, B, C, A, B, C, ltl.TRUE, ltl.FALSE))
    if chance.random() < 0.3:
        return Not(random_predicate(chance, size - 1))
    operator = chance.choice((ltl.And, ltl.Or, ltl.Implies, ltl.Iff))
    return operator(random_predicate(chance, size // 2), random_predicate(chance, size - 1 - size // 2))


def random_fairness(chance: random.Random, size: int) -> Formula:
    if size <= 0:
        formula: Formula = random_predicate(chance, chance.randint(0, 3))
        formula = chance.choice((ltl.Always(ltl.Eventually(formula)), ltl.Eventually(ltl.Always(formula))))
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            formula = chance.choice((ltl.Always, ltl.Eventually))(formula)
        return chance.choice((formula, formula, formula, formula, formula, ltl.TRUE))
    if chance.random() < 0.3:
        operand = random_fairness(chance, size - 1)
        # G and F before a constant are no condition of fairness
        return chance.choice((Not, ltl.Always) if ltl.atoms(operand) else (Not,))(operand)
    operator = chance.choice((ltl.And, ltl.Or, ltl.Implies, ltl.Iff))
    return operator(random_fairness(chance, size // 2), random_fairness(chance, size - 1 - size // 2))


def test_conditions_mean_the_same_on_random_lassos() -> None:
    chance = random.Random(3)
    answers = {True: 0, False: 0}
    for _ in range(1500):
        formula = random_fairness(chance, chance.randint(0, 6))
        condition = condition_of(chance.choice((str, ltl.in_letters))(formula))
        for _ in range(4):
            stem, loop = random_word(chance, 3)
            expected = holds(formula, (A, B, C), stem, loop)
            found = holds_on_loop(
                condition,
                lambda predicate, place, loop=loop: holds(predicate, (A, B, C), (), loop[place:]),
                len(loop),
            )
            assert found == expected, (formula, condition, stem, loop)
            answers[expected] += 1
    assert min(answers.values()) > 1000


def test_conditions_joined() -> None:
    one, two, three = InfinitelyOften(A), AlmostAlways(B), InfinitelyOften(C)
    assert conjunction(()) == ALWAYS
    assert disjunction(()) == NEVER
    assert conjunction((one,)) == one
    assert conjunction((AllOf((one, two)), three)) == AllOf((one, two, three))
    assert conjunction((one, NEVER)) == NEVER
    assert disjunction((one, OneOf((two, three)), NEVER)) == OneOf((one, two, three))
    assert disjunction((one, ALWAYS)) == ALWAYS
    assert predicates(AllOf((one, OneOf((two, InfinitelyOften(A)))))) == (A, B)


@pytest.mark.parametrize(
    "text",
    [
        "!" * 5000 + "GF a",
        "G F " * 5000 + "a",
        "(GF a && (FG b || " * 2000 + "GF c" + "))" * 2000,
        "GF a -> " * 5000 + "GF b",
        "GF (" + "a || " * 5000 + "b)",
        "some process p: " * 2000 + "GF executed(p)",
    ],
)
def test_deep_formulas(text: str) -> None:
    found = parse(text).conjuncts(("P",), ("e",))
    judged = [holds_on_loop(part.condition, lambda _, place: True, 1) for part in found]
    assert judged == [True] * len(found)
    assert judged


def test_many_processes() -> None:
    names = [f"P({number})" for number in range(5000)]
    found = parse("(all processes p: strong(p)) && some process p: FG !executed(p)").conjuncts(names, ())
    assert len(found) == 5001
    assert len(predicates(found[-1].condition)) == 5000
