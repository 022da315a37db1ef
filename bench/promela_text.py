"""Pieces of Promela text: a model, one indivisible step, a process that goes round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Promela:
    """A system, how many processes run at once, and its properties by name."""

    text: str
    processes: int
    properties: Mapping[str, str] = field(default_factory=dict)

    def source(self, asked: str | None) -> str:
        """The model with the property that is asked about."""
        return self.text + ("" if asked is None else f"ltl p {{ {self.properties[asked]} }}\n")


def step(guard: str, *updates: str) -> str:
    """One indivisible step: wait for the guard, then do the updates."""
    return f"d_step {{ {guard} -> {'; '.join(updates) or 'skip'} }}"


def cycle(name: str, steps: list[str]) -> str:
    """A process that does the steps in order, forever, and exists from the start."""
    body = ";\n    ".join(steps)
    return f"active proctype {name}() {{\n  do\n  :: {body}\n  od\n}}\n"
