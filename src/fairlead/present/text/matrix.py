"""Presents the matrix of verdicts as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.present.matrix import MARKS, NOTHING, Answered, matrix_of


def matrix_lines(answered: Sequence[Answered]) -> Iterator[str]:
    """The matrix, line by line; nothing unless several questions were asked under several notions."""
    matrix = matrix_of(answered)
    if matrix is None:
        return
    legend = ", ".join(f"{MARKS[verdict]} {verdict.value}" for verdict in matrix.verdicts)
    widths = [max(6, len(notion.value) + 1) for notion in matrix.notions]
    yield _line([notion.value for notion in matrix.notions], widths, legend)
    for question, cells in matrix.rows:
        marks = [NOTHING if cell is None else MARKS[cell.verdict] for cell in cells]
        yield _line(marks, widths, question)


def _line(cells: Sequence[str], widths: Sequence[int], last: str) -> str:
    return f"{''.join(f'{cell:<{width}}' for cell, width in zip(cells, widths, strict=True))} {last}"
