"""The type of the fixture `tune`, which changes numbers of `fairlead.base.tuning` until the end of a test."""

from __future__ import annotations

from typing import Protocol


class Tune(Protocol):
    """Changes numbers by their names, as in `tune(small_system=0)`."""

    def __call__(self, **changes: int | None) -> None: ...
