"""Has the sentences about one result: text, HTML, JSON, JUnit and SARIF are all rendered from a `Said`."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.checker.result import ONE_ONLY, Result
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.faults import RUN_TO_ERROR
from fairlead.logic.fairness.notions import CLASSIC, Fairness
from fairlead.outcome.finding import Shortfall, Verdict
from fairlead.outcome.vacuity import VacuityKind

#: longer lists of annotations are cut short
SHOWN_ANNOTATIONS = 10
_EVIDENCE_KINDS = {
    Verdict.HOLDS: "witness of",
    Verdict.VIOLATED: "counterexample to",
    Verdict.UNKNOWN: "witness of",
    Verdict.ERROR: RUN_TO_ERROR,
}
#: said where paths that end do not count, and there are no others
ALL_END = (
    "no infinite path from the start is fair: "
    "formulas about all paths hold, and formulas about some path do not"
)


@dataclass(frozen=True)
class Said:
    """The sentences about a result."""

    result: Result

    # ------------------------------------------------------------ question and verdict

    @property
    def headline(self) -> str:
        """Question and verdict in one line."""
        result = self.result
        because = self._because
        if result.optimum is not None:
            because = f": {result.objective} = {result.optimum}"
        return f"{result.assertion}  [{self.fairness}]  {result.verdict.value}{self._how}{because}"

    @property
    def sentence(self) -> str:
        """Question and answer in one sentence."""
        result = self.result
        if result.verdict is Verdict.UNKNOWN:
            return f"{result.assertion}: unknown, {self._limit} [{self.fairness}]"
        if result.fault is not None:
            return f"{result.assertion}: error, {result.fault.message} [{self.fairness}]"
        return f"{result.assertion}: {result.verdict.value}{self._how}{self._because} [{self.fairness}]"

    @property
    def remark(self) -> str | None:
        """What a verdict means more exactly, as a remark in its row, or None."""
        result = self.result
        counters = result.counters
        if result.optimum is not None:
            return f"{result.objective} = {result.optimum}"
        if counters is not None and result.verdict is not Verdict.UNKNOWN and counters.is_of_numbers:
            if counters.instance is None:
                return "for any number of processes"
            return "with " + ", ".join(f"{name}={number}" for name, number in counters.instance.items())
        if counters is not None and counters.tried is not None:
            return "no instance found"
        if result.reason:
            return self._limit if result.verdict is Verdict.UNKNOWN else self.blame
        if result.evidence is None and result.holds_in is not None and result.verdict is Verdict.VIOLATED:
            return holding_text(result.holds_in, result.partly_in, result.statistics.states)
        return self._how.strip() or None

    @property
    def blame(self) -> str | None:
        """The reason, with the process or property that was violated."""
        evidence = self.result.evidence
        name = None if evidence is None or evidence.explanation is None else evidence.explanation.blames
        return self.result.reason if name is None else f"{self.result.reason} in {name}"

    @property
    def _because(self) -> str:
        return f" ({self.blame})" if self.result.reason else ""

    @property
    def _limit(self) -> str:
        variables = self.result.variables
        if variables is not None and variables.cycle:
            from fairlead.present.sentences.strategies import without_bound

            return without_bound(variables)
        phase = self.result.phase
        return f"{self.result.reason} reached" + ("" if phase is None else f" while {phase}")

    @property
    def _how(self) -> str:
        """That it holds vacuously, in a few words."""
        if self.result.vacuity is None:
            return ""
        from fairlead.present.sentences.vacuity import vacuity_remark

        return f" {vacuity_remark(self.result.vacuity)}"

    # ------------------------------------------------------------ fairness

    @property
    def fairness_parts(self) -> list[str]:
        """What executions are fair to: a notion, a formula, the annotations."""
        result = self.result
        parts = [_names(result.notions)]
        if result.fair is not None:
            parts = [result.fair] if result.fairness is Fairness.NONE else [*parts, result.fair]
        return [*parts, "annotations"] if result.annotations else parts

    @property
    def fairness(self) -> str:
        """The same in one line."""
        return " + ".join(self.fairness_parts)

    @property
    def notion(self) -> str:
        """The notion in a few letters, with what is assumed besides: `pwf`, `fair`, `psf+ann`."""
        result = self.result
        notion = _names(result.notions)
        if result.fair is not None:
            notion = "fair" if result.fairness is Fairness.NONE else f"{notion}+fair"
        return f"{notion}+ann" if result.annotations else notion

    @property
    def assumed(self) -> str:
        """Which executions count, as the output says after the assertion."""
        result = self.result
        if result.also_under:
            return f" under {_listed(result.notions)}"
        notion = "" if result.fairness is Fairness.NONE else f" under {result.fairness.title}"
        return notion if result.fair is None else f"{notion} with {result.fair}"

    # ------------------------------------------------------------ evidence

    @property
    def evidence_kind(self) -> str:
        """What the evidence is."""
        return _EVIDENCE_KINDS[self.result.verdict]

    @property
    def shown(self) -> list[tuple[str, Evidence]]:
        """All evidence for the verdict, each with what it is: one of several, if there are several."""
        several = self.result.counterexamples
        if len(several) > 1:
            kinds = (f"counterexample {number} of {len(several)} to" for number in range(1, len(several) + 1))
            return list(zip(kinds, several, strict=True))
        return [] if self.result.evidence is None else [(self.evidence_kind, self.result.evidence)]

    @property
    def further_note(self) -> str | None:
        """How many counterexamples there are, if several were asked for."""
        further = self.result.further
        if further is None:
            return None
        if further.problem == ONE_ONLY:
            return (
                "only one counterexample is searched for, "
                "since those to this kind of question are not compared"
            )
        found = len(further.evidence) + 1
        if further.is_all and found == 1:
            return "no other counterexample differs from this one in substance"
        those = (
            f"{found} counterexamples differ in substance" if found > 1 else "one counterexample was found"
        )
        if further.is_all:
            return f"{those}, and there are no others"
        if further.problem is None:
            return f"{those}, and there are others"
        return f"{those}; whether there are others is unknown ({further.problem})"

    # ------------------------------------------------------------ what is worth knowing besides

    @property
    def notes(self) -> list[str]:
        """All that is worth knowing besides."""
        notes = (self.note, self.vacuity_note, self.length_note, self.fault_note, self.further_note)
        return [note for note in (*notes, self.certificate_note) if note is not None]

    @property
    def certificate_note(self) -> str | None:
        """That the answer is in a certificate, or why it is not, if one was asked for."""
        certified = self.result.certified
        if certified is None:
            return None
        if certified.problem is None:
            return f"certified: {certified.file} has the certificate"
        return f"not certified: {certified.problem}"

    @property
    def note(self) -> str | None:
        """What cannot be satisfied, if from some reachable states on no execution is fair."""
        if self.result.shortfall is not None:
            return shortfall_text(self.result.shortfall)
        return ALL_END if self.result.all_end else None

    @property
    def vacuity_note(self) -> str | None:
        """The trivial reason, unless it is that nothing is fair, which is noted anyway."""
        vacuity = self.result.vacuity
        if vacuity is None or vacuity.kind is VacuityKind.NO_FAIR_EXECUTION:
            return None
        from fairlead.present.sentences.vacuity import vacuity_text

        return vacuity_text(vacuity)

    @property
    def length_note(self) -> str | None:
        """That a run may not be a shortest one. That it is one goes without saying."""
        if self.result.is_shortest is not False:
            return None
        text = f"the {_EVIDENCE_KINDS[self.result.verdict].split()[0]} may not be a shortest one"
        is_lasso = self.result.evidence is not None and bool(self.result.evidence.run.loop)
        return text if is_lasso else f"{text}; --shortest searches for one"

    @property
    def fault_note(self) -> str | None:
        """That no run to a run-time error is shown, if so."""
        if self.result.fault is None or self.result.evidence is not None:
            return None
        return "no run to the error was found: it comes before any step, in a specification or beyond a limit"


def _names(notions: Sequence[Fairness]) -> str:
    """One or several notions in a few letters."""
    is_all = len(notions) > 1 and set(notions) == set(CLASSIC)
    return "all" if is_all else ",".join(notion.value for notion in notions)


def _listed(notions: Sequence[Fairness]) -> str:
    *others, last = (notion.value for notion in notions)
    return f"{', '.join(others)} and {last}"


def holding_text(holds: int, partly: int, total: int) -> str:
    """In how many states a formula holds."""
    some = f", and in {partly:,} after some of the steps into them" if partly else ""
    return f"holds in {holds:,} of {counted(total, 'state')}{some}"


def shortfall_text(shortfall: Shortfall) -> str:
    """Which conditions cannot be satisfied."""
    *others, last = shortfall.conditions
    names = f"{', '.join(others)} and {last}" if others else last
    if shortfall.fairness is not Fairness.NONE:
        company = f" together with {shortfall.fairness.title}"
    else:
        company = " together" if others else ""
    conditions = "conditions" if others else "condition"
    if shortfall.is_total:
        return f"the fairness {conditions} {names} cannot be satisfied{company}"
    return f"the fairness {conditions} {names} can no longer be satisfied{company} in some reachable states"


def assumption_lines(results: Sequence[Result]) -> dict[str, Result]:
    """Which formula and annotations were assumed, and where they cannot be satisfied: each line once, with a
    result that it is about."""
    lines: dict[str, Result] = {}
    for result in results:
        if result.fair is not None:
            lines.setdefault(f"fair: executions with {result.fair}", result)
        if result.annotations:
            lines.setdefault(f"+ann: fair to {_annotation_names(result)}", result)
    for result in results:
        if result.also_under:
            why = "finite runs decide it, and each can be extended to a fair execution"
            listed = _listed(result.notions)
            lines.setdefault(f"{_names(result.notions)}: checked once for {listed}, since {why}", result)
    for result in results:
        said = Said(result)
        if said.note is not None:
            scope = "no execution is fair: " if result.nothing_is_fair else ""
            lines.setdefault(f"note: {scope}{said.note}", result)
        for note in (said.vacuity_note, said.length_note, said.fault_note, said.further_note):
            if note is not None:
                lines.setdefault(f"note: {result.assertion}: {note}", result)
    return lines | _certificate_lines(results)


def _certificate_lines(results: Sequence[Result]) -> dict[str, Result]:
    """What was certified, all of it in one line, and what was not."""
    lines: dict[str, Result] = {}
    certified = [result for result in results if result.certified and result.certified.problem is None]
    if certified:
        file = certified[0].certified.file if certified[0].certified else ""
        lines[f"certified: {counted(len(certified), 'answer')} in {file}"] = certified[0]
    for result in results:
        if result.certified is not None and result.certified.problem is not None:
            said = Said(result)
            lines[f"{result.assertion} [{said.fairness}]: {said.certificate_note}"] = result
    return lines


def _annotation_names(result: Result) -> str:
    names = [str(annotated) for annotated in result.annotations]
    more = len(names) - SHOWN_ANNOTATIONS
    if more <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN_ANNOTATIONS])} and {more} more ({ALL_WITH_JSON})"
