"""`fairlead studio`: models in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from fairlead.base.diagnostics import Code, input_error, listed
from fairlead.cli.options import parse_size

#: the packages of the extra
_NEEDED = ("lsprotocol", "pygls", "starlette", "uvicorn", "websockets")


@click.command()
@click.argument("folder", default=".", metavar="[FOLDER|MODEL]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Listen on this port of 127.0.0.1; 0 takes a free one.  [default: 8765, or a free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@click.option(
    "--allow-python",
    "python",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Run a Python file with types and functions for the models that import it. Can be repeated.",
)
@click.option(
    "--timeout",
    "seconds",
    type=click.FloatRange(0, 1e9, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that a job may take.",
)
@click.option("--max-memory", "memory", default="2G", show_default=True, help="Memory that a job may take.")
@click.option(
    "--max-states",
    "states",
    type=click.IntRange(1),
    default=5_000_000,
    show_default=True,
    help="States that a job may store.",
)
def studio(
    folder: str,
    port: int | None,
    no_browser: bool,
    python: tuple[Path, ...],
    seconds: float,
    memory: str,
    states: int,
) -> int:
    """Edit, check, simulate and draw models in the browser.

    Starts a server on this machine, which is for you alone, and opens its page: the models of FOLDER (the
    current one by default), or MODEL and those in its folder. Ctrl-C ends it. See docs/how-to/studio.md.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        hint = "pip install 'fairlead[studio]'"
        raise input_error(Code.USAGE, f"the studio needs {listed(missing, 'and')}", hint=hint)
    from fairlead.outcome.limits import Limits
    from fairlead.studio.serving import Settings, serve

    place, first = _place(folder)
    limits = Limits(states, parse_size("--max-memory", memory), seconds)
    settings = Settings(place, first, port, tuple(path.resolve() for path in python), limits)

    def told(address: str) -> None:
        click.echo(f"the studio is at {address}\nCtrl-C ends it")

    return serve(settings, told, opens_browser=not no_browser)


def _place(given: str) -> tuple[Path, str]:
    """The folder, and the model in it that is opened first."""
    path = Path(given)
    try:
        if path.is_dir():
            return path.resolve(), ""
        if path.is_file():
            return path.resolve().parent, path.name
    except (OSError, ValueError):
        pass
    raise input_error(Code.FILE, f"there is no folder or model '{given}'")
