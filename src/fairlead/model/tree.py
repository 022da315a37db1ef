"""Trees of processes: the operators of a configuration over its local states."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NoReturn, TypeGuard, assert_never

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.display import WIDEST, in_one_line
from fairlead.base.records import dataclass


@dataclass(frozen=True, order=True)
class LocalState:
    """A position with the values of its parameters."""

    position: int
    parameters: tuple[int, ...] = ()


#: the positions every network has
STOP = LocalState(0)


SKIP = LocalState(1)


TERMINATED = LocalState(2)


#: something went wrong that must not: no tree has such a leaf and any other (see `with_errors_collapsed`)
ERROR = LocalState(3)


#: the first position that a language may use as it likes
FIRST_POSITION = 4


@dataclass(frozen=True)
class Leaf:
    """A local automaton in a local state; `process` owns its steps."""

    state: LocalState
    process: str


@dataclass(frozen=True)
class Parallel:
    """Components side by side. With alphabets, a shared event needs every component that has it.

    Termination is a joint step of all components, unless `ends` lists some: then a state without steps has
    terminated if all of these (at least one) are at TERMINATED, and there is no step of termination.
    """

    components: tuple[Tree, ...]
    alphabets: tuple[frozenset[str], ...] | None = None
    ends: frozenset[int] | None = None


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


@dataclass(frozen=True)
class Prioritised:
    """`body`, in which some labels go before all other steps, internal ones too, or behind them.

    High: where a step with one of the labels is possible, all others are not. Low: a step with one of the
    labels is possible only where no other is.
    """

    body: Tree
    labels: frozenset[str]
    is_high: bool


@dataclass(frozen=True)
class Unbounded:
    """Any number of copies of a process side by side, `least` or more of them.

    It is a component of an interleaving. Only counters can tell its steps (see `Counted`). `name` is what the
    number of copies is chosen by: the name of the process in the text. If not `apart`, the copies are parts
    of one process.
    """

    leaf: Leaf
    least: int
    name: str
    apart: bool = True


@dataclass(frozen=True)
class Counted:
    """Identical processes side by side, of which only is known how many are in each local state.

    `members` are local states with how many processes are there, at least one, sorted by local state.
    `process` is the name of the whole. With a `cutoff` the count `cutoff + 1` stands for any larger number.
    """

    members: tuple[tuple[LocalState, int], ...]
    process: str
    cutoff: int | None = None


Tree = (
    Leaf
    | Parallel
    | Sequel
    | Choice
    | Guarded
    | ExternalChoice
    | Interrupt
    | Hidden
    | Atomic
    | Prioritised
    | Unbounded
    | Counted
)


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """The trees directly below a node."""
    match tree:
        case Leaf() | Unbounded() | Counted():
            return ()
        case Parallel(parts) | Choice(parts) | ExternalChoice(parts):
            return parts
        case Sequel(body) | Guarded(_, body) | Hidden(body) | Atomic(body) | Prioritised(body):
            return (body,)
        case Interrupt(body, handler):
            return (body, handler)
        case _:
            assert_never(tree)


def with_subtrees(tree: Tree, parts: tuple[Tree, ...]) -> Tree:
    """The same node with other trees directly below it."""
    match tree:
        case Leaf() | Unbounded() | Counted():
            return tree
        case Parallel():
            return Parallel(parts, tree.alphabets, tree.ends)
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
        case Prioritised():
            return Prioritised(parts[0], tree.labels, tree.is_high)
        case Interrupt():
            return Interrupt(*parts)
        case _:
            assert_never(tree)


#: a tree that grows deeper than this is taken for one that grows forever
NESTING_LIMIT = 120


def check_nesting(tree: Tree) -> None:
    """Raises `LimitReached` if operators are nested so deeply that there is no end to be expected."""
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > NESTING_LIMIT:
            report_nesting()
        level = [part for node in level for part in subtrees(node)]


def report_nesting() -> NoReturn:
    """Raises `LimitReached`: operators are nested too deeply."""
    problem = Diagnostic(
        Code.LIMIT,
        f"more than {NESTING_LIMIT} operators are nested in one state: endless recursion",
        hint="in 'P = (a -> P) interrupt Q' each round leaves one more 'Q' behind",
    )
    raise LimitReached((problem,))


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


def parallel(
    components: tuple[Tree, ...],
    alphabets: tuple[frozenset[str], ...] | None,
    ends: frozenset[int] | None = None,
) -> Parallel:
    """Components side by side; an interleaving inside an interleaving is part of it."""
    whole = Parallel(components, alphabets, ends)
    if not is_interleaving(whole) or not any(is_interleaving(part) for part in components):
        return whole
    flat: list[Tree] = []
    for part in components:
        if is_interleaving(part):
            flat += part.components
        else:
            flat.append(part)
    return Parallel(tuple(flat))


def is_interleaving(tree: Tree) -> TypeGuard[Parallel]:
    """Whether a tree is processes side by side that share no events."""
    return isinstance(tree, Parallel) and tree.alphabets is None and tree.ends is None


@dataclass(frozen=True)
class Configuration:
    """A state of the system."""

    values: tuple[int, ...]
    tree: Tree

    def __repr__(self) -> str:
        places = (
            f"{leaf.process}@{leaf.state.position}{leaf.state.parameters or ''}" for leaf in leaves(self.tree)
        )
        shown = ", ".join(itertools.islice(places, WIDEST))
        return in_one_line(f"<Configuration {self.values} {shown}>")


def nodes(tree: Tree) -> Iterator[Tree]:
    """A tree and everything below it, each node before its parts, from left to right."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(subtrees(node))


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The leaves of a tree, from left to right."""
    return (node for node in nodes(tree) if isinstance(node, Leaf))


def with_errors_collapsed(tree: Tree) -> Tree:
    """The first leaf from the left that is in ERROR, whatever is around it; else the tree itself."""
    return next((leaf for leaf in leaves(tree) if leaf.state == ERROR), tree)


def is_at_end(tree: Tree) -> bool:
    """Whether a tree without steps has terminated successfully, rather than being stuck."""
    while isinstance(tree, Prioritised):
        tree = tree.body
    if isinstance(tree, Parallel) and tree.ends is not None:
        return bool(tree.ends) and all(has_ended(tree.components[number]) for number in tree.ends)
    return has_ended(tree)
