"""Demonstrations of branching formulas: right ones pass, and each rule is broken once."""

from __future__ import annotations

from dataclasses import replace

import fairlead
from fairlead.base.source import Source
from fairlead.evidence.branching import ShowsFormula
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.universal import UniversalParts
from fairlead.evidence.validate import problem_with, validate
from fairlead.logic.branching import existential, negation
from fairlead.logic.fairness.condition import AlmostAlways, Condition, InfinitelyOften
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import (
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Exists,
    Formula,
    Next,
    Not,
    Or,
    Until,
    atoms,
)
from fairlead.logic.parsing.parse import parse_branching
from fairlead.model.annotation import Annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.outcome.demonstration import Branch, Demonstration
from tests.support.small_graphs import ef, eg, enabled, event, ex, executed, graph, meanings, prop, run
from tests.support.tuning import Tune

#: two processes that are noncritical, trying or critical, without any order among those that try
MUTEX = graph(
    "0 try1 P 1, 1 enter1 P 2, 2 leave1 P 0, 0 try2 Q 3, 3 enter2 Q 4, 4 leave2 Q 0, "
    "1 try2 Q 5, 3 try1 P 5, 5 enter1 P 6, 5 enter2 Q 7, 6 leave1 P 3, 7 leave2 Q 1, 2 try2 Q 6, 4 try1 P 7",
    "t1 1 5 7, c1 2 6, t2 3 5 6, c2 4 7",
)
T1, C1, T2, C2 = (prop(name) for name in ("t1", "c1", "t2", "c2"))


def demonstration(formula: Formula, *branches: Branch, start: int = 0) -> Demonstration:
    return Demonstration(formula, start, branches)


def problem(
    shown: Demonstration,
    paths: FairPaths | None = None,
    system: ExplicitGraph = MUTEX,
    main: Run | None = None,
) -> str | None:
    claim = ShowsFormula(shown, meanings(*atoms(shown.formula)), paths or FairPaths())
    return problem_with(system, shown.run if main is None else main, claim)


def explained(
    shown: Demonstration, paths: FairPaths | None = None, system: ExplicitGraph = MUTEX
) -> list[str]:
    claim = ShowsFormula(shown, meanings(*atoms(shown.formula)), paths or FairPaths())
    explanation = validate(system, shown.run, claim)
    return [] if explanation is None else list(explanation.lines())


# ---------------------------------------------------------------- a counterexample of AG (t1 -> AF c1)

STARVED = ef(And(T1, eg(Not(C1))))
WAITS = Branch(eg(Not(C1)), run(MUTEX, 1, "try2", "enter2 leave2 try2"))
STARVES = Branch(STARVED, run(MUTEX, 0, "try1"), ((1, (WAITS,)),))


def test_a_path_that_goes_on_along_its_part() -> None:
    shown = demonstration(STARVED, STARVES)
    assert problem(shown) is None
    assert explained(shown) == []
    assert shown.run == run(MUTEX, 0, "try1 try2", "enter2 leave2 try2")
    assert problem(shown, FairPaths(Fairness.PROCESS_WEAK)) is None
    assert problem(shown, FairPaths(Fairness.PROCESS_STRONG)) == (
        "EG !c1 from position 1: the loop is unfair: P: enabled after step 4, never taken"
    )
    assert problem(shown, FairPaths(finite_paths=True)) is None


def test_it_is_the_negation_of_what_was_asked() -> None:
    asked = parse_branching(Source("formula", "AG (t1 -> AF c1)")).formula
    assert negation(existential(asked)) == STARVED


def test_the_main_run() -> None:
    shown = demonstration(STARVED, STARVES)
    assert problem(shown, main=run(MUTEX, 0, "try1")) == "the run is not the main run of the branches"
    assert demonstration(T1).run == Run(0, ())
    assert demonstration(And(ex(T1), ex(T2)), *(Branch(ex(T1), run(MUTEX, 0, "try1")),) * 2).run == run(
        MUTEX, 0, "try1"
    )


def test_runs_are_replayed() -> None:
    wrong = replace(MUTEX.steps(0)[0], target=3)
    branch = Branch(ef(T2), Run(0, (wrong,)))
    assert problem(demonstration(ef(T2), branch)) == "step 1 (try1) is not possible"
    hidden = Branch(ef(T2), Run(1, (wrong,)))
    path = Branch(ex(ef(T2)), run(MUTEX, 0, "try1"), ((1, (hidden,)),))
    other = Branch(ex(T1), run(MUTEX, 0, "try1"))
    both = And(ex(T1), ex(ef(T2)))
    assert problem(demonstration(both, other, path)) == "EF t2 from position 1: step 1 (try1) is not possible"
    leave = MUTEX.steps(2)[0]
    enter = MUTEX.steps(1)[0]
    open_loop = Branch(eg(T1), Run(1, (), (enter, leave)))
    assert (
        problem(
            demonstration(
                And(ex(T1), ex(eg(T1))), other, replace(path, formula=ex(eg(T1)), parts=((1, (open_loop,)),))
            )
        )
        == "EG t1 from position 1: the loop does not end where it began"
    )


def test_runs_start_where_they_branch_off() -> None:
    astray = replace(STARVES, parts=((0, (WAITS,)),))
    assert problem(demonstration(STARVED, astray)) == (
        "EF (t1 && EG !c1) from position 0: what branches off at position 0 starts in another state"
    )
    outside = replace(STARVES, parts=((2, (WAITS,)),))
    assert problem(demonstration(STARVED, outside)) == (
        "EF (t1 && EG !c1) from position 0: something branches off at position 2, which the run does not have"
    )
    later = Branch(ex(T1), run(MUTEX, 7, "leave2"))
    assert problem(demonstration(Or(T1, ex(T1)), Branch(ex(T2), run(MUTEX, 0, "try2")), later)) == (
        "a run does not start in the initial state"
    )
    assert problem(demonstration(T1, start=1)) == "the run does not start in an initial state"


# ---------------------------------------------------------------- what each operator demands


def test_next() -> None:
    assert problem(demonstration(ex(T1), Branch(ex(T1), run(MUTEX, 0, "try1")))) is None
    assert problem(demonstration(ex(T1), Branch(ex(T1), run(MUTEX, 0, "try2")))) == (
        "EX t1 from position 0: t1 is not true at position 1"
    )
    assert problem(demonstration(ex(T1), Branch(ex(T1), run(MUTEX, 0)))) == (
        "EX t1 from position 0: the run has no step"
    )


def test_until() -> None:
    formula = Exists(Until(Not(C2), C1))
    direct = Branch(formula, run(MUTEX, 0, "try1 enter1"))
    assert problem(demonstration(formula, direct)) is None
    assert problem(demonstration(formula, replace(direct, run=run(MUTEX, 0, "try1")))) == (
        "E(!c2 U c1) from position 0: c1 is true at no position of the run"
    )
    detour = replace(direct, run=run(MUTEX, 0, "try2 enter2 leave2 try1 enter1"))
    assert problem(demonstration(formula, detour)) == (
        "E(!c2 U c1) from position 0: !c2 is not true at position 2"
    )
    lasso = replace(direct, run=run(MUTEX, 0, "try1", "enter1 leave1 try1"))
    assert problem(demonstration(formula, lasso)) is None
    assert problem(demonstration(formula, replace(lasso, run=WAITS_FROM_START))) == (
        "E(!c2 U c1) from position 0: c1 is true at no position of the run"
    )


WAITS_FROM_START = run(MUTEX, 0, "try1 try2", "enter2 leave2 try2")


def test_always() -> None:
    formula = eg(Not(C1))
    assert problem(demonstration(formula, Branch(formula, WAITS_FROM_START))) is None
    assert problem(demonstration(formula, Branch(formula, run(MUTEX, 0, "", "try1 enter1 leave1")))) == (
        "EG !c1 from position 0: !c1 is not true at position 2"
    )
    assert problem(demonstration(formula, Branch(formula, run(MUTEX, 0, "try1")))) == (
        "EG !c1 from position 0: a run without a loop cannot show it"
    )
    # the position after the loop's last step is another than that before its first: the step into it differs
    system = graph("0 a A 1, 1 b A 1")
    only_b = eg(Not(event("b")))
    assert problem(demonstration(only_b, Branch(only_b, run(system, 0, "a", "b"))), system=system) == (
        'EG !"b" from position 0: !"b" is not true at position 2'
    )


def test_some_fair_path() -> None:
    assert problem(demonstration(eg(TRUE), Branch(eg(TRUE), run(MUTEX, 0)))) is None
    assert problem(
        demonstration(eg(TRUE), Branch(eg(TRUE), run(MUTEX, 0))), FairPaths(finite_paths=True)
    ) == ("EG true from position 0: a run without a loop is not enough: it may have no fair continuation")


def test_ctl_star() -> None:
    formula = Exists(And(Always(Eventually(T1)), Always(Not(C1))))
    assert problem(demonstration(formula, Branch(formula, WAITS_FROM_START))) is None
    often = Exists(And(Always(Eventually(T1)), Eventually(C1)))
    assert problem(demonstration(often, Branch(often, WAITS_FROM_START))) == (
        "E(GF t1 && F c1) from position 0: GF t1 && F c1 is not true on the run"
    )
    assert problem(demonstration(often, Branch(often, run(MUTEX, 0, "try1 enter1")))) == (
        "E(GF t1 && F c1) from position 0: a run without a loop cannot show it"
    )
    after_next = Exists(And(Next(Next(T2)), Always(Not(eg(C1)))))
    branch = Branch(after_next, WAITS_FROM_START)
    assert problem(demonstration(after_next, branch)) is None
    assert explained(demonstration(after_next, branch)) == [
        "AF !c1 after steps 0–5: true, judged on all reachable states"
    ]


def test_propositions_and_connectives() -> None:
    assert problem(demonstration(Not(T1))) is None
    assert problem(demonstration(T1)) == "the initial state does not satisfy t1"
    assert problem(demonstration(And(Not(T1), ex(T1)), Branch(ex(T1), run(MUTEX, 0, "try1")))) is None
    assert problem(demonstration(And(T1, ex(T1)), Branch(ex(T1), run(MUTEX, 0, "try1")))) == (
        "the initial state does not satisfy t1 && EX t1"
    )


def test_steps_into_states() -> None:
    system = graph("0 a A 1, 0 b B 1, 1 c A 1")
    formula = ex(And(event("a"), Exists(Until(executed("A"), event("c")))))
    inner = Branch(Exists(Until(executed("A"), event("c"))), run(system, 1, "c"))
    right = Branch(formula, run(system, 0, "a"), ((1, (inner,)),))
    assert problem(demonstration(formula, right), system=system) is None
    other = ex(Exists(Until(executed("A"), event("c"))))
    wrong = Branch(other, run(system, 0, "b"), ((1, (inner,)),))
    assert problem(demonstration(other, wrong), system=system) == (
        'E(executed(A) U "c") from position 1: executed(A) is not true at position 1'
    )


# ---------------------------------------------------------------- fairness


def conditions(condition: Condition, *known: Atom) -> FairPaths:
    return FairPaths(conditions=(Conjunct("fair", condition, meanings(*known)),))


def test_fairness_formulas() -> None:
    shown = demonstration(STARVED, STARVES)
    assert problem(shown, conditions(InfinitelyOften(executed("Q")), executed("Q"))) is None
    assert problem(shown, conditions(AlmostAlways(enabled("P")), enabled("P"))) == (
        "EG !c1 from position 1: the loop is unfair: fair: FG enabled(P) not at step 2"
    )
    short = demonstration(ex(T1), Branch(ex(T1), run(MUTEX, 0, "try1")))
    assert problem(short, conditions(InfinitelyOften(T2), T2)) == (
        "EX t1 from position 0: a run without a loop is not enough: it may have no fair continuation"
    )


def test_annotations() -> None:
    def annotated(kind: str) -> tuple[ExplicitGraph, FairPaths]:
        annotation = Annotated("enter1", kind)
        system = replace(MUTEX, annotations={annotation: frozenset({1, 5})})
        return system, FairPaths(annotations=(annotation,))

    shown = demonstration(STARVED, STARVES)
    short = demonstration(ex(T1), Branch(ex(T1), run(MUTEX, 0, "try1")))
    system, paths = annotated("wf")
    assert problem(shown, paths, system) is None
    assert problem(short, paths, system) is None
    assert problem(shown, FairPaths(), system) == (
        "EG !c1 from position 1: the annotation wf(enter1) was not taken into account"
    )
    system, paths = annotated("sf")
    assert "sf(enter1): enabled after step" in (problem(shown, paths, system) or "")
    system, paths = annotated("f")
    assert problem(short, paths, system) == (
        "EX t1 from position 0: a run without a loop is not enough: it may have no fair continuation"
    )


def test_ends_of_paths() -> None:
    system = graph("0 a A 1, 0 b A 0", "p 1")
    reached = demonstration(ef(prop("p")), Branch(ef(prop("p")), run(system, 0, "a")))
    assert problem(reached, system=system) is None
    ending = FairPaths(finite_paths=True)
    assert problem(reached, ending, system) == (
        "EF p from position 0: a run without a loop is not enough: it may have no fair continuation"
    )
    idling = demonstration(ef(prop("p")), Branch(ef(prop("p")), run(system, 0, "a", "(idle)")))
    assert problem(idling, system=system) is None
    assert problem(idling, ending, system) == "EF p from position 0: step 2 ((idle)) is not possible"


# ---------------------------------------------------------------- what no run shows


def test_universal_parts_are_worked_out() -> None:
    formula = ef(And(C1, Not(eg(C1))))
    shown = demonstration(formula, Branch(formula, run(MUTEX, 0, "try1 enter1")))
    assert problem(shown) is None
    assert explained(shown) == ["AF !c1 after step 2: true, judged on all reachable states"]
    false = ef(And(C1, Not(ef(C2))))
    assert problem(demonstration(false, Branch(false, run(MUTEX, 0, "try1 enter1")))) == (
        "EF (c1 && AG !c2) from position 0: c1 && AG !c2 is true at no position of the run"
    )
    # without fairness process 1 may starve, but not if both are treated strongly fairly
    served = And(Not(T1), Not(ef(And(T1, eg(Not(C1))))))
    assert problem(demonstration(served)) == ("the initial state does not satisfy !t1 && AG !(t1 && EG !c1)")
    assert problem(demonstration(served), FairPaths(Fairness.PROCESS_STRONG)) is None


def test_existential_parts_without_a_run_are_worked_out() -> None:
    shown = demonstration(ef(And(T1, ef(C2))), Branch(ef(And(T1, ef(C2))), run(MUTEX, 0, "try1")))
    assert explained(shown) == ["EF c2 after step 1: true, judged on all reachable states"]
    assert problem(demonstration(ef(And(C1, ef(T1))))) is None
    assert problem(demonstration(ef(And(C1, C2)))) == "the initial state does not satisfy EF (c1 && c2)"


def test_what_is_too_large_is_not_judged(tune: Tune) -> None:
    tune(labelled_positions=5)
    formula = ef(And(C1, Not(eg(C1))))
    shown = demonstration(formula, Branch(formula, run(MUTEX, 0, "try1 enter1")))
    assert problem(shown) is None
    claim = ShowsFormula(shown, meanings(*atoms(formula)))
    explanation = validate(MUTEX, shown.run, claim)
    assert isinstance(explanation, UniversalParts)
    assert list(explanation.lines()) == ["AF !c1 after step 2: not judged independently (more than 5 states)"]
    assert explanation.to_json() == {
        "kind": "universal",
        "judged": [],
        "not_judged": [{"formula": "AF !c1", "positions": [2], "reason": "more than 5 states"}],
    }
    # what is known without it is still refused
    assert problem(demonstration(formula, Branch(formula, run(MUTEX, 0, "try1")))) is not None
    # and where it makes no difference it is not mentioned
    either = Or(Not(T1), eg(C1))
    assert explained(demonstration(either)) == []
    star = Exists(And(Always(Eventually(T2)), Always(Not(eg(C1)))))
    lines = explained(demonstration(star, Branch(star, WAITS_FROM_START)))
    loose = Exists(And(Always(Eventually(T2)), Eventually(Or(T1, eg(C1)))))
    assert explained(demonstration(loose, Branch(loose, WAITS_FROM_START))) == []
    assert lines == ["AF !c1 after steps 0–5: not judged independently (more than 5 states)"]


def test_deep_nesting_needs_no_stack() -> None:
    system = graph("0 a A 0", "p 0")
    formula: Formula = prop("p")
    branch: Branch | None = None
    for _ in range(2000):
        formula = ex(formula)
        assert isinstance(formula, Exists)
        branch = Branch(formula, run(system, 0, "a"), () if branch is None else ((1, (branch,)),))
    assert branch is not None
    shown = demonstration(formula, branch)
    assert len(shown.run.stem) == 2000
    assert problem(shown, system=system) is None


def test_the_goal_of_a_lasso_may_be_earlier_than_where_propositions_show_it() -> None:
    # found by random cases: position 0 is the goal by what holds on all paths, p only comes later
    text = (
        '{"states": 5, "initial": 4, "transitions": [[2, "a", 4, ["Q"]], [4, "a", 2, ["P"]]], '
        '"props": {"p": [0, 2, 3]}}'
    )
    model = fairlead.loads(text, "json")
    question = model.ctl("E(false U (AX true || p))", finite_paths=True)
    assert model.check(question).verdict is fairlead.Verdict.HOLDS
