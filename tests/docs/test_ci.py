"""The workflow in the page on CI is one: its steps run, and do what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.support.places import ROOT

(PAGE,) = (ROOT / "docs").rglob("ci.md")
MODELS = ["token_ring.csp", "peterson.csp", "readers_writers.lts"]


def workflow() -> dict[str, Any]:
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = yaml.safe_load(block)
    return found


def steps() -> list[dict[str, Any]]:
    (job,) = workflow()["jobs"].values()
    return list(job["steps"])


def test_the_workflow_has_what_github_wants() -> None:
    found = workflow()
    assert found[True].keys() == {"push", "pull_request"}  # YAML 1.1 takes `on` for a truth value
    assert found["permissions"]["security-events"] == "write"  # or else nothing can be uploaded
    for step in steps():
        assert ("uses" in step) != ("run" in step)
        assert re.fullmatch(r"[\w-]+(/[\w-]+)+@v\d+", step.get("uses", "a/b@v1"))
    for step in steps()[-2:]:
        assert step["if"] == "always()"  # above all if a model has failed


def checking() -> str:
    (script,) = (step["run"] for step in steps() if "fairlead check" in step.get("run", ""))
    return str(script)


def run_step(folder: Path, models: list[str]) -> subprocess.CompletedProcess[str]:
    (folder / "models").mkdir()
    for name in models:
        (found,) = (ROOT / "examples").rglob(name)
        shutil.copy(found, folder / "models" / name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # as GitHub does it
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", checking()]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("models", [MODELS[:1], MODELS], ids=["one", "several"])
def test_the_models_are_checked(tmp_path: Path, models: list[str]) -> None:
    done = run_step(tmp_path, models)
    wrong = 0
    for name in models:
        suites = ElementTree.parse(tmp_path / "reports" / f"{name}.xml").getroot()
        log = json.loads((tmp_path / "reports" / f"{name}.sarif").read_text(encoding="utf-8"))
        places = {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for result in log["runs"][0]["results"]
        }
        assert places <= {f"models/{name}"}
        assert bool(places) == bool(int(suites[0].attrib["failures"])), name
        wrong += bool(places)
    assert done.returncode == (1 if wrong else 0), done.stderr
    assert done.stdout.count("::group::") == len(models)
