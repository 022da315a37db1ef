"""What documents ask, and how long a verdict stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairlead.service.documents import Document, Workspace
from fairlead.service.jobs import Job, ResultEvent, Status
from fairlead.service.requests import JobKind, request
from fairlead.service.verdicts import Answers, Verdicts, asked, basis_of_all

CSP = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
#assert P() deadlockfree;
"""
FSP = """\
A = (a -> A | b -> A).
||S = (x:A || y:A).
||T = A.
fluent F = <a, b>
assert L = []<>x.a
assert M = (L && []<>y.a)
constraint C = []!x.b
progress P = {x.a}
"""


def opened(text: str, path: Path = Path("/m/m.csp")) -> tuple[Workspace, Document]:
    workspace = Workspace()
    return workspace, workspace.open(path, text)


def bases(text: str, path: Path = Path("/m/m.csp")) -> dict[str, str]:
    return {one.question.text: one.basis for one in asked(*opened(text, path))}


def test_what_is_asked() -> None:
    found = [(one.question.text, one.question.has_formula) for one in asked(*opened(CSP))]
    assert found == [("P() |= []<> b", True), ("P() deadlockfree", False)]
    found = [(one.question.text, one.question.has_formula) for one in asked(*opened(FSP, Path("/m/m.lts")))]
    assert found == [
        ("||S", False),
        ("||T", False),
        ("assert L = []<>x.a", True),
        ("assert M = (L && []<>y.a)", True),
        ("progress P = {x.a}", True),
    ]
    assert asked(*opened("des (0, 1, 2)\n", Path("/m/m.aut"))) == ()


def test_a_long_question_is_told_whole() -> None:
    formula = " && ".join(f"[]<> a{number}" for number in range(30))
    (found,) = asked(*opened(f"#assert P() |=\n  {formula};\n"))
    assert found.question.text == f"P() |= {formula}"


@pytest.mark.parametrize(
    "other",
    [
        f"// a remark\n\n{CSP}\n",
        CSP.replace(" -> ", "->").replace("\n", "   \n"),
        CSP.replace("deadlockfree", "deterministic"),
        f"#assert P() reaches on == 2;\n{CSP}",
        CSP.replace("#assert P() deadlockfree;", "#assert P() |= ["),
    ],
)
def test_a_verdict_stays_while_its_words_do(other: str) -> None:
    question = "P() |= []<> b"
    assert bases(other)[question] == bases(CSP)[question]


@pytest.mark.parametrize(
    "other",
    [
        CSP.replace("false", "true"),
        CSP.replace("turn{", "turn2{"),
        f"var more;\n{CSP}",
        CSP.replace("[on] ", ""),
        CSP.replace("var on", "/* var on").replace("false;", "false; */"),
    ],
)
def test_a_verdict_goes_when_the_model_changes(other: str) -> None:
    question = "P() |= []<> b"
    assert bases(other)[question] != bases(CSP)[question]
    assert bases(CSP)["P() deadlockfree"] != bases(CSP)[question]


def test_assertions_of_fsp_depend_on_those_they_name() -> None:
    path = Path("/m/m.lts")
    before, after = bases(FSP, path), bases(FSP.replace("[]<>x.a", "<>x.a"), path)
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {"assert L = []<>x.a", "assert M = (L && []<>y.a)"}
    after = bases(FSP.replace("constraint C = []!x.b", "constraint C = []!y.b"), path)
    assert all(before[name] != after[name] for name in before)


def test_included_files_count(tmp_path: Path) -> None:
    (tmp_path / "part.csp").write_text("Q() = a -> Q();\n#assert Q() deadlockfree;\n")
    workspace = Workspace()
    whole = workspace.open(tmp_path / "m.csp", '#include "part.csp";\n#assert Q() |= []<> a;\n')
    (before,) = asked(workspace, whole)
    part = workspace.open(tmp_path / "part.csp", "Q() = a -> Q();\n")
    assert asked(workspace, whole)[0].basis == before.basis  # the question there is another one
    workspace.open(tmp_path / "part.csp", "Q() = b -> Q();\n#assert Q() deadlockfree;\n")
    assert asked(workspace, whole)[0].basis != before.basis
    (inside,) = asked(workspace, workspace.documents[1])
    assert inside.path == part.path and inside.subject == whole.path
    workspace.close(whole.path)
    assert asked(workspace, workspace.documents[0])[0].subject == part.path


def test_an_imported_graph_counts(tmp_path: Path) -> None:
    (tmp_path / "g.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    path, text = tmp_path / "m.lts", 'import G = "g.aut"\n||S = G.\n'
    before = bases(text, path)
    (tmp_path / "g.aut").write_text('des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n')
    assert bases(text, path) != before


def checked(workspace: Workspace, document: Document, verdicts: Verdicts, **given: Any) -> list[Any]:
    answers = Answers(workspace, document)
    with Job(request(workspace, document, JobKind.CHECK, **given)) as job:
        found = [event for event in job.events() if isinstance(event, ResultEvent)]
        outcome = job.outcome()
    assert outcome.status is Status.DONE, outcome.message
    return [verdicts.note(answers, event) for event in found]


def test_results_find_their_questions() -> None:
    workspace, document = opened(CSP)
    verdicts = Verdicts()
    checked(workspace, document, verdicts, fairness="none,esf", shown=True)
    formula, deadlock = asked(workspace, document)
    found = verdicts.of(formula.basis)
    assert [(one.name[1], one.verdict, one.has_run) for one in found] == [
        ("none", "violated", True),
        ("esf", "holds", False),
    ]
    assert found[0].shown is not None and "fl-timeline" in found[0].shown.html
    assert found[0].shown.files == (str(document.path),) and "loop" in found[0].shown.text
    assert [one.verdict for one in verdicts.of(deadlock.basis)] == ["holds"]
    steps = found[0].shown.steps
    assert [step["event"] for step in steps] == ["turn"] * len(steps) and steps[-1]["in_loop"]
    assert {(place["line"], place["column"]) for place in steps[0]["places"]} >= {(2, 7)}
    document = workspace.open(document.path, CSP.replace("turn{", "flip{"))
    assert all(verdicts.of(one.basis) == () for one in asked(workspace, document))
    document = workspace.open(document.path, f"// the same\n{CSP}")
    assert len(verdicts.of(asked(workspace, document)[0].basis)) == 2


def test_only_some_places_can_be_asked(tmp_path: Path) -> None:
    workspace, document = opened(CSP, tmp_path / "m.csp")
    _, deadlock = asked(workspace, document)
    (found,) = checked(workspace, document, Verdicts(), places=(deadlock.place,))
    assert found.result["assertion"] == "P() deadlockfree" and found.shown is None


def test_questions_in_included_files_are_asked_of_the_whole(tmp_path: Path) -> None:
    workspace = Workspace()
    part = workspace.open(tmp_path / "part.csp", "Q() = [x == 0] a -> Q();\n#assert Q() deadlockfree;\n")
    whole = workspace.open(tmp_path / "m.csp", '#include "part.csp";\nvar x = 0;\n')
    (question,) = asked(workspace, part)
    verdicts = Verdicts()
    (found,) = checked(workspace, whole, verdicts, places=(question.place,))
    assert found.verdict == "holds" and verdicts.of(question.basis) == (found,)


def test_results_without_a_place_belong_to_the_whole(tmp_path: Path) -> None:
    workspace, document = opened("A = (a -> A).\n", tmp_path / "m.lts")
    verdicts = Verdicts()
    checked(workspace, document, verdicts)
    assert [one.name[0] for one in verdicts.of(basis_of_all(workspace, document))] == [
        "DEFAULT safety",
        "DEFAULT progress default",
    ]


def test_a_place_without_a_question_is_refused(tmp_path: Path) -> None:
    workspace, document = opened("P() = a -> P();\n#assert P() |= ;\n", tmp_path / "m.csp")
    (question,) = asked(workspace, document)
    with Job(request(workspace, document, JobKind.CHECK, places=(question.place,))) as job:
        assert job.outcome().status is Status.REFUSED


def test_old_verdicts_make_room() -> None:
    workspace, document = opened(CSP)
    verdicts = Verdicts(most=1)
    checked(workspace, document, verdicts)
    formula, deadlock = asked(workspace, document)
    assert verdicts.of(formula.basis) == () and len(verdicts.of(deadlock.basis)) == 1
