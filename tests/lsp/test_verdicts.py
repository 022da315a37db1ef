"""Verdicts at the questions: lenses, hints, diagnostics, actions; checks and advice by commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp.client import CAPABILITIES, Client, ServerError, served

CSP = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
#assert P() deadlockfree;
"""
FSP = """\
A = (a -> A | b -> A).
||S = A.
||T = (A || x:A).
progress P = {a}
"""


def titles(client: Client, uri: str, line: int) -> list[str]:
    found = client.about("codeLens", uri)
    return [one["command"]["title"] for one in found if one["range"]["start"]["line"] == line]


def lens(client: Client, uri: str, line: int, wanted: str) -> Any:
    for one in client.about("codeLens", uri):
        if one["range"]["start"]["line"] == line and one["command"]["title"].startswith(wanted):
            return one["command"]
    raise AssertionError(f"no lens {wanted}")


def press(client: Client, uri: str, line: int, wanted: str) -> Any:
    command = lens(client, uri, line, wanted)
    return client.command(command["command"], *command["arguments"])


def test_a_lens_checks_and_shows_the_verdict(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    assert titles(client, uri, 0) == ["check all"]
    assert titles(client, uri, 2) == ["check", "check under …", "advise"]
    assert titles(client, uri, 3) == ["check"]
    answer = press(client, uri, 2, "check")
    (result,) = answer["record"]["results"]
    assert result["verdict"] == "violated" and result["line"] == 3
    assert answer["record"]["schema"].startswith("fairlead/check/")
    assert titles(client, uri, 2) == ["check", "check under …", "✗ violated", "advise", "show run"]
    assert titles(client, uri, 3) == ["check"]
    client.await_request("workspace/codeLens/refresh")
    client.await_notification("$/fairlead/verdicts")


def test_verdicts_stay_until_what_they_depend_on_changes(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    press(client, uri, 0, "check all")
    assert "✗ violated" in titles(client, uri, 2) and "✓ holds" in titles(client, uri, 3)
    client.change(uri, 2, f"// a remark\n{CSP}#assert P() deterministic;\n")
    assert "✗ violated" in titles(client, uri, 3) and "✓ holds" in titles(client, uri, 4)
    assert titles(client, uri, 5) == ["check"]
    client.change(uri, 3, CSP.replace("false", "true"))
    assert titles(client, uri, 2) == ["check", "check under …", "advise"]
    client.change(uri, 4, CSP)
    assert "✗ violated" in titles(client, uri, 2)


def test_notions_are_told_and_chosen(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    argument = lens(client, uri, 2, "check")["arguments"][0]
    client.command("fairlead.check", {**argument, "fairness": "all"})
    shown = titles(client, uri, 2)
    assert "✗ violated under none" in shown and "✓ holds under esf" in shown
    client.answers["window/showMessageRequest"] = {"title": "esf"}
    answer = press(client, uri, 2, "check under …")
    assert [one["fairness"] for one in answer["record"]["results"]] == ["esf"]
    asked = client.await_request("window/showMessageRequest")
    assert {"title": "sgf"} in asked["actions"]
    client.answers["window/showMessageRequest"] = None
    assert press(client, uri, 2, "check under …") is None


def test_advice_becomes_a_lens(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    answer = press(client, uri, 2, "advise")
    assert answer["record"]["advice"][0]["sets"][0]["text"] == "sf(b)"
    assert "which fairness" in answer["view"]["html"].lower()
    assert titles(client, uri, 2) == ["check", "check under …", "needs sf(b)", "check under strong(b)"]
    press(client, uri, 2, "check under strong(b)")
    assert "✓ holds under strong(b)" in titles(client, uri, 2)


def test_fsp_asks_every_composite_process(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.lts", FSP)
    press(client, uri, 0, "check all")
    assert "✓ holds" in titles(client, uri, 1)
    assert {"S: ✓ holds under sgf", "T: ✓ holds under sgf"} <= set(titles(client, uri, 3))
    press(client, uri, 3, "check")


def test_a_model_without_composite_processes_has_its_verdicts_at_the_top(
    client: Client, folder: Path
) -> None:
    uri = client.open(folder / "m.lts", "A = (a -> A).\n")
    press(client, uri, 0, "check all")
    assert titles(client, uri, 0) == ["check all", "✓ holds", "✓ holds under sgf"]


def test_what_cannot_be_checked_is_told(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "P() = a -> Q();\n#assert P() deadlockfree;\n")
    answer = press(client, uri, 1, "check")
    assert answer["record"]["errors"][0]["code"] == "unknown-name"
    told = client.await_notification("window/showMessage", lambda told: told["type"] == 1)
    assert "there is no process 'Q'" in told["message"]
    assert titles(client, uri, 1) == ["check"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected an object"),
        ([{}], "expected an object"),
        ([{"textDocument": {}}], "textDocument"),
        ([{"textDocument": {"uri": "file:///no/such/file.csp"}}], "cannot read"),
        ([{"textDocument": {"uri": "{uri}"}, "fairness": "fair"}], "unknown fairness"),
        ([{"textDocument": {"uri": "{uri}"}, "range": {"start": 7}}], "expected an object"),
        (
            [{"textDocument": {"uri": "{uri}"}, "range": {"start": {"line": True}, "end": {}}}],
            "line: expected",
        ),
        (
            [
                {
                    "textDocument": {"uri": "{uri}"},
                    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
                }
            ],
            "no assertion here",
        ),
    ],
)
def test_wrong_arguments_are_refused(
    client: Client, folder: Path, arguments: list[Any], message: str
) -> None:
    uri = client.open(folder / "m.csp", CSP)
    for argument in arguments:
        if argument.get("textDocument", {}).get("uri") == "{uri}":
            argument["textDocument"]["uri"] = uri
    for command in ("fairlead.check", "fairlead.advise", "fairlead.showRun"):
        with pytest.raises(ServerError, match=message):
            client.command(command, *arguments)
    with pytest.raises(ServerError, match="no command"):
        client.command("fairlead.nothing", *arguments)


def test_coverage_and_graph(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    about = {"textDocument": {"uri": uri}}
    answer = client.command("fairlead.coverage", about)
    assert answer["record"]["coverage"]["events"] and "fl-coverage" in answer["view"]["html"]
    answer = client.command("fairlead.graph", {**about, "process": "P()"})
    assert answer["record"]["schema"] == "fairlead/graph/1" and "<svg" in answer["view"]["html"]


def test_actions_offer_what_lenses_do(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    part = {"start": {"line": 2, "character": 3}, "end": {"line": 2, "character": 3}}
    found = client.about("codeAction", uri, range=part, context={"diagnostics": []})
    assert [one["title"] for one in found] == [
        "check: P() |= []<> b",
        "check under …: P() |= []<> b",
        "advise: P() |= []<> b",
    ]
    client.command(found[0]["command"]["command"], *found[0]["command"]["arguments"])
    assert "✗ violated" in titles(client, uri, 2)


def editor(**without: Any) -> Any:
    """The capabilities of an editor, with other ones for documents."""
    documents = {name: value for name, value in CAPABILITIES["textDocument"].items() if name != "codeLens"}
    return {**CAPABILITIES, "textDocument": {**documents, **without}}


def test_editors_without_lenses_get_hints(folder: Path) -> None:
    with served() as client:
        assert client.initialize(folder, editor(inlayHint={}))["inlayHintProvider"]
        uri = client.open(folder / "m.csp", CSP)
        everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        assert client.about("codeLens", uri) == []
        assert client.about("inlayHint", uri, range=everywhere) == []
        client.command("fairlead.check", {"textDocument": {"uri": uri}})
        found = client.about("inlayHint", uri, range=everywhere)
        assert [(one["position"]["line"], one["label"]) for one in found] == [
            (2, "✗ violated"),
            (3, "✓ holds"),
        ]
        top = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        assert client.about("inlayHint", uri, range=top) == []


def test_editors_without_hints_get_diagnostics(folder: Path) -> None:
    with served() as client:
        client.initialize(folder, editor())
        uri = client.open(folder / "m.csp", CSP)
        assert client.problems(uri, 1) == []
        client.command("fairlead.check", {"textDocument": {"uri": uri}})
        found = client.await_notification(
            "textDocument/publishDiagnostics", lambda told: told["uri"] == uri and told["diagnostics"]
        )["diagnostics"]
        assert [(one["code"], one["severity"], one["range"]["start"]["line"]) for one in found] == [
            ("violated", 3, 2)
        ]
        assert "P() |= []<> b" in found[0]["message"]
        client.change(uri, 2, CSP.replace("on] b", "on] c"))
        assert all(one["code"] != "violated" for one in client.problems(uri, 2))


def test_the_client_chooses_where_verdicts_are_shown_and_the_limits(folder: Path) -> None:
    options = {"verdicts": ["diagnostics", "lenses", "x"], "limits": {"maxStates": 1, "timeout": "x"}}
    with served() as client:
        client.initialize(folder, initializationOptions=options)
        uri = client.open(folder / "m.csp", CSP)
        press(client, uri, 2, "check")
        assert "✗ violated" in titles(client, uri, 2)  # limits that make no sense are left out
        client.notify(
            "workspace/didChangeConfiguration", {"settings": {"fairlead": {"limits": {"maxStates": 1}}}}
        )
        press(client, uri, 3, "check")
        assert any(title.startswith("? unknown") for title in titles(client, uri, 3))
        argument = lens(client, uri, 3, "check")["arguments"][0]
        client.command("fairlead.check", {**argument, "limits": {"maxStates": None}})
        assert "✓ holds" in titles(client, uri, 3)
        client.notify("workspace/didChangeConfiguration", {"settings": {"fairlead": {"verdicts": []}}})
        assert client.about("codeLens", uri) == []


def test_questions_in_included_files(client: Client, folder: Path) -> None:
    part = client.open(folder / "part.csp", "Q() = [x == 0] a -> Q();\n#assert Q() deadlockfree;\n")
    client.open(folder / "m.csp", '#include "part.csp";\nvar x = 0;\n')
    press(client, part, 1, "check")
    assert titles(client, part, 1) == ["check", "✓ holds"]


def test_questions_with_their_verdicts_as_json(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    about = {"textDocument": {"uri": uri}}
    press(client, uri, 2, "check")
    found = client.request("fairlead/questions", about)
    assert [one["text"] for one in found["questions"]] == ["P() |= []<> b", "P() deadlockfree"]
    first = found["questions"][0]
    assert first["hasFormula"] and not first["underWay"] and first["range"]["start"]["line"] == 2
    (verdict,) = first["verdicts"]
    assert verdict["title"] == "✗ violated" and verdict["hasRun"] and verdict["result"]["fairness"] == "none"
    assert found["others"] == [] and "evidence" not in verdict["result"]
    assert [one["name"] for one in client.request("fairlead/processes", about)] == ["P()"]
    assert "every event" in client.request("fairlead/explain", {"name": "ewf"})
    assert client.request("fairlead/explain", {"name": "nothing"}) is None
