"""Extracts the effects of expressions in programs: statements that run before the expression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from fairlead.base.records import dataclass
from fairlead.model.expression import Constant, Expression, Local, LocalElement, SharedElement
from fairlead.model.program import Program, Store

#: the name of local variables that no text mentions
UNNAMED = "(value)"


@dataclass
class Effects:
    """The statements that run before an expression, in order; `take_slots` gives slots of local variables."""

    take_slots: Callable[[int], int]
    parts: list[Program] = field(default_factory=list)

    def nested(self) -> Effects:
        """Effects of a part that may not be reached."""
        return Effects(self.take_slots)

    def keep(self, value: Expression) -> Local:
        """A local variable with the value an expression has now."""
        local = Local(self.take_slots(1), UNNAMED, value.type)
        self.parts.append(Store(local, value, None, None))
        return local

    def kept_before(self, value: Expression, position: int) -> Expression:
        """The value an expression has before the statement at a position."""
        if isinstance(value, Constant) or (isinstance(value, Local) and value.name == UNNAMED):
            return value
        local = Local(self.take_slots(1), UNNAMED, value.type)
        self.parts.insert(position, Store(local, value, None, None))
        return local

    def indexed_before(
        self, element: SharedElement | LocalElement, position: int
    ) -> SharedElement | LocalElement:
        """The element whose index was evaluated before the statement at a position."""
        if len(self.parts) == position:
            return element
        return replace(element, index=self.kept_before(element.index, position))
