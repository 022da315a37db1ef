"""`fairlead validate`: judges stored evidence anew, on the reference semantics alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from fairlead.api import load
from fairlead.cli.options import ALLOW_PYTHON, parse_definitions
from fairlead.cli.status import ExitStatus
from fairlead.errors import Code, input_error


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("evidence", type=click.Path(dir_okay=False))
@click.option("-D", "definitions", multiple=True, metavar="NAME=VALUE", help="As for check.")
@ALLOW_PYTHON
def validate(model: str, evidence: str, definitions: tuple[str, ...], allow_python: tuple[str, ...]) -> int:
    """Judge the evidence in a file written by `fairlead check --json`.

    Each run is replayed step by step, its loop is tested for fairness and the formula is evaluated on
    it. Exit status: 0 all evidence is valid, 1 some is not, 2 the files are wrong.
    """
    stored = read_results(Path(evidence))
    own = stored.get("definitions", {})
    overrides = {**{str(name): str(value) for name, value in own.items()}, **parse_definitions(definitions)}
    loaded = load(model, overrides, allow_python=allow_python)
    judged = invalid = 0
    for result in stored["results"]:
        if not isinstance(result, dict) or result.get("evidence") is None:
            continue
        check_form(result)
        problem = loaded.validate(result)
        judged += 1
        invalid += problem is not None
        mark = "valid  " if problem is None else "INVALID"
        because = "" if problem is None else f": {problem}"
        click.echo(f"{mark}  {result.get('assertion')}  [{result.get('fairness')}]{because}")
    if not judged:
        click.echo("there is no evidence in the file")
    return ExitStatus.VIOLATED if invalid else ExitStatus.HOLDS


def check_form(result: dict[str, Any]) -> None:
    """Refuses a stored result with evidence that has not the form of one."""
    texts = isinstance(result.get("assertion"), str) and isinstance(result.get("fairness"), str)
    if not texts or not isinstance(result["evidence"], dict):
        raise input_error(
            Code.EVIDENCE, "a result has an 'assertion', a 'fairness' and an 'evidence' with a run"
        )


def read_results(path: Path) -> dict[str, Any]:
    """The results in a file that `check --json` wrote."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise input_error(Code.FILE, f"cannot read '{path}': {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise input_error(Code.EVIDENCE, f"'{path}' is not JSON: {error}") from None
    if not isinstance(stored, dict) or not isinstance(stored.get("results"), list):
        raise input_error(Code.EVIDENCE, f"'{path}' has no list of results; write it with check --json")
    if not isinstance(stored.get("definitions", {}), dict):
        raise input_error(Code.EVIDENCE, f"'{path}': 'definitions' must be an object")
    return stored
