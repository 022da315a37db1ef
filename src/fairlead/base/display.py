"""How values show themselves, without knowing how that is done.

Results, evidence, graphs and simulations can be printed and displayed in a notebook, but what to say about
them is written in one place, `present/`, which comes after all of them. So the package installs the presenter
when it is imported, and values ask for it here. The presenter is loaded when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Sentences(Protocol):
    """The text about a result."""

    @property
    def headline(self) -> str:
        """Question and verdict in one line."""
        ...

    @property
    def blame(self) -> str | None:
        """The reason, with the process or property that was violated."""
        ...

    @property
    def note(self) -> str | None:
        """What cannot be satisfied."""
        ...

    @property
    def vacuity_note(self) -> str | None:
        """The trivial reason why it holds."""
        ...

    @property
    def notes(self) -> list[str]:
        """All that is worth knowing besides."""
        ...


class Presenter(Protocol):
    """What renders values for people and programs."""

    def said(self, value: object) -> Sentences:
        """The text about a result."""
        ...

    def json(self, value: object) -> dict[str, Any]:
        """The value for programs."""
        ...

    def text(self, value: object) -> str:
        """The value as plain text, for `print`."""
        ...

    def notebook(self, value: object) -> str:
        """The value as the output of a notebook's cell."""
        ...

    def page(self, value: object, title: str) -> str:
        """The value as an HTML page that stands alone."""
        ...


#: what `repr` shows is cut here
WIDEST = 100


def in_one_line(text: str) -> str:
    """A text for `repr`: in one line, cut in the middle if it is long."""
    line = " ".join(text.split())
    if len(line) <= WIDEST:
        return line
    return f"{line[: WIDEST - 20]} … {line[-17:]}"


_load: Callable[[], Presenter] | None = None


def install_presenter(load: Callable[[], Presenter]) -> None:
    """Says where the presenter comes from."""
    global _load
    _load = load


def presenter() -> Presenter:
    """The presenter that was installed."""
    assert _load is not None, "importing fairlead installs the presenter"
    return _load()
