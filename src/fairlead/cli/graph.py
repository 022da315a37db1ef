"""`fairlead graph`: writes the reachable system of a model as an explicit graph, or draws it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from fairlead.api.model import Model
from fairlead.base.diagnostics import Code, input_error, listed
from fairlead.base.records import dataclass
from fairlead.base.writing import write_whole
from fairlead.checker.stored import claimed_component
from fairlead.cli.model import ModelOptions, model_options
from fairlead.cli.options import DEFAULT_NOTION, FINITE_PATHS, OUTPUT, RESULT, LimitOptions
from fairlead.cli.progress import ProgressLine
from fairlead.cli.stored import chosen_result, read_results
from fairlead.lang.explicit.write import to_aut, to_json
from fairlead.logic.fairness.notions import Fairness, parse_fairness
from fairlead.model.assertion import SatisfiesBranching
from fairlead.model.explicit import ExplicitGraph
from fairlead.outcome.limits import Limits
from fairlead.present.draw.dot import to_dot
from fairlead.present.draw.emphasis import emphasis
from fairlead.present.draw.groups import FormulaStates
from fairlead.present.draw.svg import MOST_DRAWN, MOST_STATES, refuse_large, to_svg

_FORMATS = ("aut", "dot", "json", "svg")
_DRAWN = ("dot", "svg")


@dataclass(frozen=True)
class _Paths:
    """Which paths count for a formula: those of a notion of fairness (if None, that of the language) that
    satisfy a fairness formula."""

    notion: Fairness | None
    fair: str | None
    finite_paths: bool


@click.command()
@model_options
@click.option("--format", "form", type=click.Choice(_FORMATS), default="json", show_default=True)
@OUTPUT
@click.option(
    "--highlight",
    "evidence",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Colour the run that check --json has stored; for svg and dot.",
)
@RESULT
@click.option("--terminal", is_flag=True, help="Colour the terminal components; for svg and dot.")
@click.option(
    "--ctl",
    "formula",
    metavar="FORMULA",
    help="Colour the states where a formula of CTL or CTL* holds; in json they are a proposition.",
)
@click.option(
    "--fairness",
    metavar="NAME",
    help=f"For --ctl: {listed([notion.value for notion in Fairness], 'or')}. {DEFAULT_NOTION}",
)
@click.option(
    "--fair",
    metavar="FORMULA",
    help="For --ctl: consider only executions that satisfy this fairness formula.",
)
@FINITE_PATHS
@click.option(
    "--values",
    is_flag=True,
    help="Write the values of the variables at the states; in json, with the positions of the processes.",
)
@click.option(
    "--max-drawn",
    type=click.IntRange(1, MOST_DRAWN),
    metavar="N",
    default=MOST_STATES,
    show_default=True,
    help="Do not draw graphs with more states as svg.",
)
def graph(
    model: ModelOptions,
    process: str | None,
    limited: LimitOptions,
    form: str,
    output: str | None,
    evidence: str | None,
    result: int | None,
    terminal: bool,
    formula: str | None,
    fairness: str | None,
    fair: str | None,
    finite_paths: bool,
    values: bool,
    max_drawn: int,
) -> int:
    """Write or draw the reachable states and transitions of MODEL.

    JSON keeps processes and propositions and can be checked like any model; svg is a picture, for
    graphs of a few dozen states; Aldebaran (aut) and Graphviz (dot) are for other tools.
    """
    _refuse_misuse(form, terminal, formula, evidence, result)
    if form == "aut" and values:
        raise input_error(Code.USAGE, "--values is for svg, dot and json, not for aut")
    paths = _paths(formula, fairness, fair, finite_paths)
    file: dict[str, Any] | None = None
    stored: dict[str, Any] | None = None
    if evidence is not None:
        file = read_results(Path(evidence))
        stored = chosen_result(Path(evidence), file["results"], result, "highlight")
    loaded = model.load(file)
    limits = limited.limits()
    with ProgressLine(True) as progress:
        chosen = process if stored is None else _process_of(loaded, stored, process)
        question = None if formula is None else loaded.ctl(formula, chosen, finite_paths=finite_paths)
        if form == "svg":  # before a large system is listed without use
            states, _ = loaded.size(
                chosen, result=stored, question=question, fair=fair, limits=limits, reporter=progress
            )
            refuse_large(states, max_drawn)
        found = None if question is None else _found(loaded, question, paths, limits, progress)
        explored = loaded.graph(
            chosen,
            result=stored,
            question=question,
            fair=fair,
            values=values or form in _DRAWN,
            limits=limits,
            reporter=progress,
        )
        run = None if stored is None else loaded.run_of(stored, limits=limits, reporter=progress)
    if form in _DRAWN:
        title = Path(model.file).name if chosen is None else f"{chosen} of {Path(model.file).name}"
        component = None if stored is None else claimed_component(stored)
        stressed = emphasis(explored, run, terminal=terminal, formula=found, component=component)
        if form == "dot":
            text = to_dot(explored, stressed, with_values=values)
        else:
            text = to_svg(explored, stressed, title=title, most_states=max_drawn, with_values=values)
    else:
        text = to_aut(explored) if form == "aut" else to_json(_with_propositions(explored, found))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text)
    return 0


def _refuse_misuse(
    form: str, terminal: bool, formula: str | None, evidence: str | None, result: int | None
) -> None:
    """Refuses options that do not go together."""
    if form not in _DRAWN and (evidence is not None or terminal):
        raise input_error(Code.USAGE, f"--highlight and --terminal are for svg and dot, not for {form}")
    if form == "aut" and formula is not None:
        raise input_error(Code.USAGE, "--ctl is for svg, dot and json, not for aut")
    if terminal and formula is not None:
        raise input_error(Code.USAGE, "--terminal and --ctl both colour states: choose one of them")
    if result is not None and evidence is None:
        raise input_error(Code.USAGE, "--result chooses from the file of --highlight")


def _paths(formula: str | None, fairness: str | None, fair: str | None, finite_paths: bool) -> _Paths:
    if formula is None:
        given = {
            "--fairness": fairness is not None,
            "--fair": fair is not None,
            "--finite-paths": finite_paths,
        }
        for name in (name for name, is_given in given.items() if is_given):
            raise input_error(Code.USAGE, f"{name} is for a formula given with --ctl")
    notions = (None,) if fairness is None else parse_fairness(fairness)
    if len(notions) > 1:
        raise input_error(Code.USAGE, f"--fairness {fairness}: states are coloured for one notion at a time")
    return _Paths(notions[0], fair, finite_paths)


def _process_of(model: Model, stored: dict[str, Any], asked: str | None) -> str:
    """The process that a stored result is about, which must be the one asked for, if one is."""
    about = model.question_of(stored).process
    if asked is not None and model.process_name(asked) != about:
        raise input_error(
            Code.EVIDENCE,
            f"the result is about {about}, not about {asked}",
            hint="leave out --process, or choose another result with --result",
        )
    return about


def _found(
    model: Model, question: SatisfiesBranching, paths: _Paths, limits: Limits, progress: ProgressLine
) -> FormulaStates:
    """Where a formula holds; shows the warnings."""
    known = len(model.warnings)
    asked = None if paths.notion is None else (paths.notion,)
    (notion,) = model.notions_for(question, asked, paths.fair)
    found = model.states(question, notion, fair=paths.fair, limits=limits, reporter=progress)
    progress.clear()
    for warning in model.warnings[known:]:
        click.echo(warning.render(), err=True)
    text = " ".join(question.formula.text.split())
    return FormulaStates(text, found.holds, found.partly, _assumed(notion, paths))


def _assumed(notion: Fairness, paths: _Paths) -> str | None:
    """Which paths count, in words; None if all do."""
    fair = [] if notion is Fairness.NONE else [notion.title]
    fair += [] if paths.fair is None else [" ".join(paths.fair.split())]
    parts = [f"under {' and '.join(fair)}"] if fair else []
    parts += ["on infinite paths only"] if paths.finite_paths else []
    return ", ".join(parts) or None


def _with_propositions(explored: ExplicitGraph, found: FormulaStates | None) -> ExplicitGraph:
    """The graph with the formula as a proposition, and another one where it depends on the step before.

    What the graph has already keeps its name: a formula that is just an event is put in parentheses.
    """
    if found is None:
        return explored
    steps = (step for listed in explored.transitions.values() for step in listed)
    is_event = any(step.event == found.formula for step in steps)
    name = f"({found.formula})" if is_event else found.formula
    propositions = dict(explored.propositions)
    propositions.setdefault(name, found.holds)
    if found.partly:
        propositions.setdefault(f"{name} after some steps", found.partly)
    return replace(explored, propositions=propositions)
