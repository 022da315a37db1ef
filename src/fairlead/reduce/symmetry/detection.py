"""Which processes of a network can take each other's place without changing the answer to a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, product

from fairlead.base.diagnostics import InputError, unreached
from fairlead.base.records import dataclass
from fairlead.model.interchange import Family, Interchange
from fairlead.model.network import Network
from fairlead.model.tree import Leaf
from fairlead.reduce.counters.automata import SymbolicState
from fairlead.reduce.counters.groups import NONE_LIKE_IT
from fairlead.reduce.symmetry.exchanging import Exchange, NotSymmetric, Numbering
from fairlead.reduce.symmetry.kinds import Item, Kinds, edges_of, guess_indices, learned
from fairlead.reduce.symmetry.processes import Processes, processes_of, slots_in
from fairlead.reduce.symmetry.verification import Asked, Verifier

#: numbers further apart than this are not examined
WIDEST = 4_096


@dataclass(frozen=True)
class Detected:
    """What can be exchanged (None: nothing), who that is, and why others cannot."""

    interchange: Interchange | None
    groups: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]

    @property
    def members(self) -> int:
        """How many numbers there are that can be exchanged."""
        return 0 if self.interchange is None else len(self.interchange.numbers)


def interchange_of(network: Network, asked: Asked) -> Detected:
    """Finds the numbers of processes that can be exchanged; each pair has been verified."""
    return Detector(network).detected(asked)


class Detector:
    """Finds what can be exchanged in one network, for one question after the other."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @cached_property
    def _processes(self) -> Processes:
        return processes_of(self._network)

    def _kinds(self) -> Kinds:
        edges = edges_of(self._network, self._processes.positions)
        return learned(self._network, edges, sees_labels=self._processes.tree.alphabets is not None)

    def detected(self, asked: Asked) -> Detected:
        """Finds what can be exchanged without changing the answer."""
        try:
            first = _Detection(self._processes, self._kinds(), asked)
            found = first.result()
        except NotSymmetric as problem:
            return Detected(None, (), ((self._network.name, str(problem)),))
        except InputError as error:
            return Detected(None, (), ((self._network.name, unreached(error)),))
        if found.members == first.numbers:
            return found
        guessed = self._kinds()
        for item, size in first.sizes():
            guess_indices(guessed, item, size)
        second = _Detection(self._processes, guessed, asked).result()
        return second if second.members > found.members else found


class _Detection:
    """Detection in one network, for one question."""

    def __init__(self, processes: Processes, kinds: Kinds, asked: Asked) -> None:
        self._processes = processes
        self._kinds = kinds
        self._roots = list(dict.fromkeys(self._candidates()))
        self._numbering = Numbering(processes.network, kinds, self._roots)
        self._verifier = Verifier(processes, self._numbering, asked)
        # what no process reads stays as it is, whatever is exchanged
        self._asked_slots = frozenset(
            slot for expression in asked.expressions for slot in slots_in(expression)
        )
        self._reasons: dict[tuple[int, int], str] = {}

    def _candidates(self) -> Iterator[Item]:
        """The kinds of numbers that processes start with."""
        for leaf in self._processes.leaves:
            for number in range(len(leaf.state.parameters)):
                item = self._kinds.find(("parameter", leaf.state.position, number))
                if not self._kinds.is_plain(item):
                    yield item

    def sizes(self) -> Iterator[tuple[Item, int]]:
        """The kinds of numbers, each with how many there are."""
        for kind, root in enumerate(self._roots):
            yield root, len(self._values(kind))

    @property
    def numbers(self) -> int:
        """How many numbers processes are known by."""
        return sum(size for _, size in self.sizes())

    def _values(self, kind: int) -> list[int]:
        leaves = self._processes.leaves
        return sorted({value for leaf in leaves for own, value in self._numbers(leaf) if own == kind})

    def _numbers(self, leaf: Leaf) -> list[tuple[int | None, int]]:
        """The values that a process starts with, each with its kind."""
        return [
            (self._numbering.kind(("parameter", leaf.state.position, number)), value)
            for number, value in enumerate(leaf.state.parameters)
        ]

    def result(self) -> Detected:
        """The blocks of numbers that can be exchanged with each other, and what goes with them."""
        kinds = tuple(self._blocks(kind) for kind in range(len(self._roots)))
        if not any(kinds):
            return Detected(None, (), tuple(self._apart(kinds)))
        found = Interchange(
            self._processes.tree,
            kinds,
            tuple(self._variables(kinds)),
            tuple(self._leaves(kinds)),
            dict(self._parameters()),
        )
        return Detected(found, tuple(self._groups(kinds)), tuple(self._apart(kinds)))

    def _blocks(self, kind: int) -> tuple[tuple[int, ...], ...]:
        """What can be exchanged with the first of a block can be exchanged with all of it."""
        numbers = self._values(kind)
        blocks: list[list[int]] = []
        if len(numbers) > 1 and numbers[-1] - numbers[0] > WIDEST:
            return ()
        for number in numbers:
            for block in blocks:
                try:
                    self._verifier.verify(Exchange(kind, block[0], number))
                except NotSymmetric as problem:
                    self._reasons[kind, number] = str(problem)
                    self._reasons.setdefault((kind, block[0]), str(problem))
                else:
                    block.append(number)
                    break
            else:
                blocks.append([number])
        return tuple(tuple(block) for block in blocks if len(block) > 1)

    # ------------------------------------------------------------ what goes with the numbers

    def _variables(self, kinds: Sequence[Sequence[Sequence[int]]]) -> Iterator[Family]:
        found: dict[object, dict[tuple[int, ...], int]] = {}
        for slot in sorted(self._processes.slots | self._asked_slots):
            places = self._numbering.coordinates(slot)
            holds = self._numbering.slot_kind(slot)
            fixed, members = _split(places, kinds)
            key = (self._numbering.items.variable(slot), tuple(fixed), holds)
            if members or (holds is not None and kinds[holds]):
                # slots without members stay where they are, each by itself
                found.setdefault(key if members else slot, {})[members] = slot
        for slots in found.values():
            first = next(iter(slots.values()))
            yield self._family(
                slots, self._numbering.slot_kind(first), self._numbering.coordinates(first), kinds
            )

    def _leaves(self, kinds: Sequence[Sequence[Sequence[int]]]) -> Iterator[Family]:
        found: dict[object, dict[tuple[int, ...], int]] = {}
        for number, leaf in enumerate(self._processes.leaves):
            if not self._has_state(leaf):
                continue
            fixed, members = _split(self._numbers(leaf), kinds)
            copy = 0  # processes that start in the same way go with those of the same rank
            while members in found.get((leaf.state.position, tuple(fixed), copy), {}):
                copy += 1
            found.setdefault((leaf.state.position, tuple(fixed), copy), {})[members] = number
        for leaves in found.values():
            first = self._processes.leaves[next(iter(leaves.values()))]
            yield self._family(leaves, None, self._numbers(first), kinds)

    def _has_state(self, leaf: Leaf) -> bool:
        """Whether a process can be anywhere else than where it starts: if not, it need not be examined."""
        return self._processes.automata.reachable([leaf.state]) != [SymbolicState.of(leaf.state)]

    def _family(
        self,
        found: dict[tuple[int, ...], int],
        holds: int | None,
        coordinates: Sequence[tuple[int | None, int]],
        kinds: Sequence[Sequence[Sequence[int]]],
    ) -> Family:
        before = list(accumulate(map(len, kinds), initial=0))
        own: list[int] = []
        numbers: list[Sequence[int]] = []
        for kind, value in coordinates:
            block = None if kind is None else _block(kinds[kind], value)
            if kind is not None and block is not None:
                own.append(before[kind] + block)
                numbers.append(kinds[kind][block])
        places = tuple(found.get(members) for members in product(*numbers))
        return Family(tuple(own), places, holds)

    def _parameters(self) -> Iterator[tuple[int, tuple[int | None, ...]]]:
        counts = {state.position: len(state.parameters) for state in self._processes.states}
        for position, count in counts.items():
            yield (
                position,
                tuple(self._numbering.kind(("parameter", position, number)) for number in range(count)),
            )

    # ------------------------------------------------------------ for people

    def _groups(self, kinds: Sequence[Sequence[Sequence[int]]]) -> Iterator[str]:
        """`Process(0..4)`, or several such where processes of several names go together."""
        for kind, blocks in enumerate(kinds):
            for block in blocks:
                names = dict.fromkeys(
                    leaf.process.split("(", 1)[0]
                    for leaf in self._processes.leaves
                    if any(own == kind and value in block for own, value in self._numbers(leaf))
                )
                yield ", ".join(f"{name}({_range(block)})" for name in names)

    def _apart(self, kinds: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[str, str]]:
        for leaf in self._processes.leaves:
            if any(
                kind is not None and _block(kinds[kind], value) is not None
                for kind, value in self._numbers(leaf)
            ):
                continue
            yield leaf.process, self._reason(leaf)

    def _reason(self, leaf: Leaf) -> str:
        for kind, value in self._numbers(leaf):
            if kind is not None and (kind, value) in self._reasons:
                return self._reasons[kind, value]
        items = [("parameter", leaf.state.position, number) for number in range(len(leaf.state.parameters))]
        plain = [item for item in items if self._kinds.is_plain(item)]
        alike = [other for other in self._processes.leaves if other.state.position == leaf.state.position]
        if plain and len(alike) > 1:
            return self._kinds.reason(plain[0])
        if sum(other.state == leaf.state for other in alike) > 1:
            return "it has no number that identifies it (--counters is for identical processes)"
        return NONE_LIKE_IT


def _split(
    coordinates: Sequence[tuple[int | None, int]], kinds: Sequence[Sequence[Sequence[int]]]
) -> tuple[list[object], tuple[int, ...]]:
    """What stays of coordinates when members are exchanged, and the members."""
    fixed: list[object] = []
    members: list[int] = []
    for kind, value in coordinates:
        block = None if kind is None else _block(kinds[kind], value)
        if block is None:
            fixed.append(("value", value))
        else:
            fixed.append(("block", kind, block))
            members.append(value)
    return fixed, tuple(members)


def _block(blocks: Sequence[Sequence[int]], number: int) -> int | None:
    return next((place for place, block in enumerate(blocks) if number in block), None)


def _range(block: Sequence[int]) -> str:
    """`0..4`, or `1, 3`."""
    if list(block) == list(range(block[0], block[-1] + 1)) and len(block) > 2:
        return f"{block[0]}..{block[-1]}"
    return ", ".join(map(str, block))
