"""`fairlead lsp`: the language server, for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click

from fairlead.base.diagnostics import Code, input_error, listed

#: the packages of the extra
_NEEDED = ("lsprotocol", "pygls")


def _address(context: click.Context, option: click.Parameter, given: str | None) -> tuple[str, int] | None:
    """A host and a port."""
    if given is None:
        return None
    host, _, port = given.rpartition(":")
    if not (port.isascii() and port.isdecimal()) or len(port) > 5 or int(port) > 65535:
        raise click.BadParameter(f"{given}: expected HOST:PORT, such as localhost:2087")
    return host.strip("[]") or "localhost", int(port)


@click.command()
@click.option(
    "--tcp",
    callback=_address,
    metavar="HOST:PORT",
    help="Listen there instead, for any number of clients; port 0 takes a free one.",
)
@click.option("--stdio", is_flag=True, help="Use standard input and output, which is the default.")
def lsp(tcp: tuple[str, int] | None, stdio: bool) -> int:
    """Answer an editor: the language server for models.

    It speaks the language server protocol over standard input and output. Editors start it; see
    docs/how-to/editors.md. Exit status: 0 the editor has left in good order, 1 it has gone without.
    """
    if stdio and tcp is not None:
        raise input_error(Code.USAGE, "--stdio and --tcp cannot be used together")
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        hint = "pip install 'fairlead[lsp]'"
        raise input_error(Code.USAGE, f"the language server needs {listed(missing, 'and')}", hint=hint)
    from fairlead.lsp import connection

    if tcp is None:
        return connection.serve_standard()
    try:
        connection.serve_tcp(*tcp, lambda host, port: click.echo(f"listening on {host}:{port}", err=True))
    except OSError as error:
        where = f"{tcp[0]}:{tcp[1]}"
        raise input_error(Code.USAGE, f"cannot listen on {where}: {error.strerror}") from None
    return 0
