"""Why an event is not enabled, and who waits for whom: what is said is true by the definitions."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import fairlead
from fairlead.evidence.waiting import Deadlocked, why_not
from fairlead.model.attempts import attempts, direction
from fairlead.model.circular_wait import History, circular_wait, history_of, waits_of
from fairlead.model.labels import is_internal
from fairlead.model.moves import ReceiveOffer, SendOffer
from fairlead.model.prospects import Half, halves_ahead
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import Configuration, Leaf, Parallel, leaves
from fairlead.model.waiting import (
    ChannelBlocked,
    ClosedGuard,
    NoPartner,
    NotEnding,
    NotOffered,
    Waiting,
    waiting_in,
)
from fairlead.simulation import take, waiting, why
from tests.support.examples.loading import find_example
from tests.support.sampling import is_sample, some


def deadlock(text: str, question: str = "S() deadlockfree") -> tuple[fairlead.Result, Deadlocked]:
    result = fairlead.loads(text).check(question)
    assert result.evidence is not None and isinstance(result.evidence.explanation, Deadlocked), result
    return result, result.evidence.explanation


# ---------------------------------------------------------------- single reasons


def test_each_reason() -> None:
    text = """
    channel full 1; channel empty 1; channel c 0; channel d 0; channel unheard 2; var x = 1; var a[2];
    Guard(i) = [x > 0 && a[i] == 3] go.i -> Guard(i);
    Sender() = full!7 -> full!8 -> empty!1 -> Stop;
    Deaf() = unheard?y -> Stop;
    Receiver() = empty?y -> Stop;
    Caller() = c!5 -> Stop;
    Called() = d?y -> d!y -> Stop;
    Ended() = Skip;
    S() = Guard(1) ||| Sender() ||| Receiver() ||| Caller() ||| Called() ||| Ended() ||| Deaf() ||| Stop;
    """
    _, found = deadlock(text)
    reasons = {one.process: [(b.event, b.obstacle) for b in one.blocked] for one in found.waiting}
    assert reasons["Guard(1)"] == [("go.1", ClosedGuard("a[1] == 3", (("a[1]", "0"),)))]
    assert reasons["Sender()"] == [("full!8", ChannelBlocked("full", is_full=True))]
    assert reasons["Receiver()"] == [("empty?", ChannelBlocked("empty", is_full=False))]
    assert reasons["Caller()"] == [("c!5", NoPartner("c", sends=True))]
    assert reasons["Called()"] == [("d?", NoPartner("d", sends=False))]
    (ended,) = reasons["Ended()"]
    assert isinstance(ended[1], NotEnding) and "Guard(1)" in ended[1].by and "Ended()" not in ended[1].by
    told = list(found.lines())
    assert "    go.1: [a[1] == 3] is false, with a[1] = 0" in told
    assert told[-4:] == [
        "  Deaf() at line 5, Deaf()",
        "    none of its alternatives can ever be taken",
        "  Stop 10:101 at Stop",
        "    has nothing left to do",
    ]


def test_values_stand_in_their_places() -> None:
    text = "P(i, j) = a.i -> ([] k:{0..1} @ [i > j + k] b.k.j -> P(j, i)); S() = P(0, 1) ||| P(2, 3);"
    _, found = deadlock(text)
    assert [one.position for one in found.waiting] == [
        "[] k:{0..1} @ [0 > 1 + k] b.k.1 -> P(1, 0)",
        "[] k:{0..1} @ [2 > 3 + k] b.k.3 -> P(3, 2)",
    ]
    sequel = "P(i) = a.i -> Skip; Q(i + 1); Q(k) = [k > 5] q -> Stop; S() = P(0) ||| P(3);"
    started = fairlead.simulate(fairlead.loads(sequel), "S()")
    texts = started.system.describe(started.state)["processes"]
    assert texts == {"P(0)": "a.0 -> Skip; Q(1)", "P(3)": "a.3 -> Skip; Q(4)"}
    after = take(started, "a.0")
    assert after.system.describe(after.state)["processes"]["P(0)"] == "Q(1)"


def test_arithmetic_on_parameters_is_carried_out() -> None:
    text = """
    #define N 3; var x = 1; var fork[N];
    P(i) = get.i.((i + 1) % N) -> [x > (i+1)*2 && fork[(i+1)%N] == 0] b.(x+1) -> d.(7/(i-1)).i -> Q((i+1));
    Q(k) = e -> ([] i:{0..1} @ f.(i + 1).k -> Skip);
    """
    started = take(fairlead.simulate(fairlead.loads(text), "P(1)"), 1)
    start = fairlead.simulate(fairlead.loads(text), "P(1)").state
    texts = [started.system.describe(state)["processes"]["P(1)"] for state in (start, started.state)]
    assert texts[0] == "P(1)"
    assert texts[1].startswith("[x > 4 && fork[2] == 0] b.(x+1) -> d.?.1 -> Q(2")
    # `i` is the index of the choice there, and no parameter
    inner = take(fairlead.simulate(fairlead.loads(text), "Q(5)"), "e")
    assert inner.system.describe(inner.state)["processes"]["Q(5)"] == "[] i:{0..1} @ f.(i + 1).5 -> Skip"


def test_what_is_cut_off_is_still_told() -> None:
    first = " -> ".join(f"a_long_name_of_an_event_{number}" for number in range(4))
    text = f"P(i) = x -> {first} -> b.i -> P(i); S() = P(4) ||| P(5);"
    started = take(fairlead.simulate(fairlead.loads(text), "S()"), 1)
    shown = started.system.describe(started.state)["processes"]["P(4)"]
    assert shown.endswith("… [i=4]")


def test_philosophers_wait_in_a_circle() -> None:
    model = fairlead.load(find_example("dining_philosophers.csp"))
    result = model.check("College() deadlockfree")
    assert result.evidence is not None and isinstance(result.evidence.explanation, Deadlocked)
    cycle = result.evidence.explanation.cycle
    assert [(wait.process, wait.variable, wait.other) for wait in cycle] == [
        ("Philosopher(0)", "fork[1]", "Philosopher(1)"),
        ("Philosopher(1)", "fork[2]", "Philosopher(2)"),
        ("Philosopher(2)", "fork[0]", "Philosopher(0)"),
    ]
    assert "circular wait:" in str(result)


def test_a_fork_waits_for_who_has_it() -> None:
    """It would take part with either neighbour; its last step tells which one holds it."""
    result = fairlead.load(find_example("dining_philosophers.lts")).check("||ALIKE safety")
    assert result.evidence is not None and result.evidence.explanation is not None
    cycle = result.evidence.explanation.to_json()["circular_wait"]
    assert len(cycle) == 6
    assert {wait["process"].rpartition(":")[2] for wait in cycle} == {"PHILOSOPHER", "FORK"}


def cycle_of(text: str) -> list[str]:
    _, found = deadlock(text)
    lines = list(found.lines())
    return [line.strip() for line in lines[lines.index("circular wait:") + 1 :]] if found.cycle else []


def test_who_has_not_come_to_its_half_of_a_channel_is_waited_for() -> None:
    rendezvous = (
        "channel c 0; channel d 1; P() = c!1 -> d!2 -> P(); Q() = d?x -> c?y -> Q(); S() = P() ||| Q();"
    )
    assert cycle_of(rendezvous) == ["P() waits for Q() to receive from c", "Q() waits for P() to send on d"]
    ring = "channel c[3] 0; N(i) = c[i]?x -> c[(i + 1) % 3]!x -> N(i); S() = || i:{0..2} @ N(i);"
    assert cycle_of(ring) == [
        "N(0) waits for N(2) to send on c[0]",
        "N(2) waits for N(1) to send on c[2]",
        "N(1) waits for N(0) to send on c[1]",
    ]
    full = """
    channel c 1; channel d 1;
    P(i) = c!i -> c!i -> d?x -> P(i); Q() = d!0 -> d!0 -> c?x -> Q(); S() = P(7) ||| Q();
    """
    _, found = deadlock(full)
    assert [(wait.process, wait.other, wait.variable) for wait in found.cycle] == [
        ("P(7)", "Q()", None),
        ("Q()", "P(7)", None),
    ]


def test_an_index_that_depends_on_a_message_may_be_any() -> None:
    text = """
    channel c[2] 0; channel go 0;
    A() = go?k -> c[k]!1 -> Stop; B() = c[1]?x -> go!1 -> Stop; S() = A() ||| B();
    """
    assert cycle_of(text) == ["A() waits for B() to send on go", "B() waits for A() to send on c[1]"]


def test_nobody_is_waited_for_who_never_comes_to_it() -> None:
    text = "channel c[2] 0; A() = c[0]!1 -> Stop; B() = c[1]?x -> B(); S() = A() ||| B();"
    _, found = deadlock(text)
    assert found.cycle == ()
    assert "    c[0]!1: no process receives this from c[0]" in list(found.lines())


def test_a_graph_has_no_processes() -> None:
    graph = '{"states": 2, "initial": 0, "transitions": [[0, "a", 1]]}'
    result = fairlead.loads(graph, "json").check("deadlockfree")
    assert result.evidence is not None and isinstance(result.evidence.explanation, Deadlocked)
    assert result.evidence.explanation.waiting == ()
    assert list(result.evidence.explanation.lines()) == ["deadlock: no step is possible"]
    begun = fairlead.simulate(fairlead.loads(graph, "json"))
    assert why(begun, "a").is_enabled and not why(begun, "b").is_enabled
    assert list(why(begun, "b").lines()) == ["no process offers b where it is now"]


def test_why_in_a_simulation() -> None:
    text = "var x; P() = a -> b -> P(); Q() = [x > 0] b -> Q() [] c -> Q(); S() = P() || Q();"
    begun = take(fairlead.simulate(fairlead.loads(text), "S()"), "a")
    told = list(why(begun, "b").lines())
    assert told == ["P(): b: not offered by Q()", "Q(): b: [x > 0] is false, with x = 0"]
    assert list(why(begun, "a").lines()) == ["P() does not offer a, which is in its alphabet"]
    assert list(why(begun, "c").lines()) == ["c is enabled"]
    assert {one.process for one in waiting(begun).waiting} == {"P()", "Q()"}


def test_atomic_and_priority_go_first() -> None:
    text = "P() = atomic{a -> b -> Skip}; Q() = c -> Q(); S() = P() ||| Q();"
    begun = fairlead.simulate(fairlead.loads(text), "S()")
    inside = begun if not why(begun, "c").is_enabled else take(begun, "a")
    assert not why(inside, "c").is_enabled
    assert any("go first" in line for line in why(inside, "c").lines())
    lts = fairlead.loads("P = (a -> P | b -> P). ||S = P << {a}.", "lts")
    assert any("go first" in line for line in why(fairlead.simulate(lts, "S"), "b").lines())


# ---------------------------------------------------------------- random models


def random_text(random: Random) -> str:
    """Processes that synchronise, test, send and receive; many of them get stuck."""
    parts = []
    for number in range(random.randint(2, 4)):
        steps = []
        for _ in range(random.randint(1, 4)):
            kind = random.choice(["a", "b", "e", "guard", "set", "c!", "c?", "d!", "d?", "choice"])
            step = {
                "guard": f"[x {random.choice(['==', '<', '>'])} {random.randint(0, 2)}] g.{number}",
                "set": f"s.{number}{{x = {random.randint(0, 2)};}}",
                "c!": f"c!{random.randint(0, 1)}",
                "c?": "c?y",
                "d!": f"d!{number}",
                "d?": f"d?[y < {random.randint(1, 3)}]y",
                "choice": f"(a -> Skip [] [x > 0] b -> Skip [] h.{number} -> Skip); f",
            }.get(kind, kind)
            steps.append(step)
        end = random.choice([f"P{number}()", f"P{number}()", "Skip", "Stop"])
        parts.append(f"P{number}() = {' -> '.join(steps)} -> {end};")
    names = [f"P{number}()" for number in range(len(parts))]
    operator = random.choice([" || ", " || ", " ||| "])
    system = operator.join(names)
    if random.random() < 0.3:
        system = f"({system}) \\ {{{random.choice('abe')}}}"
    declared = "var x:{0..2}; channel c 0; channel d 1;\n"
    return declared + "\n".join(parts) + f"\nS() = {system};\n"


def judge(system: NetworkSystem, state: Configuration, seen: Counter[str]) -> None:
    """Everything that is said of a state is true."""
    steps = attempts(system, state).steps
    enabled = {step.event for step in steps}
    found = waiting_in(system, state)
    assert [one.process for one in found] == [leaf.process for leaf in leaves(state.tree)]
    for one, leaf in zip(found, leaves(state.tree), strict=True):
        edges = system.network.behaviour.edges(leaf.state.position) or ()
        moving = [step for step in steps if leaf.process in step.processes]
        if edges and not moving:  # who cannot move is told why, for each alternative
            assert one.blocked
        for blocked in one.blocked:
            seen[type(blocked.obstacle).__name__] += 1
            match blocked.obstacle:
                case ClosedGuard(_, ((name, _),)):
                    assert name.startswith("d[") or opened(system, state, leaf), blocked
                case NotOffered(by):
                    assert by and by_is_true(system, state, blocked.event, by), blocked
                case ChannelBlocked(name, is_full):
                    assert len(system.variables(state)[name]) == (1 if is_full else 0)
                case NoPartner(_, sends):
                    half = "c?" if sends else "c!"
                    others = [b for w in found if w is not one for b in w.blocked]
                    assert not any(b.event.startswith(half) for b in others), blocked
                case NotEnding(by):
                    assert by and not any(ends(system, state, process) for process in by), blocked
    for event in ("a", "b", "e", "f", "c.0", "c.1", *(f"{n}.{i}" for n in "gsh" for i in range(4))):
        answer = why_not(system, state, event)
        assert answer.is_enabled == (event in enabled), event
        assert answer.is_enabled or list(answer.lines())
        seen["why"] += 1


def ends(system: NetworkSystem, state: Configuration, process: str) -> bool:
    """Whether all that a process consists of offers to terminate."""
    own = [leaf for leaf in leaves(state.tree) if leaf.process == process]
    moves = [[getattr(move, "event", None) for move in system._moves(leaf, state.values)] for leaf in own]
    return all("terminate" in events for events in moves)


def opened(system: NetworkSystem, state: Configuration, leaf: Leaf) -> bool:
    """Whether some other value of `x` opens a guard of the process that is closed now."""
    slot = next(variable.slot for variable in system.network.variables if variable.name == "x")
    now = len(list(system._leaf_moves(leaf, state.values)))
    for value in range(-2, 5):
        values = (*state.values[:slot], value, *state.values[slot + 1 :])
        if len(list(system._leaf_moves(leaf, values))) > now:
            return True
    return False


def by_is_true(system: NetworkSystem, state: Configuration, event: str, by: tuple[str, ...]) -> bool:
    """Whether each of the named processes is in a component that has the event in its alphabet and does not
    offer it."""
    pending = [state.tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Parallel) and node.alphabets is not None:
            for component, alphabet in zip(node.components, node.alphabets, strict=True):
                names = {leaf.process for leaf in leaves(component)}
                offered = {
                    move.event for move in system._moves(component, state.values) if hasattr(move, "event")
                }
                if names & set(by) and (event not in alphabet or event in offered):
                    return False
            return True
        pending += [getattr(node, "body", None) or getattr(node, "first", None)]
        pending = [part for part in pending if part is not None]
    return False


def judge_directions(system: NetworkSystem, state: Configuration, seen: Counter[str]) -> None:
    """A handshake goes from one who offers to send to one who offers to receive, and nothing else does."""
    for step in attempts(system, state).steps:
        way = direction(system, state, step)
        assert (way is not None) == (step.event in ("c.0", "c.1")), step
        if way is None:
            continue
        seen["handshake"] += 1
        assert set(way) == step.processes
        for role, half in zip(way, (SendOffer, ReceiveOffer), strict=True):
            own = [leaf for leaf in leaves(state.tree) if leaf.process == role]
            assert any(
                isinstance(move, half) for leaf in own for move in system._leaf_moves(leaf, state.values)
            )


def judge_cycle(found: list[Waiting], history: History, seen: Counter[str]) -> None:
    cycle = circular_wait(found, history)
    if not cycle:
        return
    seen["cycle"] += 1
    waits = {wait for one in found for wait in waits_of(one, history)}
    for wait, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert wait.other == following.process
        assert wait in waits
    assert len({wait.process for wait in cycle}) == len(cycle)


def judge_prospects(system: NetworkSystem, path: list[Step], begun: Configuration) -> None:
    """Whatever a process does on a channel later was ahead of it before."""
    states = [begun, *(step.target for step in path)]
    for number, state in enumerate(states):
        ahead = halves_ahead(system, state)
        for step in path[number:]:
            channel, _, rest = re.fullmatch(r"(\w+)([!?.]?)(.*)", step.event).groups()
            if channel not in ("c", "d") or not rest:
                continue
            for process in step.processes:
                halves = [Half(channel, True), Half(channel, False)]
                assert any(half in ahead.get(process, ()) for half in halves), (step, process)


def check(seed: int) -> Counter[str]:
    random = Random(seed)
    model = fairlead.loads(random_text(random))
    system = NetworkSystem(model._loaded.system("S()"))
    seen: Counter[str] = Counter()
    (start,) = system.initial_states()
    path = []
    state = start
    for _ in itertools.repeat(None, 8):
        judge(system, state, seen)
        judge_directions(system, state, seen)
        judge_cycle(waiting_in(system, state), history_of(system, start, path), seen)
        steps = attempts(system, state).steps
        if not steps:
            seen["stuck"] += 1
            break
        step = random.choice(steps)
        path.append(step)
        assert isinstance(step.target, Configuration)
        state = step.target
        assert is_internal(step.event) or why_not(system, path[-1].target, "nosuch").is_enabled is False
    judge_prospects(system, path, start)
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int) -> None:
    total: Counter[str] = Counter()
    for seed in some(range(81_000 + chunk, 81_240, 4)):
        total += check(seed)
    wanted = (
        "ClosedGuard",
        "NotOffered",
        "ChannelBlocked",
        "NoPartner",
        "NotEnding",
        "stuck",
        "cycle",
        "handshake",
    )
    assert is_sample() or all(total[name] for name in wanted), total


def test_the_cycle_is_the_history_of_the_run() -> None:
    """Who changed a variable last is looked up in the steps themselves."""
    model = fairlead.load(find_example("dining_philosophers.csp"))
    evidence = model.check("College() deadlockfree").evidence
    assert evidence is not None
    system = evidence.system
    history = history_of(system, evidence.run.start, evidence.run.stem)
    for name, processes in history.changed.items():
        index = int(name[len("fork[") : -1])
        states = [evidence.run.start, *(step.target for step in evidence.run.stem)]
        values = [system.describe(state)["variables"]["fork"][index] for state in states]
        last = max(i for i in range(len(values) - 1) if values[i] != values[i + 1])
        assert set(processes) == evidence.run.stem[last].processes
    without = circular_wait(waiting_in(system, evidence.run.loop_start))
    assert without == []
    assert replace(history, changed={}).changed == {}
