"""A terminal component as evidence about a system that was searched in a reduced form."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.base.allowance import Stopped, enter_phase
from fairlead.base.tuning import tuning
from fairlead.model.run import Run
from fairlead.model.state_space import space_of
from fairlead.model.system import State, System
from fairlead.outcome.component import Component
from fairlead.outcome.events import Phase
from fairlead.reduce.tour import tour


def closing(
    system: System, run: Run, most: int, tick: Callable[[], None]
) -> tuple[Run, Component | None] | None:
    """A run whose loop is a cycle in a terminal component, in the form in which it is shown.

    The loop takes all transitions of the component if that can be done in few steps; else the component is a
    claim, with the cycle. It is explored up to `most` transitions. None if some way out does not lead back.
    """
    enter_phase(Phase.LASSO)
    found = tour(system, run.loop_start, tuning().longest_loop)
    if found is not None:
        return None if found[0] else (Run(run.start, run.stem, tuple(found[1])), None)
    component = _reachable(system, run.loop_start, most, tick)
    return None if component is None else (run, component)


def _reachable(system: System, start: State, most: int, tick: Callable[[], None]) -> Component | None:
    """The states that are reachable from a state; their number is known unless a limit was reached.

    `tick` is called for each state and may stop the work. None if a state does not lead back.
    """
    space = space_of(system)
    numbers = [space.number(start)]
    sources: dict[int, list[int]] = {numbers[0]: []}
    transitions = 0
    try:
        for number in numbers:
            tick()
            steps = space.steps(number)
            transitions += max(1, len(steps))
            if transitions > most:
                return Component(None, None)
            for _, _, after in steps:
                if after not in sources:
                    sources[after] = []
                    numbers.append(after)
                sources[after].append(number)
    except Stopped:
        return Component(None, None)
    back = {numbers[0]}
    pending = [numbers[0]]
    while pending:
        fresh = [source for source in sources[pending.pop()] if source not in back]
        back |= set(fresh)
        pending += fresh
    return Component(len(numbers), transitions) if len(back) == len(numbers) else None
