"""`fairlead mcp`: tools for agents."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.cli.groups import option_group
from fairlead.cli.options import LimitOptions
from fairlead.outcome.limits import MOST_STATES, Limits

#: the package of the extra
_NEEDED = "mcp"


@dataclass(frozen=True)
class CeilingOptions:
    """The most that a call may use, as it was given; None where nothing was."""

    max_states: int | None
    max_memory: str | None
    timeout: float | None

    def over(self, usual: Limits) -> Limits:
        """These, and where nothing was given the usual ones."""
        given = LimitOptions(self.max_states, self.max_memory, self.timeout, None, None, None).limits()
        return replace(usual, **{name: value for name, value in vars(given).items() if value is not None})


_ceiling_options = option_group(
    CeilingOptions,
    "ceiling",
    click.option("--max-states", type=click.IntRange(1, MOST_STATES), metavar="N", help="Per call."),
    click.option("--max-memory", metavar="SIZE", help="Per call, such as 8G."),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Per call."),
)


@click.command()
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Where models are; nothing outside of it is read. The default is the current folder.",
)
@click.option(
    "--allow-python",
    "python",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A Python file with types and functions that models may use. It is run.",
)
@_ceiling_options
def mcp(folder: Path, python: tuple[Path, ...], ceiling: CeilingOptions) -> int:
    """Answer an agent: tools that check models, over the model context protocol.

    It speaks over standard input and output. Agents start it; see docs/how-to/agents.md. Nothing is
    written. An agent may ask for other limits than the usual ones, up to those given here; without them up
    to 600 seconds, 4G and 50,000,000 states.
    """
    if find_spec(_NEEDED) is None:
        hint = "pip install 'fairlead[mcp]'"
        raise input_error(Code.USAGE, "tools for agents need the package mcp", hint=hint)
    from fairlead.mcp.permissions import CEILING, Permissions
    from fairlead.mcp.server import serve

    files = tuple(file.resolve() for file in python)
    serve(Permissions(folder.resolve(), files, ceiling.over(CEILING)))
    return 0
