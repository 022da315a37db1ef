"""Writes graphs for Graphviz, with the same highlights as the pictures."""

from __future__ import annotations

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import TAU, is_internal
from fairlead.model.system import Step
from fairlead.present.draw.emphasis import Emphasis, Mark
from fairlead.present.draw.groups import Grouping
from fairlead.present.draw.picture import Ending, ending_of
from fairlead.present.draw.style import LIGHT, tint_of
from fairlead.present.draw.text import LONGEST_HEADING, printable, shortened
from fairlead.present.draw.values import state_details, step_text, values_at_states

_COLOURS = {Mark.STEM: LIGHT.stem, Mark.LOOP: LIGHT.loop}


def to_dot(graph: ExplicitGraph, stressed: Emphasis | None = None, *, with_values: bool = False) -> str:
    """The Graphviz form: all states and transitions, one line each.

    Values are in tooltips and, `with_values`, also in the labels of the states.
    """
    shown = stressed or Emphasis()
    names = values_at_states(graph) if with_values else _propositions(graph)
    lines = ["digraph system {", "  rankdir=LR;", '  node [shape=circle, fontname="Helvetica"];']
    lines.append('  start [shape=point, style=invis, label=""];')
    states = range(graph.state_count)
    lines += [_state(graph, shown, state, names.get(state, [])) for state in states]
    lines.append(f"  start -> {graph.initial};")
    lines += [
        _transition(graph, shown, source, step)
        for source in states
        for step in graph.transitions.get(source, ())
    ]
    lines += _legend(shown.grouping)
    return "\n".join([*lines, "}"]) + "\n"


def _state(graph: ExplicitGraph, shown: Emphasis, state: int, names: list[str]) -> str:
    label = "\\n".join([str(state), *map(_escaped, names)])
    attributes = [f'label="{label}"']
    if state in graph.values:
        told = "\\n".join(map(_escaped, state_details(graph, state)))
        attributes.append(f'tooltip="{told}"')
    ending = ending_of(graph, state)
    group = shown.grouping.of_state(state)
    fill = None if group is None else tint_of(LIGHT, group.tint)
    colour = _COLOURS.get(shown.of_state(state))
    width = 2
    match ending:
        case Ending.TERMINATED:
            attributes.append("shape=doublecircle")
        case Ending.DEADLOCK:
            colour, width = colour or LIGHT.deadlock, 3
        case Ending.ERROR:
            colour, fill = colour or LIGHT.error, fill or LIGHT.error_fill
        case Ending.NONE:
            pass
    if colour is not None:
        attributes.append(f'color="{colour}", penwidth={width}')
    if fill is not None:
        attributes.append(f'style=filled, fillcolor="{fill}"')
    return f"  {state} [{', '.join(attributes)}];"


def _propositions(graph: ExplicitGraph) -> dict[int, list[str]]:
    """For each state the propositions that hold in it."""
    names: dict[int, list[str]] = {}
    for name, holding in sorted(graph.propositions.items()):
        for state in holding:
            names.setdefault(state, []).append(name)
    return names


def _transition(graph: ExplicitGraph, shown: Emphasis, source: int, step: Step) -> str:
    event = TAU if is_internal(step.event) else step.event
    attributes = [f'label="{_escaped(event)}"']
    if (source, step) in graph.directions:
        attributes.append(f'tooltip="{_escaped(step_text(graph, source, step))}"')
    if is_internal(step.event):
        attributes.append("style=dashed")
    colour = _COLOURS.get(shown.of_step(source, step))
    if colour is not None:
        attributes.append(f'color="{colour}", fontcolor="{colour}", penwidth=2')
    return f"  {source} -> {step.target} [{', '.join(attributes)}];"


def _legend(grouping: Grouping) -> list[str]:
    """A box that says what the tints mean, if there are any."""
    if not grouping.groups:
        return []
    heading = "".join(f"{_escaped(shortened(line, LONGEST_HEADING))}\\l" for line in grouping.heading)
    lines = ["  subgraph cluster_legend {", f'    label="{heading}";']
    for number, group in enumerate(grouping.groups):
        filled = f'style=filled, fillcolor="{tint_of(LIGHT, group.tint)}"'
        lines.append(f'    legend{number} [shape=box, {filled}, label="{_escaped(group.legend)}"];')
    return [*lines, "  }"]


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace('"', '\\"')
