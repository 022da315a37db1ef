"""Defines the exit statuses of the command line, as documented in docs/reference/cli.md."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from fairlead.outcome.finding import Verdict


class ExitStatus(IntEnum):
    """What the command reports to its caller."""

    HOLDS = 0
    VIOLATED = 1
    WRONG = 2
    UNKNOWN = 3
    INTERNAL = 70
    HUNG_UP = 129
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143

    @classmethod
    def of_signal(cls, number: int) -> ExitStatus:
        """The status of a command that a signal has ended, as shells count it."""
        return cls(_SIGNALS + number)


#: from here on, a status says which signal has ended the command
_SIGNALS = 128


def ended_by_signal(status: int) -> bool:
    """Whether a status says that the command was ended from outside."""
    return status > _SIGNALS


def status_of(verdicts: Iterable[Verdict]) -> ExitStatus:
    """Wrong if there is an error, else violated if anything is, else unknown if anything is."""
    found = set(verdicts)
    if Verdict.ERROR in found:
        return ExitStatus.WRONG
    if Verdict.VIOLATED in found:
        return ExitStatus.VIOLATED
    return ExitStatus.UNKNOWN if Verdict.UNKNOWN in found else ExitStatus.HOLDS
