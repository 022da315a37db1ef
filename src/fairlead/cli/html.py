"""`check --html`: the answers as a page, written when all are there, or when the command is interrupted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.writing import check_writable, write_whole
from fairlead.cli.answers import Answers
from fairlead.present.html.coverage import coverage_section
from fairlead.present.html.report import Report

_INTERRUPTED = "The command was interrupted. The page has the answers up to then."


class HtmlPage:
    """The page of one command; a place where it cannot be written is refused before there is work done."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        refuse_unwritable(self._path)

    @contextmanager
    def when_interrupted(self, answers: Answers) -> Iterator[None]:
        """Writes the page, with what there is, when the work inside is interrupted."""
        try:
            yield
        except KeyboardInterrupt:
            self.write(answers, (_INTERRUPTED,))
            raise

    def write(self, answers: Answers, notices: tuple[str, ...] = ()) -> None:
        """Writes the page."""
        context = click.get_current_context()
        report = Report(
            tuple(answers.results),
            Path(context.params["model"]).name,
            (f"fairlead check {command_line(context)}",),
            notices,
            tuple((question.text, str(error)) for question, error in answers.errors),
            () if answers.coverage is None else (coverage_section(answers.coverage),),
            answers.answered,
        )
        write_whole(self._path, report.page())


def refuse_unwritable(path: Path) -> None:
    """Complains if a page cannot be written there, or would replace the model."""
    model = Path(click.get_current_context().params["model"])
    if path.exists() and model.exists() and path.samefile(model):
        raise input_error(Code.USAGE, f"--html {path} would replace the model")
    check_writable(path)


def command_line(context: click.Context) -> str:
    """What was given on the command line, as one would type it again; where the page goes is left out."""
    arguments: list[str] = []
    options: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE or name == "html":
            continue
        given = context.params[name]
        values = given if isinstance(given, tuple) else (given,)
        if isinstance(parameter, click.Option):
            options += _option(parameter, values)
        else:
            arguments += values
    return shlex.join([*arguments, *options])


def _option(option: click.Option, values: tuple[object, ...]) -> Iterator[str]:
    if option.is_flag:
        yield option.opts[-1] if values[0] else option.secondary_opts[-1]
        return
    for value in values:
        yield option.opts[-1]
        yield str(value)
