"""Where the models of the tables are: among the examples, which come with fairlead."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from fairlead.base.shipped import shipped


def examples() -> Traversable:
    """The folder of examples: in the package where it is installed, next to `src` in a checkout."""
    return shipped("examples", "examples")
