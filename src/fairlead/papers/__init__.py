"""Checks the tables of the papers that fairlead is built on again, row by row.

>>> from fairlead import papers
>>> row = papers.table("pat2014-2").rows[-3]
>>> row.name, row.fairness, papers.check_row(row).agreement.value
('peterson 3', 'pwf', 'agrees')
"""

from __future__ import annotations

from fairlead.base.diagnostics import Code, input_error
from fairlead.papers import fctl1984, fm2009, ltsa1999, pat2014
from fairlead.papers.rows import Published, Row, Table
from fairlead.papers.run import Agreement, Outcome, check_row, check_rows

__all__ = [
    "TABLES",
    "Agreement",
    "Outcome",
    "Published",
    "Row",
    "Table",
    "check_row",
    "check_rows",
    "table",
]

#: all tables by name
TABLES: dict[str, Table] = {
    found.name: found
    for tables in (pat2014.TABLES, fm2009.TABLES, ltsa1999.TABLES, fctl1984.TABLES)
    for found in tables
}


def table(name: str) -> Table:
    """The table of that name."""
    if name not in TABLES:
        raise input_error(Code.USAGE, f"there is no table '{name}'", hint=f"there are {', '.join(TABLES)}")
    return TABLES[name]
