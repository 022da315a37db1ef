"""Single steps of a system in which few of many processes side by side take part.

The steps of a configuration with thousands of processes are many. Those in which given members of a group
take part are found in a small configuration, in which all others in parallel are replaced by
processes that do nothing: processes side by side do not hinder each other.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from fairlead.base.records import dataclass
from fairlead.model.labels import is_internal
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import (
    ERROR,
    STOP,
    TERMINATED,
    Configuration,
    Counted,
    Leaf,
    LocalState,
    Parallel,
    Tree,
    is_interleaving,
    leaves,
    subtrees,
    with_subtrees,
)

#: where the members of a group are while the group is not there
AWAY = LocalState(-1)

_VALUE = re.compile(r"-?\d+|\btrue\b|\bfalse\b")


@dataclass(frozen=True)
class MemberStep:
    """A step of given members: `small` is the configuration after it, without those that had no part in it.

    `standing_by` are these others, by the name of the process that stands for them.
    """

    event: str
    processes: frozenset[str]
    small: Configuration
    outline: Tree
    states: Mapping[str, LocalState]
    standing_by: Mapping[str, tuple[Tree, ...]]

    def whole(self) -> Step:
        """The step of the whole system."""
        target = Configuration(self.small.values, _filled(self.small.tree, self.standing_by))
        return Step(self.event, self.processes, target)


class MemberSteps:
    """The steps of a system, asked for by who takes part; `group_of` tells the group of each member."""

    def __init__(self, system: NetworkSystem, group_of: Mapping[str, str]) -> None:
        self._system = system
        self._group_of = group_of

    def steps(
        self,
        state: Configuration,
        movers: frozenset[str],
        others: frozenset[str],
        watching: frozenset[str] = frozenset(),
    ) -> list[MemberStep]:
        """The steps in which of the members just the movers, and besides them just the `others`, move.

        Where some steps go before others, those that could go before these count if made by one who watches.
        """
        standing_by: dict[str, tuple[Tree, ...]] = {}
        small = Configuration(state.values, self._without_idle(state.tree, movers | watching, standing_by))
        found = []
        for step in self._system.steps(small):
            if step.processes == movers | others:
                assert isinstance(step.target, Configuration)
                tree = step.target.tree
                states = _states_of(tree, movers)
                if states is not None:
                    outline = self.outline(tree, standing_by)
                    found.append(
                        MemberStep(step.event, step.processes, step.target, outline, states, standing_by)
                    )
        return found

    def outline(self, tree: Tree, standing_by: Mapping[str, tuple[Tree, ...]] | None = None) -> Tree:
        """The tree with members of a group side by side taken for one: the same for a counted tree.

        Names of processes in `standing_by` stand for members.
        """
        match tree:
            case Leaf(state) if state in (TERMINATED, ERROR):
                return Leaf(state, "")
            case Leaf(_, process):
                members = standing_by.get(process) if standing_by else None
                groups = {
                    self._group_of[leaf.process]
                    for leaf in members or (tree,)
                    if isinstance(leaf, Leaf) and leaf.process in self._group_of
                }
                return Parallel(tuple(Counted((), group) for group in sorted(groups))) if groups else tree
            case Counted(process=process):
                return Parallel((Counted((), process),))
        parts = [self.outline(part, standing_by) for part in subtrees(tree)]
        if not is_interleaving(tree):
            return with_subtrees(tree, tuple(parts))
        others: list[Tree] = []
        counted: dict[str, Tree] = {}
        for part in parts:
            for inner in subtrees(part) if is_interleaving(part) else (part,):
                if isinstance(inner, Counted):
                    counted[inner.process] = inner
                else:
                    others.append(inner)
        return Parallel((*others, *(counted[name] for name in sorted(counted))))

    def _without_idle(
        self, tree: Tree, movers: frozenset[str], standing_by: dict[str, tuple[Tree, ...]]
    ) -> Tree:
        parts = subtrees(tree)
        if not parts:
            return tree
        if not is_interleaving(tree):
            return with_subtrees(tree, tuple(self._without_idle(part, movers, standing_by) for part in parts))
        kept: list[Tree] = []
        group_of = self._group_of
        done = 0
        moving = (
            number
            for number, part in enumerate(parts)
            if not isinstance(part, Leaf) or part.process in movers or part.process not in group_of
        )
        for number in (*moving, len(parts)):
            if done < number:
                name = f"\0{len(standing_by)}"
                standing_by[name] = parts[done:number]
                kept.append(Leaf(STOP, name))
            if number < len(parts):
                kept.append(self._without_idle(parts[number], movers, standing_by))
            done = number + 1
        return with_subtrees(tree, tuple(kept))


def likeness(abstract: str, concrete: str) -> int:
    """How well the label of a step fits that of a counted one; 0 is best.

    Internal steps are named after who makes them. Others may differ in the index of a process.
    """
    if abstract == concrete:
        return 0
    if is_internal(abstract) and is_internal(concrete):
        abstract, concrete = abstract.rpartition("@")[0], concrete.rpartition("@")[0]
        if abstract == concrete:
            return 1
    return 2 if _VALUE.sub("_", abstract) == _VALUE.sub("_", concrete) else 3


def arrivals(
    before: Mapping[LocalState, int], after: Mapping[LocalState, int] | None, leaving: Sequence[LocalState]
) -> Iterator[tuple[LocalState, ...]]:
    """Where those that leave may go to, one by one, such that the counts come out right.

    If the group is not there any more (`after` is None), all of them are AWAY.
    """
    if after is None:
        yield (AWAY,) * len(leaving)
        return
    missing = Counter(after)
    missing.subtract(before)
    missing.update(leaving)
    if min(missing.values(), default=0) < 0 or missing.total() != len(leaving):
        return
    yield from dict.fromkeys(itertools.permutations(sorted(missing.elements())))


def _states_of(tree: Tree, processes: frozenset[str]) -> dict[str, LocalState] | None:
    found: dict[str, LocalState] = {}
    for leaf in leaves(tree):
        if leaf.process in processes:
            if leaf.process in found:
                return None
            found[leaf.process] = leaf.state
    return found


def _filled(tree: Tree, standing_by: Mapping[str, tuple[Tree, ...]]) -> Tree:
    """The tree with the processes that stood by in their places."""
    parts = subtrees(tree)
    if not parts:
        return tree
    if not is_interleaving(tree):
        return with_subtrees(tree, tuple(_filled(part, standing_by) for part in parts))
    whole: list[Tree] = []
    for part in parts:
        if isinstance(part, Leaf) and part.process in standing_by:
            whole += standing_by[part.process]
        else:
            whole.append(_filled(part, standing_by))
    return with_subtrees(tree, tuple(whole))
