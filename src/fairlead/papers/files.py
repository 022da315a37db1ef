"""Writes answers to files: Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import os
import platform
from collections.abc import Sequence
from datetime import date
from importlib.resources import files
from typing import Any

from fairlead.base.records import dataclass
from fairlead.base.version import __version__
from fairlead.papers.rows import Row, Table, size_text
from fairlead.papers.run import Outcome
from fairlead.papers.text import (
    NOTHING,
    VERDICTS,
    columns_of,
    ending_text,
    summary,
    verdict_text,
)


@dataclass(frozen=True)
class Answered:
    """A table, and those of its rows that were checked."""

    table: Table
    outcomes: tuple[Outcome, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that were checked."""
        return tuple(outcome.row for outcome in self.outcomes)


def machine() -> str:
    """What our times were measured on, in words."""
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{date.today():%Y-%m-%d}; fairlead {__version__}, Python {platform.python_version()}, "
        f"{platform.system()} on {platform.machine()} with {os.cpu_count() or 1} cores{busy}"
    )


def _front() -> str:
    """How to read the tables."""
    return (files("fairlead.papers") / "front.md").read_text(encoding="utf-8")


def to_markdown(answered: Sequence[Answered], picture: str | None = None) -> str:
    """The whole page; `picture` is where its chart is, seen from the page."""
    parts = [_front(), f"Our times are from one run on one machine ({machine()}).\n"]
    if picture is not None:
        parts.append(
            f"![Our seconds against the published ones]({picture})\n\nOur seconds against those of PAT "
            "in the papers, a panel for each system and a point for each size that has both. That "
            "points lie below the line of equal times says little: the machines are decades apart.\n"
        )
    parts += [_section(one) for one in answered]
    return "\n".join(parts)


def _section(answered: Answered) -> str:
    table, outcomes = answered.table, answered.outcomes
    columns = columns_of(table, answered.rows)
    rules = ["---:" if number else "---" for number in columns.are_numbers]
    lines = [
        f"## {table.name}: {table.title}\n",
        f"{table.paper}. {table.about}\n",
        _markdown_row(columns.heads),
        _markdown_row(rules),
    ]
    for outcome in outcomes:
        cells = zip(columns.heads, columns.cells(outcome), strict=True)
        lines.append(_markdown_row([f"`{cell}`" if head == "property" else cell for head, cell in cells]))
    lines.append(f"\n{summary(outcomes)}.\n")
    endings = list(_endings(outcomes))
    if endings:
        lines += ["Traces to terminal sets, and the actions in them:\n", *endings, ""]
    lines += [f"{number}. {text}" for number, text in columns.notes.numbered]
    return "\n".join(lines).rstrip() + "\n"


def _endings(outcomes: Sequence[Outcome]) -> list[str]:
    lines = []
    for outcome in outcomes:
        published = outcome.row.published
        if published is not None and published.ending is not None:
            ours = NOTHING if outcome.ending is None else f"`{ending_text(outcome.ending)}`"
            lines.append(
                f"* {outcome.row.system}, {outcome.row.claim}: published `{ending_text(published.ending)}`; "
                f"ours {ours}"
            )
    return lines


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


_HEADS = (
    "table",
    "system",
    "size",
    "property",
    "fairness",
    "source",
    "published",
    "published_pat_seconds",
    "published_spin_seconds",
    "published_states",
    "published_ending",
    "verdict",
    "seconds",
    "states",
    "transitions",
    "ending",
    "compared",
    "reconstruction",
    "difference",
    "remark",
    "model",
)


def to_csv(answered: Sequence[Answered]) -> str:
    """One line for each row, whatever the table."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _HEADS, lineterminator="\n")
    writer.writeheader()
    for one in answered:
        for outcome in one.outcomes:
            known = {"table": one.table.name, **row_record(outcome)}
            writer.writerow({head: _csv_cell(known[head]) for head in _HEADS})
    return text.getvalue()


def _csv_cell(value: object) -> object:
    return "" if value is None else value


def row_record(outcome: Outcome) -> dict[str, Any]:
    """A row and its answer, for programs."""
    row, published = outcome.row, outcome.row.published
    times = {} if published is None else {time.tool: time.printed for time in published.times}
    stated = None if published is None else published.ending
    return {
        "system": row.system,
        "size": size_text(row.size) or None,
        "property": row.claim,
        "fairness": row.fairness,
        "source": None if published is None else published.source,
        "published": None if published is None else VERDICTS[published.verdict],
        "published_pat_seconds": times.get("PAT"),
        "published_spin_seconds": times.get("SPIN"),
        "published_states": None if published is None else published.states,
        "published_ending": None if stated is None else ending_text(stated),
        "verdict": verdict_text(outcome),
        "seconds": round(outcome.seconds, 6),
        "states": outcome.states,
        "transitions": outcome.transitions,
        "ending": None if outcome.ending is None else ending_text(outcome.ending),
        "compared": outcome.agreement.value,
        "reconstruction": row.reconstruction,
        "difference": row.difference,
        "remark": row.remark,
        "model": row.question.model,
    }


def to_json(answered: Sequence[Answered], *, interrupted: bool) -> dict[str, Any]:
    """All tables, for programs; `interrupted` says that there would have been more rows."""
    return {
        "machine": machine(),
        **({"interrupted": True} if interrupted else {}),
        "tables": [
            {
                "table": one.table.name,
                "title": one.table.title,
                "paper": one.table.paper,
                "about": one.table.about,
                "rows": [row_record(outcome) for outcome in one.outcomes],
            }
            for one in answered
        ],
    }
