"""The parser of CSP#: every construct, precedence, what looks alike, errors, deep and broken texts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from fairlead.base.source import Source
from fairlead.lang.csp import syntax
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


def specification(text: str) -> syntax.Specification:
    return parse_specification(Source("model.csp", text))


def declaration(text: str) -> Any:
    (only,) = specification(text).declarations
    return only


def process(text: str) -> str:
    return sketch(declaration(f"P = {text};").body)


def expression(text: str) -> str:
    return sketch(parse_expression(Source("expression", text)))


def sketch(node: Any) -> str:
    """A tree as text with all its brackets; what is not named here looks like `Node(field, field)`."""
    match node:
        case syntax.Name(name=name):
            return name
        case syntax.Integer(value=value) | syntax.Boolean(value=value):
            return str(value).lower()
        case syntax.Binary():
            return f"({sketch(node.left)} {node.operator} {sketch(node.right)})"
        case syntax.Assignment():
            return f"({sketch(node.target)} = {sketch(node.value)})"
        case syntax.Unary():
            return f"({node.operator}{sketch(node.operand)})"
        case syntax.Call():
            return f"{node.process}({', '.join(map(sketch, node.arguments))})"
        case syntax.Event():
            text = ".".join([node.name, *map(sketch, node.arguments)])
            return f"{node.annotation.value}({text})" if node.annotation else text
        case syntax.Prefix():
            program = sketch(node.program) if node.program else ""
            return f"({sketch(node.event)}{program} -> {sketch(node.next)})"
        case syntax.Choice(branches=parts) | syntax.Parallel(components=parts):
            return "(" + f" {node.kind.value} ".join(map(sketch, parts)) + ")"
        case syntax.Sequence(parts=parts):
            return "(" + "; ".join(map(sketch, parts)) + ")"
        case syntax.Guarded():
            return f"([{sketch(node.condition)}] {sketch(node.process)})"
        case syntax.Block():
            return "{" + " ".join(f"{sketch(part)};" for part in node.statements) + "}"
        case syntax.ExpressionStatement():
            return sketch(node.expression)
        case syntax.Skip() | syntax.Stop():
            return type(node).__name__
        case tuple():
            return f"[{', '.join(map(sketch, node))}]"
        case Enum():
            return str(node.value)
    if is_dataclass(node):
        shown = [sketch(getattr(node, f.name)) for f in fields(node) if f.repr]
        return f"{type(node).__name__}({', '.join(shown)})"
    return str(node)


# ---------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#import "PAT.Lib.List";', "Import(PAT.Lib.List)"),
        ('# include "a.csp";', "Include(a.csp)"),
        ("#define n -5;", "Define(n, None, (-5))"),
        ("#define p (x > 0);", "Define(p, None, (x > 0))"),
        ("#define p (a) && (b);", "Define(p, None, (a && b))"),
        ("#define p (a);", "Define(p, None, a)"),
        ("#define f(i,j) i*j;", "Define(f, [i, j], (i * j))"),
        ("#define f (i) (i);", "Define(f, [i], i)"),
        ("#define f() 1;", "Define(f, [], 1)"),
        ("#define f(i) -i;", "Define(f, [i], (-i))"),
        ("#define p (i) -i;", "Define(p, None, (i - i))"),
        (
            "#define f(i) && j:{0..1}@j;",
            "Define(f, [i], IndexedExpression(&&, [IndexRange(j, [Interval(0, 1)])], j))",
        ),
        ("#define r {x = 0; y = 0};", "Define(r, None, {(x = 0); (y = 0);})"),
        ("#define r(i) {x = i;};", "Define(r, [i], {(x = i);})"),
        ("#define d if (a>b) {a} else {b};", "Define(d, None, ConditionalExpression((a > b), a, b))"),
        ("#define n #Reading();", "Define(n, None, ProcessCount(Reading, []))"),
        ("enum {a, b};", "EnumDeclaration([a, b])"),
        ("var x;", "VariableDeclaration(x, var, None, [], None, None)"),
        ("hvar x:{0..} = *;", "VariableDeclaration(x, hvar, None, [], ValueRange(0, None), Wild())"),
        ("counter n:{0..N} = 0;", "VariableDeclaration(n, counter, None, [], ValueRange(0, N), 0)"),
        ("var<T> v = new T(1);", "VariableDeclaration(v, var, T, [], None, NewObject(T, [1]))"),
        (
            "var a[2][n] = [1(2), 3..6, -7];",
            "VariableDeclaration(a, var, None, [2, n], None, Record([Repeat(1, 2), Interval(3, 6), (-7)]))",
        ),
        ("channel c 3;", "ChannelDeclaration(c, None, 3)"),
        ("channel c[N] 0;", "ChannelDeclaration(c, N, 0)"),
        (
            "P(i, j:{0..2}) = Skip;",
            "ProcessDefinition(P, [Parameter(i, None), Parameter(j, ValueRange(0, 2))], Skip)",
        ),
        (
            "#alphabet P {a, i:{0..2}; j:{1,2} @ b.i};",
            "AlphabetDeclaration(P, [a, IndexedEvent([IndexRange(i, [Interval(0, 2)]), "
            "IndexRange(j, [1, 2])], b.i)])",
        ),
        ("#assert P deadlockfree;", "AssertDeclaration(SimpleProperty(P(), deadlockfree))"),
        ("#assert P(1) nonterminating;", "AssertDeclaration(SimpleProperty(P(1), nonterminating))"),
        ("#assert P divergencefree;", "AssertDeclaration(SimpleProperty(P(), divergencefree))"),
        ("#assert P deterministic;", "AssertDeclaration(SimpleProperty(P(), deterministic))"),
        ("#assert P reaches g;", "AssertDeclaration(Reaches(P(), g, None, None))"),
        ("#assert P reaches x > 1 with max(y);", "AssertDeclaration(Reaches(P(), (x > 1), max, y))"),
        ("#assert P refines Q();", "AssertDeclaration(Refines(P(), , Q()))"),
        ("#assert P refines <FD> Q;", "AssertDeclaration(Refines(P(), FD, Q()))"),
    ],
)
def test_declarations(text: str, expected: str) -> None:
    assert sketch(declaration(text)) == expected


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("#assert P |=  []<> a ;", "[]<> a"),
        ('#assert P() |= [] "c!1;" ; Q = Skip;', '[] "c!1;"'),
        ("#assert P |= a /* ; */ U b // ;\n;", "a /* ; */ U b"),
        ("#assert P |= (a; b);", "(a; b)"),
        ("#assert P |= (a; Q = Skip;", "(a"),
    ],
)
def test_formula_is_a_part_of_the_text(text: str, formula: str) -> None:
    found: Any = specification(text).declarations[0]
    assert found.property.formula.text == formula


def test_lone_assertions() -> None:
    assert (
        sketch(parse_assertion(Source("a", "System deadlockfree")))
        == "SimpleProperty(System(), deadlockfree)"
    )
    assert sketch(parse_assertion(Source("a", "P() reaches x[0] == 1;"))).startswith(
        "Reaches(P(), (Subscript(x"
    )
    satisfies: Any = parse_assertion(Source("a", "P() |= []<> a"))
    assert satisfies.formula.text == "[]<> a"


def test_marks_of_other_editors() -> None:
    with_marks = "\ufeff" + MODEL.replace("\n", "\r\n")
    with_them, without = specification(with_marks).declarations, specification(MODEL).declarations
    assert with_them[:-5] == without[:-5]  # the assertions hold spans, which do differ
    assert len(with_them) == len(without)
    assert specification("").declarations == ()


# ---------------------------------------------------------------- processes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Skip() [] Stop() [] Q", "(Skip [] Stop [] Q())"),
        ("(a -> Q [] R) [] S", "(((a -> Q()) [] R()) [] S())"),
        ("a -> Q; b -> R; S", "((a -> Q()); (b -> R()); S())"),
        ("[c] a -> Q [] b -> R", "(([c] (a -> Q())) [] (b -> R()))"),
        ("Q ||| R || S [] T <> U [*] V", "(Q() ||| (R() || (S() [] (T() <> (U() [*] V())))))"),
        ("Q [*] R <> S [] T || U ||| V", "(((((Q() [*] R()) <> S()) [] T()) || U()) ||| V())"),
        ("Q interrupt R; S \\ {a}", "Interrupt([Q(), Hiding((R(); S()), [a])])"),
        ("Q interrupt R interrupt S [] T", "(Interrupt([Q(), R(), S()]) [] T())"),
        ("get.i.(i+1)%N -> Q", "(get.i.((i + 1) % N) -> Q())"),
        ("e.x+1.y -> Q", "(e.(x + 1).y -> Q())"),
        ("tau{x = 1} -> {y--} -> Q", "(tau{(x = 1);} -> (tau{(y = (y - 1));} -> Q()))"),
        ("(a, b.1) -> Q", "CompoundPrefix([a, b.1], Q())"),
        ("e.(i) -> (a) -> Q", "(e.i -> (a -> Q()))"),
        ("c!1.x -> c[i]?[b](x).2{y = 1} -> Q", "Output(Channel(c, None), [1, x], None, "
         "Input(Channel(c, i), b, [x, 2], {(y = 1);}, Q()))"),
        ("f(a.1) -> sf(b){x = 1} -> f(x); wl(c)", "((f(a.1) -> (sf(b){(x = 1);} -> f(x))); wl(c))"),
        ("if (c) {Q;} else if (d) {R} else {S; T;}",
         "Conditional(if, c, Q(), Conditional(if, d, R(), (S(); T())))"),
        ("ifa (c) {Q}; ifb (c) {Q}", "(Conditional(ifa, c, Q(), None); Conditional(ifb, c, Q(), None))"),
        ("atomic{a -> Q}; assert(x > 1)", "(Atomic((a -> Q())); AssertProcess((x > 1)))"),
        ("||| {3} @ Q; R", "Replication(3, (Q(); R()))"),
        ("||| {..} @ Q", "Replication(None, Q())"),
        ("Q ||| {x = 1} -> R", "(Q() ||| (tau{(x = 1);} -> R()))"),
        ("[] i:{0..2} @ Q(i) [] R", "IndexedChoice([], [IndexRange(i, [Interval(0, 2)])], (Q(i) [] R()))"),
        ("Q; || i:{1,2}; j:{0..n} @ R ||| S", "(Q(); IndexedParallel(||, [IndexRange(i, [1, 2]), "
         "IndexRange(j, [Interval(0, n)])], (R() ||| S())))"),
        ("go.v.Get(2).1 -> Q", "(go.MethodCall(v, Get, [2]).1 -> Q())"),
        ("a -> [b] c -> Q", "(a -> ([b] (c -> Q())))"),
    ],
)  # fmt: skip
def test_processes(text: str, expected: str) -> None:
    assert process(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x == 1 : a -> Q y == 2 : R", "[CaseBranch((x == 1), (a -> Q())), CaseBranch((y == 2), R())], None"),
        ("x : Q; y : R; default : S;", "[CaseBranch(x, Q()), CaseBranch(y, R())], S()"),
        ("x : Q; R; y : S", "[CaseBranch(x, (Q(); R())), CaseBranch(y, S())], None"),
        ("x : Q (y) : R(1) !z : S", "[CaseBranch(x, Q()), CaseBranch(y, R(1)), CaseBranch((!z), S())], None"),
        ("x : a -> Q -1 < y : S", "[CaseBranch(x, (a -> Q())), CaseBranch(((-1) < y), S())], None"),
        ("x : {y = 1} -> Q y : {z = 1} -> R", "[CaseBranch(x, (tau{(y = 1);} -> Q())), "
         "CaseBranch(y, (tau{(z = 1);} -> R()))], None"),
        ("x : Skip a[i] + v.Size() > call(f, 1) : R", "[CaseBranch(x, Skip), CaseBranch(((Subscript(a, [i])"
         " + MethodCall(v, Size, [])) > Invocation(f, [1])), R())], None"),
        ("x : Q && i:{0..1}@(y) : R", "[CaseBranch(x, Q()), CaseBranch(IndexedExpression(&&, "
         "[IndexRange(i, [Interval(0, 1)])], y), R())], None"),
        ("x : ||| i:{0..1} @ Q(i) y : R", "[CaseBranch(x, IndexedParallel(|||, "
         "[IndexRange(i, [Interval(0, 1)])], Q(i))), CaseBranch(y, R())], None"),
        ("x : case { y : Q z : R } w : S",
         "[CaseBranch(x, Case([CaseBranch(y, Q()), CaseBranch(z, R())], None)),"
         " CaseBranch(w, S())], None"),
    ],
)  # fmt: skip
def test_branches_of_a_case(text: str, expected: str) -> None:
    assert process(f"case {{ {text} }}") == f"Case({expected})"


def test_a_semicolon_ends_a_definition_or_composes() -> None:
    model = specification(
        "P = Q; R; S(1); P2 = Q; R(x) = Skip; var x; T = a{x = 1; y = 2} -> Q; #define n 1;"
    )
    assert [sketch(d.body) for d in model.declarations if isinstance(d, syntax.ProcessDefinition)] == [
        "(Q(); R(); S(1))", "Q()", "Skip", "(a{(x = 1); (y = 2);} -> Q())",
    ]  # fmt: skip


def test_words_of_assertions_are_names_elsewhere() -> None:
    text = "var min; var define; with = reaches -> e.min -> Wait(1); Wait(t) = a{x = call(max, 1)} -> R;"
    assert len(specification(text).declarations) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1; y++; a[i]--;", "{(x = 1); (y = (y + 1)); (Subscript(a, [i]) = (Subscript(a, [i]) - 1));}"),
        ("x = y = 2", "{(x = (y = 2));}"),
        ("var z; var b[3] = [1, 2..3]; {z = 1}", "{LocalVariable(z, [], None); "
         "LocalVariable(b, [3], Record([1, Interval(2, 3)])); {(z = 1);};}"),
        ("if (c) if (d) x = 1; else x = 2", "{IfStatement(c, IfStatement(d, (x = 1), (x = 2)), None);}"),
        ("while (c) {reset; call(f, 1);}", "{WhileStatement(c, {reset; Invocation(f, [1]);});}"),
        (";; v.Add(1);", "{MethodCall(v, Add, [1]);}"),
        ("x = v$Size", "{(x = FieldAccess(v, Size));}"),
        ("", "{}"),
    ],
)  # fmt: skip
def test_programs(text: str, expected: str) -> None:
    assert process(f"a{{{text}}} -> Skip") == f"(a{expected} -> Skip)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a || b && c xor d & e == f < g + h * -i",
         "(a || (b && (c xor (d & (e == (f < (g + (h * (-i)))))))))"),
        ("-i * h + g < f == e & d xor c && b || a",
         "(((((((((-i) * h) + g) < f) == e) & d) xor c) && b) || a)"),
        ("a | b & c ^ d", "(((a | b) & c) ^ d)"),
        ("a - b - c % d / e", "((a - b) - ((c % d) / e))"),
        ("!a == b", "((!a) == b)"),
        ("a != b >= c <= d > 1", "(a != (((b >= c) <= d) > 1))"),
        ("|| i:{0..1}; j:{2} @ a && b || c", "IndexedExpression(||, [IndexRange(i, [Interval(0, 1)]), "
         "IndexRange(j, [2])], ((a && b) || c))"),
        ("#P(1) + 007", "(ProcessCount(P, [1]) + 7)"),
        ("m[i][j+1]", "Subscript(m, [i, (j + 1)])"),
        ("call(cfull, c[1])", "Invocation(cfull, [Subscript(c, [1])])"),
        ("(true)", "true"),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: str) -> None:
    assert expression(text) == expected


def test_spans_cover_the_exact_text() -> None:
    found: Any = declaration("P = (a -> Q) [] b.(x+1)*2 -> R;")
    assert found.name_span.text == "P"
    assert found.body.span.text == "(a -> Q) [] b.(x+1)*2 -> R"
    assert found.body.branches[0].span.text == "a -> Q"
    assert found.body.branches[1].event.span.text == "b.(x+1)*2"
    assert found.body.branches[1].event.arguments[0].span.text == "(x+1)*2"
    assert declaration("#assert P  reaches g ;").span.text == "P  reaches g"
