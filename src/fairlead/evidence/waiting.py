"""Who waits for what in a state, in words and for programs; why an event is not enabled in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from fairlead.base.records import dataclass
from fairlead.evidence.explanation import Explanation
from fairlead.model.attempts import attempts
from fairlead.model.circular_wait import WaitsFor, circular_wait, history_of
from fairlead.model.labels import NOTHING_POSSIBLE, TERMINATE, is_internal
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System
from fairlead.model.tree import Configuration, Parallel, leaves, nodes
from fairlead.model.waiting import (
    Blocked,
    ChannelBlocked,
    ClosedGuard,
    Fails,
    NoPartner,
    NotEnding,
    NotOffered,
    Obstacle,
    Outranked,
    Waiting,
    waiting_in,
)

#: said of a process whose guards are constantly false, or that receives what no process ever sends
NEVER_TAKEN = "none of its alternatives can ever be taken"
#: with more processes, those that wait as others do are left out
SHOWN_PROCESSES = 24


@dataclass(frozen=True)
class Deadlocked(Explanation):
    """Why nothing is possible in the last state of a run: what each process waits for."""

    waiting: tuple[Waiting, ...]
    cycle: tuple[WaitsFor, ...]

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"deadlock: {NOTHING_POSSIBLE}"
        yield from waiting_lines(self.waiting, self.cycle)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {"kind": "deadlock", **waiting_json(self.waiting, self.cycle)}


def deadlock_after(system: System, run: Run) -> Deadlocked:
    """What each process waits for at the end of a finite run."""
    return deadlock_in(system, run.start, run.stem)


def deadlock_in(system: System, start: State, steps: Sequence[Step]) -> Deadlocked:
    """What each process waits for after some steps."""
    waiting = waiting_in(system, steps[-1].target if steps else start)
    return Deadlocked(tuple(waiting), tuple(circular_wait(waiting, history_of(system, start, steps))))


# ---------------------------------------------------------------- one event


@dataclass(frozen=True)
class NotEnabled:
    """Why an event is not enabled in a state.

    `blocked` are the alternatives of that name that processes have, each with what stands in its way;
    `lacking` are the processes without one that have the event in their alphabets. If `is_enabled`, it is;
    if there is neither, no process offers it.
    """

    event: str
    is_enabled: bool
    blocked: tuple[tuple[str, Blocked], ...] = ()
    lacking: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """For people."""
        if self.is_enabled:
            yield f"{self.event} is enabled"
            return
        for process, blocked in self.blocked:
            yield f"{process}: {obstacle_text(blocked)}"
        for process in self.lacking:
            yield f"{process} does not offer {self.event}, which is in its alphabet"
        if not self.blocked and not self.lacking:
            yield f"no process offers {self.event} where it is now"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "event": self.event,
            "enabled": self.is_enabled,
            "blocked": [{"process": process, **_blocked_json(blocked)} for process, blocked in self.blocked],
            "lacking": list(self.lacking),
        }


def why_not(system: System, state: State, event: str) -> NotEnabled:
    """Why an event is not enabled in a state; a name without arguments stands for all events of that name."""
    if any(_is_called(step.event, event) for step in attempts(system, state).steps):
        return NotEnabled(event, is_enabled=True)
    blocked = [
        (one.process, alternative)
        for one in waiting_in(system, state)
        for alternative in one.blocked
        if _is_called(alternative.event, event)
    ]
    offering = {process for process, _ in blocked}
    named = {process for _, alternative in blocked for process in _named(alternative)}
    lacking = [one for one in _sharing(state, event) if one not in offering | named]
    return NotEnabled(event, False, tuple(blocked), tuple(lacking))


def _is_called(event: str, name: str) -> bool:
    """Whether an event has a name: in full, or up to its arguments; half a handshake `c!1` is `c.1` too."""
    if event == name:
        return True
    plain = event.replace("!", ".", 1)
    return not is_internal(event) and name in (plain, plain.partition(".")[0].partition("?")[0])


def _named(blocked: Blocked) -> tuple[str, ...]:
    return blocked.obstacle.by if isinstance(blocked.obstacle, NotOffered) else ()


def _sharing(state: State, event: str) -> list[str]:
    """The processes of components that have an event in their alphabets."""
    if not isinstance(state, Configuration):
        return []
    found: dict[str, None] = {}
    for node in nodes(state.tree):
        if isinstance(node, Parallel) and node.alphabets is not None:
            for component, alphabet in zip(node.components, node.alphabets, strict=True):
                if event in alphabet:
                    found |= dict.fromkeys(leaf.process for leaf in leaves(component))
    return list(found)


# ---------------------------------------------------------------- words


def waiting_lines(waiting: Sequence[Waiting], cycle: Sequence[WaitsFor]) -> Iterator[str]:
    """What each process waits for, and the circular wait, if there is one."""
    for one in waiting[:SHOWN_PROCESSES]:
        where = "" if one.span is None else f"line {one.span.line}, "
        yield f"  {one.process} at {where}{one.position}"
        for blocked in one.blocked:
            yield f"    {obstacle_text(blocked)}"
        if not one.blocked:
            yield f"    {'has nothing left to do' if one.is_over else NEVER_TAKEN}"
    if len(waiting) > SHOWN_PROCESSES:
        yield f"  … and {len(waiting) - SHOWN_PROCESSES} more processes"
    if cycle:
        yield "circular wait:"
        yield from (f"  {wait_text(wait)}" for wait in cycle)


def obstacle_text(blocked: Blocked) -> str:
    """Why an alternative cannot be taken."""
    event = blocked.event or "an event"
    if event == TERMINATE and isinstance(blocked.obstacle, NotEnding):
        return _reason(blocked.obstacle)
    return f"{event}: {_reason(blocked.obstacle)}"


def _reason(obstacle: Obstacle) -> str:
    match obstacle:
        case ClosedGuard(condition, values):
            read = ", ".join(f"{name} = {value}" for name, value in values)
            return f"[{condition}] is false" + (f", with {read}" if read else "")
        case ChannelBlocked(channel, is_full):
            return f"the channel {channel} is {'full' if is_full else 'empty'}"
        case NoPartner(channel, sends):
            return f"no process {'receives this from' if sends else 'sends a matching message on'} {channel}"
        case NotOffered(by):
            return f"not offered by {', '.join(by)}"
        case NotEnding(by):
            return f"has ended, and waits for {', '.join(by)} to end"
        case Outranked():
            return "steps that are atomic or of higher priority go first"
        case Fails(message):
            return f"fails: {message}"
        case _:
            assert_never(obstacle)


def wait_text(wait: WaitsFor) -> str:
    """One process waits for another."""
    if wait.variable is not None:
        return f"{wait.process} waits for {wait.other}, which changed {wait.variable} last"
    if wait.half is not None:
        verb = "send on" if wait.half.sends else "receive from"
        return f"{wait.process} waits for {wait.other} to {verb} {wait.half.channel}"
    if wait.event == TERMINATE:
        return f"{wait.process} waits for {wait.other} to end"
    return f"{wait.process} waits for {wait.other} to take part in {wait.event}"


# ---------------------------------------------------------------- for programs


def waiting_json(waiting: Sequence[Waiting], cycle: Sequence[WaitsFor]) -> dict[str, Any]:
    """What each process waits for, and the circular wait."""
    return {
        "waiting": [
            {
                "process": one.process,
                "position": one.position,
                **({} if one.span is None else one.span.to_json()),
                "blocked": [_blocked_json(blocked) for blocked in one.blocked],
            }
            for one in waiting
        ],
        "circular_wait": [
            {
                "process": wait.process,
                "event": wait.event,
                "waits_for": wait.other,
                "variable": wait.variable,
                "to": None if wait.half is None else ("send" if wait.half.sends else "receive"),
            }
            for wait in cycle
        ],
    }


def _blocked_json(blocked: Blocked) -> dict[str, Any]:
    return {"event": blocked.event, "because": obstacle_json(blocked.obstacle)}


def obstacle_json(obstacle: Obstacle) -> dict[str, Any]:
    """What stands in the way."""
    match obstacle:
        case ClosedGuard(condition, values):
            return {"kind": "guard", "condition": condition, "values": dict(values)}
        case ChannelBlocked(channel, is_full):
            return {"kind": "full" if is_full else "empty", "channel": channel}
        case NoPartner(channel, sends):
            return {"kind": "no-receiver" if sends else "no-sender", "channel": channel}
        case NotOffered(by):
            return {"kind": "not-offered", "by": list(by)}
        case NotEnding(by):
            return {"kind": "not-ending", "by": list(by)}
        case Outranked():
            return {"kind": "outranked"}
        case Fails(message):
            return {"kind": "fails", "message": message}
        case _:
            assert_never(obstacle)
