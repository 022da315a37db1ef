"""`fairlead papers`: checks the rows of the papers' tables, and prints them with the published results."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.base.writing import write_whole
from fairlead.cli.answers import write_json
from fairlead.cli.options import LimitOptions, limit_options_for_each
from fairlead.cli.progress import ProgressLine
from fairlead.cli.status import ExitStatus
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Limits
from fairlead.papers import TABLES
from fairlead.papers.files import Answered, to_csv, to_json, to_markdown
from fairlead.papers.rows import Row, Table
from fairlead.papers.run import TIMEOUT, Agreement, Outcome, check_row
from fairlead.papers.sizes import check_any, parse_sizes, rows_of
from fairlead.papers.text import Lines, detail_lines, summary, wrapped

_COLOURS = {
    Agreement.AGREES: "green",
    Agreement.EXPLAINED: "yellow",
    Agreement.DIFFERS: "red",
    Agreement.NOT_PUBLISHED: None,
    Agreement.UNKNOWN: "yellow",
}


@dataclass(frozen=True)
class _Files:
    """The files that were asked for."""

    markdown: str | None
    csv: str | None
    svg: str | None

    def check(self) -> None:
        """Refuses, before any work, what could not be written after it, and one file for two things."""
        paths = [Path(name) for name in (self.markdown, self.csv, self.svg) if name is not None]
        if len({path.resolve() for path in paths}) < len(paths):
            raise input_error(Code.USAGE, "--markdown, --csv and --svg need one file each")
        for path in paths:
            if not path.resolve().parent.is_dir():
                raise input_error(Code.FILE, f"cannot write '{path}': {os.strerror(errno.ENOENT)}")
            if not os.access(path if path.exists() else path.resolve().parent, os.W_OK):
                raise input_error(Code.FILE, f"cannot write '{path}': {os.strerror(errno.EACCES)}")

    def write(self, answered: Sequence[Answered]) -> None:
        """Writes them."""
        if self.svg is not None:
            from fairlead.papers.chart import chart_of
            from fairlead.present.draw.plot import to_svg

            write_whole(Path(self.svg), to_svg(chart_of(answered)))
        if self.csv is not None:
            write_whole(Path(self.csv), to_csv(answered))
        if self.markdown is not None:
            picture = None if self.svg is None else _seen_from(Path(self.markdown), Path(self.svg))
            write_whole(Path(self.markdown), to_markdown(answered, picture))


def _seen_from(page: Path, picture: Path) -> str:
    return Path(os.path.relpath(picture.resolve(), page.resolve().parent)).as_posix()


class _Run:
    """Rows checked one after the other, shown as they come."""

    def __init__(self, limits: Limits, as_json: bool, quiet: bool) -> None:
        self._limits = limits
        self._as_json = as_json
        self._quiet = quiet
        self.progress = ProgressLine(not quiet and not as_json)
        self._found: list[tuple[Table, list[Outcome]]] = []

    @property
    def answered(self) -> tuple[Answered, ...]:
        """What was checked so far."""
        return tuple(Answered(table, tuple(outcomes)) for table, outcomes in self._found if outcomes)

    @property
    def outcomes(self) -> list[Outcome]:
        """The same, without the tables."""
        return [outcome for _, outcomes in self._found for outcome in outcomes]

    def check(self, table: Table, rows: Sequence[Row]) -> None:
        """Checks some rows of a table."""
        lines = Lines(table, rows)
        outcomes: list[Outcome] = []
        if self._found:
            self._say("")
        self._found.append((table, outcomes))
        self._say(f"{table.name}: {table.title}\n{wrapped(table.paper)}\n\n{lines.head}")
        for row in rows:
            self.progress.begin(f"{row.name} {row.fairness}", Phase.READING)
            outcome = check_row(row, self._limits, self.progress)
            self.progress.clear()
            outcomes.append(outcome)
            self._show(lines, outcome)
        if not self._quiet:
            self._say(f"\n{summary(outcomes)}\n{wrapped(table.about)}")
            for number, note in lines.columns.notes.numbered:
                self._say(wrapped(f"[{number}] {note}", hanging=4))

    def _show(self, lines: Lines, outcome: Outcome) -> None:
        before, compared, after = lines.line(outcome)
        coloured = click.style(compared, fg=_COLOURS[outcome.agreement])
        self._say(before + coloured + after)
        for line in () if self._quiet else detail_lines(outcome):
            self._say(f"    {line}")

    def _say(self, text: str) -> None:
        if not self._as_json:
            click.echo(text)


@click.command()
@click.option(
    "--table",
    "names",
    multiple=True,
    type=click.Choice(list(TABLES)),
    help="The table to check; without it all of them. Can be repeated.",
)
@click.option(
    "--sizes",
    metavar="SIZES",
    help="Only rows of these sizes, such as 3-6 or '3,5,inf'; all: including those that take long.",
)
@limit_options_for_each
@click.option(
    "--markdown", type=click.Path(dir_okay=False), metavar="FILE", help="Write a page with the tables."
)
@click.option("--csv", type=click.Path(dir_okay=False), metavar="FILE", help="Write all rows as CSV.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Draw our times against the published ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Write rows as JSON, and nothing else, to stdout.")
@click.option("--quiet", is_flag=True, help="Only the rows: no progress, notes or traces.")
def papers(
    names: tuple[str, ...],
    sizes: str | None,
    limited: LimitOptions,
    markdown: str | None,
    csv: str | None,
    svg: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check the tables of the papers again, row by row, and compare them with the published results.

    A row may take 60 seconds unless --timeout says otherwise; then it is unknown and the next one follows.
    Exit status: 0 every row agrees, or differs as its note explains, 1 a row differs, 2 the command is wrong,
    3 no row differs but one is unknown.
    """
    files = _Files(markdown, csv, svg)
    files.check()
    wanted = parse_sizes(sizes)
    tables = [TABLES[name] for name in dict.fromkeys(names or TABLES)]
    chosen = [(table, rows_of(table, wanted)) for table in tables]
    check_any((row for _, rows in chosen for row in rows), tables, wanted)
    limits = limited.limits()
    if limits.timeout is None:
        limits = replace(limits, timeout=TIMEOUT)
    run = _Run(limits, as_json, quiet)
    try:
        with run.progress:
            for table, rows in chosen:
                if rows:
                    run.check(table, rows)
    except KeyboardInterrupt:
        _finish(run, files, as_json, interrupted=True)
        raise
    _finish(run, files, as_json, interrupted=False)
    return status_of(run.outcomes)


def _finish(run: _Run, files: _Files, as_json: bool, *, interrupted: bool) -> None:
    """Writes what was checked, all of it or what there was time for."""
    if run.outcomes:  # else old files are worth more
        files.write(run.answered)
    if as_json:
        write_json("papers", to_json(run.answered, interrupted=interrupted), indent=1)


def status_of(outcomes: Sequence[Outcome]) -> ExitStatus:
    """Differs if any row does, else unknown if any is."""
    found = {outcome.agreement for outcome in outcomes}
    if Agreement.DIFFERS in found:
        return ExitStatus.VIOLATED
    return ExitStatus.UNKNOWN if Agreement.UNKNOWN in found else ExitStatus.HOLDS
