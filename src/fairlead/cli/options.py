"""Limits and fairness formulas: options several subcommands share, and how their texts are read."""

from __future__ import annotations

import math

import click

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.cli.groups import option_group
from fairlead.outcome.limits import A_SIZE, MOST_STATES, MOST_THREADS, Limits, size_of
from fairlead.search.disk import check_disk

#: which notion is meant where none is given
DEFAULT_NOTION = "The default is none, for FSP sgf."

FINITE_PATHS = click.option(
    "--finite-paths",
    is_flag=True,
    help="For --ctl: where nothing can happen a path ends, and does not count.",
)
OUTPUT = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="Write to this file, not to stdout."
)
RESULT = click.option("--result", type=click.IntRange(min=1), metavar="N", help="Which result of that file.")


def parse_size(option: str, text: str | None) -> int | None:
    """The size that an option gives."""
    if text is None:
        return None
    size = size_of(text)
    if size is None:
        raise input_error(Code.USAGE, f"{option} {text[:40]}: expected {A_SIZE}, of at most 4,000,000T")
    return size


@dataclass(frozen=True)
class LimitOptions:
    """What a check may use, as it was given to the command."""

    max_states: int | None
    max_memory: str | None
    timeout: float | None
    threads: int | None
    disk: str | None
    disk_limit: str | None

    def limits(self) -> Limits:
        """The limits of a check."""
        if self.timeout is not None and not math.isfinite(self.timeout):
            raise input_error(Code.USAGE, f"--timeout {self.timeout}: expected a number of seconds")
        if self.disk_limit is not None and self.disk is None:
            raise input_error(Code.USAGE, "--disk-limit is for --disk")
        limits = Limits(
            self.max_states,
            parse_size("--max-memory", self.max_memory),
            self.timeout,
            self.threads,
            self.disk,
            parse_size("--disk-limit", self.disk_limit),
        )
        check_disk(limits)
        return limits


limit_options = option_group(
    LimitOptions,
    "limited",
    click.option("--max-states", type=click.IntRange(1, MOST_STATES), metavar="N", help="Stop at N states."),
    click.option("--max-memory", metavar="SIZE", help="Stop at this much memory, such as 8G."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Stop each check after this time.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        metavar="N",
        help="Search with N threads, but at most four for each core (default: one). The answer is the same.",
    ),
    click.option("--disk", metavar="DIR", help="Go on in a file in this folder when the memory is used up."),
    click.option("--disk-limit", metavar="SIZE", help="For --disk: stop when the file is this large."),
)
