"""Loads example models, with the Python file beside them where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import fairlead

ROOT = Path(__file__).parents[2]


def load_example(path: str | Path, definitions: Mapping[str, object] | None = None) -> fairlead.Model:
    """The example in a file, given relative to the repository."""
    beside = (ROOT / path).with_suffix(".py")
    return fairlead.load(ROOT / path, definitions or {}, allow_python=[beside] if beside.exists() else [])
