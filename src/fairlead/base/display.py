"""How values show themselves, without knowing how that is done.

Results, evidence, graphs and simulations can be printed and displayed in a notebook, but what is said about
them is written in one place, `present/`, which comes after all of them. So the package installs the presenter
when it is imported, and values ask for it here. The presenter is loaded when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Presenter(Protocol):
    """What renders values for people."""

    def text(self, value: object) -> str:
        """The value as plain text, for `print`."""
        ...

    def notebook(self, value: object) -> str:
        """The value as the output of a notebook's cell."""
        ...

    def page(self, value: object, title: str) -> str:
        """The value as an HTML page that stands alone."""
        ...


_load: Callable[[], Presenter] | None = None


def install_presenter(load: Callable[[], Presenter]) -> None:
    """Says where the presenter comes from."""
    global _load
    _load = load


def presenter() -> Presenter:
    """The presenter that was installed."""
    assert _load is not None, "importing fairlead installs the presenter"
    return _load()
