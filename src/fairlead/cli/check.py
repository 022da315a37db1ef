"""`fairlead check`: answers assertions under notions of fairness."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.cli.answers import Answers, write_json
from fairlead.cli.check_options import (
    FairnessOptions,
    OutputOptions,
    QuestionOptions,
    StrategyOptions,
    fairness_options,
    output_options,
    question_options,
    strategy_options,
)
from fairlead.cli.help import TeachingCommand
from fairlead.cli.model import ModelOptions, model_options
from fairlead.cli.options import LimitOptions
from fairlead.cli.progress import reporter_of
from fairlead.cli.publishing import Publications, publishing_options, record_of
from fairlead.cli.status import ExitStatus, status_of
from fairlead.outcome.events import Phase

if TYPE_CHECKING:
    from fairlead.cli.html import HtmlPage


@click.command(cls=TeachingCommand)
@model_options
@question_options
@fairness_options
@strategy_options
@publishing_options
@output_options
def check(
    model: ModelOptions,
    process: str | None,
    limited: LimitOptions,
    asking: QuestionOptions,
    fair_to: FairnessOptions,
    answering: StrategyOptions,
    publications: Publications,
    output: OutputOptions,
) -> int:
    """Check the assertions of MODEL, or those given.

    An ASSERTION is written as in the model ("System() |= []<> a"), or is the number of one in it.
    """
    answers: Answers | None = None
    try:
        publications.check(model.file, output.html)
        asking.check()
        answering.check(asking.states)
        notions = fair_to.notions
        reporter = reporter_of(output.quiet, output.as_json, output.verbose)
        with reporter:
            reporter.begin("", Phase.READING)
            loaded = model.load()
        questions = list(asking.questions(loaded, process))
        answering.check_checkpoints()
        options = answering.options(fair_to.fair, limited.limits())
        if options.checkpoints is not None:
            asked = sum(len(loaded.notions_for(question, notions, options.fair)) for question in questions)
            if asked != 1 or asking.states:
                raise input_error(Code.USAGE, f"--checkpoint and --resume are for one question, not {asked}")
        answers = Answers(loaded, options, asking.states, output, reporter)
        page = None if output.html is None else _page(output.html)
        with reporter, nullcontext() if page is None else page.when_interrupted(answers):
            for question in questions:
                answers.check(question, notions, others_follow=len(questions) > 1)
        publications.write(partial(answers.record, model.file))
    except FairleadError as error:
        if output.as_json:
            problems = [diagnostic.to_json() for diagnostic in error.diagnostics]
            write_json("check", {"model": model.file, "results": [], "errors": problems})
        known = partial(record_of, model.file) if answers is None else partial(answers.record, model.file)
        publications.write(partial(known, error))
        raise
    answers.show()
    if page is not None:
        page.write(answers)
    return ExitStatus.WRONG if answers.errors else status_of(result.verdict for result in answers.results)


def _page(path: str) -> HtmlPage:
    from fairlead.cli.html import HtmlPage

    return HtmlPage(path)
