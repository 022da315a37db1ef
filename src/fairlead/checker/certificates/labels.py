"""The labels of a certificate for CTL: where each subformula is true, with ranks and steps that show it."""

from __future__ import annotations

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.certify.branching import Claim, Subformulas
from fairlead.checker.certificates.explored import Explored
from fairlead.logic.ltl import Always, Exists, Formula, Next, Until
from fairlead.model.canonical.numbers import unsigned

#: a state, and the atoms that are true of the step into it, as bits
Node = tuple[int, int]


class Labels:
    """The nodes of a system, and what each claims of each path quantifier."""

    def __init__(self, explored: Explored, of: Subformulas) -> None:
        self._explored = explored
        self._of = of
        self._masks: dict[int, int] = {}
        self._own: dict[int, int] = {}
        start = [(state, 0) for state in explored.initial]
        #: for each node its steps: the place among those of the state, and the node after it
        self.steps: dict[Node, list[tuple[int, Node]]] = {node: [] for node in start}
        for node in (order := list(self.steps)):
            tick()
            state, _ = node
            rows = explored.rows[state]
            after = [
                (explored.place(state, number), (target, self._mask(action)))
                for number, (action, target) in enumerate(rows)
            ]
            self.steps[node] = after or [(0, (state, 0))]
            for _, target in self.steps[node]:
                if target not in self.steps:
                    self.steps[target] = []
                    order.append(target)
        self._into: dict[Node, list[tuple[Node, int]]] = {node: [] for node in self.steps}
        for node, row in self.steps.items():
            for place, target in row:
                self._into[target].append((node, place))
        self.claims: dict[Node, dict[Formula, Claim]] = {node: {} for node in self.steps}
        self._truth: dict[Node, list[bool]] = {}
        for part in of.claims:
            self._evaluate()
            for node, claim in self._claimed(part).items():
                self.claims[node][part] = claim
        self._evaluate()
        if not all(self._truth[node][-1] for node in start):
            problem = "the search says that the formula holds, and it does not"
            raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))

    def notes(self) -> dict[int, bytes]:
        """The note of each state."""
        found: dict[int, bytearray] = {}
        for node in sorted(self.steps):
            tick()
            note = found.setdefault(node[0], bytearray())
            note += unsigned(self._letter(node))
            for part in self._of.claims:
                claim = self.claims[node][part]
                note += unsigned(2 * claim.rank + claim.is_true) + unsigned(claim.step)
        return {state: bytes(note) for state, note in found.items()}

    # ------------------------------------------------------------ atoms

    def _mask(self, action: int) -> int:
        if action not in self._masks:
            self._masks[action] = self._bits(action, 0, on_steps=True)
        return self._masks[action]

    def _letter(self, node: Node) -> int:
        state, mask = node
        if state not in self._own:
            self._own[state] = self._bits(None, state, on_steps=False)
        return self._own[state] | mask

    def _bits(self, action: int | None, state: int, *, on_steps: bool) -> int:
        return sum(
            1 << number
            for number, atom in enumerate(self._of.atoms)
            if bool(self._of.on_steps >> number & 1) is on_steps
            and self._explored.is_true(self._of.meanings[atom], action, state)
        )

    def _evaluate(self) -> None:
        for node in self.steps:
            tick()
            claimed = {part: claim.is_true for part, claim in self.claims[node].items()}
            self._truth[node] = self._of.truth(self._letter(node), claimed)

    def _is(self, part: Formula, node: Node) -> bool:
        return self._truth[node][self._of.place[part]]

    # ------------------------------------------------------------ path quantifiers

    def _claimed(self, part: Exists) -> dict[Node, Claim]:
        match part.operand:
            case Next(operand):
                return {node: self._next(node, operand) for node in self.steps}
            case Until(left, right):
                return self._until(left, right)
            case Always(operand):
                return self._always(operand)
        raise AssertionError(part)

    def _next(self, node: Node, operand: Formula) -> Claim:
        shown = (place for place, target in self.steps[node] if self._is(operand, target))
        place = next(shown, None)
        return Claim(False, 0, 0) if place is None else Claim(True, 0, place)

    def _until(self, left: Formula, right: Formula) -> dict[Node, Claim]:
        """The rank is how many steps the goal is away."""
        found = {node: Claim(True, 0, 0) for node in self.steps if self._is(right, node)}
        for node in (order := list(found)):
            tick()
            for source, place in self._into[node]:
                if source not in found and self._is(left, source):
                    found[source] = Claim(True, found[node].rank + 1, place)
                    order.append(source)
        return {node: found.get(node, Claim(False, 0, 0)) for node in self.steps}

    def _always(self, operand: Formula) -> dict[Node, Claim]:
        """Where it is false, the rank is after how many steps at most the operand is."""
        found = {node: Claim(False, 0, 0) for node in self.steps if not self._is(operand, node)}
        left = {node: len(row) for node, row in self.steps.items()}
        for node in (order := list(found)):
            tick()
            for source, _ in self._into[node]:
                left[source] -= 1
                if left[source] == 0 and source not in found:
                    rank = 1 + max(found[target].rank for _, target in self.steps[source])
                    found[source] = Claim(False, rank, 0)
                    order.append(source)
        for node, row in self.steps.items():
            if node not in found:
                place = next(place for place, target in row if target not in found or found[target].is_true)
                found[node] = Claim(True, 0, place)
        return found
