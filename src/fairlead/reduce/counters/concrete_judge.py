"""Judges runs of very many processes, of which those in the same local state can do the same.

It says what the replay and the fairness of evidence say (`evidence.validate`, `evidence.paths`), by the same
step relation. But instead of all steps of a state, which are as many as there are processes or pairs of them,
it looks at those in which the processes of one step take part, and at those of a sample: two processes of
each group in each local state. Two, since no more than two of one group take part in a step, unless all do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from fairlead.evidence.paths import start_problem, step_problem
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step
from fairlead.model.tree import (
    Configuration,
    Leaf,
    LocalState,
    Tree,
    is_interleaving,
    leaves,
    subtrees,
    with_subtrees,
)
from fairlead.reduce.counters.concrete_steps import MemberSteps
from fairlead.reduce.counters.groups import Group


class Judge:
    """Judges runs of a system with groups of identical processes, none of which becomes several.

    `kind` distinguishes local states in which members can do different things.
    """

    def __init__(
        self,
        system: NetworkSystem,
        groups: Sequence[Group],
        kind: Callable[[LocalState], Hashable] = lambda state: state,
    ) -> None:
        self._system = system
        self._kind = kind
        self._group_of = {member: group.process for group in groups for member in group.members}
        self._members = MemberSteps(system, self._group_of)

    def replay_problem(self, run: Run) -> str | None:
        """What is wrong with a run as an execution of the system, or None."""
        return start_problem(self._system, run) or step_problem(run, self._is_possible)

    def loop_problem(self, run: Run, fairness: Fairness) -> str | None:
        """To whom the loop is unfair, or None; for no fairness, and for the notions about processes."""
        assert fairness is Fairness.NONE or fairness.subject is Subject.PROCESSES
        if fairness is Fairness.NONE:
            return None
        taken = frozenset().union(*(step.processes for step in run.loop))
        enabled = [self._enabled(state) - taken for state in run.loop_states()]
        if not enabled:
            return None
        unfair = frozenset.union(*enabled) if fairness.is_strong else frozenset.intersection(*enabled)
        return f"the loop is unfair to {min(unfair)}" if unfair else None

    def _is_possible(self, state: State, step: Step) -> bool:
        assert isinstance(state, Configuration)
        if step.event == IDLE:
            return step.target == state and not step.processes and not self._system.steps(state)
        movers = frozenset(process for process in step.processes if process in self._group_of)
        watching, _ = self._sample(state)
        found = self._members.steps(state, movers, step.processes - movers, watching)
        return any(member.event == step.event and member.whole() == step for member in found)

    def _enabled(self, state: State) -> frozenset[str]:
        """The processes that can move in a state."""
        assert isinstance(state, Configuration)
        sampled, kinds = self._sample(state)
        small = Configuration(state.values, self._only(state.tree, sampled))
        found = frozenset().union(*(step.processes for step in self._system.steps(small)))
        able = {kinds[process] for process in found if process in kinds}
        return found | frozenset(member for member, kind in kinds.items() if kind in able)

    def _sample(self, state: Configuration) -> tuple[frozenset[str], dict[str, tuple[str, Hashable]]]:
        """Two of each kind (or one, if there are no more), and the kind of each member."""
        kinds: dict[str, tuple[str, Hashable]] = {}
        known: dict[tuple[str, Hashable], int] = {}
        sampled = []
        for leaf in leaves(state.tree):
            group = self._group_of.get(leaf.process)
            if group is not None:
                kind = kinds[leaf.process] = (group, self._kind(leaf.state))
                known[kind] = known.get(kind, 0) + 1
                if known[kind] <= 2:
                    sampled.append(leaf.process)
        return frozenset(sampled), kinds

    def _only(self, tree: Tree, sampled: frozenset[str]) -> Tree:
        """The tree without members that are not in the sample."""
        parts = subtrees(tree)
        if is_interleaving(tree):
            parts = tuple(
                part
                for part in parts
                if not isinstance(part, Leaf) or part.process in sampled or part.process not in self._group_of
            )
        return with_subtrees(tree, tuple(self._only(part, sampled) for part in parts)) if parts else tree
