"""How errors become messages and exit statuses."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Diagnostic, FairleadError, InternalError, LimitReached
from fairlead.cli.signals import Ended, interruptible
from fairlead.cli.status import ExitStatus
from fairlead.outcome.limits import limit_reached

#: what keeps output from being written, apart from a reader who has gone
_UNWRITABLE = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "ENXIO")
    if hasattr(errno, name)
}


def guarded(work: Callable[[], object]) -> int:
    """Turns every way to fail into a message and a documented exit status; never a traceback."""
    try:
        return interruptible(lambda: _done(work))
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        return _interrupted(_interruption(error))
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return ExitStatus.WRONG
    except InternalError as error:
        return _complain(str(error), ExitStatus.INTERNAL)
    except Stopped as stop:
        return _complain(str(limit_reached(stop)), ExitStatus.UNKNOWN)
    except LimitReached as error:
        return _complain(str(error), ExitStatus.UNKNOWN, error)
    except FairleadError as error:
        return _complain(str(error), ExitStatus.WRONG, error)
    except (OSError, SystemExit) as error:
        return _without_output(error)
    except MemoryError:
        return _complain("error[limit]: out of memory", ExitStatus.UNKNOWN)
    except RecursionError:
        return _complain("error[limit]: the model or formula is nested too deeply", ExitStatus.UNKNOWN)
    except Exception as error:
        return _bug(error)


def _done(work: Callable[[], object]) -> int:
    outcome = work()
    sys.stdout.flush()  # what cannot be written is found out while it can be told
    return outcome if isinstance(outcome, int) else ExitStatus.HOLDS


def _interrupted(by: BaseException | None) -> int:
    if isinstance(by, Ended):
        return _complain(f"ended by {by.name}", ExitStatus.of_signal(by.number))
    return _complain("interrupted", ExitStatus.INTERRUPTED)


def _interruption(error: BaseException | None) -> BaseException | None:
    """The signal that an exception comes from: a terminal that has gone cannot be told either."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error


def _without_output(error: OSError | SystemExit) -> int:
    """Shows the problem if standard output or standard error takes no more."""
    by = _interruption(error)
    if by is not None:
        return _interrupted(by)
    if isinstance(error, BrokenPipeError | SystemExit):
        # the reader has gone (as in `fairlead … | head`); it is the one case in which click exits by itself
        return ExitStatus.BROKEN_PIPE
    if error.errno in _UNWRITABLE and error.filename is None:
        return _complain(f"error[file]: cannot write the output: {error.strerror}", ExitStatus.WRONG)
    return _bug(error)


def settle_output() -> None:
    """Gives up what standard output and standard error do not take, so that exiting does not fail on it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _bug(error: Exception) -> int:
    by = _interruption(error)
    if by is not None:  # Python wraps what is raised while a class is being made
        return _interrupted(by)
    if os.environ.get("FAIRLEAD_DEBUG"):
        raise error
    return _complain(
        f"error[internal]: {type(error).__name__}: {error}\n"
        "  hint: this is a bug in fairlead; please report it (FAIRLEAD_DEBUG=1 shows where)",
        ExitStatus.INTERNAL,
    )


def _complain(message: str, status: ExitStatus, error: FairleadError | None = None) -> int:
    with suppress(OSError, ValueError):  # there may be no reader; the status says it too
        click.echo(message, err=True)
        if error is not None:
            tell_more(error.diagnostics[0])
    return status


def tell_more(problem: Diagnostic) -> None:
    """Says on a terminal how to learn more about a problem."""
    if sys.stderr.isatty():  # who reads a file or a log knows where to look
        click.echo(f"  more: fairlead explain {problem.code.value}", err=True)
