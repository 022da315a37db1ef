"""Which rows are checked: sizes as they are given to the command."""

from __future__ import annotations

import pytest

from fairlead import InputError, papers
from fairlead.papers.rows import Row, Size, Table, Unbounded
from fairlead.papers.sizes import ListedSizes, check_any, parse_sizes, rows_of
from tests.support.papers.made_up_rows import row


def sizes_of(table: str, text: str | None) -> set[Size]:
    return {row.size for row in rows_of(papers.table(table), parse_sizes(text))}


def test_ranges_and_lists() -> None:
    assert sizes_of("fm2009", "3-6") == {3, 4, 5}
    assert sizes_of("fm2009", " 2 , 4-5,100 ") == {2, 4, 5, 100}
    assert sizes_of("fm2009", "2,inf") == sizes_of("fm2009", "∞,2") == {2, Unbounded.ANY}
    assert sizes_of("fm2009", "5-5") == {5}
    assert sizes_of("ltsa1999", "2") == set()


def test_without_sizes_and_with_all() -> None:
    table = papers.table("pat2014-1")
    usual, everything = rows_of(table, parse_sizes(None)), rows_of(table, parse_sizes("all"))
    assert everything == table.rows
    assert [row.name for row in everything if row not in usual] == ["LE_R 7", "LE_R 8"]
    assert sizes_of("ltsa1999", None) == sizes_of("ltsa1999", "all") == {None}


def test_listed_sizes_may_take_long() -> None:
    listed = rows_of(papers.table("pat2014-1"), parse_sizes("8"))
    assert ("LE_R", "sgf") in {(row.system, row.fairness) for row in listed}


@pytest.mark.parametrize(
    "text", ["", "x", "3-", "-3", "6-3", "3;5", "3,,5", "1.5", "3 5", "³", "9" * 30, "All"]
)
def test_bad_sizes(text: str) -> None:
    with pytest.raises(InputError, match="expected sizes such as") as error:
        parse_sizes(text)
    assert "\n" not in error.value.diagnostics[0].message


def test_sizes_without_rows() -> None:
    tables = [papers.table("pat2014-2"), papers.table("fm2009")]
    chosen = parse_sizes("6,8")
    found = [row for table in tables for row in rows_of(table, chosen)]
    with pytest.raises(InputError, match="no row has such a size") as error:
        check_any(found, tables, chosen)
    assert (
        error.value.diagnostics[0].hint == "there are 2, 3, 4, 5, 7, 9, 10, 12, 13, 15, 100, 1000, 10000, ∞"
    )


def test_sizes_of_tables_that_have_none() -> None:
    with pytest.raises(InputError) as error:
        check_any([], [papers.table("ltsa1999")], parse_sizes("3"))
    assert "one size each" in (error.value.diagnostics[0].hint or "")


def test_one_row_is_enough() -> None:
    rows: tuple[Row, ...] = (row(size=3), row(size=None))
    table = Table("t", "title", "paper", "about", rows)
    chosen = parse_sizes("1-4")
    assert isinstance(chosen, ListedSizes)
    assert rows_of(table, chosen) == rows[:1]
    check_any(rows[:1], [table], chosen)
