"""Defines the result of a check: the question, the verdict, the evidence and the statistics."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.display import in_one_line, presenter
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.checker.certificates.file import Certified
from fairlead.checker.kinds import kind_of
from fairlead.evidence.evidence import Evidence
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Assertion
from fairlead.outcome.finding import Shortfall, Statistics, Verdict
from fairlead.outcome.vacuity import Vacuity


@dataclass(frozen=True)
class Subject:
    """What a question was about: which process, what kind of question, and its name if it has one.

    A formula of branching time is kept as it was written, with whether finite paths end. The span is the
    place of the question in the model, if it stands there.
    """

    process: str
    kind: str
    name: str | None
    ctl: str | None = None
    finite_paths: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        data: dict[str, Any] = {"process": self.process, "kind": self.kind, "name": self.name}
        if self.ctl is not None:
            data |= {"ctl": self.ctl, "finite_paths": self.finite_paths}
        return data if self.span is None else data | self.span.to_json()


def subject_of(question: Assertion) -> Subject:
    """What a question is about."""
    kind = kind_of(question)
    process = question.process.removeprefix("||")
    name, written = kind.display.property_name(question), kind.display.written(question)
    if written is None:
        return Subject(process, kind.name, name, span=question.span)
    return Subject(process, kind.name, name, written.formula, written.finite_paths, question.span)


@dataclass(frozen=True)
class CountersReport:
    """How processes were counted: which ones, and why others were not.

    Of unboundedly many processes, `instance` tells how many of each were enough for the evidence, and
    `spurious` is a run of counted processes, or `error` how they can fail, that none of the instances that
    were `tried` has. The evidence `is_counted` if it is a run of counted processes.
    """

    merged: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]
    cutoff: int | None = None
    instance: Mapping[str, int] | None = None
    spurious: Evidence | None = None
    error: str | None = None
    tried: str | None = None
    is_counted: bool = False

    @property
    def is_of_numbers(self) -> bool:
        """Whether there are unboundedly many processes, so that the answer is of some or of all numbers."""
        return self.instance is not None or self.cutoff is not None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        data: dict[str, Any] = {
            "counted": list(self.merged),
            "apart": [{"process": process, "reason": reason} for process, reason in self.apart],
        }
        if self.cutoff is not None:
            data["cutoff"] = self.cutoff
        if self.instance is not None:
            data["instance"] = dict(self.instance)
        if self.tried is not None:
            spurious = None if self.spurious is None else self.spurious.to_json()
            data |= {"spurious": spurious, "tried": self.tried}
        if self.error is not None:
            data["error"] = self.error
        if self.is_counted:
            data["evidence_is_counted"] = True
        return data


@dataclass(frozen=True)
class SymmetryReport:
    """Which processes were not distinguished, group by group, and why others were."""

    groups: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "interchangeable": list(self.groups),
            "apart": [{"process": process, "reason": reason} for process, reason in self.apart],
        }


@dataclass(frozen=True)
class PartialOrderReport:
    """That partial order reduction was asked for, and why it was not done, if so."""

    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {"reduced": self.problem is None, **({} if self.problem is None else {"reason": self.problem})}


@dataclass(frozen=True)
class VariablesReport:
    """Which variables did not distinguish states.

    The question's best value was found as that of the `cost`; if the quantity is not one, `no_cost` says why.
    No process reads those that are `unread`. Those that are `dead` had a fixed value wherever they are
    written before they are read again. Around the `cycle`, a list of events, the cost changes without bound.
    """

    cost: str | None
    unread: tuple[str, ...]
    dead: tuple[str, ...]
    no_cost: str | None = None
    cycle: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        data: dict[str, Any] = {"cost": self.cost, "unread": list(self.unread), "dead": list(self.dead)}
        if self.no_cost is not None:
            data["no_cost"] = self.no_cost
        if self.cycle:
            data["cycle"] = list(self.cycle)
        return data


@dataclass(frozen=True)
class Refused:
    """That a strategy was asked for and did not answer, so that the whole system was explored, and why."""

    strategy: str
    reason: str

    def to_json(self) -> dict[str, str]:
        """For programs."""
        return {"strategy": self.strategy, "reason": self.reason}


@dataclass(frozen=True)
class AutoReport:
    """What was chosen automatically.

    `applied` are the strategies that answered together, none if the whole system was explored after all.
    `passed` are those that were asked before and did not answer, and why. The whole system has
    `at_least` so many states: they were met before reductions were tried.
    """

    applied: tuple[str, ...]
    passed: tuple[Refused, ...]
    at_least: int

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        passed = [refused.to_json() for refused in self.passed]
        return {"applied": list(self.applied), "passed": passed, "at_least": self.at_least}


#: why no further runs are searched for: the kind of question does not distinguish them
ONE_ONLY = "kind"


@dataclass(frozen=True)
class FurtherRuns:
    """Counterexamples besides the first one, each different in substance from all others.

    `is_all` if there are none besides. Otherwise there may be: as many as were asked for have been found, or
    the `problem` ended the search: a limit, a run-time error, or that the kind of question has only one.
    """

    evidence: tuple[Evidence, ...]
    is_all: bool
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        reason = {} if self.problem is None else {"reason": self.problem}
        shown = [evidence.to_json() for evidence in self.evidence]
        return {"evidence": shown, "complete": self.is_all, **reason}


@dataclass(frozen=True)
class Result:
    """One assertion under one notion of fairness, answered.

    `evidence` is a counterexample of a violated assertion or the witness of a `reaches` that holds. `reason`
    says why a verdict is unknown. `objective` is the quantity whose best value was asked for, as text, and
    `optimum` that value. `annotations` are those of the model that the answer depends on; `shortfall` says
    which of them cannot always be satisfied, `unfair_end` is a run after which they cannot. `fair` is the
    fairness formula that was asked for. Of a formula of branching time, `holds_in` is the number of states
    where it holds, `partly_in` of those where it does after some of the steps into them only; `all_end` says
    that no infinite path is fair where finite ones do not count. `counters` tells how processes were counted,
    if they were; `symmetry` which were not distinguished; `partial_order` whether there was partial order
    reduction, if it was asked for; `variables` which of them do not distinguish states; `refused`
    another strategy that was asked for and did not answer; `auto` what was chosen automatically, if
    reductions were tried. `vacuity` is a trivial reason why the assertion holds, as far as one was searched
    for. `is_shortest` tells of a run whether it is known to be a shortest one; a run that a dive found may
    not be. None says nothing. `fault` is the run-time error of the model that is the answer, `evidence` then
    a run to the state in which it happens. `also_under` are further notions under which the answer is the
    same, since finite runs decide it. `further` are more counterexamples, if several were asked for. `phase`
    is what was being done when a limit ended the check. `certified` names the file with the
    certificate of the answer, or says why there is none, if one was asked for.
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
    annotations: tuple[Annotated, ...] = ()
    shortfall: Shortfall | None = None
    unfair_end: Evidence | None = None
    subject: Subject | None = None
    fair: str | None = None
    holds_in: int | None = None
    partly_in: int = 0
    all_end: bool = False
    counters: CountersReport | None = None
    symmetry: SymmetryReport | None = None
    partial_order: PartialOrderReport | None = None
    variables: VariablesReport | None = None
    vacuity: Vacuity | None = None
    refused: Refused | None = None
    auto: AutoReport | None = None
    is_shortest: bool | None = None
    fault: Diagnostic | None = None
    also_under: tuple[Fairness, ...] = ()
    further: FurtherRuns | None = None
    phase: str | None = None
    certified: Certified | None = None

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS

    def __repr__(self) -> str:
        run = "" if self.evidence is None else f", {self.evidence.run.lengths}"
        best = "" if self.optimum is None else f" ({self.objective} = {self.optimum})"
        verdict = f"{self.verdict.value}{best}{run}"
        notion = None if self.fair and self.fairness is Fairness.NONE else self.fairness.value
        others = (other.value for other in self.also_under)
        assumed = ", ".join(text for text in (notion, *others, self.fair) if text)
        return in_one_line(f"<Result {self.assertion} [{assumed}]: {verdict}>")

    def __str__(self) -> str:
        return presenter().text(self)

    @property
    def headline(self) -> str:
        """Question and verdict in one line."""
        return presenter().said(self).headline

    @property
    def blame(self) -> str | None:
        """The reason, with the process or property that was violated."""
        return presenter().said(self).blame

    @property
    def notions(self) -> tuple[Fairness, ...]:
        """The notions of fairness under which this is the answer; several where none of them matters."""
        return (self.fairness, *self.also_under)

    @property
    def counterexamples(self) -> tuple[Evidence, ...]:
        """All counterexamples that were found; several if so many were asked for."""
        if self.verdict is not Verdict.VIOLATED or self.evidence is None:
            return ()
        return (self.evidence, *(() if self.further is None else self.further.evidence))

    @property
    def nothing_is_fair(self) -> bool:
        """Whether there is no fair execution at all."""
        return self.shortfall is not None and self.shortfall.is_total

    @property
    def is_vacuous(self) -> bool:
        """Whether the assertion holds for a trivial reason."""
        return self.vacuity is not None and self.vacuity.is_trivial

    @property
    def notes(self) -> list[str]:
        """All that is worth knowing besides."""
        return presenter().said(self).notes

    @property
    def note(self) -> str | None:
        """What cannot be satisfied, if from some reachable states on no execution is fair."""
        return presenter().said(self).note

    @property
    def vacuity_note(self) -> str | None:
        """The trivial reason why it holds, unless it is that nothing is fair, which is noted anyway."""
        return presenter().said(self).vacuity_note

    def to_json(self) -> dict[str, Any]:
        """The result for programs (docs/reference/json.md)."""
        return presenter().json(self)

    def __rich__(self) -> str:
        colour = {
            Verdict.HOLDS: "green",
            Verdict.VIOLATED: "red",
            Verdict.UNKNOWN: "yellow",
            Verdict.ERROR: "red",
        }
        from rich.markup import escape

        head, *rest = str(self).splitlines()
        return "\n".join([f"[{colour[self.verdict]}]{escape(head)}[/]", *map(escape, rest)])

    def to_html(self) -> str:
        """A page that stands alone, with the run to step through (docs/how-to/report.md)."""
        return presenter().page(self, "fairlead")

    def save_html(self, path: str | os.PathLike[str], title: str = "fairlead") -> None:
        """Writes the page to a file, whole or not at all."""
        from fairlead.base.writing import write_whole  # rarely needed

        write_whole(Path(path), presenter().page(self, title))

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for a data frame: the question, the verdict and the statistics."""
        run = None if self.evidence is None else self.evidence.run
        statistics = self.statistics
        return [
            {
                "process": None if self.subject is None else self.subject.process,
                "assertion": self.assertion,
                "kind": None if self.subject is None else self.subject.kind,
                "fairness": self.fairness.value,
                "also_under": ",".join(notion.value for notion in self.also_under),
                "fair": self.fair,
                "verdict": self.verdict.value,
                "reason": self.reason,
                "optimum": self.optimum,
                "vacuous": self.is_vacuous,
                "steps": None if run is None else len(run.stem),
                "loop": None if run is None else len(run.loop),
                "states": statistics.states,
                "transitions": statistics.transitions,
                "seconds": statistics.seconds,
                "memory_bytes": statistics.memory_bytes,
                "product_nodes": statistics.product_nodes,
                "complete": statistics.complete,
                "method": self.method,
            }
        ]

    def _repr_html_(self) -> str:
        return presenter().notebook(self)


class Results(list[Result]):
    """Results in a list, as `check` gives them for several notions and `check_all` for several questions.

    It is true if there are any, and all of them hold.
    """

    def __bool__(self) -> bool:
        return len(self) > 0 and all(self)

    def __repr__(self) -> str:
        counts = Counter(result.verdict for result in self)
        shown = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
        return f"<Results: {shown or 'none'}>"

    def __str__(self) -> str:
        return "\n".join(result.headline for result in self)

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each result, for a data frame: `pandas.DataFrame(results.to_rows())`."""
        return [row for result in self for row in result.to_rows()]

    def to_json(self) -> list[dict[str, Any]]:
        """The results for programs (docs/reference/json.md)."""
        return [result.to_json() for result in self]

    def to_html(self, title: str = "fairlead") -> str:
        """One page for all of them, with runs to step through."""
        return presenter().page(self, title)

    def save_html(self, path: str | os.PathLike[str], title: str = "fairlead") -> None:
        """Writes the page to a file, whole or not at all."""
        from fairlead.base.writing import write_whole  # rarely needed

        write_whole(Path(path), self.to_html(title))

    def _repr_html_(self) -> str:
        return presenter().notebook(self)


def result_as_json(result: Result | Mapping[str, Any]) -> Mapping[str, Any]:
    """A result, fresh or stored as JSON, as it is stored."""
    return result.to_json() if isinstance(result, Result) else result
