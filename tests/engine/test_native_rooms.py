"""The rooms of native/: who may include whom, and how large rooms and files may be."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "native"
#: a file may include its own room and the rooms before it; native/README.md explains them in this order
ROOMS = ("memory", "program", "steps", "symbolic", "explore", "search", "behaviour", "minimise", "python")
MOST_FILES = 40
MOST_LINES = 500

FILES = sorted(path for pattern in ("*.cpp", "*.hpp") for path in NATIVE.rglob(pattern))
_INCLUDE = re.compile(r'^\s*#\s*include\s+"(.*)"', re.MULTILINE)


def _name(file: Path) -> str:
    return file.relative_to(NATIVE).as_posix()


def _includes(file: Path) -> list[str]:
    return _INCLUDE.findall(file.read_text(encoding="utf-8"))


def test_every_file_is_in_a_room() -> None:
    assert FILES
    assert {file.parent for file in FILES} == {NATIVE / room for room in ROOMS}


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_includes_name_a_file_of_the_same_or_an_earlier_room(file: Path) -> None:
    allowed = ROOMS[: ROOMS.index(file.parent.name) + 1]
    for include in _includes(file):
        room, slash, _ = include.partition("/")
        assert slash and (NATIVE / include).is_file(), f"{include}: name the room and the file"
        assert room in allowed, f"{include}: {file.parent.name} comes before {room}"


def test_includes_have_no_cycle() -> None:
    """Raises `CycleError`, which names the files, if there is one."""
    TopologicalSorter({_name(file): _includes(file) for file in FILES}).prepare()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_not_too_large(room: str) -> None:
    assert len(list((NATIVE / room).iterdir())) <= MOST_FILES


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_a_file_is_not_too_long(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_readme_lists_the_rooms_in_order_and_every_file() -> None:
    text = (NATIVE / "README.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^  (\w+)/ ", text, re.MULTILINE)) == ROOMS
    parts = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    for file in FILES:
        named = re.findall(r"`([\w.*]+)`", sections[file.parent.name])
        assert any(file.match(pattern) for pattern in named), f"{_name(file)} is not in native/README.md"
