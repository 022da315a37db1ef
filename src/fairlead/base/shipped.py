"""Finds the folders that come with fairlead: package data, or their place in a checkout."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_CHECKOUT = Path(__file__).parents[3]


def shipped(installed: str, in_checkout: str) -> Traversable:
    """A folder by its name in the package, and by its name in a checkout, which counts where there is one."""
    beside = _CHECKOUT / in_checkout
    if (_CHECKOUT / "pyproject.toml").is_file() and beside.is_dir():
        return beside
    return files("fairlead") / installed
