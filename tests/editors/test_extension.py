"""The extension's own tests, run by Node; its manifest; and the lock file of its packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairlead.base.version import __version__
from fairlead.lang.registry import SUFFIXES
from fairlead.lsp.commands import COMMANDS
from fairlead.lsp.settings import Settings
from fairlead.service.requests import DEFAULT_LIMITS
from tests.support.places import ROOT

EXTENSION = ROOT / "editors/vscode"
LONGEST = 600
INSTALLED = "needs what 'make vscode' installs"


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.skipif(not (EXTENSION / "node_modules").is_dir(), reason=INSTALLED)
@pytest.mark.skipif(os.name != "posix", reason="looks at processes with ps")
def test_the_extension_does_what_it_should(tmp_path: Path) -> None:
    """The bundle with a fake editor and the real server; and the parts that need no editor."""
    command = [sys.executable, "-P", "-m", "fairlead", "lsp"]
    ran = subprocess.run(
        ["npm", "test", "--silent"],
        cwd=EXTENSION,
        env={**os.environ, "FAIRLEAD_LSP": json.dumps(command), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-10_000:] + ran.stderr[-2000:]
    assert re.search(r"^# skipped 0$", ran.stdout, re.MULTILINE), ran.stdout[-2000:]
    assert list(tmp_path.glob("fairlead-*")) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.skipif(not (EXTENSION / "node_modules").is_dir(), reason=INSTALLED)
def test_its_types_are_right() -> None:
    command = ["npm", "run", "--silent", "types"]
    ran = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_it_has_the_version_of_fairlead() -> None:
    assert manifest()["version"] == __version__
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["version"] == lock["packages"][""]["version"] == __version__


def test_no_package_is_fetched_from_a_place_that_is_written_down() -> None:
    lock = (EXTENSION / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "omit-lockfile-registry-resolved=true" in (EXTENSION / ".npmrc").read_text(encoding="utf-8")


def test_the_files_that_the_manifest_names_are_there() -> None:
    gives = manifest()["contributes"]
    named = [one["configuration"] for one in gives["languages"]]
    named += [one["path"] for kind in ("grammars", "snippets") for one in gives[kind]]
    for name in named:
        assert json.loads((EXTENSION / name).read_text(encoding="utf-8")), name
    for grammar in gives["grammars"]:
        scope = json.loads((EXTENSION / grammar["path"]).read_text(encoding="utf-8"))["scopeName"]
        assert scope == grammar["scopeName"]


def test_its_languages_are_those_that_people_write() -> None:
    suffixes = {suffix for one in manifest()["contributes"]["languages"] for suffix in one["extensions"]}
    assert suffixes == {".csp", ".lts"} <= set(SUFFIXES)


def test_its_commands_are_not_those_of_the_server() -> None:
    """The language client registers the commands of the server under their names."""
    own = {one["command"] for one in manifest()["contributes"]["commands"]}
    assert own and not own & set(COMMANDS)


def test_the_limits_that_it_shows_are_those_of_the_server() -> None:
    shown = manifest()["contributes"]["configuration"]["properties"]
    names = ("timeout", "maxMemory", "maxStates")
    limits = {name: shown[f"fairlead.limits.{name}"]["default"] for name in names}
    assert Settings().changed({"limits": limits}).limits == DEFAULT_LIMITS


@pytest.mark.parametrize("language", ["csp", "fsp"])
def test_what_snippets_write_can_be_read(language: str) -> None:
    """With their proposals in the places to fill in, each is right but for names that are not declared."""
    from fairlead.lang.registry import editing_of

    suffix = {"csp": ".csp", "fsp": ".lts"}[language]
    editing = editing_of(suffix)
    assert editing is not None
    snippets = json.loads((EXTENSION / f"snippets/{language}.json").read_text(encoding="utf-8"))
    for name, snippet in snippets.items():
        text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", "\n".join(snippet["body"]))
        analysis = editing.analyse(text, lambda name: None)
        assert analysis.symbols or analysis.questions, name
        assert not any(symbol.is_broken for symbol in analysis.symbols), f"{name}: {text}"
