"""The tools with which FSP builds machines of machines."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.lang.fsp.elaborate.composition import ConstraintFormula, NotDeterministic
from fairlead.model.machine import TAU, Machine
from fairlead.reduce import ltsa
from fairlead.reduce.compose import Priority, Rank, composed
from fairlead.reduce.constraint import constraint_machine

#: a composite process that must be built before it is composed further has at most so many states
BUILT_STATE_LIMIT = 5_000_000


class ReducingTools:
    """Composition, minimisation and what else the words of FSP ask for."""

    def composed(
        self, name: str, machines: Sequence[Machine], priority: tuple[frozenset[str], bool] | None
    ) -> Machine:
        """The machine of a composition."""
        rule = None
        if priority is not None:
            labels, is_high = priority
            rule = Priority(labels, Rank.HIGH if is_high else Rank.LOW)
        return composed(machines, rule, name=name, max_states=BUILT_STATE_LIMIT)

    def minimised(self, machine: Machine, is_composite: bool) -> Machine:
        """What `minimal` makes of a machine."""
        return ltsa.minimal_composite(machine) if is_composite else ltsa.minimal_primitive(machine)

    def determinised(self, machine: Machine) -> Machine:
        """What `deterministic` makes of a machine."""
        return ltsa.determinised(machine)

    def completed(self, machine: Machine) -> Machine:
        """What `property` makes of a machine."""
        try:
            return ltsa.completed(machine)
        except ltsa.HasInternal:
            raise NotDeterministic(TAU) from None
        except ltsa.NotDeterministic as problem:
            raise NotDeterministic(problem.label) from None

    def constraint(self, name: str, formula: ConstraintFormula) -> Machine:
        """The machine that can do just what satisfies a formula."""
        return constraint_machine(name, formula)
