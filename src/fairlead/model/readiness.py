"""Which annotated steps of a configuration are ready: those that a leaf could take by itself."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.model.annotation import Annotation
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.labels import LabelTemplate
from fairlead.model.network import Behaviour
from fairlead.model.tree import Configuration, Counted, Guarded, Hidden, Leaf, Tree, subtrees


@dataclass(frozen=True)
class ReadyStep:
    """An annotated step of a leaf whose guard holds; its label is to be evaluated in `scope`.

    `hidden` are the events hidden around the leaf: annotations do not concern hidden events.
    """

    annotation: Annotation
    label: LabelTemplate
    process: str
    scope: Scope
    hidden: frozenset[str]


def ready_steps(behaviour: Behaviour, state: Configuration) -> Iterator[ReadyStep]:
    """The annotated steps that leaves of a configuration could take."""
    pending: list[tuple[Tree, frozenset[str]]] = [(state.tree, frozenset())]
    while pending:
        tree, hidden = pending.pop()
        match tree:
            case Leaf(local, process):
                scope = Scope(list(state.values), local.parameters)
                for edge in behaviour.edges(local.position) or ():
                    if edge.annotation is not None and (edge.guard is None or evaluate(edge.guard, scope)):
                        yield ReadyStep(edge.annotation, edge.label, process, scope, hidden)
                continue
            case Counted(members, process):
                pending += [(Leaf(local, process), hidden) for local, _ in members]
                continue
            case Guarded(guard):
                condition = behaviour.condition(guard.position)
                if not evaluate(condition, Scope(list(state.values), guard.parameters)):
                    continue
            case Hidden(_, events):
                hidden |= events
        pending += [(part, hidden) for part in subtrees(tree)]
