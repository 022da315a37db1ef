"""`fairlead check`: answers assertions under notions of fairness."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from fairlead.api.model import Model
from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.checker.strategies.reduction import Reduction
from fairlead.cli.answers import Answers, Manner, write_json
from fairlead.cli.help import TeachingCommand
from fairlead.cli.model import ModelOptions, model_options
from fairlead.cli.options import (
    LimitOptions,
    all_of,
    checkpoints_of,
)
from fairlead.cli.progress import reporter_of
from fairlead.cli.publishing import Publications, publishing_options
from fairlead.cli.status import ExitStatus, status_of
from fairlead.logic.fairness.notions import CLASSIC, Fairness, parse_fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Phase

if TYPE_CHECKING:
    from fairlead.checker.strategies.counters import Counters
    from fairlead.cli.html import HtmlPage


@click.command(cls=TeachingCommand)
@model_options
@click.argument("assertion", nargs=-1)
@click.option("--ltl", "formulas", multiple=True, metavar="FORMULA", help="Check a formula. Can be repeated.")
@click.option("--ctl", "branching", multiple=True, metavar="FORMULA", help="The same for CTL and CTL*.")
@click.option(
    "--fairness",
    metavar="NAME[,NAME…]|all",
    help=f"{', '.join(notion.value for notion in CLASSIC)}: event/process-level weak/strong, strong global; "
    f"{', '.join(notion.value for notion in Fairness if notion not in CLASSIC)}. "
    "The default is none, for FSP sgf.",
)
@click.option(
    "--fair",
    "conditions",
    multiple=True,
    metavar="FORMULA",
    help="Only executions that satisfy this count: GF p and FG p joined by && || -> !, weak(x), strong(x), "
    "impartial, all processes p: … Can be repeated: all of them must be satisfied.",
)
@click.option(
    "--finite-paths",
    is_flag=True,
    help="For --ctl: where nothing can happen a path ends, and does not count.",
)
@click.option("--states", is_flag=True, help="For --ctl: list the states where the formula holds.")
@click.option(
    "--compositional",
    is_flag=True,
    help="Compose FSP processes part by part, each made small at once, where that keeps the answer.",
)
@click.option(
    "--counters",
    is_flag=True,
    help="Do not tell processes apart that are alike, only count how many are where.",
)
@click.option(
    "--cutoff",
    type=click.IntRange(min=0),
    metavar="K",
    help="For --counters: of unboundedly many processes more than K in one place are just many (default 2).",
)
@click.option(
    "--reduction",
    type=click.Choice([reduction.value for reduction in Reduction]),
    default=Reduction.NONE.value,
    help="Look at fewer states where that keeps the answer. por: partial order reduction. symmetry: do not "
    "tell apart processes that can take each other's place.",
)
@click.option("--checkpoint", metavar="FILE", help="Save what is explored now and then, to go on from there.")
@click.option(
    "--checkpoint-every",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="For --checkpoint: how often (default 600); also when a limit or Ctrl-C ends the check.",
)
@click.option("--resume", metavar="FILE", help="Go on from what --checkpoint has saved.")
@click.option(
    "--vacuity/--no-vacuity",
    default=None,
    help="Look for trivial reasons why something holds in systems of any size, or not at all.",
)
@publishing_options
@click.option("--trace/--no-trace", default=None, help="Show every counterexample and witness, or none.")
@click.option("--json", "as_json", is_flag=True, help="Write results as JSON, and nothing else, to stdout.")
@click.option("--html", metavar="FILE", help="Write a page with the verdicts, and runs to step through.")
@click.option("--quiet", is_flag=True, help="Only the verdicts: no progress, warnings or traces.")
@click.option(
    "--verbose", is_flag=True, help="Say on stderr how each question was answered and what took the time."
)
def check(
    model: ModelOptions,
    process: str | None,
    limited: LimitOptions,
    assertion: tuple[str, ...],
    formulas: tuple[str, ...],
    branching: tuple[str, ...],
    fairness: str | None,
    conditions: tuple[str, ...],
    finite_paths: bool,
    states: bool,
    compositional: bool,
    counters: bool,
    cutoff: int | None,
    reduction: str,
    checkpoint: str | None,
    checkpoint_every: float | None,
    resume: str | None,
    vacuity: bool | None,
    publications: Publications,
    trace: bool | None,
    as_json: bool,
    html: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check the assertions of MODEL, or those given.

    An ASSERTION is written as in the model ("System() |= []<> a"), or is the number of one in it.
    """
    answers: Answers | None = None
    try:
        publications.check(model.file, html)
        for name, given in (("--finite-paths", finite_paths), ("--states", states)):
            if given and not branching:
                raise input_error(Code.USAGE, f"{name} is for formulas given with --ctl")
        if cutoff is not None and not counters:
            raise input_error(Code.USAGE, "--cutoff is for --counters")
        if counters and compositional:
            raise input_error(Code.USAGE, "--counters and --compositional cannot be used together")
        if counters and states:
            raise input_error(Code.USAGE, "--states lists states of the whole system: without --counters")
        reduced = Reduction(reduction)
        if reduced is not Reduction.NONE:
            others = {"--counters": counters, "--compositional": compositional, "--states": states}
            others |= {"--checkpoint": checkpoint is not None, "--resume": resume is not None}
            for other in (name for name, given in others.items() if given):
                raise input_error(Code.USAGE, f"--reduction and {other} cannot be used together")
        notions = None if fairness is None else parse_fairness(fairness)
        reporter = reporter_of(quiet, as_json, verbose)
        with reporter:
            reporter.begin("", Phase.READING)
            loaded = model.load()
        questions = list(_questions(loaded, assertion, formulas, branching, process, finite_paths))
        counting = _counters(cutoff) if counters else None
        checkpoints = checkpoints_of(checkpoint, checkpoint_every, resume)
        fair = all_of(conditions)
        if checkpoints is not None:
            asked = sum(len(loaded.notions_for(question, notions, fair)) for question in questions)
            if asked != 1 or states:
                raise input_error(Code.USAGE, f"--checkpoint and --resume are for one question, not {asked}")
        limits = limited.limits()
        manner = Manner(limits, fair, compositional, counting, reduced, checkpoints, states, vacuity)
        answers = Answers(loaded, manner, quiet, as_json, reporter)
        page = None if html is None else _page(html)
        with reporter, nullcontext() if page is None else page.when_interrupted(answers):
            for question in questions:
                answers.check(question, notions, others_follow=len(questions) > 1)
        publications.write(model.file, answers)
    except FairleadError as error:
        if as_json:
            problems = [diagnostic.to_json() for diagnostic in error.diagnostics]
            write_json("check", {"model": model.file, "results": [], "errors": problems})
        publications.write(model.file, answers, error)
        raise
    if as_json:
        answers.print_json()
    elif not quiet:
        answers.print_assumptions(trace)
        answers.print_counters(trace)
        answers.print_reduction()
        answers.print_states()
        answers.print_evidence(trace)
    if page is not None:
        page.write(answers)
    return ExitStatus.WRONG if answers.errors else status_of(result.verdict for result in answers.results)


def _page(path: str) -> HtmlPage:
    from fairlead.cli.html import HtmlPage

    return HtmlPage(path)


def _counters(cutoff: int | None) -> Counters:
    from fairlead.checker.strategies.counters import Counters

    return Counters() if cutoff is None else Counters(cutoff)


def _questions(
    model: Model,
    assertions: tuple[str, ...],
    formulas: tuple[str, ...],
    branching: tuple[str, ...],
    process: str | None,
    finite_paths: bool,
) -> Iterator[Assertion]:
    if not assertions and not formulas and not branching:
        wanted = model.assertions if process is None else model.asked_of(process)
        if not wanted:
            raise input_error(
                Code.USAGE,
                "the model asserts nothing" + (f" about {process}" if process else ""),
                hint="give a formula with --ltl or --ctl, or an assertion",
            )
        yield from wanted
    for text in assertions:
        yield model.asked(text)
    for text in formulas:
        yield model.formula(text, process)
    for text in branching:
        yield model.ctl(text, process, finite_paths=finite_paths)
