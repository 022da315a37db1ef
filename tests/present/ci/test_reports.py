"""JUnit and SARIF: what the reports say about every kind of answer, in the form that readers expect."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fairlead.base import writing
from fairlead.base.diagnostics import Code, input_error
from fairlead.checker.kinds import all_kinds
from fairlead.cli.main import run
from fairlead.present.ci.rules import problem_rule, question_rule
from tests.support.ci.reports import locations_of, reported
from tests.support.places import EXAMPLES

MODELS = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".csp", ".lts", ".aut", ".json"))
LIGHT = """var on = false;
Switch(i) = [on == (i == 0)]
            flip.i{on = !on;} -> Switch(i);
Light() = Switch(0) ||| Switch(1);
#assert Light() |= []<> flip.0;
#assert Light() |= [] !on;
#assert Light() deadlockfree;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "light.csp").write_text(LIGHT, encoding="utf-8")
    return tmp_path


def results_of(log: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log["runs"][0]["results"]
    return found


def place_of(result: dict[str, Any]) -> tuple[str, int, int | None]:
    place = result["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"], place["region"].get("startColumn")


# ---------------------------------------------------------------- every model


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_reports_on_the_examples(model: Path, tmp_path: Path) -> None:
    questions = ["deadlockfree", "deterministic"] if model.suffix in (".aut", ".json") else []
    _, _, log = reported(tmp_path, str(model), *questions, "--fairness", "none,psf", "--max-states", "2000")
    asserted = model.read_text(encoding="utf-8", errors="replace").splitlines()
    for result in results_of(log):
        if "verdict" in result.get("properties", {}) and model.suffix == ".csp":
            name, line, _ = place_of(result)
            assert name.endswith(".csp") and (model.name not in name or "#assert" in asserted[line - 1])


# ---------------------------------------------------------------- JUnit


def test_cases_and_counterexamples(folder: Path) -> None:
    status, (suite,), _ = reported(folder, "light.csp")
    assert status == 1
    assert suite.get("name") == "light.csp"
    names = [(case.get("classname"), case.get("name"), [child.tag for child in case]) for case in suite]
    assert names == [
        ("light.Light()", "Light() |= []<> flip.0 [none]", []),
        ("light.Light()", "Light() |= [] !on [none]", ["failure"]),
        ("light.Light()", "Light() deadlockfree [none]", []),
    ]
    failure = suite[1][0]
    assert failure.get("type") == "violated"
    assert failure.get("message") == "Light() |= [] !on: violated [none]"
    assert failure.text is not None
    assert failure.text.splitlines() == [
        "light.csp:6:9:",
        "Light() |= [] !on: violated [none]",
        "start: on=false",
        "steps:",
        "     1  flip.1  Switch(1)  on: false → true",
    ]


def test_notions_and_formulas_name_cases(folder: Path) -> None:
    arguments = ("light.csp", "1", "--fairness", "none,psf", "--fair", "weak(Switch(0))")
    _, (suite,), _ = reported(folder, *arguments)
    assert [case.get("name") for case in suite] == [
        "Light() |= []<> flip.0 [weak(Switch(0))]",
        "Light() |= []<> flip.0 [psf + weak(Switch(0))]",
    ]


def test_definitions_are_properties(folder: Path) -> None:
    (folder / "n.csp").write_text(
        "#define N 2;\nP = [N > 1] a -> P;\n#assert P deadlockfree;", encoding="utf-8"
    )
    _, (suite,), _ = reported(folder, "n.csp", "-D", "N=1")
    assert [(each.get("name"), each.get("value")) for each in suite[0]] == [("N", "1")]


def test_unknown_is_an_error(folder: Path) -> None:
    status, (suite,), log = reported(folder, "light.csp", "3", "--max-states", "1")
    assert status == 3
    assert (suite[0][0].tag, suite[0][0].get("type")) == ("error", "max-states")
    (result,) = results_of(log)
    assert (result["level"], result["properties"]["reason"]) == ("warning", "max-states")
    assert "unknown, max-states reached" in result["message"]["text"]


def test_vacuous_answers_are_told(folder: Path) -> None:
    status, (suite,), log = reported(folder, "light.csp", "1", "--fair", "GF on && FG !on")
    assert status == 0
    assert suite[0][0].tag == "system-out" and "vacuously" in str(suite[0][0].text)
    (result,) = results_of(log)
    assert result["level"] == "note" and "vacuously: no fair execution" in result["message"]["text"]
    _, (suite,), log = reported(folder, "light.csp", "--ltl", "[](flip.1 && flip.0 -> <> on)")
    assert "vacuously" in str(suite[0][0].text)
    assert [result["level"] for result in results_of(log)] == ["note"]


def test_characters_that_xml_cannot_have(folder: Path) -> None:
    (folder / "graph.json").write_text(
        json.dumps({"states": 2, "transitions": [[0, "\x1b[31m<&>\x07]]>", 1]]}), encoding="utf-8"
    )
    _, (suite,), log = reported(folder, "graph.json", "deadlockfree", "deterministic", '|= [] "\x01"')
    text = "".join(suite.itertext())
    assert "\\x1b[31m<&>\\x07]]>" in text
    assert not any(ord(character) < 32 and character not in "\t\n\r" for character in text)
    assert "\x1b[31m" in json.dumps(results_of(log), ensure_ascii=False).replace("\\u001b", "\x1b")


def test_names_of_files_of_any_bytes(folder: Path) -> None:
    name = os.fsdecode(b"l\xffght \xc3\xa9.csp")
    (folder / name).write_text(LIGHT, encoding="utf-8")
    _, (suite,), log = reported(folder, name)
    assert suite.get("name") == "l\\udcffght é.csp"
    assert place_of(results_of(log)[0])[0] == "l%FFght%20%C3%A9.csp"


# ---------------------------------------------------------------- SARIF


def test_places_and_code_flows(folder: Path) -> None:
    _, _, log = reported(folder, "light.csp")
    (result,) = results_of(log)
    assert (result["ruleId"], result["level"]) == ("ltl", "error")
    assert place_of(result) == ("light.csp", 6, 9)
    assert result["locations"][0]["logicalLocations"] == [{"name": "Light()"}]
    facts = result["properties"]
    assert facts == {
        "assertion": "Light() |= [] !on",
        "verdict": "violated",
        "fairness": "none",
        "states": 2,
        "transitions": 1,
    }
    ((flow,),) = [code["threadFlows"] for code in result["codeFlows"]]
    start, step = flow["locations"]
    assert start["location"]["message"]["text"] == "start: on=false"
    assert step["location"]["message"]["text"] == "1. flip.1 by Switch(1): on: false → true"
    assert step["location"]["physicalLocation"]["region"] == {
        "startLine": 2, "startColumn": 13, "endLine": 3, "endColumn": 43,
    }  # fmt: skip
    assert (step["nestingLevel"], step["state"]) == (0, {"on": {"text": "true"}})
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["ltl", "deadlock"]


def test_loops_are_nested(folder: Path) -> None:
    model = next(path for path in MODELS if path.name == "peterson.csp")
    _, _, log = reported(folder, str(model), "1")
    (result,) = results_of(log)
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    levels = [step.get("nestingLevel") for step in steps]
    assert levels == [None, *sorted(levels[1:])] and {0, 1} >= set(levels[1:]) and 1 in levels
    first = next(step for step in steps if step.get("nestingLevel") == 1)
    assert first["location"]["message"]["text"].startswith("loop (repeats forever): ")


def test_each_run_of_a_demonstration_is_a_flow(folder: Path) -> None:
    _, _, log = reported(folder, "light.csp", "--ctl", "AG (on -> AX on) || AX AX on")
    (result,) = results_of(log)
    shown = [flow["message"]["text"] for flow in result["codeFlows"]]
    assert shown == ["shows EF (on && EX !on)", "shows EX !on", "shows EX EX !on", "shows EX !on"]


def test_long_runs_are_cut(folder: Path) -> None:
    (folder / "count.csp").write_text(
        "var x = 0;\nP = [x < 900] a{x = x + 1;} -> P;\n#assert P deadlockfree;", "utf-8"
    )
    _, _, log = reported(folder, "count.csp")
    (result,) = results_of(log)
    steps = [
        step["location"]["message"]["text"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]
    ]
    assert len(steps) == 402 and "… 500 more steps …" in steps
    assert steps[-1].startswith("900. a by P(): x: 899 → 900")


def test_questions_of_the_command_are_at_the_beginning_of_the_model(folder: Path) -> None:
    _, _, log = reported(folder, "light.csp", "Light() |= [] on")
    (result,) = results_of(log)
    assert place_of(result) == ("light.csp", 1, None)


def test_included_files_and_folders(folder: Path) -> None:
    (folder / "models" / "parts").mkdir(parents=True)
    (folder / "models" / "main.csp").write_text('#include "parts/part.csp";\nP = a -> Q;', encoding="utf-8")
    (folder / "models" / "parts" / "part.csp").write_text(
        "Q = b -> Stop;\n#assert Q deadlockfree;", encoding="utf-8"
    )
    _, _, log = reported(folder, "models/main.csp")
    (result,) = [found for found in results_of(log) if found["ruleId"] != "unused"]
    assert place_of(result) == ("models/parts/part.csp", 2, 9)
    assert log["runs"][0]["automationDetails"]["id"] == "fairlead/models/main.csp/"


def test_models_outside_of_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    _, _, log = reported(folder / "below", "../light.csp")
    location = results_of(log)[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (folder / "light.csp").as_uri()}


FSP = """const N = 2
P = (a -> P | b -> STOP).
||S = P.
progress A = {a}
assert EVER = []<>a
"""


def test_places_in_fsp(folder: Path) -> None:
    (folder / "s.lts").write_text(FSP, encoding="utf-8")
    _, (suite,), log = reported(folder, "s.lts")
    assert [place_of(result)[:2] for result in results_of(log)] == [("s.lts", 3), ("s.lts", 4), ("s.lts", 5)]
    assert {case.get("classname") for case in suite} == {"s.S"}


def test_fingerprints_stay_when_lines_move(folder: Path) -> None:
    _, _, before = reported(folder, "light.csp", "--fairness", "none,psf")
    (folder / "light.csp").write_text("// moved\n\n" + LIGHT, encoding="utf-8")
    _, _, after = reported(folder, "light.csp", "--fairness", "none,psf")
    prints = [[result["partialFingerprints"] for result in results_of(log)] for log in (before, after)]
    assert prints[0] == prints[1]
    assert place_of(results_of(before)[0])[1] + 2 == place_of(results_of(after)[0])[1]


# ---------------------------------------------------------------- problems


def test_a_model_with_a_mistake(folder: Path) -> None:
    (folder / "wrong.csp").write_text("P = a ->\n  ;\n", encoding="utf-8")
    status, (suite,), log = reported(folder, "wrong.csp")
    assert status == 2
    assert (suite[0].get("name"), suite[0].get("classname")) == ("fairlead check", "wrong")
    assert suite[0][0].get("type") == "syntax" and "wrong.csp:2:3: error" in str(suite[0][0].text)
    (result,) = results_of(log)
    assert (result["ruleId"], result["level"], place_of(result)) == ("syntax", "error", ("wrong.csp", 2, 3))
    assert log["runs"][0]["invocations"] == [{"executionSuccessful": False}]


def test_related_places(folder: Path) -> None:
    (folder / "clash.csp").write_text("P = a -> P;\nP = b -> P;\n", encoding="utf-8")
    _, _, log = reported(folder, "clash.csp", "P deadlockfree")
    (result,) = results_of(log)
    assert [place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]] == [1]


@pytest.mark.parametrize("others", [(), ("2",)], ids=["alone", "beside others"])
def test_a_question_with_a_mistake(folder: Path, others: tuple[str, ...]) -> None:
    status, (suite,), log = reported(folder, "light.csp", *others, "Light() |= [] of")
    assert status == 2
    case = suite[-1]
    assert case.get("name") == "Light() |= [] of" and case.get("classname") == "light.Light()"
    assert len(suite) == 1 + len(others)
    result = results_of(log)[-1]
    assert result["message"]["text"].startswith("in assertion: 'of' is neither")
    assert (place_of(result), result["properties"]) == (
        ("light.csp", 1, None),
        {"assertion": "Light() |= [] of"},
    )


def test_an_error_at_run_time(folder: Path) -> None:
    (folder / "range.csp").write_text(
        "var x:{0..1};\nP = a{x = x + 1;} -> P;\n#assert P deadlockfree;\n#assert P |= <> a;",
        encoding="utf-8",
    )
    _, _, log = reported(folder, "range.csp")
    assert [(result["ruleId"], place_of(result)[:2]) for result in results_of(log)] == [
        ("value-out-of-range", ("range.csp", 2))
    ] * 2


def test_warnings(folder: Path) -> None:
    (folder / "s.lts").write_text(FSP.replace("{a}", "{z}"), encoding="utf-8")
    _, _, log = reported(folder, "s.lts")
    warnings = [result for result in results_of(log) if result["ruleId"] == "no-effect"]
    assert [(warning["level"], place_of(warning)[:2]) for warning in warnings] == [("warning", ("s.lts", 4))]


def test_a_missing_model(folder: Path) -> None:
    status, _, log = reported(folder, "missing.csp")
    assert status == 2
    assert [(result["ruleId"], place_of(result)) for result in results_of(log)] == [
        ("file", ("missing.csp", 1, None))
    ]


def test_every_kind_and_code_has_a_rule() -> None:
    kinds = {kind.name for kind in all_kinds()}
    assert all(question_rule(kind)["shortDescription"]["text"] for kind in kinds)
    assert all(problem_rule(code)["shortDescription"]["text"] for code in Code)
    assert not kinds & {code.value for code in Code}


# ---------------------------------------------------------------- files


def test_beside_json_and_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(["check", "light.csp", "2", "--json"]), capsys.readouterr().out
    published = (
        run(["check", "light.csp", "2", "--json", "--junit", "j.xml", "--sarif", "s.sarif"]),
        capsys.readouterr().out,
    )
    both = [json.loads(text)["results"][0] for _, text in (plain, published)]
    for result in both:
        del result["seconds"]
    assert both[0] == both[1] and plain[0] == published[0] == 1
    assert sorted(path.name for path in folder.iterdir()) == ["j.xml", "light.csp", "s.sarif"]


@pytest.mark.parametrize("option", ["--junit", "--sarif"])
@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_what_cannot_be_written_is_told_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str], option: str, as_json: tuple[str, ...]
) -> None:
    other = {"--junit": "--sarif", "--sarif": "--junit"}[option]
    status = run(["check", "light.csp", option, "missing/report", other, "other", *as_json])
    captured = capsys.readouterr()
    assert status == 2
    assert "error[file]: cannot write 'missing/report': No such file or directory" in captured.err
    assert "violated" not in captured.out  # nothing was asked yet
    assert (json.loads(captured.out)["errors"][0]["code"] == "file") if as_json else not captured.out
    assert [path.name for path in folder.iterdir()] == ["light.csp"]


def test_a_folder_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "light.csp", "--junit", "."]) == 2
    assert "directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--junit", "both", "--sarif", "./both"), "this file is --junit already"),
        (("--html", "both", "--sarif", "./both"), "this file is --html already"),
        (("--sarif", "light.csp"), "--sarif light.csp: this file is the model already"),
    ],
)
def test_files_are_not_used_twice(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert run(["check", "light.csp", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert (folder / "light.csp").read_text(encoding="utf-8") == LIGHT and not (folder / "both").exists()


def test_an_old_report_is_replaced_whole(folder: Path) -> None:
    report = folder / "report.xml"
    report.write_text("old", encoding="utf-8")
    report.chmod(0o640)
    assert run(["check", "light.csp", "--quiet", "--junit", str(report)]) == 1
    assert ElementTree.parse(report).getroot().tag == "testsuites" and report.stat().st_mode & 0o777 == 0o640


def test_a_disk_that_is_full_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, text: str) -> None:
        raise input_error(Code.FILE, f"cannot write '{path}': No space left on device")

    monkeypatch.setattr(writing, "write_whole", full)
    assert run(["check", "light.csp", "--json", "--junit", "report.xml"]) == 2
    captured = capsys.readouterr()
    assert "No space left" in captured.err
    assert json.loads(captured.out)["errors"][0]["code"] == "file"


def test_every_location_is_in_a_known_file(folder: Path) -> None:
    _, _, log = reported(folder, "light.csp", "--fairness", "all")
    names = {
        location["physicalLocation"]["artifactLocation"]["uri"]
        for result in results_of(log)
        for location in locations_of(result)
    }
    assert names == {"light.csp"}
