"""What SPIN and fairlead are told, and how their answers are read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bench.ours import ALL, ONE, PLAIN, REDUCED, Asked, OurEntrant, Program, prepared, read_answer
from bench.ours import MODELS as OUR_MODELS
from bench.programs import Finished, RunError
from bench.promela import MODELS
from bench.spin import Search, SpinEntrant, SpinModel, read_report

REPORT = """
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
State-vector 68 byte, depth reached 85353, errors: {errors}
   441825 states, stored (2.20065e+06 visited)
  6591566 states, matched
{transitions} transitions (= visited+matched)
        0 atomic steps

Stats on memory usage (in Megabytes):
   43.821\tequivalent memory usage for states (stored*(State-vector + overhead))
   25.721\tactual memory usage for states (compression: 58.69%)
         \tstate-vector as stored = 25 byte + 36 byte overhead
   64.000\tmemory used for hash table (-w23)
  534.058\tmemory used for DFS stack (-m10000000)
  623.448\ttotal actual memory usage
"""


def _finished(text: str, errors: str = "") -> Finished:
    return Finished(text, errors, 0, 2.5, 2.4, 700 * 2**20)


def test_report_of_spin() -> None:
    found = read_report(_finished(REPORT.format(errors=0, transitions="  8792216")), 1.5)
    assert (found.verdict, found.states, found.transitions) == ("holds", 441_825, 8_792_215)
    assert (found.seconds, found.command_seconds) == (2.5, 4.0)
    assert found.state_bytes == int(25.721 * 2**20) and found.total_bytes == int(623.448 * 2**20)


def test_large_numbers_of_spin() -> None:
    found = read_report(_finished(REPORT.format(errors=1, transitions="1.29124e+08")), 0.0)
    assert (found.verdict, found.transitions) == ("violated", 129_123_999)


def test_small_reports_tell_no_memory_for_states() -> None:
    text = "errors: 0\n 7 states, stored\n 9 transitions (= stored+matched)\n"
    found = read_report(_finished(text), 0.0)
    assert found.state_bytes is None and found.total_bytes == found.peak_bytes == 700 * 2**20


def test_searches_cut_short_count_only_if_they_found_something() -> None:
    cut = REPORT + "error: max search depth too small\n"
    with pytest.raises(RunError, match="depth bound"):
        read_report(_finished(cut.format(errors=0, transitions="1")), 0.0)
    assert read_report(_finished(cut.format(errors=1, transitions="1")), 0.0).verdict == "violated"
    with pytest.raises(RunError, match="cannot read"):
        read_report(_finished("pan: out of memory"), 0.0)


def test_options_of_spin() -> None:
    plain = SpinEntrant("SPIN", SpinModel("dp", 5), Search.ALL_STATES, 1000, 20)
    few, many = MODELS["dp"](5), MODELS["dp"](30)
    assert plain.compiling(few) == ["-w", "-O2", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"]
    assert "-DVECTORSZ=4096" in plain.compiling(many)
    assert plain.running() == ["-m1000", "-w20", "-E"]
    assert "-DNOREDUCE" not in replace(plain, reduction=True).compiling(few)
    assert "-DCOLLAPSE" in replace(plain, collapse=True).compiling(few)
    deadlock = replace(plain, search=Search.DEADLOCK)
    assert deadlock.running() == ["-m1000", "-w20"] and "-DSAFETY" in deadlock.compiling(few)
    cycle = replace(plain, search=Search.CYCLE)
    assert "-DNOFAIR" in cycle.compiling(few) and cycle.running()[2:] == ["-a"]
    fair = replace(plain, search=Search.FAIR_CYCLE)
    assert "-DSAFETY" not in fair.compiling(few) and fair.running()[2:] == ["-a", "-f"]
    assert "-DNFAIR=3" in fair.compiling(few) and "-DNFAIR=10" in fair.compiling(many)


def test_long_channels_need_room() -> None:
    long = SpinEntrant("SPIN", SpinModel("abp", 1, (("K", 20), ("M", 4))), Search.ALL_STATES)
    assert "-DVECTORSZ=4096" in long.compiling(long.model.promela())


def test_properties_are_added_by_name() -> None:
    model = MODELS["rw"](3)
    assert "ltl" not in model.source(None)
    assert model.source("stops").endswith("ltl p { [] (reader0@inside -> <> !reader0@inside) }\n")
    with pytest.raises(KeyError):
        model.source("eats")


def test_command_of_fairlead() -> None:
    asked = Asked(
        OUR_MODELS / "dp.csp", ("System() deadlockfree",), "pwf", (("N", 4), ("K", 2)), ("--counters",)
    )
    entrant = OurEntrant("x", asked, ONE)
    bare = prepared(entrant, Program("fl", frozenset()), 9.0)
    assert bare is not None and bare.command == (
        "fl", "check", "bench/models/dp.csp", "System() deadlockfree", "--json",
        "--fairness", "pwf", "-D", "N=4", "-D", "K=2", "--counters",
    )  # fmt: skip
    assert "--fairness" not in replace(asked, fairness=None).command("fl")


def test_manners_depend_on_what_the_program_can() -> None:
    nothing, threads = frozenset[str](), frozenset({"--threads"})
    everything = threads | {"--reduction"}
    assert ONE.options(nothing) == PLAIN.options(everything) == ()
    assert ALL.options(nothing) is None and REDUCED.options(threads) is None
    assert ONE.options(everything) == ("--threads", "1", "--reduction", "none")
    chosen = ALL.options(threads)
    assert chosen is not None and chosen[0] == "--threads" and int(chosen[1]) >= 1
    assert REDUCED.options(everything) == ("--threads", "1", "--reduction", "auto")
    assert prepared(OurEntrant("x", Asked(OUR_MODELS, ()), ALL), Program("fl", nothing), 1.0) is None


def _answer(*verdicts: str) -> Finished:
    results = [
        {
            "verdict": verdict,
            "states": 5,
            "transitions": 9,
            "seconds": 0.25,
            "memory_bytes": 100,
            "reason": "why",
        }
        for verdict in verdicts
    ]
    return _finished(json.dumps({"results": results}))


def test_answer_of_fairlead() -> None:
    found = read_answer(_answer("holds", "violated"), 1)
    assert (found.verdict, found.states, found.transitions, found.seconds) == ("violated", 5, 9, 0.25)
    assert (found.command_seconds, found.total_bytes, found.state_bytes) == (2.5, 100, None)
    with pytest.raises(RunError, match="gave up: why"):
        read_answer(_answer("unknown"))
    with pytest.raises(RunError, match="cannot read"):
        read_answer(_answer("holds"), 1)
    with pytest.raises(RunError, match="no such model"):
        read_answer(_finished("", "no such model"))
