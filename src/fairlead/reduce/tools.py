"""The tools with which FSP builds machines of machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from fairlead.base.tuning import tuning
from fairlead.model.composition import ConstraintFormula
from fairlead.model.machine import ActionPriority, Machine
from fairlead.model.machine_operations import completed, composed
from fairlead.reduce import ltsa
from fairlead.reduce.building import composed_by_engine
from fairlead.reduce.compositional import reduced
from fairlead.reduce.constraint import constraint_machine


class ReducingTools:
    """Composition, minimisation and what else the words of FSP ask for."""

    def composed(self, name: str, machines: Sequence[Machine], priority: ActionPriority | None) -> Machine:
        """The machine of a composition."""
        limit = tuning().built_states
        if prod(machine.state_count for machine in machines) <= tuning().small_composition:
            return composed(machines, priority, name=name, max_states=limit)
        return composed_by_engine(machines, priority, name=name, max_states=limit)

    def minimised(self, machine: Machine, is_composite: bool) -> Machine:
        """What `minimal` makes of a machine."""
        return ltsa.minimal_composite(machine) if is_composite else ltsa.minimal_primitive(machine)

    def determinised(self, machine: Machine) -> Machine:
        """What `deterministic` makes of a machine."""
        return ltsa.determinised(machine)

    def completed(self, machine: Machine) -> Machine:
        """What `property` makes of a machine."""
        return completed(machine)

    def reduced(
        self,
        name: str,
        machines: Sequence[Machine],
        visible: frozenset[str],
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Machine:
        """A composition made small part by part."""
        limit = tuning().built_states if most is None else most
        return reduced(machines, visible, name=name, max_states=limit, tick=tick)

    def constraint(self, name: str, formula: ConstraintFormula) -> Machine:
        """The machine that can do just what satisfies a formula."""
        return constraint_machine(name, formula)
