"""Agents that ask for what they must not have: files outside of the folder, code that runs, endless work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from fairlead.mcp.permissions import CEILING, LONGEST_TEXT
from fairlead.service.requests import DEFAULT_LIMITS
from tests.support.mcp.agent import Agent, agent, words

SECRET = "var secret = 42;\nSecret() = the_secret -> Secret();\n#assert Secret() deadlockfree;\n"
MODEL = "P() = a -> P();\n#assert P() deadlockfree;\n"


@pytest.fixture(scope="module", autouse=True)
def house(folder: Path) -> Path:
    """The folder, with ways out of it; outside is a secret."""
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.csp").write_text(SECRET)
    (outside / "secret.aut").write_text('des (0, 1, 1)\n(0, "the_secret", 0)\n')
    (outside / "secret.py").write_text("from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    (folder / "inside").mkdir()
    (folder / "inside" / "m.csp").write_text(MODEL)
    (folder / "link.csp").symlink_to(outside / "secret.csp")
    (folder / "door").symlink_to(outside)
    (folder / "circle.csp").symlink_to(folder / "circle.csp")
    (folder / "to_inside.csp").symlink_to(folder / "inside" / "m.csp")
    (folder / "lib.py").write_text("from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    (folder / "notes.txt").write_text("the_secret\n")
    os.mkfifo(folder / "pipe.csp")
    return outside


def refused(asked: Agent, tool: str, /, **given: Any) -> str:
    answer = asked.call(tool, **given)
    assert answer.is_error, words(answer)
    told = words(answer) + str(answer.structured_content)
    assert "the_secret" not in told and "42" not in told and "Traceback" not in told
    return words(answer)


WAYS_OUT = [
    "../outside/secret.csp",
    "inside/../../outside/secret.csp",
    "link.csp",
    "door/secret.csp",
    "door/../outside/secret.csp",
    "circle.csp",
    "/etc/passwd",
    "/proc/self/environ",
    "nul\0.csp",
    "~/x.csp",
    "x" * 5000,
    "..",
    "/",
]


@pytest.mark.parametrize("tool", ["check", "advise", "diagnose", "simulate"])
def test_files_outside_cannot_be_read(asked: Agent, tool: str) -> None:
    for way in WAYS_OUT:
        told = refused(asked, tool, file=way)
        assert "error[file]" in told, way


def test_absolute_paths_outside_cannot_be_read(asked: Agent, house: Path) -> None:
    for name in ("secret.csp", "no_such_file.csp"):
        told = refused(asked, "check", file=str(house / name))
        assert "is not in the folder that agents may read" in told


def test_files_inside_can_be_read_by_any_path(asked: Agent, folder: Path) -> None:
    for path in ("inside/m.csp", "to_inside.csp", "inside/../inside/m.csp", str(folder / "inside" / "m.csp")):
        assert "holds" in asked.text("check", file=path), path


@pytest.mark.parametrize("path", ["../outside/secret.csp", "link.csp", "door/secret.csp"])
def test_included_files_are_inside(asked: Agent, house: Path, path: str) -> None:
    for written in (path, str(house / "secret.csp")):
        told = refused(asked, "check", text=f'#include "{written}";\n{MODEL}')
        assert "there is no file" in told  # not even whether there is
        assert "error[file]" in asked.text("diagnose", text=f'#include "{written}";\n{MODEL}')


def test_imported_graphs_are_inside(asked: Agent, house: Path) -> None:
    for written in ("../outside/secret.aut", "door/secret.aut", str(house / "secret.aut")):
        text = f'import P = "{written}"\n||S = (P).\n'
        assert "secret.aut" in refused(asked, "check", text=text, language="lts")


def test_a_pipe_is_not_waited_for(asked: Agent) -> None:
    refused(asked, "check", file="pipe.csp")
    refused(asked, "check", text=f'#include "pipe.csp";\n{MODEL}')


def test_only_models_are_read(asked: Agent) -> None:
    assert "expected .csp" in refused(asked, "check", file="notes.txt")
    assert "expected .csp" in refused(asked, "check", file="inside")


# ---------------------------------------------------------------- Python


def test_python_is_not_run(asked: Agent, folder: Path, house: Path) -> None:
    for written in ("lib", "lib.py", "../outside/secret.py", "door/secret"):
        text = f'#import "{written}";\nvar<Thing> t;\nP() = a{{t.go();}} -> P();\n#assert P() deadlockfree;\n'
        for tool in ("check", "diagnose", "simulate"):
            told = asked.text(tool, text=text, **({"process": "P()"} if tool == "simulate" else {}))
            assert "error[library]" in told
    assert not (folder / "ran").exists() and not (house / "ran").exists()


def test_python_is_run_that_the_user_allows(folder: Path, tmp_path: Path) -> None:
    """In another folder, even; and no other file there can be read for that."""
    types = tmp_path / "lib.py"
    types.write_text("def twice(x: int) -> int:\n    return 2 * x\n")
    (tmp_path / "other.csp").write_text(SECRET)
    text = '#import "lib";\nvar x = 1;\nP() = a{x = call(twice, x) % 7;} -> P();\n#assert P() deadlockfree;\n'
    with agent(folder, "--allow-python", str(types)) as allowed:
        assert "holds" in allowed.text("check", text=text)
        assert allowed.text("diagnose", text=text) == "No problems."
        assert "x = 2" in allowed.text("simulate", text=text, process="P()", commands=["a"])
        assert "holds" in allowed.text("check", text="P = (a -> P).\n", language="lts")
        refused(allowed, "check", file=str(tmp_path / "other.csp"))


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "give either 'file' or 'text'"),
        ({"file": "m.csp", "text": MODEL}, "give either 'file' or 'text'"),
        ({"text": MODEL, "timout": 3}, "'timout' was unexpected"),
        ({"text": 7}, "text: 7 is not of type 'string'"),
        ({"text": MODEL, "language": "tla"}, "language: 'tla' is not one of"),
        ({"text": MODEL, "timeout": "long"}, "timeout: 'long' is not of type 'number'"),
        ({"text": MODEL, "timeout": -1}, "timeout: -1"),
        ({"text": MODEL, "timeout": 1e9}, "timeout: at most 600 here"),
        ({"text": MODEL, "max_memory": "9T"}, "max_memory: at most 4,294,967,296 here"),
        ({"text": MODEL, "max_memory": "lots"}, "expected a size such as 500M or 8G"),
        ({"text": MODEL, "max_states": 0}, "max_states: 0 is less than"),
        ({"text": MODEL, "assertions": ["7"]}, "7"),
        ({"text": MODEL, "assertions": "1"}, "assertions: '1' is not of type 'array'"),
        ({"text": MODEL, "assertions": ["P() |= []<> a"], "fairness": "fairest"}, "fairest"),
        ({"text": MODEL, "assertions": ["P() |= []<> a"], "fair": "GF ("}, "error["),
        ({"text": MODEL, "definitions": {"N": 4}}, "definitions.N: 4 is not of type 'string'"),
        ({"text": MODEL, "definitions": {"N": "4"}}, "N"),
        ({"text": MODEL, "process": "Q()"}, "Q"),
        ({"text": "P() = \ud800 -> P();\n".encode("utf-8", "replace").decode()}, "error["),
        ({"text": "(" * 100_000}, "error["),
        ({"text": "#" * 100_000}, "error["),
        ({"text": MODEL, "assertions": ["x" * 100_000]}, "error["),
    ],
)
def test_arguments_that_make_no_sense(asked: Agent, given: dict[str, Any], complaint: str) -> None:
    answer = asked.call("check", **given)
    assert answer.is_error and complaint in words(answer)
    assert "Traceback" not in words(answer) and len(words(answer)) < 70_000


def test_no_text_is_endless(asked: Agent) -> None:
    assert "has more than 4 MB" in refused(asked, "check", text="/" * (LONGEST_TEXT + 1))


def test_there_is_no_other_tool(asked: Agent) -> None:
    with pytest.raises(MCPError, match="there is no tool 'shell'"):
        asked.call("shell", command="ls")


def test_answers_have_an_end(asked: Agent) -> None:
    names = ", ".join(f"x{number}" for number in range(3000))
    text = f"enum {{{names}}};\nvar a[3000];\nP() = a.0 -> P();\n"
    answer = asked.call("simulate", text=text, process="P()", commands=["a.0"] * 40, trace=True)
    assert len(words(answer)) < 70_000
    assert answer.structured_content is None and "The record is left out" in words(answer)


def test_the_one_who_starts_the_server_sets_the_ceiling(folder: Path) -> None:
    with agent(folder, "--timeout", "5", "--max-memory", "500M", "--max-states", "3") as bounded:
        text = "var x = 0;\nP() = [x < 9] a{x = x + 1;} -> P();\n#assert P() |= [] x < 8;\n"
        assert "unknown" in bounded.text("check", text=text)
        assert "timeout: at most 5 here" in refused(bounded, "check", text=text, timeout=6)


def test_limits_are_on() -> None:
    for name in ("timeout", "max_memory", "max_states"):
        assert 0 < getattr(DEFAULT_LIMITS, name) <= getattr(CEILING, name)
