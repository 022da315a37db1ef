"""The systems of expected_gallery written by hand, as functions from a state to its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tests.support.examples.by_hand import State, changed, explored
from tests.support.oracle.graphs import Graph

Steps = Iterator[tuple[str, State, frozenset[int]]]
#: a process that is none of the numbered ones
OTHER = frozenset((-1,))


def by(process: int) -> frozenset[int]:
    return frozenset((process,))


def starting(n: int, values: int, steps: Callable[[State], Steps], state: State) -> Steps:
    """Nodes get any values at first, one after the other."""
    if len(state) == n:
        yield from steps(state)
    else:
        for value in range(values):
            yield f"set.{len(state)}.{value}", (*state, value), OTHER


# ---------------------------------------------------------------- population protocols


def orient_ring(n: int) -> Graph:
    def steps(state: State) -> Steps:
        for i in range(n):
            j = (i + 1) % n
            if (state[i], state[j]) == (0, 1):
                yield f"turn.{i}", changed(state, {i: 1}), by(i)
                yield f"turn.{j}", changed(state, {j: 0}), by(j)

    return explored(
        (), partial(starting, n, 2, steps), {"oriented": lambda s: len(s) == n and len({*s}) == 1}
    )


def colouring(n: int) -> Graph:
    def steps(state: State) -> Steps:
        for i in range(n):
            if state[i] == state[i - 1]:
                for c in {0, 1, 2} - {state[i]}:
                    yield f"pick.{i}.{c}", changed(state, {i: c}), by(i)

    # before all have a colour, the model has 0 for the others
    def proper(state: State) -> bool:
        colours = (*state, *[0] * (n - len(state)))
        return all(colours[i] != colours[i - 1] for i in range(n))

    return explored((), partial(starting, n, 3, steps), {"proper": proper})


def majority(n: int) -> Graph:
    """A node is A or B while firm, a or b when it wavers."""

    def steps(state: State) -> Steps:
        for i, one in enumerate(state):
            for j, other in enumerate(state):
                if one.isupper() and one.upper() != other.upper():
                    if other.isupper():
                        yield f"meet.{i}.{j}", changed(state, {i: one.lower(), j: other.lower()}), by(i)
                    else:
                        yield f"persuade.{i}.{j}", changed(state, {j: one.lower()}), by(i)

    start = ("A",) * (n // 2 + 1) + ("B",) * (n // 2)
    return explored(start, steps, {"agreed": lambda s: all(node in "Aa" for node in s)})


# ---------------------------------------------------------------- lock-free structures


def counter(n: int, named: bool) -> Graph:
    """A worker is at rest (None), has read a value, or is done ("done")."""

    def steps(state: State) -> Steps:
        x, *workers = state
        for i, worker in enumerate(workers, 1):
            if worker is None:
                yield f"read.{i - 1}", changed(state, {i: x}), by(i)
            elif worker == "done":
                yield f"done.{i - 1}", changed(state, {i: None}), by(i)
            elif worker == x:
                event = "win" if named else "swap"
                yield f"{event}.{i - 1}", changed(state, {0: (x + 1) % 3, i: "done"}), by(i)
            else:
                yield f"{'miss' if named else 'swap'}.{i - 1}", changed(state, {i: None}), by(i)

    return explored((0, *[None] * n), steps, {"x == 0": lambda s: s[0] == 0})


def treiber_stack(n: int, guarded: bool) -> Graph:
    """(the head, below node 1, below node 2, then each process: what it holds, and what it is doing)."""

    def steps(state: State) -> Steps:
        head, below = state[0], {1: state[1], 2: state[2]}
        read = {doing[1] for _, doing in state[3:] if doing and doing[0] == "pop"}
        for place, (held, doing) in enumerate(state[3:], 3):
            who = by(place)
            match doing:
                case None:
                    if head == 0:
                        yield "empty", state, who
                    else:
                        yield "look", changed(state, {place: (held, ("pop", head, below[head]))}), who
                    for node in held:
                        if not guarded or node not in read:
                            yield "aim", changed(state, {node: head, place: (held, ("push", node))}), who
                case ("pop", node, under):
                    if head == node:
                        yield "popped", taken(state, node, under, place), who
                    else:
                        yield "retry", changed(state, {place: (held, None)}), who
                case ("push", node):
                    if head == below[node]:
                        yield "pushed", changed(state, {0: node, place: (held - {node}, None)}), who
                    else:
                        yield "retry", changed(state, {place: (held, None)}), who

    def taken(state: State, node: int, under: int, place: int) -> State:
        """One process holds the node now, and no other one (as `owner` has room for one)."""
        after = list(state)
        after[0] = under
        for other in range(3, 3 + n):
            held, doing = state[other]
            after[other] = (held - {node}, doing)
        after[place] = (state[place][0] | {node}, None)
        return tuple(after)

    start = (1, 2, 0, *[(frozenset(), None)] * n)
    return explored(start, steps, {"broken": lambda s: any(s[0] in held for held, _ in s[3:])})


# ---------------------------------------------------------------- schedulers


def turns(n: int) -> Graph:
    return explored((0,), lambda s: [(f"run.{s[0]}", ((s[0] + 1) % n,), by(s[0]))], {})


def anyone(n: int) -> Graph:
    return explored((), lambda s: [(f"run.{i}", s, OTHER) for i in range(n)], {})


def by_rank(n: int, greedy: bool) -> Graph:
    def steps(state: State) -> Steps:
        for i in range(n):
            if not state[i]:
                yield f"wake.{i}", changed(state, {i: True}), by(i)
        if True in state:
            first = state.index(True)
            yield f"run.{first}", state if greedy and first == 0 else changed(state, {first: False}), OTHER

    return explored((False,) * n, steps, {})


# ---------------------------------------------------------------- channels

SENDER, RECEIVER = 0, 1


def go_back_n(n: int, patient: bool) -> Graph:
    """(base, how many are sent, expected, frame and answer on their way, at the sender, at the receiver)."""
    s = n + 1

    def steps(state: State) -> Steps:
        base, sent, expected, frame, answer, heard, got = state
        if heard is None:
            if sent < n and frame is None:
                yield (
                    f"frames!{(base + sent) % s}",
                    changed(state, {1: sent + 1, 3: (base + sent) % s}),
                    by(SENDER),
                )
            if sent > 0:
                yield "timeout", changed(state, {1: 0}), by(SENDER)
            if answer is not None:
                yield f"acks?{answer}", changed(state, {4: None, 5: answer}), by(SENDER)
        else:
            yield "garbled.1", changed(state, {5: None}), by(SENDER)
            ahead = (heard - base) % s
            if ahead < sent or (patient and ahead < n):
                left = max(sent - ahead - 1, 0)
                yield f"accept.{heard}", changed(state, {0: (heard + 1) % s, 1: left, 5: None}), by(SENDER)
            else:
                yield f"ignore.{heard}", changed(state, {5: None}), by(SENDER)
        if got == "answer":
            if answer is None:
                yield (
                    f"acks!{(expected + n) % s}",
                    changed(state, {4: (expected + n) % s, 6: None}),
                    by(RECEIVER),
                )
        elif got is not None:
            yield "garbled.0", changed(state, {6: None}), by(RECEIVER)
            if got == expected:
                yield f"deliver.{got}", changed(state, {2: (expected + 1) % s, 6: "answer"}), by(RECEIVER)
            else:
                yield f"discard.{got}", changed(state, {6: "answer"}), by(RECEIVER)
        elif frame is not None:
            yield f"frames?{frame}", changed(state, {3: None, 6: frame}), by(RECEIVER)

    return explored((0, 0, 0, None, None, None, None), steps, {})


SYSTEMS: dict[tuple[str, str], Callable[[int], Graph]] = {
    ("orient_ring.csp", "Ring"): orient_ring,
    ("colouring.csp", "Ring"): colouring,
    ("majority.csp", "Network"): majority,
    ("counter.csp", "Counter"): partial(counter, named=False),
    ("counter.csp", "Named"): partial(counter, named=True),
    ("policies.csp", "Turns"): turns,
    ("policies.csp", "Any"): anyone,
    ("policies.csp", "ByRank"): partial(by_rank, greedy=False),
    ("policies.csp", "Greedy"): partial(by_rank, greedy=True),
    ("go_back_n.csp", "Protocol"): partial(go_back_n, patient=True),
    ("go_back_n.csp", "Impatient"): partial(go_back_n, patient=False),
    ("treiber_stack.csp", "Reused"): partial(treiber_stack, guarded=False),
    ("treiber_stack.csp", "Guarded"): partial(treiber_stack, guarded=True),
}
