"""The tools with which FSP builds machines of machines, as far as a checker of certificates has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, input_error
from fairlead.model.composition import ConstraintFormula
from fairlead.model.machine import ActionPriority, Machine
from fairlead.model.machine_operations import completed, composed


class PlainTools:
    """Composition and properties; what minimises machines is refused by name."""

    def composed(self, name: str, machines: Sequence[Machine], priority: ActionPriority | None) -> Machine:
        """The machine of a composition."""
        return composed(machines, priority, name=name, tick=tick)

    def completed(self, machine: Machine) -> Machine:
        """What `property` makes of a machine."""
        return completed(machine)

    def minimised(self, machine: Machine, is_composite: bool) -> Machine:
        """Refused."""
        _refuse("minimal")

    def determinised(self, machine: Machine) -> Machine:
        """Refused."""
        _refuse("deterministic")

    def reduced(
        self,
        name: str,
        machines: Sequence[Machine],
        visible: frozenset[str],
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Machine:
        """Refused."""
        _refuse("composition part by part")

    def constraint(self, name: str, formula: ConstraintFormula) -> Machine:
        """Refused."""
        _refuse("constraint")


def _refuse(word: str) -> NoReturn:
    raise input_error(
        Code.UNSUPPORTED,
        f"the checker of certificates does not build what '{word}' asks for",
        hint="certificates are for models whose processes are composed as they are written",
    )
