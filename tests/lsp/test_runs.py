"""Runs to step through, and simulations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp.client import CAPABILITIES, Client, ServerError, served

CSP = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
"""


def about(uri: str, line: int, **more: Any) -> Any:
    place = {"line": line, "character": 0}
    return {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, **more}


def checked(client: Client, folder: Path, text: str = CSP, line: int = 2) -> str:
    uri = client.open(folder / "m.csp", text)
    client.command("fairlead.check", about(uri, line))
    return uri


def test_a_run_has_steps_with_places(client: Client, folder: Path) -> None:
    uri = checked(client, folder)
    run = client.request("fairlead/run", about(uri, 2))
    assert run["result"]["verdict"] == "violated" and run["result"]["evidence"]["loop"]
    assert {step["event"] for step in run["steps"]} == {"turn"} and run["steps"][-1]["inLoop"]
    places = [place for step in run["steps"] for place in step["places"]]
    assert all(place["uri"] == uri and place["range"]["start"]["line"] == 1 for place in places) and places
    html = run["html"]
    assert "fl-timeline" in html["body"] and "<script" not in html["body"].replace(
        '<script type="application/json"', ""
    )
    assert "fairlead-step" in html["script"] and ".fairlead" in html["style"]
    assert html["files"] == [str(folder / "m.csp")] and "loop" in run["text"]


def test_places_move_with_the_text(client: Client, folder: Path) -> None:
    uri = checked(client, folder)
    run = client.request("fairlead/run", about(uri, 2))
    client.change(uri, 2, f"// one\n// two\n{CSP}")
    again = client.request("fairlead/run", about(uri, 4))
    assert {place["range"]["start"]["line"] for step in again["steps"] for place in step["places"]} == {3}
    where = {"id": run["id"], "file": str(folder / "m.csp"), "line": 2, "column": 7, "endColumn": 11}
    now = client.request("fairlead/place", where)
    assert now["uri"] == uri and now["range"]["start"] == {"line": 3, "character": 6}
    client.change(uri, 3, CSP.replace("turn", "flip"))
    assert client.request("fairlead/place", where) is None
    with pytest.raises(ServerError, match="no longer known"):
        client.request("fairlead/place", {**where, "id": "x"})


def test_the_notion_chooses_the_run(client: Client, folder: Path) -> None:
    uri = checked(client, folder)
    client.command("fairlead.check", about(uri, 2, fairness="ewf,esf"))
    assert client.request("fairlead/run", about(uri, 2))["result"]["fairness"] == "ewf"
    chosen = client.request("fairlead/run", about(uri, 2, fairness="none"))
    assert chosen["result"]["fairness"] == "none"
    assert client.request("fairlead/run", about(uri, 2, fairness="esf"))["result"]["verdict"] == "holds"
    with pytest.raises(ServerError, match="check it first"):
        client.request("fairlead/run", about(uri, 2, fairness="sgf"))


def test_clients_that_can_show_documents_are_given_a_page(folder: Path) -> None:
    window = {**CAPABILITIES["window"], "showDocument": {"support": True}}
    with served() as client:
        client.initialize(folder, {**CAPABILITIES, "window": window})
        client.answers["window/showDocument"] = {"success": True}
        uri = checked(client, folder)
        client.command("fairlead.showRun", about(uri, 2))
        shown = client.await_request("window/showDocument")
        page = Path(shown["uri"].removeprefix("file://"))
        assert shown["external"] and page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert not page.parent.exists()


def test_other_clients_are_told_in_words(client: Client, folder: Path) -> None:
    uri = checked(client, folder)
    client.command("fairlead.showRun", about(uri, 2))
    assert "loop" in client.await_notification("window/showMessage")["message"]


# ---------------------------------------------------------------- simulations


def test_a_simulation_is_stepped_through(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", CSP)
    begun = client.request("fairlead/simulation/begin", {"textDocument": {"uri": uri}, "process": "P()"})
    name = begun["simulation"]
    assert begun["state"]["step"] == 0 and "fl-timeline" in begun["html"]["body"] and begun["id"]

    def tell(command: str) -> Any:
        return client.request("fairlead/simulation/tell", {"simulation": name, "command": command})

    assert tell("turn")["state"]["steps"][0]["event"] == "turn"
    assert tell("why x")["why"]["kind"] == "why"
    wrong = tell("x")
    assert wrong["problems"][0]["code"] == "usage" and "state" not in wrong
    assert tell("back")["state"]["step"] == 0
    client.request("fairlead/simulation/end", {"simulation": name})
    assert tell("turn")["message"] == "there is no such simulation"


def test_a_simulation_follows_the_run_of_a_verdict(client: Client, folder: Path) -> None:
    uri = checked(client, folder)
    begun = client.request("fairlead/simulation/begin", about(uri, 2, replay=about(uri, 2)))
    assert begun["state"]["replay"]["next_event"] == "turn"


def test_what_cannot_be_simulated_is_told(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", "P() = a -> ;\n")
    begun = client.request("fairlead/simulation/begin", {"textDocument": {"uri": uri}, "process": "P()"})
    assert begun["problems"][0]["code"] == "syntax"
    for method, given in (("begin", {}), ("tell", {}), ("end", {"simulation": 7})):
        with pytest.raises(ServerError, match="expected"):
            client.request(f"fairlead/simulation/{method}", given)
