"""Finds identical processes, and builds the tree in which they are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field, replace
from itertools import product

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.model.counting import counted_node, possible_numbers
from fairlead.model.network import Network
from fairlead.model.tree import (
    Hidden,
    Leaf,
    LocalState,
    Parallel,
    Prioritised,
    Tree,
    Unbounded,
    is_interleaving,
    leaves,
    nodes,
    parallel,
    subtrees,
    with_subtrees,
)
from fairlead.reduce.counters.automata import (
    UNKNOWN_FACTS,
    Facts,
    LocalAutomata,
    NotCountable,
    Sight,
    SymbolicState,
    TooManyStates,
    facts_of,
    start_of,
)
from fairlead.reduce.counters.groups import NONE_LIKE_IT, Group


@dataclass(frozen=True)
class Merged:
    """Counted processes: who they are, and what matters of them.

    Where there are unboundedly many, `least` is the smallest number of them, and `name` what they are called
    where a number is chosen.
    """

    group: Group
    facts: Facts
    least: int | None = None
    name: str = ""

    @property
    def text(self) -> str:
        """For people: `10 x Reader()`."""
        if self.least is None:
            return f"{len(self.group.members)} x {self.group.process}"
        return f"{self.least} or more x {self.group.process}"


@dataclass
class Symmetry:
    """What has been found out about the processes of a network."""

    merged: dict[str, Merged] = field(default_factory=dict)
    #: processes that are not counted, and why
    apart: dict[str, str] = field(default_factory=dict)
    #: equivalent symbolic states have the same number
    classes: dict[SymbolicState, int] = field(default_factory=dict)

    def same(self, one: LocalState, other: LocalState) -> bool:
        """Whether two local states of identical processes correspond to each other."""
        return self.kind(one) == self.kind(other)

    def kind(self, state: LocalState) -> Hashable:
        """What local states of identical processes have in common if they correspond to each other."""
        return self.classes.get(SymbolicState.of(state), state)


class Merger:
    """Turns identical processes into counted ones, in the trees of one network.

    `sight` is what is visible of labels besides the tree itself; processes in `named` stay as they are. If
    `forking`, a process that is the only one of its kind is counted too if it may become several.
    """

    def __init__(
        self, network: Network, sight: Sight, named: frozenset[str], cutoff: int, forking: bool = False
    ) -> None:
        self._forking = forking
        self._network = network
        self._sight = sight
        self._named = named
        self._cutoff = cutoff
        self._automata = LocalAutomata(network)
        self._leaves_of: Counter[str] = Counter()
        self._labels: frozenset[str] = frozenset()
        self._hides = False
        self.symmetry = Symmetry()

    def merged(self, tree: Tree) -> list[Tree]:
        """The trees with counted processes that stand for a tree.

        They are several where there are unboundedly many processes: one for each number that is known
        exactly, and one for all larger numbers.
        """
        self._leaves_of = Counter(leaf.process for leaf in leaves(tree))
        self.note(tree)
        sight = self._sight
        if sight.labels is not None:
            sight = Sight(sight.labels | self._labels)
        return self._merged(tree, sight)

    def note(self, tree: Tree) -> None:
        """Remembers what operators of a tree see: a later tree may be inside of them."""
        self._labels |= frozenset(_labels_seen(tree))
        self._hides = self._hides or any(isinstance(node, Hidden) for node in nodes(tree))

    def _merged(self, tree: Tree, sight: Sight) -> list[Tree]:
        if isinstance(tree, Unbounded):
            return list(self._unbounded(tree))
        if is_interleaving(tree):
            return self._interleaving(tree, sight)
        if isinstance(tree, Leaf) and self._forking and self._may_fork(tree):
            return [self._counted([tree])]
        parts = subtrees(tree)
        if isinstance(tree, Parallel):
            self._keep_synchronised(parts)
        variants = [self._merged(part, sight) for part in parts]
        return [with_subtrees(tree, chosen) for chosen in product(*variants)]

    def _keep_synchronised(self, parts: Sequence[Tree]) -> None:
        positions = [part.state.position for part in parts if isinstance(part, Leaf)]
        for part in parts:
            if isinstance(part, Leaf) and positions.count(part.state.position) > 1:
                self._set_apart(
                    part.process, "it runs in parallel (||) with its copies, not interleaved (|||)"
                )

    def _interleaving(self, tree: Parallel, sight: Sight) -> list[Tree]:
        processes = [part for part in tree.components if isinstance(part, Leaf)]
        groups = self._groups(processes, sight)
        member_of = {leaf.process: group for group in groups.values() for leaf in group}
        variants: list[list[Tree]] = []
        placed: set[str] = set()
        for part in tree.components:
            if isinstance(part, Leaf) and part.process in member_of:
                first = member_of[part.process][0]
                if first.process not in placed:
                    placed.add(first.process)
                    variants.append([self._counted(member_of[part.process])])
            elif isinstance(part, Leaf):
                variants.append([part])
            else:
                variants.append(self._merged(part, sight))
        return [chosen[0] if len(chosen) == 1 else parallel(chosen, None) for chosen in product(*variants)]

    # ------------------------------------------------------------ identical processes

    def _groups(self, processes: list[Leaf], sight: Sight) -> dict[object, list[Leaf]]:
        """The identical processes, two or more of each kind; notes why others are not."""
        candidates: dict[int, list[Leaf]] = {}
        for leaf in processes:
            if leaf.process in self._named:
                self._set_apart(leaf.process, "the question names it")
            elif self._leaves_of[leaf.process] > 1:
                self._set_apart(leaf.process, "it is several parallel processes with one name")
            else:
                candidates.setdefault(leaf.state.position, []).append(leaf)
        groups: dict[object, list[Leaf]] = {}
        for position, alike in candidates.items():
            for key, group in self._alike(alike, sight).items():
                groups.setdefault((position, key), []).extend(group)
        for key, leaf in [(key, group[0]) for key, group in groups.items() if len(group) < 2]:
            if self._forking and self._may_fork(leaf):
                continue
            del groups[key]
            self.symmetry.apart.setdefault(leaf.process, NONE_LIKE_IT)
        return groups

    def _alike(self, processes: list[Leaf], sight: Sight) -> dict[object, list[Leaf]]:
        """Processes at one position, by their kind."""
        distinct = list(dict.fromkeys(leaf.state for leaf in processes))
        if len(processes) == 1:
            return {distinct[0]: processes}
        states: list[SymbolicState] = []
        try:
            if len(distinct) > 1:
                processes = self._starting_alike(processes, sight)
                distinct = list(dict.fromkeys(leaf.state for leaf in processes))
            states = self._automata.reachable(distinct)
        except NotCountable as problem:
            if len(distinct) > 1 or not isinstance(problem, TooManyStates):
                for leaf in processes:
                    self._set_apart(leaf.process, str(problem))
                return {}
        if len(distinct) < 2:
            return {distinct[0]: processes} if distinct else {}
        classes = self._automata.classes(states, sight.sees)
        offset = len(self.symmetry.classes)
        self.symmetry.classes |= {state: offset + number for state, number in classes.items()}
        groups: dict[object, list[Leaf]] = {}
        for leaf in processes:
            groups.setdefault(classes[start_of(leaf)], []).append(leaf)
        for group in groups.values():
            if len(group) == 1:
                other = next(leaf for leaf in processes if leaf is not group[0])
                self._set_apart(group[0].process, self._difference(group[0], other, sight))
        return groups

    def _may_fork(self, leaf: Leaf) -> bool:
        try:
            return self._facts(leaf.state).forks
        except NotCountable:
            return False

    def _starting_alike(self, processes: list[Leaf], sight: Sight) -> list[Leaf]:
        """Without those whose first steps already differ from those of all others."""
        by_steps: dict[object, list[Leaf]] = {}
        for leaf in processes:
            by_steps.setdefault(self._automata.signature(start_of(leaf), sight.sees), []).append(leaf)
        for alike in by_steps.values():
            if len(alike) == 1:
                other = next(leaf for leaf in processes if leaf is not alike[0])
                self._set_apart(alike[0].process, self._difference(alike[0], other, sight))
        return [leaf for alike in by_steps.values() if len(alike) > 1 for leaf in alike]

    def _difference(self, leaf: Leaf, other: Leaf, sight: Sight) -> str:
        """In what a process differs from one at the same position: goes through both side by side."""
        pairs = [(start_of(leaf), start_of(other))]
        seen = set(pairs)
        for one, two in pairs:
            mine, its = self._automata.steps(one), self._automata.steps(two)
            where = self._network.behaviour.place(one.position)
            place = f"at '{where.text}'" + ("" if where.span is None else f" ({where.span})")
            if len(mine) != len(its):
                return f"its steps differ from those of {other.process}, {place}"
            for first, second in zip(mine, its, strict=True):
                shown, shown_other = first.observed(sight.sees), second.observed(sight.sees)
                for name, word in _DIFFERENCES:
                    if getattr(shown, name) != getattr(shown_other, name):
                        return f"its {word} is another than that of {other.process}, {place}"
                for pair in zip(first.targets, second.targets, strict=False):
                    if pair not in seen:
                        seen.add(pair)
                        pairs.append(pair)
        return f"it does not behave like {other.process}"

    def _set_apart(self, process: str, reason: str) -> None:
        self.symmetry.apart[process] = reason

    # ------------------------------------------------------------ counted processes

    def _counted(self, members: list[Leaf]) -> Tree:
        first = members[0]
        names = tuple(leaf.process for leaf in members)
        name = _group_name(names)
        known = self.symmetry.merged
        while name in known and known[name].group.members != names:
            name += "'"
        group = Group(name, names, tuple(leaf.state for leaf in members), first.state)
        self.symmetry.merged[name] = Merged(group, self._facts(first.state))
        return counted_node([(first.state, len(members))], name)

    def _unbounded(self, node: Unbounded) -> Iterator[Tree]:
        state, process = node.leaf.state, node.leaf.process
        try:
            facts = self._facts(state)
        except NotCountable as problem:
            message = f"unboundedly many processes {process} cannot be counted: {problem}"
            raise input_error(Code.COUNTERS, message) from None
        if self._cutoff == 0 and facts.shake_hands:
            unclear = f"with the cutoff 0 it is not known whether two processes {process} can shake hands"
            raise input_error(Code.COUNTERS, unclear, hint="check with --cutoff 1")
        known = self.symmetry.merged
        name = process
        while name in known and known[name].name != node.name:
            name += "'"
        group = Group(name, (), (), state)
        known[name] = Merged(group, replace(facts, one_process=not node.apart), node.least, node.name)
        for number in possible_numbers(node.least, self._cutoff):
            yield counted_node([(state, number)], name, self._cutoff)

    def _facts(self, state: LocalState) -> Facts:
        try:
            facts = facts_of(self._automata, self._automata.reachable([state]))
        except TooManyStates:
            return UNKNOWN_FACTS
        return replace(facts, has_internal_steps=True) if self._hides else facts

    @property
    def automata(self) -> LocalAutomata:
        """The local automata that were examined."""
        return self._automata


_DIFFERENCES = (
    ("guard", "guard"),
    ("label", "event"),
    ("update", "program"),
    ("handshake", "message"),
    ("annotation", "fairness annotation"),
    ("arguments", "next state"),
)


def _labels_seen(tree: Tree) -> Iterator[str]:
    """The labels that operators of a tree see: shared, hidden or prioritised ones."""
    for node in nodes(tree):
        if isinstance(node, Hidden):
            yield from node.events
        elif isinstance(node, Prioritised):
            yield from node.labels
        elif isinstance(node, Parallel) and node.alphabets is not None:
            once: set[str] = set()
            for alphabet in node.alphabets:
                yield from alphabet & once
                once |= alphabet


def _group_name(members: Sequence[str]) -> str:
    """`Reader()` for `Reader()`, `Reader()#2` …; `Reader(…)` for `Reader(0)`, `Reader(1)` …"""
    bases = {name.split("#", 1)[0] for name in members}
    if len(bases) == 1:
        return bases.pop()
    called = {name.split("(", 1)[0] for name in bases}
    return f"{called.pop()}(…)" if len(called) == 1 else f"{members[0]}…"


def has_unbounded(tree: Tree) -> bool:
    """Whether there are unboundedly many processes in a tree."""
    return any(isinstance(node, Unbounded) for node in nodes(tree))
