"""`check --watch`: checks again whenever the model, or a file that it includes, has been saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from fairlead.base.diagnostics import counted
from fairlead.base.files import Stamp, recorded_reads, stamp_of
from fairlead.cli.guard import guarded
from fairlead.cli.signals import Ended
from fairlead.cli.status import ended_by_signal

#: how often files are examined, in seconds
EVERY = 0.25
#: an editor may write a file in several steps: it is read when it has been still for so long
STILL = 0.1


def watch(work: Callable[[], int]) -> int:
    """Does the work at once, and again after each change of a file that was read, until Ctrl-C.

    Gives the status of the last time. Problems of a file are shown; the command waits until the file is saved
    again.
    """
    rounds = 0
    known: dict[Path, Stamp] = {}
    while True:
        if sys.stdout.isatty():
            click.clear()
        elif rounds:
            click.echo()
        rounds += 1
        # a file that could not be found any more is still waited for
        before = {path: stamp_of(path) for path in known}
        with recorded_reads() as reads:
            status = guarded(work)
        known = before | reads
        if ended_by_signal(status):
            return status
        click.echo(f"watching {counted(len(known), 'file')}; Ctrl-C ends", err=True)
        sys.stdout.flush()
        try:
            wait_for_change(known)
        except Ended:
            raise
        except KeyboardInterrupt:
            return status


def wait_for_change(reads: dict[Path, Stamp]) -> None:
    """Returns when a file differs from what it was when it was read, and is still."""
    while all(stamp_of(path) == stamp for path, stamp in reads.items()):
        time.sleep(EVERY)
    before = None
    while (now := [stamp_of(path) for path in reads]) != before:
        before = now
        time.sleep(STILL)
