"""Random cases: all of them, or in the fast tier (`pytest --fast`) the first few."""

from __future__ import annotations

from collections.abc import Sequence

_is_sample = False


def draw_samples() -> None:
    """From now on only few cases run; called once, when pytest starts."""
    global _is_sample
    _is_sample = True


def is_sample() -> bool:
    """Whether only few cases run. Then not everything that is among all cases need be among them."""
    return _is_sample


def some(seeds: Sequence[int], few: int = 3) -> Sequence[int]:
    """The seeds, or the first few of them."""
    return seeds[:few] if _is_sample else seeds
