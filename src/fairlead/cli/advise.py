"""`fairlead advise`: which fairness a property needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from fairlead.advice.advice import Advice, Outcome
from fairlead.advice.advising import depends_on_fairness
from fairlead.api.arguments import MOST_ALTERNATIVES
from fairlead.api.model import Model
from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    FairleadError,
    InternalError,
    LimitReached,
    input_error,
)
from fairlead.base.writing import check_writable, write_whole
from fairlead.checker.keywords import all_of
from fairlead.cli.answers import write_json
from fairlead.cli.model import ModelOptions, model_options
from fairlead.cli.options import LimitOptions
from fairlead.cli.progress import reporter_of
from fairlead.cli.status import ExitStatus
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Limits
from fairlead.present.text.advice import advice_lines


@click.command()
@model_options
@click.argument("assertion", nargs=-1)
@click.option("--ltl", "formulas", multiple=True, metavar="FORMULA", help="About a formula. Can be repeated.")
@click.option(
    "--fair",
    "conditions",
    multiple=True,
    metavar="FORMULA",
    help="A fairness formula that is assumed in any case, as for check. Can be repeated.",
)
@click.option(
    "--alternatives",
    type=click.IntRange(1, MOST_ALTERNATIVES),
    default=3,
    show_default=True,
    metavar="N",
    help="How many sets of assumptions to search for.",
)
@click.option(
    "--apply",
    "annotated",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the model, annotated with the best set of assumptions about events, after checking it.",
)
@click.option(
    "--trace/--no-trace",
    default=True,
    help="Show the counterexamples that come back when an assumption is dropped.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Write the advice as JSON, and nothing else, to stdout."
)
@click.option("--html", metavar="FILE", help="Write a page with the advice, and runs to step through.")
@click.option("--quiet", is_flag=True, help="No progress and no warnings.")
def advise(
    model: ModelOptions,
    process: str | None,
    limited: LimitOptions,
    assertion: tuple[str, ...],
    formulas: tuple[str, ...],
    conditions: tuple[str, ...],
    alternatives: int,
    annotated: str | None,
    trace: bool,
    as_json: bool,
    html: str | None,
    quiet: bool,
) -> int:
    """Find out which fairness an assertion of MODEL needs.

    Answers for every notion, and then with the least sets of single assumptions: wf(x) and sf(x), weak and
    strong fairness to one event or process. An ASSERTION is written as in the model, or is its number;
    without one, all formulas of the model are asked about.
    Exit status: 0 some fairness is enough, 1 none is, 2 the model, formula or command is wrong, 3 it could
    not be found out within the limits.
    """
    found: list[Advice] = []
    try:
        reporter = reporter_of(quiet, as_json, verbose=False)
        with reporter:
            reporter.begin("", Phase.READING)
            loaded = model.load()
        fair, limits = all_of(conditions), limited.limits()
        questions = _questions(loaded, assertion, formulas, process)
        if annotated is not None and len(questions) > 1:
            raise input_error(Code.USAGE, f"--apply is for one assertion, not {len(questions)}")
        if annotated is not None:
            check_writable(Path(annotated))
        page = None if html is None else page_at(html)
        with reporter:
            for question in questions:
                reporter.begin("", Phase.PREPARING)
                found.append(
                    loaded.advise(
                        question,
                        fair=fair,
                        alternatives=alternatives,
                        limits=limits,
                        reporter=reporter,
                    )
                )
                reporter.clear()
                if not as_json:
                    if len(found) > 1:
                        click.echo()
                    click.echo("\n".join(advice_lines(found[-1], trace)))
        if annotated is not None:
            _apply(loaded, found[0], questions[0], Path(annotated), model, fair, limits)
            if not as_json and not quiet:
                assumed = "" if fair is None else f" with {fair}"
                click.echo(f"\nwritten to {annotated}, where it holds{assumed}", err=True)
    except FairleadError as error:
        if as_json:
            problems = [diagnostic.to_json() for diagnostic in error.diagnostics]
            write_json("advise", {"model": model.file, "advice": [], "errors": problems})
        raise
    if page is not None:
        write_whole(page, advice_page(found))
    if as_json:
        write_json("advise", {"model": model.file, "advice": [advice.to_json() for advice in found]})
    elif not quiet:
        for warning in loaded.warnings:
            click.echo(warning.render(), err=True)
    return _status(found)


def _apply(
    model: Model,
    advice: Advice,
    question: Assertion,
    file: Path,
    options: ModelOptions,
    fair: str | None,
    limits: Limits,
) -> None:
    """Writes the annotated model; before, it is loaded from a temporary file and checked."""
    sets = [chosen.annotations for chosen in advice.sets if chosen.annotations is not None]
    if not sets:
        raise input_error(
            Code.USAGE,
            f"there is nothing to write into the model: {_why_nothing(advice)}",
        )
    text = model.annotated(sets[0])
    trial = file.with_name(f".{file.stem}.trial{file.suffix}")
    write_whole(trial, text)
    try:
        written = replace(options, file=str(trial)).load()
        again = written.check(_again(written, question), Fairness.NONE, fair=fair, limits=limits)
        if again.verdict is Verdict.UNKNOWN:
            problem = f"with {sets[0]} it was not checked again ({again.reason}), so nothing was written"
            raise LimitReached((Diagnostic(Code.LIMIT, problem),))
        if again.verdict is not Verdict.HOLDS:
            raise InternalError((Diagnostic(Code.INTERNAL, f"with {sets[0]} it should hold"),))
    finally:
        trial.unlink(missing_ok=True)
    write_whole(file, text)


def _why_nothing(advice: Advice) -> str:
    match advice.outcome:
        case Outcome.NOTHING_NEEDED:
            return "it holds without fairness"
        case Outcome.ASSUMPTIONS:
            return (
                "no sufficient set about events alone was found; give assumptions about processes to --fair"
            )
        case Outcome.UNKNOWN:
            return "nothing was found within the limits"
        case _:
            return "fairness to single events is not enough"


def _again(model: Model, question: Assertion) -> Assertion:
    """The same question about another text of the model."""
    given = question.given_formula
    return model.assertion(question.text) if given is None else model.formula(given, question.process)


def page_at(path: str) -> Path:
    """Where the page goes; a place where it cannot be written is refused before there is work done."""
    from fairlead.cli.html import refuse_unwritable

    refuse_unwritable(Path(path))
    return Path(path)


def advice_page(found: list[Advice]) -> str:
    """All advice of the command on one page."""
    from fairlead.cli.html import command_line
    from fairlead.present.html.advice import advice_report

    context = click.get_current_context()
    name = Path(context.params["model"]).name
    return advice_report(found, name, (f"fairlead advise {command_line(context)}",)).page()


def _status(found: list[Advice]) -> ExitStatus:
    outcomes = {advice.outcome for advice in found}
    if Outcome.NOTHING_HELPS in outcomes:
        return ExitStatus.VIOLATED
    return ExitStatus.UNKNOWN if Outcome.UNKNOWN in outcomes else ExitStatus.HOLDS


def _questions(
    model: Model, assertions: tuple[str, ...], formulas: tuple[str, ...], process: str | None
) -> list[Assertion]:
    asked = [model.asked(text) for text in assertions]
    asked += [model.formula(text, process) for text in formulas]
    if asked:
        return asked
    own = model.assertions if process is None else model.asked_of(process)
    about: list[Assertion] = [question for question in own if depends_on_fairness(question)]
    if not about:
        raise input_error(
            Code.USAGE,
            "the model asserts no formula" + (f" about {process}" if process else ""),
            hint="give a formula with --ltl, or an assertion",
        )
    return about
