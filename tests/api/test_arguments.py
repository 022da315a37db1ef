"""Wrong arguments are told in our words: which one, what is expected, and what may have been meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import fairlead
from fairlead import simulation

MODEL: Any = fairlead.loads("P() = a -> b -> P(); #assert P() |= []<> a;")
API: Any = fairlead
STEPS: Any = simulation
BEGUN: Any = fairlead.simulate(MODEL)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: API.load(None), "load(): 'path' must be the name of a file, not None"),
        (lambda: API.load(), "load() needs the argument 'path'"),
        (lambda: API.load("a.csp", {}, []), "load() takes at most 2 arguments by place, not 3"),
        (lambda: API.load("a.csp", definition={}), "did you mean 'definitions'?"),
        (lambda: API.load("a.csp", "N=3"), "'definitions' must be a mapping"),
        (lambda: API.load("a.csp", path="a.csp"), "load() was given 'path' twice"),
        (lambda: API.load("a.csp", allow_python="x.py"), "'allow_python' must be a list of files"),
        (lambda: API.loads(3), "loads(): 'text' must be a text, not 3 (int)"),
        (
            lambda: MODEL.check(3),
            "check(): 'assertion' must be an assertion, as text or from model.assertions",
        ),
        (lambda: MODEL.check(), "check() needs one question, not none"),
        (lambda: MODEL.check("1", ltl="a"), "check() needs one question, not an assertion and 'ltl'"),
        (lambda: MODEL.check(ltl="a", ctl="b"), "not 'ltl' and 'ctl'"),
        (lambda: MODEL.check(ltl=1), "'ltl' must be a formula of LTL as text"),
        (lambda: MODEL.check(ltl="a", finite_paths=True), "'finite_paths' is for 'ctl'"),
        (lambda: MODEL.check("1", process="P()"), "'process' is for 'ltl' and 'ctl'"),
        (lambda: MODEL.check("1", 5), "'fairness' must be the name of a notion"),
        (lambda: MODEL.check("1", []), "'fairness' must have at least one notion"),
        (lambda: MODEL.check("1", [5]), "'fairness' must be names of notions"),
        (lambda: MODEL.check("1", fairnes="pwf"), "did you mean 'fairness'?"),
        (lambda: MODEL.check("1", timeot=3), "did you mean 'timeout'?"),
        (lambda: MODEL.check("1", timeout="3"), "'timeout' must be a number of seconds, not '3' (str)"),
        (lambda: MODEL.check("1", timeout=-1), "'timeout' must be 0 or more, not -1"),
        (lambda: MODEL.check("1", max_states=0), "'max_states' must be 1 or more"),
        (lambda: MODEL.check("1", max_states=True), "'max_states' must be a whole number of 1 or more"),
        (lambda: MODEL.check("1", max_memory="8Q"), "a size such as 500M or 8G, not '8Q'"),
        (lambda: MODEL.check("1", limits=5), "limits=fairlead.Limits(max_states=1000)"),
        (lambda: MODEL.check("1", options={}), "'options' must be a CheckOptions"),
        (lambda: MODEL.check("1", reporter=1), "'reporter' must be a function"),
        (lambda: MODEL.check("1", cutoff=1), "'cutoff' is for 'counters'"),
        (lambda: MODEL.check_all("P() deadlockfree"), "'assertions' must be a list of assertions"),
        (lambda: MODEL.check_all(limit=3), "check_all() has no argument 'limit'"),
        (lambda: MODEL.ctl(None), "ctl(): 'text' must be a text, not None"),
        (lambda: MODEL.refines(3), "'specification' must be a Model, or the name of a process"),
        (lambda: MODEL.minimise(equivalence=3), "'equivalence' must be the name of an equivalence"),
        (lambda: MODEL.minimise(hide="a"), "'hide' must be a list of events"),
        (lambda: MODEL.graph(process=1), "'process' must be the name of a process"),
        (lambda: API.simulate("model.csp"), "simulate(): 'model' must be a Model"),
        (lambda: API.html_report(3), "html_report(): 'results' must be a Result"),
        (lambda: API.Limits(max_states="5"), "Limits(): 'max_states' must be a whole number"),
        (lambda: STEPS.take(MODEL, 1), "take(): 'simulation' must be a Simulation"),
        (lambda: STEPS.take(BEGUN, 1.5), "take(): 'choice' must be the number or the name of an event"),
        (lambda: STEPS.back(BEGUN, steps=1), "back() has no argument 'steps'"),
    ],
)
def test_wrong_arguments(call: Callable[[], object], said: str) -> None:
    with pytest.raises(fairlead.ArgumentError) as caught:
        call()
    assert said in str(caught.value)
    assert caught.value.diagnostics[0].code is fairlead.Code.USAGE
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, fairlead.InputError)


def test_long_values_are_not_told_whole() -> None:
    with pytest.raises(fairlead.ArgumentError) as caught:
        API.loads(list(range(100_000)))
    assert len(str(caught.value)) < 200


def test_defaults_and_right_arguments_pass() -> None:
    assert MODEL.check("1", None, reporter=None, options=None, limits=None, fair=None)
    assert MODEL.check(MODEL.assertions[0], fairness=fairlead.Fairness("sgf"), threads=1, seed=3)
