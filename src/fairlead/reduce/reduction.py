"""Ways to look at fewer states without changing the answer."""

from __future__ import annotations

from enum import Enum


class Reduction(Enum):
    """A reduction; the value is how it is called on the command line."""

    NONE = "none"
    PARTIAL_ORDER = "por"
    SYMMETRY = "symmetry"
