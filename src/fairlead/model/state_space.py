"""The states of a system by number, each with its steps computed once on the reference semantics.

Of a network of processes side by side, what one of them can do is remembered together with the variables that
were read to find it out, and used again wherever these have the same values. The steps are the same; judging
large parts of a state space takes a tenth of the time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.model.evaluation import Scope, evaluate, execute
from fairlead.model.joining import is_shared
from fairlead.model.labels import Kind
from fairlead.model.moves import Move, Update
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, State, System
from fairlead.model.tree import (
    ERROR,
    Atomic,
    Configuration,
    Leaf,
    Parallel,
    Tree,
    check_nesting,
    is_interleaving,
    nodes,
)

#: an event, its participants, and the number of the state after the step
Numbered = tuple[str, frozenset[str], int]
Result = TypeVar("Result")


class StateSpace:
    """States of any system, by number."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._numbers: dict[Any, int] = {}
        self._keys: list[Any] = []
        self._steps: dict[int, list[Numbered]] = {}

    def number(self, state: State) -> int:
        """The number of a state; numbers are dense."""
        return self._numbered(self._key(state))

    def state(self, number: int) -> State:
        """The state with a number."""
        return self._unpacked(self._keys[number])

    def steps(self, number: int) -> list[Numbered]:
        """The transitions from a state, without duplicates."""
        if number not in self._steps:
            self._steps[number] = self._found(number)
        return self._steps[number]

    def holds(self, proposition: Proposition, number: int) -> bool:
        """Whether a proposition is true in a state."""
        return self.system.holds(proposition, self.state(number))

    def _key(self, state: State) -> Any:
        return state

    def _unpacked(self, key: Any) -> State:
        return key  # type: ignore[no-any-return]

    def _numbered(self, key: Any) -> int:
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
        return number

    def _found(self, number: int) -> list[Numbered]:
        steps = self.system.steps(self.state(number))
        return [(step.event, step.processes, self.number(step.target)) for step in steps]


def space_of(system: System) -> StateSpace:
    """The states of a system, none of which has a number yet."""
    if type(system) is NetworkSystem and system.network.counting is None:
        return _NetworkSpace(system)
    return StateSpace(system)


# ---------------------------------------------------------------- what was read


class _Read(list[int]):
    """Values of shared variables that note which of them are read before they are written."""

    def __init__(self, values: Sequence[int], slots: dict[int, int]) -> None:
        super().__init__(values)
        self._slots = slots
        self.written: dict[int, int] = {}

    def _note(self, slot: int) -> None:
        if slot not in self.written:
            self._slots.setdefault(slot, list.__getitem__(self, slot))

    def __getitem__(self, index: Any) -> Any:
        for slot in range(len(self))[index] if isinstance(index, slice) else (range(len(self))[index],):
            self._note(slot)
        return list.__getitem__(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        list.__setitem__(self, index, value)
        for slot in range(len(self))[index] if isinstance(index, slice) else (range(len(self))[index],):
            self.written[slot] = list.__getitem__(self, slot)

    def __iter__(self) -> Iterator[int]:
        for slot in range(len(self)):
            yield self[slot]


class _Memory(dict[int, Any]):
    """Results by the values that were read to find them, one variable after the other.

    What is read next depends on what was read before alone, so that every key begins with the same variable.
    """

    def find(self, key: int, values: Sequence[int], compute: Callable[[dict[int, int]], Any]) -> Any:
        """The result for a key under some values; `compute` fills in what it reads, in this order."""
        node = self.get(key)
        while type(node) is _Choice:
            node = node.by_value.get(values[node.slot])
        if node is not None:
            return node.result
        slots: dict[int, int] = {}
        result = _Found(compute(slots))
        self._keep(key, slots, result)
        return result.result

    def _keep(self, key: int, slots: dict[int, int], result: _Found) -> None:
        place: dict[int, Any] = self
        for slot, value in slots.items():
            choice = place.setdefault(key, _Choice(slot))
            assert choice.slot == slot
            place, key = choice.by_value, value
        place[key] = result


class _Choice:
    """A variable that is read, and what follows for each of its values."""

    __slots__ = ("by_value", "slot")

    def __init__(self, slot: int) -> None:
        self.slot = slot
        self.by_value: dict[int, Any] = {}


class _Found:
    """A result."""

    __slots__ = ("result",)

    def __init__(self, result: Any) -> None:
        self.result = result


# ---------------------------------------------------------------- networks


@dataclass(frozen=True)
class _Local:
    """What one of several components can do under the values that were read.

    `free` steps it takes alone: event, processes, the variables that are written, and the components it
    becomes. `shared` ones need others: for each event the processes, the updates, and the component it
    becomes.
    """

    free: tuple[tuple[str, frozenset[str], tuple[tuple[int, int], ...], tuple[int, ...]], ...]
    shared: dict[str, list[tuple[frozenset[str], tuple[Update, ...], int]]]
    can_end: bool


class _Unusual(Exception):
    """The component does something that is examined together with all others."""


class _NetworkSpace(StateSpace):
    """States of a network. A state of components side by side is packed: values, frame, components."""

    system: NetworkSystem

    def __init__(self, system: NetworkSystem) -> None:
        super().__init__(system)
        self._trees: list[Tree] = []
        self._tree_numbers: dict[Tree, int] = {}
        self._frames: list[Parallel] = []  # each without its components
        self._frame_numbers: dict[Parallel, int] = {}
        self._local: list[_Memory] = []  # for each frame
        self._partners: dict[tuple[int, str], list[int]] = {}
        self._truth: dict[Proposition, _Memory] = {}

    def _key(self, state: State) -> Any:
        assert isinstance(state, Configuration)
        tree = state.tree
        if not isinstance(tree, Parallel):
            return state.values, None, (self._tree_number(tree),)
        frame = Parallel((), tree.alphabets, tree.ends)
        if frame not in self._frame_numbers:
            self._frame_numbers[frame] = len(self._frames)
            self._frames.append(frame)
            self._local.append(_Memory())
        return state.values, self._frame_numbers[frame], tuple(map(self._tree_number, tree.components))

    def _tree_number(self, tree: Tree) -> int:
        number = self._tree_numbers.setdefault(tree, len(self._trees))
        if number == len(self._trees):
            self._trees.append(tree)
        return number

    def _unpacked(self, key: Any) -> State:
        values, frame, parts = key
        trees = tuple(self._trees[part] for part in parts)
        if frame is None:
            return Configuration(values, trees[0])
        around = self._frames[frame]
        return Configuration(values, Parallel(trees, around.alphabets, around.ends))

    def holds(self, proposition: Proposition, number: int) -> bool:
        """Evaluated once for all states in which the variables that are read have the same values."""
        values = self._keys[number][0]

        def compute(slots: dict[int, int]) -> bool:
            return bool(evaluate(proposition.meaning, Scope(_Read(values, slots))))

        memory = self._truth.setdefault(proposition, _Memory())
        return bool(memory.find(0, values, compute))

    def _found(self, number: int) -> list[Numbered]:
        values, frame, parts = self._keys[number]
        if frame is None:
            return super()._found(number)
        memory = self._local[frame]
        local: list[_Local] = []
        for part in parts:
            known = memory.find(
                part, values, lambda slots, part=part: self._computed(frame, part, values, slots)
            )
            if known is None:
                return super()._found(number)
            local.append(known)
        if self._frames[frame].ends is None and all(known.can_end for known in local):
            return super()._found(number)  # all of them end together
        found: dict[Numbered, None] = {}
        for place, known in enumerate(local):
            for event, processes, written, becomes in known.free:
                after = values
                if written:
                    changed = list(values)
                    for slot, value in written:
                        changed[slot] = value
                    after = tuple(changed)
                target = self._numbered((after, frame, (*parts[:place], *becomes, *parts[place + 1 :])))
                found[event, processes, target] = None
        if self._frames[frame].alphabets is not None:
            self._add_joint(found, local, self._keys[number])
        return list(found)

    def _add_joint(self, found: dict[Numbered, None], local: list[_Local], key: Any) -> None:
        values, frame, parts = key
        for event in dict.fromkeys(event for known in local for event in known.shared):
            partners = self._partners_in(frame, event)
            offers = [local[partner].shared.get(event, ()) for partner in partners]
            for joint in itertools.product(*offers):
                after, becomes = values, list(parts)
                if any(updates for _, updates, _ in joint):
                    changed = list(values)
                    for _, updates, _ in joint:
                        for update in updates:
                            execute(update.program, Scope(changed, update.parameters, update.received))
                    after = tuple(changed)
                for partner, (_, _, part) in zip(partners, joint, strict=True):
                    becomes[partner] = part
                processes = frozenset().union(*(own for own, _, _ in joint))
                found[event, processes, self._numbered((after, frame, tuple(becomes)))] = None

    def _partners_in(self, frame: int, event: str) -> list[int]:
        if (frame, event) not in self._partners:
            alphabets = self._frames[frame].alphabets or ()
            self._partners[frame, event] = [
                place for place, alphabet in enumerate(alphabets) if event in alphabet
            ]
        return self._partners[frame, event]

    # ------------------------------------------------------------ one component

    def _computed(
        self, frame: int, part: int, values: tuple[int, ...], slots: dict[int, int]
    ) -> _Local | None:
        """What a component can do, or None where the whole state must be examined."""
        tree = self._trees[part]
        around = self._frames[frame]
        free = []
        shared: dict[str, list[tuple[frozenset[str], tuple[Update, ...], int]]] = {}
        can_end = False
        try:
            if any(isinstance(node, Atomic) for node in nodes(tree)):
                return None
            for move in self.system.moves_of(tree, _Read(values, slots)):
                if not isinstance(move, Move) or move.is_atomic:
                    return None
                if move.kind is Kind.TERMINATION:
                    can_end = True
                elif is_shared(move, around.alphabets):
                    becomes = self._joint_part(move, values)
                    shared.setdefault(move.event, []).append((move.processes, move.updates, becomes))
                else:
                    read = _Read(values, slots)
                    for update in move.updates:
                        execute(update.program, Scope(read, update.parameters, update.received))
                    parts = self._parts(move.after(read), is_interleaving(around))
                    free.append((move.event, move.processes, tuple(read.written.items()), parts))
        except (_Unusual, FairleadError):
            return None
        return _Local(tuple(free), shared, can_end)

    def _joint_part(self, move: Move, values: tuple[int, ...]) -> int:
        """What a component becomes in a step that others take with it: known only if no variable matters."""
        slots: dict[int, int] = {}
        parts = self._parts(move.after(_Read(values, slots)), False)
        if slots:
            raise _Unusual
        return parts[0]

    def _parts(self, tree: Tree, flat: bool) -> tuple[int, ...]:
        if any(isinstance(node, Leaf) and node.state == ERROR for node in nodes(tree)):
            raise _Unusual
        check_nesting(Parallel((tree,)))
        if flat and is_interleaving(tree):
            return tuple(map(self._tree_number, tree.components))
        return (self._tree_number(tree),)
