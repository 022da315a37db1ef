"""Graphs for people: whole where they are small, and condensed where they are large.

The request is a mapping with `view`: `auto`, `whole`, `components`, `strong` and `weak` (minimised up to
bisimulation), `process` with the name of one, or `near` with the number of a state. `terminal` marks terminal
components. The record has nodes and edges, and a drawing as SVG where there are few enough of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.api.model import Model
from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, counted, input_error
from fairlead.base.records import dataclass
from fairlead.certify.meanings import as_system
from fairlead.model.components import strong_components
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import TAU, is_internal
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration, Hidden, Parallel, nodes
from fairlead.outcome.events import Reporter
from fairlead.present.draw.emphasis import Emphasis, emphasis
from fairlead.present.draw.groups import terminal_components
from fairlead.present.draw.picture import ending_of
from fairlead.present.draw.svg import Surroundings, to_svg
from fairlead.service.requests import Request

#: drawings with labels have at most so many states and transitions
MOST_DRAWN, MOST_ARROWS = 60, 160
#: so many states are listed without a drawing; more are condensed
MOST_TOLD = 400
#: an edge tells so many labels
_MOST_LABELS = 8


@dataclass(frozen=True)
class Condensed:
    """A graph whose states are groups of states of another one; `groups` says for each which these are.

    `names` say what the states of a group have in common, where that is known.
    """

    graph: ExplicitGraph
    groups: Sequence[Sequence[int]]
    names: Mapping[int, str]


def picture_record(model: Model, asked: Request, reporter: Reporter) -> dict[str, Any]:
    """The picture that is wanted."""
    wanted = asked.picture or {}
    view = str(wanted.get("view", "auto"))
    about: dict[str, Any] = {"limits": asked.limits, "reporter": reporter}
    if view in ("strong", "weak"):
        small = model.minimise(asked.process, view, **about)
        total = small.states, small.transitions
        return _told(model, asked, _Drawn(small.graph, total, view))
    with_values = view in ("process", "near")
    graph = model.graph(asked.process, values=with_values, result=asked.replay, **about)
    total = graph.state_count, _count(graph)
    if view == "auto":
        view = "whole" if graph.state_count <= MOST_TOLD else "components"
        if view == "components" and len(_components(graph)) > MOST_TOLD:
            small = model.minimise(asked.process, "strong", **about)
            if small.graph.state_count <= MOST_TOLD:
                return _told(model, asked, _Drawn(small.graph, total, "strong"))
            view = "near"
    match view:
        case "whole":
            if graph.state_count > MOST_TOLD:
                raise _too_large(graph, "the graph")
            graph = model.graph(asked.process, values=True, result=asked.replay, **about)
            return _told(model, asked, _Drawn(graph, total, view, _stressed(model, asked, graph, about)))
        case "components":
            return _told_condensed(model, asked, graph, view, by_components(graph))
        case "process":
            found = by_process(graph, str(wanted.get("of", "")))
            return _told_condensed(model, asked, graph, view, found)
        case "near":
            found = neighbourhood(graph, _state(graph, wanted.get("of", graph.initial)), MOST_DRAWN)
            return _told_condensed(model, asked, graph, view, found)
    raise input_error(Code.USAGE, f"there is no view '{view}' of a graph")


def _stressed(model: Model, asked: Request, graph: ExplicitGraph, about: Mapping[str, Any]) -> Emphasis:
    run = None if asked.replay is None else model.run_of(asked.replay, **about)
    return emphasis(graph, run, terminal=bool((asked.picture or {}).get("terminal")))


def _state(graph: ExplicitGraph, given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given < graph.state_count:
        raise input_error(Code.USAGE, f"there is no state {given}; there are {graph.state_count}")
    return given


def _too_large(graph: ExplicitGraph, what: str) -> Exception:
    return input_error(
        Code.LIMIT,
        f"{what} has {counted(graph.state_count, 'state')}, too many to be readable",
        hint="condense it: components, one process, minimised, or the states near one",
    )


# ---------------------------------------------------------------- condensing


def by_components(graph: ExplicitGraph) -> Condensed:
    """Each strongly connected component as one state."""
    return quotient(graph, _components(graph), {})


def _components(graph: ExplicitGraph) -> Sequence[Sequence[int]]:
    def targets(state: int) -> list[int]:
        tick()
        return [step.target for step in graph.transitions.get(state, ()) if isinstance(step.target, int)]

    return [sorted(members) for members in strong_components(graph.state_count, targets)]


def by_process(graph: ExplicitGraph, process: str) -> Condensed:
    """The states in which one process is at the same place, as one state."""
    places: dict[str, list[int]] = {}
    for state in range(graph.state_count):
        tick()
        processes = graph.values.get(state, {}).get("processes", {})
        if process not in processes:
            known = sorted({name for values in graph.values.values() for name in values.get("processes", {})})
            hint = f"processes: {', '.join(known[:12])}" if known else "take another view"
            raise input_error(Code.USAGE, f"not every state has a process '{process}'", hint=hint)
        places.setdefault(str(processes[process]), []).append(state)
    groups = list(places.values())
    return quotient(graph, groups, dict(enumerate(places)))


def neighbourhood(graph: ExplicitGraph, centre: int, most: int) -> Condensed:
    """The states around one, over transitions in both directions, the nearest first."""
    around: dict[int, list[int]] = {}
    for state, steps in graph.transitions.items():
        tick()
        for step in steps:
            assert isinstance(step.target, int)
            around.setdefault(state, []).append(step.target)
            around.setdefault(step.target, []).append(state)
    found = {centre: None}
    for state in (queue := [centre]):
        tick()
        for other in around.get(state, ()):
            if other not in found and len(found) < most:
                found[other] = None
                queue.append(other)
    kept = sorted(found)
    names = {number: _name(graph, state) for number, state in enumerate(kept)}
    return quotient(graph, [[state] for state in kept], names, centre)


def _name(graph: ExplicitGraph, state: int) -> str:
    found = graph.values.get(state, {})
    parts = [f"{name}={value}" for name, value in found.get("variables", {}).items()]
    return ", ".join(parts + [f"{who}: {at}" for who, at in found.get("processes", {}).items()])


def quotient(
    graph: ExplicitGraph, groups: Sequence[Sequence[int]], names: Mapping[int, str], centre: int | None = None
) -> Condensed:
    """The graph of groups of states; transitions within a group of several are left out."""
    number = {state: place for place, members in enumerate(groups) for state in members}
    transitions: dict[int, list[Any]] = {place: [] for place in range(len(groups))}
    seen: set[tuple[int, str, int]] = set()
    for state, steps in graph.transitions.items():
        tick()
        for step in steps:
            assert isinstance(step.target, int)
            source, target = number.get(state), number.get(step.target)
            if source is None or target is None or (source == target and len(groups[source]) > 1):
                continue
            if (source, step.event, target) not in seen:
                seen.add((source, step.event, target))
                transitions[source].append(type(step)(step.event, frozenset(), target))
    initial = number.get(graph.initial if centre is None else centre, 0)
    ended = frozenset(number[state] for state in graph.terminated if state in number)
    errors = {number[state]: who for state, who in graph.errors.items() if state in number}
    found = ExplicitGraph(len(groups), initial, transitions, terminated=ended, errors=errors)
    return Condensed(found, groups, names)


# ---------------------------------------------------------------- telling


@dataclass(frozen=True)
class _Drawn:
    """A graph to be told: what it stands for has `total` states and transitions."""

    graph: ExplicitGraph
    total: tuple[int, int]
    view: str
    stressed: Emphasis | None = None
    condensed: Condensed | None = None
    #: what the graph was before it was condensed
    whole: ExplicitGraph | None = None


def _told_condensed(
    model: Model, asked: Request, whole: ExplicitGraph, view: str, found: Condensed
) -> dict[str, Any]:
    total = whole.state_count, _count(whole)
    if found.graph.state_count > MOST_TOLD:
        what = "the graph of its components" if view == "components" else "the condensed graph"
        raise _too_large(found.graph, what)
    return _told(model, asked, _Drawn(found.graph, total, view, condensed=found, whole=whole))


def _told(model: Model, asked: Request, drawn: _Drawn) -> dict[str, Any]:
    graph = drawn.graph
    if graph.state_count > MOST_TOLD:
        raise _too_large(graph, "the minimised graph")
    terminal = {state: number for number, group in enumerate(terminal_components(graph)) for state in group}
    names = _process_names(model, asked.process)
    return {
        "view": drawn.view,
        "process": model.process_name(asked.process),
        "states": drawn.total[0],
        "transitions": drawn.total[1],
        "initial": graph.initial,
        "nodes": [_node(drawn, state, terminal.get(state)) for state in range(graph.state_count)],
        "edges": _edges(graph, drawn.stressed),
        "svg": _svg(drawn, model.process_name(asked.process)),
        "alphabet": alphabet(model, asked.process, drawn.whole or graph),
        "processes": names,
    }


def _node(drawn: _Drawn, state: int, terminal: int | None) -> dict[str, Any]:
    graph, condensed = drawn.graph, drawn.condensed
    node: dict[str, Any] = {"id": state, "size": 1, "ending": ending_of(graph, state).name.lower()}
    if condensed is None:
        node["text"] = _name(graph, state)
    else:
        members = condensed.groups[state]
        node |= {"size": len(members), "text": condensed.names.get(state, ""), "of": members[0]}
        if drawn.view == "near":  # what leads out of the picture is not shown
            node["ending"] = "none"
    if terminal is not None and drawn.view != "near":
        node["terminal"] = terminal
    if drawn.stressed is not None and drawn.stressed.of_state(state):
        node["mark"] = drawn.stressed.of_state(state).name.lower()
    return node


def _edges(graph: ExplicitGraph, stressed: Emphasis | None) -> list[dict[str, Any]]:
    bundles: dict[tuple[int, int], dict[str, None]] = {}
    marks: dict[tuple[int, int], str] = {}
    for source in range(graph.state_count):
        tick()
        for step in graph.transitions.get(source, ()):
            assert isinstance(step.target, int)
            label = TAU if is_internal(step.event) else step.event
            bundles.setdefault((source, step.target), {}).setdefault(label)
            if stressed is not None and stressed.of_step(source, step):
                marks[source, step.target] = stressed.of_step(source, step).name.lower()
    return [
        {
            "from": source,
            "to": target,
            "labels": list(labels)[:_MOST_LABELS],
            "more": max(0, len(labels) - _MOST_LABELS),
            **({"mark": marks[source, target]} if (source, target) in marks else {}),
        }
        for (source, target), labels in bundles.items()
    ]


def _svg(drawn: _Drawn, title: str) -> str | None:
    """A drawing with labels, if there is room for it; near a state, what is unreachable is not drawn so."""
    graph = drawn.graph
    arrows = {(state, step.target) for state, steps in graph.transitions.items() for step in steps}
    if graph.state_count > MOST_DRAWN or len(arrows) > MOST_ARROWS or drawn.view in ("near", "components"):
        return None
    stressed = drawn.stressed or emphasis(graph, terminal=True)
    return to_svg(graph, stressed, title=title, surroundings=Surroundings.PAGE)


def _count(graph: ExplicitGraph) -> int:
    return sum(map(len, graph.transitions.values()))


def _process_names(model: Model, process: str | None) -> list[str]:
    """The processes that are there in the first state."""
    system = as_system(model._loaded.presented(process))
    starts = list(system.initial_states())
    found = system.describe(starts[0]).get("processes", {}) if starts else {}
    return [str(name) for name in found][:100]


def alphabet(model: Model, process: str | None, graph: ExplicitGraph) -> list[str]:
    """The events that a process can take part in; in FSP also those that it never takes."""
    system = model._loaded.presented(process)
    labels = {step.event for steps in graph.transitions.values() for step in steps}
    if isinstance(system, Network) and model._loaded.default_fairness == "sgf":
        state = next(iter(NetworkSystem(system).initial_states()))
        assert isinstance(state, Configuration)
        hidden = [node for node in nodes(state.tree) if isinstance(node, Hidden)]
        if not hidden:
            for node in nodes(state.tree):
                if isinstance(node, Parallel) and node.alphabets is not None:
                    labels |= frozenset().union(*node.alphabets)
    return sorted(label for label in labels if not is_internal(label))
