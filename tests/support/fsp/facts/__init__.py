"""Reads tables of small models: a fact, the text, and what must come out of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Fact:
    """`answers` are the lines after `=>`."""

    title: str
    text: str
    answers: tuple[str, ...]


def facts(name: str) -> list[Fact]:
    """The facts of a file: blocks with a title `# …`, a text, and answers `=> …`."""
    blocks = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [_fact(block) for block in blocks if not block.startswith("## ")]


def _fact(block: str) -> Fact:
    title, *lines = block.strip().split("\n")
    text = [line for line in lines if not line.startswith("=>")]
    answers = tuple(line.removeprefix("=>").strip() for line in lines[len(text) :])
    assert title.startswith("# "), block
    assert answers, block
    return Fact(title.removeprefix("# "), "\n".join(text), answers)


def each_fact(name: str) -> pytest.MarkDecorator:
    """Runs a test for each fact of a file."""
    found = facts(name)
    assert len({fact.title for fact in found}) == len(found)
    return pytest.mark.parametrize("fact", found, ids=lambda fact: fact.title)
