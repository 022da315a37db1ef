"""Judges runs that refute a refinement: what the specification allows is computed again, in plain Python.

After a trace the specification may be in any of a set of states: those it can reach by the trace, with
internal steps in between. The run is followed on these sets from the definitions
(docs/explanation/semantics.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from fairlead.base.records import dataclass
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.validate import VISIBLE_STEP, Claim
from fairlead.model.assertion import Refinement
from fairlead.model.labels import is_internal
from fairlead.model.run import Run
from fairlead.model.system import State, System

#: longer lists of events or sets are shown with their end left out
SHOWN = 12


def _nothing() -> None:
    """Does nothing: there is no limit to watch."""


@dataclass(frozen=True)
class BreaksRefinement(Claim):
    """The run does what the specification does not allow: a last event, a refusal, or diverging.

    `tick` is called now and then, and may stop the work.
    """

    specification: System
    name: str
    refinement: Refinement
    tick: Callable[[], None] = _nothing

    def judge(self, system: System, run: Run) -> str | Explanation:
        """Follows the run on the sets of states of the specification; tells what they would have allowed."""
        trace: list[str] = []
        states = self._closure(self.specification.initial_states())
        for number, step in enumerate(run.stem, 1):
            if is_internal(step.event):
                continue
            if self._allows_everything(states):
                return "the specification diverges on the way, so that everything is allowed"
            after = self._after(states, step.event)
            if not after:
                if number < len(run.stem) or run.loop:
                    return f"the specification forbids step {number}, but the run continues"
                return ForbiddenEvent(self.name, tuple(trace), step.event, self._offers(states))
            trace.append(step.event)
            states = after
        if self._allows_everything(states):
            return "the specification diverges, so that everything is allowed"
        if run.loop:
            return self._examine_loop(run, tuple(trace))
        return self._examine_end(system, run.loop_start, tuple(trace), states)

    def _examine_loop(self, run: Run, trace: tuple[str, ...]) -> Explanation | str:
        if self.refinement is not Refinement.FAILURES_DIVERGENCES:
            return "divergence does not violate this refinement"
        if not all(is_internal(step.event) for step in run.loop):
            return VISIBLE_STEP
        return ForbiddenDivergence(self.name, trace)

    def _examine_end(
        self, system: System, state: State, trace: tuple[str, ...], states: Collection[State]
    ) -> Explanation | str:
        if self.refinement is Refinement.TRACES:
            return "the specification has the trace of the run"
        offered = _stable_offer(system, state)
        if offered is None:
            return "the last state has an internal step"
        found = {_stable_offer(self.specification, other) for other in states}
        acceptances = {own for own in found if own is not None}
        if any(own <= offered for own in acceptances):
            return "the specification may refuse as much as the last state does"
        return ForbiddenRefusal(
            self.name,
            trace,
            tuple(sorted(offered)),
            tuple(sorted((tuple(sorted(own)) for own in acceptances), key=lambda own: (len(own), own))),
        )

    # ------------------------------------------------------------ the specification

    def _closure(self, states: Collection[State]) -> dict[State, None]:
        """The states reached by internal steps from some."""
        found = dict.fromkeys(states)
        for state in (queue := list(found)):
            self.tick()
            for step in self.specification.steps(state):
                if is_internal(step.event) and step.target not in found:
                    found[step.target] = None
                    queue.append(step.target)
        return found

    def _after(self, states: Collection[State], event: str) -> dict[State, None]:
        targets = dict.fromkeys(
            step.target for state in states for step in self.specification.steps(state) if step.event == event
        )
        return self._closure(targets)

    def _offers(self, states: Collection[State]) -> tuple[str, ...]:
        """The visible events that are possible in some of the states."""
        events = {step.event for state in states for step in self.specification.steps(state)}
        return tuple(sorted(event for event in events if not is_internal(event)))

    def _allows_everything(self, states: Collection[State]) -> bool:
        return self.refinement is Refinement.FAILURES_DIVERGENCES and self._diverges(states)

    def _diverges(self, states: Collection[State]) -> bool:
        """Whether there is a cycle of internal steps among states that are closed under them.

        States that no state left leads to are taken away until none or only cycles remain.
        """
        targets = {
            state: [step.target for step in self.specification.steps(state) if is_internal(step.event)]
            for state in states
        }
        incoming = dict.fromkeys(states, 0)
        for listed in targets.values():
            for target in listed:
                incoming[target] += 1
        free = [state for state, count in incoming.items() if count == 0]
        left = len(targets)
        while free:
            self.tick()
            left -= 1
            for target in targets[free.pop()]:
                incoming[target] -= 1
                if incoming[target] == 0:
                    free.append(target)
        return left > 0


def _stable_offer(system: System, state: State) -> frozenset[str] | None:
    """The events that a state offers; None if it has an internal step."""
    events = frozenset(step.event for step in system.steps(state))
    return None if any(is_internal(event) for event in events) else events


# ---------------------------------------------------------------- what a run shows


@dataclass(frozen=True)
class ForbiddenEvent(Explanation):
    """The trace is allowed, the event after it is not."""

    specification: str
    trace: tuple[str, ...]
    event: str
    offered: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The trace, and which events could have followed."""
        yield f"trace: {_trace(self.trace)}, then {self.event}"
        but = f", but not {self.event}" if self.offered else ""
        yield f"after this trace {self.specification} can do {_set(self.offered)}{but}"

    def to_json(self) -> dict[str, Any]:
        """The trace, the event, and which ones could have followed."""
        return {
            "kind": "trace",
            "trace": list(self.trace),
            "event": self.event,
            "specification": {"offered": list(self.offered)},
        }


@dataclass(frozen=True)
class ForbiddenRefusal(Explanation):
    """The trace is allowed, but not that so little is offered after it."""

    specification: str
    trace: tuple[str, ...]
    offered: tuple[str, ...]
    acceptances: tuple[tuple[str, ...], ...]

    def lines(self) -> Iterator[str]:
        """The trace, what is offered after it, and what should have been."""
        yield f"trace: {_trace(self.trace)}"
        only = "only " if self.offered else ""
        yield f"in the last state, which is stable, {only}{_set(self.offered)} is offered"
        if not self.acceptances:
            yield f"after this trace {self.specification} is never stable"
            return
        yield f"after this trace {self.specification}, once stable, offers all of one of"
        for own in self.acceptances[:SHOWN]:
            yield f"  {_set(own)}"
        if len(self.acceptances) > SHOWN:
            yield f"  … {len(self.acceptances) - SHOWN} more ({ALL_WITH_JSON}) …"

    def to_json(self) -> dict[str, Any]:
        """The trace, what is offered after it, and the acceptances of the specification."""
        return {
            "kind": "refusal",
            "trace": list(self.trace),
            "offered": list(self.offered),
            "specification": {"acceptances": [list(own) for own in self.acceptances]},
        }


@dataclass(frozen=True)
class ForbiddenDivergence(Explanation):
    """The trace is allowed, but not to make internal steps forever after it."""

    specification: str
    trace: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The trace, and that the loop is not allowed."""
        yield f"trace: {_trace(self.trace)}"
        yield f"the loop is made of internal steps; {self.specification} does not diverge after this trace"

    def to_json(self) -> dict[str, Any]:
        """The trace after which the process diverges and the specification does not."""
        return {"kind": "divergence", "trace": list(self.trace), "specification": {"diverges": False}}


def _trace(events: tuple[str, ...]) -> str:
    shown = events if len(events) <= 2 * SHOWN else (*events[:SHOWN], "…", *events[-SHOWN:])
    return f"<{', '.join(shown)}>"


def _set(events: tuple[str, ...]) -> str:
    more = f", … {len(events) - SHOWN} more" if len(events) > SHOWN else ""
    return "{" + ", ".join(events[:SHOWN]) + more + "}" if events else "nothing"
