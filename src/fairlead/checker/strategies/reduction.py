"""Ways to look at fewer states without changing the answer."""

from __future__ import annotations

from enum import Enum

from fairlead.base.diagnostics import Code, input_error


class Reduction(Enum):
    """A reduction; the value is how it is called on the command line."""

    NONE = "none"
    PARTIAL_ORDER = "por"
    SYMMETRY = "symmetry"


def parse_reduction(name: str | Reduction) -> Reduction:
    """The reduction with a name."""
    try:
        return Reduction(name)
    except ValueError:
        known = ", ".join(reduction.value for reduction in Reduction)
        raise input_error(Code.USAGE, f"unknown reduction '{name}'; known are {known}") from None
