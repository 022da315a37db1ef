"""Variables that do not distinguish states: which they are, and what would go wrong with others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

import pytest

import fairlead
from fairlead.checker.keywords import OptionArguments
from fairlead.model.expression import Binary, Constant, Operator, Shared
from fairlead.model.labels import EventTemplate, TauTemplate
from fairlead.model.network import Behaviour, Edge, Network, Target, WrappedBehaviour
from fairlead.model.program import Store
from fairlead.model.types import Type
from fairlead.reduce.variables import liveness as liveness_module
from fairlead.reduce.variables.network import Needed, unneeded_in
from fairlead.reduce.variables.places import places_of
from fairlead.reduce.variables.signs import Sign
from tests.support.asking.faults import without_fault

GOAL = "\n#define goal x == 2;\n"
#: two steps to the goal, that cost 3 and 1, and one that costs 9
BASE = """
var x = 0; var cost = 0; var log = 0;
P() = a{{cost = cost + 3;}} -> {middle} -> Stop [] b{{cost = cost + 9; x = 2;}} -> Stop;
{rest}
#define goal x == 2;
#assert P() reaches goal with min(cost);
#assert P() reaches goal with max(cost);
"""
PLAIN = "c{cost = cost + 1; x = 2;}"


def check(
    model: str | fairlead.Model, question: str, notion: str | None = None, **options: Unpack[OptionArguments]
) -> fairlead.Result:
    """Answers a question, which may be the number of an assertion."""
    loaded = fairlead.loads(model) if isinstance(model, str) else model
    return loaded.check(loaded.asked(question), notion, **options)


def both(
    text: str, question: str = "1", notion: str | None = None
) -> tuple[fairlead.Result, fairlead.Result]:
    """The answer with and without the reduction: the same."""
    reduced = check(text, question, notion, reduction="variables")
    whole = check(text, question, notion)
    assert (reduced.verdict, reduced.optimum) == (whole.verdict, whole.optimum)
    return reduced, whole


def cost_of(text: str, question: str = "1") -> str | None:
    """The variable that is taken for a cost, if one is; the answer must be right in any case."""
    reduced, _ = both(text, question)
    return None if reduced.variables is None else reduced.variables.cost


def no_cost(text: str) -> str:
    """Why the quantity is no cost."""
    reduced, _ = both(text)
    if reduced.variables is None:
        assert reduced.refused is not None and reduced.refused.strategy == "variables"
        return reduced.refused.reason
    assert reduced.variables.cost is None and reduced.variables.no_cost is not None
    return reduced.variables.no_cost


# ---------------------------------------------------------------- what a cost is


@pytest.mark.parametrize(("question", "best", "length"), [("1", 4, 2), ("2", 9, 1)])
def test_the_best_value_is_that_of_the_cheapest_or_dearest_run(question: str, best: int, length: int) -> None:
    reduced, _ = both(BASE.format(middle=PLAIN, rest=""), question)
    assert reduced.variables is not None and reduced.variables.cost == "cost"
    assert reduced.optimum == best and reduced.evidence is not None
    assert len(reduced.evidence.run.stem) == length
    last = reduced.evidence.system.describe(reduced.evidence.run.loop_start)
    assert last["variables"]["cost"] == best


READERS = {
    "a guard": ("[cost == 3] " + PLAIN, ""),
    "a label": ("c.cost{cost = cost + 1; x = 2;}", ""),
    "an argument": ("d -> Q(cost)", "Q(n) = e -> ([n == 3] " + PLAIN + " -> Stop);"),
    "another assignment": ("c{cost = cost + 1; x = cost - 2;}", ""),
    "a condition": ("c{if (cost == 3) {x = 2;} cost = cost + 1;}", ""),
    "a loop": ("c{cost = cost + 1; while (x + 2 < cost) {x = x + 1;}}", ""),
    "a message": ("q!cost -> q?y -> c{cost = cost + 1; x = y - 1;}", "channel q 1;"),
    "an index": ("c{cost = cost + 1; x = cells[cost];}", "var cells = [0, 0, 0, 0, 2];"),
    "a local variable": ("c{var v = cost; cost = cost + 1; x = v - 1;}", ""),
    "what is added": ("c{cost = cost + cost; x = 2;}", ""),
    "a product": ("c{cost = cost * 2; x = 2;}", ""),
    "a composite guard": ("d -> ([cost == 3] (Q() ||| Skip))", "Q() = " + PLAIN + " -> Stop;"),
    "the argument of a composition": (
        "d -> Q(cost)",
        "Q(n) = (R(n) ||| Skip); R(n) = [n == 3] " + PLAIN + " -> Stop;",
    ),
    "an assertion": ("c{cost = cost + 1; x = 2;} -> assert(cost == 4); Skip", ""),
}


@pytest.mark.parametrize("where", READERS)
def test_what_something_reads_is_no_cost(where: str) -> None:
    middle, rest = READERS[where]
    if "->" in middle and not middle.startswith("["):
        middle = f"({middle}"
        text = BASE.format(middle=middle, rest=rest).replace("-> Stop []", "-> Stop) []", 1)
        if where in ("an argument", "the argument of a composition", "a composite guard", "an assertion"):
            text = text.replace(" -> Stop) []", ") []", 1)
    else:
        text = BASE.format(middle=middle, rest=rest)
    reason = no_cost(text)
    expected = "is not only added to" if where in ("what is added", "a product") else "is read"
    assert f"'cost' {expected}" in reason or "'cost' is read" in reason


def test_what_is_set_is_no_cost() -> None:
    """Setting it makes what came before worthless."""
    assert "'cost' is not only added to" in no_cost(BASE.format(middle="c{cost = 1; x = 2;}", rest=""))


def test_a_declared_range_is_kept() -> None:
    text = BASE.format(middle=PLAIN, rest="").replace("var cost = 0", "var cost:{0..9} = 0")
    assert "'cost' must stay in its declared range" in no_cost(text)
    broken = text.replace("0..9", "0..8")
    for reduction in ("none", "variables"):
        with pytest.raises(fairlead.InputError, match="outside the declared range"):
            without_fault(check(broken, "1", reduction=reduction))


def test_the_goal_does_not_read_the_cost() -> None:
    text = BASE.format(middle=PLAIN, rest="").replace("x == 2;", "x == 2 && cost > 4;")
    assert "the goal reads 'cost'" in no_cost(text)
    assert check(text, "1").optimum == 9


def test_only_a_variable_is_a_cost() -> None:
    text = BASE.format(middle=PLAIN, rest="").replace("min(cost)", "min(cost + x)")
    assert "the quantity is not one variable" in no_cost(text)


def test_what_is_never_added_to_is_no_cost() -> None:
    assert "'log' is never added to" in no_cost(
        BASE.format(middle=PLAIN, rest="").replace("min(cost)", "min(log)")
    )


def test_costs_of_both_signs_are_refused() -> None:
    """The cheap way leads through a dear state: whoever stops at the first goal misses it."""
    text = (
        """
    var x = 0; var cost = 0;
    P() = near{cost = cost + 1; x = 2;} -> Stop [] far{cost = cost + 5;} -> Back();
    Back() = back{cost = cost - 9; x = 2;} -> Stop;
    """
        + GOAL
        + "#assert P() reaches goal with min(cost);"
    )
    assert "steps add to 'cost' and take away from it" in no_cost(text)
    assert check(text, "1").optimum == -4


def test_where_the_sign_is_not_known_all_steps_are_looked_at() -> None:
    """What is added is a parameter. The way on which something is taken away is found after the goal."""
    text = (
        """
    var x = 0; var cost = 0; var by = 5;
    P() = near{cost = cost + 1; x = 2;} -> Stop [] far{cost = cost + by; by = 0 - 9;} -> Q(by);
    Q(n) = back{cost = cost + n; x = 2;} -> Stop;
    """
        + GOAL
        + "#assert P() reaches goal with min(cost);"
    )
    assert "take away" in no_cost(text)
    positive = text.replace("0 - 9", "9")
    assert cost_of(positive) == "cost"


class _Changed(WrappedBehaviour):
    """Edges such as no language has, but a network may."""

    def __init__(self, inner: Behaviour, change: Callable[[Edge], Edge]) -> None:
        super().__init__(inner)
        self._change = change

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        found = super().edges(position)
        return None if found is None else tuple(map(self._change, found))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda edge: replace(edge, synchronises=True), "several processes in one step"),
        (lambda edge: replace(edge, label=EventTemplate("terminate")), "looks like termination"),
        (lambda edge: replace(edge, label=TauTemplate("; 1:1")), "looks like termination"),
    ],
)
def test_steps_that_cannot_have_costs(change: Callable[[Edge], Edge], reason: str) -> None:
    network = fairlead.loads(BASE.format(middle=PLAIN, rest=""))._loaded.system("P()")
    assert isinstance(network, Network)
    cost = next(variable for variable in network.variables if variable.name == "cost")
    unneeded_in(network, frozenset(), cost)
    changed = replace(network, behaviour=_Changed(network.behaviour, change))
    with pytest.raises(Needed, match=reason):
        unneeded_in(changed, frozenset(), cost)


# ---------------------------------------------------------------- what steps cost

EXACT = {
    "a handshake adds both parts": (
        "channel h 0; S() = h!1{cost = cost + 2;} -> Stop ||| h?y{cost = cost + 5; x = 2;} -> Stop;",
        7,
    ),
    "a receiver alone pays": (
        "channel h 0; S() = a{cost = cost + 4;} -> h!1 -> Stop ||| h?y{cost = cost + 5; x = 2;} -> Stop;",
        9,
    ),
    "a handshake that costs nothing after one that does": (
        "channel h 0; S() = a{cost = cost + 4;} -> h!1 -> Stop ||| h?y{x = 2;} -> Stop;",
        4,
    ),
    "termination is free": (
        "S() = (a{cost = cost + 4;} -> Skip ||| b{cost = cost + 5;} -> Skip); c{x = 2;} -> Stop;",
        9,
    ),
    "a sequence of one process is free": ("S() = (a{cost = cost + 4;} -> Skip); c{x = 2;} -> Stop;", 4),
    "synchronised events are free": (
        "A() = a{cost = cost + 4;} -> both -> c{x = 2;} -> Stop; B() = both -> Stop; S() = A() || B();",
        4,
    ),
    "loops add up": ("S() = a{var i = 0; while (i < 3) {cost = cost + i + 1; i++;} x = 2;} -> Stop;", 6),
    "a step adds twice": ("S() = a{cost++; cost = 2 + cost; x = 2;} -> Stop;", 3),
    "hidden events cost": ("S() = (a{cost = cost + 4;} -> c{x = 2;} -> Stop) \\ {a};", 4),
    "internal steps cost": ("S() = tau{cost = cost + 4;} -> ([] i:{0..1} @ (c{x = 2;} -> Stop));", 4),
    "interrupts": ("S() = (a{cost = cost + 4;} -> Stop) interrupt (c{cost++; x = 2;} -> Stop);", 1),
    "the same event at two prices": (
        "S() = a{cost = cost + 4; x = 2;} -> Stop [] a{cost = cost + 3; x = 2;} -> Stop;",
        3,
    ),
    "the same event at two prices, the cheap one first": (
        "S() = a{cost = cost + 3; x = 2;} -> Stop [] a{cost = cost + 4; x = 2;} -> Stop;",
        3,
    ),
    "atomic": ("S() = atomic{a{cost = cost + 4;} -> b{cost++;} -> Skip}; c{x = 2;} -> Stop;", 5),
}


@pytest.mark.parametrize("case", EXACT)
@pytest.mark.parametrize("start", [0, 3, -2])
def test_what_steps_cost(case: str, start: int) -> None:
    body, best = EXACT[case]
    text = f"var x = 0; var cost = {start}; {body}" + GOAL + "#assert S() reaches goal with min(cost);"
    reduced, _ = both(text)
    assert reduced.variables is not None and reduced.variables.cost == "cost"
    assert reduced.optimum == best + start


def test_initial_states_may_begin_with_different_costs() -> None:
    text = (
        """
    var x = 0; var cost:{0..3} = *;
    P() = a{x = 2;} -> Stop [] b{log = log + 1; x = 2;} -> Stop;
    var log = 0;
    """
        + GOAL
        + "#assert P() reaches goal with max(cost); #assert P() reaches goal with min(log);"
    )
    both(text, "1")
    both(text, "2")


@pytest.mark.parametrize(
    ("by", "sign"),
    [
        ("1", Sign.POSITIVE),
        ("0 - 2", Sign.NEGATIVE),
        ("prices[x]", Sign.POSITIVE),
        ("prices[x] * 2 + bounded", Sign.POSITIVE),
        ("0 - bounded * 3", Sign.NEGATIVE),
        ("debts[x]", Sign.UNKNOWN),
        ("x", Sign.UNKNOWN),
        ("1 - bounded", Sign.UNKNOWN),
        ("(x + 1) / 2", Sign.UNKNOWN),
    ],
)
def test_signs(by: str, sign: Sign) -> None:
    text = (
        f"""
    var x = 0; var cost = 0; var prices = [3, 4, 5]; var debts = [1, -1, 1]; var bounded:{{0..4}};
    P() = a{{cost = cost + {by}; x = (x + 1) % 3; bounded = x;}} -> P();
    """
        + GOAL
        + "#assert P() reaches goal with min(cost);"
    )
    network = fairlead.loads(text)._loaded.system("P()")
    assert isinstance(network, Network)
    cost = next(variable for variable in network.variables if variable.name == "cost")
    assert unneeded_in(network, frozenset(), cost).sign is sign


def test_the_length_of_a_buffer_changes_though_nothing_is_assigned_to_it() -> None:
    """If it were taken for the 0 that it is at first, the search would end at the goal that costs nothing."""
    text = """
    channel q 1; var x = 0; var cost = 0;
    P() = near{x = 2;} -> Stop [] q!1 -> on -> take{cost = cost - call(ccount, q);} -> far{x = 2;} -> Stop;
    """
    reduced, _ = both(text + GOAL + "#assert P() reaches goal with min(cost);")
    assert reduced.variables is not None and reduced.variables.cost == "cost"
    assert reduced.optimum == -1


def test_a_price_that_is_found_late() -> None:
    """The positions known at first only add: a goal must not be taken for the cheapest too early."""
    text = (
        """
    var x = 0; var y = 0; var cost = 0;
    P() = near{cost = cost + 1; x = 2;} -> Stop [] far{cost = cost + 5; y = 1;} -> W(y);
    W(n) = w -> (R(n) ||| Skip);
    R(n) = back{cost = cost - 9; x = 2;} -> Stop;
    """
        + GOAL
        + "#assert P() reaches goal with min(cost);"
    )
    assert "take away" in no_cost(text)


def test_a_store_of_a_sum() -> None:
    """`x = 1 + x` and `x = x - (y + 2)` are sums; what is subtracted from something else is none."""
    edge = _edge(Binary(Operator.SUBTRACT, Constant(1), Shared(0, "x", Type.INT), Type.INT))
    from fairlead.reduce.variables.uses import uses_of

    assert uses_of(edge).set_to == {0} and uses_of(edge).read == {0}


def _edge(value: Binary) -> Edge:
    store = Store(Shared(0, "x", Type.INT), value, None, None)
    return Edge(None, EventTemplate("a"), store, False, Target(0))


# ---------------------------------------------------------------- positions that are found late

LATE = """
var x = 0; var log = 0; var other = 0;
P() = a{{log = log + 1; other = 5; x = 1;}} -> W(x);
W(n) = w -> Q(n);
Q(n) = R(n) ||| Skip;
R(n) = {late} -> c{{x = 2;}} -> Stop;
#define goal x == 2;
#assert P() reaches goal with min(log);
#assert P() reaches goal;
"""


def test_a_reader_that_is_found_late_stops_the_search() -> None:
    text = LATE.format(late="[log == 1] b")
    network = fairlead.loads(text)._loaded.system("P()")
    assert isinstance(network, Network)
    places = places_of(network)
    assert not places.complete and not any(edge.label == EventTemplate("b") for edge in places.edges)
    reduced, _ = both(text, "1")
    assert reduced.variables is not None and reduced.variables.no_cost == "'log' is read"
    assert reduced.variables.unread == ("other",)
    again, _ = both(text, "2")
    assert again.variables is not None and again.variables.unread == ("other",)
    assert cost_of(LATE.format(late="b")) == "log"


def test_a_guard_of_a_composition_that_is_found_late() -> None:
    text = LATE.format(late="b").replace("R(n) ||| Skip;", "[log == n] (R(n) ||| Skip);")
    reduced, _ = both(text, "1")
    assert reduced.variables is not None and reduced.variables.no_cost == "'log' is read"


# ---------------------------------------------------------------- what nothing reads


def test_what_nothing_reads_does_not_tell_states_apart() -> None:
    text = """
    var n = 0; var x = 0;
    P() = a{n = n + 1; x = 1 - x;} -> P() [] b{n = 7;} -> P();
    #define odd x == 1;
    #assert P() |= [](a -> odd);
    #assert P() deadlockfree;
    """
    model = fairlead.loads(text)
    for question, verdict in (("1", fairlead.Verdict.VIOLATED), ("2", fairlead.Verdict.HOLDS)):
        found = check(model, question, reduction="variables")
        assert found.verdict is verdict and found.variables is not None
        assert found.variables.unread == ("n",)
    assert check(model, "2", reduction="variables").statistics.states == 2
    limits = fairlead.Limits(max_states=1000)
    assert check(model, "2", limits=limits).verdict is fairlead.Verdict.UNKNOWN


def test_faults_of_what_is_not_read_are_found() -> None:
    text = """
    var n:{0..3} = 0; var m = 0; var cells[2]; var x = 0;
    P() = a{x = (x + 1) %% 4; n = x + %s; m = cells[x %% %s];} -> P();
    #assert P() deadlockfree;
    """
    assert check(text % (0, 2), "1", reduction="variables").variables is not None
    for add, size, error in ((1, 2, "outside the declared range"), (0, 3, "out of bounds")):
        with pytest.raises(fairlead.InputError, match=error):
            without_fault(check(text % (add, size), "1", reduction="variables"))


def test_counting_within_a_range_is_kept() -> None:
    text = "var n:{0..3} = 0; P() = a{n = n + 1;} -> P(); #assert P() deadlockfree;"
    with pytest.raises(fairlead.InputError, match="outside the declared range"):
        without_fault(check(text, "1", reduction="variables"))


# ---------------------------------------------------------------- dead variables


def dead(text: str, question: str = "1", notion: str | None = None) -> tuple[str, ...]:
    """The variables that are dead in places; the answer must be right in any case."""
    reduced, whole = both(text, question, notion)
    if reduced.variables is None:
        return ()
    assert reduced.statistics.states <= whole.statistics.states
    return reduced.variables.dead


#: `t` is written from one of three values, read, and written again before it is read the next time
SCRATCH = """
var t:{{0..2}}; var x = 0; var y = 0;
P() = [] i:{{0..2}} @ (set{{t = i;}} -> {use} -> {after} -> P());
Q() = tick{{y = 1 - y;}} -> Q();
S() = {system};
#define high x == 2;
#assert S() deadlockfree;
#assert S() |= []<> high;
#assert S() |= [](set -> <> high);
"""
USE = "use{x = t;}"


def scratch(use: str = USE, after: str = "rest", system: str = "P() ||| Q()") -> str:
    return SCRATCH.format(use=use, after=after, system=system)


@pytest.mark.parametrize("question", ["1", "2", "3"])
@pytest.mark.parametrize("notion", ["none", "ewf", "esf", "pwf", "psf"])
def test_what_is_written_before_it_is_read_is_dead(question: str, notion: str) -> None:
    text = scratch()
    asked = None if question == "1" else notion
    assert dead(text, question, asked) == ("t",)


def test_dead_values_make_fewer_states() -> None:
    reduced, whole = both(scratch(use="use{x = t % 2;}"))
    assert reduced.statistics.states < whole.statistics.states


LIVE: dict[str, Callable[[], str]] = {
    "another process reads it": lambda: scratch().replace("y = 1 - y;", "y = t % 2;"),
    "another process writes it": lambda: scratch().replace("y = 1 - y;", "y = 1 - y; t = 2;"),
    "it is a copy of itself": lambda: scratch(after="rest{t = t + 0;}").replace(
        "set{t = i;}", "set{t = (t + i) % 3;}"
    ),
    "the proposition reads it": lambda: scratch().replace("x == 2", "x == 2 && t == 2"),
    "only one branch writes it": lambda: scratch(after="rest{if (x == 1) {t = 0;}} -> use2{x = t;}").replace(
        "set{t = i;}", "set{if (i < 2) {t = i;}}"
    ),
    "a loop may not write it": lambda: scratch().replace(
        "set{t = i;}", "set{var k = i; while (k > 0) {t = k; k = k - 1;}}"
    ),
}


@pytest.mark.parametrize("case", LIVE)
@pytest.mark.parametrize("question", ["1", "2", "3"])
def test_what_may_be_read_is_not_dead(case: str, question: str) -> None:
    text = LIVE[case]()
    if case == "the proposition reads it" and question == "1":
        return  # then nobody asks for it
    assert "t" not in dead(text, question)


@pytest.mark.parametrize("after", ["[t == 2] rest", "rest.t", "rest -> more{x = 2 - t;}"])
@pytest.mark.parametrize("question", ["1", "2", "3"])
def test_until_it_is_read_for_the_last_time_it_is_live(after: str, question: str) -> None:
    """Reset after the first use, the process would stop, or its events would be others."""
    assert dead(scratch(after=after), question) == ("t",)


def test_labels_tell_values() -> None:
    assert dead(scratch(after="rest.t") + "#assert S() |= [] !rest.2;", "4") == ("t",)


def test_a_place_that_two_processes_share_is_nobodys() -> None:
    """Both come to `End`, and only one of them uses `t`: the other must not reset it."""
    text = """
    var t:{0..2}; var x = 0;
    A() = set{t = 2;} -> use{x = t;} -> End();
    B() = b -> End();
    End() = e -> f -> End();
    S() = A() ||| B();
    #define high x == 2;
    #assert S() |= <> high;
    #assert S() reaches high;
    """
    assert dead(text, "2") == ("t",)
    for notion in ("none", "pwf"):
        dead(text, "1", notion)


def test_initial_values_that_are_dead_become_one() -> None:
    text = scratch().replace("var t:{0..2};", "var t:{0..2} = *;")
    reduced, whole = both(text)
    assert reduced.statistics.states < whole.statistics.states
    both(text, "2", "psf")


def test_loops_are_repeated_until_all_values_repeat() -> None:
    """Without `t` the loop begins at once. But `t` is 0 before the first round, and 2 before all others."""
    text = scratch(use="use{x = t - 2;}", system="P()").replace("i:{0..2}", "i:{2..2}")
    found = check(text, "2", "pwf", reduction="variables")
    assert found.variables is not None and found.variables.dead == ("t",)
    assert found.verdict is fairlead.Verdict.VIOLATED and found.evidence is not None
    run = found.evidence.run
    assert len(run.stem) == len(run.loop) == 3 and run.loop[-1].target == run.loop_start


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("P() = a{t = 1;} -> use{x = t;} -> (P() ||| Skip);", "a process can become several"),
        ("P() = (a{t = 1;} -> use{x = t;} -> Skip ||| b -> Skip); P();", "composed with more than parallel"),
        ("P() = a{x = x + t; t = x;} -> P();", "no variable is always written before it is read again"),
        ("Q() = a{t = 1; x = t;} -> Q(); P() = Q() ||| Q();", "no variable has a single process"),
    ],
)
def test_why_dead_variables_are_not_known(text: str, reason: str) -> None:
    whole = f"var t = 0; var x = 0; {text}\n#define far x > 3;\n#assert P() reaches far;"
    limits = fairlead.Limits(max_states=20)
    found = check(whole, "1", reduction="variables", limits=limits)
    assert found.refused is not None and reason in found.refused.reason, found


def test_large_texts_are_not_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness_module, "MOST_POSITIONS", 2)
    found = check(scratch(), "2", reduction="variables")
    assert found.refused is not None and "more than 2 positions" in found.refused.reason


# ---------------------------------------------------------------- which questions


@pytest.mark.parametrize(
    ("question", "notion", "reason"),
    [
        ("S() |= []<> high", "sgf", "strong global fairness"),
        ("S() deterministic", None, "different successors"),
    ],
)
def test_questions_that_see_more(question: str, notion: str | None, reason: str) -> None:
    found = check(scratch(), question, notion, reduction="variables")
    assert found.refused is not None and reason in found.refused.reason


def test_branching_time_counts_states() -> None:
    model = fairlead.loads(scratch())
    found = model.check(model.ctl("AG EF high", "S()"), reduction="variables")
    assert found.refused is not None and "the answer counts the states" in found.refused.reason


def test_global_fairness_sees_states() -> None:
    """The run (ab)^ω takes all steps if `t` does not count; if it does, it takes `b` only where `t` is 1."""
    text = """
    var t = 0;
    P() = a{t = 1 - t;} -> P() [] b{t = 0;} -> P();
    #assert P() |= []<>(a && X a);
    """
    whole = check(text, "1", "sgf")
    found = check(text, "1", "sgf", reduction="variables")
    assert found.verdict is whole.verdict and found.refused is not None


def test_determinism_sees_unread_values() -> None:
    text = "var t = 0; P() = a{t = 1;} -> P() [] a{t = 2;} -> P(); #assert P() deterministic;"
    both(text)


def test_graphs_have_no_variables() -> None:
    text = "A = (a -> A).\n||S = (A).\n"
    found = check(fairlead.loads(text, language="lts"), "S deadlockfree", reduction="variables")
    assert found.refused is not None


def test_refinement_is_kept() -> None:
    text = """
    var n = 0;
    P() = a{n = n + 1;} -> b -> P();
    Spec() = a -> b -> Spec();
    Short() = a -> Short();
    #assert P() refines Spec();
    #assert P() refines Short();
    """
    model = fairlead.loads(text)
    holds = check(model, "1", reduction="variables")
    assert holds.verdict is fairlead.Verdict.HOLDS and holds.variables is not None
    violated = check(model, "2", reduction="variables")
    assert violated.verdict is fairlead.Verdict.VIOLATED and violated.evidence is not None
