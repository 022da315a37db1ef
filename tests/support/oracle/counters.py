"""Process counters by definition: the quotient of a concrete network under the renaming of equal processes.

After definitions 6 and 7 of Sun, Liu, Roychoudhury, Liu and Dong (FM 2009). A concrete configuration is
mapped to its values and how many processes are in each local state, a concrete transition to its event and
the local states that some process leaves by it. Every concrete configuration is visited, and all those with
the same image must have the same images of their transitions: that is what makes counters exact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from fairlead.model.annotation import Annotated
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import (
    Configuration,
    Counted,
    Leaf,
    LocalState,
    Parallel,
    Tree,
    subtrees,
    with_subtrees,
)

#: values and the shape of a tree
AbstractState = tuple[tuple[int, ...], Hashable]
#: the fields of nodes that hold the trees below them
_PARTS = ("components", "branches", "body", "handler", "first")
#: the names that counted leaves get
_TOLD_APART = re.compile(r"(.+)\|\d+")
#: processes in one local state of a group, or a process that is not counted
Leaver = tuple[str, Hashable] | str


@dataclass(frozen=True)
class AbstractStep:
    """One transition of the quotient: its event, what is left by it, and where it leads."""

    event: str
    leaves: frozenset[Leaver]
    target: AbstractState


#: the steps of a state, its fault if it has one, whether it has terminated, whether it is an error, and which
#: annotated steps are ready in it
Known = tuple[frozenset[AbstractStep], str, bool, bool, frozenset[Annotated]]


@dataclass
class Quotient:
    """The abstract transition system: definition 7, with the events of the steps."""

    initial: set[AbstractState] = field(default_factory=set)
    known: dict[AbstractState, Known] = field(default_factory=dict)
    concrete_states: int = 0

    @property
    def transition_count(self) -> int:
        return sum(len(steps) for steps, *_ in self.known.values())


@dataclass(frozen=True)
class Groups:
    """Which processes are counted: those whose names begin so (`P` for `P()`, `P()#2` and `P(1)`).

    Or the name of its group is known for each process in `members`. `state` and `event` take what differs
    between members away, where that is to be ignored.
    """

    names: frozenset[str]
    state: Callable[[LocalState], Hashable] = lambda state: state
    event: Callable[[str], str] = lambda event: event
    members: Mapping[str, str] = field(default_factory=dict)

    def of(self, process: str) -> str | None:
        """The group of a process, if it is counted."""
        told_apart = _TOLD_APART.fullmatch(process)
        name = process if told_apart is None else told_apart[1]
        name = self.members.get(name, name)
        if name not in self.names:
            name = re.split(r"[(#]", name)[0]
        return name if name in self.names else None


# ---------------------------------------------------------------- the images of trees and labels


def _components(tree: Tree) -> Iterator[Tree]:
    """The components of an interleaving, those of interleavings in it included."""
    if isinstance(tree, Parallel) and tree.alphabets is None and tree.ends is None:
        for component in tree.components:
            yield from _components(component)
    else:
        yield tree


def shape(tree: Tree, groups: Groups) -> Hashable:
    """A tree up to the order of counted processes; the same for members side by side and for `Counted`."""
    is_interleaving = isinstance(tree, Parallel) and tree.alphabets is None and tree.ends is None
    if is_interleaving or isinstance(tree, Counted):
        others: list[Hashable] = []
        numbers: Counter[tuple[str, Hashable]] = Counter()
        for part in _components(tree):
            if isinstance(part, Counted):
                group = groups.of(part.process)
                assert group is not None, part.process
                for state, number in part.members:
                    numbers[group, groups.state(state)] += number
            elif isinstance(part, Leaf) and (group := groups.of(part.process)) is not None:
                numbers[group, groups.state(part.state)] += 1
            else:
                others.append(shape(part, groups))
        return "|||", tuple(others), frozenset(numbers.items())
    if isinstance(tree, Leaf):
        return "leaf", tree.state, groups.of(tree.process) or tree.process
    plain = tuple(getattr(tree, item.name) for item in fields(tree) if item.name not in _PARTS)
    return type(tree).__name__, plain, tuple(shape(part, groups) for part in subtrees(tree))


def told_apart(tree: Tree, groups: Groups) -> Tree:
    """The tree with one name for each counted leaf, so that the steps tell which of them move."""
    number = 0

    def renamed(node: Tree, is_component: bool) -> Tree:
        nonlocal number
        if isinstance(node, Leaf):
            group = groups.of(node.process) if is_component else None
            if group is None:
                return node
            number += 1
            return replace(node, process=f"{group}|{number}")
        inside = isinstance(node, Parallel) and node.alphabets is None and node.ends is None
        return with_subtrees(node, tuple(renamed(part, inside) for part in subtrees(node)))

    return renamed(tree, False)


def _image_of_event(step: Step, images: dict[str, Leaver]) -> str:
    """An internal step names the processes that make it: they become what stands for them."""
    construct, found, names = step.event.partition("]@")
    if not found:
        return step.event
    together = names == "+".join(sorted(step.processes))
    processes = step.processes if together else [names]
    return f"{construct}]@{sorted({str(images.get(name, name)) for name in processes})}"


def abstract_step(step: Step, images: dict[str, Leaver], groups: Groups) -> AbstractStep:
    """Definition 7: the image of a step, given what stands for the names of counted processes."""
    leaving = frozenset(images.get(process, process) for process in step.processes)
    event = groups.event(_image_of_event(step, images))
    return AbstractStep(event, leaving, abstract_state(step.target, groups))


def abstract_state(state: Hashable, groups: Groups) -> AbstractState:
    """Definition 6: the values, and how many processes are where."""
    assert isinstance(state, Configuration)
    return state.values, shape(state.tree, groups)


# ---------------------------------------------------------------- the two graphs


def quotient(network: Network, groups: Groups, limit: int = 20_000) -> Quotient:
    """The image of all that a concrete network can do."""
    system, found = NetworkSystem(network), Quotient()
    start = [replace(state, tree=told_apart(state.tree, groups)) for state in system.initial_states()]
    seen, queue = set(start), list(start)
    found.initial = {abstract_state(state, groups) for state in start}
    for state in queue:
        assert len(queue) <= limit, "the model is too large for a test"
        images = dict(_counted_leaves(state.tree, groups))
        for step in _noted_steps(found, system, state, images, groups):
            assert isinstance(step.target, Configuration)
            target = replace(step.target, tree=told_apart(step.target.tree, groups))
            if target not in seen:
                seen.add(target)
                queue.append(target)
    found.concrete_states = len(queue)
    return found


def counted_graph(network: Network, groups: Groups, limit: int = 20_000) -> Quotient:
    """All that a network with counted processes can do, by its reference semantics."""
    system, found = NetworkSystem(network), Quotient()
    queue = list(dict.fromkeys(system.initial_states()))
    seen = set(queue)
    found.initial = {abstract_state(state, groups) for state in queue}
    for state in queue:
        assert len(queue) <= limit, "the model is too large for a test"
        images = counted_images(network, state, groups)
        for step in _noted_steps(found, system, state, images, groups):
            assert isinstance(step.target, Configuration)
            if step.target not in seen:
                seen.add(step.target)
                queue.append(step.target)
    found.concrete_states = len(queue)
    return found


def counted_images(network: Network, state: Configuration, groups: Groups) -> dict[str, Leaver]:
    """What the names stand for that a network gives to its counted processes."""
    assert network.counting is not None
    images: dict[str, Leaver] = {}
    pending: list[Tree] = [state.tree]
    while pending:
        node = pending.pop()
        pending += subtrees(node)
        if isinstance(node, Counted):
            group = groups.of(node.process)
            assert group is not None
            for member, _ in node.members:
                images[network.counting.member_process(node.process, member)] = group, groups.state(member)
    return images


def _counted_leaves(tree: Tree, groups: Groups) -> Iterator[tuple[str, Leaver]]:
    for part in subtrees(tree):
        name = _TOLD_APART.fullmatch(part.process) if isinstance(part, Leaf) else None
        if isinstance(part, Leaf) and name is not None:
            yield part.process, (name[1], groups.state(part.state))
        yield from _counted_leaves(part, groups)


def _noted_steps(
    found: Quotient, system: NetworkSystem, state: Configuration, images: dict[str, Leaver], groups: Groups
) -> list[Step]:
    """The steps of a state, after what is known of it has been kept; all with the same image must agree."""
    image, fault, steps = abstract_state(state, groups), "", []
    try:
        steps = system.steps(state)
    except Fault as problem:
        fault = f"{problem.code}: {problem.message}"
    known = (
        frozenset(abstract_step(step, images, groups) for step in steps),
        fault,
        not fault and system.has_terminated(state),
        system.failed_process(state) is not None,
        frozenset(Annotated(groups.event(item.label), item.kind) for item in system.ready(state)),
    )
    if image in found.known:
        assert found.known[image] == known, "states with the same image differ: the processes are not alike"
    found.known[image] = known
    return steps
