"""SPIN and the interpreter count alike on random programs: states, transitions, and errors of finite runs."""

from __future__ import annotations

import pytest

from tests.support.promela import spin
from tests.support.promela import syntax as p
from tests.support.promela.exploring import explore
from tests.support.promela.generating import random_program
from tests.support.promela.interpreter import TooLarge
from tests.support.promela.printing import printed
from tests.support.promela.spin import SpinRefuses, needs_spin

#: what SPIN refuses in one program of forty, and the generator does not avoid
REFUSALS = ("has unconditional self-loop", "jump into d_step sequence")


def compare(seed: int) -> bool:
    """Whether both could be asked; fails if they differ."""
    program = random_program(seed)
    text = printed(program)
    try:
        oracle = explore(program).counts()
        report = spin.verify(text, spin.COUNTING)
    except TooLarge:
        return False
    except SpinRefuses as refused:
        assert any(known in refused.message for known in REFUSALS), f"seed {seed}: {refused}\n{text}"
        return False
    if not report.is_complete or set(report.kinds()) - {"assertion", "invalid end state"}:
        return False
    counted = (report.stored, report.edges, report.errors)
    assert oracle == counted, f"seed {seed}: interpreter {oracle}, SPIN {counted}\n{text}"
    return True


@needs_spin
def test_a_few_programs() -> None:
    assert sum(compare(seed) for seed in range(8)) >= 5


@needs_spin
@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_many_programs(first: int) -> None:
    assert sum(compare(seed) for seed in range(first, first + 50)) >= 30


def test_programs_use_the_language() -> None:
    """Each kind of statement and expression occurs, and not only once."""
    shown = "".join(repr(random_program(seed)) for seed in range(120))
    parts = [
        p.Assign, p.Step, p.Condition, p.Else, p.Assert, p.Print, p.Send, p.Receive, p.Run, p.If, p.Do, p.For,
        p.Select, p.Break, p.Goto, p.Labelled, p.Atomic, p.DStep, p.Block, p.Unless, p.Num, p.Var, p.Name,
        p.Unary, p.Binary, p.Conditional, p.Measure, p.Poll, p.AtLabel, p.RemoteVar, p.Eval,
    ]  # fmt: skip
    rare = [part.__name__ for part in parts if shown.count(f"{part.__name__}(") < 5]
    assert rare == []
