"""Simulations of the studio, over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.studio.studios import MODEL, asked, studio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    (place / "m.csp").write_text(MODEL)
    return place


def test_a_simulation_is_told_what_to_do(folder: Path) -> None:
    with studio(folder) as client:
        begun = asked(client, "POST", "/api/simulations", {"name": "m.csp", "process": "P()"})
        path = f"/api/simulations/{begun['simulation']}"
        assert [one["event"] for one in begun["state"]["enabled"]] == ["turn"]
        assert begun["state"]["disabled"] == [
            {"process": "P()", "event": "b", "because": begun["state"]["disabled"][0]["because"]}
        ]
        state = asked(client, "POST", path, {"command": "1"})["state"]
        assert state["step"] == 1 and state["state"]["variables"] == {"on": True}
        assert "message" in asked(client, "POST", path, {"command": "nonsense"})
        assert "message" in asked(client, "POST", path, {"command": {"what": 1}})
        assert "message" in asked(client, "POST", path, {"command": [1]})
        asked(client, "DELETE", path)
        assert "no such simulation" in asked(client, "POST", path, {"command": "1"})["message"]


def test_a_simulation_is_about_the_text_as_it_is_edited(folder: Path) -> None:
    with studio(folder) as client:
        edited = {"name": "m.csp", "text": MODEL.replace("turn", "switch"), "base": None}
        asked(client, "PUT", "/api/draft", edited)
        begun = asked(client, "POST", "/api/simulations", {"name": "m.csp", "process": "P()"})
        assert [one["event"] for one in begun["state"]["enabled"]] == ["switch"]
        asked(client, "PUT", "/api/draft", {**edited, "text": "P( = "})
        assert asked(client, "POST", "/api/simulations", {"name": "m.csp"})["message"]


def test_nothing_is_written_by_a_simulation(folder: Path) -> None:
    with studio(folder) as client:
        begun = asked(client, "POST", "/api/simulations", {"name": "m.csp", "process": "P()"})
        path = f"/api/simulations/{begun['simulation']}"
        asked(client, "POST", path, {"command": f"save {folder / 'stolen.txt'}"})
        assert sorted(one.name for one in folder.iterdir()) == ["m.csp"]
