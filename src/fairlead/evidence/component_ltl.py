"""Whether some execution that takes all of a component forever, and nothing else, violates a formula.

The component is multiplied with the obligations of the negated formula. A strongly connected component of the
product in which every transition of the component occurs, and in which no obligation is postponed all over,
is such an execution; where there is one, there is a maximal one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.evidence.component_graph import ComponentGraph, Letters
from fairlead.evidence.obligations import Obligations, ViolationTableau
from fairlead.model.components import strong_components


class ViolationProduct:
    """A component with the obligations that remain in its states."""

    def __init__(
        self, graph: ComponentGraph, tableau: ViolationTableau, letters: Letters, tick: Callable[[], None]
    ) -> None:
        self._graph = graph
        self._tableau = tableau
        self._letters = letters
        self._tick = tick
        self._numbers: dict[Obligations, int] = {}
        self._sets: list[Obligations] = []
        self._known: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._untils: dict[int, int] = {}

    def after(self, letters: Iterable[int]) -> set[Obligations]:
        """The obligations that may remain after the positions of a finite run."""
        found = {self._tableau.start}
        for letter in letters:
            choices = (choice for known in found for choice in self._tableau.choices(known, letter))
            found = {choice.remaining for choice in choices}
        return found

    def is_violating(self, entered_with: set[Obligations]) -> bool:
        """Whether an execution through all of the component meets the obligations it begins with."""
        start = [self._number(obligations) for obligations in entered_with]
        if any(self._is_enough(obligations) for obligations in start):
            return True
        nodes, edges = self._explored(start)
        return self._has_full_part(nodes, edges)

    def _number(self, obligations: Obligations) -> int:
        number = self._numbers.setdefault(obligations, len(self._sets))
        if number == len(self._sets):
            self._sets.append(obligations)
        return number

    def _choices(self, number: int, letter: int) -> list[tuple[int, int]]:
        """What may remain of obligations at a position, and one bit for each that is postponed."""
        key = number, letter
        if key not in self._known:
            self._known[key] = [
                (self._number(choice.remaining), self._mask(choice.postponed))
                for choice in self._tableau.choices(self._sets[number], letter)
            ]
        return self._known[key]

    def _mask(self, postponed: Obligations) -> int:
        return sum(1 << self._untils.setdefault(until, len(self._untils)) for until in postponed)

    def _is_enough(self, number: int) -> bool:
        """Whether obligations can stay as they are all over the component: that is such a part."""
        postponed = -1
        for letter in self._letters.distinct:
            staying = [mask for after, mask in self._choices(number, letter) if after == number]
            if not staying:
                return False
            for mask in staying:
                postponed &= mask
        return postponed == 0

    def _explored(self, start: list[int]) -> tuple[int, list[tuple[int, int, int, int]] | None]:
        """The number of nodes and the edges: source, target, transition, what is postponed.

        None instead of edges, if obligations are met that can stay as they are.
        """
        leaving, size = self._graph.leaving, len(self._graph.leaving)
        by_action, by_state = self._letters.by_action, self._letters.by_state
        first = [0] * size
        count = 0
        for state, steps in enumerate(leaving):
            first[state] = count
            count += len(steps)
        tried = set(start)
        nodes = {number * size: place for place, number in enumerate(start)}
        edges: list[tuple[int, int, int, int]] = []
        for place, node in enumerate(order := list(nodes)):
            self._tick()
            number, state = divmod(node, size)
            for transition, (action, target) in enumerate(leaving[state], first[state]):
                for after, postponed in self._choices(number, by_action[action] | by_state[target]):
                    if after not in tried:
                        tried.add(after)
                        if self._is_enough(after):
                            return 0, None
                    key = after * size + target
                    known = nodes.setdefault(key, len(order))
                    if known == len(order):
                        order.append(key)
                    edges.append((place, known, transition, postponed))
        return len(order), edges

    def _has_full_part(self, size: int, edges: list[tuple[int, int, int, int]] | None) -> bool:
        if edges is None:
            return True
        successors: list[list[int]] = [[] for _ in range(size)]
        for source, target, _, _ in edges:
            successors[source].append(target)
        part_of = [0] * size
        for part, members in enumerate(strong_components(size, successors.__getitem__)):
            self._tick()
            for member in members:
                part_of[member] = part
        postponed: dict[int, int] = {}
        covered: dict[int, set[int]] = {}
        for source, target, transition, mask in edges:
            part = part_of[source]
            if part == part_of[target]:
                postponed[part] = postponed.get(part, -1) & mask
                covered.setdefault(part, set()).add(transition)
        transitions = self._graph.transitions
        return any(postponed[part] == 0 and len(covered[part]) == transitions for part in covered)
