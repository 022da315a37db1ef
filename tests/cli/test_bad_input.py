"""Wrong models, formulas, files and commands: one clear message with its place, the right exit status."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fairlead.base.diagnostics import FAULT_CODES
from fairlead.cli.main import run
from tests.support.places import ROOT

ASSERTION = "\n#assert P() deadlockfree;\n"
GOOD = "P() = a -> P();"
WRONG, UNKNOWN, INTERNAL = 2, 3, 70
COMMAND = [sys.executable, "-m", "fairlead"]
SOURCES = ROOT / "src"


@dataclass(frozen=True)
class Case:
    """A model and what must be said about it: the code, the place (line, column) and words of the message."""

    text: str
    code: str
    place: tuple[int, int] | None
    words: str
    arguments: tuple[str, ...] = ()
    status: int = WRONG


CASES = {
    # ------------------------------------------------ the model's text
    "syntax": Case("P() = a -> ;", "syntax", (1, 12), "expected a process after '->', found ';'"),
    "character": Case("P() = a -> § P();", "syntax", (1, 12), "§"),
    "unknown process": Case("P() =\n  a -> Q();", "unknown-name", (2, 8), "there is no process 'Q'"),
    "similar process": Case(
        "P() = a -> Phill();\nPhil() = Stop;", "unknown-name", (1, 12), "did you mean 'Phil'"
    ),
    "arity": Case("P() = a -> Q(1);\nQ() = Stop;", "arity", (1, 12), "takes 0 arguments, 1 given"),
    "unknown variable": Case("var x;\nP() = [y == 1] a -> P();", "unknown-name", (2, 8), "unknown name 'y'"),
    "unknown target": Case("P() = a{y = 1;} -> P();", "unknown-name", (1, 9), "'y'"),
    "integer condition": Case(
        "var x;\nP() = [x] a -> P();", "type", (2, 8), "expected a boolean, 'x' is an integer"
    ),
    "boolean assigned": Case(
        "var x:{0..1} = 0;\nP() = a{x = true;} -> P();", "type", (2, 13), "expected an integer"
    ),
    "object compared": Case("var<List> x;\nP() = [x == 1] a -> P();", "type", (2, 13), "expected a List"),
    "constant assigned": Case("#define x 1;\nP() = a{x = 2;} -> P();", "type", (2, 9), "cannot be assigned"),
    "parameter assigned": Case(
        "P() = Q(1);\nQ(i) = a{i = 2;} -> P();",
        "type",
        (2, 10),
        "'i' is not a variable and cannot be assigned",
    ),
    "parameter that stands for a variable assigned": Case(
        "var x;\nP() = Q(x);\nQ(i) = a{i = 2;} -> P();",
        "type",
        (3, 10),
        "'i' is not a variable and cannot be assigned",
    ),
    "not an array": Case("var x;\nP() = [x[0] == 1] a -> P();", "type", (2, 8), "'x' is not an array"),
    "an array": Case("var x[2];\nP() = [x == 1] a -> P();", "type", (2, 8), "'x' is an array; give an index"),
    "declared twice": Case("var x;\nvar x;\n" + GOOD, "name-clash", (2, 5), "'x' is declared twice"),
    "process as event": Case("Q() = Skip;\nP() = Q -> P();", "name-clash", (2, 7), "'Q' is a process"),
    "reserved event": Case("P() = terminate -> P();", "name-clash", (1, 7), "'terminate' cannot be used"),
    "empty index range": Case(
        "P() = [] i:{3..1} @ a.i -> P();", "empty-range", (1, 10), "the range {3..1} is empty"
    ),
    "no copies": Case("P() = ||| {0} @ (a -> Skip);", "empty-range", (1, 12), "0 copies"),
    "variable index range": Case(
        "var x;\nP() = [] i:{0..x} @ a.i -> P();", "not-constant", (2, 16), "'x' must be"
    ),
    "empty value range": Case("var x:{3..1};\n" + GOOD, "empty-range", (1, 6), "{3..1} is empty"),
    "initial value": Case(
        "var x:{0..1} = 5;\n" + GOOD, "value-out-of-range", (1, 16), "5 of 'x' is outside {0..1}"
    ),
    "too few elements": Case("var x[3] = [1, 2];\n" + GOOD, "arity", (1, 12), "3 elements, 2 initial values"),
    "wild without range": Case("var x = *;\n" + GOOD, "range", (1, 9), "needs a declared range"),
    "large number": Case("var x = 2147483648;\n" + GOOD, "syntax", (1, 9), "too large"),
    "division in a constant": Case(
        "#define N 1 / 0;\nvar v[N];\n" + GOOD, "division-by-zero", (1, 11), "division"
    ),
    "division in an initial value": Case("var x = 1 / 0;\n" + GOOD, "division-by-zero", (1, 9), "division"),
    "effect": Case("var x;\nP() = a{x == 1;} -> P();", "no-effect", (2, 9), "no effect"),
    "alphabet": Case(
        "var x;\nP() = Q(x) || a.0 -> Stop;\nQ(i) = a.i -> Stop;", "alphabet", (3, 8), "cannot be computed"
    ),
    "unsupported": Case("P() = (a, b) -> Stop;", "unsupported", (1, 7), "not supported yet"),
    "unboundedly many": Case(
        "P() = |||{..} @ Q();\nQ() = a -> Q();",
        "counters",
        None,
        "unboundedly many processes 'Q'",
        ("P() deadlockfree", "--reduction", "none"),
    ),
    "hidden variable asked about": Case(
        "hvar n;\nP() = a{n++} -> P();",
        "not-constant",
        None,
        "hidden variable 'n' is not kept",
        ("--ltl", "[] n < 3"),
    ),
    "hidden variable as a goal": Case(
        "hvar n;\nP() = a{n++} -> P();",
        "not-constant",
        None,
        "hidden variable 'n' is not kept",
        ("P() reaches n == 3",),
    ),
    # ------------------------------------------------ channels
    "no channel": Case("P() = c!1 -> Stop;", "unknown-name", (1, 7), "there is no channel 'c'"),
    "no array of channels": Case("channel c 1;\nP() = c[0]!1 -> Stop;", "type", (2, 7), "not an array"),
    "an array of channels": Case("channel c[2] 1;\nP() = c!1 -> Stop;", "type", (2, 7), "an array"),
    "mixed messages": Case(
        "channel c 1; var v[2];\nP() = c!1 -> c?x -> c!v -> c?y -> e.(y + 1) -> Stop;",
        "type",
        (2, 38),
        "is an array",
    ),
    "channel index": Case(
        "channel c[2] 1; var i = 2;\nP() = c[i]!1 -> Stop;", "index-out-of-bounds", (2, 7), "has 2 elements"
    ),
    "handshake index": Case(
        "channel c[2] 0; var i = 2;\nP() = c[i]!1 -> Stop ||| Stop;",
        "index-out-of-bounds",
        (2, 7),
        "has 2 elements",
    ),
    "full handshake": Case(
        "channel c 0;\nP() = [call(cfull, c)] a -> Stop;", "type", (2, 20), "has no buffer"
    ),
    "negative buffer": Case("channel c -1;\nP() = Stop;", "range", (1, 11), "buffer of size -1"),
    "hidden variable events": Case(
        "var x;\nP() = (a.x -> Stop) \\ {a.x};", "not-constant", (2, 24), "depends on variables"
    ),
    "assertion": Case(
        "var x;\nP() = assert(x == 1);", "assertion", (2, 7), "the asserted condition is false"
    ),
    "other module": Case("P() = a -> Wait[3]; P();", "other-module", (1, 12), "real-time"),
    # ------------------------------------------------ recursion
    "P = P": Case("P() = P();", "unguarded-recursion", (1, 7), "without an event"),
    "mutual": Case("P() = Q();\nQ() = P();", "unguarded-recursion", (2, 7), "without an event"),
    "growing": Case("P() = Q(0);\nQ(n) = Q(n + 1);", "unguarded-recursion", (2, 8), "without an event"),
    "in a choice": Case("P() = P() [] a -> Skip;", "unguarded-recursion", (1, 7), "without an event"),
    "before more": Case("P() = P(); a -> Skip;", "unguarded-recursion", (1, 7), "without an event"),
    "under a guard": Case("P() = [1 == 1] P();", "unguarded-recursion", (1, 16), "without an event"),
    "in an interleaving": Case("P() = P() ||| a -> Skip;", "unguarded-recursion", (1, 7), "without an event"),
    "growing interleaving": Case(
        "P() = Q(0);\nQ(n) = Q(n + 1) ||| a -> Skip;", "unguarded-recursion", (2, 8), "without an event"
    ),
    "in a synchronisation": Case(
        "P() = a -> Skip || P();", "unguarded-recursion", (1, 20), "without an event"
    ),
    "constant by itself": Case(
        "#define N N + 1;\nvar v[N];\n" + GOOD, "unguarded-recursion", (1, 9), "by itself"
    ),
    # ------------------------------------------------ run time
    "range": Case(
        "var x:{0..2};\nP() = a{x = x + 1;} -> P();",
        "value-out-of-range",
        (2, 9),
        "'x' would become 3, allowed are {0..2}",
    ),
    "index": Case(
        "var v[2]; var x;\nP() = a{v[x] = 1; x++;} -> P();",
        "index-out-of-bounds",
        (2, 9),
        "2 elements, index is 2",
    ),
    "division": Case("var x;\nP() = a{x = 1 / x;} -> P();", "division-by-zero", (2, 13), "division by zero"),
    "overflow": Case("var x = 1;\nP() = a{x = x * 65536;} -> P();", "overflow", (2, 13), "32 bits"),
    "endless": Case("var x;\nP() = a{while (x == 0) {}} -> P();", "endless-operation", (2, 9), "did not end"),
    "argument of a composition": Case(
        "var v[1]; var x = 1;\nP() = a -> Q(v[x]);\nQ(i) = a.i -> Skip ||| b -> Skip;",
        "index-out-of-bounds",
        (2, 14),
        "1 elements, index is 1",
    ),
    "proposition": Case(
        "var v[2]; var x;\n#define p v[x] == 0;\nP() = a{x = 3 - x;} -> P();",
        "index-out-of-bounds",
        (2, 11),
        "2 elements, index is 3",
        ("--ltl", "[]<> p"),
    ),
    "proposition before the first step": Case(
        "var v[2]; var x = 2;\n#define p v[x] == 0;\nP() = a -> P();",
        "index-out-of-bounds",
        (2, 11),
        "2 elements, index is 2",
        ("--ltl", "<>[] p"),
    ),
    # ------------------------------------------------ questions
    "asked process": Case(GOOD, "unknown-name", (1, 1), "there is no process 'Q'", ("Q() deadlockfree",)),
    "asked arity": Case(GOOD, "arity", (1, 1), "takes 0 arguments, 1 given", ("P(1) deadlockfree",)),
    "asked property": Case(GOOD, "syntax", (1, 5), "found 'foo'", ("P() foo",)),
    "asked number": Case(GOOD, "usage", None, "there is no assertion 7; the model has 1", ("7",)),
    "formula": Case(GOOD, "formula", (1, 9), "end of the formula", ("--ltl", "[] (a ->")),
    "empty formula": Case(GOOD, "formula", (1, 1), "empty", ("--ltl", "")),
    "event of a formula": Case(
        GOOD, "unknown-name", (1, 4), "'b' is neither a proposition nor an event", ("--ltl", "[] b")
    ),
    "arguments of an event": Case(GOOD, "arity", (1, 4), "event 'a' has 0 arguments", ("--ltl", "[] a.1")),
    "formula in the model": Case(
        GOOD + "\n#assert P() |= [] (a -> b);", "unknown-name", (2, 25), "'b'", ("1",)
    ),
    "fairness": Case(
        GOOD, "usage", None, "unknown fairness 'foo'; known are none, ewf", ("--fairness", "foo")
    ),
    "process option": Case(
        GOOD, "unknown-name", None, "there is no process 'Foo'", ("--process", "Foo()", "--ltl", "a")
    ),
    "no process": Case(GOOD, "usage", None, "'1+' is not a process", ("--process", "1+", "--ltl", "a")),
    # ------------------------------------------------ definitions and limits
    "unknown definition": Case(GOOD, "unknown-name", None, "no constant 'N'", ("-D", "N=3")),
    "definition without value": Case(GOOD, "usage", None, "expected NAME=VALUE", ("-D", "N")),
    "value of a definition": Case(
        "#define N 1;" + GOOD, "syntax", (1, 3), "expected an expression", ("-D", "N=1+")
    ),
    "unknown name in a definition": Case(
        "#define N 1;" + GOOD, "unknown-name", (1, 1), "'abc'", ("-D", "N=abc")
    ),
    "type of a definition": Case(
        "#define N 1;\nvar v[N];" + GOOD, "type", (2, 7), "expected an integer", ("-D", "N=true")
    ),
    "negative size": Case(
        "#define N 1;\nvar v[N];" + GOOD, "range", (2, 1), "at least one element", ("-D", "N=-1")
    ),
    "memory": Case(GOOD, "usage", None, "expected a size such as 500M", ("--max-memory", "foo")),
    # ------------------------------------------------ too big
    "too many processes": Case(
        "P() = ||| i:{0..2000000000} @ Q(i);\nQ(i) = a.i -> Q(i);",
        "limit",
        (1, 11),
        "index values",
        (),
        UNKNOWN,
    ),
    "too many initial states": Case(
        "var v[30]:{0..9} = *;\n" + GOOD, "limit", (1, 5), "initial states", (), UNKNOWN
    ),
    "no memory at all": Case(GOOD, "limit", None, "memory", ("--max-memory", "1K"), UNKNOWN),
}


def check(case: Case, folder: Path, *arguments: str) -> int:
    path = folder / "m.csp"
    path.write_text(case.text + ASSERTION, encoding="utf-8")
    return run(["check", str(path), *case.arguments, *arguments])


FAULTS = {code.value for code in FAULT_CODES}
NOT_AS_DIAGNOSTIC = {"no memory at all"}  # an unknown verdict will do


@pytest.mark.parametrize("name", CASES)
def test_message(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    status = check(case, tmp_path)
    out, err = capsys.readouterr()
    assert "internal" not in err
    assert "Traceback" not in out + err
    assert status == case.status
    assert case.words in out + err
    if name in NOT_AS_DIAGNOSTIC:
        return
    # a run-time error is an answer, with a run; anything else is told before there is one
    assert out == "" or (" error" in f" {out.splitlines()[1]}" and case.code in FAULTS)
    assert f"error[{case.code}]: " in err
    if case.place is not None:
        line, column = case.place
        assert f":{line}:{column}: error[{case.code}]" in err.splitlines()[0]
        assert "^" in err


@pytest.mark.parametrize("name", CASES)
def test_json(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    assert check(case, tmp_path, "--json") == case.status
    out, _ = capsys.readouterr()
    data = json.loads(out)
    if name in NOT_AS_DIAGNOSTIC:
        return
    (problem,) = problems(data)
    assert problem["code"] == case.code
    if case.place is not None:
        assert (problem["line"], problem["column"]) == case.place


def problems(data: dict[str, Any]) -> list[dict[str, Any]]:
    """What was wrong with the model or the command, or how the model failed at run time."""
    assert not data["results"] or "errors" not in data
    return [*data.get("errors", []), *(result["fault"] for result in data["results"])]


# ---------------------------------------------------------------- files

FILES: dict[str, tuple[str, bytes, str, tuple[int, int] | None, str]] = {
    "binary": ("m.csp", b"\x00\xff\xfe\x80", "file", None, "not a text"),
    "zeros": ("m.csp", b"\x00\x01", "file", None, "not a text"),
    "control characters": ("m.csp", b"\x01\x02", "syntax", (1, 1), "U+0001"),
    "empty": ("m.csp", b"", "usage", None, "asserts nothing"),
    "kind": ("m.txt", b"P() = Stop;", "file", None, "unknown kind of model"),
    "broken JSON": ("m.json", b'{"states": 2,\n "initial"', "graph", (2, 11), "not JSON"),
    "JSON list": ("m.json", b"[]", "graph", None, "an object"),
    "JSON without states": ("m.json", b"{}", "graph", None, "'states'"),
    "JSON target": (
        "m.json",
        b'{"states": 1, "initial": 0, "transitions": [[0, "a", 5]]}',
        "graph", None, "the target is 5",
    ),
    "JSON initial": (
        "m.json", b'{"states": 1, "initial": 3, "transitions": []}', "graph", None, "'initial' is 3",
    ),
    "JSON transition": (
        "m.json",
        b'{"states": 1, "initial": 0, "transitions": [[0, "a"]]}',
        "graph", None, "transition 0 must be",
    ),
    "deep JSON": ("m.json", b"[" * 100_000, "graph", None, "nested too deeply"),
    "aut header": ("m.aut", b"hello\n", "graph", (1, 1), "expected a header"),
    "aut target": ("m.aut", b'des (0, 1, 1)\n(0, "a", 7)\n', "graph", (2, 1), "state 7"),
    "aut cut off": ("m.aut", b'des (0, 3, 2)\n(0, "a", 1)\n', "graph", (1, 1), "3"),
    "aut line": ("m.aut", b'des (0, 1, 1)\n0 a 0\n', "graph", (2, 1), "(from"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, content, code, place, words = FILES[name]
    path = tmp_path / file
    path.write_bytes(content)
    arguments = [] if file.endswith(".csp") else ["--ltl", "[] a"]
    assert run(["check", str(path), *arguments]) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert f"error[{code}]: " in err
    assert words in err
    if place is not None:
        assert f"{file}:{place[0]}:{place[1]}: " in err
    else:
        assert file in err or code == "usage", "the message does not say which file is wrong"
    assert all(character.isprintable() or character == "\n" for character in err)


def test_missing_file_and_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "no.csp")]) == WRONG
    assert "No such file" in capsys.readouterr().err
    assert run(["check", str(tmp_path)]) == WRONG
    assert "is a directory" in capsys.readouterr().err


def test_definitions_are_for_models_with_constants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.aut"
    path.write_text('des (0, 1, 1)\n(0, "a", 0)\n')
    assert run(["check", str(path), "--ltl", "[] a", "-D", "N=1"]) == WRONG
    assert "no constants" in capsys.readouterr().err


ABOUT = '"assertion": "P() deadlockfree", "fairness": "none"'
STORED = {
    "not JSON": "{",
    "no results": "{}",
    "no assertion": '{"results": [{"evidence": {"stem": [], "loop": []}}]}',
    "no fairness": (
        '{"results": [{"assertion": "P() |= [] a", "evidence": {"start": {}, "stem": [], "loop": []}}]}'
    ),
    "a list as evidence": f'{{"results": [{{{ABOUT}, "evidence": [1]}}]}}',
    "a number as stem": f'{{"results": [{{{ABOUT}, "evidence": {{"stem": 4}}}}]}}',
    "wrong steps": f'{{"results": [{{{ABOUT}, "evidence": {{"start": {{}}, "stem": [3], "loop": []}}}}]}}',
    "wrong definitions": '{"results": [], "definitions": 3}',
    "unknown definitions": '{"results": [], "definitions": {"N": "3"}}',
}


@pytest.mark.parametrize("name", STORED)
def test_stored_evidence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.csp").write_text(GOOD)
    (tmp_path / "e.json").write_text(STORED[name])
    status = run(["validate", str(tmp_path / "m.csp"), str(tmp_path / "e.json")])
    out, err = capsys.readouterr()
    assert status in (1, WRONG)  # invalid, or not evidence at all
    assert status == 1 or "error[" in err
    assert "internal" not in out + err


@pytest.mark.parametrize(
    "option", [("--max-states", "0"), ("--timeout", "-1"), ("--timeout", "nan"), ("--bogus",)]
)
def test_wrong_options(option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(Case(GOOD, "", None, "", option), tmp_path) == WRONG
    out, err = capsys.readouterr()
    assert out == ""
    assert option[0] in err


def test_messages_quote_at_most_a_screen_of_a_long_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = " [] ".join(f"a{number} -> P()" for number in range(2000))
    check(Case(f"P() = {body} [] b -> Q();", "", None, ""), tmp_path)
    err = capsys.readouterr().err
    assert "there is no process 'Q'" in err
    assert max(map(len, err.splitlines())) < 300


# ---------------------------------------------------------------- as a program


#: would fill the memory of the machine if they were not refused, so only tried in a process that cannot
DANGEROUS = {
    "too many elements": Case("var v[2000000000];\n" + GOOD, "limit", (1, 5), "'v'", (), UNKNOWN),
    "too many values": Case("var v = [0(2000000000)];\n" + GOOD, "limit", (1, 5), "'v'", (), UNKNOWN),
    "too many wild values": Case("var v:{0..2000000000} = *;\n" + GOOD, "limit", (1, 5), "'v'", (), UNKNOWN),
}
AS_A_PROGRAM = DANGEROUS | {
    name: CASES[name] for name in ("syntax", "range", "in an interleaving", "too many processes")
}


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


@pytest.mark.parametrize("name", AS_A_PROGRAM)
def test_as_a_program(name: str, tmp_path: Path) -> None:
    case = AS_A_PROGRAM[name]
    path = tmp_path / "m.csp"
    path.write_text(case.text + ASSERTION, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    done = subprocess.run(
        [*COMMAND, "check", str(path), *case.arguments, "--json"],
        capture_output=True, text=True, timeout=60, env=environment, check=False, preexec_fn=limit_memory,
    )  # fmt: skip
    assert done.returncode == case.status, done.stderr
    assert problems(json.loads(done.stdout))[0]["code"] == case.code
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- one of several questions is wrong

SEVERAL = """var x;
P() = a{x++} -> [x < 3] P();
Q() = b.(1 / x) -> Q();
#assert P() |= []<> nosuch;
#assert Q() deadlockfree;
#assert P() reaches three;
#define three x == 3;
"""


def test_an_error_in_one_question_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "several.csp"
    path.write_text(SEVERAL, encoding="utf-8")
    assert run(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[:4]] == ["verdict", "error", "error", "holds"]
    assert err.index("error[unknown-name]") < err.index("error[division-by-zero]")
    assert run(["check", str(path), "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert [result["verdict"] for result in data["results"]] == ["error", "holds"]
    assert data["results"][0]["fault"]["code"] == "division-by-zero"
    assert [(error["assertion"], error["code"]) for error in data["errors"]] == [
        ("P() |= []<> nosuch", "unknown-name")
    ]


def test_the_same_error_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "again.csp"
    path.write_text("P() = a -> Q(); #assert P() deadlockfree; #assert P() |= []<> a;", encoding="utf-8")
    assert run(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out.count("error") == 2
    assert err.count("there is no process 'Q'") == 1
    assert run(["check", str(path), "--json"]) == 2
    assert len(json.loads(capsys.readouterr().out)["errors"]) == 2
