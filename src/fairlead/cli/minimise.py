"""`fairlead minimise`: writes the smallest system that is equivalent to a model."""

from __future__ import annotations

from pathlib import Path

import click

from fairlead.base.diagnostics import counted
from fairlead.base.writing import write_whole
from fairlead.cli.model import ModelOptions, model_options
from fairlead.cli.options import OUTPUT, LimitOptions
from fairlead.cli.progress import ProgressLine
from fairlead.lang.explicit.write import to_aut, to_json
from fairlead.model.explicit import ExplicitGraph
from fairlead.present.draw.dot import to_dot
from fairlead.reduce.bisimulation import Equivalence

_WRITERS = {"aut": to_aut, "json": to_json, "dot": to_dot}


@click.command()
@model_options
@click.option(
    "--equivalence",
    type=click.Choice([equivalence.value for equivalence in Equivalence]),
    default=Equivalence.WEAK.value,
    show_default=True,
    help="The equivalence: which states are merged.",
)
@click.option("--hide", metavar="EVENTS", default="", help="Events to hide, such as 'a,b'.")
@click.option("--format", "form", type=click.Choice(sorted(_WRITERS)), default="aut", show_default=True)
@OUTPUT
def minimise(
    model: ModelOptions,
    process: str | None,
    limited: LimitOptions,
    equivalence: str,
    hide: str,
    form: str,
    output: str | None,
) -> int:
    """Write the smallest system equivalent to MODEL, up to bisimulation.

    Processes and propositions are lost. The sizes before and after go to standard error if the system goes to
    standard output.
    """
    loaded = model.load()
    names = [name.strip() for name in hide.split(",") if name.strip()]
    with ProgressLine(True) as progress:
        found = loaded.minimise(
            process,
            equivalence,
            hide=names,
            limits=limited.limits(),
            reporter=progress,
        )
    text = _WRITERS[form](found.graph)
    if output is not None:
        write_whole(Path(output), text)
    before = _size(found.states, found.transitions)
    after = _size(found.graph.state_count - len(found.graph.errors), _transition_count(found.graph))
    click.echo(f"{before}; {after} after minimisation ({equivalence})", err=output is None)
    if output is None:
        click.echo(text, nl=False)
    return 0


def _size(states: int, transitions: int) -> str:
    return f"{counted(states, 'state')}, {counted(transitions, 'transition')}"


def _transition_count(graph: ExplicitGraph) -> int:
    return sum(len(steps) for steps in graph.transitions.values())
