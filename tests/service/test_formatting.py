"""Formatting moves blanks and nothing else, and only once; a broken text stays as it is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from fairlead.base.diagnostics import FairleadError
from fairlead.base.source import Source
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.fsp.parse import parse
from fairlead.lang.registry import editing_of
from fairlead.service.documents import Workspace
from fairlead.service.formatting import formatting
from fairlead.service.rename import applied
from tests.support.editing import EXAMPLES, random_edit
from tests.support.generators.csp_models import random_model

_COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_PLACE = re.compile(r"Span\(start=\d+, end=\d+\)")


def formatted(text: str, suffix: str) -> str:
    editing = editing_of(suffix)
    assert editing is not None
    return editing.formatted(text)


def tree(text: str, suffix: str) -> str:
    """The syntax tree, without the places of formulas; their tokens are in the text."""
    source = Source("m", text)
    found = parse_specification(source).declarations if suffix == ".csp" else parse(source)
    return _PLACE.sub("", repr(found))


def check(text: str, suffix: str) -> None:
    result = formatted(text, suffix)
    assert formatted(result, suffix) == result
    try:
        before = tree(text, suffix)
    except FairleadError:
        assert result == text
        return
    assert tree(result, suffix) == before
    assert re.sub(r"\s", "", result) == re.sub(r"\s", "", text.replace("\ufeff", "")) or "\ufeff" in text
    comments = [comment.rstrip() for comment in _COMMENT.findall(text)]
    assert [comment.rstrip() for comment in _COMMENT.findall(result)] == comments
    assert not re.search(r"[ \t]\n(?![\s\S]*\*/)", result)


def with_other_blanks(text: str, chance: random.Random) -> str:
    """A text with blanks, tabs and lines put in and left out, outside of comments and strings."""
    pieces = re.split(r"(//[^\n]*\n|/\*[\s\S]*?\*/|\"[^\"\n]*\"|\s+)", text)
    result = []
    for piece in pieces:
        if piece.isspace() and chance.random() < 0.6:
            result.append(chance.choice((" ", "  ", "\t", "\n", "\n\n\n", " \n  ")))
        else:
            result.append(piece)
    return "".join(result)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    check(text, path.suffix)
    chance = random.Random(path.name)
    for _ in range(3):
        check(with_other_blanks(text, chance), path.suffix)


@pytest.mark.parametrize("seed", range(60))
def test_random_models(seed: int) -> None:
    chance = random.Random(seed)
    check(with_other_blanks(str(random_model(seed)), chance), ".csp")


def damaged(seed: int) -> None:
    chance = random.Random(seed)
    path = chance.choice(EXAMPLES)
    text = path.read_text(encoding="utf-8")
    for _ in range(chance.randrange(4)):
        start, end, new = random_edit(text, chance)
        text = text[:start] + new + text[end:]
    check(text, path.suffix)


@pytest.mark.parametrize("seed", range(100))
def test_damaged_texts(seed: int) -> None:
    damaged(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 4000))
def test_many_damaged_texts(seed: int) -> None:
    damaged(seed)


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".csp", "P()=a->b->P();", "P() = a -> b -> P();\n"),
        (".csp", "  var x=0 ;\n\n\n\nvar y ;  \n", "var x = 0;\n\nvar y;\n"),
        (".csp", "P() = a ->\nb -> P();", "P() = a ->\n  b -> P();\n"),
        (".csp", "#define f (x) + 1;", "#define f (x) + 1;\n"),
        (".csp", "#define f(x) + 1;", "#define f(x) + 1;\n"),
        (".csp", "#assert P()|=[]<>a;\nP()=a->P();", "#assert P() |= []<>a;\nP() = a -> P();\n"),
        (".lts", "P=(a->P|b->STOP).", "P = (a -> P | b -> STOP).\n"),
        (".lts", "||S=(P||Q).\n  P=(a->P).\nQ=(a->Q).", "||S = (P || Q).\nP = (a -> P).\nQ = (a -> Q).\n"),
        (".lts", "P = A,\n   A = (a -> A).", "P = A,\nA = (a -> A).\n"),
        (".csp", "", ""),
    ],
)
def test_how_texts_are_written(suffix: str, text: str, expected: str) -> None:
    assert formatted(text, suffix) == expected


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_the_examples_are_in_order(path: Path) -> None:
    assert formatted(path.read_text(encoding="utf-8"), path.suffix) == path.read_text(encoding="utf-8")


def test_edits_are_lines_where_lines_stay() -> None:
    workspace = Workspace()
    document = workspace.open(Path("m.csp"), "P()=a->P();\nQ() = b -> Q();\nR()=c->R();\n")
    edits = formatting(workspace, document)
    assert len(edits) == 2
    assert applied(document.text, edits, document.path) == formatted(document.text, ".csp")
    assert formatting(workspace, workspace.open(Path("g.aut"), "des (0,0,1)\n")) == ()
