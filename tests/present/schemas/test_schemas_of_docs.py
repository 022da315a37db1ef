"""The commands that the documentation shows, asked for JSON: they give almost every kind of answer."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairlead.base.forms import Form
from tests.support.docs.pages import PAGES, blocks, prepare
from tests.support.documents import checked_each, output, require_valid


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a page, what is redirected left out."""
    for block in blocks(text):
        if block.language == "console":
            for line in block.body.splitlines():
                if line.startswith("$ fairlead ") and " > " not in line:
                    yield shlex.split(line.removeprefix("$ fairlead "))


def answers(page: Path) -> Iterator[dict[str, Any]]:
    """What the checks of a page give as JSON."""
    for command in commands(page.read_text(encoding="utf-8")):
        match command:
            case ["check", *arguments] if "--checkpoint" not in arguments and "--resume" not in arguments:
                left_out = ("--json", "--quiet", "--trace")
                yield from checked_each(*(part for part in arguments if part not in left_out))
            case ["graph", *arguments] if "--format" not in arguments and "-o" not in arguments:
                text = output("graph", *arguments)
                if text:
                    require_valid(Form.GRAPH, json.loads(text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_answers_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path, page.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    for _ in answers(page):
        pass
