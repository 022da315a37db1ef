"""Keeps the old names of modules that have moved since the manual of 0.1 working, with a warning."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: the old name of a module or package, and the new one
MOVED: Mapping[str, str] = {
    "fairlead.drawing": "fairlead.present.draw",
    "fairlead.check.events": "fairlead.outcome.events",
    "fairlead.check": "fairlead.search",
}


class _MovedFinder:
    """Asked before all others: the path of a package that has moved would lead to copies of its modules."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if _new_name(name) is None:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, _MovedLoader())  # type: ignore[arg-type]


class _MovedLoader:
    """Gives a module that is loaded under its new name."""

    _own_spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        import warnings
        from importlib import import_module

        new = _new_name(spec.name)
        assert new is not None
        warnings.warn(f"{spec.name} is {new} now", DeprecationWarning, stacklevel=2)
        module = import_module(new)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has been executed; importing it under another name must not change what it knows of itself."""
        module.__spec__ = self._own_spec


def _new_name(name: str) -> str | None:
    for old, new in MOVED.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None


def install_moved_modules() -> None:
    """Lets the old names be imported."""
    if not any(isinstance(finder, _MovedFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _MovedFinder())
