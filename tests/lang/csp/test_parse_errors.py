"""What the parser of CSP# says about wrong texts, and that no text makes it fall over."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.base.diagnostics import Code, Diagnostic, InputError
from fairlead.base.source import Source, Span
from fairlead.lang.csp import syntax, tables
from fairlead.lang.csp.parse import parse_assertion, parse_expression, parse_specification

MODEL = """\
//@@Demo@@
#import "PAT.Lib.List"; #include "other.csp";
#define N 3; #define neg -5; #define goal x > 0 && y == 1;
#define mul(i,j) i*j; #define reset {x = 0; y = 0}; #define far if (a>b) {a-b} else {b-a};
enum {red, green};
var x = 3; var y:{0..5} = 0; hvar h; var<HashTable> t = new HashTable(64); var w:{..3} = *;
var a = [1(2), 3..6, 7(N*2), 12..10]; var m[2][3]:{0..9} = [1..6];
channel c 3; channel d[N] 0;
P(i) = go -> P(i); b -> Q;
Q = get.i.(i+1)%N -> Skip [] [x > 0] b{x++; if (x == 1) y = 2; else {y = 3}} -> Stop();
R() = c!1.x{y = 1} -> c?[z>1]z.1 -> d[i]!x -> d[(i+1)%N]?k -> Skip;
S(i:{0..2}, j) = case { x == 1 : go -> P; y == 2 : (b -> Q); (z) : R() !b : {x=1} -> R || S default: Skip };
T = if (x == 1) { P } else if (y > 2) { Q; } else { R };
V = atomic{go -> b -> Skip}; assert(x > 1); (go, b.1) -> Skip; ifa (x>1) {P} ; ifb (y>1) {Q};
W = (||| i:{0..N-1}; j:{1,2,3} @ P(i)) \\ {go.1, i:{0..2}@b.i} interrupt tau{x=1} -> Stop;
X = ||| {3} @ P(); Y = ||| {..} @ P(); F = f(go.1) -> wf(b){x=1} -> f(x);
Z = P [*] Q <> R || S ||| T;
G = {x = 1; v.Add(3)} -> go.v.Get(2) -> Skip;
#alphabet P {go, i:{0..2}; j:{0..1}@b.i.j};
#assert P() deadlockfree; #assert P |= [](go -> <> "c!1;") && X (x || ( y )); // why
#assert P reaches goal with min(x+1); #assert P() refines <FD> Q(); #assert P refines Q;
"""


def problem(text: str) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        parse_specification(Source("model.csp", text))
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("P = a.1;", (1, 8), "expected '->' or '{' after event 'a.1', found ';'"),
        ("P = a{x = 1};", (1, 13), "expected '->' after event 'a{x = 1}', found ';'"),
        ("P = c!1;", (1, 8), "expected '->' or '{' after 'c!1', found ';'"),
        ("P = a -> ;", (1, 10), "expected a process after '->', found ';'"),
        ("P = a -> P", (1, 11), "expected ';' after 'P', found the end of the text"),
        ("P = a -> P\nQ() = b -> Q;", (2, 1), "expected ';' after 'P', found 'Q'"),
        ("P = a b -> Q;", (1, 7), "expected '->', ';', '{' or an operator such as '[]' after 'a', found 'b'"),
        ("#assert P |= []a\n#assert P deadlockfree;", (2, 1), "expected ';' after '[]a', found '#'"),
        ("P = [x > ] a -> P;", (1, 10), "expected an expression after '>', found ']'"),
        ("P = a{x = } -> P;", (1, 11), "expected an expression or '[' after '=', found '}'"),
        ("P = a{if (x) } -> P;", (1, 14), "expected a statement after ')', found '}'"),
        ("P = ||| i:{0..2} P(i);", (1, 18), "expected ';' or '@' after '}', found 'P'"),
        ("enum {a b};", (1, 9), "expected '}' or ',' after 'a', found 'b'"),
        ("P = a -> P);", (1, 11), "')' closes a bracket that was never opened"),
        ("P = /* x", (1, 5), "this comment is never closed"),
        ("#assert P |= []a /* x;", (1, 18), "this comment is never closed"),
        ("#assert P |= a |= b;", (1, 16), "expected ';' after 'a', found '|='"),
        ('#import "x', (1, 9), "this string is never closed"),
        ("P = a ' b;", (1, 7), "the character ''' has no meaning in CSP#"),
        ("P = a \x00", (1, 7), "the character U+0000 has no meaning in CSP#"),
        ("var x = 2147483648;", (1, 9), "the number 2147483648 is too large"),
        ("var x = " + "9" * 5000 + ";", (1, 9), "the number 99999999999999999... is too large"),
        ("#assert P |= ;", (1, 14), "expected a formula after '|='"),
        ("P = init -> P;", (1, 5), "'init' labels the initial state and cannot be used as a name"),
        ("var if = 3;", (1, 5), "'if' is a keyword of CSP# and cannot be used as a name"),
        ("P = e.f(x) -> P;", (1, 6), "'f(...)' cannot be an argument of an event"),
        ("#assert P refines<X> Q;", (1, 19), "'<X>' is not a kind of refinement"),
        ("P = a{x + 1 = 3} -> P;", (1, 7), "'x + 1' cannot be assigned to"),
        ("P = a{var x = *} -> P;", (1, 15), "only a variable of the model can start with '*'"),
        ("P = case { x == 1 a -> P };", (1, 19), "expected ':' or an operator after '1', found 'a'"),
    ],
)
def test_messages(text: str, place: tuple[int, int], message: str) -> None:
    found = problem(text)
    assert found.code is Code.SYNTAX and found.span is not None
    assert found.message == message
    assert (found.span.line, found.span.column) == place


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("P() := a -> P;", "CSP# writes '=' for ':='"),
        ("P() == a -> P;", "single '='"),
        ("P = Q; R() == a -> R;", "single '='"),
        ("P = if (x = 1) {P};", "to compare, write '=='"),
        ("P = if (x) P else Q;", "written in braces"),
        ("#define x = 5;", "write '#define x value;', without '='"),
        ("#defin x 5;", "did you mean 'define'?"),
        ("#assert P deadlockfre;", "did you mean 'deadlockfree'?"),
        ("P = a.x && y -> P;", "put parentheses around this argument"),
        ("P = a -> P\nQ() = b -> Q;", "every declaration ends with ';'"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert hint in (problem(text).hint or "")


@pytest.mark.parametrize(
    ("text", "noticed", "opening"),
    [
        ("P = (a -> P;", 12, 4),
        ("P = (a -> P];", 11, 4),
        ("P = (a -> P;\n#define n 1;", 13, 4),
        ("var x[3;", 8, 5),
    ],
)
def test_an_open_bracket_is_shown(text: str, noticed: int, opening: int) -> None:
    found = problem(text)
    assert found.span is not None
    assert (found.span.start, found.related[0].span.start) == (noticed, opening)


@pytest.mark.parametrize(
    ("text", "construct", "span"),
    [
        ("P = Wait[5];", "'Wait[t]'", "Wait[5]"),
        ("P = a -> Wait[1, 2]; Q;", "'Wait[t]'", "Wait[1, 2]"),
        ("P = Q timeout[3] R;", "'timeout[t]'", "timeout[3]"),
        ("P = (Q) within[3];", "'within[t]'", "within[3]"),
        ("P = Q() deadline[3];", "'deadline[t]'", "deadline[3]"),
        ("P = Q() waituntil[3];", "'waituntil[t]'", "waituntil[3]"),
        ("P = a ->> Q;", "'->>'", "->>"),
        ("P = pcase { 1 : Q 2 : R };", "'pcase'", "pcase"),
        ("P = Q interrupt[3] R;", "'interrupt[t]'", "interrupt[3]"),
        ("#define t 3; P = Q interrupt[t] R;", "'interrupt[t]'", "interrupt[t]"),
        ("#assert P reaches g with prob;", "'with prob'", "with prob"),
        ("#assert P |= []a with pmax;", "'with pmax'", "pmax"),
        ("#assert P refines<T> Q;", "'refines<T>'", "refines<T>"),
    ],
)
def test_other_modules_are_refused_by_name(text: str, construct: str, span: str) -> None:
    found = problem(text)
    assert found.code is Code.OTHER_MODULE and found.span is not None
    assert found.message.startswith(construct)
    assert found.span.text == span


@pytest.mark.parametrize(
    "text",
    [
        "P = Wait(1); Wait(t) = Skip;",
        "channel Wait[2] 1; P = Wait[1]!2 -> Skip;",
        "var Wait[2]; P = [Wait[1] > 0] within -> Skip;",
        "P = pcase{x = 1} -> Skip;",
        "P = Q interrupt [x > 0] R;",
        "var x = true; P = Q interrupt [x] R;",
    ],
)
def test_names_of_other_modules_may_be_used(text: str) -> None:
    parse_specification(Source("model.csp", text))


# ---------------------------------------------------------------- deep, long and broken texts

_DEPTH = 5000


@pytest.mark.parametrize(
    "text",
    [
        "P = " + "a -> " * 20000 + "Skip;",
        "P = " + "(" * _DEPTH + "Skip" + ")" * _DEPTH + ";",
        "P = " + "a -> Skip [] " * _DEPTH + "Skip;",
        "P = " + "if (x) {Q} else " * _DEPTH + "{Skip};",
        "P = " + "case { x : Q y : " * 1000 + "Skip" + "}" * 1000 + ";",
        "P = a" + "{" * _DEPTH + "}" * _DEPTH + " -> Skip;",
        "P = a{" + "if (x) " * _DEPTH + " y = 1} -> Skip;",
        "#define p " + "(" * _DEPTH + "1" + ")" * _DEPTH + ";",
        "#define p " + "1 + " * _DEPTH + "1;",
        "#define p " + "!" * _DEPTH + "x;",
    ],
    ids=range(10),
)
def test_depth_does_not_matter(text: str) -> None:
    parse_specification(Source("deep.csp", text))


_DEEP_MISTAKES = ["P = " + "(" * 20000, "P = " + ";" * 20000, "P = " + "a -> " * 20000 + ";"]


@pytest.mark.parametrize("text", _DEEP_MISTAKES, ids=range(3))
def test_deep_mistakes_are_reported(text: str) -> None:
    assert problem(text).code is Code.SYNTAX


def test_five_hundred_lines_take_a_blink() -> None:
    text = MODEL * (500 // MODEL.count("\n") + 1)
    parse_specification(Source("warm.csp", MODEL))
    started = time.process_time()
    parse_specification(Source("long.csp", text))
    assert time.process_time() - started < 1.0  # about 0.1 s; the rest is for a busy machine


def nodes(root: Any) -> Iterator[syntax.Node]:
    waiting = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting += item
        elif is_dataclass(item) and not isinstance(item, Span | Source):
            if isinstance(item, syntax.Node):
                yield item
            waiting += [getattr(item, field.name) for field in fields(item)]


def assert_tree_or_diagnostic(text: str) -> None:
    source = Source("fuzz.csp", text)
    for parse in (parse_specification, parse_expression, parse_assertion):
        try:
            tree = parse(source)
        except InputError as error:
            assert str(error)
            for diagnostic in error.diagnostics:
                assert diagnostic.code in (Code.SYNTAX, Code.OTHER_MODULE, Code.OTHER_LANGUAGE)
                assert diagnostic.span is not None
                assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
            continue
        for node in nodes(tree):
            assert 0 <= node.span.start <= node.span.end <= len(text)


_PIECES = [
    *"()[]{}.,;:@#!?=<>+-*/%&|^$\\\"' \n", "->", "..", "[]", "|||", "||", "if", "else", "case",
    "default", "var",
    "atomic", "Skip", "interrupt", "0", "x", "f", "tau", "init", "call", "#assert", "#define", "|=",
    "/*", "//",
    "->>", "Wait[", "pcase{", "with", "\x00", "é", "99999999999",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(300))
def test_damaged_models(seed: int) -> None:
    chance = random.Random(seed)
    start = chance.randrange(len(MODEL))
    text = MODEL[start : start + chance.randrange(40, 500)] if seed % 3 else MODEL
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        length = chance.randrange(6)
        replacement = chance.choice([chance.choice(_PIECES), text[at : at + length] * 2, ""])
        text = text[:at] + replacement + text[at + length :]
    assert_tree_or_diagnostic(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=25).map(" ".join))
def test_any_pieces(text: str) -> None:
    assert_tree_or_diagnostic(text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    assert_tree_or_diagnostic(text)


# ---------------------------------------------------------------- the stored tables


def test_tables_are_stored_and_a_damaged_copy_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = tables.load_tables.__wrapped__()
    (stored,) = (tmp_path / "fairlead").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(tables, "make_tables", lambda _: pytest.fail("the copy should have been read"))
        assert tables.load_tables.__wrapped__() == made
    good = stored.read_bytes()
    for damaged in (b"", good[:100], good[:-1] + bytes([good[-1] ^ 1])):
        stored.write_bytes(damaged)
        assert tables.load_tables.__wrapped__().starts.keys() == made.starts.keys()
        assert stored.read_bytes() != damaged


def test_tables_are_made_where_nothing_can_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fairlead").write_text("a file where the directory should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tables.load_tables.__wrapped__().rules
