"""Refinement of large and endless systems, its limits and errors, and how events and states are matched."""

from __future__ import annotations

import pytest

import fairlead
from tests.support.asking.faults import without_fault
from tests.support.oracle.behaviour import TAU
from tests.support.oracle.graphs import Graph, graph
from tests.support.oracle.refinement import KINDS


def model_of(listed: Graph) -> fairlead.Model:
    return fairlead.loads(listed.to_json(), "json")


def test_sets_that_grow_exponentially_are_cut() -> None:
    """The n-th letter from the end is a: 2^n sets of states, but the small ones decide."""
    count = 16
    steps = [(0, "a", 0, "P"), (0, "b", 0, "P"), (0, "a", 1, "P")]
    steps += [(i, letter, i + 1, "P") for i in range(1, count) for letter in "ab"]
    nondeterministic = graph(count + 1, [*steps, (count, "end", count, "P")])
    everything = graph(1, [(0, "a", 0, "P"), (0, "b", 0, "P")])
    result = model_of(everything).refines(model_of(nondeterministic))
    assert result
    assert result.statistics.product_nodes == 1


INFINITE = {
    "process": "var x; P() = [x >= 0] a{x = x + 1;} -> P(); Q() = a -> Q();",
    "specification": "var x; P() = a -> P(); Q() = [x >= 0] a{x = x + 1;} -> Q();",
    "closure": "var x; P() = a -> P(); Q() = [x >= 0] tau{x = x + 1;} -> Q() [] a -> Q();",
    "divergence": "var x; P() = [x >= 0] tau{x = x + 1;} -> P(); Q() = a -> Q() [] Stop;",
}


@pytest.mark.parametrize("name", INFINITE)
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (fairlead.Limits(max_states=300), "max-states"),
        (fairlead.Limits(timeout=0.3), "timeout"),
        (fairlead.Limits(max_memory=12 << 20), "max-memory"),
        (fairlead.Limits(max_memory=1000), "max-memory"),
    ],
)
def test_limits(name: str, limits: fairlead.Limits, reason: str) -> None:
    model = fairlead.loads(INFINITE[name])
    result = model.check("P() refines<FD> Q()", limits=limits)
    assert (result.verdict, result.reason) == (fairlead.Verdict.UNKNOWN, reason)
    if limits.max_states is not None:
        assert result.statistics.states <= 2500


def test_after_an_interruption_nothing_is_taken_for_granted() -> None:
    model = fairlead.loads(INFINITE["specification"].replace("x = x + 1", "x = (x + 1) % 600000"))

    class Enough(Exception):
        pass

    def stop(progress: fairlead.Progress) -> None:
        raise Enough

    with pytest.raises(Enough):
        model.check("P() refines Q()", reporter=stop)
    assert model.check("P() refines Q()").statistics.states == 600001


@pytest.mark.parametrize("faulty", ["P()", "Q()"])
def test_run_time_errors_are_told_where_they_are(faulty: str) -> None:
    other = "P()" if faulty == "Q()" else "Q()"
    text = f"var x = 0;\nvar y = 1;\n{other} = a -> {other};\n{faulty} = a{{y = 1 / x;}} -> {faulty};"
    with pytest.raises(fairlead.InputError) as caught:
        without_fault(fairlead.loads(text).check("P() refines Q()"))
    (problem,) = caught.value.diagnostics
    assert problem.code is fairlead.Code.DIVISION_BY_ZERO
    assert problem.span is not None
    assert problem.span.line == 4


def test_wrong_questions() -> None:
    model = fairlead.loads("Int() = a -> b -> Stop [] a -> c -> Stop; Ext() = a -> (b -> Stop [] c -> Stop);")
    for question, code in {
        "Int() refines Nobody()": fairlead.Code.UNKNOWN_NAME,
        "Int() refines<X> Ext()": fairlead.Code.SYNTAX,
        "Int() refines Ext(1)": fairlead.Code.ARITY,
    }.items():
        with pytest.raises(fairlead.InputError) as caught:
            model.check(question)
        assert caught.value.diagnostics[0].code is code
    with pytest.raises(fairlead.InputError):
        model.refines("Ext()", "X", process="Int()")


def test_events_are_matched_by_their_names() -> None:
    """A label has another number in each system."""
    model = fairlead.loads(
        """
        P(n) = [n > 0] e.n.true -> P(n - 1) [] [n == 0] Skip;
        Q() = f -> Stop [] ([] i:{0..3} @ e.(3 - i).true -> Q()) [] Skip;
        #define N 4;
        #assert P(N - 1) refines<FD> P(3);
        #assert P(N) refines Q();
        """
    )
    assert model.check("P(3) refines Q()")
    assert not model.check("P(4) refines Q()")
    assert model.check(model.assertions[0])
    assert not model.check(model.assertions[1])


def test_several_initial_states_are_one_choice() -> None:
    """Values left open are chosen at the start, by each system for itself."""
    model = fairlead.loads(
        """
        var x:{0..1} = *;
        P() = [x == 0] a -> Stop [] [x == 1] b -> Stop;
        A() = [x <= 1] a -> Stop;
        Both() = a -> Stop [] b -> Stop;
        """
    )
    assert model.check("P() refines Both()")
    assert model.check("A() refines<F> P()")
    assert not model.check("P() refines A()")
    assert not model.check("P() refines<F> Both()")
    assert model.check("A() refines P()")


def test_internal_steps_of_graphs() -> None:
    left = graph(3, [(0, TAU, 1, "P"), (1, "a", 2, "P"), (2, TAU, 0, "Q")])
    right = graph(1, [(0, "a", 0, "R")])
    for kind in KINDS:
        assert model_of(left).refines(model_of(right), kind)
        assert fairlead.loads(left.to_aut(), "aut").refines(model_of(right), kind)
        assert fairlead.loads(right.to_aut(), "aut").refines(fairlead.loads(left.to_aut(), "aut"), kind)
