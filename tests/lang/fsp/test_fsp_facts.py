"""Facts about FSP, each with a small model of its own: which machine a text is, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.model.labels import is_internal
from tests.support.fsp.facts import Fact, each_fact

RESERVED = (
    *("const", "property", "range", "if", "then", "else", "forall", "when", "set", "progress", "menu"),
    *("animation", "actions", "controls", "deterministic", "minimal", "compose", "target", "import"),
    *("assert", "fluent", "exists", "rigid", "constraint", "initially"),
)


@each_fact("machines")
def test_machines(fact: Fact) -> None:
    (answer,) = fact.answers
    process, states, transitions, *rest = answer.split(" ", 3)
    graph = fairlead.loads(fact.text, "lts").graph(process)
    found = sum(len(steps) for steps in graph.transitions.values())
    assert (graph.state_count - len(graph.errors), found) == (int(states), int(transitions))
    if rest:
        events = {step.event for steps in graph.transitions.values() for step in steps}
        shown = " ".join(sorted(event for event in events if not is_internal(event)))
        assert [f"{{{shown}}}"] == rest


@each_fact("mistakes")
def test_mistakes(fact: Fact) -> None:
    (answer,) = fact.answers
    process = answer.split()[0]
    with pytest.raises(fairlead.InputError) as raised:
        fairlead.loads(fact.text, "lts").graph(None if process == "-" else process)
    first = raised.value.diagnostics[0]
    assert first.span is not None
    assert f"{process} {first.code.value} {first.span.line}:{first.span.column}" == answer


@pytest.mark.parametrize("word", RESERVED)
def test_reserved_words(word: str) -> None:
    with pytest.raises(fairlead.InputError):
        fairlead.loads(f"W = (go -> {word} -> W).", "lts")


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("W = W[1], W[k:1..2] = (up -> W[k+1]).", "unknown-name", "'W.3' is not defined"),
        ("V = (b -> V).\nW = (go -> V).\n||S = W.", "unknown-name", "'V'"),
        ("W = (a -> W). /* the rest", "syntax", "never closed"),
        ("W = W.", "unguarded-recursion", "STOP"),
        ("W = (a -> W).\nprogress P = {b}", "no-effect", "no process of DEFAULT has any of its actions"),
        ("W = (enter -> W).\nassert A = []!entre", "no-effect", "never happens"),
    ],
)
def test_warnings(text: str, code: str, part: str) -> None:
    model = fairlead.loads(text, "lts")
    for question in model.assertions:
        model.check(question)
    (warning,) = model.warnings
    assert warning.code.value == code
    assert part in warning.message


def test_imported_machines(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "lamp.aut").write_text(
        'des (0, 2, 2)\n(0, "on", 1)\n(1, "off", 0)\n', encoding="utf-8"
    )
    path = tmp_path / "lamps.lts"
    path.write_text('import LAMP = "parts/lamp.aut"\n||S = {a,b}:LAMP.\n', encoding="utf-8")
    assert fairlead.load(path).graph("S").state_count == 4


@pytest.mark.parametrize("name", ["../lamp.aut", "/etc/passwd", "nothing.aut"])
def test_imports_stay_in_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "lamp.aut").write_text('des (0, 1, 1)\n(0, "on", 0)\n', encoding="utf-8")
    (tmp_path / "inner").mkdir()
    path = tmp_path / "inner" / "lamps.lts"
    path.write_text(f'import LAMP = "{name}"\n||S = LAMP.\n', encoding="utf-8")
    with pytest.raises(fairlead.InputError):
        fairlead.load(path).graph("S")
