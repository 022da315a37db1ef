"""`--junit` and `--sarif`: reports for other programs, in files beside what the command shows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairlead.base.diagnostics import Code, FairleadError, input_error

if TYPE_CHECKING:
    from fairlead.cli.answers import Answers
    from fairlead.present.ci.record import Record


class Publications:
    """The reports that a command was asked for, by option."""

    def __init__(self, files: dict[str, str | None]) -> None:
        self._files = {option: Path(name) for option, name in files.items() if name is not None}
        self._may_write = False

    def check(self, model: str, html: str | None) -> None:
        """Refuses files that cannot be written, before any work is done; unless all can, none is."""
        if not self._files:
            return
        from fairlead.cli.writing import check_writable  # seldom needed, as all that reports need

        seen = {Path(model).resolve(): "the model"}
        if html is not None:
            seen.setdefault(Path(html).resolve(), "--html")
        for option, path in self._files.items():
            other = seen.setdefault(path.resolve(), option)
            if other != option:
                raise input_error(Code.USAGE, f"{option} {path}: this file is {other} already")
            check_writable(path)
        self._may_write = True

    def write(self, model: str, answers: Answers | None, error: FairleadError | None = None) -> None:
        """Writes each report whole: the answers there are, and what ended the work, if something did."""
        if not self._files or not self._may_write:
            return
        from fairlead.cli.writing import write_whole

        self._may_write = False  # once: should this fail, that is not written
        record = _record(model, answers, error)
        for option, path in self._files.items():
            write_whole(path, _text(option, record))


def _text(option: str, record: Record) -> str:
    if option == "--junit":
        from fairlead.present.ci.junit import junit_text

        return junit_text(record)
    from fairlead.present.ci.sarif import sarif_text

    return sarif_text(record)


def _record(model: str, answers: Answers | None, error: FairleadError | None) -> Record:
    from fairlead.present.ci.record import Failure, Record

    if answers is None:
        return Record(model, Path.cwd(), failures=() if error is None else (Failure(error),))
    failures = [Failure(problem, question) for question, problem in answers.errors]
    if error is not None and all(failure.error is not error for failure in failures):
        failures.append(Failure(error))
    return Record(
        model,
        Path.cwd(),
        answers.model.definitions,
        tuple(answers.results),
        tuple(failures),
        tuple(answers.model.warnings),
    )


def publishing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for reports; the command gets them together, as `publications`."""

    @functools.wraps(command)
    def with_publications(*arguments: Any, junit: str | None, sarif: str | None, **options: Any) -> Any:
        publications = Publications({"--junit": junit, "--sarif": sarif})
        return command(*arguments, publications=publications, **options)

    file = click.Path(dir_okay=False)
    decorated: Callable[..., Any] = with_publications
    for name, form in (("--sarif", "SARIF 2.1.0"), ("--junit", "JUnit XML")):
        decorated = click.option(name, type=file, metavar="FILE", help=f"Write a report as {form}, for CI.")(
            decorated
        )
    return decorated
