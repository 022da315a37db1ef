"""Documents that are being written: never an exception, never an answer that a fresh look would not give."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fairlead.service.documents import Change, Workspace
from fairlead.service.positions import Lines, Range, Units
from tests.support.editing import EXAMPLES, everything, random_edit, told

NAMES = [path.name for path in EXAMPLES]


def typed(path: Path, step: int) -> None:
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    for length in range(path.stat().st_size % step, len(text), step):
        document = workspace.open(path, text[:length])
        everything(workspace, document, length)


def with_problems(path: Path, step: int) -> None:
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    for length in range(path.stat().st_size % step, len(text), step):
        told(workspace, workspace.open(path, text[:length]))


@pytest.mark.parametrize("path", EXAMPLES, ids=NAMES)
def test_every_beginning_of_an_example_can_be_asked_about(path: Path) -> None:
    typed(path, 97)


@pytest.mark.parametrize("path", EXAMPLES[::6], ids=NAMES[::6])
def test_every_beginning_of_an_example_has_its_problems(path: Path) -> None:
    with_problems(path, 211)


@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=NAMES)
def test_examples_typed_letter_by_letter(path: Path) -> None:
    typed(path, 1)
    with_problems(path, 7)


def edited(seed: int, edits: int) -> None:
    """Edits by ranges in one workspace give what a fresh one says about the same text."""
    chance = random.Random(seed)
    path = chance.choice(EXAMPLES)
    workspace = Workspace(chance.choice(list(Units)))
    document = workspace.open(path, path.read_text(encoding="utf-8"))
    expected = document.text
    for number in range(edits):
        start, end, new = random_edit(document.text, chance)
        lines = Lines(document.text, document.units)
        part = Range(lines.position(start), lines.position(end))
        expected = expected[:start] + new + expected[end:]
        document = workspace.change(path, [Change(new, part)], number + 1)
        assert document.text == expected, f"seed {seed}, edit {number}"
        offset = start + len(new)
        found = everything(workspace, document, offset)
        fresh = Workspace(document.units)
        assert found == everything(fresh, fresh.open(path, expected), offset), f"seed {seed}, edit {number}"
    fresh = Workspace(document.units)
    assert told(workspace, document) == told(fresh, fresh.open(path, expected)), f"seed {seed}"


@pytest.mark.parametrize("seed", range(40))
def test_random_edits(seed: int) -> None:
    edited(seed, 20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_random_edits(seed: int) -> None:
    edited(seed, 40)
