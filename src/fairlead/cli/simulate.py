"""`fairlead simulate`: steps through a model, in a terminal or by a script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fairlead.api.simulating import replay
from fairlead.api.simulating import simulate as begin
from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.cli.model import ALLOW_PYTHON, DEFINITIONS, PROCESSES, ModelOptions
from fairlead.cli.options import RESULT, WorkLimitOptions, session_limit_options
from fairlead.cli.session import (
    JsonOutput,
    Output,
    ScriptInput,
    Session,
    TerminalInput,
    TextOutput,
    is_terminal,
    write_record,
)
from fairlead.cli.stored import chosen_result, read_results
from fairlead.cli.walks import WalkOptions, walk_options, walk_through
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock, within

#: the hint where a stored result does not lead to its model
GIVE_MODEL = "give the model's file"


@click.command()
@click.argument("model", type=click.Path(dir_okay=False), required=False)
@click.option("--process", metavar="P", help="The process to simulate, such as 'System()'.")
@DEFINITIONS
@ALLOW_PYTHON
@PROCESSES
@walk_options
@click.option(
    "--seed", type=int, help="Decides what 'random' does (default 0), and what --random does (default: any)."
)
@click.option(
    "--script", metavar="FILE", help="Read the commands from this file, or from standard input if it is '-'."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object on a line; with --script.")
@click.option(
    "--replay", "evidence", type=click.Path(dir_okay=False), help="Follow a run that check --json has stored."
)
@RESULT
@session_limit_options
def simulate(
    model: str | None,
    process: str | None,
    definitions: tuple[str, ...],
    allow_python: tuple[str, ...],
    processes: str | None,
    walks: WalkOptions,
    seed: int | None,
    script: str | None,
    as_json: bool,
    evidence: str | None,
    result: int | None,
    limited: WorkLimitOptions,
) -> int:
    """Step through MODEL: see each state, and choose what happens next.

    'help' in a session lists its commands. With --replay, MODEL can be left out: the file names it.
    Exit status: 0 the session ended, 2 the model, a file or a command of a script is wrong. Of --random:
    0 the condition of --until was met (without one, nothing went wrong), 1 a walk ended in a deadlock, an
    error or a fault, 3 the condition was not met.
    """
    try:
        clock = Clock(limited.limits())
        walks.check({"--script": script, "--replay": evidence, "--result": result})
        if walks.random is not None:
            if model is None:
                raise input_error(Code.USAGE, "--random needs a MODEL to walk through")
            chosen = ModelOptions(model, definitions, allow_python, processes)
            with within(clock.limits, Phase.READING):
                loaded = chosen.load()
            return walk_through(loaded, process, walks, seed, clock.left, as_json=as_json)
        if as_json and script is None:
            raise input_error(Code.USAGE, "--json needs --script; '--script -' reads standard input")
        if evidence is None:
            if model is None:
                raise input_error(Code.USAGE, "which model? Give its file, or evidence with --replay")
            if result is not None:
                raise input_error(Code.USAGE, "--result chooses from the file of --replay")
            chosen = ModelOptions(model, definitions, allow_python, processes)
            with within(clock.limits, Phase.READING):
                simulation = begin(chosen.load(), process, seed=seed or 0)
        else:
            if process is not None:
                raise input_error(
                    Code.USAGE,
                    "--process and --replay cannot be used together: the evidence names the process",
                )
            with within(clock.limits, Phase.READING):
                stored = read_results(Path(evidence))
                file = _named_model(Path(evidence), stored) if model is None else model
                chosen = ModelOptions(str(file), definitions, allow_python, processes)
                followed = chosen_result(Path(evidence), stored["results"], result, "replay")
                simulation = replay(chosen.load(stored), followed, seed=seed or 0)
        output: Output = JsonOutput() if as_json else TextOutput()
        commands = TerminalInput() if script is None and is_terminal() else ScriptInput(script or "-")
        Session(simulation, commands, output, clock.limits).run()
    except FairleadError as error:
        if as_json:
            for problem in error.diagnostics:
                write_record({"kind": "error", **problem.to_json()})
        raise
    return 0


def _named_model(path: Path, stored: dict[str, Any]) -> Path:
    """The model that evidence names: as it was given then, or else in the folder of the evidence."""
    name = stored.get("model")
    if not isinstance(name, str) or not name:
        raise input_error(Code.EVIDENCE, f"'{path}' does not name its model", hint=GIVE_MODEL)
    for candidate in (Path(name), path.parent / name, path.parent / Path(name).name):
        if candidate.is_file():
            return candidate
    raise input_error(Code.FILE, f"'{path}' is about '{name}', which is not there", hint=GIVE_MODEL)
