"""States and transitions of small models, in the engine and in the reference semantics: those SPIN counts."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import fairlead
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from tests.support.promela.small_models import MODELS, SmallModel

each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def network_of(text: str) -> Network:
    system = fairlead.loads(text, "pml")._loaded.system(None)
    assert isinstance(system, Network)
    return system


def explored(network: Network) -> tuple[int, int, int]:
    """States, transitions and deadlocks by the reference semantics."""
    system = NetworkSystem(network)
    known = dict.fromkeys(system.initial_states())
    pending = list(known)
    transitions = stuck = 0
    while pending:
        state = pending.pop()
        steps = system.steps(state)
        transitions += len(steps)
        stuck += not steps and not system.has_terminated(state)
        for step in steps:
            assert system.failed_process(step.target) is None
            if step.target not in known:
                known[step.target] = None
                pending.append(step.target)
    return len(known), transitions, stuck


@each_model
def test_the_engine_counts_what_spin_counts(model: SmallModel) -> None:
    result = fairlead.loads(model.text, "pml").check("reaches false", reduction="none")
    assert (result.statistics.states, result.statistics.transitions) == (model.states, model.transitions)


@pytest.mark.parametrize("model", [one for one in MODELS if one.states < 1000], ids=lambda model: model.name)
def test_the_reference_semantics_counts_the_same(model: SmallModel) -> None:
    states, transitions, stuck = explored(network_of(model.text))
    assert (states, transitions) == (model.states, model.transitions)
    verdict = fairlead.loads(model.text, "pml").check("deadlockfree", reduction="none").verdict
    assert (verdict is fairlead.Verdict.VIOLATED) is (stuck > 0)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("spin") or not shutil.which("gcc"), reason="needs spin and gcc")
@each_model
def test_spin_counts_so(model: SmallModel, tmp_path: Path) -> None:
    (tmp_path / "model.pml").write_text(model.text, encoding="utf-8")
    subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], cwd=tmp_path, check=True)
    flags = ["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"]
    subprocess.run(["gcc", "-w", *flags, "-o", "pan", "pan.c"], cwd=tmp_path, check=True)
    done = subprocess.run(["./pan", "-c0", "-E"], cwd=tmp_path, capture_output=True, text=True, check=True)
    counts = {
        match[2]: int(match[1]) for match in re.finditer(r"(\d+) (states, stored|transitions)", done.stdout)
    }
    assert counts == {"states, stored": model.states, "transitions": model.transitions + 1}


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    "statements",
    [
        "byte b = 255; b++; assert(b == 0)",
        "byte b; b--; assert(b == 255)",
        "short s = 32767; s++; assert(s == -32768)",
        "bit b = 2; assert(b == 0)",
        "bool b = 3; assert(b == 1)",
        "unsigned u : 3 = 9; assert(u == 1)",
        "int z; z = 300; byte b; b = z; assert(b == 44)",
        "int z; z = -7; z = z % 3; assert(z == -1)",
        "int z; z = 7; z = z % -3; assert(z == 1)",
        "int z; z = -7; z = z / 2; assert(z == -3)",
        "int z; z = -1; z = z >> 1; assert(z == -1)",
        "int z; z = -5; z = z >> 1; assert(z == -3)",
        "int z, n; z = 1; n = 3; z = z << n; assert(z == 8)",
        "int z; z = 5; z = ~z; assert(z == -6)",
        "int z; z = 6; z = (z & 3) | 8; assert(z == 10); z = z ^ 3; assert(z == 9)",
        "int z; z = (z > 3 -> 7 : 8); assert(z == 8)",
        "bit a[2]; a[0] = 2; assert(a[0] == 2)",
        "int a[3] = 7; assert(a[0] == 7 && a[2] == 7)",
        "assert(red == 3 && green == 2 && blue == 1 && apple == 1)",
        "t.c[1].f = 300; assert(t.c[1].f == 44 && t.c[0].f == 0)",
        "chan c = [2] of {byte, bit}; c!257,3; byte x, y; c?x,y; assert(x == 1 && y == 1)",
        "chan c = [3] of {byte}; c!3; c!!1; c!!2; assert(c?[1]); assert(len(c) == 3 && full(c))",
        "byte i, s; for (i : 1 .. 4) { s = s + i }; assert(s == 10 && i == 5)",
        "byte i, s; int a[3] = 2; for (i in a) { s = s + a[i] }; assert(s == 6)",
        "byte i; select (i : 2 .. 4); assert(i >= 2 && i <= 4)",
        "byte i, s; d_step { do :: i < 5 -> i++; s = s + i :: else -> break od }; assert(s == 15)",
        "byte x; { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 }; assert(x == 9)",
        "byte x; x = 1; goto there; x = 2; there: assert(x == 1)",
        "byte x; twice(x); assert(x == 2)",
        "assert(_pid == 0 && _nr_pr == 1)",
        "int a[3] = 7; a[1] = 8; assert(a == 7)",
    ],
)
def test_values_are_those_of_the_verifier(statements: str) -> None:
    """Each of these texts is one in which SPIN finds no error."""
    head = """
mtype = {red, green, blue};
mtype:fruit = {apple};
typedef Cell { byte f };
typedef Table { Cell c[2] };
Table t;
inline twice(v) { v++; v++ }
"""
    model = fairlead.loads(f"{head}\ninit {{ {statements} }}", "pml")
    result = model.check("safety")
    assert result.verdict is fairlead.Verdict.HOLDS


@pytest.mark.parametrize(
    "statements",
    [
        "byte b = 1; assert(b == 2)",
        "if :: false fi",
        "chan c = [1] of {byte}; c!1; c!2",
        "atomic { assert(false) }",
    ],
)
def test_violations_are_found(statements: str) -> None:
    model = fairlead.loads(f"init {{ {statements} }}", "pml")
    assert model.check("safety").verdict is fairlead.Verdict.VIOLATED


def test_jumps_that_lead_to_each_other_are_steps() -> None:
    model = fairlead.loads("init { first: goto second; second: goto first }", "pml")
    assert model.check("safety").verdict is fairlead.Verdict.HOLDS
    assert model.check("nonterminating").verdict is fairlead.Verdict.HOLDS


def test_what_interrupts_several_options_is_one_step() -> None:
    text = "byte x; active proctype P() { { if :: x == 0 :: x < 5 fi } unless { x == 0 -> x = 1 } }"
    statistics = fairlead.loads(text, "pml").check("reaches false", reduction="none").statistics
    assert (statistics.states, statistics.transitions) == (4, 3)


def test_init_can_ask_who_moved_last_and_where_processes_are() -> None:
    text = """
proctype Q(byte a) { here: assert(a == 0) }
init { run Q(_last); atomic { Q[1]@here -> run Q(0) } }
"""
    assert (
        fairlead.loads(text, "pml").check("reaches Q[2]:a == 0 && _nr_pr == 3").verdict
        is fairlead.Verdict.HOLDS
    )


def test_a_process_at_an_end_label_is_not_stuck() -> None:
    text = "chan c = [0] of {byte}; active proctype P() { byte x; endless: do :: c?x od }"
    assert fairlead.loads(text, "pml").check("safety").verdict is fairlead.Verdict.HOLDS
    assert (
        fairlead.loads(text.replace("endless", "loop"), "pml").check("safety").verdict
        is fairlead.Verdict.VIOLATED
    )


def test_a_created_process_that_is_stuck_at_its_beginning_is_a_deadlock() -> None:
    text = "proctype P() { false } init { run P() }"
    assert fairlead.loads(text, "pml").check("safety").verdict is fairlead.Verdict.VIOLATED
    ended = "proctype P() { endhere: false } init { run P() }"
    assert fairlead.loads(ended, "pml").check("safety").verdict is fairlead.Verdict.HOLDS
