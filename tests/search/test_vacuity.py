"""Trivial reasons why a formula holds, one by one; and what is none."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import fairlead
from fairlead import Limits, Verdict
from fairlead.base.source import Source
from fairlead.checker.result import Result
from fairlead.engine.atoms import EngineAtoms
from fairlead.logic import ltl, mutants
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom
from fairlead.model.system import Proposition
from fairlead.outcome.vacuity import VacuityKind
from fairlead.present.sentences.vacuity import atom_words
from fairlead.search.target import target_of
from tests.support.oracle.branching import Branching
from tests.support.oracle.conditions import Assumption, holds_at
from tests.support.oracle.graphs import random_graph
from tests.support.tuning import Tune

LOCK = """
var inside = 0;
var free = true;
Process(i) = request.i -> [free]enter.i{free = false; inside = inside + 1;} -> Inside(i);
Inside(i) = leave.i{free = true; inside = inside - 1;} -> Process(i);
System() = ||| i:{0..2} @ Process(i);
#define busy inside > 0;
#define crowded inside > 1;
"""


def check(formula: str, fairness: str = "none", text: str = LOCK, **how: object) -> Result:
    model = fairlead.loads(text)
    result = model.check(model.formula(formula, "System()"), fairness, **how)  # type: ignore[arg-type]
    assert result.verdict is Verdict.HOLDS
    return result


def check_ctl(formula: str, text: str = LOCK, **how: object) -> Result:
    model = fairlead.loads(text)
    result = model.check(model.ctl(formula, "System()"), "none", **how)  # type: ignore[arg-type]
    assert result.verdict is Verdict.HOLDS
    return result


def reason(result: Result) -> tuple[VacuityKind, str | None, str | None]:
    assert result.vacuity is not None and result.is_vacuous
    return result.vacuity.kind, result.vacuity.part, result.vacuity.stronger


@pytest.mark.parametrize(
    ("formula", "detail"),
    [
        ("[](busy || !busy)", None),
        ("true", None),
        ("<> busy || [] !busy", None),
        ("[] !(enter.0 && enter.1)", "no two events happen in one step"),
        ("[](enter.0 -> !leave.1)", "no two events happen in one step"),
    ],
)
def test_what_holds_in_every_system(formula: str, detail: str | None) -> None:
    result = check(formula)
    assert reason(result) == (VacuityKind.TAUTOLOGY, None, None)
    assert result.vacuity is not None and result.vacuity.detail == detail
    assert "holds vacuously: in every system" in result.headline


@pytest.mark.parametrize("formula", ["AG (busy || !busy)", "AG !(enter.0 && enter.1)", "AG (busy -> busy)"])
def test_what_holds_in_every_system_by_ctl(formula: str) -> None:
    assert reason(check_ctl(formula))[0] is VacuityKind.TAUTOLOGY


def test_an_event_that_never_happens() -> None:
    result = check("[](request.5 -> <> enter.5)")
    assert reason(result) == (VacuityKind.PROPOSITION, "<>enter.5", "[]!request.5")
    assert result.vacuity is not None
    (atom,) = result.vacuity.atoms
    assert (atom.text, atom.value, atom.is_event) == ("request.5", False, True)
    assert atom.hint is not None and atom.hint.startswith("did you mean 'request.")
    assert "request.5 never happens" in str(result)


@pytest.mark.parametrize(
    ("formula", "part", "stronger", "words"),
    [
        ("[](crowded -> <> free)", "<>free", "[]!crowded", "crowded is never true"),
        ("[] !(crowded && busy)", "busy", "[]!crowded", "crowded is never true"),
        ("[](inside >= 0 || busy)", "busy", "[](inside >= 0)", "inside >= 0 is always true"),
        ("[](enabled(enter.7) -> busy)", "busy", "[]!enabled(enter.7)", "enabled(enter.7) is never true"),
        ("[](executed(Process(1)) && crowded -> busy)", "busy", None, "crowded is never true"),
        ("G (crowded -> F free)", "F free", "G !crowded", "crowded is never true"),
        ("[]<> busy || crowded -> <> free", None, None, ""),
    ],
)
def test_a_proposition_that_never_changes(
    formula: str, part: str | None, stronger: str | None, words: str
) -> None:
    if part is None:  # a proposition may be constant without being the reason
        assert not check(formula, "esf").is_vacuous
        return
    result = check(formula)
    kind, left_out, implied = reason(result)
    assert (kind, left_out) == (VacuityKind.PROPOSITION, part)
    assert stronger is None or implied == stronger
    assert result.vacuity is not None and list(map(atom_words, result.vacuity.atoms)) == [words]


@pytest.mark.parametrize(
    ("formula", "part", "stronger", "condition"),
    [
        ("[](busy && free -> X crowded)", "X crowded", "[]!(busy && free)", "busy && free"),
        ("[](leave.0 -> X (leave.1 -> free))", "free", "[](leave.0 -> X !leave.1)", None),
        ("[](busy -> (free -> <> crowded))", "<>crowded", "[](busy -> !free)", None),
        ("<>(busy && free) -> <> enter.0", "<>enter.0", "!<>(busy && free)", "<>(busy && free)"),
    ],
)
def test_a_condition_that_asks_for_nothing(
    formula: str, part: str, stronger: str, condition: str | None
) -> None:
    result = check(formula)
    assert reason(result) == (VacuityKind.ANTECEDENT, part, stronger)
    assert result.vacuity is not None and result.vacuity.condition == condition
    if condition is not None:
        assert f"{condition} is never true, so nothing is demanded of {part}" in str(result)


@pytest.mark.parametrize(
    ("formula", "part", "stronger"),
    [
        ("busy U free", "busy", "free"),
        ("(busy -> !free) W enter.0", "enter.0", "[](busy -> !free)"),
        ("busy W !enter.0", "busy", "!enter.0"),
        ("enter.0 R (busy -> !free)", "enter.0", "[](busy -> !free)"),
    ],
)
def test_operands_that_play_no_part(formula: str, part: str, stronger: str) -> None:
    assert reason(check(formula)) == (VacuityKind.PART, part, stronger)


@pytest.mark.parametrize(
    ("formula", "kind", "stronger"),
    [
        ("AG (crowded -> AF free)", VacuityKind.PROPOSITION, "AG !crowded"),
        ("AG (busy && free -> EX crowded)", VacuityKind.ANTECEDENT, "AG !(busy && free)"),
        ("A(busy U free)", VacuityKind.PART, "A free"),
        ("EF (request.0 -> busy)", VacuityKind.ANTECEDENT, "EF !request.0"),
    ],
)
def test_branching_time(formula: str, kind: VacuityKind, stronger: str) -> None:
    found, _, implied = reason(check_ctl(formula))
    assert (found, implied) == (kind, stronger)


@pytest.mark.parametrize(
    "formula",
    [
        "[] !crowded",  # that it is never true is what is asked
        "[] inside >= 0",
        "[](enter.0 -> busy)",
        "[](request.0 -> <> enter.0)",
        "[]<> enter.0",
        "[](busy <-> !free)",
        "[]<>(enter.0 || enter.7)",
        "(!enter.0) W request.0",
    ],
)
def test_what_is_no_trivial_reason(formula: str) -> None:
    result = check(formula, "esf")
    assert result.vacuity is None and not result.is_vacuous
    assert "vacuity" not in result.to_json() and "vacuous" not in result.to_json()


def test_more_than_was_asked_for_is_told_on_request() -> None:
    formula = "[](request.0 -> <> enter.0)"
    result = check(formula, "esf", vacuity=True)
    assert result.vacuity is not None and not result.is_vacuous
    assert (result.vacuity.kind, result.vacuity.stronger) == (VacuityKind.STRONGER, "[]<>enter.0")
    assert "vacuous" not in result.to_json()
    assert result.to_json()["vacuity"] == {"kind": "stronger", "part": "request.0", "stronger": "[]<>enter.0"}
    alternative = check("[]<> enter.0 || <>[] crowded", "esf", vacuity=True)
    assert alternative.vacuity is not None and alternative.vacuity.stronger == "[]<>enter.0"


def test_a_violated_formula_has_no_reason_to_hold() -> None:
    model = fairlead.loads(LOCK)
    result = model.check(model.formula("[](request.0 -> <> enter.0)", "System()"), "none", vacuity=True)
    assert result.verdict is Verdict.VIOLATED and result.vacuity is None


# ---------------------------------------------------------------- fairness

CHOICE = "System() = a -> System() [] b -> Q(); Q() = c -> Q();"


def test_a_condition_that_is_met_by_unfair_executions_only() -> None:
    formula = "[]<> a -> [] !c"
    assert not check(formula, "none", CHOICE).is_vacuous
    result = check(formula, "sgf", CHOICE)
    assert reason(result) == (VacuityKind.ANTECEDENT, "[]!c", "![]<>a")
    assert "[]<>a is never true in a fair execution" in str(result)


@pytest.mark.parametrize(
    ("how", "note"),
    [
        ({"fairness": "none", "fair": "GF a && GF c"}, "GF a and GF c cannot be satisfied together"),
        ({"fairness": "impartial", "fair": "FG false"}, "FG false cannot be satisfied"),
    ],
)
@pytest.mark.parametrize("extent", [True, None, False])
def test_no_fair_execution_is_always_told(how: dict[str, str], note: str, extent: bool | None) -> None:
    model = fairlead.loads(CHOICE)
    for question in (model.formula("[] a"), model.ctl("AG a")):
        result = model.check(question, vacuity=extent, **how)  # type: ignore[arg-type]
        assert reason(result) == (VacuityKind.NO_FAIR_EXECUTION, None, None)
        assert note in str(result)
        data = result.to_json()
        assert data["vacuous"] is True and note in data["vacuous_reason"]
        assert data["vacuity"] == {"kind": "no-fair-execution"} and "note" not in data


def test_impartiality_that_cannot_be_had() -> None:
    text = "System() = P() ||| Q(); P() = a -> Stop; Q() = b -> Q();"
    assert reason(check("[] a", "impartial", text))[0] is VacuityKind.NO_FAIR_EXECUTION


def test_an_annotation_that_cannot_be_satisfied() -> None:
    text = "System() = f(a) -> Q(); Q() = b -> Q();"
    assert reason(check("[] a", "none", text))[0] is VacuityKind.NO_FAIR_EXECUTION


def test_paths_that_all_end() -> None:
    model = fairlead.loads("System() = a -> b -> Stop;")
    result = model.check(model.ctl("AG a", finite_paths=True))
    assert reason(result)[0] is VacuityKind.NO_FAIR_EXECUTION
    assert "no infinite path" in result.to_json()["vacuous_reason"]


def test_no_fair_execution_of_any_number_of_processes() -> None:
    text = "#define N 2; System() = ||| {N} @ P(); P() = a -> b -> P();"
    model = fairlead.loads(text, processes={"P": "inf"})
    result = model.check(model.formula("[] b", "System()"), fair="FG false", counters=True)
    assert reason(result)[0] is VacuityKind.NO_FAIR_EXECUTION
    assert "FG false cannot be satisfied" in str(result)


# ---------------------------------------------------------------- FSP

CONDITIONAL = """
LOCK = (acquire -> release -> LOCK).
USER = (acquire -> use -> release -> USER).
||S = (a:USER || {a, b}::LOCK).
progress SERVED = if {b.acquire} then {b.release}
progress GIVEN = if {a.acquire} then {a.release}
fluent INSIDE_A = <a.acquire, a.release>
fluent INSIDE_B = <b.use, b.release>
assert APART = [] !(INSIDE_A && INSIDE_B)
assert FAIR = [](b.use -> <> b.release)
assert BACK = [](a.acquire -> <> a.release)
"""


def test_progress_with_a_condition_that_is_never_met() -> None:
    model = fairlead.loads("P = (a -> Q), Q = (b -> Q).\nprogress S = if {a} then {c}\n||S2 = P.", "lts")
    for notion in (None, "pwf"):
        result = model.check("S2 progress S", notion)
        assert reason(result) == (VacuityKind.ANTECEDENT, "[]<>c", "<>[]!a")
    model = fairlead.loads("P = (a -> b -> P).\nprogress S = if {a} then {b}\n||S2 = P.", "lts")
    for notion in (None, "pwf"):
        assert model.check("S2 progress S", notion, vacuity=True).vacuity is None


def test_asserts_of_fsp() -> None:
    model = fairlead.loads(CONDITIONAL, "lts")
    assert reason(model.check("S |= APART")) == (VacuityKind.PROPOSITION, "INSIDE_A", "[]!INSIDE_B")
    assert reason(model.check("S |= FAIR")) == (VacuityKind.PROPOSITION, "<>b.release", "[]!b.use")
    assert model.check("S |= BACK").vacuity is None


# ---------------------------------------------------------------- what it may cost


def test_large_systems_are_left_alone_unless_asked(tune: Tune) -> None:
    tune(mutated_system=5)
    formula = "[](busy && free -> X crowded)"
    assert check(formula).vacuity is None
    assert reason(check(formula, vacuity=True))[0] is VacuityKind.ANTECEDENT
    # what is never true is known in a system of any size, once that is explored
    assert reason(check("[](crowded -> <> free)"))[0] is VacuityKind.PROPOSITION
    assert reason(check("[] !(crowded && busy)"))[0] is VacuityKind.PROPOSITION


@pytest.mark.parametrize(("name", "value"), [("most_mutants", 0), ("mutant_work", 3)])
def test_not_many_mutants_are_checked_unless_asked(tune: Tune, name: str, value: int) -> None:
    tune(**{name: value})
    formula = "[](busy && free -> X crowded)"
    assert check(formula).vacuity is None
    assert reason(check(formula, vacuity=True))[0] is VacuityKind.ANTECEDENT


def test_nothing_is_looked_for_if_it_is_not_wanted() -> None:
    for formula in ("[](crowded -> <> free)", "[](busy || !busy)", "[](busy && free -> X crowded)"):
        assert check(formula, vacuity=False).vacuity is None
    assert check_ctl("AG (crowded -> AF free)", vacuity=False).vacuity is None


ENDLESS = "var x = 0; System() = b -> Q(); Q() = c{x = x + 1;} -> Q() [] a -> Q();"


@pytest.mark.parametrize("extent", [None, True])
def test_limits_do_not_change_a_verdict(extent: bool | None) -> None:
    """The formula is decided by the first step; what else there is has no end."""
    result = check("!a W b", "none", ENDLESS, vacuity=extent, limits=Limits(max_states=1000))
    assert result.vacuity is None and result.reason is None
    result = check("!a W b", "none", ENDLESS, vacuity=extent, limits=Limits(max_memory=30_000_000))
    assert result.vacuity is None and result.reason is None


@pytest.mark.parametrize(
    ("checked", "formula"),
    [(check, "[](busy && free -> X crowded)"), (check_ctl, "AG (busy && free -> EX crowded)")],
)
def test_time_does_not_change_a_verdict(
    monkeypatch: pytest.MonkeyPatch, checked: Callable[..., Result], formula: str
) -> None:
    """The time is up just when the verdict is known."""
    from fairlead.base.allowance import LimitKind, Stopped
    from fairlead.outcome.limits import Clock
    from fairlead.search.target import Target

    def be_late_when_found(self: Target) -> None:
        def late(clock: Clock) -> None:
            raise Stopped(LimitKind.TIME)

        monkeypatch.setattr(Clock, "check", late)

    monkeypatch.setattr(Target, "note_tables", be_late_when_found)
    assert checked(formula, vacuity=True).vacuity is None


def test_an_error_that_the_check_does_not_meet_is_not_met() -> None:
    text = "var x = 1; System() = b -> Q(); Q() = a{x = x - 1;} -> c{x = 1 / x;} -> Q();"
    assert check("!a W b", "none", text, vacuity=True).vacuity is None


def test_the_next_question_is_answered_as_if_nothing_had_been_looked_for() -> None:
    model = fairlead.loads(LOCK)
    for extent in (None, True, False):
        for text in ("[](busy && free -> X crowded)", "[] !(crowded && busy)", "!enter.0 W request.0"):
            assert model.check(model.formula(text, "System()"), vacuity=extent).verdict is Verdict.HOLDS
            assert model.check("System() reaches crowded").verdict is Verdict.VIOLATED
            deadlock = model.check("System() deadlockfree")
            assert deadlock.verdict is Verdict.HOLDS and deadlock.statistics.states == 20


# ---------------------------------------------------------------- smaller systems


@pytest.mark.parametrize("how", [{"reduction": "por"}, {"reduction": "symmetry"}, {"counters": True}])
def test_smaller_systems_tell_what_never_changes(how: dict[str, object]) -> None:
    assert reason(check("[](crowded -> <> free)", **how))[0] is VacuityKind.PROPOSITION
    assert reason(check("[](busy || !busy)", **how))[0] is VacuityKind.TAUTOLOGY
    assert check("[](busy && free -> crowded)", vacuity=True, **how).vacuity is None
    assert check("[](crowded -> <> free)", vacuity=False, **how).vacuity is None
    assert check("[] !crowded", vacuity=True, **how).vacuity is None


# ---------------------------------------------------------------- the engine, and long formulas


@pytest.mark.parametrize("chunk", range(4))
def test_values_seen_by_the_engine(chunk: int) -> None:
    for seed in range(chunk, 200, 4):
        rng = Random(seed)
        graph = random_graph(rng)
        model = fairlead.loads(graph.to_json(), "json")
        atoms: list[tuple[tuple[str, str], Meaning]] = [
            (("prop", name), Proposition(name, name)) for name in graph.props
        ]
        for event in ("a", "b", "c", "d"):
            atoms.append((("event", event), EventAtom.of(event)))
            atoms.append((("enabled", event), Enabled(EventAtom.of(event))))
        for process in ("P", "Q", "S"):
            atoms.append((("executed", process), ProcessAtom(frozenset({process}))))
            atoms.append((("enabled", process), Enabled(ProcessAtom(frozenset({process})))))
        target = target_of(model._loaded.system(None), Limits())
        engine = EngineAtoms(target.graph(), target.proposition)
        for _, meaning in atoms:
            engine.add(meaning)
        positions = Branching(graph, Assumption()).positions
        for (formula, _), seen in zip(atoms, engine.native.seen_values(), strict=True):
            values = {holds_at(graph, formula, state, step) for state, step in positions}
            assert seen == (True in values, False in values), (seed, formula)


def test_long_and_deep_formulas_are_left_alone() -> None:
    deep = "[](busy -> " * 400 + "busy" + ")" * 400
    assert check(deep, vacuity=True).verdict is Verdict.HOLDS
    formula = parse_ltl(Source("formula", deep)).formula
    assert mutants.has_too_many_parts(formula)
    assert isinstance(mutants.without_constants(formula), ltl.Always)


@pytest.mark.parametrize(
    ("formula", "simpler"),
    [
        ("[](p -> false)", "[]!p"), ("[](true -> q)", "[]q"), ("!p -> false", "p"), ("false -> q", "true"),
        ("p -> true", "true"), ("p && true", "p"), ("false && p", "false"), ("p || false", "p"),
        ("true || p", "true"), ("p <-> false", "!p"), ("true <-> p", "p"), ("X true", "true"),
        ("<>false", "false"), ("p U false", "false"), ("p U true", "true"), ("false U q", "q"),
        ("true U q", "<>q"), ("p R true", "true"), ("p R false", "false"), ("true R q", "q"),
        ("false R q", "[]q"), ("p W false", "[]p"), ("p W true", "true"), ("true W q", "true"),
        ("false W q", "q"), ("false W false", "false"), ("true W false", "true"),
    ],
)  # fmt: skip
def test_constants_go_where_they_can(formula: str, simpler: str) -> None:
    assert str(mutants.without_constants(parse_ltl(Source("formula", formula)).formula)) == simpler
