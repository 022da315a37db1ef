"""What is in the folder is read and written, and nothing else."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from fairlead.studio.folder import Folder, Refused, version_of
from tests.support.studio.studios import MODEL, asked, studio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    (place / "ring").mkdir(parents=True)
    (place / "m.csp").write_text(MODEL)
    (place / "ring" / "r.lts").write_text("R = (a -> R).\n")
    (place / "data.json").write_text('{"key": 1}')
    (place / "graph.json").write_text('{"states": 1, "initial": 0, "transitions": []}')
    (place / ".hidden.csp").write_text(MODEL)
    (place / "notes.txt").write_text("private")
    (tmp_path / "outside.csp").write_text("// secret\n")
    return place


def test_models_are_listed_and_nothing_else(folder: Path) -> None:
    assert Folder(folder).names() == ["graph.json", "m.csp", "ring/r.lts"]


@pytest.mark.parametrize(
    "name",
    [
        "../outside.csp",
        "ring/../../outside.csp",
        "/etc/passwd",
        "..",
        ".",
        "",
        "ring//r.lts",
        "./m.csp",
        "ring\\r.lts",
        "C:/m.csp",
        "m.csp\0",
        "notes.txt",
        "ring",
        "x" * 2000 + ".csp",
        None,
        7,
        ["m.csp"],
        "%2e%2e/outside.csp/../../outside.csp",
    ],
)
def test_names_that_are_refused(folder: Path, name: Any) -> None:
    with pytest.raises(Refused):
        Folder(folder).path(name)


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_lead_nowhere_else(folder: Path) -> None:
    (folder / "link.csp").symlink_to(folder.parent / "outside.csp")
    (folder / "all").symlink_to(folder.parent)
    (folder / "round").symlink_to(folder / "round")
    (folder / "inside.csp").symlink_to(folder / "m.csp")
    found = Folder(folder)
    assert "link.csp" not in found.names() and "inside.csp" in found.names()
    for name in ("link.csp", "all/outside.csp", "round/m.csp", "all/models/../outside.csp"):
        with pytest.raises(Refused):
            found.read(name)
    assert found.read("inside.csp").text == MODEL


@pytest.mark.parametrize(
    "path",
    [
        "/api/file?name=..%2Foutside.csp",
        "/api/file?name=%2e%2e/outside.csp",
        "/api/file?name=..%252Foutside.csp",
        "/api/questions?name=..%2Foutside.csp",
        "/assets/..%2Fguard.py",
        "/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/assets/../guard.py",
        "/../outside.csp",
        "/models/m.csp",
    ],
)
def test_encoded_addresses_lead_nowhere_else(folder: Path, path: str) -> None:
    with studio(folder) as client:
        answer = client.get(path)
        assert (
            answer.status_code in (400, 403, 404)
            and "secret" not in answer.text
            and "import" not in answer.text
        )


def test_what_others_wrote_meanwhile_stays(folder: Path) -> None:
    found = Folder(folder)
    before = found.read("m.csp")
    (folder / "m.csp").write_text("// by another\n")
    with pytest.raises(Refused) as refused:
        found.write("m.csp", "// mine\n", before.version)
    assert refused.value.status == 409 and refused.value.details["text"] == "// by another\n"
    assert (folder / "m.csp").read_text() == "// by another\n"
    saved = found.write("m.csp", "// mine\n", refused.value.details["version"])
    assert (folder / "m.csp").read_text() == "// mine\n" and saved.version == version_of("// mine\n")
    with pytest.raises(Refused):
        found.write("m.csp", "// new\n", None)  # there is a model of this name
    found.write("new/deep.csp", MODEL, None)
    assert found.read("new/deep.csp").text == MODEL


def test_a_text_is_saved_whole_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    found = Folder(folder)
    version = found.read("m.csp").version
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left"):
        found.write("m.csp", "half", version)
    assert (folder / "m.csp").read_text() == MODEL
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == [".hidden.csp"]


def test_random_names_stay_below(folder: Path) -> None:
    """Whatever is put together, a path that is accepted is below the folder."""
    generator = random.Random(24)
    parts = ["..", ".", "ring", "m.csp", "r.lts", "", "~", "a b", "%2e%2e", "\\..", "é", "..csp", "/", "…"]
    found = Folder(folder)
    accepted = 0
    for _ in range(3000):
        name = generator.choice(["/", "", ""]).join(generator.choice(parts) for _ in range(3)) or "/"
        name = (
            "/".join(generator.choice(parts) for _ in range(generator.randint(1, 5)))
            if len(name) % 2
            else name
        )
        try:
            path = found.path(name)
        except Refused:
            continue
        accepted += 1
        assert path.is_relative_to(folder.resolve())
    assert accepted > 20


def test_a_model_is_read_as_it_was_last_edited(folder: Path) -> None:
    with studio(folder) as client:
        known = asked(client, "GET", "/api/file", name="m.csp")
        assert known["text"] == MODEL and known["draft"] is None
        text = MODEL.replace("deadlockfree", "nonterminating")
        found = asked(client, "PUT", "/api/draft", {"name": "m.csp", "text": text, "base": known["version"]})
        assert [one["text"] for one in found["questions"]][1] == "P() nonterminating"
        assert (folder / "m.csp").read_text() == MODEL
    with studio(folder) as client:  # the studio was started again
        again = asked(client, "GET", "/api/file", name="m.csp")
        assert again["draft"] == text and again["base"] == known["version"]
        saved = asked(client, "PUT", "/api/file", {"name": "m.csp", "text": text, "version": again["base"]})
        assert (folder / "m.csp").read_text() == text and saved["version"] == version_of(text)
        assert asked(client, "GET", "/api/file", name="m.csp")["draft"] is None
