"""The studio in a headless Chromium, driven by playwright-core: as people use it, on desktop and phone.

The first ten minutes run by default, the others are `long`. Skipped without node, the packages of studio/web
(`npm ci`), a browser, or the page that `make studio-page` builds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

import fairlead.studio.app
from tests.support.places import ROOT
from tests.support.studio.studios import started

WEB = ROOT / "studio" / "web"
#: seconds that a scenario may take before it is given up, on a machine with much other work
PATIENCE = 400.0
SWITCH = "SWITCH = (on -> off -> SWITCH).\n||TWO = (a:SWITCH || b:SWITCH).\n"


def missing() -> str | None:
    """Why there is no browser to drive, or None."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (WEB / "node_modules" / "playwright-core").is_dir():
        return "the packages of studio/web are not installed (make studio-page)"
    if browser() is None:
        return "no Chromium is installed (tests/support/html/browser_setup installs it, as root on Debian)"
    return None if fairlead.studio.app.built() else "the page is not built (make studio-page)"


def browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    return place


def filled(folder: Path) -> Path:
    examples = ROOT / "examples"
    shutil.copy(examples / "mutual_exclusion" / "peterson.csp", folder)
    shutil.copy(examples / "philosophers" / "dining_philosophers.csp", folder / "philosophers.csp")
    (folder / "switch.lts").write_text(SWITCH)
    return folder


def drive(scenario: str, address: str, *given: str) -> subprocess.Popen[str]:
    command = ["node", str(WEB / "tests" / "browser.mjs"), scenario, address, *given]
    environment = {**os.environ, "FAIRLEAD_CHROMIUM": browser() or ""}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=WEB,
    )


def succeeds(scenario: str, folder: Path, *given: str) -> None:
    with started(folder, folder.parent / "cache") as (_, address):
        process = drive(scenario, address, *given)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        assert process.returncode == 0 and out.strip() == "done", err


@pytest.mark.parametrize(
    ("size", "colours"),
    [
        ("desktop", "light"),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.long),
        pytest.param("phone", "light", marks=pytest.mark.long),
    ],
)
def test_the_first_ten_minutes_of_a_newcomer(folder: Path, size: str, colours: str) -> None:
    succeeds("newcomer", folder, size, colours)
    assert "look.i" not in (folder / "printer.csp").read_text()


@pytest.mark.long
def test_by_keyboard_alone(folder: Path) -> None:
    succeeds("keyboard", filled(folder))


@pytest.mark.long
@pytest.mark.parametrize(("size", "colours"), [("desktop", "light"), ("phone", "dark")])
def test_there_are_no_serious_accessibility_issues(folder: Path, size: str, colours: str) -> None:
    succeeds("accessibility", filled(folder), size, colours)


@pytest.mark.long
def test_graphs_of_every_size(folder: Path) -> None:
    succeeds("graphs", filled(folder))


@pytest.mark.long
def test_a_reload_midway_and_a_studio_that_is_killed_and_started_again(folder: Path) -> None:
    """Nothing is lost: neither what was written, nor what was found out."""
    cache = folder.parent / "cache"
    with started(filled(folder), cache) as (studio, address):
        port = int(address.split(":")[2].split("/")[0])
        process = drive("trouble", address)
        try:
            lines = told(process.stdout)
            assert next(lines, None) == "kill", process.stderr and process.stderr.read()
            studio.kill()
            studio.wait()
            assert next(lines, None) == "restart", process.stderr and process.stderr.read()
            with started(folder, cache, port=port) as (_, again):
                assert process.stdin is not None
                process.stdin.write(f"{again}\n")
                process.stdin.flush()
                _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
        assert process.returncode == 0, err


def told(stream: IO[str] | None) -> Iterator[str]:
    assert stream is not None
    while line := stream.readline():
        yield line.strip()
