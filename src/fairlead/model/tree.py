"""Trees of processes: the operators of a configuration over its local states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from fairlead.errors import Code, Diagnostic, LimitReached


@dataclass(frozen=True)
class LocalState:
    """A position with the values of its parameters."""

    position: int
    parameters: tuple[int, ...] = ()


#: the positions every network has
STOP = LocalState(0)


SKIP = LocalState(1)


TERMINATED = LocalState(2)


@dataclass(frozen=True)
class Leaf:
    """A local automaton in a local state; `process` owns its steps."""

    state: LocalState
    process: str


@dataclass(frozen=True)
class Parallel:
    """Components side by side. With alphabets, a shared event needs every component that has it."""

    components: tuple[Tree, ...]
    alphabets: tuple[frozenset[str], ...] | None = None


@dataclass(frozen=True)
class Sequel:
    """`first`, and when it terminates, `then`, by an internal step known by `construct`."""

    first: Tree
    then: LocalState
    process: str
    construct: str


@dataclass(frozen=True)
class Choice:
    """The first step of any branch decides for it (`[]` over composite processes)."""

    branches: tuple[Tree, ...]


@dataclass(frozen=True)
class Guarded:
    """`body` can make its first step only while the condition of the guard's position holds."""

    guard: LocalState
    body: Tree


@dataclass(frozen=True)
class ExternalChoice:
    """As `Choice`, but an internal step of a branch does not decide (`[*]`)."""

    branches: tuple[Tree, ...]


@dataclass(frozen=True)
class Interrupt:
    """`body`, until a visible step of `handler` takes over."""

    body: Tree
    handler: Tree


@dataclass(frozen=True)
class Hidden:
    """`body`, with some of its events made internal."""

    body: Tree
    events: frozenset[str]


@dataclass(frozen=True)
class Atomic:
    """`body`, whose steps go before those of anything that is not atomic."""

    body: Tree


Tree = Leaf | Parallel | Sequel | Choice | Guarded | ExternalChoice | Interrupt | Hidden | Atomic


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """The trees directly below a node."""
    match tree:
        case Leaf():
            return ()
        case Parallel(parts) | Choice(parts) | ExternalChoice(parts):
            return parts
        case Sequel(body) | Guarded(_, body) | Hidden(body) | Atomic(body):
            return (body,)
        case Interrupt(body, handler):
            return (body, handler)
        case _:
            assert_never(tree)


def with_subtrees(tree: Tree, parts: tuple[Tree, ...]) -> Tree:
    """The same node with other trees directly below it."""
    match tree:
        case Leaf():
            return tree
        case Parallel():
            return Parallel(parts, tree.alphabets)
        case Choice():
            return Choice(parts)
        case ExternalChoice():
            return ExternalChoice(parts)
        case Sequel():
            return Sequel(parts[0], tree.then, tree.process, tree.construct)
        case Guarded():
            return Guarded(tree.guard, parts[0])
        case Hidden():
            return Hidden(parts[0], tree.events)
        case Atomic():
            return Atomic(parts[0])
        case Interrupt():
            return Interrupt(*parts)
        case _:
            assert_never(tree)


#: a tree that grows deeper than this is taken for one that grows for ever
NESTING_LIMIT = 120


def check_nesting(tree: Tree) -> None:
    """Raises `LimitReached` if operators are nested so deeply that there is no end to be expected."""
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > NESTING_LIMIT:
            problem = Diagnostic(
                Code.LIMIT,
                f"more than {NESTING_LIMIT} operators are nested in one state: endless recursion",
                hint="in 'P = (a -> P) interrupt Q' each round leaves one more 'Q' behind",
            )
            raise LimitReached((problem,))
        level = [part for node in level for part in subtrees(node)]


def has_ended(tree: Tree) -> bool:
    """Whether nothing is left to be hidden, made atomic or interrupted."""
    return isinstance(tree, Leaf) and tree.state == TERMINATED


def _is_trivial(tree: Tree) -> bool:
    return isinstance(tree, Leaf) and tree.state in (STOP, SKIP, TERMINATED)


def hidden(body: Tree, events: frozenset[str]) -> Tree:
    """`body` with events hidden; what is hidden twice is hidden once, and Skip has nothing to hide.

    Hiding goes inside of atomic, so that a process that calls itself within both does not grow.
    """
    if _is_trivial(body):
        return body
    match body:
        case Hidden(inner, others):
            return Hidden(inner, others | events)
        case Atomic(inner):
            return Atomic(hidden(inner, events))
    return Hidden(body, events)


def atomic(body: Tree) -> Tree:
    """`body` made atomic; Skip and what is atomic already stay as they are."""
    return body if _is_trivial(body) or isinstance(body, Atomic) else Atomic(body)


def interrupt(body: Tree, handler: Tree) -> Tree:
    """`body` with a handler, unless it has ended."""
    return body if has_ended(body) else Interrupt(body, handler)


def parallel(components: tuple[Tree, ...], alphabets: tuple[frozenset[str], ...] | None) -> Parallel:
    """Components side by side; an interleaving inside an interleaving is part of it."""
    if alphabets is not None or not any(_is_interleaving(part) for part in components):
        return Parallel(components, alphabets)
    flat: list[Tree] = []
    for part in components:
        if isinstance(part, Parallel) and part.alphabets is None:
            flat += part.components
        else:
            flat.append(part)
    return Parallel(tuple(flat))


def _is_interleaving(tree: Tree) -> bool:
    return isinstance(tree, Parallel) and tree.alphabets is None


@dataclass(frozen=True)
class Configuration:
    """A state of the system."""

    values: tuple[int, ...]
    tree: Tree


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The leaves of a tree, from left to right."""
    pending = [tree]
    while pending:
        current = pending.pop()
        if isinstance(current, Leaf):
            yield current
        else:
            pending += reversed(subtrees(current))
