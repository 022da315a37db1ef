"""The tables as data: whole, without contradictions, and with models that an installation has."""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from importlib.resources.abc import Traversable

import pytest

from fairlead import InputError, papers
from fairlead.papers.models import examples
from fairlead.papers.rows import Extent, Row, Table, Time, Unbounded
from tests.support.places import ROOT

TABLES = list(papers.TABLES.values())
ROWS = [(table, row) for table in TABLES for row in table.rows]


def example(row: Row) -> Traversable:
    return examples().joinpath(*row.question.model.split("/"))


def entries(table: str, system: str, size: object, fairness: str) -> list[Row]:
    return [
        row
        for row in papers.table(table).rows
        if (row.system, row.size, row.fairness) == (system, size, fairness)
    ]


def test_names() -> None:
    assert list(papers.TABLES) == ["pat2014-1", "pat2014-2", "fm2009", "ltsa1999", "fctl1984"]
    with pytest.raises(InputError, match="there is no table 'pat2013'"):
        papers.table("pat2013")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_no_row_is_there_twice(table: Table) -> None:
    found = Counter((row.system, row.size, row.claim, row.fairness) for row in table.rows)
    assert max(found.values()) == 1


def test_as_many_rows_as_printed() -> None:
    # 22 lines with six notions, of which the table prints three; 11 lines; 18 lines with three notions
    assert [len(papers.table(name).rows) for name in ("pat2014-1", "pat2014-2", "fm2009")] == [132, 11, 54]


def test_entries_of_the_papers() -> None:
    """One entry of each kind, read off the papers once more."""
    (elected,) = entries("pat2014-1", "LE_C", 7, "ewf")
    assert elected.published is not None
    assert elected.published.verdict is True and elected.published.source == "Table 1, EWF"
    assert elected.published.times == (Time("PAT", "152.2"), Time("SPIN", "1190"))
    (circulated,) = entries("pat2014-1", "TC_R", 9, "sgf")
    assert circulated.published is not None
    assert circulated.published.verdict is True and circulated.published.times == (Time("PAT", "640.2"),)
    (missing,) = entries("pat2014-1", "LE_R", 6, "sgf")
    assert missing.published is not None
    assert missing.published.verdict is None and missing.published.times == (Time("PAT", "−"),)
    (bypass,) = entries("pat2014-2", "peterson", 4, "pwf")
    assert bypass.published is not None
    assert bypass.published.times == (Time("PAT", "1.7"), Time("SPIN", "> 671"))
    (many,) = entries("fm2009", "LE", Unbounded.ANY, "psf")
    assert many.published is not None and many.published.times[0].seconds == 463.9
    (left_open,) = entries("fm2009", "KV", Unbounded.ANY, "pwf")
    assert left_open.published is not None and left_open.published.verdict is None
    (weak,) = [
        row
        for row in papers.table("fctl1984").rows
        if "Fig. 8" in row.system and row.fairness.startswith("weak")
    ]
    assert weak.published is not None and weak.published.verdict is True and weak.expected is False


@pytest.mark.parametrize(("table", "row"), ROWS, ids=lambda value: value.name)
def test_rows_make_sense(table: Table, row: Row) -> None:
    assert example(row).is_file()
    if row.difference is not None:
        assert row.published is not None and row.published.verdict is not None
    if row.published is not None:
        assert row.published.source
    for note in row.notes:
        assert note.endswith(".") and "  " not in note


def test_everything_taken_from_elsewhere_is_called_reconstructed() -> None:
    """The models of the tables of times were not printed; those of 1999 were, but for one."""
    for name in ("pat2014-1", "pat2014-2", "fm2009"):
        assert all(row.reconstruction for row in papers.table(name).rows)
    assert {row.system for row in papers.table("ltsa1999").rows if row.reconstruction} == {"… with a turn"}


def test_few_rows_take_long() -> None:
    large = [(row.name, row.fairness) for _, row in ROWS if row.extent is Extent.LARGE]
    assert large == [("LE_R 7", "sgf"), ("LE_R 8", "sgf")]


def test_an_installation_has_the_models() -> None:
    build = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    installed = re.search(
        r"install\(\s*DIRECTORY examples/\s+DESTINATION fairlead/examples(.*?)\)", build, re.S
    )
    assert installed is not None
    patterns = re.findall(r'PATTERN "([^"]+)"', installed[1])
    for _, row in ROWS:
        assert any(fnmatch.fnmatch(row.question.model, pattern) for pattern in patterns)
