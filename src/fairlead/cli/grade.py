"""`fairlead grade`: compares the verdicts on a model with the expected ones, for courses and for CI."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from shlex import join

import click

from fairlead.api.model import Model
from fairlead.base.diagnostics import (
    Diagnostic,
    InputError,
    LimitReached,
    Related,
    counted,
)
from fairlead.base.records import dataclass
from fairlead.checker.options import MOST_CUTOFF, CheckOptions
from fairlead.checker.result import Result
from fairlead.cli.check_options import chosen_counters
from fairlead.cli.expected import Expectation, read_expected
from fairlead.cli.model import ALLOW_PYTHON, DEFINITIONS, PROCESSES, ModelOptions
from fairlead.cli.options import LimitOptions, limit_options_for_each
from fairlead.cli.progress import ProgressLine
from fairlead.cli.status import ExitStatus
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock, within
from fairlead.present.sentences.result import Said


class Mark(Enum):
    """How a verdict compares with the expected one; the value begins its row."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"
    ERROR = "error"


_COLOURS = {Mark.RIGHT: "green", Mark.WRONG: "red", Mark.OPEN: "yellow", Mark.ERROR: "red"}


@dataclass(frozen=True)
class Graded:
    """An expectation with its verdict; `problems` say why there is none."""

    expected: Expectation
    result: Result | None = None
    problems: tuple[Diagnostic, ...] = ()
    is_limit: bool = False

    @property
    def mark(self) -> Mark:
        """How the verdict compares with the expected one."""
        if self.result is None or self.result.verdict is Verdict.ERROR:
            return Mark.OPEN if self.is_limit else Mark.ERROR
        if self.result.verdict is Verdict.UNKNOWN:
            return Mark.OPEN
        return Mark.RIGHT if self.result.verdict is self.expected.verdict else Mark.WRONG

    @property
    def row(self) -> str:
        """The cells after the mark."""
        verdict = "-" if self.result is None else self.result.verdict.value
        remark = None if self.result is None else Said(self.result).remark
        return (
            f"{verdict:<9} {self.expected.verdict.value:<9} {self.expected.fairness.value:<9} "
            f"{self.expected.assertion}{'' if remark is None else f'  ({remark})'}"
        )


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("expected", type=click.Path(dir_okay=False))
@DEFINITIONS
@ALLOW_PYTHON
@PROCESSES
@click.option("--counters", is_flag=True, help="Process counter abstraction, as for check.")
@click.option(
    "--cutoff", type=click.IntRange(0, MOST_CUTOFF), metavar="K", help="For --counters, as for check."
)
@click.option("--quiet", is_flag=True, help="Show only the last line.")
@limit_options_for_each
def grade(
    model: str,
    expected: str,
    definitions: tuple[str, ...],
    allow_python: tuple[str, ...],
    processes: str | None,
    counters: bool,
    cutoff: int | None,
    quiet: bool,
    limited: LimitOptions,
) -> int:
    """Compare the verdicts on MODEL with those that the file EXPECTED lists.

    Each line of EXPECTED is a verdict (holds or violated), a notion of fairness and an assertion, as in
    'holds pwf System() |= []<> a'; '#' begins a comment. Assertions in MODEL do not matter.
    Exit status: 0 all verdicts are the expected ones, 1 some is not, 2 a question or a file is wrong, 3 a
    limit was reached.
    """
    chosen = chosen_counters(counters, cutoff)
    clock = Clock(limited.limits())
    with ProgressLine(not quiet) as progress:
        with within(clock.limits, Phase.READING):
            progress.begin("", Phase.READING)
            wanted = read_expected(Path(expected))
            loaded = ModelOptions(model, definitions, allow_python, processes).load()
        options = CheckOptions(counters=chosen, limits=clock.left)
        graded: list[Graded] = []
        for expectation in wanted:
            graded.append(_graded(loaded, expectation, options, progress))
            progress.clear()
            _show(graded, quiet)
    right = sum(one.mark is Mark.RIGHT for one in graded)
    if not quiet:
        given = [part for definition in definitions for part in ("-D", definition)]
        given += [part for path in allow_python for part in ("--allow-python", path)]
        given += [] if processes is None else ["--processes", processes]
        given += ["--counters"] * counters + ([] if cutoff is None else ["--cutoff", str(cutoff)])
        _show_way(graded, model, given)
    click.echo(f"{right} of {counted(len(graded), 'verdict')} {'is' if right == 1 else 'are'} right")
    return _status({one.mark for one in graded})


def _graded(model: Model, expectation: Expectation, options: CheckOptions, progress: ProgressLine) -> Graded:
    """The answer to one question; an error in it does not stop the others."""
    try:
        question = model.assertion(expectation.assertion)
        progress.begin(expectation.fairness.value, Phase.PREPARING)
        result = model.check(question, expectation.fairness, options=options, reporter=progress)
    except (InputError, LimitReached) as error:
        return Graded(expectation, None, error.diagnostics, isinstance(error, LimitReached))
    return Graded(expectation, result, () if result.fault is None else (result.fault,))


def _show(graded: list[Graded], quiet: bool) -> None:
    """The row of the last answer, and its problems, each of which is shown once."""
    last, before = graded[-1], graded[:-1]
    if quiet:
        return
    if not before:
        click.echo("       verdict   expected  fairness  assertion")
    click.echo(click.style(f"{last.mark.value:<6}", fg=_COLOURS[last.mark]) + f" {last.row}")
    told = {problem for one in before for problem in one.problems}
    for problem in last.problems:
        if problem not in told:
            asked = Related("this line asks", last.expected.span)
            click.echo(replace(problem, related=(*problem.related, asked)).render(), err=True)


def _show_way(graded: list[Graded], model: str, given: list[str]) -> None:
    """How to see the first counterexample that should not exist."""
    for one in graded:
        if one.mark is Mark.WRONG and one.expected.verdict is Verdict.HOLDS:
            asked = [model, one.expected.assertion, "--fairness", one.expected.fairness.value, *given]
            click.echo(f"see the counterexample: fairlead check {join(asked)}")
            return


def _status(marks: set[Mark]) -> ExitStatus:
    if Mark.ERROR in marks:
        return ExitStatus.WRONG
    if Mark.WRONG in marks:
        return ExitStatus.VIOLATED
    return ExitStatus.UNKNOWN if Mark.OPEN in marks else ExitStatus.HOLDS
