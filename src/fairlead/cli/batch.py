"""Several checks in one command: of several models, and of a model with several values of its constants."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from fairlead.base.diagnostics import Code, FairleadError, InternalError, LimitReached, counted, input_error
from fairlead.base.files import cannot_read, not_utf8, read_stream
from fairlead.base.records import dataclass
from fairlead.cli.answers import Answers, Lead, print_evidence, write_json
from fairlead.cli.check_options import QuestionOptions
from fairlead.cli.checking import Asked, status_of_answers
from fairlead.cli.model import STDIN, ModelOptions, ModelSource
from fairlead.cli.status import ExitStatus
from fairlead.cli.sweep import Sweep, sweep_of
from fairlead.lang.registry import SUFFIXES
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Limits, within
from fairlead.present.answers_json import failure_json

#: which status is worse than which: that of a whole command is the worst of its checks
_WORST = (
    ExitStatus.INTERNAL,
    ExitStatus.WRONG,
    ExitStatus.VIOLATED,
    ExitStatus.UNKNOWN,
    ExitStatus.HOLDS,
)


@dataclass(frozen=True)
class Batch:
    """The models of a command, each with every combination of values, and the questions about all of them."""

    sources: tuple[ModelSource, ...]
    files: tuple[str, ...]
    sweep: Sweep
    asking: QuestionOptions

    @property
    def is_many(self) -> bool:
        """Whether there may be more than one check."""
        return len(self.files) > 1 or bool(self.sweep.values)

    def lead(self, source: ModelSource) -> Lead:
        """The columns that tell a check from the others."""
        names = [file if file != "-" else STDIN for file in self.files]
        columns = {name: (source.definitions[name], values) for name, values in self.sweep.values.items()}
        if len(self.files) > 1:
            columns = {"model": (source.name, names), **columns}
        return Lead(tuple((name, cell, tuple(cells)) for name, (cell, cells) in columns.items()))

    def check(self, asked: Asked) -> None:
        """Refuses what is for one check only, or for several."""
        output = asked.output
        if output.watch and "-" in self.files:
            raise input_error(Code.USAGE, "--watch is for files, not for standard input")
        if output.plot is not None:
            if not self.sweep.values or len(self.files) > 1:
                raise input_error(Code.USAGE, "--plot is for one model with a range in -D, such as -D N=2..6")
            from fairlead.cli.plotting import check_plot

            check_plot(self.sweep, Path(output.plot), self.files[0])
        if not self.is_many:
            return
        answering = asked.answering
        for name, given in (
            ("--html", output.html is not None),
            ("--states", asked.asking.states),
            ("--checkpoint", answering.checkpoint is not None),
            ("--resume", answering.resume is not None),
            ("--certificate", answering.certificate is not None),
            *((option, True) for option in asked.publications.options),
        ):
            if given:
                raise input_error(Code.USAGE, f"{name} is for one model, with one value of each constant")


def batch_of(model: ModelOptions, asking: QuestionOptions, limits: Limits) -> Batch:
    """The checks that the arguments of a command ask for: an argument that ends like a model file is one."""
    others = [text for text in asking.assertion if is_model(text)]
    files = tuple(dict.fromkeys((model.file, *others)))
    sweep = sweep_of(model.definitions)
    text = _standard_input(limits) if "-" in files else None
    sources = tuple(
        ModelSource(
            file,
            {**sweep.fixed, **point},
            model.allow_python,
            model.processes,
            text if file == "-" else None,
            asking.language,
        )
        for file in files
        for point in sweep.points
    )
    rest = tuple(text for text in asking.assertion if not is_model(text))
    return Batch(sources, files, sweep, replace(asking, assertion=rest))


def is_model(argument: str) -> bool:
    """Whether an argument is a model: standard input, or a name that ends as those of models do.

    An assertion can end so too, as `refines other.aut` does, but it has blanks in it.
    """
    if argument == "-":
        return True
    is_name = not any(letter.isspace() for letter in argument) or Path(argument).is_file()
    return is_name and Path(argument).suffix.lower() in SUFFIXES


def _standard_input(limits: Limits) -> str:
    """The standard input, within the limits; a user who types it has unlimited time."""
    try:
        if not isinstance(sys.stdin, io.TextIOWrapper) or sys.stdin.isatty():
            return sys.stdin.read()
        with within(limits, Phase.READING):
            text = read_stream(sys.stdin.fileno(), "standard input").decode("utf-8-sig")
            return text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise not_utf8("standard input") from None
    except OSError as error:
        raise cannot_read("standard input", error) from None


def check_batch(batch: Batch, asked: Asked) -> int:
    """Makes all checks; what is wrong with one does not stop the others."""
    asked.check()
    statuses: list[ExitStatus] = []
    done: list[tuple[ModelSource, Answers | None]] = []
    for number, source in enumerate(batch.sources):
        lead = replace(batch.lead(source), is_first=number == 0)
        kept: list[Answers] = []
        try:
            answers = asked.answers(source, lead, kept.append)
            statuses.append(status_of_answers(answers))
            if asked.output.as_json:
                write_json("check", answers.json_document())
        except InternalError:
            raise
        except FairleadError as error:
            statuses.append(ExitStatus.UNKNOWN if isinstance(error, LimitReached) else ExitStatus.WRONG)
            if asked.output.as_json:
                write_json(
                    "check", failure_json(source.name, error) | {"definitions": dict(source.definitions)}
                )
            elif not kept or not kept[0].has_rows:
                lead.print_error(asked.output)
            click.echo(str(error), err=True)
        for answers in kept:
            answers.forget()  # the next check has its memory
        done.append((source, kept[0] if kept else None))
    if not asked.output.as_json and not asked.output.quiet:
        _show(batch, done, asked)
    if asked.output.plot is not None:
        from fairlead.cli.plotting import write_plot

        write_plot(batch.sweep, done, Path(asked.output.plot), Path(batch.files[0]).name)
    return min(statuses, key=_WORST.index)


def _show(batch: Batch, done: Sequence[tuple[ModelSource, Answers | None]], asked: Asked) -> None:
    """Shows the output besides the rows, and a line for each model where there are several."""
    print_evidence([(answers, batch.lead(source).text) for source, answers in done if answers], asked.output)
    for source, answers in done:
        if answers is not None:
            answers.print_coverage(batch.lead(source).text)
    if len(batch.files) < 2:
        return
    click.echo()
    width = max(len(source.name) for source, _ in done)
    for file in batch.files:
        own = [answers for source, answers in done if source.file == file]
        name = next(source.name for source, _ in done if source.file == file)
        click.echo(f"{name:<{width}}  {_summary(own)}")


def _summary(own: Sequence[Answers | None]) -> str:
    verdicts = Counter(result.verdict for answers in own if answers for result in answers.results)
    parts = [f"{verdicts[verdict]} {verdict.value}" for verdict in Verdict if verdicts[verdict]]
    errors = sum(1 if answers is None else len(answers.errors) for answers in own)
    return ", ".join([*parts, *([counted(errors, "error")] if errors else [])])
