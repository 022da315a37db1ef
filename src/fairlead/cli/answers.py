"""The answers of `fairlead check`: asked one after the other, and told as a table, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairlead.api.model import Model
from fairlead.base.diagnostics import Diagnostic, FairleadError, InputError, LimitReached, counted
from fairlead.base.records import dataclass
from fairlead.checker.kinds import kind_of
from fairlead.checker.options import CheckOptions
from fairlead.checker.result import Result
from fairlead.cli.guard import tell_more
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Verdict
from fairlead.present.answers_json import answers_json
from fairlead.present.matrix import Answered
from fairlead.present.sentences.result import Said, assumption_lines, holding_text
from fairlead.present.sentences.strategies import processes_lines, reduction_lines, spurious_lines
from fairlead.present.text.evidence import evidence_lines, state_text
from fairlead.present.text.matrix import matrix_lines

if TYPE_CHECKING:
    from fairlead.cli.check_options import OutputOptions
    from fairlead.cli.html import HtmlPage
    from fairlead.cli.progress import ProgressLine
    from fairlead.cli.verbose import Account
    from fairlead.outcome.coverage import Coverage
    from fairlead.present.record import Record
    from fairlead.search.ctl.branching import StateSet

_COLOURS = {
    Verdict.HOLDS: "green",
    Verdict.VIOLATED: "red",
    Verdict.UNKNOWN: "yellow",
    Verdict.ERROR: "red",
}
#: longer lists of states are cut short
SHOWN_STATES = 40
_HEADER = ("verdict", "fairness", "states", "transitions", "seconds", "assertion")


class Answers:
    """One run of the command: results as they come, and how they are shown."""

    def __init__(
        self,
        model: Model,
        options: CheckOptions,
        with_states: bool,
        output: OutputOptions,
        reporter: ProgressLine | Account,
        lead: Lead,
    ) -> None:
        """`with_states`, the states where formulas of branching time hold are listed."""
        self._lead = lead
        self._has_said = False
        #: where the answers are to be written as a page
        self.page: HtmlPage | None = None
        self._model = model
        self._options = options
        self._with_states = with_states
        self._output = output
        self._warned = 0
        self._reporter = reporter
        self.results: list[Result] = []
        self._answered: list[Answered] = []
        self._states: dict[int, StateSet] = {}
        self.errors: list[tuple[Assertion, FairleadError]] = []
        self._rows = 0
        #: problems that were written to standard error
        self._told: set[str] = set()
        self.coverage: Coverage | None = None

    @property
    def answered(self) -> tuple[Answered, ...]:
        """The questions with the notions under which they were asked, and the results there are."""
        return tuple(self._answered)

    @property
    def model(self) -> Model:
        """The model that the questions are about."""
        return self._model

    def check(self, question: Assertion, notions: tuple[Fairness, ...] | None, others_follow: bool) -> None:
        """Answers one question under each notion it depends on; an error in it does not stop the others."""
        try:
            asked = self._model.notions_for(question, notions, self._options.fair)
            self._answered.append(Answered(question.text, asked, []))
            for alike in self._model.answering.alike(question, notions, self._options):
                notion = alike[0]
                self._reporter.begin(notion.value, Phase.PREPARING)
                result = self._answer(question, alike)
                if self._with_states and kind_of(question).formula.states is not None and _is_known(result):
                    self._list_states(question, notion)
                self._reporter.clear()
                self._warn()
                self.results.append(result)
                self._answered[-1].results.append(result)
                if not self._output.as_json:
                    self._print_row(result)
                    self._tell_fault(result)
                for line in self._reporter.lines(result, self._options.limits):
                    click.echo(line, err=True)
                if result.verdict is Verdict.UNKNOWN:
                    self._tell_checkpoint()
        except (InputError, LimitReached) as error:
            self._reporter.clear()
            is_known = str(error) in self._told
            self._told.add(str(error))
            self.errors.append((question, error))
            if not others_follow:
                raise
            if not self._output.as_json:
                self._print_cells(("error", "-", "-", "-", "-", question.text), "red")
                if not is_known:  # what is wrong with a process is wrong for all that is asked about it
                    click.echo(str(error), err=True)

    def forget(self) -> None:
        """Gives up what was explored, once everything is answered."""
        self._model.answering.forget()

    def cover(self, questions: Sequence[Assertion], process: str | None) -> None:
        """Counts what the processes execute that were asked about (or the given one, if nothing was)."""
        asked = list(dict.fromkeys(name for question in questions for name in question.processes))
        self._reporter.begin("coverage", Phase.COVERAGE)
        self.coverage = self._model.coverage(
            asked or process, limits=self._options.limits, reporter=self._reporter
        )
        self._reporter.clear()
        self._warn()

    def _answer(self, question: Assertion, notions: tuple[Fairness, ...]) -> Result:
        try:
            return self._model.answering.check_alike(question, notions, self._options, self._reporter)
        except KeyboardInterrupt:
            self._reporter.clear()
            reached = self._reporter.last
            if reached is not None:
                click.echo(
                    f"interrupted after {reached.states:,} states and {reached.transitions:,} "
                    f"transitions of: {question.text} [{notions[0].value}]",
                    err=True,
                )
            self._tell_checkpoint()
            raise

    def _tell_fault(self, result: Result) -> None:
        """Writes a run-time error, once, also where no trace is wanted."""
        if result.fault is None:
            return
        text = result.fault.render()
        if text not in self._told:
            self._told.add(text)
            click.echo(text, err=True)
            tell_more(result.fault)

    def _list_states(self, question: Assertion, notion: Fairness) -> None:
        self._states[len(self.results)] = self._model.states(
            question, notion, fair=self._options.fair, limits=self._options.limits, reporter=self._reporter
        )

    def _tell_checkpoint(self) -> None:
        """Says how to continue with what was saved."""
        saved = None if self._options.checkpoints is None else self._options.checkpoints.save
        if saved is not None and not self._output.quiet and Path(saved).is_file():
            click.echo(f"continue with: --resume {saved}", err=True)

    def _warn(self) -> None:
        fresh: list[Diagnostic] = self._model.warnings[self._warned :]
        self._warned = len(self._model.warnings)
        if not self._output.quiet:
            for warning in fresh:
                click.echo(warning.render(), err=True)

    def _print_row(self, result: Result) -> None:
        statistics = result.statistics
        said = Said(result)
        cells = (
            result.verdict.value,
            said.notion,
            f"{statistics.states:,}",
            f"{statistics.transitions:,}",
            f"{statistics.seconds:.3f}",
            result.assertion + ("" if said.remark is None else f"  ({said.remark})"),
        )
        self._print_cells(cells, _COLOURS[result.verdict])

    def _print_cells(self, cells: tuple[str, ...], colour: str) -> None:
        if self._rows == 0:
            self._lead.print_header(self._output)
        self._rows += 1
        self._lead.print_row(cells, colour)

    @property
    def has_rows(self) -> bool:
        """Whether something was printed about the answers."""
        return self._rows > 0

    def record(self, model: str, error: FairleadError | None = None) -> Record:
        """The answers there are, and what ended the work, if something did; `model` as it was given."""
        from fairlead.present.record import Failure, Record  # rarely needed

        failures = [Failure(problem, question) for question, problem in self.errors]
        if error is not None and all(failure.error is not error for failure in failures):
            failures.append(Failure(error))
        return Record(
            model,
            Path.cwd(),
            self._model.definitions,
            tuple(self.results),
            tuple(failures),
            tuple(self._model.warnings),
        )

    def show(self) -> None:
        """Shows the output besides the rows."""
        if self._output.as_json:
            self._print_json()
        elif not self._output.quiet:
            print_evidence([(self, "")], self._output)
            self.print_coverage("")

    def print_coverage(self, heading: str) -> None:
        """Shows what was executed, if that was asked for; the heading is empty if this is all there is."""
        if self.coverage is not None:
            before = "\n" if self.results or heading else ""
            click.echo(f"{before}{heading}{': ' if heading else ''}{self.coverage}")

    def _say(self, line: str) -> None:
        """A line besides the rows; where there are several checks, the first one says which it is about."""
        if self._lead.text and not self._has_said:
            click.echo(f"{self._lead.text}:")
        self._has_said = True
        click.echo(line)

    def _print_matrix(self) -> None:
        """Gives an overview of several assertions under several notions."""
        for number, line in enumerate(matrix_lines(self._answered)):
            if number == 0:
                click.echo()
            self._say(line)

    def _print_assumptions(self, trace: bool | None) -> None:
        """Says which formula and annotations were assumed, and where they cannot be satisfied."""
        for line, result in assumption_lines(self.results).items():
            self._say(line)
            if trace and line.startswith("note: ") and result.unfair_end is not None:
                self._say("from the end of this run on, no execution is fair:")
                for shown in evidence_lines(result.unfair_end):
                    self._say(f"  {shown}")

    def _print_counters(self, trace: bool | None) -> None:
        """Says which processes were counted, which not and why, and what became of unboundedly many."""
        for line in processes_lines(self.results):
            self._say(line)
        if trace is not False:
            for line in (line for result in self.results for line in spurious_lines(result)):
                self._say(line)

    def _print_reduction(self) -> None:
        """Says whether there was partial order reduction, and why not."""
        for line in reduction_lines(self.results):
            self._say(line)

    def _print_states(self) -> None:
        """Lists the states where the formulas of branching time hold."""
        for number, found in self._states.items():
            result = self.results[number]
            self._say(
                f"\n{holding_text(len(found.holds), len(found.partly), found.total)}: {result.assertion}"
            )
            _print_numbered(found, found.holds, "")
            _print_numbered(found, found.partly, "after some of the steps into it: ")

    def print_remarks(self) -> None:
        """Shows remarks on the answers besides their evidence."""
        self._print_matrix()
        self._print_assumptions(self._output.trace)
        self._print_counters(self._output.trace)
        self._print_reduction()
        self._print_states()

    def _print_json(self) -> None:
        """All results as one JSON text."""
        write_json("check", self.json_document(), indent=1)

    def json_document(self) -> dict[str, Any]:
        """All results, for programs."""
        results = [self._json(number, result) for number, result in enumerate(self.results)]
        return answers_json(self._model, results, self.errors, self.coverage)

    def _json(self, number: int, result: Result) -> dict[str, Any]:
        found = self._states.get(number)
        if found is None:
            return result.to_json()
        listed = {"states_where": sorted(found.holds), "states_where_partly": sorted(found.partly)}
        return {**result.to_json(), **listed}


@dataclass(frozen=True)
class Lead:
    """The columns before a row that tell its check from others: each a title, a cell, and all cells in it."""

    columns: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    is_first: bool = True

    @property
    def text(self) -> str:
        """Which check it is, for a heading."""
        return ", ".join(cell if title == "model" else f"{title}={cell}" for title, cell, _ in self.columns)

    def _padded(self, cells: Iterable[str]) -> str:
        widths = [max(map(len, (title, *every))) for title, _, every in self.columns]
        return "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))

    def print_header(self, output: OutputOptions) -> None:
        """The titles of all columns, before the first row of a command."""
        if self.is_first and not output.quiet:
            click.echo(self._padded(title for title, _, _ in self.columns) + _row(_HEADER))

    def print_row(self, cells: tuple[str, ...], colour: str) -> None:
        """A row, whose first cell is coloured."""
        text, first = _row(cells), len(cells[0])
        lead = self._padded(cell for _, cell, _ in self.columns)
        click.echo(lead + click.style(text[:first], fg=colour) + text[first:])

    def print_error(self, output: OutputOptions) -> None:
        """The row of a model that could not be asked anything."""
        self.print_header(output)
        self.print_row(("error", "-", "-", "-", "-", ""), "red")


def print_evidence(answered: Sequence[tuple[Answers, str]], output: OutputOptions) -> None:
    """Shows what is to be known besides, and all evidence on request, else the first.

    Each of the answers has a heading, which is empty if there are no others.
    """
    shown = [
        (result, heading)
        for answers, heading in answered
        for result in answers.results
        if result.evidence is not None
    ]
    for answers, _ in answered:
        answers.print_remarks()
    if not shown or output.trace is False:
        return
    for result, heading in shown if output.trace else shown[:1]:
        said = Said(result)
        which = f" ({heading})" if heading else ""
        for kind, evidence in said.shown:
            click.echo(f"\n{kind} {result.assertion}{said.assumed}{which}")
            for line in evidence_lines(evidence):
                click.echo(line)
    more = len(shown) - 1
    if more and not output.trace:
        verb, them = ("comes", "it") if more == 1 else ("come", "them")
        click.echo(f"\n{counted(more, 'more result')} {verb} with a trace; --trace shows {them}")


def write_json(form: str, data: dict[str, Any], indent: int | None = None) -> None:
    """Writes a document of a form (`fairlead schema` lists them) to standard output."""
    import json  # rarely needed

    from fairlead.base.forms import Form, identifier

    click.echo(json.dumps({"schema": identifier(Form(form)), **data}, ensure_ascii=False, indent=indent))


def _is_known(result: Result) -> bool:
    return result.verdict in (Verdict.HOLDS, Verdict.VIOLATED)


def _print_numbered(found: StateSet, states: frozenset[int], remark: str) -> None:
    for number in sorted(states)[:SHOWN_STATES]:
        click.echo(f"  {number:>6}  {remark}{state_text(found.describe(number))}")
    more = len(states) - SHOWN_STATES
    if more > 0:
        click.echo(f"          … {counted(more, 'more state')} ({ALL_WITH_JSON})")


def _row(cells: tuple[str, ...]) -> str:
    verdict, notion, states, transitions, seconds, assertion = cells
    room = 22 - max(9, len(notion))  # several notions use some of the blanks before the states
    return f"{verdict:<9} {notion:<9}{' ' + states:>{room}} {transitions:>13} {seconds:>9}  {assertion}"
