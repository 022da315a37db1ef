"""How errors become messages and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Diagnostic, FairleadError, InternalError, LimitReached
from fairlead.cli.status import ExitStatus
from fairlead.outcome.limits import limit_reached


def guarded(work: Callable[[], object]) -> int:
    """Turns every way to fail into a message and a documented exit status; never a traceback."""
    try:
        outcome = work()
        return outcome if isinstance(outcome, int) else ExitStatus.HOLDS
    except click.exceptions.Abort:
        return _complain("interrupted", ExitStatus.INTERRUPTED)
    except KeyboardInterrupt:
        return _complain("interrupted", ExitStatus.INTERRUPTED)
    except click.ClickException as error:
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
    except (BrokenPipeError, SystemExit):
        # the reader has gone (as in `fairlead … | head`); nothing more can be said on standard output.
        # It is the one case in which click exits by itself
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.HOLDS
    except MemoryError:
        return _complain("error[limit]: out of memory", ExitStatus.UNKNOWN)
    except RecursionError:
        return _complain("error[limit]: the model or formula is nested too deeply", ExitStatus.UNKNOWN)
    except Exception as error:
        if os.environ.get("FAIRLEAD_DEBUG"):
            raise
        return _complain(
            f"error[internal]: {type(error).__name__}: {error}\n"
            "  hint: this is a bug in fairlead; please report it (FAIRLEAD_DEBUG=1 shows where)",
            ExitStatus.INTERNAL,
        )


def _complain(message: str, status: ExitStatus, error: FairleadError | None = None) -> int:
    click.echo(message, err=True)
    if error is not None:
        tell_more(error.diagnostics[0])
    return status


def tell_more(problem: Diagnostic) -> None:
    """Says how to learn more about a problem, to someone at a terminal."""
    if sys.stderr.isatty():  # who reads a file or a log knows where to look
        click.echo(f"  more: fairlead explain {problem.code.value}", err=True)
