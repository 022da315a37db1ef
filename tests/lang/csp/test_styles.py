"""Ways of writing CSP# that are met in models by many authors; what is said of texts that are no CSP#."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import Code, Diagnostic, InputError
from fairlead.base.source import Source
from fairlead.lang.csp import syntax
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.walk import postorder


def declarations(text: str) -> tuple[syntax.Declaration, ...]:
    return parse_specification(Source("model.csp", text)).declarations


def body(text: str) -> syntax.Process:
    (definition,) = declarations(f"P = {text};")
    assert isinstance(definition, syntax.ProcessDefinition)
    return definition.body


def problem(text: str) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        parse_specification(Source("model.csp", text))
    return caught.value.diagnostics[0]


# ---------------------------------------------------------------- arrays written out


def test_an_array_can_be_an_argument() -> None:
    call = body("pay(3, [a, 0(2), 5..7], x)")
    assert isinstance(call, syntax.Call)
    record = call.arguments[1]
    assert isinstance(record, syntax.Record)
    first, repeat, interval = record.elements
    assert isinstance(first, syntax.Name)
    assert isinstance(repeat, syntax.Repeat) and isinstance(interval, syntax.Interval)
    assert record.span.text == "[a, 0(2), 5..7]"


@pytest.mark.parametrize(
    "text",
    [
        "#define m call(largest, [1, 3, 5]);",
        "var<List> l = new List([1, 2]);",
        "P = a{l.AddAll([1, 2]);} -> Skip;",
        "P = a{x = [1, 2]; y = z = [3(4)];} -> Skip;",
        "P = c![1, 2].3 -> Skip;",
    ],
)
def test_an_array_can_be_passed_sent_and_assigned(text: str) -> None:
    declarations(text)


@pytest.mark.parametrize(
    "text",
    ["P = [[1, 2] == a] b -> Skip;", "var x = 1 + [2];", "P = c?[1, 2] -> Skip;", "P = e.[1] -> Skip;"],
)
def test_an_array_written_out_is_no_operand(text: str) -> None:
    assert problem(text).code is Code.SYNTAX


# ---------------------------------------------------------------- semicolons, blanks, comments


def test_further_semicolons_after_a_declaration_mean_nothing() -> None:
    text = "#define N 3;; var x;;;\nP = a -> Q; R;; ;\nQ() = Skip;\n;;"
    kinds = [type(declaration).__name__ for declaration in declarations(text)]
    assert kinds == ["Define", "VariableDeclaration", "ProcessDefinition", "ProcessDefinition"]


@pytest.mark.parametrize("text", ["P = Q;; R;", "P = (a -> Q;);", "; P = a -> P;"])
def test_a_semicolon_where_a_process_is_missing_is_a_mistake(text: str) -> None:
    assert problem(text).code is Code.SYNTAX


TIDY = """\
#define N 2;
var x = 0;
P(i) = [x < N] go.i{x = x + 1} -> P(i) [] stop.i -> Skip;
Sys() = ||| i:{0..N - 1} @ P(i);
#assert Sys() deadlockfree;
"""
CROWDED = (
    "#define N 2;var x=0;P(i)=[x<N]go.i{x=x+1;}->P(i)[]stop.i->Skip;"
    "Sys=|||i:{0..N-1}@P(i);#assert Sys deadlockfree;"
)
SPREAD = """\
//@@Model@@
/***** constants *****/ # define N /* how many */ 2 ; // two
\t var
 x = 0
 ;
P ( i )
=
    [ x < N ]   // a guard
    go . i
    {   x = x + 1
        ; // done }
    }
    -> P ( i )
  [ ]
"""


def shapes(text: str) -> list[list[str]]:
    """The kinds of the nodes of each declaration: all of a tree but its names and places."""
    return [[type(node).__name__ for node in postorder(declaration)] for declaration in declarations(text)]


@pytest.mark.parametrize(
    "text",
    [
        CROWDED,
        TIDY.replace("\n", "\r\n"),
        TIDY.replace(" ", "\t"),
        TIDY.replace(" ", " /* x; } */ "),
        TIDY.replace("\n", " // ;\n"),
        "\ufeff" + TIDY,
        TIDY.rstrip(),
        TIDY.replace(" ", "\u00a0"),
        TIDY + "// 终",
        "/* Überschrift: ;{ */\n" + TIDY,
    ],
    ids=[
        "crowded",
        "crlf",
        "tabs",
        "comments",
        "line-comments",
        "bom",
        "no-newline",
        "nbsp",
        "chinese",
        "umlaut",
    ],
)
def test_the_same_model_in_another_dress(text: str) -> None:
    assert shapes(text) == shapes(TIDY)


def test_brackets_of_a_choice_belong_together() -> None:
    assert problem(SPREAD + "stop.i -> Skip;").code is Code.SYNTAX
    assert len(declarations(SPREAD.replace("[ ]", "[]") + "stop.i -> Skip;")) == 3


@pytest.mark.parametrize(
    "text",
    [
        "P = case { x == 1 : Q() !y : R() -x > 2 : S() default : T() };",
        "P = (if (x < 3) { stopped -> Q() }); R(); (if (y) { Skip } else { Stop() });",
        "P = atomic { { on = false } -> Skip() }; Q();",
        "P = Q(); now.t+1{t++;} -> Skip();",
        "P = [] i:{red, green} @ toss{turn = i} -> Skip;",
        "P(i) = [] k:{0..M-1} @ ([r[k] > 1] {bad = true} -> P(i));",
        "P(i) = go.i -> { n++; if (n == 2) done[i*2+1] = 1; n = (n - 1) % 3; } -> back.i -> P(i);",
        "P(i) = put.i.(l.GetData()){l.Reset(k[i][0], i);} -> lines[q.Get(i)]!k[i] -> P(i);",
        "P = c!q.First() -> out{q.Dequeue(); n--} -> P;",
        "#define all (&& i:{0..R} @ (&& j:{0..C} @ (w[i][j] != 2))) && (x == 1);",
        "#define same(a == b);",
        "#alphabet Cycle {start.i, start.(i+1)%N}; Cycle(i) = start.i -> Cycle(i);",
        "P(i) = (atomic{w.i -> s.(i+1)%N -> Skip}; P(i) [] atomic{s.(i+1)%N -> w.i -> Skip}; P(i));",
        "P = a{if (x > 0) {y = 1;}; z = 2;} -> tau -> Skip;",
        "P = Q; ((R) ||| (S));",
        "P = q{y = x++; a[x++] = 3; u = v = w;} -> Skip;",
        "hvar<Queue> q; var<List>l = new List(); hvar a[3] = [9(3)];",
    ],
)
def test_real_habits(text: str) -> None:
    declarations(text)


# ---------------------------------------------------------------- habits of other languages


@pytest.mark.parametrize(
    ("text", "line", "hint"),
    [
        ("P = a{\nx += 1;} -> P;", 2, "there is no '+='"),
        ("P = a{\n++x;} -> P;", 2, "'++' is written after the variable"),
        ("P = a{x = y << 1;} -> P;", 1, "there are no shifts"),
        ("P = Q\n<<x == 1>> R;", 2, "'if (b) { Q } else { P }'"),
        ("P = a{y = x > 0 ? 1 : 2;} -> P;", 1, "there is no '?:'"),
        ("P = a{\nfor (i = 0; i < 3; i++) {}} -> P;", 2, "there is no 'for'"),
        ("P = a{int x = 1;} -> P;", 1, "variables have no types"),
        ("P(int x) = Skip;", 1, "variables have no types"),
        ("var x = 1, y = 2;", 1, "every declaration stands alone"),
        ("P[i] = Skip;", 1, "in parentheses"),
        ("P.i = Skip;", 1, "in parentheses"),
        ("channel c;", 1, "the size of its buffer"),
        ("assert P deadlockfree; P = Skip;", 1, None),
        ("P = a -> P;\n#import \u201cPAT.Lib.Set\u201d;", 2, "write '\"'"),
        ("P = a \u2192 P;", 1, "write '->'"),
        ("P = [x \u2264 3] a -> P;", 1, "write '<='"),
        ("P = Skip; assert P deadlockfree;", 1, "begins with '#assert'"),
    ],
)
def test_hints_at_habits(text: str, line: int, hint: str | None) -> None:
    found = problem(text)
    assert found.code is Code.SYNTAX and found.span is not None
    assert found.span.line == line
    assert (hint or "") in (found.hint or "")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("channel b 0;\nChor buying { Main() = b(Buyer, Seller, {ch}) -> Stop; }", "Chor"),
        ("Orch selling { Role Buyer { Main() = Stop; } }", "Orch"),
    ],
)
def test_web_services_are_refused_by_name(text: str, word: str) -> None:
    found = problem(text)
    assert found.code is Code.OTHER_MODULE and found.span is not None
    assert found.span.text == word and "web service" in found.message


def test_words_of_web_services_may_be_names() -> None:
    declarations("P = Chor -> Role.1 -> Orch{x = 1} -> Skip; Role(i) = Skip;")


# ---------------------------------------------------------------- other languages

PHILOSOPHERS = """\
-- N philosophers
N = 3
channel sit, rise : {0..N-1}
PHIL(i) = sit!i -> rise!i -> PHIL(i)
SYS = ||| i : {0..N-1} @ PHIL(i)
assert SYS :[deadlock free [F]]
"""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (PHILOSOPHERS, "CSPM"),
        ("channel up, down\nP = up -> down -> STOP\n", "CSPM"),
        ("P = a -> STOP |~| b -> SKIP\n", "CSPM"),
        ("datatype Colour = Red | Green\nP = c!Red -> P\n", "CSPM"),
        ("P = Q [| {| a |} |] R\nassert P [T= Q\n", "CSPM"),
        ("<!DOCTYPE html><html></html>", "XML or HTML"),
        ('<?xml version="1.0"?>\n<LTS><Process Name="P"/></LTS>', "graphical modules"),
        ('{\n  "states": 3 }', "JSON"),
        ("```csp\nP = a -> P;\n```\n", "Markdown"),
    ],
)
def test_other_languages_are_named(text: str, language: str) -> None:
    found = problem(text)
    assert found.code is Code.OTHER_LANGUAGE
    assert language in found.message
    assert found.span is not None and 0 <= found.span.start < found.span.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "/*\n-----\n*/\nP = a -> STOP",
        "// STOP <- SKIP\n-- P",
        "#define N 1;\n-- no comment\nP = a -> STOP;",
        "P = [|| i:{0..2} @ (x[i] == 0)] a -> STOP",
        "P = a{x\n--} -> Q",
    ],
)
def test_a_slip_in_csp_sharp_is_not_taken_for_another_language(text: str) -> None:
    assert problem(text).code is Code.SYNTAX
