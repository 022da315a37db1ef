"""Circular waits: processes each of which waits for the next, as far as state, run and text tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.model.prospects import Half, halves_ahead
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, System
from fairlead.model.tree import Configuration
from fairlead.model.waiting import (
    Blocked,
    ChannelBlocked,
    ClosedGuard,
    NoPartner,
    NotEnding,
    NotOffered,
    Waiting,
)


@dataclass(frozen=True)
class WaitsFor:
    """One process waits for another.

    That is to offer the `event`, or to end; or, if there is a `variable`, to change it: it was the other one
    that changed it last; or, if there is a `half`, to send or receive on a channel, which it has not come to.
    """

    process: str
    event: str
    other: str
    variable: str | None = None
    half: Half | None = None


@dataclass(frozen=True)
class History:
    """What a run and the text tell about who waits for whom.

    Who changed each variable, element of an array or channel last; with whom each process made its last
    step; and what each process may still do on channels (`ahead`).
    """

    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ahead: Mapping[str, frozenset[Half]] = field(default_factory=dict)


def history_of(system: System, start: State, steps: Sequence[Step]) -> History:
    """The history of a state that some steps lead to."""
    if not isinstance(system, NetworkSystem):
        return History()
    changed: dict[str, tuple[str, ...]] = {}
    partners: dict[str, frozenset[str]] = {}
    before = _observed(system, start)
    for step in steps:
        after = _observed(system, step.target)
        names = {name for name, value in after.items() if value != before.get(name)}
        changed |= dict.fromkeys(sorted(names), tuple(sorted(step.processes)))
        partners |= {process: step.processes - {process} for process in step.processes}
        before = after
    return History(changed, partners, halves_ahead(system, steps[-1].target if steps else start))


def _observed(system: NetworkSystem, state: State) -> dict[str, object]:
    """The values of variables and channels by name, those of arrays by element."""
    assert isinstance(state, Configuration)
    found: dict[str, object] = {}
    channels = {buffer.queue.name for buffer in system.network.buffers if not buffer.is_array}
    for name, value in system.variables(state).items():
        if isinstance(value, list) and name not in channels:
            found |= {f"{name}[{index}]": element for index, element in enumerate(value)}
        else:
            found[name] = value
    return found


def waits_of(one: Waiting, history: History) -> Iterator[WaitsFor]:
    """For whom a process waits: who does not offer an event, or has last changed what a guard reads."""
    for blocked in one.blocked:
        match blocked.obstacle:
            case NotOffered(by) | NotEnding(by):
                yield from (WaitsFor(one.process, blocked.event, other) for other in by)
            case ClosedGuard(values=values):
                yield from _waits_for_change(one, blocked, [name for name, _ in values], history)
            case ChannelBlocked(name, is_full):
                yield from _waits_for_change(one, blocked, [name], history)
                yield from _waits_for_half(one, blocked, Half(name, sends=not is_full), history)
            case NoPartner(name, sends):
                yield from _waits_for_half(one, blocked, Half(name, sends=not sends), history)


def _waits_for_half(one: Waiting, blocked: Blocked, half: Half, history: History) -> Iterator[WaitsFor]:
    """The processes that may reach the other half of a communication."""
    for process, ahead in history.ahead.items():
        if any(possible.covers(half) for possible in ahead):
            yield WaitsFor(one.process, blocked.event, process, half=half)


def _waits_for_change(
    one: Waiting, blocked: Blocked, names: Iterable[str], history: History
) -> Iterator[WaitsFor]:
    for name in names:
        for other in history.changed.get(name, ()):
            yield WaitsFor(one.process, blocked.event, other, name)


def circular_wait(waiting: Sequence[Waiting], history: History | None = None) -> list[WaitsFor]:
    """A shortest cycle of processes each of which waits for the next; empty if there is none.

    A process that waits for any of several is taken to wait for the one of them with which it made its last
    step: a fork waits for the philosopher who has it.
    """
    known = history or History()
    edges: dict[str, dict[str, WaitsFor]] = {}
    for one in waiting:
        for wait in waits_of(one, known):
            if wait.other != wait.process:
                edges.setdefault(one.process, {}).setdefault(wait.other, wait)
    likely = {process: _likely(others, known.partners.get(process, ())) for process, others in edges.items()}
    return _shortest_cycle(likely) or _shortest_cycle(edges)


def _likely(others: Mapping[str, WaitsFor], partners: Collection[str]) -> Mapping[str, WaitsFor]:
    return {other: wait for other, wait in others.items() if other in partners} or others


def _shortest_cycle(edges: Mapping[str, Mapping[str, WaitsFor]]) -> list[WaitsFor]:
    best: list[str] = []
    for start in edges:
        found = _cycle_through(start, edges)
        if found and (not best or len(found) < len(best)):
            best = found
    around = zip(best, [*best[1:], *best[:1]], strict=True)
    return [edges[one][other] for one, other in around]


def _cycle_through(start: str, edges: Mapping[str, Mapping[str, WaitsFor]]) -> list[str]:
    """A shortest cycle through a process, breadth first."""
    came_from: dict[str, str] = {}
    level = [start]
    while level:
        following: list[str] = []
        for one in level:
            for other in edges.get(one, ()):
                if other == start:
                    path = [one]
                    while path[-1] != start:
                        path.append(came_from[path[-1]])
                    return path[::-1]
                if other not in came_from:
                    came_from[other] = one
                    following.append(other)
        level = following
    return []
