"""Everything that commands write as JSON is what its schema says, and little else passes as such."""

from __future__ import annotations

import json
import re
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fairlead
from fairlead.advice.advice import Outcome
from fairlead.advice.notions import Known
from fairlead.base.allowance import LimitKind
from fairlead.base.diagnostics import FAULT_CODES, Code, Severity
from fairlead.base.forms import Form, identifier
from fairlead.checker.kinds import all_kinds
from fairlead.cli.main import run
from fairlead.evidence.terminal import Ending
from fairlead.logic.fairness.notions import CLASSIC, Fairness
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import TOO_LONG
from fairlead.outcome.vacuity import VacuityKind
from fairlead.papers.run import Agreement
from fairlead.present.schemas import schema, schema_text
from fairlead.simulation.value import Shows, Status
from tests.support.documents import MODELS, checked, mutations, output, require_valid, validator
from tests.support.generators.csp_models import random_model
from tests.support.places import EXAMPLES, ROOT

LIMITS = ("--max-states", "500")
LIGHT = """
var on = false;
Switch(i) = [on == (i == 0)] flip.i{on = !on;} -> Switch(i);
Light() = Switch(0) ||| Switch(1);
#assert Light() |= []<> flip.0;
#assert Light() |= [] !on;
"""


@pytest.fixture
def light(tmp_path: Path) -> str:
    path = tmp_path / "light.csp"
    path.write_text(LIGHT, encoding="utf-8")
    return str(path)


# ---------------------------------------------------------------- what is written is allowed


def questions(model: Path) -> list[str]:
    return ["deadlockfree", "deterministic", "|= []<> a"] if model.suffix in (".aut", ".json") else []


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
@pytest.mark.parametrize("fairness", ["all", "impartial"])
def test_results_of_the_examples(model: Path, fairness: str) -> None:
    checked(str(model), *questions(model), "--fairness", fairness, *LIMITS)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
@pytest.mark.parametrize(
    "options",
    [
        ("--counters",),
        ("--reduction", "por"),
        ("--reduction", "symmetry"),
        ("--fair", "GF nothing"),
        ("--max-states", "2"),
    ],
    ids=" ".join,
)
def test_results_of_the_examples_found_otherwise(model: Path, options: tuple[str, ...]) -> None:
    checked(str(model), *questions(model), *options, *(() if "--max-states" in options else LIMITS))


CTL = ("EF EG true", "AG EF true", "A [] <> false", "EX EX false", "E (X true && <> false)", "AG AF true")


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_demonstrations_of_the_examples(model: Path) -> None:
    asked = [part for formula in CTL for part in ("--ctl", formula)]
    for process in processes_of(model):
        chosen = () if process is None else ("--process", process)
        checked(str(model), *asked, *chosen, "--states", "--finite-paths", "--max-states", "100")
        checked(str(model), *asked, *chosen, "--fairness", "psf", "--max-states", "100")


def processes_of(model: Path) -> list[str | None]:
    try:
        found = {assertion.process for assertion in fairlead.load(model).assertions}
    except fairlead.FairleadError:
        return []
    return sorted(found)[:1] or [None]


@pytest.mark.parametrize("chunk", range(4))
def test_results_of_random_models(tmp_path: Path, chunk: int) -> None:
    answered = 0
    for seed in range(chunk, 40, 4):
        path = tmp_path / "random.csp"
        path.write_text(random_model(seed), encoding="utf-8")
        formula = Random(seed).choice(["[] x0 < 1", "<> x0 == 1", "[]<> x0 == 0"])
        document = checked(
            str(path), "System() deadlockfree", "System() deterministic", "System() divergencefree",
            f"System() |= {formula}", "System() reaches x0 == 1", "System() reaches x0 >= 0 with max(x0)",
            "System() refines<FD> System()", "--fairness", "none,ewf,sgf", *LIMITS,
        )  # fmt: skip
        answered += len(document["results"])
    assert answered > 20


def test_every_field_of_counters(tmp_path: Path) -> None:
    (readers,) = (str(model) for model in MODELS if model.name == "many_readers_writers.csp")
    commands = [(readers, "--processes", "Reader=inf,Writer=inf"), (readers, "--ctl", "AG AF reading")]
    for name, text in COUNTED.items():
        path = tmp_path / f"{name}.csp"
        path.write_text(text, encoding="utf-8")
        commands.append((str(path),))
    documents = [checked(*command, "--counters", "--fairness", "pwf") for command in commands]
    found = {
        field for document in documents for result in document["results"] for field in result["counters"]
    }
    assert found == schema(Form.CHECK)["$defs"]["counters"]["properties"].keys()


def kinds_of(document: dict[str, Any]) -> set[str]:
    explained = (result["evidence"] or {} for result in document["results"])
    return {evidence["explanation"]["kind"] for evidence in explained if "explanation" in evidence}


REFINED = """
P = a -> P [] b -> Stop;  Q = a -> Q;  R = a -> R [] b -> R;  T = (a -> T) [*] (b -> T);
D = (c -> D \\ {c}) [] a -> D;  L = c -> L;  H = L \\ {c};  N = a -> N [] a -> Stop;
#assert P refines Q; #assert P refines<F> R; #assert H refines<FD> Q; #assert N deterministic;
#assert P deadlockfree; #assert H divergencefree; #assert P nonterminating;
"""
COUNTED = {
    "a run of none": """
var places = 3;
Guest() = [places > 0] enter{places--;} -> Inside();
Inside() = [places < 3] leave{places++;} -> Guest() [] [places == 3] wrong -> Stop;
Hotel() = |||{..} @ Guest();
#assert Hotel() |= [] !wrong;
#assert Hotel() |= []<> leave;
""",
    "an error of none": """
var places:{0..3} = 3;
P() = [places > 0] enter{places--;} -> Q();
Q() = leave{places++;} -> P();
R() = r -> R();
System() = (|||{..} @ P()) ||| R();
#assert System() deadlockfree;
""",
}
PROGRESS = """
P = (a -> b -> P | c -> END).  Q = (a -> ERROR | d -> Q).
||S = P. ||U = (P || Q).  W = (a -> STOP). ||V = W.
progress A = {a}
progress I = if {a} then {c}
"""


def test_every_kind_of_explanation(tmp_path: Path) -> None:
    csp, lts = tmp_path / "refined.csp", tmp_path / "progress.lts"
    csp.write_text(REFINED, encoding="utf-8")
    lts.write_text(PROGRESS, encoding="utf-8")
    found = kinds_of(checked(str(csp))) | kinds_of(checked(str(lts)))
    found |= kinds_of(checked(str(csp), "--process", "P", "--ctl", "EF AG !a"))
    faulty = tmp_path / "faulty.csp"
    faulty.write_text("var x; P() = a{x = 1 / x;} -> P(); #assert P() deadlockfree;", encoding="utf-8")
    found |= kinds_of(checked(str(faulty)))
    ring = ROOT / "bench" / "evidence" / "replicated_ring.csp"
    found |= kinds_of(checked(str(ring), "1", "-D", "N=4", "--fairness", "sgf"))
    explanations = schema(Form.CHECK)["$defs"]["explanation"]["oneOf"]
    known: set[str] = set()
    for kind in explanations:
        named = kind["properties"]["kind"]
        known |= {named["const"]} if "const" in named else set(named["enum"])
    assert found == known


@pytest.mark.parametrize(
    "arguments",
    [
        ("{light}", "Light() |= [] of"),
        ("{light}", "1", "Light() |= [] of"),
        ("{light}", "--cutoff", "1"),
        ("{light}", "-D", "N=1"),
        ("missing.csp",),
    ],
    ids=" ".join,
)
def test_errors(light: str, arguments: tuple[str, ...]) -> None:
    assert checked(*(part.format(light=light) for part in arguments))["errors"]


def test_related_places_are_told(tmp_path: Path) -> None:
    path = tmp_path / "clash.csp"
    path.write_text("P = a -> P;\nP = b -> P;\n", encoding="utf-8")
    (error,) = checked(str(path), "P deadlockfree")["errors"]
    (related,) = error["related"]
    assert (error["line"], related["line"], related["file"]) == (2, 1, str(path))


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_graphs_of_the_examples(model: Path, tmp_path: Path) -> None:
    for process in processes_of(model):
        chosen = () if process is None else ("--process", process)
        for command in (("graph",), ("minimise", "--format", "json")):
            text = output(*command, str(model), *chosen, *LIMITS)
            if not text:  # it is too large
                continue
            require_valid(Form.GRAPH, json.loads(text))
            written = tmp_path / "graph.json"
            written.write_text(text, encoding="utf-8")
            assert json.loads(text)["schema"] == identifier(Form.GRAPH)
            assert output("graph", str(written)) == text
    if model.suffix == ".json":
        require_valid(Form.GRAPH, json.loads(model.read_text(encoding="utf-8")))


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_simulations_of_the_examples(model: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("start\nrandom 5\ntrace\nback\nnonsense\n", encoding="utf-8")
    for process in processes_of(model):
        chosen = () if process is None else ("--process", process)
        lines = output("simulate", str(model), *chosen, "--json", "--script", str(script)).splitlines()
        for line in lines:
            require_valid(Form.SIMULATE, json.loads(line))
        assert {json.loads(line)["kind"] for line in lines} >= {"state", "initial", "error"}


def test_replays_and_failures(light: str, tmp_path: Path) -> None:
    script, evidence, failing = tmp_path / "script.txt", tmp_path / "evidence.json", tmp_path / "failing.csp"
    script.write_text("next\n", encoding="utf-8")
    evidence.write_text(output("check", light, "2", "--json"), encoding="utf-8")
    failing.write_text("var x:{0..1}; P = a{x = 2;} -> P [] b -> P;", encoding="utf-8")
    followed = output("simulate", light, "--replay", str(evidence), "--json", "--script", str(script))
    failed = output("simulate", str(failing), "--json", "--script", str(script))
    records = [json.loads(line) for line in (followed + failed).splitlines()]
    for record in records:
        require_valid(Form.SIMULATE, record)
    assert any("replay" in record for record in records) and any(record.get("failures") for record in records)


# ---------------------------------------------------------------- little else passes


def rejected(form: Form, document: Any) -> int:
    different = dict(mutations(form, document))  # one of each kind is enough
    for what, change in different.items():
        assert not validator(form).is_valid(change()), what
    return len(different)


#: one assertion for each trivial reason
TRIVIAL = """
var x = 0;
P = up.1{x = 1;} -> down{x = 0;} -> P;
#assert P |= [](up.2 -> <> down);
#assert P |= [](x == 0 && up.1 -> X up.1);
#assert P |= x == 1 U x == 0;
#assert P |= [](x == 0 || x != 0 || !down || down);
"""


def test_more_than_was_asked_for_has_its_form(tmp_path: Path) -> None:
    model = tmp_path / "trivial.csp"
    model.write_text(TRIVIAL + "#assert P |= [](up.1 -> <> down);", encoding="utf-8")
    document = checked(str(model), "--vacuity")
    kinds = [result["vacuity"]["kind"] for result in document["results"]]
    assert kinds == ["proposition", "antecedent", "part", "tautology", "stronger"]


def test_changed_results_are_rejected(light: str, tmp_path: Path) -> None:
    csp, lts, counted = (tmp_path / name for name in ("refined.csp", "progress.lts", "counted.csp"))
    csp.write_text(REFINED, encoding="utf-8")
    lts.write_text(PROGRESS, encoding="utf-8")
    counted.write_text(COUNTED["a run of none"], encoding="utf-8")
    trivial = tmp_path / "trivial.csp"
    trivial.write_text(TRIVIAL, encoding="utf-8")
    documents = [
        checked(str(trivial)),
        checked(light),
        checked(light, "1", "Light() |= [] of"),
        checked(light, "--ctl", "EF (on && EG EX on)", "--states"),
        checked(light, "--reduction", "por"),
        checked(light, "--ltl", "[](flip.5 -> <> on)", "--ltl", "[](on -> <> true)"),
        checked(light, "--max-states", "1", "--fair", "GF on"),
        checked(str(csp)),
        checked(str(lts)),
        checked(str(tmp_path / "missing.csp")),
        checked(str(counted), "--counters"),
    ]
    assert sum(rejected(Form.CHECK, document) for document in documents) > 400


def test_changed_simulations_are_rejected(light: str, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("start\n1\nnonsense\n", encoding="utf-8")
    lines = output("simulate", light, "--json", "--script", str(script)).splitlines()
    assert sum(rejected(Form.SIMULATE, json.loads(line)) for line in lines) > 100


def test_tables_of_papers() -> None:
    document = json.loads(output("papers", "--sizes", "3", "--max-states", "1000", "--json"))
    require_valid(Form.PAPERS, document)
    compared = schema(Form.PAPERS)["$defs"]["row"]["properties"]["compared"]["enum"]
    assert compared == values(Agreement)
    assert rejected(Form.PAPERS, document) > 50


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_advice_about_the_examples(model: Path) -> None:
    asked = () if model.suffix in (".csp", ".lts") else ("--ltl", "[]<> a")
    document = json.loads(output("advise", str(model), *asked, "--max-states", "100", "--json"))
    require_valid(Form.ADVISE, document)


def test_changed_advice_is_rejected(light: str) -> None:
    documents = [
        json.loads(output("advise", light, "--json", *options))
        for options in (("--ltl", "[]<> flip.0"), ("--ltl", "[]<> flip.2"), ("--fair", "GF nothing"))
    ]
    for document in documents:
        require_valid(Form.ADVISE, document)
    assert sum(rejected(Form.ADVISE, document) for document in documents) > 50


def test_changed_graphs_are_rejected(light: str) -> None:
    assert rejected(Form.GRAPH, json.loads(output("graph", light))) > 5


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema", "fairlead/check/1"),
        ("verdict", "maybe"),
        ("fairness", "weak"),
        ("kind", "ctl"),
        ("states", -1),
        ("states", 1.5),
        ("line", 0),
        ("seconds", "fast"),
        ("evidence", {"initial": {}, "stem": [], "loop": []}),
        ("vacuous", False),
        ("vacuous", True),
        ("reason", "because"),
        ("ctl", "EF a"),
        ("holds_in", 1),
    ],
)
def test_wrong_values_are_rejected(light: str, field: str, value: object) -> None:
    document = checked(light, "2")
    place = document if field == "schema" else document["results"][0]
    place[field] = value
    assert not validator(Form.CHECK).is_valid(document)


@pytest.mark.parametrize("options", [(), ("--max-states", "1")], ids=["violated", "unknown"])
def test_reasons_are_required(tmp_path: Path, options: tuple[str, ...]) -> None:
    lts = tmp_path / "progress.lts"
    lts.write_text(PROGRESS, encoding="utf-8")
    document = checked(str(lts), "U safety", *options)
    assert document["results"][0].pop("reason")
    assert not validator(Form.CHECK).is_valid(document)


# ---------------------------------------------------------------- the schemas themselves


def test_schemas_stand_alone() -> None:
    for form in Form:
        named = set(re.findall(r"#/\$defs/(\w+)", schema_text(form)))
        assert named == schema(form)["$defs"].keys(), form


def values(kind: type[Enum]) -> list[str]:
    return [member.value for member in kind]


def test_lists_of_values_are_complete() -> None:
    check, simulate, advise = (schema(form)["$defs"] for form in (Form.CHECK, Form.SIMULATE, Form.ADVISE))
    assert advise["advice"]["properties"]["outcome"]["enum"] == values(Outcome)
    assert advise["advice"]["properties"]["reason"]["enum"] == values(LimitKind)
    assert advise["notion"]["properties"]["known"]["enum"] == values(Known)
    assert advise["fairness"]["enum"] == [notion.value for notion in CLASSIC]
    fields = check["result"]["properties"]
    others = ("cutoff", "unbounded", TOO_LONG)
    faults = [code.value for code in FAULT_CODES]
    assert check["vacuity"]["properties"]["kind"]["enum"] == values(VacuityKind)
    assert check["diagnostic"]["properties"]["code"]["enum"] == values(Code)
    assert check["diagnostic"]["properties"]["severity"]["enum"] == values(Severity)
    assert fields["verdict"]["enum"] == values(Verdict)
    assert fields["fairness"]["enum"] == values(Fairness)
    assert set(fields["kind"]["enum"]) == {kind.name for kind in all_kinds()}
    assert fields["reason"]["enum"] == [*values(LimitKind), *others, "deadlock", "error", *faults]
    terminal = check["explanation"]["oneOf"][-1]["properties"]
    assert terminal["ending"]["enum"] == values(Ending)
    assert simulate["current"]["properties"]["status"]["enum"] == values(Status)
    shows = simulate["replay"]["properties"]["shows"]["enum"]
    assert shows == [member.name.lower() for member in Shows]


def test_every_field_is_described() -> None:
    def undescribed(node: Any, path: str = "") -> list[str]:
        if isinstance(node, list):
            return [found for part in node for found in undescribed(part, path)]
        if not isinstance(node, dict):
            return []
        found = []
        for name, field in node.get("properties", {}).items():
            described = field.keys() & {"description", "const", "enum"} or field.get("$ref")
            restricts = field.keys() <= {
                "const",
                "minItems",
                "maxItems",
                "items",
            }  # what is described elsewhere
            found += [] if described or restricts else [f"{path}/{name}"]
        return found + [found for key, part in node.items() for found in undescribed(part, f"{path}/{key}")]

    for form in Form:
        assert undescribed(schema(form)) == []


def test_schemas_are_listed_and_written() -> None:
    assert [line.split() for line in output("schema").splitlines()] == [
        [form.value, identifier(form)] for form in Form
    ]
    for form in Form:
        assert output("schema", form.value) == schema_text(form)
        assert schema(form)["properties"]["schema"]["const"] == identifier(form)


# ---------------------------------------------------------------- reading back


def stored(light: str, tmp_path: Path, form: object) -> str:
    document = {**checked(light, "2"), "schema": form}
    path = tmp_path / "evidence.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def test_what_was_written_is_read_back(light: str, tmp_path: Path) -> None:
    assert run(["validate", light, stored(light, tmp_path, identifier(Form.CHECK))]) == 0
    assert run(["validate", light, stored(light, tmp_path, None)]) == 0


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("fairlead/check/3", "has the form 'fairlead/check/3'; this fairlead reads 'fairlead/check/2'"),
        ("fairlead/graph/1", "its 'schema' is not 'fairlead/check/2'"),
        ("check", "its 'schema' is not"),
        (1, "its 'schema' is not"),
    ],
)
@pytest.mark.parametrize("command", ["validate", "simulate", "graph"])
def test_other_forms_are_refused(
    light: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: object, words: str, command: str
) -> None:
    path = stored(light, tmp_path, form)
    arguments = {
        "validate": ["validate", light, path],
        "simulate": ["simulate", light, "--replay", path],
        "graph": ["graph", light, "--highlight", path, "--format", "dot"],
    }
    assert run(arguments[command]) == 2
    captured = capsys.readouterr()
    assert "error[evidence]" in captured.err and words in captured.err and not captured.out


def test_graphs_of_other_versions_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.json"
    path.write_text('{"schema": "fairlead/graph/2", "states": 1, "news": []}', encoding="utf-8")
    assert run(["check", str(path), "deadlockfree"]) == 2
    error = capsys.readouterr().err
    assert "error[graph]" in error and "has the form 'fairlead/graph/2'" in error and "news" not in error


def test_examples_are_there() -> None:
    assert EXAMPLES.is_dir() and len(MODELS) > 40
