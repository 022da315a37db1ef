"""Shell completion: what is offered, and bash itself with the script."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.cli.main import run
from fairlead.logic.fairness.notions import Fairness

MODEL = """
// #assert Nobody() deadlockfree;
#define N 2;
var x = 0;
P(i) = a.i -> P(i);
System() = P(0) ||| P(1);
Other = b{x = x + 1;} -> Other;
#assert System() deadlockfree;
#assert System() |= []<>
   a.0;
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "m.csp").write_text(MODEL, encoding="utf-8")
    (tmp_path / "s.lts").write_text("P = (a -> P).\n||SYS = (P || Q).\n||ALL = SYS.\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def offered(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str = "bash"
) -> list[str]:
    """What a shell is offered behind some words; the last one is incomplete, or empty after a space."""
    capsys.readouterr()
    monkeypatch.setenv("_FAIRLEAD_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", words.replace(" ", "\n") if shell == "bash" else words)
    last = words.split(" ")[-1] if shell == "fish" else str(len(words.split(" ")) - 1)
    monkeypatch.setenv("COMP_CWORD", last)
    assert run([]) == 0
    monkeypatch.delenv("_FAIRLEAD_COMPLETE")
    return capsys.readouterr().out.split("\n")[:-1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("fairlead c", ["plain,certify", "plain,check", "plain,completion"]),
        ("fairlead check ", ["model,"]),
        ("fairlead check m", ["model,m"]),
        ("fairlead simulate ", ["model,"]),
        ("fairlead check m.csp --fairness p", ["plain,pwf", "plain,psf"]),
        ("fairlead check m.csp --fairness esf,p", ["plain,esf,pwf", "plain,esf,psf"]),
        ("fairlead check m.csp --fairness pwf,p", ["plain,pwf,psf"]),
        ("fairlead check m.csp --fairness = e", ["plain,ewf", "plain,esf"]),
        ("fairlead check m.csp --fairness =", None),
        ("fairlead check m.csp --reduction sym", ["plain,symmetry", "plain,symbolic"]),
        ("fairlead check m.csp --color a", ["plain,auto", "plain,always"]),
        ("fairlead check m.csp --finite", ["plain,--finite-paths"]),
        ("fairlead check m.csp ", ["plain,1", "plain,2"]),
        ("fairlead check s.lts ", []),
        ("fairlead check nowhere.csp ", []),
        ("fairlead check m.csp --process ", ["plain,System", "plain,Other"]),
        ("fairlead check s.lts --process ", ["plain,SYS", "plain,ALL"]),
        ("fairlead graph m.csp --format s", ["plain,svg"]),
        ("fairlead explain unk", ["plain,unknown-name", "plain,unknown"]),
        ("fairlead completion ", ["plain,bash", "plain,zsh", "plain,fish"]),
    ],
)
def test_what_is_offered(
    words: str,
    expected: list[str] | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = offered(words, monkeypatch, capsys)
    if expected is None:
        expected = [f"plain,{notion.value}" for notion in Fairness] + ["plain,all"]
    assert [line for line in found if line] == expected


def test_shells_with_descriptions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered("fairlead check m.csp ", monkeypatch, capsys, "zsh")[:3] == [
        "plain", "1", "System() deadlockfree",
    ]  # fmt: skip
    assert offered("fairlead check m.csp --fairness es", monkeypatch, capsys, "fish") == [
        "plain,esf\tevent-level strong fairness"
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_say_how_they_are_used(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"completion of fairlead for {shell}" in script and f"{shell}_complete" in script
    assert all(suffix in script for suffix in ("csp", "lts", "aut", "json"))
    assert script.startswith("#")
    assert shell != "zsh" or script.startswith("#compdef fairlead\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["fairlead", "va"], {"validate"}),
        (["fairlead", "check", ""], {"m.csp", "s.lts"}),
        (["fairlead", "check", "s"], {"s.lts"}),
        (["fairlead", "check", "m.csp", "--fairness", "ewf,e"], {"ewf,esf"}),
        (["fairlead", "check", "m.csp", "--fairness", "=", "sg"], {"sgf"}),
        (["fairlead", "check", "m.csp", ""], {"1", "2"}),
    ],
)
def test_bash(words: list[str], expected: set[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["completion", "bash"])
    program = folder / "bin" / "fairlead"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fairlead "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    listed = " ".join(f"'{word}'" for word in words)
    script = (
        f"{capsys.readouterr().out}\ncompopt() {{ :; }}\n"
        f"COMP_WORDS=({listed}) COMP_CWORD={len(words) - 1}\n"
        "_fairlead_completion fairlead\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    found = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    assert set(found.stdout.split()) == expected, found.stderr
    registered = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\ncomplete -p fairlead"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert "-F _fairlead_completion fairlead" in registered.stdout
