"""Advice as a value: verdicts under the notions, sets of assumptions with reasons, what survives."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from fairlead.advice.assumption import Assumption, Strength
from fairlead.advice.grouping import Term, by_names, grouped
from fairlead.advice.notions import WEAKEST_FIRST, NotionVerdict
from fairlead.base.display import in_one_line, presenter
from fairlead.base.records import dataclass
from fairlead.evidence.evidence import Evidence
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.annotation import Annotated
from fairlead.outcome.finding import Statistics
from fairlead.search.assumptions import FairReach


class Outcome(Enum):
    """The conclusion; the value is for programs."""

    NOTHING_NEEDED = "nothing needed"
    ASSUMPTIONS = "assumptions"
    ONLY_GLOBAL = "only strong global fairness"
    NOTHING_HELPS = "nothing helps"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Without:
    """What returns if an assumption is left out: a counterexample that is fair to all the others.

    `instead` is the weak assumption that was made in the place of a strong one, if it was.
    """

    assumption: Assumption
    evidence: Evidence
    instead: Assumption | None = None

    @property
    def title(self) -> str:
        """The assumption that is dropped."""
        if self.instead is None:
            return f"without {self.assumption}"
        return f"with {self.instead} instead of {self.assumption}"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        data: dict[str, Any] = {"assumption": str(self.assumption)}
        if self.instead is not None:
            data["instead"] = str(self.instead)
        return {**data, "evidence": self.evidence.to_json()}


@dataclass(frozen=True)
class Subjects:
    """All the events and processes of a system, for names and patterns."""

    events: tuple[str, ...]
    processes: tuple[str, ...]

    @property
    def by_kind(self) -> dict[Subject, Collection[str]]:
        """As grouping wants them."""
        return {Subject.EVENTS: self.events, Subject.PROCESSES: self.processes}

    @property
    def ambiguous(self) -> frozenset[str]:
        """Names that an event and a process have."""
        return frozenset(self.events) & frozenset(self.processes)


@dataclass(frozen=True)
class AssumptionSet:
    """Assumptions under which the property holds, and of which none can be left out.

    `is_least` if no set costs less: strong assumptions cost more than any number of weak ones. `why` has for
    each of them what returns without it. `reach` tells from where executions can be as they demand, together
    with what is assumed anyway.
    """

    assumptions: tuple[Assumption, ...]
    subjects: Subjects
    is_least: bool
    reach: FairReach
    why: tuple[Without, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """The assumptions as a person would write them."""
        return grouped(self.assumptions, self.subjects.by_kind)

    @property
    def by_names(self) -> tuple[Term, ...] | None:
        """Shorter, but more than is needed: whole families, if that saves words."""
        terms = by_names(self.assumptions, self.subjects.by_kind)
        return terms if len(terms) < len(self.terms) else None

    @property
    def text(self) -> str:
        """The terms in one line."""
        return ", ".join(term.text for term in self.terms)

    @property
    def formula(self) -> str | None:
        """What to give to --fair; None if something has no name there."""
        if not all(assumption.can_be_written for assumption in self.assumptions):
            return None
        ambiguous = self.subjects.ambiguous
        return " && ".join(assumption.formula(ambiguous) for assumption in self.assumptions)

    @property
    def annotations(self) -> tuple[Annotated, ...] | None:
        """What can be written into a model; None if a process or an internal step is meant."""
        if any(one.subject is Subject.PROCESSES or not one.can_be_written for one in self.assumptions):
            return None
        return tuple(Annotated(one.name, one.strength.value) for one in self.assumptions)

    @property
    def strong_count(self) -> int:
        """How many of the assumptions are strong."""
        return sum(1 for assumption in self.assumptions if assumption.strength is Strength.STRONG)

    @property
    def equals(self) -> Fairness | None:
        """The named notion that demands the same, if there is one."""
        for notion in WEAKEST_FIRST:
            names = self.subjects.by_kind.get(notion.subject)
            strength = Strength.STRONG if notion.is_strong else Strength.WEAK
            if names is not None and set(self.assumptions) == {
                Assumption(notion.subject, name, strength) for name in names
            }:
                return notion
        return None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        data: dict[str, Any] = {
            "text": self.text,
            "assumptions": [
                {
                    "strength": assumption.strength.function,
                    "kind": "process" if assumption.subject is Subject.PROCESSES else "event",
                    "name": assumption.name,
                }
                for assumption in self.assumptions
            ],
            "formula": self.formula,
            "least": self.is_least,
            "feasible": self.reach is FairReach.EVERYWHERE,
            "vacuous": self.reach is FairReach.NOWHERE,
            "why": [without.to_json() for without in self.why],
        }
        if self.by_names is not None:
            data["by_names"] = ", ".join(term.text for term in self.by_names)
        if self.equals is not None:
            data["equals"] = self.equals.value
        return data


@dataclass(frozen=True)
class Advice:
    """Which fairness a property needs.

    `sets` are ranked, the best one first. `survivor` is a counterexample that is fair to every event and to
    every process, strongly; `prefix` one that is finite, against which no fairness helps. If a limit was
    reached, `reason` says which, and what is there is what was known by then.
    """

    assertion: str
    outcome: Outcome
    notions: tuple[NotionVerdict, ...]
    sets: tuple[AssumptionSet, ...]
    statistics: Statistics
    searches: int
    fair: str | None = None
    survivor: Evidence | None = None
    prefix: Evidence | None = None
    reason: str | None = None

    @property
    def best(self) -> AssumptionSet | None:
        """The first of the sets."""
        return self.sets[0] if self.sets else None

    @property
    def verdicts(self) -> Mapping[Fairness, NotionVerdict]:
        """What is known under each notion."""
        return {verdict.notion: verdict for verdict in self.notions}

    def __repr__(self) -> str:
        best = "" if self.best is None else f", such as {self.best.text}"
        return in_one_line(f"<Advice on {self.assertion}: {self.outcome.value}{best}>")

    def __str__(self) -> str:
        return presenter().text(self)

    def _repr_html_(self) -> str:
        return presenter().notebook(self)

    def to_html(self, title: str = "fairlead") -> str:
        """A page that stands alone."""
        return presenter().page(self, title)

    def save_html(self, path: str | os.PathLike[str], title: str = "fairlead") -> None:
        """Writes the page to a file, whole or not at all."""
        from fairlead.base.writing import write_whole  # rarely needed

        write_whole(Path(path), self.to_html(title))

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each set of assumptions, the best one first, for a data frame."""
        return [
            {
                "assertion": self.assertion,
                "assumptions": found.text,
                "weak": len(found.assumptions) - found.strong_count,
                "strong": found.strong_count,
                "least": found.is_least,
                "formula": found.formula,
            }
            for found in self.sets
        ]

    def to_json(self) -> dict[str, Any]:
        """For programs (docs/reference/json.md)."""
        data: dict[str, Any] = {
            "assertion": self.assertion,
            "outcome": self.outcome.value,
            **({} if self.fair is None else {"fair": self.fair}),
            "notions": [verdict.to_json() for verdict in self.notions],
            "sets": [found.to_json() for found in self.sets],
            "survivor": None if self.survivor is None else self.survivor.to_json(),
            "prefix": None if self.prefix is None else self.prefix.to_json(),
            "states": self.statistics.states,
            "transitions": self.statistics.transitions,
            "seconds": round(self.statistics.seconds, 6),
            "searches": self.searches,
        }
        if self.reason is not None:
            data["reason"] = self.reason
        return data
