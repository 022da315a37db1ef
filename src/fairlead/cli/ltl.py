"""`fairlead ltl`: shows what a formula is and the automaton it becomes."""

from __future__ import annotations

import click

from fairlead.base.allowance import enter_phase
from fairlead.base.source import Source
from fairlead.cli.options import WorkLimitOptions, work_limit_options
from fairlead.logic.automata.hoa import to_hoa
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.strength import classify, strength
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Not
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.logic.rewrite import simplify
from fairlead.outcome.events import Phase


@click.command()
@click.argument("formula")
@click.option("--hoa", is_flag=True, help="Write the automaton of the formula in the HOA format.")
@click.option("--negated", is_flag=True, help="Take the negation, as a check does.")
@work_limit_options
def ltl(formula: str, hoa: bool, negated: bool, limited: WorkLimitOptions) -> int:
    """Simplify FORMULA and translate it to a generalised Büchi automaton."""
    limited.limits()
    enter_phase(Phase.TRANSLATING)
    parsed = parse_ltl(Source("formula", formula))
    for warning in parsed.warnings:
        click.echo(warning.render(), err=True)
    asked = Not(parsed.formula) if negated else parsed.formula
    simple = simplify(asked)
    automaton = reduce(to_automaton(simple))
    if hoa:
        click.echo(to_hoa(automaton, str(asked)), nl=False)
        return 0
    violations = reduce(to_automaton(simplify(Not(asked))))
    transitions = sum(len(edges) for edges in automaton.transitions)
    click.echo(f"formula:     {asked}")
    click.echo(f"simplified:  {simple}")
    click.echo(f"class:       {classify(simple, automaton, violations).value}")
    click.echo(
        f"automaton:   {len(automaton.transitions)} states, {transitions} transitions, "
        f"acceptance sets: {automaton.acceptance_sets} ({strength(automaton).value})"
    )
    return 0
