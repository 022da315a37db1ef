"""What evidence shows besides its run, in words and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairlead.base.records import dataclass
from fairlead.evidence.exclusion import Exclusion

LOOP_TITLE = "loop (repeats forever):"


@dataclass(frozen=True)
class Explanation:
    """Why a run is evidence, computed on the reference semantics; subclasses have the explanation."""

    def lines(self) -> Iterator[str]:
        """For people."""
        raise AssertionError(type(self))

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        raise AssertionError(type(self))

    @property
    def reason(self) -> str | None:
        """What is wrong, in one word, where there is one for it."""
        return None

    @property
    def blames(self) -> str | None:
        """The process or property that was violated, if it is one."""
        return None

    @property
    def exclusion(self) -> Exclusion | None:
        """What would have excluded the executions that are claimed, if that is not a matter of the run."""
        return None

    @property
    def is_about_set(self) -> bool:
        """Whether the run ends in a set of states, and its loop is one of many there: it need not be fair."""
        return False

    @property
    def loop_title(self) -> str:
        """What the loop of the run is called."""
        return LOOP_TITLE
