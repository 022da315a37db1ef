"""docs/reference/papers.md says what the data says; only times of ours are those of the run that wrote it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead import papers
from fairlead.papers.files import to_markdown
from fairlead.papers.sizes import Sizes, rows_of
from fairlead.papers.text import columns_of
from tests.support.papers.reading_pages import markdown_tables
from tests.support.places import DOCS


def find_page() -> Path:
    (page,) = DOCS.rglob("papers.md")
    return page


PAGE = find_page().read_text(encoding="utf-8")
SHOWN = dict(zip(papers.TABLES, markdown_tables(PAGE), strict=True))
#: the rows of the page: all but those that take long
ROWS = {name: rows_of(table, Sizes.USUAL) for name, table in papers.TABLES.items()}
WRITTEN_BY = "fairlead papers --timeout 300 --markdown docs/reference/papers.md --svg docs/plots/papers.svg"
#: rows that take a moment, for the answers of today
SMALL = [
    (name, number)
    for name, rows in ROWS.items()
    for number, row in enumerate(rows)
    if not isinstance(row.size, int) or row.size <= 5
]


def lines_of(name: str) -> list[dict[str, str]]:
    """The rows of a table on the page, by the heads of their columns."""
    heads, *lines = SHOWN[name]
    return [dict(zip(heads, line, strict=True)) for line in lines]


@pytest.mark.parametrize("name", papers.TABLES)
def test_published_columns(name: str) -> None:
    columns = columns_of(papers.table(name), ROWS[name])
    assert tuple(SHOWN[name][0]) == columns.heads
    for line, row in zip(lines_of(name), ROWS[name], strict=True):
        given = dict(zip(columns.heads, columns.given(row), strict=False))
        assert {head: line[head].strip("`") for head in given} == given
        assert line["notes"] == columns.notes.marks(row)


@pytest.mark.parametrize("name", papers.TABLES)
def test_verdicts(name: str) -> None:
    for line, row in zip(lines_of(name), ROWS[name], strict=True):
        if row.expected is not None:
            assert line["ours"] == ("holds" if row.expected else "violated"), (row.name, row.fairness)
        assert line["compared"] not in ("differs", "unknown")


@pytest.mark.parametrize(("name", "number"), SMALL)
def test_answers_of_today(name: str, number: int) -> None:
    outcome, line = papers.check_row(ROWS[name][number]), lines_of(name)[number]
    assert (outcome.verdict.value, outcome.agreement.value) == (line["ours"], line["compared"])


def test_the_rest_of_the_page() -> None:
    """Front, sources and notes are those of the program."""
    without_rows = to_markdown([])
    assert PAGE.startswith(without_rows[: without_rows.index("Our times are")])
    for name, table in papers.TABLES.items():
        assert f"## {name}: {table.title}\n\n{table.paper}. {table.about}\n" in PAGE
        for number, note in columns_of(table, ROWS[name]).notes.numbered:
            assert f"\n{number}. {note}\n" in PAGE


def test_all_that_is_published_is_on_the_page() -> None:
    for name, table in papers.TABLES.items():
        left_out = [row for row in table.rows if row not in ROWS[name]]
        assert not any(row.published is not None and row.published.is_comparable for row in left_out)


def test_the_picture_is_there() -> None:
    (picture,) = re.findall(r"!\[[^]]*\]\(([^)]+\.svg)\)", PAGE)
    text = (find_page().parent / picture).resolve().read_text(encoding="utf-8")
    systems = {row.system for name in ("pat2014-1", "pat2014-2", "fm2009") for row in papers.table(name).rows}
    assert set(re.findall(r'class="name"[^>]*>([^<(]+) \(', text)) == systems


def test_how_the_page_is_written() -> None:
    assert WRITTEN_BY in (DOCS.parent / "Makefile").read_text(encoding="utf-8")
