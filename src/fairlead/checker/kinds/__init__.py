"""Kinds of questions, one module for each, which has it as `KIND`.

A question names its module (`kind` in model/assertion.py), so that only the kinds that are asked are loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fairlead.checker.kinds.kind import Kind
from fairlead.model.assertion import Assertion

#: modules of this package that are not kinds
_HELPERS = {"kind", "sight", "triviality"}


def kind_of(question: Assertion) -> Kind[Any]:
    """The kind of a question."""
    return kind_named(question.kind)


def kind_named(module: str) -> Kind[Any]:
    """The kind in a module of this package."""
    found: Kind[Any] = import_module(f"fairlead.checker.kinds.{module}").KIND
    return found


def all_kinds() -> tuple[Kind[Any], ...]:
    """Every kind there is."""
    from pkgutil import iter_modules  # rarely needed

    names = (module.name for module in iter_modules(__path__) if module.name not in _HELPERS)
    return tuple(map(kind_named, names))
