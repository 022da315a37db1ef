"""Where the models of the tables are: among the examples, which an installation has as package data."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def examples() -> Traversable:
    """The folder of examples: in the package where it is installed, beside `src` in a checkout."""
    installed = files("fairlead") / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples"
