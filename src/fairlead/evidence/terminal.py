"""Judges runs that violate progress: the terminal set they end in is explored again, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.evidence.actions import shown
from fairlead.evidence.explanation import LOOP_TITLE, Explanation
from fairlead.evidence.validate import NO_LOOP, Claim
from fairlead.model.assertion import ProgressAssertion
from fairlead.model.labels import NOTHING_POSSIBLE, is_internal
from fairlead.model.run import Run
from fairlead.model.system import State, System
from fairlead.outcome.finding import TerminalSet

_NOT_VIOLATING = "the terminal set does not violate the test"
_NOT_AS_STATED = "the terminal set has other actions or states than stated"


def _nothing() -> None:
    """Does nothing: there is no limit to watch."""


@dataclass(frozen=True)
class EndsInTerminalSet(Claim):
    """The run ends in a terminal set of states that violates a progress test.

    `stated` is what the search said about the set; it must be true. `tick` is called now and then, and may
    stop the work.
    """

    assertion: ProgressAssertion
    stated: TerminalSet | None = None
    tick: Callable[[], None] = _nothing

    def judge(self, system: System, run: Run) -> str | Explanation:
        """Explores what can be reached from the loop: it must lead back, and lack what the test demands."""
        if not run.loop:
            return NO_LOOP
        part = _explored(system, run.loop_start, self.tick)
        problem = self._problem_with_whole(part) if part.is_whole else self._problem_with_part(part)
        return problem or self._explanation(system, run.loop_start, part)

    def _problem_with_whole(self, part: _Part) -> str | None:
        if not part.leads_back:
            return "the run does not end in a terminal set: there is no way back from a state it leads to"
        if not self.assertion.is_violated_in(part.actions):
            return _NOT_VIOLATING
        stated = self.stated
        if stated is None:
            return None
        if frozenset(stated.actions) != part.actions or stated.states != part.states:
            return _NOT_AS_STATED
        if frozenset(stated.missing) != self.assertion.missing_in(part.actions):
            return "the actions missing from the terminal set are not the stated ones"
        return None

    def _problem_with_part(self, part: _Part) -> str | None:
        """What is known of a set that is too large to be explored must not contradict what is claimed."""
        if not self.assertion.may_be_violated_in(part.actions):
            return _NOT_VIOLATING
        stated = self.stated
        if stated is None:
            return None
        if not part.actions <= frozenset(stated.actions) or stated.states < part.states:
            return _NOT_AS_STATED
        if not self.assertion.is_violated_in(frozenset(stated.actions)):
            return "the stated terminal set does not violate the test"
        return None

    def _explanation(self, system: System, state: State, part: _Part) -> Explanation:
        actions = part.actions if self.stated is None else frozenset(self.stated.actions)
        failed = system.failed_process(state)
        if failed is not None:
            ending = Ending.ERROR
        elif not system.steps(state):
            ending = Ending.TERMINATED if system.has_terminated(state) else Ending.STOPS
        else:
            ending = Ending.GOES_ON
        return TerminalSetReached(
            self.assertion,
            tuple(sorted(actions)),
            part.states if self.stated is None else self.stated.states,
            part.states,
            ending,
            failed,
            self.stated,
        )


# ---------------------------------------------------------------- exploring again


@dataclass(frozen=True)
class _Part:
    """What was found from a state on: all of it, or the states nearest to it."""

    states: int
    actions: frozenset[str]
    is_whole: bool
    leads_back: bool


def _explored(system: System, start: State, tick: Callable[[], None]) -> _Part:
    sources: dict[State, list[State]] = {start: []}
    actions: set[str] = set()
    queue = [start]
    limit = tuning().judged_terminal_states
    for number, state in enumerate(queue):
        tick()
        if number == limit:
            return _Part(number, frozenset(actions), False, False)
        for step in system.steps(state):
            if not is_internal(step.event):
                actions.add(step.event)
            if step.target not in sources:
                sources[step.target] = []
                queue.append(step.target)
            sources[step.target].append(state)
    back = {start}
    pending = [start]
    while pending:
        tick()
        for source in sources[pending.pop()]:
            if source not in back:
                back.add(source)
                pending.append(source)
    return _Part(len(sources), frozenset(actions), True, len(back) == len(sources))


# ---------------------------------------------------------------- what a run shows


class Ending(Enum):
    """What becomes of the system in a terminal set."""

    GOES_ON = "goes-on"
    STOPS = "stops"
    TERMINATED = "terminated"
    ERROR = "error"


@dataclass(frozen=True)
class TerminalSetReached(Explanation):
    """Which actions the system can still do, and which never again."""

    assertion: ProgressAssertion
    actions: tuple[str, ...]
    states: int
    looked_at: int
    ending: Ending
    failed: str | None
    stated: TerminalSet | None

    @property
    def reason(self) -> str | None:
        """An error concerns safety in the first place."""
        return None if self.failed is None else "error"

    @property
    def blames(self) -> str | None:
        """The process that went wrong, if one did."""
        return self.failed

    @property
    def missing(self) -> tuple[str, ...]:
        """What should occur in the terminal set."""
        return tuple(sorted(self.assertion.missing_in(frozenset(self.actions))))

    @property
    def condition(self) -> tuple[str, ...]:
        """The actions in the terminal set by which a condition demands the others."""
        return tuple(sorted((self.assertion.condition or frozenset()).intersection(self.actions)))

    @property
    def is_about_set(self) -> bool:
        """A terminal set."""
        return True

    @property
    def loop_title(self) -> str:
        """The loop is one of the ways the system can continue; fair choice takes all of them."""
        return "a cycle in the terminal set:" if self.ending is Ending.GOES_ON else LOOP_TITLE

    def lines(self) -> Iterator[str]:
        """What the system can still do, and what not."""
        told = self.assertion.test_name or "not every action can occur infinitely often"
        yield f"progress violation: {told}"
        yield from self._ending_lines()
        if self.missing:
            yield f"and never again{'' if len(self.missing) == 1 else ' any of'}: {shown(self.missing)}"
        else:
            yield "and the test names no action"
        if self.condition:
            yield f"although it keeps doing: {shown(self.condition)}"
        if self.stated is not None and self.stated.total > 1:
            count, total = self.stated.violating, self.stated.total
            which = (
                f"all {total:,} terminal sets" if count == total else f"{count:,} of {total:,} terminal sets"
            )
            yield f"({which} violate it; this is the nearest)" if count > 1 else f"({which} violates it)"

    def _ending_lines(self) -> Iterator[str]:
        match self.ending:
            case Ending.ERROR:
                yield f"a safety violation occurs there: {self.failed} is in ERROR; fix it first"
            case Ending.STOPS:
                yield f"the system stops there: {NOTHING_POSSIBLE}"
            case Ending.TERMINATED:
                yield f"the system has terminated there: {NOTHING_POSSIBLE}"
            case Ending.GOES_ON:
                count = "1 state" if self.states == 1 else f"{self.states:,} states"
                seen = f" ({self.looked_at:,} of them were explored again)" * (self.looked_at < self.states)
                yield f"the run ends in a terminal set of {count}, which the system never leaves{seen}"
                only = shown(self.actions) if self.actions else "internal steps"
                yield f"once there, the system can do only: {only}"

    def to_json(self) -> dict[str, Any]:
        """The terminal set; `looked_at` of its states were explored again to judge it."""
        data: dict[str, Any] = {
            "kind": "terminal-set",
            "test": self.assertion.test_name,
            "ending": self.ending.value,
            "actions": list(self.actions),
            "missing": list(self.missing),
            "states": self.states,
            "looked_at": self.looked_at,
        }
        if self.condition:
            data["condition"] = list(self.condition)
        if self.stated is not None:
            data |= {"violating_sets": self.stated.violating, "terminal_sets": self.stated.total}
        return data
