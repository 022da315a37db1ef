"""Each sentence that users read is written once: who greps for it finds the place that says it.

A sentence is a literal, or a literal part of an f-string, with at least four words. What stands around its
first and last letter does not count, so that `"it is so"` and `f"'{name}': it is so"` say the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "fairlead"
ROOMS = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file())
FEWEST_WORDS = 4

# `fl-pill` is one word
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*[A-Za-z]")
_AROUND = re.compile(r"^[^A-Za-z]+|[^A-Za-z]+$")
# a tag (or a named group of a regular expression), an attribute, the beginning or the end of a style rule
_MARKUP = re.compile(r"<[/?!]?[A-Za-z]|\w=[\"']|\{\s*$|;\s*\}")


def repeated(folders: Iterable[Path]) -> dict[str, list[str]]:
    """The sentences that stand in more than one place below these folders, with the places."""
    places: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            for line, sentence in _sentences(ast.parse(path.read_text(encoding="utf-8"))):
                places.setdefault(sentence, []).append(f"{folder.name}/{path.relative_to(folder)}:{line}")
    return {sentence: found for sentence, found in places.items() if len(found) > 1}


def _sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    # docstrings, and other texts that nobody uses
    unused = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in unused:
            continue
        sentence = _AROUND.sub("", " ".join(node.value.split()))
        if len(_WORD.findall(sentence)) >= FEWEST_WORDS and not _MARKUP.search(node.value):
            yield node.lineno, sentence


def test_no_sentence_is_written_twice() -> None:
    found = repeated(SOURCE / room for room in ROOMS)
    assert not found, "\n".join(f"'{sentence}': {', '.join(places)}" for sentence, places in found.items())


def test_all_rooms_are_looked_at() -> None:
    assert {"base", "present", "cli"} <= set(ROOMS)


def test_repeated_sentences_are_found(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('"""Opens."""\nTEXT = "the run has no loop"\n')
    (tmp_path / "two.py").write_text('def say(name):\n    return f"{name}: the run has no loop ({name})"\n')
    place = tmp_path.name
    assert repeated([tmp_path]) == {"the run has no loop": [f"{place}/one.py:2", f"{place}/two.py:2"]}


@pytest.mark.parametrize(
    "literal",
    [
        '"has no loop"',
        '"fl-pill fl-quiet fl-wide"',
        '\'<text class="soft middle" x="\'',
        '"text { font-family: Helvetica, Arial, sans-serif; }"',
        '"@media (prefers-color-scheme: dark) or (some other one) {"',
    ],
)
def test_short_phrases_and_markup_are_no_sentences(tmp_path: Path, literal: str) -> None:
    (tmp_path / "one.py").write_text(f"ONE = {literal}\nTWO = {literal}\n")
    assert repeated([tmp_path]) == {}


def test_docstrings_are_no_sentences(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text('def say():\n    """Says what there is to say."""\n')
    assert repeated([tmp_path]) == {}
