"""The stub of the engine is the one that `make stub` writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
STUB = REPOSITORY / "src" / "fairlead" / "engine" / "_native.pyi"


def test_the_stub_describes_the_module(tmp_path: Path) -> None:
    made = tmp_path / STUB.name
    python = [sys.executable, "-m"]
    module = ["--module", "fairlead.engine._native", "--output-file", str(made)]
    subprocess.run([*python, "nanobind.stubgen", "--quiet", *module], check=True)
    settings = ["--config", str(REPOSITORY / "pyproject.toml")]
    subprocess.run([*python, "ruff", "format", "--quiet", *settings, str(made)], check=True)
    assert made.read_text(encoding="utf-8") == STUB.read_text(encoding="utf-8"), "run 'make stub'"
