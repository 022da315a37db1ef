"""Small graphs, formulas and fairness conditions for tests, written shortly."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.logic.ltl import TRUE, Always, Atom, AtomKind, Exists, Formula, Next, Until
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Proposition, Step


def graph(
    arcs: str, propositions: str = "", annotations: Mapping[Annotated, frozenset[int]] | None = None
) -> ExplicitGraph:
    """`0 a P 1, 1 b P+Q 0` is two arcs with processes; `p 0 1, q 1` says where propositions are true."""
    transitions: dict[int, list[Step]] = {}
    count = 1
    for arc in arcs.split(","):
        source, event, processes, target = arc.split()
        names = frozenset() if processes == "-" else frozenset(processes.split("+"))
        transitions.setdefault(int(source), []).append(Step(event, names, int(target)))
        count = max(count, int(source) + 1, int(target) + 1)
    lists = [entry.split() for entry in propositions.split(",") if entry.strip()]
    named = {name: frozenset(map(int, states)) for name, *states in lists}
    return ExplicitGraph(count, 0, transitions, named, annotations=annotations or {})


def prop(name: str) -> Atom:
    return Atom(name)


def event(name: str) -> Atom:
    return Atom(name, AtomKind.QUOTED)


def executed(name: str) -> Atom:
    return Atom(name, AtomKind.EXECUTED)


def enabled(name: str) -> Atom:
    return Atom(name, AtomKind.ENABLED)


def meaning(atom: Atom) -> Meaning:
    """Names are propositions, quoted names events; `enabled` and `executed` speak of processes."""
    match atom.kind:
        case AtomKind.QUOTED:
            return EventAtom.of(atom.text)
        case AtomKind.EXECUTED:
            return ProcessAtom(frozenset({atom.text}))
        case AtomKind.ENABLED:
            return Enabled(ProcessAtom(frozenset({atom.text})))
    return Proposition(atom.text, atom.text)


def meanings(*atoms: Atom) -> dict[Atom, Meaning]:
    return {atom: meaning(atom) for atom in atoms}


def ex(operand: Formula) -> Exists:
    return Exists(Next(operand))


def ef(operand: Formula) -> Exists:
    return Exists(Until(TRUE, operand))


def eg(operand: Formula) -> Exists:
    return Exists(Always(operand))


def run(system: ExplicitGraph, start: int, stem: str = "", loop: str = "") -> Run:
    """A run by events; where several steps have one, `a:3` says the target. Idling is `(idle)`."""
    state = start
    parts: list[tuple[Step, ...]] = []
    for text in (stem, loop):
        steps: list[Step] = []
        for name in text.split():
            label, _, target = name.partition(":")
            if label == "(idle)":
                step = Step("(idle)", frozenset(), state)
            else:
                (step,) = [
                    step
                    for step in system.steps(state)
                    if step.event == label and target in ("", str(step.target))
                ]
            steps.append(step)
            assert isinstance(step.target, int)
            state = step.target
        parts.append(tuple(steps))
    return Run(start, parts[0], parts[1])
