"""`fairlead graph`: writes the reachable system of a model as an explicit graph, or draws it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fairlead.api import Model, load
from fairlead.check.limits import Limits
from fairlead.cli.options import limits_of, model_options, parse_definitions
from fairlead.cli.progress import ProgressLine
from fairlead.cli.stored import chosen_result, read_results
from fairlead.cli.writing import write_whole
from fairlead.drawing.dot import to_dot
from fairlead.drawing.emphasis import emphasis
from fairlead.drawing.svg import MOST_STATES, refuse_large, to_svg
from fairlead.errors import Code, input_error
from fairlead.lang.explicit.write import to_aut, to_json
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run

_FORMATS = ("aut", "dot", "json", "svg")
_DRAWN = ("dot", "svg")


@click.command()
@model_options
@click.option("--format", "form", type=click.Choice(_FORMATS), default="json", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file, not to stdout.")
@click.option(
    "--highlight",
    "evidence",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Colour the run that check --json has stored; for svg and dot.",
)
@click.option("--result", type=click.IntRange(min=1), metavar="N", help="Which result of that file.")
@click.option("--terminal", is_flag=True, help="Colour the terminal components; for svg and dot.")
@click.option(
    "--max-drawn",
    type=click.IntRange(min=1),
    metavar="N",
    default=MOST_STATES,
    show_default=True,
    help="Refuse to draw more states as svg.",
)
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
    evidence: str | None,
    result: int | None,
    terminal: bool,
    max_drawn: int,
) -> int:
    """Write or draw the reachable states and transitions of MODEL.

    JSON keeps processes and propositions and can be checked like any model; svg is a picture, for
    graphs of a few dozen states; Aldebaran (aut) and Graphviz (dot) are for other tools.
    """
    if form not in _DRAWN and (evidence is not None or terminal):
        raise input_error(Code.USAGE, f"--highlight and --terminal are for svg and dot, not for {form}")
    if result is not None and evidence is None:
        raise input_error(Code.USAGE, "--result chooses from the file of --highlight")
    own = parse_definitions(definitions)
    stored: dict[str, Any] | None = None
    if evidence is not None:
        file = read_results(Path(evidence))
        stored = chosen_result(Path(evidence), file["results"], result, "highlight")
        own = {str(name): str(value) for name, value in file.get("definitions", {}).items()} | own
    loaded = load(model, own, allow_python=allow_python)
    limits = limits_of(max_states, max_memory, timeout)
    with ProgressLine(True) as progress:
        chosen = process if stored is None else _process_of(loaded, stored, process)
        if form == "svg":  # before a large system is listed in vain
            refuse_large(loaded.size(chosen, result=stored, limits=limits, reporter=progress)[0], max_drawn)
        explored = loaded.graph(chosen, result=stored, limits=limits, reporter=progress)
        run = None if stored is None else _run_of(loaded, stored, limits, progress)
    title = Path(model).name if chosen is None else f"{chosen} of {Path(model).name}"
    text = _written(explored, form, run, terminal=terminal, title=title, max_drawn=max_drawn)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text)
    return 0


def _written(
    explored: ExplicitGraph, form: str, run: Run | None, *, terminal: bool, title: str, max_drawn: int
) -> str:
    match form:
        case "json":
            return to_json(explored)
        case "aut":
            return to_aut(explored)
        case "dot":
            return to_dot(explored, emphasis(explored, run, terminal=terminal))
        case _:
            stressed = emphasis(explored, run, terminal=terminal)
            return to_svg(explored, stressed, title=title, most_states=max_drawn)


def _process_of(model: Model, stored: dict[str, Any], asked: str | None) -> str:
    """The process that a stored result is about, which must be the one asked for, if one is."""
    about = model.assertion(str(stored["assertion"])).process
    if asked is not None and model.process_name(asked) != about:
        raise input_error(
            Code.EVIDENCE,
            f"the result is about {about}, not about {asked}",
            hint="leave out --process, or choose another result with --result",
        )
    return about


def _run_of(model: Model, stored: dict[str, Any], limits: Limits, progress: ProgressLine) -> Run:
    return model.run_of(stored, limits=limits, reporter=progress)
