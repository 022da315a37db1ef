"""Limits, checkpoints and fairness: options several subcommands share, and how their texts are read."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any

import click

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.outcome.limits import Limits
from fairlead.search.checkpoint import EVERY, Checkpoints, check_checkpoints
from fairlead.search.disk import check_disk

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_size(option: str, text: str | None) -> int | None:
    """`500M`, `8G`, or a number of bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise input_error(Code.USAGE, f"{option} {text}: expected a size such as 500M or 8G")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def all_of(conditions: tuple[str, ...]) -> str | None:
    """The fairness formula of `--fair` options: all of them."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return " && ".join(f"({condition})" for condition in conditions)


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


def checkpoints_of(save: str | None, every: float | None, resume: str | None) -> Checkpoints | None:
    """What `--checkpoint`, `--checkpoint-every` and `--resume` ask for."""
    if every is not None and (save is None or not math.isfinite(every)):
        raise input_error(Code.USAGE, "--checkpoint-every is for --checkpoint, and a number of seconds")
    if save is None and resume is None:
        return None
    checkpoints = Checkpoints(save, resume, EVERY if every is None else every)
    check_checkpoints(checkpoints)
    return checkpoints


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What a check may use; the command gets it together, as `limited`."""

    @functools.wraps(command)
    def with_limits(
        *arguments: Any,
        max_states: int | None,
        max_memory: str | None,
        timeout: float | None,
        threads: int | None,
        disk: str | None,
        disk_limit: str | None,
        **options: Any,
    ) -> Any:
        limited = LimitOptions(max_states, max_memory, timeout, threads, disk, disk_limit)
        return command(*arguments, limited=limited, **options)

    return decorated(
        with_limits,
        click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop at N states."),
        click.option("--max-memory", metavar="SIZE", help="Stop at this much memory, such as 8G."),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help="Stop each check after this time.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            metavar="N",
            help="Search with N threads (default: one for each core). The answer is the same.",
        ),
        click.option(
            "--disk", metavar="DIR", help="Go on in a file in this folder when the memory is used up."
        ),
        click.option("--disk-limit", metavar="SIZE", help="For --disk: stop when the file is this large."),
    )


def decorated(
    command: Callable[..., Any], *decorators: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Callable[..., Any]:
    """The command with options, in this order in its help."""
    for decorator in reversed(decorators):
        command = decorator(command)
    return command
