"""The place where the commands of these tests run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.faults.commands import COMMANDS
from tests.support.faults.running import Place


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """State and cache of the commands, with the key and the parse tables that the first command makes."""
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("first")
    place = Place(folder, home, "")
    place.prepare(COMMANDS["check"])
    status, out, err = place.run("check", "m.csp", "--json")
    assert status == 1, err
    (home / "found.json").write_text(out, encoding="utf-8")
    return home


@pytest.fixture
def place(tmp_path: Path, home: Path) -> Place:
    """A folder of its own."""
    return Place(tmp_path, home, (home / "found.json").read_text(encoding="utf-8"))
