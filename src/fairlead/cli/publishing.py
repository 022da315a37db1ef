"""Writes the reports of `--junit`, `--sarif` and similar options to files, for other programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.cli.groups import Command, decorated
from fairlead.present.formats import FORMATS, Format

if TYPE_CHECKING:
    from fairlead.present.record import Record


class Publications:
    """The reports that a command was asked for."""

    def __init__(self, files: dict[Format, str | None]) -> None:
        self._files = {form: Path(name) for form, name in files.items() if name is not None}
        self._may_write = False

    @property
    def options(self) -> list[str]:
        """The options that ask for reports."""
        return [form.option for form in self._files]

    def check(self, model: str, html: str | None) -> None:
        """Refuses files that cannot be written, before any work is done; unless all can, none is."""
        if not self._files:
            return
        from fairlead.base.writing import check_writable  # rarely needed, as all that reports need

        seen = {Path(model).resolve(): "the model"}
        if html is not None:
            seen.setdefault(Path(html).resolve(), "--html")
        for form, path in self._files.items():
            other = seen.setdefault(path.resolve(), form.option)
            if other != form.option:
                raise input_error(Code.USAGE, f"{form.option} {path}: this file is {other} already")
            check_writable(path)
        self._may_write = True

    def write(self, record: Callable[[], Record]) -> None:
        """Writes each report whole; the record is put together only if a report is wanted."""
        if not self._files or not self._may_write:
            return
        from fairlead.base.writing import write_whole

        self._may_write = False  # once: should this fail, that is not written
        for form, path in self._files.items():
            write_whole(path, form.render(record()))


def publishing_options(command: Command) -> Command:
    """The options for reports; the command gets them together, as `publications`."""

    @functools.wraps(command)
    def with_publications(*arguments: Any, **given: Any) -> Any:
        publications = Publications({form: given.pop(form.name) for form in FORMATS})
        return command(*arguments, publications=publications, **given)

    file = click.Path(dir_okay=False)
    return decorated(
        with_publications,
        *(
            click.option(
                form.option, type=file, metavar="FILE", help=f"Write a report as {form.title}, for CI."
            )
            for form in FORMATS
        ),
    )


def record_of(model: str, failure: FairleadError) -> Record:
    """The record of a command that asked no question."""
    from fairlead.present.record import Failure, Record

    return Record(model, Path.cwd(), failures=(Failure(failure),))
