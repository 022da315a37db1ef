"""Every small graph, smallest first, and which notions of fairness tell themselves apart on it.

The size of a graph is (transitions, states, events, processes), compared in this order, so that only
finitely many graphs are smaller than a given one: k transitions reach at most k + 1 states and have at most k
events; and processes that take part in the same transitions ask for the same, so one of them is enough.

A set of steps that a run takes forever is a *round*: strongly connected and reachable, or the idling of a
state without transitions. The letters of a round are the pairs (event, state after it). All that `[]<> p` and
`<>[] p` can say about a run, with p any combination of events and state propositions, depends on the letters
of its round: `[]<> p` is violated if all of them miss p, `<>[] p` if one of them does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

Arc = tuple[int, int, int]  # source, event, target
Letter = tuple[int | None, int]
Size = tuple[int, int, int, int]

#: annotations of event 0 without any other fairness stand beside the notions
NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf", "impartial", "wf", "sf", "f")


@dataclass(frozen=True)
class Round:
    """What a run does forever: its states, and which of the graph's arcs it takes."""

    states: frozenset[int]
    taken: frozenset[int]
    letters: frozenset[Letter]


@dataclass(frozen=True)
class Frame:
    """A graph without processes; all its states can be reached from state 0."""

    arcs: tuple[Arc, ...]
    states: int
    events: int

    @cached_property
    def outgoing(self) -> tuple[frozenset[int], ...]:
        return tuple(
            frozenset(k for k, arc in enumerate(self.arcs) if arc[0] == state) for state in range(self.states)
        )

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        found = [
            Round(frozenset({state}), frozenset(), frozenset({(None, state)}))
            for state in range(self.states)
            if not self.outgoing[state]
        ]
        for count in range(1, len(self.arcs) + 1):
            for taken in combinations(range(len(self.arcs)), count):
                chosen = [self.arcs[k] for k in taken]
                if _strongly_connected(chosen):
                    states = frozenset(source for source, _, _ in chosen)
                    letters = frozenset((event, target) for _, event, target in chosen)
                    found.append(Round(states, frozenset(taken), letters))
        return tuple(found)

    def weak(self, subject: frozenset[int], a_round: Round) -> bool:
        """Weak fairness towards whatever takes these arcs."""
        return bool(subject & a_round.taken) or any(not subject & self.outgoing[s] for s in a_round.states)

    def strong(self, subject: frozenset[int], a_round: Round) -> bool:
        return bool(subject & a_round.taken) or all(not subject & self.outgoing[s] for s in a_round.states)

    @cached_property
    def subjects(self) -> tuple[frozenset[int], ...]:
        """For each event the arcs it is on."""
        return tuple(
            frozenset(k for k, arc in enumerate(self.arcs) if arc[1] == event) for event in range(self.events)
        )

    @cached_property
    def fair_without_processes(self) -> dict[str, frozenset[int]]:
        """For each notion that does not look at processes, the numbers of the fair rounds."""
        first = self.subjects[0]
        tests: dict[str, Callable[[Round], bool]] = {
            "none": lambda r: True,
            "ewf": lambda r: all(self.weak(event, r) for event in self.subjects),
            "esf": lambda r: all(self.strong(event, r) for event in self.subjects),
            "sgf": lambda r: all(self.outgoing[s] <= r.taken for s in r.states),
            "wf": lambda r: self.weak(first, r),
            "sf": lambda r: self.strong(first, r),
            "f": lambda r: bool(first & r.taken),
        }
        return {notion: self._passing(test) for notion, test in tests.items()}

    def fair(self, processes: Sequence[frozenset[int]]) -> dict[str, frozenset[int]]:
        """The same for all notions, where each process takes part in the arcs it is given as."""
        judged = [self._fair_to(process) for process in processes]
        together = (frozenset.intersection(*rounds) for rounds in zip(*judged, strict=True))
        return self.fair_without_processes | dict(zip(("pwf", "psf", "impartial"), together, strict=True))

    def _fair_to(self, process: frozenset[int]) -> tuple[frozenset[int], ...]:
        """The rounds that are weakly, strongly and unconditionally fair to one process."""
        if process not in self._known:
            self._known[process] = (
                self._passing(lambda r: self.weak(process, r)),
                self._passing(lambda r: self.strong(process, r)),
                self._passing(lambda r: bool(process & r.taken)),
            )
        return self._known[process]

    @cached_property
    def _known(self) -> dict[frozenset[int], tuple[frozenset[int], ...]]:
        return {}

    def _passing(self, test: Callable[[Round], bool]) -> frozenset[int]:
        return frozenset(number for number, a_round in enumerate(self.rounds) if test(a_round))


@dataclass(frozen=True)
class Small:
    """A graph with processes: its size, and for each round under which notions it is fair."""

    frame: Frame
    processes: tuple[frozenset[int], ...]

    @property
    def size(self) -> Size:
        return len(self.frame.arcs), self.frame.states, self.frame.events, len(self.processes)

    @cached_property
    def fair(self) -> dict[str, frozenset[int]]:
        return self.frame.fair(self.processes)


def _strongly_connected(arcs: Sequence[Arc]) -> bool:
    """Whether each arc can be followed, sooner or later, by every one of them."""
    forth = [(source, target) for source, _, target in arcs]
    back = [(target, source) for source, target in forth]
    everywhere = {state for pair in forth for state in pair}
    root = arcs[0][0]
    return _reached(root, forth) == everywhere == _reached(root, back)


def _reached(root: int, pairs: Sequence[tuple[int, int]]) -> set[int]:
    reached = {root}
    grown = True
    while grown:
        new = {target for source, target in pairs if source in reached} - reached
        reached |= new
        grown = bool(new)
    return reached


def frames(transitions: int, states: int, events: int) -> Iterator[Frame]:
    """All of them up to names, but for those whose rounds all have the same letters: they tell nothing apart.

    Arcs with the same ends and the same event are left out: no formula can see which of them was taken.
    """
    places = list(product(range(states), range(events), range(states)))
    seen = set()
    for arcs in combinations(places, transitions):
        if len({event for _, event, _ in arcs}) == events and _all_reached(arcs, states):
            named = _first_of_its_names(arcs, states, events)
            if named not in seen:
                seen.add(named)
                frame = Frame(arcs, states, events)
                if len({a_round.letters for a_round in frame.rounds}) > 1:
                    yield frame


def _first_of_its_names(arcs: Sequence[Arc], states: int, events: int) -> tuple[Arc, ...]:
    """The first of all graphs that differ only in the names of events and of states other than 0."""
    return min(
        tuple(sorted((state[source], event[label], state[target]) for source, label, target in arcs))
        for state in ((0, *others) for others in permutations(range(1, states)))
        for event in permutations(range(events))
    )


def _all_reached(arcs: Sequence[Arc], states: int) -> bool:
    reached = {0}
    for _ in range(states):
        reached |= {target for source, _, target in arcs if source in reached}
    return len(reached) == states


def process_sets(transitions: int, processes: int) -> Iterator[tuple[frozenset[int], ...]]:
    """All ways in which so many processes, no two alike, take part, at least one in each transition."""
    numbers = range(transitions)
    parts = [frozenset(part) for k in range(1, transitions + 1) for part in combinations(numbers, k)]
    for chosen in combinations(parts, processes):
        if frozenset().union(*chosen) == frozenset(numbers):
            yield chosen


def graphs(smaller_than: Size) -> Iterator[Small]:
    """All graphs below this size, smallest first (up to names)."""
    for transitions in range(1, smaller_than[0] + 1):
        for states in range(1, transitions + 2):
            for events in range(1, transitions + 1):
                if (transitions, states, events) > smaller_than[:3]:
                    return
                known = None
                for processes in range(1, 2**transitions):
                    if (transitions, states, events, processes) >= smaller_than:
                        break
                    known = known or list(frames(transitions, states, events))
                    sets = list(process_sets(transitions, processes))
                    yield from (Small(frame, chosen) for frame in known for chosen in sets)


def tells(graph: Small, holds_under: Sequence[str], violated_under: Sequence[str]) -> bool:
    """Whether some `[]<> p` or `<>[] p` holds under all notions of the first kind and none of the second.

    Of the first kind, each must have a fair run: what holds only because nothing is fair does not count.
    """
    letters = [a_round.letters for a_round in graph.frame.rounds]
    good = frozenset().union(*(graph.fair[notion] for notion in holds_under))
    if not all(graph.fair[notion] for notion in holds_under):
        return False
    return _again_and_again(graph, letters, good, violated_under) or _almost_always(
        graph, letters, good, violated_under
    )


def _again_and_again(
    graph: Small, letters: Sequence[frozenset[Letter]], good: frozenset[int], violated_under: Sequence[str]
) -> bool:
    """`[]<> p`: under each notion of the second kind a fair round misses p, which all good ones meet.

    p can be all that those rounds miss together, so the choice is one of the rounds.
    """
    choices = [sorted(graph.fair[notion]) for notion in violated_under]
    for missed in product(*choices):
        outside = frozenset().union(*(letters[number] for number in missed))
        if all(not letters[number] <= outside for number in good):
            return True
    return False


def _almost_always(
    graph: Small, letters: Sequence[frozenset[Letter]], good: frozenset[int], violated_under: Sequence[str]
) -> bool:
    """`<>[] p`: p is what the good rounds have, and under each other notion a fair round has more."""
    inside = frozenset().union(*(letters[number] for number in good))
    return all(
        any(not letters[number] <= inside for number in graph.fair[notion]) for notion in violated_under
    )


def smallest(holds_under: Sequence[str], violated_under: Sequence[str], below: Size) -> Small | None:
    """A smallest graph that tells these notions apart, if one is below the size."""
    return next((graph for graph in graphs(below) if tells(graph, holds_under, violated_under)), None)
