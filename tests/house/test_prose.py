"""Texts for people use the terms of the field: the words of `words_to_avoid.txt` do not occur in them."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.support.docs.glossary import GENERATED, GLOSSARY, LINKED, PLAIN, address_from, linked, terms
from tests.support.docs.pages import PAGES
from tests.support.docs.prose import long_lines, wrapped
from tests.support.docs.wording import EXEMPT, RULES, exempt, findings, texts_of
from tests.support.places import DOCS, EXAMPLES, ROOT

SUFFIXES = {".md", ".py", ".cpp", ".hpp", ".csp", ".lts"}
TEXTS = sorted(
    {
        *PAGES,
        *(path for path in EXAMPLES.rglob("*") if path.suffix in SUFFIXES),
        *(path for path in (ROOT / "native").glob("*/*") if path.suffix in SUFFIXES),
        *(path for path in (ROOT / "src").rglob("*") if path.suffix in SUFFIXES),
    }
)
SHORT = sorted({*PAGES} - GENERATED)


def test_words_to_avoid() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: '{words}': {instead}"
        for path in TEXTS
        if not exempt(path)
        for line, words, instead in findings(texts_of(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("pattern", EXEMPT)
def test_what_is_exempt_still_needs_to_be(pattern: str) -> None:
    """A file that has been revised goes from the list, so that it stays revised."""
    files = [path for path in TEXTS if fnmatch(path.relative_to(ROOT).as_posix(), pattern)]
    assert any(True for path in files for _ in findings(texts_of(path))) or any(
        True for path in files if path in SHORT for _ in long_lines(path.read_text(encoding="utf-8"))
    ), f"{pattern} needs no exemption any more"


@pytest.mark.parametrize("page", SHORT, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_lines_are_wrapped(page: Path) -> None:
    if not exempt(page):
        assert not list(long_lines(page.read_text(encoding="utf-8"))), "make docs wraps them"


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_first_use_of_a_term_is_a_link(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if not exempt(page):
        assert linked(text, address_from(page)) == text, "make docs writes the links"


def test_the_index_leads_to_the_glossary() -> None:
    assert f"({GLOSSARY.relative_to(DOCS).as_posix()})" in (DOCS / "index.md").read_text(encoding="utf-8")


def test_each_term_leads_to_a_page_that_explains_it() -> None:
    entries = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]
    assert [entry.partition("\n")[0] for entry in entries] == sorted(
        (entry.partition("\n")[0] for entry in entries), key=lambda term: term.lower().replace("ü", "u")
    )
    for entry in entries:
        assert "*Explained in*" in entry or entry.startswith("Iff"), entry
    assert terms().keys() >= PLAIN


# ---------------------------------------------------------------- the rules themselves


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("It happens again\nand again.", "infinitely often"),
        ("The process moves some day.", "eventually"),
        ("A bullet is no number.", "is not a"),
        ("states that are not told apart", "distinguish"),
        ("It is left just if it is entered.", "iff"),
        ("The counter-example", "counterexample"),
        ("the Buchi automaton", "Büchi"),
    ],
)
def test_what_is_found(text: str, instead: str) -> None:
    ((line, _, said),) = findings(text)
    assert line == 1 and instead in said


@pytest.mark.parametrize(
    "text",
    [
        "If there is no process, nothing moves.",
        "It is no longer enabled.",
        "`again and again`",
        "```text\nsome day\n```\n",
        "[word](some/day.md#for-ever)",
        "<!-- for ever -->",
    ],
)
def test_what_is_not_found(text: str) -> None:
    assert not list(findings(text))


def test_code_says_what_its_comments_and_literals_say(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'some_day = 1  # for ever\nprint(f"some day {some_day}")\n', encoding="utf-8"
    )
    assert [(line, words) for line, words, _ in sorted(findings(texts_of(tmp_path / "a.py")))] == [
        (1, "for ever"),
        (2, "some day"),
    ]
    (tmp_path / "a.py").write_text('COLOR = "color"\nsay("the color")\n', encoding="utf-8")
    assert [line for line, _, _ in findings(texts_of(tmp_path / "a.py"))] == [2]
    (tmp_path / "a.cpp").write_text('int anew;  // anew\nauto x = "again and again";\n', encoding="utf-8")
    assert [line for line, _, _ in sorted(findings(texts_of(tmp_path / "a.cpp")))] == [1, 2]


def test_every_rule_is_an_expression_that_does_not_find_its_own_advice() -> None:
    for rule in RULES:
        assert not rule.pattern.search("") and not rule.pattern.search("infinitely often")


def test_links_of_terms_are_stable() -> None:
    text = "# Page\n\nA lasso has a loop. Lassos and **weak fairness**: strongly\nfair too.\n\nSee `lasso`.\n"
    first = linked(text, "glossary.md")
    assert first == (
        "# Page\n\nA [lasso] has a loop. Lassos and **[weak fairness]**: "
        "[strongly\nfair][strong fairness] too.\n\n"
        "See `lasso`.\n\n[lasso]: glossary.md#lasso\n[strong fairness]: glossary.md#strong-fairness\n"
        "[weak fairness]: glossary.md#weak-fairness\n"
    )
    assert linked(first, "glossary.md") == first


def test_a_link_does_not_become_an_address() -> None:
    assert "* [Lasso][lasso]: a stem" in linked("# Page\n\n* Lasso: a stem\n", "glossary.md")


def test_wrapping_keeps_what_must_stay_together() -> None:
    words = "word " * 22
    page = f"* {words}`a b c d e f g h` - {words}\n\n| {words * 3} |\n"
    lines = wrapped(page).splitlines()
    assert all(len(line) <= 120 for line in lines[:-2])
    assert any("`a b c d e f g h` -" in line for line in lines)
    assert lines[-1] == page.splitlines()[-1]
    assert not list(long_lines(wrapped(page)))
