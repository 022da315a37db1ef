"""What can be asked about a document, in both languages, whole and broken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from fairlead.base.diagnostics import Severity
from fairlead.lang.editing import Extent, SymbolKind, TokenKind
from fairlead.service.completion import completion, signature
from fairlead.service.diagnostics import own_problems, problems
from fairlead.service.documents import Document, Workspace
from fairlead.service.fixes import fixes
from fairlead.service.hover import explained, hover
from fairlead.service.names import definition, references
from fairlead.service.outline import Entry, folding, outline
from fairlead.service.rename import applied
from fairlead.service.tokens import semantic_tokens

CSP = """\
// fairlead check model.csp --fairness ewf
#define N 3;
enum {idle, busy};
var level:{0..N} = 0;
var table[N];
channel pipe 2;
Worker(i, k:{0..2}) = [level < N] take.i.k{var old = level; level = old + 1;} -> pipe!i ->
  ( [] j:{0..1} @ wf(put.j) -> Worker(i, k) );
Reader() = pipe?x -> show.x -> Reader();
System() = Worker(0, 1) ||| Reader();
#define full level == N;
#assert System() |= []<> show.0 && !full;
#assert System() reaches full;
"""
FSP = """\
const N = 2
range R = 0..N
set Acts = {up, down}
COUNTER(M=2) = COUNT[0],
COUNT[i:0..M] = (when (i < M) up -> COUNT[i+1] | down[j:R] -> DONE[j]),
DONE[k:R] = (reset -> COUNTER).
||SYS = (a:COUNTER(2) || b:COUNTER) / {go/a.up}.
fluent UP = <up, down[R]>
assert LIVE = []<> go
progress P = {go}
"""


def opened(text: str, name: str = "m.csp") -> tuple[Workspace, Document]:
    workspace = Workspace()
    return workspace, workspace.open(Path(name), text)


def shown(entries: tuple[Entry, ...]) -> list[str]:
    return [f"{entry.symbol.kind.value} {entry.symbol.name}" for entry in entries]


# ---------------------------------------------------------------- outline


def test_the_outline_of_csp() -> None:
    workspace, document = opened(CSP)
    analysis = workspace.analysis(document)
    assert analysis is not None
    assert shown(outline(analysis)) == [
        "constant N",
        "constant idle",
        "constant busy",
        "variable level",
        "variable table",
        "channel pipe",
        "process Worker",
        "process Reader",
        "process System",
        "constant full",
        "assertion System() |= []<> show.0 && !full",
        "assertion System() reaches full",
    ]
    assert [analysis.text[part.start : part.end].count("\n") for part in folding(analysis)] == [1]


def test_the_outline_of_fsp() -> None:
    workspace, document = opened(FSP, "m.lts")
    analysis = workspace.analysis(document)
    assert analysis is not None
    found = outline(analysis)
    assert shown(found) == [
        "constant N",
        "range R",
        "set Acts",
        "process COUNTER",
        "composite process SYS",
        "fluent UP",
        "assertion LIVE",
        "progress property P",
    ]
    assert shown(found[3].children) == ["local process COUNT", "local process DONE"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("m.csp", "A() = a -> ;\nB() = b -> ( B();\nvar y = ;\nC(i) = c.i -> C(i);\n", ["A", "B", "y", "C"]),
        ("m.lts", "A = (a -> .\nB = (b -> B | ).\nconst =\nC = (c -> C).\n", ["A", "B", "C"]),
        ("m.csp", "A() = a -> A();\n#assert A() |= ", ["A", "A() |="]),
    ],
)
def test_a_broken_declaration_is_in_the_outline(name: str, text: str, expected: list[str]) -> None:
    workspace, document = opened(text, name)
    analysis = workspace.analysis(document)
    assert analysis is not None
    assert [entry.symbol.name for entry in outline(analysis)] == expected


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("text", "suffix", "use", "declaration"),
    [
        (CSP, "csp", "level < N", "level:{0..N}"),
        (CSP, "csp", "N] take", "N 3"),
        (CSP, "csp", "j) ->", "j:{0..1}"),
        (CSP, "csp", "x -> Reader", "x -> show"),
        (CSP, "csp", "old + 1", "old = level"),
        (CSP, "csp", "k) );", "k:{0..2}"),
        (CSP, "csp", "show.0", "show.x"),
        (CSP, "csp", "full;\n#assert System() r", "full level"),
        (CSP, "csp", "System() reaches", "System() = "),
        (FSP, "lts", "M) up", "M=2"),
        (FSP, "lts", "COUNT[i+1]", "COUNT[i:0..M]"),
        (FSP, "lts", "i+1", "i:0..M"),
        (FSP, "lts", "j]),", "j:R"),
        (FSP, "lts", "COUNTER(2)", "COUNTER(M=2)"),
        (FSP, "lts", "R]>", "R = 0..N"),
        (FSP, "lts", "go\nprogress", "go/a.up"),
    ],
)
def test_where_a_name_is_declared(text: str, suffix: str, use: str, declaration: str) -> None:
    workspace, document = opened(text, f"m.{suffix}")
    at = text.index(declaration) if declaration != "x -> show" else text.index("pipe?x") + 5
    start = text.rindex(use) if use == "k) );" else text.index(use)
    found = definition(workspace, document, start)
    assert found is not None and found.at.start == at
    assert start in [place.at.start for place in references(workspace, document, at)]


def test_an_include_leads_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "part.csp").write_text("Q() = a -> Q();\n")
    workspace = Workspace()
    document = workspace.open(tmp_path / "main.csp", '#include "part.csp";\nP() = b -> Q();\n')
    to_file = definition(workspace, document, document.text.index("part"))
    to_process = definition(workspace, document, document.text.index("Q()"))
    assert to_file is not None and to_file.path == (tmp_path / "part.csp").resolve()
    assert to_process is not None and to_process.path == to_file.path
    workspace.open(tmp_path / "part.csp", "var z;\nQ() = a -> Q();\n")  # not saved yet
    moved = definition(workspace, document, document.text.index("Q()"))
    assert moved is not None and moved.at.start == len("var z;\n")


@pytest.mark.parametrize(
    ("text", "suffix", "place", "title"),
    [
        (CSP, "csp", "level < N", "variable level: var:{0..N} = 0"),
        (CSP, "csp", "Worker(0, 1)", "process Worker(i, k:{0..2})"),
        (CSP, "csp", "show.0", "event show.x"),
        (CSP, "csp", "k) );", "parameter k: {0..2} of Worker"),
        (CSP, "csp", "j) ->", "index j: {0..1} of Worker"),
        (FSP, "lts", "i+1", "index i: 0..M of COUNTER"),
        (FSP, "lts", "N\nset", "constant N: 2"),
    ],
)
def test_what_a_name_is(text: str, suffix: str, place: str, title: str) -> None:
    workspace, document = opened(text, f"m.{suffix}")
    found = hover(workspace, document, text.index(place))
    assert found is not None and found.title == title


def test_a_notion_and_a_code_are_explained() -> None:
    workspace, document = opened(CSP)
    found = hover(workspace, document, CSP.index("ewf") + 1)
    assert found is not None and "Weak" in found.title and found.explanation
    assert explained("syntax")
    assert explained("no-such-thing") is None


# ---------------------------------------------------------------- completion


def proposed(text: str, suffix: str = "csp") -> list[str]:
    """What is proposed where the mark ‸ stands."""
    workspace, document = opened(text.replace("‸", ""), f"m.{suffix}")
    return [item.label for item in completion(workspace, document, text.index("‸"))]


def test_processes_events_and_channels_where_a_process_stands() -> None:
    found = proposed(CSP.replace("System() = Worker", "System() = ‸ Worker"))
    assert {"Worker(i, k:{0..2})", "Reader", "take.i.k", "pipe", "Skip", "|||"} <= set(found)
    assert "[]<>" not in found and "var" not in found


def test_values_where_an_expression_stands() -> None:
    found = proposed(CSP.replace("[level < N]", "[l‸]"))
    assert found == ["level"]
    inside = proposed(CSP.replace("[level < N]", "[‸]"))
    assert {"i", "k", "N", "table"} <= set(inside) and "x" not in inside and "Reader" not in inside


def test_operators_and_events_in_a_formula() -> None:
    found = proposed(CSP.replace("[]<> show.0 &&", "[]<> ‸"))
    assert {"show.x", "full", "[]", "U", "enabled"} <= set(found) and "Skip" not in found


def test_questions_after_the_process_of_an_assertion() -> None:
    assert {"deadlockfree", "reaches", "|="} <= set(proposed("P() = a -> P();\n#assert P() ‸"))


def test_declarations_between_declarations() -> None:
    assert {"var", "#assert", "channel"} <= set(proposed("P() = a -> P();\n‸"))
    assert proposed("P() = a -> P();\n#as‸") == ["#assert"]
    assert {"const", "property", "fluent"} <= set(proposed("P = (a -> P).\n‸", "lts"))


def test_notions_after_the_option_that_asks_for_them() -> None:
    assert proposed("// fairlead check m.csp --fairness e‸") == ["ewf", "esf"]
    assert "sgf" in proposed("// fairlead check m.csp --fairness ewf,‸")
    assert proposed("// nothing to say ‸") == []


def test_completion_goes_on_in_a_broken_declaration() -> None:
    assert "Worker(i)" in proposed(
        "Worker(i) = take.i -> Worker(i);\nS() = take.0 -> (Wor‸\nT() = a -> T();\n"
    )
    assert "COUNT" in proposed("P = COUNT[0],\nCOUNT[i:0..1] = (a -> CO‸\nQ = (b -> Q).\n", "lts")


def test_completion_in_fsp() -> None:
    assert {"COUNT", "up", "down", "STOP"} <= set(proposed(FSP.replace("-> DONE[j]", "-> ‸"), "lts"))
    assert {"UP", "go", "[]"} <= set(proposed(FSP.replace("[]<> go", "[]<> ‸"), "lts"))


@pytest.mark.parametrize(
    ("text", "suffix", "label", "active"),
    [
        ("W(i, k) = a -> W(i, k);\nS() = W(‸", "csp", "W(i, k)", 0),
        ("W(i, k) = a -> W(i, k);\nS() = W(1, (2+‸3));", "csp", "W(i, k)", 1),
        ("#define f(a, b) a + b;\nvar x = call(f, 1, ‸2);", "csp", "f(a, b)", 1),
        ("P() = go.1.2 -> go.3.‸", "csp", "go.1.2", 1),
        ("P(N=2) = (a -> P).\n||S = (P(‸)).", "lts", "P(N=2)", 0),
    ],
)
def test_arguments(text: str, suffix: str, label: str, active: int) -> None:
    workspace, document = opened(text.replace("‸", ""), f"m.{suffix}")
    found = signature(workspace, document, text.index("‸"))
    assert found is not None and (found.label, found.active) == (label, active)


def test_no_arguments_outside_of_a_call() -> None:
    workspace, document = opened("W(i) = a -> W(i);")
    assert signature(workspace, document, len(document.text)) is None


# ---------------------------------------------------------------- tokens


def test_tokens_have_the_kinds_of_their_names() -> None:
    workspace, document = opened(CSP)
    analysis = workspace.analysis(document)
    assert analysis is not None
    found = {document.text[one.at.start : one.at.end]: one for one in semantic_tokens(analysis)}
    assert found["Reader"].kind is SymbolKind.PROCESS
    assert found["show"].kind is SymbolKind.EVENT
    assert found["pipe"].kind is SymbolKind.CHANNEL
    assert found["var"].kind is TokenKind.KEYWORD
    assert found["3"].kind is TokenKind.NUMBER
    ends = [(one.at.start, one.at.end) for one in semantic_tokens(analysis)]
    assert all(before[1] <= after[0] for before, after in pairwise(ends))


# ---------------------------------------------------------------- problems and fixes


def test_problems_come_all_at_once() -> None:
    text = "var x = 0;\nvar lonely = 1;\nP() = [y > 0] a -> P();\nQ() = a -> Pp();\n#assert P() |= []<> b;\n"
    workspace, document = opened(text)
    found = problems(workspace, document)
    errors = [one for one in found if one.severity is Severity.ERROR]
    assert [one.span.line for one in errors if one.span is not None] == [3, 4, 5]
    assert [one.span.line for one in found if one.span is not None and one not in errors] == [1, 2, 4]


def test_warnings_come_with_a_text_that_is_right() -> None:
    workspace, document = opened("var lonely = 0;\nP() = a -> P();\n#assert P() |= []<> a;\n")
    found = problems(workspace, document)
    assert [one.severity for one in found] == [Severity.WARNING]


def test_problems_of_a_graph() -> None:
    workspace, document = opened("des (0, 1, 2)\n(0, a, 7)\n", "m.aut")
    assert [one.code.value for one in problems(workspace, document)] == ["graph"]
    assert workspace.analysis(document) is None


def test_problems_of_an_included_file_are_its_own(tmp_path: Path) -> None:
    workspace = Workspace()
    workspace.open(tmp_path / "part.csp", "Q() = a -> \n")
    document = workspace.open(tmp_path / "main.csp", '#include "part.csp";\nP() = b -> P();\n')
    assert len(problems(workspace, document)) == 1
    assert own_problems(workspace, document) == ()


@pytest.mark.parametrize(
    ("name", "text", "fixed"),
    [
        ("m.csp", "P() = a -> P();\n#assert Pp() deadlockfree;\n", "#assert P() deadlockfree"),
        ("m.csp", "Proc(i) = a -> Porc(i);\n#assert Proc(1) deadlockfree;\n", "a -> Proc(i)"),
        ("m.csp", "P() = a → P();\n", "a -> P()"),
        ("m.csp", "P() = a -> P();\n#assert P() |= []<> a and a;\n", "[]<> a && a"),
        ("m.csp", "P() = a -> P();\n#assert P() |= []<> a & a;\n", "[]<> a && a"),
        ("m.csp", "var x = 0;\nP() = a -> P() // on\nQ() = b -> Q();\n", "P() = a -> P(); // on\nQ"),
        ("m.csp", "var x = 0", "var x = 0;"),
        ("m.csp", "P() := a -> P();\n", "P() = a"),
        ("m.csp", "var x = 0;\nP() = [x = 1] a -> P();\n#assert P() deadlockfree;\n", "[x == 1]"),
        ("m.lts", "P = (a -> P).\nq = (b -> P).\n", "Q = (b"),
        ("m.lts", "P = (a → P).\n", "(a -> P)"),
    ],
)
def test_a_hint_that_is_a_replacement_is_a_fix(name: str, text: str, fixed: str) -> None:
    workspace, document = opened(text, name)
    found = fixes(workspace, document, Extent(0, len(text)))
    assert len(found) == 1
    assert fixed in applied(text, (found[0].edit,), document.path)
