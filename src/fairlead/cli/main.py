"""The `fairlead` command: its subcommands, and how errors become messages and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module

import click

from fairlead import __version__
from fairlead.cli.status import ExitStatus
from fairlead.errors import FairleadError, InternalError, LimitReached

#: the subcommands; each is a function in the module of its name
_COMMANDS = ("check", "graph", "ltl", "minimise", "simulate", "validate")


class _Commands(click.Group):
    """Loads the module of a subcommand when it is asked for, and no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"fairlead.cli.{cmd_name}"), cmd_name)
        return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: fairlead check examples/mutual_exclusion/peterson.csp --fairness all",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Check concurrent and distributed systems under fairness.

    Models are written in CSP# (.csp) or FSP (.lts), or given as graphs (.aut, .json).
    """


def run(arguments: list[str] | None = None) -> int:
    """Runs the command line; the exit status."""
    return _guarded(lambda: cli.main(arguments, prog_name="fairlead", standalone_mode=False))


def _guarded(work: Callable[[], object]) -> int:
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
    except LimitReached as error:
        return _complain(str(error), ExitStatus.UNKNOWN)
    except FairleadError as error:
        return _complain(str(error), ExitStatus.WRONG)
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


def _complain(message: str, status: ExitStatus) -> int:
    click.echo(message, err=True)
    return status
