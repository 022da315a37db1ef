"""Cheapest and dearest runs: signs, bounds, limits, and what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.search.costs import CHEAPEST, DEAREST
from tests.support.asking.faults import without_fault
from tests.support.documents import checked

#: a grid in which one walks right and down, and perhaps back; the steps have costs
GRID = """
var x = 0; var y = 0; var cost = {start}; var noise = 0;
Walk() = [x < 40] right{{x = x + 1; cost = cost + {right};}} -> Walk()
      [] [y < 40] down{{y = y + 1; cost = cost + {down};}} -> Walk()
      [] [x > {least}] left{{x = x - 1; cost = cost + {left};}} -> Walk();
#define corner x == 3 && y == 2;
#assert Walk() reaches corner with min(cost);
#assert Walk() reaches corner with max(cost);
#define never x == 41;
#assert Walk() reaches never with min(cost);
#assert Walk() reaches never with max(cost);
"""
#: no way back
NO_BACK = 100


def asked(
    number: int, right: int, down: int, left: int = 1, least: int = NO_BACK, start: int = 0, **limits: int
) -> fairlead.Result:
    text = GRID.format(right=right, down=down, left=left, least=least, start=start)
    model = fairlead.loads(text)
    options = fairlead.Limits(**limits)
    found = model.check(model.assertions[number], reduction="variables", limits=options)
    assert found.variables is not None and found.variables.cost == "cost"
    return found


@pytest.mark.parametrize(
    ("right", "down", "left", "least", "low", "high"),
    [
        (1, 1, 1, NO_BACK, 5, 5),
        (2, 7, 1, NO_BACK, 20, 20),
        (0, 3, 0, 0, 6, 6),  # cycles that cost nothing
        (-1, -1, -1, NO_BACK, -5, -5),
        (-2, -7, -1, NO_BACK, -20, -20),
        (0, -3, 0, 0, -6, -6),
        (1, 1, 1, 0, 5, None),
        (-1, -1, -1, 0, None, -5),
    ],
)
@pytest.mark.parametrize("start", [0, 11, -4])
def test_both_ends(
    right: int, down: int, left: int, least: int, low: int | None, high: int | None, start: int
) -> None:
    for number, best in ((0, low), (1, high)):
        found = asked(number, right, down, left, least, start)
        if best is None:
            assert found.verdict is fairlead.Verdict.UNKNOWN and found.evidence is None
            assert found.reason == "unbounded" and found.variables is not None
            assert {"left", "right"} <= set(found.variables.cycle)
        else:
            assert found.optimum == best + start and found.evidence is not None
            assert len(found.evidence.run.stem) == 5  # a shortest of the best runs
        nearest_to_0 = (number == 0) is (right + down > 0)
        assert found.method == (CHEAPEST if nearest_to_0 else DEAREST)


@pytest.mark.parametrize("number", [2, 3])
def test_no_goal(number: int) -> None:
    found = asked(number, 1, 1, 1, 0)
    assert found.verdict is fairlead.Verdict.VIOLATED and found.statistics.complete


def test_only_states_that_are_no_dearer_are_looked_at() -> None:
    cheap, all_of_them = asked(0, 1, 1), asked(2, 1, 1)
    assert cheap.statistics.states < 60 < 41 * 41 <= all_of_them.statistics.states
    assert not cheap.statistics.complete


def test_states_are_not_multiplied_by_the_cost() -> None:
    """One more than fields: the initial state, into which no step leads, and the same again."""
    assert asked(2, 1, 1, 1, 0).statistics.states == 41 * 41 + 1
    assert asked(2, 3, 5, 3, 0).statistics.states <= 2 * 41 * 41


def test_a_cheap_detour() -> None:
    text = """
    var at = 0; var cost = 0;
    P() = [at == 0] straight{at = 2; cost = cost + 100;} -> P()
       [] [at == 0] aside{at = 1; cost = cost + 40;} -> P()
       [] [at == 1] on{at = 2; cost = cost + 50;} -> P();
    #define there at == 2;
    #assert P() reaches there with min(cost);
    """
    model = fairlead.loads(text)
    found = model.check(model.assertions[0], reduction="variables")
    assert found.optimum == 90 and found.evidence is not None
    assert [step.event for step in found.evidence.run.stem] == ["aside", "on"]


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("right", [1, -1])
def test_the_limit_of_states_is_kept(number: int, right: int) -> None:
    found = asked(number, right, right, max_states=12)
    assert found.verdict is fairlead.Verdict.UNKNOWN and found.reason == "max-states"
    assert found.statistics.states < 100


@pytest.mark.parametrize(("number", "memory"), [(2, 8 << 20), (2, 1 << 16), (3, 1 << 16)])
def test_the_limit_of_memory_is_kept(number: int, memory: int) -> None:
    """When the graph is made, or only when the search needs some."""
    model = fairlead.loads(GRID.format(right=1, down=1, left=1, least=0, start=0))
    limits = fairlead.Limits(max_memory=memory)
    found = model.check(model.assertions[number], reduction="variables", limits=limits)
    assert found.verdict is fairlead.Verdict.UNKNOWN and found.reason == "max-memory"


@pytest.mark.parametrize("number", [2, 3])
def test_the_limit_of_time_is_kept(number: int) -> None:
    text = GRID.format(right=1, down=1, left=1, least=0, start=0)
    model = fairlead.loads(text.replace("40", "4000000").replace("41", "4000001"))
    limits = fairlead.Limits(timeout=0.2)
    found = model.check(model.assertions[number], reduction="variables", limits=limits)
    assert found.verdict is fairlead.Verdict.UNKNOWN and found.reason == "timeout"


@pytest.mark.parametrize(("by", "end"), [(2_000_000_000, "min"), (-2_000_000_000, "max")])
def test_a_best_value_that_does_not_fit_is_an_overflow(by: int, end: str) -> None:
    text = f"""
    var x = 0; var cost = 0;
    P() = a{{cost = cost + ({by}); x = x + 1;}} -> P();
    #define twice x == 2;
    #assert P() reaches twice with {end}(cost);
    """
    model = fairlead.loads(text)
    for reduction in ("variables", "none"):
        with pytest.raises(fairlead.InputError, match="does not fit"):
            without_fault(model.check(model.assertions[0], reduction=reduction))


# ---------------------------------------------------------------- what is said


def test_the_output_says_which_variable_is_a_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grid.csp"
    path.write_text(
        GRID.format(right=1, down=2, left=1, least=0, start=0).replace("x = x + 1;", "x = x + 1; noise = x;")
    )
    run(["check", str(path), "1", "--reduction", "variables", "--verbose"])
    shown = capsys.readouterr()
    assert "variables: cost is a cost; nothing reads noise" in shown.out
    assert CHEAPEST in shown.out + shown.err
    run(["check", str(path), "2", "--reduction", "variables"])
    assert "no best value: cost changes without bound in the cycle" in capsys.readouterr().out


def test_the_json_says_which_variables_did_not_count(tmp_path: Path) -> None:
    path = tmp_path / "grid.csp"
    path.write_text(GRID.format(right=1, down=2, left=1, least=0, start=0))
    (result,) = checked(str(path), "1", "--reduction", "variables")["results"]
    assert result["variables"] == {"cost": "cost", "unread": [], "dead": []}
    assert result["optimum"] == 7
    (endless,) = checked(str(path), "2", "--reduction", "variables")["results"]
    assert endless["reason"] == "unbounded" and set(endless["variables"]["cycle"]) == {"left", "right"}
    (plain,) = checked(str(path), "1", "--reduction", "none", "--max-states", "2000")["results"]
    assert "variables" not in plain and plain["verdict"] == "unknown"
