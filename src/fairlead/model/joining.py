"""Joins the steps of several components of a tree, and computes the whole after one has moved."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairlead.model.labels import Kind
from fairlead.model.moves import Continuation, Move, Offer, ReceiveOffer, SendOffer, Wrapping
from fairlead.model.tree import ExternalChoice, Interrupt, Parallel, Tree, parallel, subtrees, with_subtrees


def handshakes(tree: Parallel, offers: list[list[Offer]]) -> Iterator[Move]:
    """Each message sent by one component that another one accepts; the sender's program runs first."""
    for sender, sending in enumerate(offers):
        for receiver, receiving in enumerate(offers):
            if sender == receiver:
                continue
            for joint in meetings(sending, receiving):
                move = joint_move(tree, joint[0].event, [sender, receiver], joint, synchronises=False)
                yield replace(move, roles=(joint[0].processes, joint[1].processes))


def meetings(
    sending: Sequence[Move | Offer], receiving: Sequence[Move | Offer]
) -> Iterator[tuple[Move, Move]]:
    """The two moves of each handshake: a message that is sent on one side and accepted on the other."""
    for sent, received in itertools.product(sending, receiving):
        if not isinstance(sent, SendOffer) or not isinstance(received, ReceiveOffer):
            continue
        if sent.channel != received.channel or len(sent.values) != received.fields:
            continue
        accepted = received.accept(sent.values)
        if accepted is not None:
            yield sent.move, accepted


def is_shared(move: Move, alphabets: tuple[frozenset[str], ...] | None) -> bool:
    """Whether a step of one component needs others."""
    return (
        alphabets is not None
        and move.kind is Kind.EVENT
        and move.synchronises
        and sum(move.event in alphabet for alphabet in alphabets) > 1
    )


def replacing(tree: Parallel | ExternalChoice | Interrupt, number: int) -> Wrapping:
    """Puts what becomes of a part of a node in its place."""

    def wrap(part: Tree, values: Sequence[int]) -> Tree:
        parts = subtrees(tree)
        parts = (*parts[:number], part, *parts[number + 1 :])
        if isinstance(tree, Parallel):
            return parallel(parts, tree.alphabets, tree.ends)
        return with_subtrees(tree, parts)

    return wrap


def joint_move(
    tree: Parallel, event: str, partners: list[int], joint: tuple[Move, ...], *, synchronises: bool
) -> Move:
    """The step in which some components, the `partners`, each make their move."""

    def after(values: Sequence[int]) -> Tree:
        components = list(tree.components)
        for number, move in zip(partners, joint, strict=True):
            components[number] = move.after(values)
        return parallel(tuple(components), tree.alphabets, tree.ends)

    return joined(event, joint, after, synchronises=synchronises)


def joined(event: str, joint: tuple[Move, ...], after: Continuation, *, synchronises: bool) -> Move:
    """The step that several moves are together; the program of the first one runs first."""
    processes = frozenset().union(*(move.processes for move in joint))
    updates = tuple(update for move in joint for update in move.updates)
    urgent = any(move.is_atomic for move in joint)
    places = tuple(place for move in joint for place in move.places)
    return Move(Kind.EVENT, event, synchronises, processes, updates, after, urgent, places=places)
