"""Any number of processes against a number: what more than three of them do must not be missed.

Each model does something wrong from four processes on, so that the small instances that are examined first
do not show it.
"""

from __future__ import annotations

import pytest

import fairlead
from fairlead import Code, Counters, InputError, Verdict

#: model, process that is replicated, formula, notion, cutoff, part of the refusal
CASES = {
    "read after counting in one program": (
        """
        counter n = 0; var odd = false;
        R() = [n == 3] a{n++; odd = (n == 4);} -> Stop [] [n < 3] a{n++;} -> Stop;
        System() = ||| {2} @ R();
        """,
        "R",
        "[] !odd",
        "none",
        4,
        "read in a step that may change it",
    ),
    "read by the partner of a handshake": (
        """
        channel c 0; counter n = 0; var full = false;
        R() = [n == 3] c!0{n++;} -> Stop [] [n < 3] a{n++;} -> Stop;
        S() = c?0{full = (n == 4);} -> S();
        System() = (||| {2} @ R()) ||| S();
        """,
        "R",
        "[] !full",
        "none",
        4,
        "read in a step that may change it",
    ),
    "read after the group has ended": (
        "counter n = 0; R() = a{n++;} -> Skip; System() = (||| {2} @ R()); ([n == 4] four -> Stop);",
        "R",
        "[] !four",
        "none",
        2,
        "--cutoff 4",
    ),
    "read behind another group": (
        """
        counter n = 0;
        R() = a{n++;} -> Stop;
        K() = h -> Skip;
        H() = (K() ||| K()); ([n == 4] four -> Stop);
        System() = (||| {2} @ R()) ||| H();
        """,
        "R",
        "[] !four",
        "none",
        2,
        "--cutoff 4",
    ),
    "written after the group has ended": (
        """
        counter n = 0;
        R() = a{n++;} -> Skip;
        T() = [n > 3] t{n = 0;} -> [n == 0] zero -> Stop;
        System() = (||| {2} @ R()); T();
        """,
        "R",
        "[] !zero",
        "none",
        3,
        "change it too",
    ),
    "written in a branch": (
        """
        counter n = 0; var y = 0;
        R() = a{n++;} -> [y == 1] r{y = 2;} -> Stop;
        S() = [n > 3] z{y = 1; if (y == 1) {n = 0;}} -> [y == 2] s -> ([n == 0] zero -> Stop);
        System() = (||| {2} @ R()) ||| S();
        """,
        "R",
        "[] !zero",
        "none",
        3,
        "change it too",
    ),
    "forks that come later": (
        """
        counter n = 0;
        W() = a{n++;} -> Skip;
        A() = x -> A();
        B() = b -> B();
        F() = go -> (A() ||| B());
        System() = (||| {2} @ W()); ([n > 3] s -> (||| {2} @ F()));
        """,
        "W",
        "[] (s -> <> b)",
        "pwf",
        3,
        "may become several processes",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_four_processes_do_is_not_missed(name: str) -> None:
    text, process, formula, notion, cutoff, refusal = CASES[name]
    four = fairlead.loads(text, processes={process: 4})
    assert four.check(four.formula(formula, "System()"), notion).verdict is Verdict.VIOLATED
    any_number = fairlead.loads(text, processes={process: "inf"})
    with pytest.raises(InputError) as raised:
        any_number.check(any_number.formula(formula, "System()"), notion, counters=Counters(cutoff))
    (problem,) = raised.value.diagnostics
    assert problem.code is Code.COUNTERS
    assert refusal in f"{problem.message} {problem.hint}"


def test_endlessly_many_local_states_are_no_place_for_counters() -> None:
    text = "counter n = 0; R(i) = [n < 2] a{n++;} -> b{n--;} -> R(i + 1); System() = |||{..} @ R(0);"
    model = fairlead.loads(text)
    with pytest.raises(InputError, match="more than 2000 local states"):
        model.check(model.formula("[] n <= 2", "System()"), counters=True)


def test_the_fifth_process_is_found() -> None:
    text = """
    counter n = 0;
    R() = a{n++;} -> Stop;
    S() = [n > 4] many -> Stop;
    System() = (|||{..} @ R()) ||| S();
    """
    model = fairlead.loads(text)
    result = model.check(model.formula("[] !many", "System()"), counters=Counters(4))
    assert result.verdict is Verdict.VIOLATED
    assert result.counters is not None
    assert result.counters.instance == {"R": 5}
