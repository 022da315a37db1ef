"""The strategy that chooses: what it applies to which system, when it does not, and what it says about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.outcome.finding import Verdict
from fairlead.search.checkpoint import Checkpoints
from tests.support.documents import checked
from tests.support.places import EXAMPLES
from tests.support.tuning import Tune

READERS_WRITERS = EXAMPLES / "readers_writers" / "readers_writers.lts"
ALIKE = """
var busy = 0;
P() = [busy < 2] take{busy = busy + 1;} -> work -> give{busy = busy - 1;} -> P();
System() = ||| {4} @ P();
#assert System() deadlockfree;
#assert System() |= []<> take;
"""
WALKS = """
var at = 0; var moves = 0;
#define home at == 4;
System() = [at < 4] up{at = at + 1; moves = moves + 1;} -> System()
  [] [at > 0] down{at = at - 1; moves = moves + 1;} -> System();
#assert System() reaches home with min(moves);
"""
#: one process on two variables: nothing can be left out
GRID = """
var x:{0..20}; var y:{0..20};
System() = [x < 20] a{x = x + 1;} -> System() [] [y < 20] b{y = y + 1;} -> System()
  [] [x + y == 40] c -> System();
#assert System() deadlockfree;
"""


@pytest.fixture(autouse=True)
def small_thresholds(tune: Tune) -> None:
    tune(auto_whole=5)


def applied(result: fairlead.Result) -> tuple[str, ...] | None:
    return None if result.auto is None else result.auto.applied


def test_a_small_system_is_explored_whole(tune: Tune) -> None:
    tune(auto_whole=50_000)
    result = fairlead.loads(ALIKE).check("1")
    assert result.auto is None
    assert result.statistics.states == fairlead.loads(ALIKE).check("1", reduction="none").statistics.states


def test_partial_order_comes_first_where_it_keeps_the_answer() -> None:
    result = fairlead.loads(ALIKE).check("1")
    assert applied(result) == ("partial order",)
    assert result.auto is not None and result.auto.passed == () and result.auto.at_least > 5


def test_counters_under_fairness_that_needs_all_steps() -> None:
    result = fairlead.loads(ALIKE).check("2", "pwf")
    assert applied(result) == ("process counters",)
    assert result.auto is not None
    assert [refused.strategy for refused in result.auto.passed] == ["partial order"]


def test_a_shortest_run_is_not_looked_for_with_fewer_steps() -> None:
    result = fairlead.loads(ALIKE).check("1", shortest=True)
    assert applied(result) == ("process counters",)


def test_a_cost_is_recognised() -> None:
    result = fairlead.loads(WALKS).check("1")
    assert applied(result) == ("variables",)
    assert (result.optimum, result.variables is not None and result.variables.cost) == (4, "moves")


def test_compositional_minimisation_for_fsp(tune: Tune) -> None:
    tune(auto_sample=1, auto_part=1_000)
    result = fairlead.load(READERS_WRITERS).check("READERS_WRITERS safety")
    assert (result.verdict, applied(result)) == (Verdict.HOLDS, ("compositional",))


def test_where_nothing_can_be_left_out_the_search_goes_on() -> None:
    result, whole = (fairlead.loads(GRID).check("1", reduction=how) for how in ("auto", "none"))
    assert applied(result) == ()
    assert result.auto is not None and len(result.auto.passed) >= 4
    assert result.statistics.states == whole.statistics.states == 441
    assert result.statistics.transitions == whole.statistics.transitions


def test_every_question_is_given_its_own_chance(tune: Tune) -> None:
    """What was explored for another question does not use up the states of the next one."""
    tune(auto_whole=100)
    model = fairlead.loads(GRID + "#assert System() |= [] (a -> x > 0);\n#assert System() reaches x == 1;\n")
    assert applied(model.check("1")) == ()
    assert [applied(model.check(number)) for number in ("2", "3")] == [None, None]


def test_unboundedly_many_processes_are_counted() -> None:
    model = fairlead.loads(ALIKE, processes={"P": "1..inf"})
    result = model.check("1")
    assert result.verdict is Verdict.HOLDS
    assert result.counters is not None and result.counters.is_of_numbers
    with pytest.raises(fairlead.InputError, match="unboundedly many"):
        model.check("1", reduction="none")


def test_no_time_is_left_for_the_next_reduction() -> None:
    large = GRID.replace("20", "3000").replace("40", "6000")
    result = fairlead.loads(large).check("1", limits=fairlead.Limits(timeout=0.1))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "timeout")


def test_checkpoints_are_of_the_whole_system(tmp_path: Path) -> None:
    result = fairlead.loads(ALIKE).check("1", checkpoints=Checkpoints(str(tmp_path / "saved")))
    assert result.auto is None and result.statistics.complete


def test_one_line_says_what_was_applied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alike.csp"
    path.write_text(ALIKE, encoding="utf-8")
    assert run(["check", str(path), "1", "2", "--fairness", "pwf"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("reduced")]
    assert len(lines) == 2
    assert "deadlockfree (none): partial order" in lines[0]
    assert "[]<> take (pwf): process counters for 4 x P()" in lines[1]


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "alike.csp"
    path.write_text(ALIKE, encoding="utf-8")
    (result,) = checked(str(path), "2", "--fairness", "pwf")["results"]
    assert result["auto"]["applied"] == ["process counters"]
    assert result["auto"]["passed"][0]["strategy"] == "partial order"
