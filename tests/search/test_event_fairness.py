"""Fairness on single events in CSP#: what each annotation demands, and what is said about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.model.annotation import Annotated
from fairlead.search.assumptions import smallest_failing

Y, N = fairlead.Verdict.HOLDS, fairlead.Verdict.VIOLATED

#: Q is ready to join in `a` every other time; or only if it has decided to; P is ready all the time
EVERY_OTHER_TIME = "P() = {a} -> P(); Q() = b -> (a -> Q() [] b -> Q()); System() = P() || Q();"
IF_IT_LIKES = "P() = {a} -> P(); Q() = b -> Q() [] d -> a -> Q(); System() = P() || Q();"
#: P is ready for `a` every other time, Q only if it has decided to
READY_AT_TIMES = (
    "P() = e -> ({a} -> P() [] e -> P()); Q() = b -> Q() [] d -> a -> Q(); System() = P() || Q();"
)
#: only one process: ready is enabled
ALONE = "System() = b -> ({a} -> System() [] b -> System());"
ALWAYS = "System() = {a} -> System() [] b -> System();"


def verdict(text: str, formula: str, fairness: str = "none") -> fairlead.Verdict:
    model = fairlead.loads(text)
    return model.check(model.formula(formula, "System()"), fairness).verdict


@pytest.mark.parametrize(
    ("system", "formula", "expected"),
    [
        pytest.param(ALWAYS, "[]<> a", {"": N, "f": Y, "wf": Y, "sf": Y, "wl": Y, "sl": Y}, id="always"),
        pytest.param(ALONE, "[]<> a", {"": N, "f": Y, "wf": N, "sf": Y, "wl": N, "sl": Y}, id="alone"),
        pytest.param(
            EVERY_OTHER_TIME, "[]<> a", {"": N, "f": Y, "wf": N, "sf": Y, "wl": Y, "sl": Y}, id="other time"
        ),
        pytest.param(
            IF_IT_LIKES, "[]<> a", {"": N, "f": Y, "wf": N, "sf": N, "wl": Y, "sl": Y}, id="if it likes"
        ),
        pytest.param(
            READY_AT_TIMES,
            "[]<> e -> []<> a",
            {"": N, "f": Y, "wf": N, "sf": N, "wl": N, "sl": Y},
            id="ready at times",
        ),
    ],
)
def test_what_each_annotation_demands(
    system: str, formula: str, expected: dict[str, fairlead.Verdict]
) -> None:
    found = {
        kind: verdict(system.replace("{a}", f"{kind}(a)" if kind else "a"), formula) for kind in expected
    }
    assert found == expected


def test_annotations_and_a_notion_together() -> None:
    text = "P() = wf(a) -> P(); Q() = b -> Q(); R() = c -> R(); System() = P() ||| Q() ||| R();"
    formula = "[]<> a && []<> b"
    assert verdict(text, formula) is N
    assert verdict(text, "[]<> a") is Y
    assert all(verdict(text, formula, notion) is Y for notion in ("ewf", "esf", "pwf", "psf", "sgf"))


def test_an_annotation_is_of_the_label_wherever_it_stands() -> None:
    """It stands far from the loop, and the event has arguments."""
    text = """
        Loop(i) = a.i -> Loop(i) [] b -> Loop(i);
        System() = go -> (Loop(1) ||| (c -> sf(a.1) -> Stop)) [] stay -> Loop(1) [] none -> Loop(2);
    """
    assert verdict(text, "stay -> true") is Y
    assert verdict(text, '[](stay -> []<> "a.1")') is Y
    assert verdict(text, '[](none -> []<> "a.2")') is N


def test_an_annotation_that_is_never_ready_counts_for_nothing() -> None:
    text = "var x = 0; System() = a -> System() [] b -> System() [] [x == 1] sf(a) -> System();"
    model = fairlead.loads(text)
    result = model.check(model.formula("[]<> a", "System()"))
    assert result.verdict is N
    assert result.annotations == ()


def test_other_processes_do_not_count() -> None:
    text = "Other() = f(a) -> Other(); System() = a -> System() [] b -> System();"
    model = fairlead.loads(text)
    question = model.formula("[]<> a", "System()")
    assert model.check(question).verdict is N
    assert not model._loaded.system("System()").annotations  # type: ignore[union-attr]
    assert model._loaded.system("Other()").annotations  # type: ignore[union-attr]


def test_deadlocks_and_reachability_do_not_know_annotations() -> None:
    model = fairlead.loads("#define no false; System() = f(a) -> System() [] b -> Stop;")
    assert not model.check("System() deadlockfree")
    assert model.check("System() reaches 1 == 1")


# ---------------------------------------------------------------- what cannot be satisfied

LEAVES = "System() = f(a) -> System() [] b -> c -> System() [] quit -> Rest(); Rest() = c -> Rest();"


def test_a_bad_prefix_counts_only_if_it_can_be_continued_fairly() -> None:
    model = fairlead.loads(LEAVES)
    lives = model.check(model.formula("[] !quit", "System()"))
    assert lives.verdict is Y
    assert not lives.is_vacuous
    assert lives.note == "the fairness condition f(a) can no longer be satisfied in some reachable states"
    assert lives.unfair_end is not None
    assert [step.event for step in lives.unfair_end.run.stem] == ["quit"]
    assert lives.to_json()["note"] == lives.note
    assert lives.to_json()["unfair_end"]["stem"][0]["event"] == "quit"
    broken = model.check(model.formula("[] !b", "System()"))
    assert broken.verdict is N
    assert broken.evidence is not None
    assert broken.evidence.run.loop
    assert broken.note == lives.note


@pytest.mark.parametrize("kind", ["wf", "sf"])
def test_weak_and_strong_annotations_keep_the_short_way(kind: str) -> None:
    model = fairlead.loads(LEAVES.replace("f(a)", f"{kind}(a)"))
    result = model.check(model.formula("[] !quit", "System()"), "sgf")
    assert result.verdict is N
    assert result.evidence is not None
    assert not result.evidence.run.loop
    assert model.validate(result.to_json()) is None


@pytest.mark.parametrize(
    ("text", "fairness", "reason"),
    [
        (
            "System() = f(a) -> b -> Stop;",
            "none",
            "the fairness condition f(a) cannot be satisfied",
        ),
        (
            "System() = f(a) -> A() [] f(b) -> B() [] f(d) -> System(); "
            "A() = a -> A() [] d -> A(); B() = b -> B() [] d -> B();",
            "none",
            "the fairness conditions f(a) and f(b) cannot be satisfied together",
        ),
        (
            "System() = f(a) -> System() [] quit -> Rest(); Rest() = c -> Rest();",
            "ewf",
            "the fairness condition f(a) cannot be satisfied together with event-level weak fairness",
        ),
        (  # a is ready forever, its partner never is
            "P() = wl(a) -> P(); Q() = b -> Q() [] [false] a -> Q(); System() = P() || Q();",
            "none",
            "the fairness condition wl(a) cannot be satisfied",
        ),
        (  # the same in a deadlock, where nothing is enabled
            "P() = sl(a) -> P(); Q() = b -> Stop [] [false] a -> Q(); System() = P() || Q();",
            "none",
            "the fairness condition sl(a) cannot be satisfied",
        ),
    ],
)
def test_everything_holds_vacuously_without_fair_executions(text: str, fairness: str, reason: str) -> None:
    model = fairlead.loads(text)
    for formula in ("[]<> a", "<>[] !a", "[] !a", "false"):
        result = model.check(model.formula(formula, "System()"), fairness)
        assert result.verdict is Y
        assert result.is_vacuous
        assert result.to_json()["vacuous"] is True
        assert result.to_json()["vacuous_reason"] == reason
        assert "holds vacuously: no fair execution" in result.headline


def test_a_smallest_failing_part_is_found_with_few_questions() -> None:
    candidates = [Annotated(str(number), "f") for number in range(100)]
    culprits = {candidates[17], candidates[60], candidates[61]}
    asked = []

    def fails(chosen: object) -> bool:
        asked.append(chosen)
        assert isinstance(chosen, list)
        return culprits <= set(chosen)

    assert set(smallest_failing(candidates, fails)) == culprits
    assert len(asked) < 30


def test_limits_hold() -> None:
    text = (
        "var x:{0..900} = 0; System() = [x < 900] wl(a){x = x + 1;} -> System() [] [x == 900] b -> System();"
    )
    model = fairlead.loads(text)
    question = model.formula("[]<> b", "System()")
    stopped = model.check(question, limits=fairlead.Limits(max_states=100))
    assert (stopped.verdict, stopped.reason) == (fairlead.Verdict.UNKNOWN, "max-states")
    assert model.check(question).verdict is Y


# ---------------------------------------------------------------- evidence

SERVED = "P() = wf(a) -> P(); Q() = b -> c -> Q() [] sf(d) -> Q(); System() = P() ||| Q();"


def stored(text: str, formula: str) -> tuple[fairlead.Model, dict[str, object]]:
    model = fairlead.loads(text)
    result = model.check(model.formula(formula, "System()"))
    assert result.verdict is N
    return model, json.loads(json.dumps(result.to_json()))


def test_the_text_says_why_a_loop_is_fair_to_each_annotation() -> None:
    model = fairlead.loads(SERVED)
    shown = str(model.check(model.formula("[]<> b", "System()")))
    assert "[none + annotations]" in shown
    _, _, after = shown.partition("fair to the annotations:\n")
    reasons, _, excluded = after.partition("excluded by ewf, esf, sgf:\n")
    assert {line.strip().split(":")[0] for line in reasons.splitlines()} == {"wf(a)", "sf(d)"}
    assert excluded.startswith("  wf(b): ")
    assert "wf(a): taken at step" in reasons


def test_stored_evidence_is_judged_with_its_annotations() -> None:
    model, result = stored(SERVED, "[]<> b")
    assert result["annotations"] == ["wf(a)", "sf(d)"]
    assert model.validate(result) is None
    for left_out in ("wf(a)", "sf(d)"):
        less = [one for one in ("wf(a)", "sf(d)") if one != left_out]
        assert model.validate({**result, "annotations": less}) == (
            f"the annotation {left_out} was not taken into account"
        )
    with pytest.raises(fairlead.InputError, match="annotations such as"):
        model.validate({**result, "annotations": ["xf(a)"]})
    with pytest.raises(fairlead.InputError, match="annotations such as"):
        model.validate({**result, "annotations": 3})


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("f", "f(a): never taken in the loop"),
        ("wf", "wf(a): enabled at every step of the loop, never taken"),
        ("sf", "sf(a): enabled after step 2, never taken"),
        ("wl", "wl(a): ready at every step of the loop, never taken"),
        ("sl", "sl(a): ready after step 2, never taken"),
    ],
)
def test_a_loop_that_is_unfair_to_an_annotation_is_no_evidence(kind: str, problem: str) -> None:
    """The loop of a model without annotations, judged by the model that has them."""
    system = ALWAYS if kind.startswith("w") else "System() = {a} -> System() [] b -> c -> System();"
    _, result = stored(system.replace("{a}", "a"), "[]<> a")
    annotated = fairlead.loads(system.replace("{a}", f"{kind}(a)"))
    result["annotations"] = [f"{kind}(a)"]
    place = "System()"
    assert place in json.dumps(result)
    found = annotated.validate(json.loads(json.dumps(result).replace('"a ->', f'"{kind}(a) ->')))
    assert found == f"the loop is unfair: {problem}"


def test_a_finite_run_is_not_enough_where_it_may_have_no_fair_continuation() -> None:
    _, result = stored(LEAVES.replace("f(a)", "a"), "[] !quit")
    assert fairlead.loads(LEAVES.replace("f(a)", "wf(a)")).validate(result) is None
    problem = fairlead.loads(LEAVES).validate(result)
    assert problem is not None
    assert "a run without a loop is not enough" in problem


# ---------------------------------------------------------------- texts and files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("System() = wf(tau) -> System();", "an internal step cannot be annotated"),
        ("System() = f(tau){} -> System();", "an internal step cannot be annotated"),
        ("System() = sf(terminate) -> System();", "'terminate' cannot be used as an event"),
    ],
)
def test_what_cannot_be_annotated(text: str, message: str) -> None:
    model = fairlead.loads(text)
    with pytest.raises(fairlead.InputError, match=message):
        model.check("System() deadlockfree")


def test_the_command_line_says_what_was_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "leaves.csp"
    path.write_text(LEAVES + "#assert System() |= []<> a; #assert System() |= [] !b;")
    assert run(["check", str(path), "--fairness", "none,esf", "--trace"]) == 1
    shown = capsys.readouterr().out
    rows = [line.split()[:2] for line in shown.splitlines()[1:5]]
    notions = ["none+ann", "esf+ann"]
    assert [row[1] for row in rows] == notions * 2
    assert [row[0] for row in rows] == ["holds", "holds", "violated", "holds"]
    assert "+ann: fair to f(a)" in shown
    assert shown.count("(vacuously: no fair execution)") == 2
    assert "note: the fairness condition f(a) can no longer be satisfied in some" in shown
    assert "from the end of this run on, no execution is fair:" in shown
    assert "f(a): taken at step" in shown
    assert run(["check", str(path), "--json"]) == 1
    (tmp_path / "evidence.json").write_text(capsys.readouterr().out)
    assert run(["validate", str(path), str(tmp_path / "evidence.json")]) == 0
    assert capsys.readouterr().out.startswith("valid")


def test_graphs_keep_annotations() -> None:
    from fairlead.lang.explicit.write import to_json

    for kind, expected in {"wf": N, "sf": N, "wl": Y, "sl": Y}.items():
        text = to_json(fairlead.loads(IF_IT_LIKES.replace("{a}", f"{kind}(a)")).graph("System()"))
        graph = fairlead.loads(text, "json")
        assert json.loads(text)["annotations"] == {f"{kind}(a)": [0, 1]}
        assert graph.check(graph.formula("[]<> a")).verdict is expected
        assert json.loads(to_json(graph.graph())) == json.loads(text)


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ("[]", "'annotations' must be an object"),
        ('{"xf(a)": [0]}', "'xf\\(a\\)' is not an annotation"),
        ('{"wf(a)": 3}', "must be a list of states"),
        ('{"wf(a)": [7]}', "states are numbered below 1"),
        ('{"wf(tau)": [0]}', "only events can be annotated"),
    ],
)
def test_bad_annotations_of_graphs(annotations: str, message: str) -> None:
    text = f'{{"states": 1, "transitions": [[0, "a", 0]], "annotations": {annotations}}}'
    with pytest.raises(fairlead.InputError, match=message):
        fairlead.loads(text, "json")
