"""The texts of `fairlead explain`: every code, notion and verdict has one, and its examples show it.

The pages of the documentation that are made of them are up to date. After a change of a text or of what
fairlead says, `python tests/docs/test_explanations.py` writes the output of the examples into the texts, and
the pages anew; read the difference before you keep it.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_docs import DOCS, answered, blocks, normalised, prepare

import fairlead.explanations
from fairlead.errors import Code
from fairlead.explanations import PAGES, Kind, page, topic

HOME = Path(fairlead.explanations.__file__).parent
TEXTS = {name: HOME / kind.value / f"{name}.md" for kind in Kind for name in kind.names}
_LINK = re.compile(r"\]\((\w[\w-]*\.md)")
_CODE = re.compile(r"(?:error|warning)\[([\w-]+)\]")


def path_of(name: str) -> Path:
    """Where a page of the documentation is, or is to be: beside the first one that is made of texts."""
    first = next(DOCS.rglob(PAGES[Kind.CODE]))
    return next(DOCS.rglob(name), first.with_name(name))


def placed(kind: Kind) -> str:
    """A page with its links leading to where the pages are."""
    folder = path_of(PAGES[kind]).parent

    def link(match: re.Match[str]) -> str:
        return f"]({Path(os.path.relpath(path_of(match[1]), folder)).as_posix()}"

    return _LINK.sub(link, page(kind))


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: PAGES[kind])
def test_pages_are_what_the_texts_say(kind: Kind) -> None:
    found = path_of(PAGES[kind]).read_text(encoding="utf-8")
    assert found == placed(kind), "run python tests/docs/test_explanations.py"


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
        assert "\n**Mend it:** " in text
        assert name == "internal" or "\nSee also " in text


@pytest.mark.parametrize("code", [code.value for code in Code if code is not Code.INTERNAL])
def test_the_examples_of_a_code_give_that_code(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXTS[code].read_text(encoding="utf-8")
    prepare(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    now = answered(text)
    assert normalised(now) == normalised(text), "run python tests/docs/test_explanations.py"
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


# ---------------------------------------------------------------- keeping texts and pages up to date


def main() -> None:
    """Writes the output of the examples into the texts, and then the pages."""
    home = Path.cwd()
    for path in [*TEXTS.values(), *HOME.glob("*/_*.md")]:
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as directory:
            prepare(Path(directory), text)
            os.chdir(directory)
            try:
                now = answered(text)
            finally:
                os.chdir(home)
        if normalised(now) != normalised(text):
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.name} has changed\n")
    topic.cache_clear()
    for kind in Kind:
        path_of(PAGES[kind]).write_text(placed(kind), encoding="utf-8")


if __name__ == "__main__":
    main()
