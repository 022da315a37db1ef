"""Presents values as parts of pages, such as outputs of notebooks: results, evidence, graphs."""

from __future__ import annotations

from fairlead.advice.advice import Advice
from fairlead.base.diagnostics import counted
from fairlead.checker.result import Result
from fairlead.evidence.changes import StateView
from fairlead.evidence.evidence import Evidence, StepView
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.outcome.coverage import Coverage
from fairlead.present.html.advice import advice_contents
from fairlead.present.html.coverage import coverage_contents
from fairlead.present.html.details import possible
from fairlead.present.html.evidence_block import Exhibit, exhibit_block
from fairlead.present.html.markup import Markup, joined, tag
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.page import Contents, part
from fairlead.present.html.report import result_contents, unique_name
from fairlead.present.html.small_graph import SmallGraph, small_graph
from fairlead.present.html.strip import Caption, strip
from fairlead.present.html.timeline import SHOWN_ENABLED, timeline_of
from fairlead.present.sentences.runs import sentence
from fairlead.simulation.value import Simulation

Shown = Result | Evidence | ExplicitGraph | Simulation | Advice | Coverage


def html_of(value: Shown) -> str:
    """What a notebook shows for a value."""
    return part(contents_of(value).markup)


def contents_of(value: Shown) -> Contents:
    """What is shown of a value."""
    match value:
        case Result():
            return result_contents(value)
        case Advice():
            return advice_contents(value)
        case Coverage():
            return coverage_contents(value)
        case Evidence():
            exhibit = Exhibit(value, "Evidence", sentence(value))
            name = unique_name()
            text = ModelText(f"{name}-text")
            block = exhibit_block([exhibit], name, small_graph(value.system), text)
            return Contents(joined(block, _listing(text)), text.files)
        case ExplicitGraph():
            return Contents(_graph_part(value))
        case Simulation():
            return _simulation_contents(value)


def _graph_part(graph: ExplicitGraph) -> Markup:
    transitions = sum(map(len, graph.transitions.values()))
    size = f"{counted(graph.state_count, 'state')}, {counted(transitions, 'transition')}"
    found = small_graph(graph)
    if not isinstance(found, SmallGraph):
        return tag("p", f"graph with {size}: too large to be drawn")
    return joined(tag("p", f"graph with {size}"), tag("div", found.picture("graph", None), class_="fl-graph"))


def _simulation_contents(simulation: Simulation) -> Contents:
    """The steps taken, with the last state chosen, and what is possible in it."""
    start = simulation.starts[simulation.start]
    timeline = timeline_of(simulation.system, Run(start, simulation.path))
    steps, ending = possible(simulation.system, simulation.state)
    name = unique_name()
    text = ModelText(f"{name}-text")
    shown = joined(
        tag("p", f"Simulation after {counted(len(simulation.path), 'step')}", class_="fl-lead"),
        strip(timeline, name, Caption("The steps taken"), {}, text=text, at_end=True),
        tag("h4", f"Possible now ({len(steps)})"),
        tag("ul", (tag("li", _step_text(step.event, step.processes)) for step in steps[:SHOWN_ENABLED])),
        None if ending is None else tag("p", ending),
        None if len(steps) <= SHOWN_ENABLED else tag("p", f"… {len(steps) - SHOWN_ENABLED} more"),
        _listing(text),
    )
    return Contents(shown, text.files)


def _listing(text: ModelText) -> Markup | None:
    section = text.section()
    return None if section is None else section.markup()


def _step_text(event: str, processes: frozenset[str]) -> str:
    by = f" by {', '.join(sorted(processes))}" if processes else ""
    return joined(tag("code", StepView(event, (), StateView(), ()).label), by)
