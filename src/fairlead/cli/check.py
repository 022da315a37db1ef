"""`fairlead check`: answers assertions under notions of fairness."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from fairlead.base.diagnostics import FairleadError
from fairlead.cli.answers import write_json
from fairlead.cli.batch import batch_of, check_batch
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
from fairlead.cli.checking import Asked, check_one
from fairlead.cli.help import TeachingCommand
from fairlead.cli.model import ModelOptions, checked_model_options
from fairlead.cli.options import LimitOptions
from fairlead.cli.publishing import Publications, publishing_options, record_of
from fairlead.present.answers_json import failure_json


@click.command(cls=TeachingCommand)
@checked_model_options
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

    An ASSERTION is written as in the model ("System() |= []<> a"), or is the number of one in it. Further
    model files among the arguments are checked as well; '-' is a model on standard input.
    """
    try:
        publications.check(model.file, output.html)
        batch = batch_of(model, asking, limited.limits())
        asked = Asked(process, limited, batch.asking, fair_to, answering, publications, output)
        batch.check(asked)
    except FairleadError as error:
        if output.as_json:
            write_json("check", failure_json(model.file, error))
        publications.write(partial(record_of, model.file, error))
        raise
    work: Callable[[], int]
    if batch.is_many:
        work = partial(check_batch, batch, asked)
    else:
        work = partial(check_one, batch.sources[0], asked)
    if not output.watch:
        return work()
    from fairlead.cli.watch import watch

    return watch(work)
