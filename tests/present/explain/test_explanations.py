"""The texts of `fairlead explain`: every code, notion and verdict has one, and its examples show it.

The pages of the manual that are made of them are up to date. After a change of a text or of what fairlead
says, `make docs` writes the output of the examples into the texts, and the pages again; read the difference
before you keep it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.base.diagnostics import Code
from fairlead.present.explain import PAGES, Kind, topic
from tests.support.docs.explained import HOME, TEXTS, path_of, placed
from tests.support.docs.pages import answered, blocks, normalised, prepare

_CODE = re.compile(r"(?:error|warning)\[([\w-]+)\]")


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: PAGES[kind])
def test_pages_are_what_the_texts_say(kind: Kind) -> None:
    found = path_of(PAGES[kind]).read_text(encoding="utf-8")
    assert normalised(found) == normalised(placed(kind)), "run make docs"


def test_there_are_no_other_texts() -> None:
    found = {path for kind in Kind for path in (HOME / kind.value).glob("[a-z]*.md")}
    assert found == set(TEXTS.values())


@pytest.mark.parametrize("name", [*TEXTS])
def test_a_text_has_its_parts(name: str) -> None:
    text = TEXTS[name].read_text(encoding="utf-8")
    assert text.startswith(f"# `{name}`\n\n")
    found = topic(name)
    assert found.summary.endswith((".", ":")) and len(found.summary) < 110
    if found.kind is Kind.CODE:
        assert "\n**Fix it:** " in text
        assert name == "internal" or "\nSee also " in text


@pytest.mark.parametrize("code", [code.value for code in Code if code is not Code.INTERNAL])
def test_the_examples_of_a_code_give_that_code(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXTS[code].read_text(encoding="utf-8")
    prepare(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    now = answered(text)
    assert normalised(now) == normalised(text), "run make docs"
    consoles = [block.body for block in blocks(now) if block.language == "console"]
    assert consoles
    for console in consoles:
        commands = console.count("$ fairlead ")
        assert len(_CODE.findall(console)) >= commands
        assert set(_CODE.findall(console)) == {code}


@pytest.mark.parametrize("name", [*TEXTS])
def test_the_first_example_needs_no_other_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXTS[name].read_text(encoding="utf-8")
    consoles = [block for block in blocks(text) if block.language == "console"]
    if consoles:
        assert "examples/" not in consoles[0].body.splitlines()[0]
