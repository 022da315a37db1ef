"""What a client asks about a place or a document, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp.client import CAPABILITIES, Client, ServerError, served

CSP = """\
// fairlead check m.csp --fairness ewf
var free = true;
Clerk(i, k) = [free] take.i{free = false;} -> stamp.i -> put.i{free = true;} -> Clerk(i, k);
Office() = Clerk(0, 1)
  ||| Clerk(1, 1);
#assert Office() |= []<> stamp.0;
"""
FSP = """\
range R = 0..1
/* a machine
   that drinks */
M = (go -> M1[0]), M1[i:R] = (when (i < 1) up[i] -> M1[i+1] | down -> M).
||SYS = (a:M || b:M).
progress P = {a.go}
"""


@pytest.fixture(scope="module")
def csp(client: Client) -> str:
    return client.open(Path("/models/questions.csp"), CSP)


@pytest.fixture(scope="module")
def fsp(client: Client) -> str:
    return client.open(Path("/models/questions.lts"), FSP)


def text_at(text: str, part: Any) -> str:
    lines = text.split("\n")
    start, end = part["start"], part["end"]
    assert start["line"] == end["line"]
    return lines[start["line"]][start["character"] : end["character"]]


def test_hover(client: Client, csp: str, fsp: str) -> None:
    found = client.at("hover", csp, 3, 12)
    assert found["contents"]["kind"] == "markdown"
    assert found["contents"]["value"].startswith("process Clerk(i, k)\n\n```csp\nClerk(i, k) = [free]")
    assert text_at(CSP, found["range"]) == "Clerk"
    assert "fairness" in client.at("hover", csp, 0, 36)["contents"]["value"]
    assert client.at("hover", csp, 2, 6) and client.at("hover", csp, 0, 0) is None
    assert client.at("hover", fsp, 4, 11)["contents"]["value"].startswith("process M\n\n```fsp\nM = (go")


def test_hover_tells_what_the_problem_in_a_place_means(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "P() = a -> Q();\n")
    assert client.problems(uri, 1)
    assert "`unknown-name`: " in client.at("hover", uri, 0, 12)["contents"]["value"]


def test_definition_references_and_highlights(client: Client, csp: str) -> None:
    assert text_at(CSP, client.at("definition", csp, 3, 12)["range"]) == "Clerk"
    everywhere = client.at("references", csp, 3, 12, context={"includeDeclaration": True})
    used = client.at("references", csp, 3, 12, context={"includeDeclaration": False})
    assert [one["range"]["start"]["line"] for one in everywhere] == [2, 2, 3, 4]
    assert used == everywhere[1:]
    highlights = client.at("documentHighlight", csp, 3, 12)
    assert [one["range"] for one in highlights] == [one["range"] for one in everywhere]


def test_definition_and_references_across_files(client: Client, folder: Path) -> None:
    (folder / "part.csp").write_text("Q(i) = b.i -> Q(i);\n")
    uri = client.open(folder / "m.csp", '#include "part.csp";\nP() = Q(1);\n')
    part = (folder / "part.csp").as_uri()
    assert client.at("definition", uri, 1, 6)["uri"] == part
    found = client.at("references", uri, 1, 6, context={"includeDeclaration": True})
    assert {one["uri"] for one in found} == {uri, part} and len(found) == 3
    edits = client.at("rename", uri, 1, 6, newName="Queue")["documentChanges"]
    assert {(one["textDocument"]["uri"], one["textDocument"]["version"]) for one in edits} == {
        (uri, 1),
        (part, None),
    }


def test_completion_and_signatures(client: Client, csp: str, fsp: str) -> None:
    found = client.at("completion", csp, 3, 12)
    clerk = next(item for item in found["items"] if item["label"] == "Clerk(i, k)")
    assert clerk["textEdit"]["newText"] == "Clerk(" and text_at(CSP, clerk["textEdit"]["range"]) == "C"
    ranks = [item["sortText"] for item in found["items"]]
    assert ranks == sorted(ranks)
    help_ = client.at("signatureHelp", csp, 3, 20)
    (shown,) = help_["signatures"]
    label = shown["label"]
    assert label == "Clerk(i, k)" and help_["activeParameter"] == 1
    assert [label[start:end] for start, end in (one["label"] for one in shown["parameters"])] == ["i", "k"]
    assert client.at("signatureHelp", csp, 1, 3) is None
    assert "M" in [item["label"] for item in client.at("completion", fsp, 4, 11)["items"]]


def test_outline_and_folds(client: Client, csp: str, fsp: str) -> None:
    found = client.about("documentSymbol", csp)
    assert [one["name"] for one in found] == ["free", "Clerk(i, k)", "Office", "Office() |= []<> stamp.0"]
    for one in client.about("documentSymbol", fsp):
        start, end = one["range"]["start"], one["range"]["end"]
        inner = one["selectionRange"]["start"]
        assert (start["line"], start["character"]) <= (inner["line"], inner["character"])
        assert (inner["line"], inner["character"]) <= (end["line"], end["character"])
    assert client.about("documentSymbol", fsp)[1]["children"][0]["name"] == "M1"
    folds = client.about("foldingRange", fsp)
    assert [(one["startLine"], one["endLine"], one.get("kind")) for one in folds] == [(1, 2, "comment")]
    assert [(one["startLine"], one["endLine"]) for one in client.about("foldingRange", csp)] == [(3, 4)]


def decoded(text: str, found: Any, legend: Any) -> list[tuple[str, str]]:
    """Each token with its type, from the numbers of the protocol."""
    lines, line, character = text.split("\n"), 0, 0
    tokens = []
    numbers = found["data"]
    for place in range(0, len(numbers), 5):
        ahead, across, width, kind, _ = numbers[place : place + 5]
        line, character = line + ahead, across if ahead else character + across
        tokens.append((lines[line][character : character + width], legend[kind]))
    return tokens


def test_colours(client: Client, csp: str, fsp: str) -> None:
    from fairlead.lsp.reading import LEGEND

    legend = LEGEND.token_types
    tokens = decoded(CSP, client.about("semanticTokens/full", csp), legend)
    assert ("Clerk", "class") in tokens and ("take", "event") in tokens and ("free", "variable") in tokens
    assert tokens[0] == ("// fairlead check m.csp --fairness ewf", "comment")
    tokens = decoded(FSP, client.about("semanticTokens/full", fsp), legend)
    assert ("/* a machine", "comment") in tokens and ("   that drinks */", "comment") in tokens
    part = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 30}}
    some = client.about("semanticTokens/range", fsp, range=part)
    inside = decoded(FSP, some, legend)
    start = tokens.index(("||", "operator"))
    assert start > 0 and inside == tokens[start : start + len(inside)] and inside[-1] == (".", "operator")


def test_renaming(client: Client, csp: str) -> None:
    assert client.at("prepareRename", csp, 3, 12)["placeholder"] == "Clerk"
    (change,) = client.at("rename", csp, 3, 12, newName="Worker")["documentChanges"]
    assert len(change["edits"]) == 4
    for name, reason in (("var", "word of CSP#"), ("1x", "cannot be the name"), ("Office", "already")):
        with pytest.raises(ServerError, match=reason):
            client.at("rename", csp, 3, 12, newName=name)
    with pytest.raises(ServerError, match="no name here"):
        client.at("prepareRename", csp, 0, 0)


def test_formatting(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "P()=a->P();\nQ()  = b -> Q();\n")
    edits = client.about("formatting", uri, options={"tabSize": 4, "insertSpaces": True})
    assert [one["newText"] for one in edits] == ["P() = a -> P();"]


def test_quick_fixes(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "Clerk() = a -> Clark();\n")
    problems = client.problems(uri, 1)
    part = problems[0]["range"]
    (action,) = client.about("codeAction", uri, range=part, context={"diagnostics": problems})
    assert action["kind"] == "quickfix" and action["diagnostics"] == problems and action["isPreferred"]
    (change,) = action["edit"]["documentChanges"]
    assert change["edits"][0]["newText"] == "Clerk" and change["textDocument"] == {"uri": uri, "version": 1}
    assert client.about("codeAction", uri, range=part, context={"diagnostics": [], "only": ["source"]}) == []


def test_simple_clients_get_simple_answers(folder: Path) -> None:
    with served() as client:
        client.initialize(folder, {})
        uri = client.open(folder / "m.csp", "P() = a -> P();\nP() = b -> P();\n")
        (problem,) = client.problems(uri)
        assert "relatedInformation" not in problem and ":1:1:" in problem["message"]
        assert client.at("hover", uri, 0, 0)["contents"]["kind"] == "plaintext"
        assert client.about("documentSymbol", uri)[0]["location"]["uri"] == uri
        assert set(client.at("rename", uri, 0, 7, newName="b2")["changes"]) == {uri}


def test_the_capabilities_are_those_of_the_manual(folder: Path) -> None:
    with served() as client:
        found = client.initialize(folder, CAPABILITIES)
    assert found["textDocumentSync"]["change"] == 2
    assert found["renameProvider"] == {"prepareProvider": True}
    assert "diagnosticProvider" not in found
