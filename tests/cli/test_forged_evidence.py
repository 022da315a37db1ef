"""Results whose JSON was altered: `validate`, `--replay` and `--highlight` say what is wrong with them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run
from tests.support.forging.evidence import all_alterations, some_alterations

_TURNS = "var x = 0; P() = up{x = 1;} -> down{x = 0;} -> P() [] rest -> P(); Q() = [x == 1] c -> Q();"
#: results of each kind: a model, and what is asked of it
RESULTS: dict[str, tuple[str, str, list[str]]] = {
    "loop": ("csp", f"{_TURNS} S() = P() ||| Q();", ["S() |= []<> c", "--fairness", "psf"]),
    "branches": ("csp", f"{_TURNS} S() = P() ||| Q();", ["--process", "S()", "--ctl", "AG AF c"]),
    "annotations": ("csp", "P() = wf(a) -> P() [] b -> P();", ["P() |= []<> b"]),
    "optimum": (
        "csp",
        "var x = 0; P() = [x < 3] a{x = x + 1;} -> P() [] b -> P(); #define g x > 1;",
        ["P() reaches g with max(x)"],
    ),
    "fault": ("csp", "var x:{0..2}; P() = a{x = x + 1;} -> P();", ["P() deadlockfree"]),
    "deadlock": ("lts", "P = (a -> b -> P | c -> STOP).", ["P deadlockfree"]),
    "progress": ("lts", "P = (a -> P | b -> Q), Q = (c -> Q). progress R = {a}", []),
    "refinement": (
        "csp",
        "P() = a -> b -> P(); Q() = a -> Q();",
        ["Q() refines<F> P()"],
    ),
    "counted": (
        "csp",
        "var n = 0; P() = [n < 2] a{n = n + 1;} -> b{n = n - 1;} -> P() [] c -> P(); S() = ||| {..} @ P();",
        ["S() |= []<> b", "--counters"],
    ),
    "graph": ("json", '{"states": 2, "initial": 0, "transitions": [[0, "a", 1], [1, "b", 0]]}', ["[] a"]),
    "component": (
        "csp",
        f"{_TURNS} S() = P() ||| Q();",
        ["S() |= <>[] c", "--fairness", "sgf"],
    ),
}


def stored(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, Any]:
    """A model in a folder, and a result about it."""
    suffix, text, question = RESULTS[name]
    model = folder / f"model.{suffix}"
    model.write_text(text)
    asked = ["--ltl", *question] if suffix == "json" else question
    run(["check", str(model), *asked, "--json"])
    document = json.loads(capsys.readouterr().out)
    document["results"] = [result for result in document["results"] if result["evidence"] is not None]
    assert len(document["results"]) == 1
    return model, document


def complaints(
    model: Path, alterations: Iterable[tuple[str, Any]], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What ended in something else than a diagnostic or a verdict."""
    file, script = model.parent / "evidence.json", model.parent / "script"
    script.write_text("next\nnext\nback\n")
    found = []
    for what, document in alterations:
        file.write_text(json.dumps(document))
        for command in (
            ["validate", str(model), str(file)],
            ["simulate", str(model), "--replay", str(file), "--script", str(script)],
            ["graph", str(model), "--highlight", str(file), "--format", "dot"],
        ):
            status = run(command)
            _, err = capsys.readouterr()
            is_told = status in (2, 3) if "error[" in err else status in (0, 1)
            if not is_told or "internal" in err or "Traceback" in err:
                found.append(f"{what}: {command[0]} {status}: {err[:200]}")
    return found


@pytest.mark.parametrize("name", RESULTS)
def test_altered_results(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, document = stored(name, tmp_path, capsys)
    assert run(["validate", str(model), str(_written(document, tmp_path))]) == 0
    assert not complaints(model, some_alterations(document, random.Random(name), 25), capsys)


@pytest.mark.long
@pytest.mark.parametrize("name", RESULTS)
def test_all_altered_results(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, document = stored(name, tmp_path, capsys)
    assert not complaints(model, all_alterations(document), capsys)


def _written(document: Any, folder: Path) -> Path:
    path = folder / "whole.json"
    path.write_text(json.dumps(document))
    return path


NO_JSON = {
    "long number": ('{"results": [{"x": ' + "7" * 5_000 + "}]}", "more than 400 digits"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "NaN": ('{"results": [NaN]}', "NaN is not a number"),
    "infinite": ('{"results": [-Infinity]}', "-Infinity is not a number"),
    "twice": ('{"results": [], "results": []}', "'results' occurs twice"),
    "half a character": ('{"results": ["\\ud800"]}', "half a character"),
    "nothing": ("", "Expecting value"),
    "cut off": ('{"results": [', "Expecting value"),
}


@pytest.mark.parametrize("name", NO_JSON)
def test_what_is_no_json_is_told_with_its_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, expected = NO_JSON[name]
    model, file = tmp_path / "model.csp", tmp_path / "evidence.json"
    model.write_text("P() = a -> P();")
    file.write_text(text)
    graph = tmp_path / "graph.json"
    graph.write_text(text)
    for command, code in (
        (["validate", str(model), str(file)], "evidence"),
        (["simulate", str(model), "--replay", str(file)], "evidence"),
        (["graph", str(model), "--highlight", str(file), "--format", "dot"], "evidence"),
        (["check", str(graph), "--ltl", "[] a"], "graph"),
    ):
        assert run(command) == 2
        _, err = capsys.readouterr()
        assert f"error[{code}]: " in err and expected in err
        has_place = err.startswith(str(graph if code == "graph" else file))
        assert has_place == (name not in ("deep", "twice")), err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("des (0, 0, 99999999999)", "the number of states is at most 4294967293"),
        (f"des (0, 0, {'9' * 5_000})", "the number of states is at most 4294967293"),
        (f"des (0, {'9' * 5_000}, 1)", "the number of transitions is at most"),
        (f"des ({'9' * 5_000}, 0, 1)", "a state is at most"),
        (f'des (0, 1, 1)\n({"9" * 5_000}, "a", 0)', "a state is at most"),
        (f'des (0, 1, 1)\n(0, "a", {"9" * 5_000})', "a state is at most"),
        ("des (0, 0, 0)", "not below 0"),
    ],
    ids=lambda text: text[:20],
)
def test_numbers_of_aldebaran_texts(
    text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graph.aut"
    file.write_text(text)
    assert run(["check", str(file), "--ltl", "[] a"]) == 2
    _, err = capsys.readouterr()
    assert "error[graph]: " in err and expected in err


@pytest.mark.parametrize(
    "text", ["des (0, 0, 4294967293)", "des (0, 0, 2147483649)", "des (0, 0, 3000000000)"]
)
def test_more_states_than_fit_into_memory(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graph.aut"
    file.write_text(text)
    for question in (["--ltl", "[] true"], ["deadlockfree"], ["--ctl", "EF true"]):
        status = run(["check", str(file), *question, "--max-memory", "50M"])
        _, err = capsys.readouterr()
        assert status in (0, 1, 3), err
        assert "internal" not in err
