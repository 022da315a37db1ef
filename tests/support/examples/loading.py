"""Finds example models by name, and loads them, with the Python file beside them where they import it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import fairlead
from tests.support.places import ROOT


@cache
def find_example(name: str) -> Path:
    """The example with this file name, whichever theme it belongs to."""
    found = sorted((ROOT / "examples").rglob(name))
    assert len(found) == 1, f"{len(found)} examples have the name {name}"
    return found[0]


def load_example(file: str | Path, definitions: Mapping[str, object] | None = None) -> fairlead.Model:
    """The example of this name, or the model at this path relative to the repository."""
    path = ROOT / file if len(Path(file).parts) > 1 else find_example(str(file))
    beside = path.with_suffix(".py")
    is_imported = f'#import "{beside.name}"' in path.read_text(encoding="utf-8")
    return fairlead.load(path, definitions or {}, allow_python=[beside] if is_imported else [])
