"""Writes explicit graphs: Aldebaran, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fairlead.base.forms import Form, identifier
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import is_internal
from fairlead.model.system import Step


def to_json(graph: ExplicitGraph) -> str:
    """The JSON form, one transition a line."""
    head = {"schema": identifier(Form.GRAPH), "states": graph.state_count, "initial": graph.initial}
    transitions = ",\n".join(
        "  " + json.dumps([source, step.event, step.target, sorted(step.processes)], ensure_ascii=False)
        for source, step in _transitions(graph)
    )
    props = {name: sorted(states) for name, states in graph.propositions.items()}
    parts = [json.dumps(head)[1:-1], f'"transitions": [\n{transitions}\n]', f'"props": {json.dumps(props)}']
    if graph.terminated:
        parts.append(f'"terminated": {json.dumps(sorted(graph.terminated))}')
    if graph.annotations:
        ready = {str(annotated): sorted(states) for annotated, states in sorted(graph.annotations.items())}
        parts.append(f'"annotations": {json.dumps(ready)}')
    if graph.errors:
        failed: dict[str, list[int]] = {}
        for state, process in sorted(graph.errors.items()):
            failed.setdefault(process, []).append(state)
        parts.append(f'"errors": {json.dumps(failed, ensure_ascii=False)}')
    if graph.values:
        shown = (
            json.dumps(graph.values.get(state), ensure_ascii=False) for state in range(graph.state_count)
        )
        parts.append('"values": [\n  ' + ",\n  ".join(shown) + "\n]")
    return "{" + ",\n ".join(parts) + "}\n"


def to_aut(graph: ExplicitGraph) -> str:
    """The Aldebaran form; processes and propositions are lost, internal steps are all `i`."""
    lines = [
        f"({source}, {_quoted('i' if is_internal(step.event) else step.event)}, {step.target})"
        for source, step in _transitions(graph)
    ]
    lines = list(dict.fromkeys(lines))
    return "\n".join([f"des ({graph.initial}, {len(lines)}, {graph.state_count})", *lines]) + "\n"


def _transitions(graph: ExplicitGraph) -> Iterator[tuple[int, Step]]:
    for source in range(graph.state_count):
        for step in graph.transitions.get(source, ()):
            yield source, step


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
