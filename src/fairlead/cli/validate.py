"""`fairlead validate`: judges stored evidence again, on the reference semantics alone."""

from __future__ import annotations

from pathlib import Path

import click

from fairlead.cli.model import ALLOW_PYTHON, DEFINITIONS, ModelOptions
from fairlead.cli.options import WorkLimitOptions, work_limit_options
from fairlead.cli.status import ExitStatus
from fairlead.cli.stored import check_form, read_results


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("evidence", type=click.Path(dir_okay=False))
@DEFINITIONS
@ALLOW_PYTHON
@work_limit_options
def validate(
    model: str,
    evidence: str,
    definitions: tuple[str, ...],
    allow_python: tuple[str, ...],
    limited: WorkLimitOptions,
) -> int:
    """Judge the evidence in a file written by `fairlead check --json`.

    Each run is replayed step by step, its loop is tested for fairness and the formula is evaluated on
    it. Exit status: 0 all evidence is valid, 1 some is not, 2 the files are wrong, 3 a limit was reached.
    """
    limits = limited.limits()
    stored = read_results(Path(evidence))
    loaded = ModelOptions(model, definitions, allow_python).load(stored)
    judged = invalid = 0
    for result in stored["results"]:
        if not isinstance(result, dict) or result.get("evidence") is None:
            continue
        check_form(result)
        problem = loaded.validate(result, limits=limits)
        judged += 1
        invalid += problem is not None
        mark = "valid  " if problem is None else "INVALID"
        because = "" if problem is None else f": {problem}"
        click.echo(f"{mark}  {result.get('assertion')}  [{result.get('fairness')}]{because}")
    if not judged:
        click.echo("there is no evidence in the file")
    return ExitStatus.VIOLATED if invalid else ExitStatus.HOLDS
