"""What a demonstration needs besides its runs: formulas about all fair paths, and how they were judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fairlead.base.records import dataclass
from fairlead.evidence.actions import runs
from fairlead.evidence.explanation import Explanation
from fairlead.logic.ltl import Formula
from fairlead.logic.wording import spelt


@dataclass(frozen=True)
class Looked:
    """A formula at a position that no run shows; if it was not judged, why not."""

    formula: Formula
    position: int
    why_not: str | None


@dataclass(frozen=True)
class LookedAt:
    """A formula, as text, with all positions where it was needed."""

    formula: str
    positions: tuple[int, ...]
    why_not: str | None

    def text(self) -> str:
        """In words."""
        listed = ", ".join(
            str(first) if first == last else f"{first}–{last}" for first, last in runs(self.positions)
        )
        steps = "step" if len(self.positions) == 1 else "steps"
        where = "at the start" if self.positions == (0,) else f"after {steps} {listed}"
        if self.why_not is None:
            return f"{self.formula} {where}: true, judged on all reachable states"
        return f"{self.formula} {where}: not judged independently ({self.why_not})"


@dataclass(frozen=True)
class UniversalParts(Explanation):
    """Formulas that hold where the runs need them, though no run shows it."""

    entries: tuple[LookedAt, ...]

    @classmethod
    def of(cls, looked: Iterable[Looked]) -> UniversalParts:
        """Positions put together by formula."""
        positions: dict[tuple[Formula, str | None], set[int]] = {}
        for entry in looked:
            positions.setdefault((entry.formula, entry.why_not), set()).add(entry.position)
        return cls(
            tuple(
                LookedAt(spelt(formula), tuple(sorted(where)), why_not)
                for (formula, why_not), where in positions.items()
            )
        )

    def lines(self) -> Iterator[str]:
        """A line for each formula."""
        for entry in self.entries:
            yield entry.text()

    def to_json(self) -> dict[str, Any]:
        """The formulas with their positions, those not judged with the reason."""
        return {
            "kind": "universal",
            "judged": [
                {"formula": entry.formula, "positions": list(entry.positions)}
                for entry in self.entries
                if entry.why_not is None
            ],
            "not_judged": [
                {"formula": entry.formula, "positions": list(entry.positions), "reason": entry.why_not}
                for entry in self.entries
                if entry.why_not is not None
            ],
        }
