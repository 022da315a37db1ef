"""One check of `fairlead check`: a model is loaded, its questions are asked, and the answers are shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Code, FairleadError, LimitReached, input_error
from fairlead.base.records import dataclass
from fairlead.cli.answers import Answers, Lead, write_json
from fairlead.cli.check_options import (
    FairnessOptions,
    OutputOptions,
    QuestionOptions,
    StrategyOptions,
)
from fairlead.cli.model import ModelSource
from fairlead.cli.options import LimitOptions
from fairlead.cli.progress import reporter_of
from fairlead.cli.publishing import Publications, record_of
from fairlead.cli.status import ExitStatus, status_of
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock, Limits, within
from fairlead.present.answers_json import failure_json

if TYPE_CHECKING:
    from fairlead.cli.html import HtmlPage


@dataclass(frozen=True)
class Asked:
    """The questions about a model, and how to answer them and show the answers."""

    process: str | None
    limited: LimitOptions
    asking: QuestionOptions
    fair_to: FairnessOptions
    answering: StrategyOptions
    publications: Publications
    output: OutputOptions

    def check(self) -> None:
        """Refuses options that do not go together."""
        self.asking.check()
        self.answering.check(self.asking.states)

    @property
    def time_to_write(self) -> Limits:
        """The limits for writing down what was found: a part of the time for one check."""
        limits = self.limited.limits()
        return limits if limits.timeout is None else replace(limits, timeout=0.5 + limits.timeout / 10)

    def answers(self, source: ModelSource, lead: Lead, keep: Callable[[Answers], None]) -> Answers:
        """Loads a model and answers the questions about it; `keep` is given what there is before all is."""
        notions = self.fair_to.notions
        reporter = reporter_of(self.output.quiet, self.output.as_json, self.output.verbose)
        clock = Clock(self.limited.limits())
        with reporter, within(clock.limits, Phase.READING):
            reporter.begin("", Phase.READING)
            loaded = source.load()
            questions = list(self.asking.questions(loaded, self.process, may_be_none=self.output.coverage))
        self.answering.check_checkpoints()
        options = self.answering.options(self.fair_to.fair, clock.left)
        if options.checkpoints is not None:
            asked = sum(len(loaded.notions_for(question, notions, options.fair)) for question in questions)
            if asked != 1 or self.asking.states:
                raise input_error(Code.USAGE, f"--checkpoint and --resume are for one question, not {asked}")
        answers = Answers(loaded, options, self.asking.states, self.output, reporter, lead)
        keep(answers)
        page = None if self.output.html is None else _page(self.output.html)
        page_kept = nullcontext() if page is None else page.when_interrupted(answers)
        with reporter, page_kept, loaded.answering.certifying.to(options.certificate):
            for question in questions:
                answers.check(question, notions, others_follow=len(questions) > 1)
            if self.output.coverage:
                answers.cover(questions, self.process)
        answers.page = page
        return answers


def check_one(source: ModelSource, asked: Asked) -> int:
    """Checks one model, and writes whatever reports were asked for."""
    kept: list[Answers] = []
    try:
        asked.publications.check(source.file, asked.output.html)
        asked.check()
        answers = asked.answers(source, Lead(), kept.append)
        with within(asked.time_to_write, Phase.WRITING):
            asked.publications.write(partial(answers.record, source.name))
    except FairleadError as error:
        if asked.output.as_json:
            write_json("check", failure_json(source.name, error))
        known = partial(kept[0].record, source.name) if kept else partial(record_of, source.name)
        asked.publications.write(partial(known, error))
        raise
    with within(asked.time_to_write, Phase.WRITING):
        answers.show()
        if answers.page is not None:
            answers.page.write(answers)
    return status_of_answers(answers)


def status_of_answers(answers: Answers) -> ExitStatus:
    """The exit status that answers lead to."""
    verdicts = [result.verdict for result in answers.results]
    if any(not isinstance(error, LimitReached) for _, error in answers.errors):
        return ExitStatus.WRONG
    return status_of([*verdicts, *(Verdict.UNKNOWN for _ in answers.errors)])


def _page(path: str) -> HtmlPage:
    from fairlead.cli.html import HtmlPage

    return HtmlPage(path)
