"""`--help` that teaches, suggestions for slips, and colours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from fairlead.cli.colour import Colour, colour_choice
from fairlead.cli.help import COMMANDS, EXAMPLES, OPTIONS
from fairlead.cli.main import cli, run

MODEL = "P() = a -> b -> P(); #assert P() |= []<> a; #assert P() |= [] a;"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "model.csp").write_text(MODEL, encoding="utf-8")
    return "model.csp"


def options_of(name: str) -> set[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return {parameter.opts[0] for parameter in command.params if isinstance(parameter, click.Option)}


# ---------------------------------------------------------------- help


def test_help_names_every_command_and_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    for name in cli.list_commands(click.Context(cli)):
        assert f"\n  {name} " in text, name
    for notion in ("ewf", "esf", "pwf", "psf", "sgf"):
        assert f"\n  {notion}  " in text
    for part in ("Begin with:", "--fairness all", "Exit status of check:", "\n  3 ", "fairlead explain"):
        assert part in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_every_command_has_its_line() -> None:
    told = {name for commands in COMMANDS.values() for name in commands}
    assert told == set(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("command", [*OPTIONS])
def test_every_option_is_under_a_heading(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = [name for names in OPTIONS[command].values() for name in names]
    assert len(listed) == len(set(listed))
    assert set(listed) == options_of(command) | {"-h"}
    run([command, "--help"])
    text = capsys.readouterr().out
    for heading in (*OPTIONS[command], "Exit status", "Examples"):
        assert f"\n{heading}:\n" in text
    for _, example in EXAMPLES[command]:
        assert f"\n  {example}\n" in text


def test_examples_of_check_work(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    """But for the names in them, which are of no model."""
    import shlex

    left_out = ("-D", "N=4", "N=2..6", "--plot", "growth.svg", "--watch")  # it has no N, and is not edited
    for _, example in EXAMPLES["check"]:
        program, *arguments = shlex.split(example.partition(" > ")[0])
        assert program == "fairlead"
        if " > " in example:
            capsys.readouterr()
            run(["check", model, "2", "--json"])
            Path(example.partition(" > ")[2]).write_text(capsys.readouterr().out, encoding="utf-8")
        elif arguments[0] == "simulate":
            assert run([*arguments, "--script", "/dev/null"]) == 0
        else:
            words = [
                "P()" + word.removeprefix("System()") if "System" in word else word for word in arguments
            ]
            words = [word for word in words if word not in left_out]
            assert run(words) in (0, 1), example


# ---------------------------------------------------------------- slips


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["chek"], "Did you mean 'check'?"),
        (["xyzzy"], "There are "),
        (["check", "model.csp", "--fairnes", "esf"], "--fairness"),
        (["check", "model.csp", "--fairness", "ewf,essf"], "did you mean 'esf'?"),
        (["check", "modle.csp"], "did you mean 'model.csp'?"),
        (["check", "models/model.csp"], "did you mean 'model.csp'?"),
        (["explain", "unknown-nam"], "did you mean 'unknown-name'?"),
        (["explain", "xyzzy"], "'fairlead explain' lists the topics"),
    ],
)
def test_suggestions(arguments: list[str], hint: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert hint in capsys.readouterr().err


def test_files_that_are_nowhere_near(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "other.csp"]) == 2
    assert "hint" not in capsys.readouterr().err


# ---------------------------------------------------------------- explanations


def test_explanations_as_people_ask_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    for asked, shown in {
        "error[unknown-name]": "unknown-name",
        "UNKNOWN_NAME": "unknown-name",
        "esf": "esf",
        "violated": "violated",
        "3": "unknown",
        "130": "status",
    }.items():
        assert run(["explain", asked]) == 0
        assert capsys.readouterr().out.startswith(f"{shown}: ")


def test_explanations_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    text = capsys.readouterr().out
    for name in ("syntax", "internal", "sgf", "holds"):
        assert f"\n  {name} " in text


@pytest.mark.parametrize("name", ["counters", "formula", "psf", "unknown", "status"])
def test_explanations_are_plain_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["explain", name])
    text = capsys.readouterr().out
    for mark in ("```", "](", "**", "<!--"):
        assert mark not in text


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize(
    ("colour", "environment", "expected"),
    [
        (Colour.ALWAYS, {"NO_COLOR": "1"}, True),
        (Colour.NEVER, {"FORCE_COLOR": "1"}, False),
        (Colour.AUTO, {"NO_COLOR": "1"}, False),
        (Colour.AUTO, {"NO_COLOR": ""}, None),
        (Colour.AUTO, {"FORCE_COLOR": "1"}, True),
        (Colour.AUTO, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (Colour.AUTO, {"TERM": "dumb"}, False),
        (Colour.AUTO, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (Colour.AUTO, {}, None),
    ],
)
def test_who_decides_about_colours(
    colour: Colour,
    environment: dict[str, str],
    expected: bool | None,
    model: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colour_choice(colour) is expected


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_in_a_pipe(
    arguments: list[str], environment: dict[str, str], coloured: bool, model: str
) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "fairlead", "check", model, "1", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", **environment},
    )
    assert found.returncode == 0, found.stderr
    assert ("\x1b[32mholds" in found.stdout) is coloured
