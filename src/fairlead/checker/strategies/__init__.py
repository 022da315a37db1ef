"""Collects the ways to answer a question, one module for each, which has it as `STRATEGY`.

`CheckOptions.strategy` names the module, so that only the strategies that are used are loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.checker.strategies.strategy import Resources, Strategy


def strategy_named(module: str, resources: Resources) -> Strategy:
    """The strategy in a module of this package, for one model."""
    found: Strategy = import_module(f"fairlead.checker.strategies.{module}").STRATEGY(resources)
    return found
