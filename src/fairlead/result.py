"""The result of a check: what was asked, the verdict, the evidence and the statistics."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from fairlead.check.finding import Statistics, Verdict
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.text import evidence_lines
from fairlead.logic.fairness import Fairness


@dataclass(frozen=True)
class Result:
    """One assertion under one notion of fairness, answered.

    `evidence` is a counterexample of a violated assertion or the witness of a `reaches` that holds.
    `reason` says why a verdict is unknown. `objective` is the quantity whose best value was asked for, as
    text, and `optimum` that value.
    """

    assertion: str
    fairness: Fairness
    verdict: Verdict
    evidence: Evidence | None
    statistics: Statistics
    reason: str | None = None
    method: str = ""
    objective: str | None = None
    optimum: int | None = None

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS

    def __str__(self) -> str:
        lines = [self.headline]
        if self.evidence is not None:
            lines += evidence_lines(self.evidence)
        return "\n".join(lines)

    @property
    def headline(self) -> str:
        """Question and verdict in one line."""
        because = f" ({self.reason})" if self.reason else ""
        if self.optimum is not None:
            because = f": {self.objective} = {self.optimum}"
        return f"{self.assertion}  [{self.fairness.value}]  {self.verdict.value}{because}"

    def to_json(self) -> dict[str, Any]:
        """The result for programs (docs/evidence.md)."""
        data: dict[str, Any] = {
            "assertion": self.assertion,
            "fairness": self.fairness.value,
            "verdict": self.verdict.value,
            "states": self.statistics.states,
            "transitions": self.statistics.transitions,
            "seconds": round(self.statistics.seconds, 6),
            "memory_bytes": self.statistics.memory_bytes,
            "product_nodes": self.statistics.product_nodes,
            "evidence": None if self.evidence is None else self.evidence.to_json(),
        }
        if self.optimum is not None:
            data["optimum"] = self.optimum
        if self.reason:
            data["reason"] = self.reason
        return data

    def __rich__(self) -> str:
        colour = {Verdict.HOLDS: "green", Verdict.VIOLATED: "red", Verdict.UNKNOWN: "yellow"}
        from rich.markup import escape

        head, *rest = str(self).splitlines()
        return "\n".join([f"[{colour[self.verdict]}]{escape(head)}[/]", *map(escape, rest)])

    def _repr_html_(self) -> str:
        colour = {Verdict.HOLDS: "#1a7f37", Verdict.VIOLATED: "#cf222e", Verdict.UNKNOWN: "#9a6700"}
        head, *rest = str(self).splitlines()
        body = html.escape("\n".join(rest))
        return f'<div><b style="color:{colour[self.verdict]}">{html.escape(head)}</b><pre>{body}</pre></div>'
