"""Runs of a counted network as runs of the processes themselves.

A step of the counted system tells from which local states members move, and the counts before and after it
where they go to. Who moves is free. The steps are followed one by one, each member having its place; then the
loop is repeated, with members taking turns, until each is back in its place (see `concrete_turns`).

Under a notion that is fair to processes all members move that have to: those whose local state is enabled all
along the loop (weak) or at some point of it (strong). All others that never move are treated as the counted
loop treats their local state, so the notion is kept (FM 2009, lemma 2 and theorem 1).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.counting import counted_nodes
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, idle_step
from fairlead.model.tree import SKIP, Configuration, LocalState
from fairlead.reduce.counters.concrete_places import Order, Places
from fairlead.reduce.counters.concrete_steps import AWAY, MemberStep, MemberSteps, arrivals, likeness
from fairlead.reduce.counters.concrete_turns import Place, cycles_of, put_in_line, rounds_needed
from fairlead.reduce.counters.groups import Group

#: whether a local state of the representative corresponds to one of a member
Correspondence = Callable[[LocalState, LocalState], bool]


def concrete_run(
    counted: NetworkSystem,
    concrete: NetworkSystem,
    run: Run,
    groups: Sequence[Group],
    same: Correspondence,
    fairness: Fairness,
    step_budget: int,
) -> Run | None:
    """A run of the concrete system that the counted run stands for, as fair as that is.

    Under strong global fairness the loop is only a cycle in the component where a fair execution stays.

    None if it would take more steps, times the number of members, than the budget, or if there is none: a
    member becomes several processes, or the counted run is unfair or none of the counted system.
    """
    members = max(1, sum(len(group.members) for group in groups))
    step_limit = step_budget // members
    if len(run.stem) + len(run.loop) > step_limit:
        return None
    for start in concrete.initial_states():
        following = _Following(counted, MemberSteps(concrete, _group_of(groups)), groups, same)
        if following.begin(run.start, start):
            stem = following.steps(run.start, run.stem)
            if stem is None:
                continue
            if not run.loop:
                return Run(start, tuple(stem))
            if run.loop[0].event == IDLE:
                return Run(start, tuple(stem), (idle_step(following.state),))
            found = following.loop(run, fairness, step_limit - len(stem))
            if found is not None:
                return Run(start, (*stem, *found[0]), tuple(found[1]))
    return None


def _group_of(groups: Sequence[Group]) -> dict[str, str]:
    return {member: group.process for group in groups for member in group.members}


Counts = Mapping[str, Mapping[LocalState, int]]


@dataclass(frozen=True)
class _Movement:
    """A step of the counted system, with who moves where; `all_of` are groups that move as a whole.

    `gathers` are groups with the local state in which all of their members are after the step.
    """

    step: Step
    goals: Mapping[str, Place]
    leaving: tuple[Place, ...]
    others: frozenset[str]
    all_of: tuple[str, ...]
    gathers: Mapping[str, LocalState]


class _Following:
    """Follows a counted run: knows where every member is."""

    def __init__(
        self,
        counted: NetworkSystem,
        members: MemberSteps,
        groups: Sequence[Group],
        same: Correspondence,
    ) -> None:
        assert counted.network.counting is not None
        self._counted = counted
        self._counting = counted.network.counting
        self._members = members
        self._groups = {group.process: group for group in groups}
        self._same = same
        self._places = Places(groups)
        self.state: Configuration

    def begin(self, abstract: State, concrete: Configuration) -> bool:
        """Starts in a state, if that is what the counted one stands for."""
        assert isinstance(abstract, Configuration)
        counts = self._counts(abstract)
        if counts is None or abstract.values != concrete.values:
            return False
        if self._members.outline(abstract.tree) != self._members.outline(concrete.tree):
            return False
        self.state = concrete
        for group in counts:
            representative = self._groups[group].representative
            if not self._is_gathered(group, counts, representative):
                return False
            self._places.gather(group, representative)
        return True

    def steps(self, start: State, steps: Sequence[Step]) -> list[Step] | None:
        """Follows some steps from a state; None if that is impossible."""
        taken = []
        for before, step in _with_sources(start, steps):
            found = self._step(before, step)
            if found is None:
                return None
            taken.append(found[1])
        return taken

    # ------------------------------------------------------------ loops

    def loop(self, run: Run, fairness: Fairness, step_limit: int) -> tuple[list[Step], list[Step]] | None:
        """Steps to a state from which a loop leads back to it, and the loop."""
        first = self.state
        must_move = self._must_move(run, fairness)
        waiting = {place: self._places.members_at(place) for place in must_move}
        self._places.begin_round(Order.FIRST_COME if must_move else Order.LAST_COME)
        movements = []
        for before, step in _with_sources(run.loop_start, run.loop):
            found = self._step(before, step)
            if found is None:
                return None
            movements.append(found[0])
        cycles = cycles_of(self._places.paths())
        if not all(put_in_line(cycles, place, there) for place, there in waiting.items()):
            return None
        self.state = first
        steps: list[Step] = []
        begun_at = {first: 0}
        while True:
            limit = (step_limit - len(steps)) // len(run.loop)
            rounds = rounds_needed(cycles, limit)
            if rounds is None:
                return None
            turns = [cycle.turns(rounds) for cycle in cycles]
            for _ in range(rounds):
                acting = {token: member for turn in turns for token, member in next(turn).items()}
                for movement in movements:
                    taken = self._repeat(movement, acting)
                    if taken is None:
                        return None
                    steps.append(taken)
            # all are back in place, but the local state of one may be another that corresponds to the same
            if self.state in begun_at:
                begin = begun_at[self.state]
                break
            begun_at[self.state] = len(steps)
        stem, loop = steps[:begin], steps[begin:]
        return (stem, loop) if _all_move(waiting, loop) else None

    def _must_move(self, run: Run, fairness: Fairness) -> list[Place]:
        """The places whose members the notion obliges to move, somewhere in the loop."""
        occupied = self._places.occupied()
        if fairness.facts.formula is not None:  # it may be about any of them
            return occupied
        if fairness.subject is not Subject.PROCESSES:
            return []
        enabled = [
            frozenset().union(*(step.processes for step in self._counted.steps(state)))
            for state in dict.fromkeys(run.loop_states())
        ]
        obliged = frozenset.union(*enabled) if fairness.is_strong else frozenset.intersection(*enabled)
        return [place for place in occupied if self._process_at(place) in obliged]

    def _process_at(self, place: Place) -> str:
        """The process that those at a place are in the counted system; who is away will come as all begin."""
        group, state = place
        return self._counting.member_process(
            group, self._groups[group].representative if state == AWAY else state
        )

    # ------------------------------------------------------------ one step

    def _step(self, before: State, step: Step) -> tuple[_Movement, Step] | None:
        """Makes a step of the counted system from a state, with members chosen by their order."""
        found: list[tuple[int, _Movement, MemberStep]] = []
        for movement in self._movements(before, step):
            found += [
                (likeness(step.event, candidate.event), movement, candidate)
                for candidate in self._candidates(movement, movement.goals)
            ]
        if not found:
            return None
        _, movement, best = min(found, key=lambda option: option[0])
        whole = best.whole()
        assert isinstance(whole.target, Configuration)
        self.state = whole.target
        self._places.move(movement.goals, movement.leaving)
        for group in movement.all_of:
            self._places.move_all(group)
        for group, state in movement.gathers.items():
            self._places.gather(group, state)
        return movement, whole

    def _repeat(self, movement: _Movement, acting: Mapping[str, str]) -> Step | None:
        """Makes a step again, with other members in the places of its participants."""
        goals = {acting[member]: goal for member, goal in movement.goals.items()}
        event = movement.step.event
        candidates = self._candidates(movement, goals)
        if not candidates:
            return None
        whole = min(candidates, key=lambda candidate: likeness(event, candidate.event)).whole()
        assert isinstance(whole.target, Configuration)
        self.state = whole.target
        return whole

    def _candidates(self, movement: _Movement, goals: Mapping[str, Place]) -> list[MemberStep]:
        """The steps by which just these members move, and get where they should."""
        target = movement.step.target
        assert isinstance(target, Configuration)
        movers = frozenset(goals).union(*(self._groups[group].members for group in movement.all_of))
        outline = self._members.outline(target.tree)
        return [
            step
            for step in self._members.steps(self.state, movers, movement.others)
            if step.small.values == target.values
            and step.outline == outline
            and all(
                goal[1] == AWAY or (member in step.states and self._same(goal[1], step.states[member]))
                for member, goal in goals.items()
            )
        ]

    def _movements(self, before: State, step: Step) -> Iterator[_Movement]:
        """The ways in which members can make a step of the counted system."""
        counts, after = self._counts(before), self._counts(step.target)
        if counts is None or after is None:
            return
        places = {
            self._counting.member_process(group, state): (group, state)
            for group, states in counts.items()
            for state in states
        }
        others = frozenset(process for process in step.processes if process not in places)
        moving = sorted(places[process] for process in step.processes if process in places)
        all_of = tuple(group for group, state in moving if state == SKIP)
        alone = [place for place in moving if place[1] != SKIP]
        gathers: dict[str, LocalState] = {}
        for group in dict.fromkeys((*counts, *after)):
            stays = group in after and group in counts and group not in all_of
            if stays and (any(place[0] == group for place in alone) or counts[group] == after[group]):
                continue
            state = self._groups[group].representative if group in after else AWAY
            if group in after and not self._is_gathered(group, after, state):
                return
            gathers[group] = state
        options = [tuple(alone)]
        if len(alone) == 1 and not others:  # a handshake of two in the same local state
            options.append((alone[0], alone[0]))
        for leaving in options:
            if all(leaving.count(place) <= counts[place[0]][place[1]] for place in leaving):
                for goals in self._goals(leaving, counts, after):
                    yield _Movement(step, goals, leaving, others, all_of, gathers)

    def _goals(self, leaving: tuple[Place, ...], counts: Counts, after: Counts) -> Iterator[dict[str, Place]]:
        """Where members that leave places may go to, by the counts; best what takes most of them home."""
        groups = list(dict.fromkeys(group for group, _ in leaving))
        by_group = [
            [
                [(group, state) for state in arriving]
                for arriving in arrivals(
                    counts[group], after.get(group), [state for own, state in leaving if own == group]
                )
            ]
            for group in groups
        ]
        options = [list(itertools.chain(*parts)) for parts in itertools.product(*by_group)]
        if options:
            movers = self._places.choose(leaving, options[0])
            options.sort(key=lambda goals: -self._places.homecomings(movers, goals))
            for goals in options:
                yield dict(zip(movers, goals, strict=True))

    def _counts(self, state: State) -> dict[str, dict[LocalState, int]] | None:
        """How many members of each group are where; None if a group cannot be followed."""
        assert isinstance(state, Configuration)
        found: dict[str, dict[LocalState, int]] = {}
        for node in counted_nodes(state.tree):
            numbers = dict(node.members)
            if node.process in found or node.cutoff is not None or node.process not in self._groups:
                return None
            if sum(numbers.values()) != len(self._groups[node.process].members):
                return None
            found[node.process] = numbers
        return found

    def _is_gathered(self, group: str, counts: Counts, state: LocalState) -> bool:
        return dict(counts[group]) == {state: len(self._groups[group].members)}


def _with_sources(start: State, steps: Sequence[Step]) -> Iterator[tuple[State, Step]]:
    state = start
    for step in steps:
        yield state, step
        state = step.target


def _all_move(waiting: Mapping[Place, Sequence[str]], loop: Sequence[Step]) -> bool:
    moving = frozenset().union(*(step.processes for step in loop))
    return all(member in moving for there in waiting.values() for member in there)
