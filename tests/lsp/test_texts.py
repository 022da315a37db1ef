"""Documents as a client has them: opened, changed and closed, in any encoding, and their problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp.client import CAPABILITIES, Client, served

MODEL = "P() = a -> Q();\n#assert P() deadlockfree;\n"


def edit(line: int, start: int, end: int, text: str) -> Any:
    """A new text for a part of a line."""
    places = [{"line": line, "character": character} for character in (start, end)]
    return {"range": {"start": places[0], "end": places[1]}, "text": text}


def test_problems_are_published_with_code_page_and_place(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", MODEL)
    (problem,) = client.problems(uri, 1)
    assert problem["code"] == "unknown-name" and problem["severity"] == 1 and problem["source"] == "fairlead"
    assert problem["range"] == {"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 14}}
    assert problem["message"].startswith("there is no process 'Q'\nhint: ")
    page = Path(problem["codeDescription"]["href"].removeprefix("file://"))
    assert page.read_text(encoding="utf-8").startswith("# `unknown-name`")


def test_problems_follow_the_text(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", MODEL)
    assert client.problems(uri, 1)
    client.change(uri, 2, edit(0, 11, 12, "P"))
    assert client.problems(uri, 2) == []
    client.change(uri, 3, edit(0, 0, 0, "// note\n"), edit(1, 11, 12, "Q"))
    (problem,) = client.problems(uri, 3)
    assert problem["range"]["start"] == {"line": 1, "character": 11}
    client.change(uri, 4, MODEL.replace("Q", "P"))
    assert client.problems(uri, 4) == []


def test_second_places_are_related(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "P() = a -> P();\nP() = b -> P();\n")
    (problem,) = client.problems(uri, 1)
    (other,) = problem["relatedInformation"]
    assert problem["code"] == "name-clash" and other["location"]["uri"] == uri
    assert other["location"]["range"]["start"] == {"line": 0, "character": 0}


def test_a_closed_document_is_that_on_disk(client: Client, folder: Path) -> None:
    (folder / "part.csp").write_text("Q() = b -> Q();\n")
    whole = client.open(folder / "m.csp", '#include "part.csp";\n' + MODEL)
    assert client.problems(whole, 1) == []
    part = client.open(folder / "part.csp", "R() = b -> R();\n")
    assert client.await_notification(
        "textDocument/publishDiagnostics", lambda told: told["uri"] == whole and told["diagnostics"]
    )
    client.notify("textDocument/didClose", {"textDocument": {"uri": part}})
    client.change(whole, 2, edit(1, 0, 0, " "))
    assert client.problems(whole, 2) == []


def test_an_included_document_is_judged_as_a_part(client: Client, folder: Path) -> None:
    """Alone it lacks what the document around it declares."""
    part = client.open(folder / "part.csp", "Q() = [x == 0] b -> P();\n")
    assert len(client.problems(part, 1)) == 2
    client.open(folder / "m.csp", '#include "part.csp";\nvar x = 0;\n' + MODEL)
    client.await_notification(
        "textDocument/publishDiagnostics", lambda told: told["uri"] == part and not told["diagnostics"]
    )


def test_problems_of_an_included_file_that_is_not_open_are_told(client: Client, folder: Path) -> None:
    (folder / "part.csp").write_text("Q() = b -> ;\n")
    client.open(folder / "m.csp", '#include "part.csp";\n' + MODEL)
    (problem,) = client.problems((folder / "part.csp").as_uri())
    assert problem["code"] == "syntax"
    (folder / "part.csp").write_text("Q() = b -> Q();\n")
    change = {"uri": (folder / "part.csp").as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    client.await_notification(
        "textDocument/publishDiagnostics",
        lambda told: told["uri"] == change["uri"] and not told["diagnostics"],
    )


def test_documents_that_are_not_files(client: Client) -> None:
    item = {"uri": "untitled:Untitled-1", "languageId": "csp", "version": 1, "text": MODEL}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert client.problems("untitled:Untitled-1", 1)[0]["code"] == "unknown-name"
    found = client.at("definition", "untitled:Untitled-1", 1, 8)
    assert found["uri"] == "untitled:Untitled-1"


def test_unknown_languages_and_addresses_do_no_harm(client: Client, folder: Path) -> None:
    uri = client.open(folder / "notes.txt", "P() = a -> ;")
    assert client.problems(uri, 1) == []
    assert client.about("documentSymbol", uri) == []
    client.change((folder / "never_opened.csp").as_uri(), 7, "x")
    for strange in ("", "csp", "file://", "http://[", "file:///%00", "untitled:", "a:../../../etc/passwd"):
        item = {"uri": strange, "languageId": "", "version": 1, "text": MODEL}
        client.notify("textDocument/didOpen", {"textDocument": item})
        client.notify("textDocument/didClose", {"textDocument": {"uri": strange}})


@pytest.mark.parametrize(("encoding", "width"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_positions_are_counted_as_the_client_does(folder: Path, encoding: str, width: int) -> None:
    with served() as client:
        capabilities = {**CAPABILITIES, "general": {"positionEncodings": [encoding]}}
        assert client.initialize(folder, capabilities)["positionEncoding"] == encoding
        uri = client.open(folder / "m.csp", "/*\U0001f600*/ P() = a -> Q();\n")
        (problem,) = client.problems(uri, 1)
        assert problem["range"]["start"]["character"] == 16 + width
        client.change(uri, 2, edit(0, 16 + width, 17 + width, "P"))
        assert client.problems(uri, 2) == []
        assert client.at("definition", uri, 0, 16 + width)["range"]["start"]["character"] == 5 + width


def test_a_client_that_asks_for_problems_is_not_sent_them(folder: Path) -> None:
    capabilities = {**CAPABILITIES, "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {}}}
    with served() as client:
        assert client.initialize(folder, capabilities)["diagnosticProvider"]["interFileDependencies"] is True
        uri = client.open(folder / "m.csp", MODEL)
        (problem,) = client.about("diagnostic", uri)["items"]
        assert problem["code"] == "unknown-name"
        client.change(uri, 2, edit(0, 11, 12, "P"))
        assert client.about("diagnostic", uri)["items"] == []
        assert not [told for name, told in client.heard if name == "textDocument/publishDiagnostics"]
