"""Documents for tests of the service: the examples, and everything that can be asked about a text."""

from __future__ import annotations

import random
from pathlib import Path

from fairlead.lang.editing import Extent
from fairlead.service.completion import completion, signature
from fairlead.service.diagnostics import problems
from fairlead.service.documents import Document, Workspace
from fairlead.service.fixes import fixes
from fairlead.service.hover import hover
from fairlead.service.names import definition, references
from fairlead.service.outline import folding, outline
from fairlead.service.rename import rename
from fairlead.service.tokens import semantic_tokens

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path for suffix in ("csp", "lts") for path in (ROOT / "examples").rglob(f"*.{suffix}"))
#: pieces that people type, for random edits
SNIPPETS = (
    "(", ")", "{", "}", "[", "]", ";", ",", ".", "->", "=", "P", "x", "a", " ", "\n", "#", "#assert ", "|= ",
    '"', "//", "/*", "*/", "var ", "channel c 0;", "set S = {a}", "||", "|", "[]<> ", "?", "!", "0", "é", "@",
    "\U0001f600", "\\", "\t", "#define N 3;", "P() = a -> P();", "forall[i:0..1] ", "when (", "case {",
    "i:{0..2} @ ",
)  # fmt: skip


def everything(workspace: Workspace, document: Document, offset: int) -> tuple[object, ...]:
    """All that can be asked about a document without loading it, at an offset."""
    analysis = workspace.analysis(document)
    assert analysis is not None
    return (
        outline(analysis),
        folding(analysis),
        semantic_tokens(analysis),
        analysis.references,
        hover(workspace, document, offset),
        definition(workspace, document, offset),
        references(workspace, document, offset),
        completion(workspace, document, offset),
        signature(workspace, document, offset),
        rename(workspace, document, offset, "fresh_name"),
    )


def told(workspace: Workspace, document: Document) -> tuple[str, ...]:
    """The problems of a document as text, and what is proposed."""
    found = problems(workspace, document)
    proposed = fixes(workspace, document, Extent(0, len(document.text)))
    return (*(one.render() for one in found), *(fix.title for fix in proposed))


def random_edit(text: str, chance: random.Random) -> tuple[int, int, str]:
    """A part of a text, and what is to stand there."""
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 0, 1, 1, 2, 5, 20)))
    if chance.random() < 0.1:
        copied = chance.randrange(len(text) + 1)
        return start, end, text[copied : copied + chance.randrange(30)]
    return start, end, "" if chance.random() < 0.3 else chance.choice(SNIPPETS)
