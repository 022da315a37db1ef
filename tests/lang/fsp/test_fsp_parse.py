"""That the parser of FSP reads expressions, labels, processes and simple definitions as they are meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from fairlead.base.source import Source
from fairlead.lang.fsp import syntax as s
from fairlead.lang.fsp.parse import parse
from tests.support.fsp.printing import Printer, text_of
from tests.support.fsp.reading import const, label, one, process


def shown(text: str) -> str:
    """An expression with all parentheses."""

    def show(e: s.Expression) -> str:
        match e:
            case s.Binary(operator, left, right):
                return f"({show(left)}{operator}{show(right)})"
            case s.Unary(operator, operand):
                return f"({operator}{show(operand)})"
            case _:
                return text_of(Printer().expression(e))

    return show(const(text))


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2*3", "(1+(2*3))"),
        ("1-2-3", "((1-2)-3)"),
        ("8/4%3*2", "(((8/4)%3)*2)"),
        ("1<<2+3", "(1<<(2+3))"),
        ("1<2<<3", "(1<(2<<3))"),
        ("1<2==2>=1", "((1<2)==(2>=1))"),
        ("6&3==3", "(6&(3==3))"),
        ("1^2&3", "(1^(2&3))"),
        ("1|2^3", "(1|(2^3))"),
        ("1&&2|3", "(1&&(2|3))"),
        ("1||2&&3||4", "((1||(2&&3))||4)"),
        ("-1+2", "((-1)+2)"),
        ("!A&&B", "((!A)&&B)"),
        ("-(-1)", "(-(-1))"),
        ("2- -1", "(2-(-1))"),
        ("i<-1", "(i<(-1))"),
        ("+x", "(+x)"),
        ("(1<<(4))", "(1<<4)"),
        ("m=='red", "(m==' red)"),
        ("#S-1", "(# S-1)"),
        ("@(S,i+1)*2", "(@ ( S , i + 1 )*2)"),
        ("010+0x1F", "(8+31)"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_constants_and_ranges_end_where_the_next_definition_begins() -> None:
    found = parse(
        Source("m.lts", "const N = 3 ||S = P. range R = -1..N+1 P = STOP. const M = A const K = M*-1")
    )
    assert [type(definition).__name__ for definition in found] == [
        "ConstDefinition", "CompositeDefinition", "RangeDefinition", "ProcessDefinition", "ConstDefinition",
        "ConstDefinition",
    ]  # fmt: skip


# ---------------------------------------------------------------- labels


def test_parts_of_labels() -> None:
    plain = label("a.b[1].c")
    assert [type(part) for part in plain.parts] == [s.NamePart, s.NamePart, s.Index, s.NamePart]
    assert label("a[1][i:R]") == label("a.[1].[i:R]")
    one_of = label("{a,b[1..2]}.x")
    match one_of.parts[0]:
        case s.SetPart(s.SetBody((_, s.Label((s.NamePart("b"), s.Index(None, s.Interval()))))), None):
            pass
        case part:
            raise AssertionError(part)
    assert label("[3]").parts[0] == s.Index(None, s.Number(3, plain.span), plain.span)


def test_a_set_without_another() -> None:
    (part,) = label("{a,b}\\{b}").parts
    assert isinstance(part, s.SetPart)
    assert part.labels == label("{a,b}").parts[0].labels  # type: ignore[union-attr]
    assert part.without == label("{b}").parts[0].labels  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "variable", "domain"),
    [
        ("[R]", None, s.Name),
        ("[i]", None, s.Name),
        ("[i+1]", None, s.Binary),
        ("['red]", None, s.LabelValue),
        ("[{a,b}]", None, s.SetBody),
        ("[0..2]", None, s.Interval),
        ("[i:R]", "i", s.Name),
        ("[i:{a,b}]", "i", s.SetBody),
        ("[i:-1..N-1]", "i", s.Interval),
        ("[i:(0)..(2)]", "i", s.Interval),
        ("[i:R..3]", "i", s.Interval),
    ],
)
def test_indices(text: str, variable: str | None, domain: type) -> None:
    (index,) = label(text).parts
    assert isinstance(index, s.Index)
    assert (index.variable, type(index.domain)) == (variable, domain)


def test_a_declared_set_is_a_label() -> None:
    _, found = parse(Source("m.lts", "set C = {red,blue} P = (C -> x[c:C] -> C.on[1] -> C\\{red} -> Q[1])."))
    assert isinstance(found, s.ProcessDefinition)
    (branch,) = found.locals[0].body.branches  # type: ignore[union-attr]
    assert [label.span.text for label in branch.labels] == ["C", "x[c:C]", "C.on[1]", "C\\{red}"]
    assert branch.labels[0].parts[0] == s.SetPart(s.SetName("C", branch.span), None)
    assert branch.target.name == "Q"


# ---------------------------------------------------------------- processes


def test_choices_guards_and_sequences_of_actions() -> None:
    found = process("(when (i<2) a -> b -> Q[i+1][0] | when i==2 c -> (d -> STOP) | {e,f} -> P)")
    assert isinstance(found, s.Choice)
    first, second, third = found.branches
    assert (first.guard, second.guard) == (const("i<2"), const("i==2"))
    assert third.guard is None
    assert [label.span.text for label in first.labels] == ["a", "b"]
    assert first.target == s.Continue((), "Q", (const("i+1"), const("0")), first.span)
    assert isinstance(second.target, s.Choice)
    assert first.span.text == "when (i<2) a -> b"


def test_sequential_composition() -> None:
    found = process("A;B(2,'x);P[1]")
    assert isinstance(found, s.Continue)
    assert [(each.name, len(each.arguments)) for each in found.before] == [("A", 0), ("B", 2)]
    assert (found.name, len(found.indices)) == ("P", 1)
    assert found.span.text == "A;B(2,'x);P[1]"


def test_else_belongs_to_the_nearest_if() -> None:
    found = process("if a then if b then P else Q")
    assert isinstance(found, s.Conditional)
    assert found.otherwise is None
    assert isinstance(found.then, s.Conditional)
    assert found.then.otherwise is not None
    chain = process("if a then P else if b then Q else R")
    assert isinstance(chain, s.Conditional)
    assert chain.otherwise == process("if b then Q else R")


def test_what_comes_after_a_process() -> None:
    text = """property P(N=2, M='x) = Q[0], Q[i:0..N][j:R] = (a -> Q[0][j]), F@ = STOP
        + {b} / {x/a, forall[i:R] {y/b[i]}} @ S."""
    found = one(text, s.ProcessDefinition)
    assert found.modifiers == s.Modifiers(property=True)
    assert [parameter.name for parameter in found.parameters] == ["N", "M"]
    assert [(each.name, len(each.indices), each.is_accepting) for each in found.locals] == [
        ("P", 0, False), ("Q", 2, False), ("F", 0, True),
    ]  # fmt: skip
    assert isinstance(found.extension, s.SetBody)
    assert [type(each) for each in found.relabelling] == [s.Relabel, s.RelabelForall]
    assert found.hiding == s.Hiding(True, s.SetName("S", found.span))
    assert (found.span.text, found.locals[1].span.text) == ("P", "Q")


def test_relabelling_is_new_then_old() -> None:
    (relabel,) = one("P = STOP/{{x,y}/a.b}.", s.ProcessDefinition).relabelling
    assert (relabel.new.span.text, relabel.old.span.text) == ("{x,y}", "a.b")


def test_a_process_may_be_accepting() -> None:
    assert one("P@ = (a -> P).", s.ProcessDefinition).locals[0].is_accepting
    assert one("P(N=1)@ = (a -> P).", s.ProcessDefinition).locals[0].is_accepting


def test_the_index_of_a_local_process_may_be_a_label() -> None:
    found = one("P = Q['red], Q.red = (a -> P), R[1].{x,y} = STOP.", s.ProcessDefinition)
    assert found.locals[1].indices == one("P = P, Q['red] = STOP.", s.ProcessDefinition).locals[1].indices
    assert found.locals[2].indices == one("P = P, R[1][{x,y}] = STOP.", s.ProcessDefinition).locals[1].indices


def test_hiding_after_a_choice_is_no_difference_of_sets() -> None:
    found = one("P = ({a,b}\\{b} -> P)\\{x}.", s.ProcessDefinition)
    assert found.hiding is not None
    assert not found.hiding.exposes


@pytest.mark.parametrize(
    ("text", "modifiers"),
    [
        ("deterministic", s.Modifiers(deterministic=True)),
        ("minimal", s.Modifiers(minimal=True)),
        ("compose", s.Modifiers(compose=True)),
        ("property", s.Modifiers(property=True)),
        ("deterministic minimal compose property", s.Modifiers(True, True, True, True)),
    ],
)
def test_modifiers(text: str, modifiers: s.Modifiers) -> None:
    assert one(f"{text} P = STOP.", s.ProcessDefinition).modifiers == modifiers
    assert one(f"{text} ||P = Q.", s.CompositeDefinition).modifiers == modifiers


# ---------------------------------------------------------------- other definitions


def test_sets_progress_fluents_menus_and_imports() -> None:
    assert len(one("set S = {a, {b,c}.d, [0..2]}", s.SetDefinition).body.labels) == 3
    progress = one("progress G[i:1..2] = if {a[i]} then {b}", s.ProgressDefinition)
    assert (progress.condition.span.text, progress.actions.span.text) == ("{a[i]}", "{b}")
    assert len(progress.indices) == 1
    assert one("progress G = a", s.ProgressDefinition).condition is None
    fluent = one("fluent F[i:R] = <{on[i],go}, off[i]> initially N-1", s.FluentDefinition)
    assert (fluent.initiating.span.text, fluent.terminating.span.text) == ("{on[i],go}", "off[i]")
    assert fluent.initially == const("N-1")
    assert one("fluent F=<a,b>", s.FluentDefinition).initially is None
    assert one("menu RUN = {a,b}", s.MenuDefinition).actions.span.text == "{a,b}"
    assert one('import P = "dir/p.aut"', s.ImportDefinition).file == "dir/p.aut"


def test_animations_are_read_and_forgotten() -> None:
    text = """animation A = "a.xml" target S compose { P / {a/b} || Q } actions {x/a} controls {b/y}
    animation B = "b.xml" compose P = STOP."""
    first, second, third = parse(Source("m.lts", text))
    assert isinstance(first, s.AnimationDefinition)
    assert isinstance(second, s.AnimationDefinition)
    assert isinstance(third, s.ProcessDefinition)
    assert third.modifiers.compose


def test_nothing() -> None:
    assert parse(Source("m.lts", " // nothing \n")) == ()


def test_many_definitions_of_one_name_are_read() -> None:
    assert len(parse(Source("m.lts", "P = STOP. P = STOP. const P = 1 const P = 2 ||P = P."))) == 5


# ---------------------------------------------------------------- places

PLACES = """set S = {a, b}
P(N = (1 + 2) * 3) = (when ((i) < #S.{x}) a[i:(0)..N].S\\{b} -> Q[-(N) + 1]),
Q[j:{a,b}] = (a['red] -> END) / {z[@(S, (1))]/a}.
"""


def nodes(tree: object) -> Iterator[Any]:
    if isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item)
    elif is_dataclass(tree):
        yield tree
        for each in fields(tree):
            if each.name != "span":
                yield from nodes(getattr(tree, each.name))


def test_every_place_is_the_text_of_its_node() -> None:
    tree = parse(Source("m.lts", PLACES))
    seen = 0
    for node in nodes(tree):
        if isinstance(node, s.Label):
            _, again = parse(Source("again", f"set S = {{a}} progress P = {node.span.text}"))
            assert again.actions == node  # type: ignore[union-attr]
        elif isinstance(node, s.Expression):
            _, again = parse(Source("again", f"set S = {{a}} const N = ({node.span.text})"))
            assert again.value == node  # type: ignore[union-attr]
        elif isinstance(node, s.SetBody):
            assert (node.span.text[0], node.span.text[-1]) == ("{", "}")
        else:
            continue
        seen += 1
    assert seen > 30
