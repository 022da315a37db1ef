"""What a check tells while it works: how far it is, and how it goes about it. Others show it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, runtime_checkable

from fairlead.base.records import dataclass


class Phase(StrEnum):
    """What is being done; the value says it to people."""

    READING = "reading the model"
    PREPARING = "preparing the system"
    TRANSLATING = "translating the formula"
    RESUMING = "reading the checkpoint"
    EXPLORING = "exploring"
    DIVING = "diving"
    WALKING = "walking"
    ANNOTATIONS = "reading annotations"
    FAIR_EXECUTIONS = "searching for fair executions"
    PREFIX = "searching for a bad prefix"
    CYCLE = "searching for a fair cycle"
    LASSO = "building the lasso"
    SURVEYING = "surveying all violations"
    SCANNING = "examining steps"
    COMPARING = "comparing with the specification"
    TERMINAL_SETS = "searching for terminal sets"
    PROGRESS = "judging progress"
    LABELLING = "labelling"
    DEMONSTRATING = "searching for evidence"
    LISTING = "listing states"
    MINIMISING = "minimising"
    SAVING = "writing the checkpoint"
    JUDGING = "judging the evidence"
    TRIVIALITY = "searching for trivial reasons"
    COVERAGE = "counting what is executed"
    CERTIFYING = "writing the certificate"
    STEPPING = "stepping through the model"
    WRITING = "writing what was found"


@dataclass(frozen=True)
class Progress:
    """How far a check is: sent when a phase begins, and now and then while it lasts.

    `depth` is how many steps the states that are being explored lie from the start: all that are nearer have
    been. `nodes` are what a search has visited, such as states of the system paired with those of an
    automaton. `memory_limit` is the limit that was set, if any.
    """

    phase: Phase
    states: int
    transitions: int
    memory_bytes: int
    seconds: float
    depth: int = 0
    nodes: int = 0
    memory_limit: int | None = None


Reporter = Callable[[Progress], None]


# ---------------------------------------------------------------- how it is done


@dataclass(frozen=True)
class Translated:
    """The automaton that accepts what violates a formula."""

    states: int
    transitions: int
    acceptance_sets: int
    strength: str


@dataclass(frozen=True)
class Way:
    """A way that was taken, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Tables:
    """What the graph of a system takes, in bytes, after a search; `used` is all that the engine holds.

    `depth` is how many steps the states that were explored last lie from the start.
    """

    records: int
    table: int
    parents: int
    transitions: int
    used: int
    depth: int


Note = Translated | Way | Tables


@runtime_checkable
class Listener(Protocol):
    """A reporter that wants to know as well how a question is answered."""

    def __call__(self, progress: Progress) -> None:
        """Hears how far a check is."""
        ...

    def note(self, note: Note) -> None:
        """Hears how it is done."""
        ...
