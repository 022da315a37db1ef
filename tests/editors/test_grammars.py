"""One grammar for each language: editors and the manual colour by it, and it agrees with the language."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import groupby
from types import ModuleType
from typing import Any

import pytest

from fairlead.lang.editing import Editing, TokenKind
from fairlead.lang.registry import editing_of
from tests.support.places import EXAMPLES, ROOT

EXTENSION = ROOT / "editors/vscode"
LANGUAGES = {".csp": ("csp", "source.csp-sharp"), ".lts": ("fsp", "source.fsp")}
MODELS = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in LANGUAGES)
#: what is hard to colour
ODD = {
    ".csp": (
        '#assert  P() |= [](a -> X "b c") && GF x; /* a\n// b */ P() = "x;\n  #define N 5; # define M 6;\n',
        "var counter = 1; counter c = P; deadlockfree() = f(a) -> fa -> wf -> [*] Skip; #assert A() |= A;\n",
        "#assert P() reaches g with min(x); P() = reaches -> with.1 -> E() [] G() ||| X();\n",
        "/* not closed\n#assert P() deadlockfree;\n",
        "P() = ä -> 12ab -> `;\n#\n#assert",
    ),
    ".lts": (
        "const N = 0x1F\nP = (a[i:0..N] -> STOP | when (i < 1) b -> ERROR)\\{a}@{b}.\n",
        "assert L = [](a -> X b U c) || <>W\nfluent ON = <{on}, {off}> initially 1\n",
        "progress PROG = {a.b}\n||S = (a::P || {x,y}::Q)/{c/d} >> {e}.\n/* open\nP = STOP.",
    ),
}


def lexers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_lexers", ROOT / "docs/site/lexers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SITE = lexers()


def texts() -> Iterator[tuple[str, str]]:
    yield from ((path.suffix, path.read_text(encoding="utf-8")) for path in MODELS)
    yield from ((suffix, text) for suffix, all_texts in ODD.items() for text in all_texts)


def tokens(suffix: str, text: str) -> list[Any]:
    """The token of Pygments for each character."""
    lexer = SITE.LEXERS[LANGUAGES[suffix][0]]()
    found: list[Any] = [None] * len(text)
    for start, token, value in lexer.get_tokens_unprocessed(text):
        found[start : start + len(value)] = [token] * len(value)
    return found


def editing(suffix: str) -> Editing:
    found = editing_of(suffix)
    assert found is not None
    return found


def group_of(token: Any) -> str:
    """The kind of a token as the languages tell them apart."""
    from pygments.token import Comment, Keyword, Name, Number, Operator, String

    if token is Operator.Word:
        return "word"
    kinds = {
        Comment: "comment",
        Keyword: "word",
        Name: "name",
        Number: "number",
        String: "string",
        Operator: "operator",
    }
    return next((kind for parent, kind in kinds.items() if token is not None and token in parent), "rest")


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_each_piece_of_a_text_has_the_colour_of_its_kind(suffix: str) -> None:
    language = editing(suffix)
    # words that mean something in their place only
    special = {*language.reserved, "with", "min", "max", "alphabet", "define", "import", "include"}
    allowed = {
        TokenKind.KEYWORD: {"word"},
        TokenKind.NUMBER: {"number"},
        TokenKind.STRING: {"string"},
        TokenKind.COMMENT: {"comment"},
        TokenKind.BRACKET: {"rest"},
        TokenKind.OPERATOR: {"operator", "word"},  # the # of a directive
        TokenKind.NAME: {"name"},
    }
    for kind, text in texts():
        if kind != suffix:
            continue
        found = tokens(suffix, text)
        for piece in language.analyse(text, lambda name: None).lexemes:
            groups = {group_of(token) for token in found[piece.start : piece.end]}
            wanted = allowed.get(piece.kind)
            if wanted is None or (piece.kind is TokenKind.NAME and piece.text in special):
                continue
            assert groups <= wanted, f"{piece.kind} {piece.text!r} at {piece.start} is {groups}\n{text[:400]}"


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_each_reserved_word_is_one_for_the_grammar(suffix: str) -> None:
    """Somewhere: by itself, before a bracket, before a name, or in an assertion."""
    for word in editing(suffix).reserved:
        places = (
            f"{word} ",
            f"{word}(a)",
            f"{word} x",
            f"#assert P() |= {word} a;",
            f"#assert P() |= {word}(a);",
        )
        groups = []
        for text in places:
            start = re.search(rf"\b{word}\b", text.replace("#assert", "       ", word != "assert"))
            assert start is not None
            groups.append(group_of(tokens(suffix, text)[start.start()]))
        assert "word" in groups, word


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_grammar_knows_no_word_that_the_language_does_not(suffix: str) -> None:
    name = LANGUAGES[suffix][0]
    grammar = (EXTENSION / f"syntaxes/{name}.tmLanguage.json").read_text(encoding="utf-8")
    rules = re.findall(r'"(?:match|begin)": "((?:[^"\\]|\\.)*)"', grammar)
    words = {word for rule in rules for word in re.findall(r"[(|?:]([A-Za-z]{2,})(?=[|)])", rule)}
    directives = {"alphabet", "define", "import", "include"} if suffix == ".csp" else set()
    places = {"with", "min", "max"} if suffix == ".csp" else set()
    assert len(words) > 20
    assert words <= set(editing(suffix).reserved) | directives | places


@pytest.mark.skipif(
    shutil.which("node") is None or not (EXTENSION / "node_modules/vscode-textmate").is_dir(),
    reason="needs node, and what 'make vscode' installs",
)
def test_editors_and_the_manual_colour_the_same() -> None:
    """TextMate, with its own engine for regular expressions, against what Pygments makes of the grammar."""
    asked = list(texts())
    lines = [json.dumps({"grammar": LANGUAGES[suffix][1], "text": text}) for suffix, text in asked]
    ran = subprocess.run(
        ["node", EXTENSION / "test/tokens.mjs"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    for (suffix, text), line in zip(asked, ran.stdout.splitlines(), strict=True):
        units = text.encode("utf-16-le")  # the offsets of JavaScript
        expected = tokens(suffix, text)
        for start, end, scope in json.loads(line):
            first = len(units[: 2 * start].decode("utf-16-le"))
            last = len(units[: 2 * end].decode("utf-16-le"))
            inside = [(text[at], expected[at]) for at in range(first, last) if not text[at].isspace()]
            token = SITE.token_of(scope)
            assert all(found is token for _, found in inside), (
                f"{text[first:last]!r}: {scope} in editors, {[t for t, _ in groupby(inside)]} in the manual"
            )
