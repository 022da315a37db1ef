"""Limits and fairness formulas: options several subcommands share, and how their texts are read."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from fairlead.base.allowance import allowed, cap_process
from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.base.records import dataclass
from fairlead.cli.groups import Command, option_group
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import A_SIZE, MOST_STATES, MOST_THREADS, Limits, size_of
from fairlead.search.disk import check_disk

#: which notion is meant where none is given
DEFAULT_NOTION = "The default is none, for FSP sgf."

FINITE_PATHS = click.option(
    "--finite-paths",
    is_flag=True,
    help="For --ctl: a path that reaches a state without steps ends there, and does not count.",
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


@dataclass(frozen=True)
class WorkLimitOptions:
    """What a command without a search may use, as it was given."""

    max_memory: str | None
    timeout: float | None

    def limits(self) -> Limits:
        """The limits of the command."""
        return LimitOptions(None, self.max_memory, self.timeout, None, None, None).limits()


@contextmanager
def _kept_by_process(limited: LimitOptions | WorkLimitOptions, of_all: bool) -> Iterator[None]:
    """Keeps the limit on memory for a whole command, and that on time if it is one `of_all` its work."""
    try:
        limits = limited.limits()
    except FairleadError:  # the command says so in its own way
        yield
        return
    memory = limits.memory()
    cap_process(memory, limits.workers)
    with allowed(Phase.READING, timeout=limits.timeout if of_all else None, memory=memory):
        yield


_MAX_MEMORY = click.option("--max-memory", metavar="SIZE", help="Stop at this much memory, such as 8G.")
_SECONDS = click.FloatRange(min=0, min_open=True)

_work_limit_group = option_group(
    WorkLimitOptions,
    "limited",
    _MAX_MEMORY,
    click.option("--timeout", type=_SECONDS, metavar="SECONDS", help="Stop after this time."),
)

_limit_group = option_group(
    LimitOptions,
    "limited",
    click.option("--max-states", type=click.IntRange(1, MOST_STATES), metavar="N", help="Stop at N states."),
    _MAX_MEMORY,
    click.option("--timeout", type=_SECONDS, metavar="SECONDS", help="Stop each check after this time."),
    click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        metavar="N",
        help="Search with N threads, but at most four for each core (default: one). The answer is the same.",
    ),
    click.option(
        "--disk", metavar="DIR", help="Continue in a file in this folder when the memory is used up."
    ),
    click.option("--disk-limit", metavar="SIZE", help="For --disk: stop when the file is this large."),
)


def limit_options(command: Command) -> Command:
    """The limits, as `limited`; a command keeps them as a whole."""
    return _limit_group(_kept(command, of_all=True))


def limit_options_for_each(command: Command) -> Command:
    """The limits, as `limited`; that on time is one for each check of the command."""
    return _limit_group(_kept(command, of_all=False))


def work_limit_options(command: Command) -> Command:
    """Time and memory, as `limited`; a command keeps them as a whole."""
    return _work_limit_group(_kept(command, of_all=True))


def session_limit_options(command: Command) -> Command:
    """Time and memory, as `limited`; that on time is for each task of the command by itself."""
    return _work_limit_group(_kept(command, of_all=False))


def _kept(command: Command, of_all: bool) -> Command:
    @functools.wraps(command)
    def within_limits(*arguments: Any, limited: LimitOptions | WorkLimitOptions, **given: Any) -> Any:
        with _kept_by_process(limited, of_all):
            return command(*arguments, limited=limited, **given)

    return within_limits
