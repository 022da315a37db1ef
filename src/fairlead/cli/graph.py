"""`fairlead graph`: writes the reachable system of a model as an explicit graph."""

from __future__ import annotations

from pathlib import Path

import click

from fairlead.api import load
from fairlead.cli.options import limits_of, model_options, parse_definitions
from fairlead.cli.progress import ProgressLine
from fairlead.errors import Code, input_error
from fairlead.lang.explicit.write import to_aut, to_dot, to_json

_WRITERS = {"aut": to_aut, "json": to_json, "dot": to_dot}


@click.command()
@model_options
@click.option("--format", "form", type=click.Choice(sorted(_WRITERS)), default="json", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file, not to stdout.")
def graph(
    model: str,
    definitions: tuple[str, ...],
    allow_python: tuple[str, ...],
    process: str | None,
    max_states: int | None,
    max_memory: str | None,
    timeout: float | None,
    form: str,
    output: str | None,
) -> int:
    """Write the reachable states and transitions of MODEL.

    JSON keeps processes and propositions and can be checked like any model; Aldebaran (aut) and
    Graphviz (dot) are for other tools.
    """
    loaded = load(model, parse_definitions(definitions), allow_python=allow_python)
    with ProgressLine(True) as progress:
        explored = loaded.graph(process, limits=limits_of(max_states, max_memory, timeout), reporter=progress)
    text = _WRITERS[form](explored)
    if output is None:
        click.echo(text, nl=False)
        return 0
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise input_error(Code.FILE, f"cannot write '{output}': {error.strerror}") from None
    return 0
