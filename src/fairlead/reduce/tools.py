"""The tools with which FSP builds machines of machines."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.lang.fsp.elaborate.composition import ConstraintFormula
from fairlead.model.machine import ActionPriority, Machine
from fairlead.reduce import ltsa
from fairlead.reduce.compose import composed
from fairlead.reduce.constraint import constraint_machine

#: a composite process that must be built before it is composed further has at most so many states
BUILT_STATE_LIMIT = 5_000_000


class ReducingTools:
    """Composition, minimisation and what else the words of FSP ask for."""

    def composed(self, name: str, machines: Sequence[Machine], priority: ActionPriority | None) -> Machine:
        """The machine of a composition."""
        return composed(machines, priority, name=name, max_states=BUILT_STATE_LIMIT)

    def minimised(self, machine: Machine, is_composite: bool) -> Machine:
        """What `minimal` makes of a machine."""
        return ltsa.minimal_composite(machine) if is_composite else ltsa.minimal_primitive(machine)

    def determinised(self, machine: Machine) -> Machine:
        """What `deterministic` makes of a machine."""
        return ltsa.determinised(machine)

    def completed(self, machine: Machine) -> Machine:
        """What `property` makes of a machine."""
        return ltsa.completed(machine)

    def constraint(self, name: str, formula: ConstraintFormula) -> Machine:
        """The machine that can do just what satisfies a formula."""
        return constraint_machine(name, formula)
