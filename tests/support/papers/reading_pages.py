"""Reads the tables of a Markdown page."""

from __future__ import annotations

import re


def markdown_tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, without the line below its heads."""
    found: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("| "):
            if not inside:
                found.append([])
            cells = re.split(r"(?<!\\) \| ", f" {line[2:-2]} ")
            found[-1].append([cell.strip().replace("\\|", "|") for cell in cells])
        inside = line.startswith("| ")
    return [[table[0], *table[2:]] for table in found]
