"""Certificates as users ask for them: of the examples, in Python, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fairlead
from fairlead.api.questions import refinement_question
from fairlead.base.diagnostics import InputError
from fairlead.certify.container import Certificate
from fairlead.certify.program import main
from fairlead.cli.main import run
from fairlead.outcome.finding import Verdict
from tests.support.examples.loading import find_example
from tests.support.places import ROOT

NOTIONS = [notion.value for notion in fairlead.Fairness]
#: small examples of every language, with every kind of question
SAMPLE = (
    "peterson.csp",
    "dining_philosophers.csp",
    "token_ring.csp",
    "single_lane_bridge.lts",
    "door.csp",
)
EXAMPLES = sorted(
    path for path in (ROOT / "examples").rglob("*") if path.suffix in (".csp", ".lts", ".json", ".aut")
)
#: models that the checker does not read, and why
UNREAD = {"pipeline.lts": "minimal"}

LINE = """Sender() = send -> Line();
Line() = sf(deliver) -> Sender() [] lose -> Sender();
Clock() = wf(tick) -> Clock();
System() = Sender() ||| Clock();
#assert System() |= []<> tick;
#assert System() |= []<> send -> []<> deliver;
#assert System() |= []<> deliver;
"""
GOALS = """var n = 0;
P() = [n < 3] up{n = n + 1;} -> P() [] [n == 3] rest -> P();
#define high n > 2;
#define higher n > 3;
#assert P() reaches high;
#assert P() reaches higher;
#assert P() reaches high with min(n);
#assert P() reaches higher with max(n);
#assert P() nonterminating;
#assert P() deterministic;
#assert P() divergencefree;
"""
CHOICES = """External() = a -> (b -> Stop [] c -> Stop);
Internal() = a -> b -> Stop [] a -> c -> Stop;
Straight() = a -> b -> Stop;
Spinning() = a -> Spin();
Spin() = tau -> Spin() [] b -> Stop;
#assert Internal() refines External();
#assert External() refines<FD> Internal();
#assert Spinning() refines<F> Straight();
#assert External() refines<FD> Spinning();
"""


def python_beside(path: Path) -> list[str]:
    beside = path.with_suffix(".py")
    is_imported = f'#import "{beside.name}"' in path.read_text(encoding="utf-8")
    return [str(beside)] if is_imported else []


def certify(path: Path, certificate: Path) -> int:
    return main([str(path), str(certificate), *(f"--allow-python={one}" for one in python_beside(path))])


def check_example(path: Path, folder: Path) -> int:
    """Everything that holds, under every notion, is certified and accepted; how many answers there are."""
    model = fairlead.load(path, allow_python=python_beside(path))
    certificate = folder / "certificate"
    results = model.check_all(fairness=NOTIONS, certificate=certificate, vacuity=False)
    answered = [result for result in results if result.verdict is Verdict.HOLDS]
    for result in answered:
        assert result.certified is not None
        allowed = result.subject is not None and result.subject.kind == "ctl"
        assert result.certified.problem is None or allowed, (path.name, result.certified.problem)
    if certificate.exists():
        status = certify(path, certificate)
        assert status == (1 if path.name in UNREAD else 0), path.name
        certificate.unlink()
    return len(answered)


@pytest.mark.parametrize("name", SAMPLE)
def test_examples(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_example(find_example(name), tmp_path) > 0
    assert "REJECTED" not in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_all_examples(path: Path, tmp_path: Path) -> None:
    check_example(path, tmp_path)


def written(source: str, folder: Path, **given: object) -> tuple[Path, Path, fairlead.Results]:
    path, certificate = folder / "model.csp", folder / "certificate"
    path.write_text(source)
    return path, certificate, fairlead.load(path).check_all(certificate=certificate, **given)  # type: ignore[arg-type]


def test_goals_and_single_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, certificate, results = written(GOALS, tmp_path)
    assert [result.verdict.value for result in results] == ["holds", "violated"] * 2 + ["holds"] * 3
    assert all(result.certified and result.certified.problem is None for result in results)
    assert certify(path, certificate) == 0
    assert capsys.readouterr().out.count("accepted  violated") == 2


def test_refinement(tmp_path: Path) -> None:
    path, certificate, results = written(CHOICES, tmp_path)
    assert all(results) and all(result.certified for result in results)
    assert certify(path, certificate) == 0
    assert len(Certificate(certificate).entries) == 4
    model = fairlead.load(path)
    other = refinement_question("Straight()", "T", "Straight()", model._loaded.system("Straight()"))
    result = model.check(other, certificate=certificate)
    assert result.certified is not None and "another model" in str(result.certified.problem)


def test_annotations(tmp_path: Path) -> None:
    for notion in NOTIONS:
        path, certificate, results = written(LINE, tmp_path, fairness=notion)
        assert certify(path, certificate) == 0
        claims = [listed.claim for listed in Certificate(certificate).entries]
        assert len(claims) == sum(result.verdict is Verdict.HOLDS for result in results)


@pytest.mark.parametrize(
    "fair",
    [
        "GF deliver",
        "GF send -> GF deliver",
        "FG tick || GF deliver",
        "all processes p: weak(p)",
        "all events e: strong(e)",
        "some process p: GF executed(p)",
        "impartial && (GF deliver || FG !lose)",
    ],
)
def test_fairness_formulas(fair: str, tmp_path: Path) -> None:
    for notion in ("none", "psf", "sgf"):
        path, certificate, results = written(LINE, tmp_path, fairness=notion, fair=fair)
        holding = sum(result.verdict is Verdict.HOLDS for result in results)
        if holding:
            assert certify(path, certificate) == 0
            assert len(Certificate(certificate).entries) == holding


def test_what_holds_vacuously(tmp_path: Path) -> None:
    source = "P() = a -> Stop;\nQ() = b -> Q();\nS() = P() ||| Q();\n#assert S() |= []<> a;\n"
    path, certificate, results = written(source, tmp_path, fairness="impartial")
    assert results[0].nothing_is_fair
    assert certify(path, certificate) == 0


def test_progress_under_other_notions(tmp_path: Path) -> None:
    path, certificate = tmp_path / "model.lts", tmp_path / "certificate"
    path.write_text("P = (a -> b -> P | c -> P).\nprogress A = {a}\nprogress B = if {a} then {b}\n")
    for notion in NOTIONS:
        results = fairlead.load(path).check_all(fairness=notion, certificate=certificate)
        assert any(results)
        assert main([str(path), str(certificate)]) == 0


def test_what_cannot_be_certified_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.csp"
    path.write_text("P() = a -> P();\n")
    certificate = tmp_path / "certificate"
    asked = ["check", str(path), "--ctl", "AG EF a", "--certificate", str(certificate)]
    assert run(asked) == 0
    assert "not certified: ctl cannot be certified yet" in capsys.readouterr().out
    assert not certificate.exists()
    run([*asked, "--json"])
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["certificate"] == {"file": None, "reason": "ctl cannot be certified yet"}


def test_reductions_fall_back_to_the_whole_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, certificate = find_example("peterson.csp"), tmp_path / "certificate"
    for option in ("--reduction=por", "--reduction=symmetry", "--reduction=variables", "--counters"):
        arguments = ["check", str(path), "2", "3", option, "--certificate", str(certificate)]
        assert run(arguments) == 0
        shown = capsys.readouterr().out
        assert "certificates are of whole systems as yet" in shown and "certified: 2 answers" in shown
        assert certify(path, certificate) == 0


def test_outputs_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, certificate, page = find_example("peterson.csp"), tmp_path / "certificate", tmp_path / "page.html"
    arguments = ["check", str(path), "2", "--certificate", str(certificate)]
    assert run([*arguments, "--html", str(page)]) == 0
    assert f"certified: 1 answer in {certificate}" in capsys.readouterr().out
    assert f"certified: 1 answer in {certificate}" in page.read_text(encoding="utf-8")
    assert run([*arguments, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["certificate"] == {"file": str(certificate)}


def test_a_violated_assertion_needs_none(tmp_path: Path) -> None:
    _, certificate, results = written("P() = a -> Stop;\n#assert P() deadlockfree;\n", tmp_path)
    assert results[0].certified is None
    assert not certificate.exists()


def test_limits_leave_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, certificate = find_example("peterson.csp"), tmp_path / "certificate"
    arguments = ["check", str(path), "1", "-D", "N=4", "--fairness", "psf", "--certificate", str(certificate)]
    assert run([*arguments, "--max-states", "100"]) == 3
    assert not certificate.exists()
    capsys.readouterr()


def test_files_that_cannot_be_written_are_told_at_once(tmp_path: Path) -> None:
    model = fairlead.loads("P() = a -> P();\n#assert P() deadlockfree;\n")
    with pytest.raises(InputError, match="cannot write"):
        model.check_all(certificate=tmp_path)
    with pytest.raises(InputError, match="cannot write"):
        model.check_all(certificate=tmp_path / "none" / "certificate")


def test_a_certificate_is_of_one_model(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(find_example("peterson.csp"))
    assert run(["check", path, "-D", "N=2..3", "--certificate", "x"]) == 2
    assert "--certificate is for one model" in capsys.readouterr().err


def test_texts_are_certified_as_files_are(tmp_path: Path) -> None:
    source = "P() = a -> P();\r\n#assert P() deadlockfree;\r\n"
    certificate = tmp_path / "certificate"
    fairlead.loads(source).check_all(certificate=certificate)
    (tmp_path / "model.csp").write_text(source)
    assert main([str(tmp_path / "model.csp"), str(certificate)]) == 0


def test_included_files_are_part_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "parts.csp").write_text("P() = a -> P();\n")
    source = '#include "parts.csp";\n#assert P() deadlockfree;\n'
    path, certificate, _ = written(source, tmp_path)
    assert main([str(path), str(certificate)]) == 0
    (tmp_path / "parts.csp").write_text("P() = a -> P();\n// more\n")
    assert main([str(path), str(certificate)]) == 1
