"""The steps of counted processes: those of one member, and handshakes of two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fairlead.base.diagnostics import Code, Diagnostic, InputError, input_error
from fairlead.model.counting import Counting, after_moving
from fairlead.model.joining import joined, meetings
from fairlead.model.labels import TERMINATE, Kind
from fairlead.model.moves import Move, Offer, Wrapping
from fairlead.model.tree import ERROR, SKIP, TERMINATED, Counted, Leaf, LocalState, Tree, is_interleaving


def counted_moves(
    tree: Counted, counting: Counting, offered: Callable[[Leaf], list[Move | Offer]]
) -> Iterator[Move | Offer]:
    """What some member can do; `offered` tells the moves of a leaf. Termination is joint, by all members."""
    if all(state == SKIP for state, _ in tree.members):
        processes = frozenset((counting.member_process(tree.process, SKIP),))
        ended = Leaf(TERMINATED, tree.process)
        yield Move(Kind.TERMINATION, TERMINATE, True, processes, (), lambda _: ended)
        return
    members = [
        (state, number, offered(Leaf(state, counting.member_process(tree.process, state))))
        for state, number in tree.members
    ]
    for state, _, moves in members:
        for move in moves:
            if not isinstance(move, Move) or move.kind is not Kind.TERMINATION:
                for choice in range(len(after_moving(tree, [state], []))):
                    yield move.within(_replacing(tree, state, choice))
    for sender, _, sending in members:
        for receiver, number, receiving in members:
            if sender != receiver or number > 1:
                for joint in meetings(sending, receiving):
                    yield from _handshakes(tree, [sender, receiver], joint)


def _handshakes(tree: Counted, leaving: list[LocalState], joint: tuple[Move, Move]) -> Iterator[Move]:
    for choice in range(len(after_moving(tree, leaving, []))):

        def after(values: Sequence[int], choice: int = choice) -> Tree:
            return _with_members(tree, leaving, [move.after(values) for move in joint], choice)

        yield joined(joint[0].event, joint, after, synchronises=False)


def _replacing(tree: Counted, state: LocalState, choice: int) -> Wrapping:
    return lambda part, _: _with_members(tree, [state], [part], choice)


def _with_members(tree: Counted, leaving: list[LocalState], parts: list[Tree], choice: int) -> Tree:
    """The members after some have moved; `choice` is one of the possibilities for those that remain."""
    arriving = [leaf.state for part in parts for leaf in members_in(part, tree.process)]
    if ERROR in arriving:
        return Leaf(ERROR, tree.process)
    (found,) = after_moving(after_moving(tree, leaving, [])[choice], [], arriving)
    return found


def members_in(part: Tree, group: str) -> Sequence[Leaf]:
    """The processes that a member has become: itself, or several side by side."""
    if isinstance(part, Leaf):
        return (part,)
    if is_interleaving(part):
        return [leaf for component in part.components for leaf in members_in(component, group)]
    raise input_error(
        Code.COUNTERS,
        f"a process of {group} becomes a composition that cannot be counted",
        hint="a counted process may become several processes in parallel, but no other composition",
    )


def unboundedly_many(name: str) -> str:
    """That there is no number of some processes, in words."""
    return f"there are unboundedly many processes '{name}'"


def choose_number(name: str) -> str:
    """The hint to fix how many of some processes there are."""
    return f"choose a number with --processes {name}=3"


class UnboundedProcesses(InputError):
    """The error that there is no number of some processes, so that they can only be counted."""

    def __init__(self, name: str) -> None:
        hint = f"check with --counters, or {choose_number(name)}"
        super().__init__((Diagnostic(Code.COUNTERS, unboundedly_many(name), hint=hint),))
