"""The table of verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.checker.result import Result
from fairlead.outcome.finding import Verdict
from fairlead.present.html.markup import Content, Markup, joined, line_items, tag
from fairlead.present.matrix import MARKS, NOTHING, Matrix
from fairlead.present.sentences.result import Said, assumption_lines
from fairlead.present.sentences.strategies import processes_lines, reduction_lines

_CLASSES = {
    Verdict.HOLDS: "fl-good",
    Verdict.VIOLATED: "fl-bad",
    Verdict.UNKNOWN: "fl-unsure",
    Verdict.ERROR: "fl-bad",
}
#: what the matrix is called
MATRIX = "Assertions under notions of fairness"
_HEADS = ("verdict", "assertion", "fairness", "states", "transitions", "seconds", "run")


def verdict_sign(verdict: Verdict) -> Markup:
    """A verdict as a word with a sign."""
    return tag("span", f"{MARKS[verdict]} {verdict.value}", class_=f"fl-verdict {_CLASSES[verdict]}")


def verdict_table(
    results: Sequence[Result],
    links: Mapping[int, str],
    errors: Sequence[tuple[str, str]] = (),
) -> Markup:
    """A row for each result, with a link to its evidence, and for each question that could not be asked."""
    rows = [_row(result, links.get(number)) for number, result in enumerate(results)]
    rows += [_error_row(assertion, problem) for assertion, problem in errors]
    heads = (
        tag("th", head, scope="col", class_="fl-count" if head in _HEADS[3:6] else None) for head in _HEADS
    )
    return tag(
        "div",
        tag("table", tag("thead", tag("tr", *heads)), tag("tbody", rows), class_="fl-verdicts"),
        class_="fl-scroll",
    )


def matrix_table(matrix: Matrix, links: Mapping[int, str]) -> Markup:
    """A row for each question, a column for each notion; a verdict with evidence is a link to it.

    `links` are the names of the evidence by the identity of the result.
    """
    heads = [tag("th", notion.value, scope="col", title=notion.title) for notion in matrix.notions]
    rows = (
        tag(
            "tr",
            (tag("td", _mark(cell, links), class_="fl-mark-cell") for cell in cells),
            tag("th", tag("code", question), scope="row"),
        )
        for question, cells in matrix.rows
    )
    table = tag(
        "table",
        tag("thead", tag("tr", *heads, tag("th", "assertion", scope="col"))),
        tag("tbody", rows),
        class_="fl-matrix",
        aria_label=MATRIX,
    )
    return joined(tag("h3", MATRIX), tag("div", table, class_="fl-scroll"))


def _mark(result: Result | None, links: Mapping[int, str]) -> Content:
    if result is None:
        return tag("span", NOTHING, class_="fl-quiet", title="not answered")
    mark = tag(
        "span",
        MARKS[result.verdict],
        class_=f"fl-verdict {_CLASSES[result.verdict]}",
        title=result.verdict.value,
    )
    link = links.get(id(result))
    return mark if link is None else tag("a", mark, href=f"#{link}")


def summary(results: Sequence[Result], errors: int = 0) -> Markup:
    """How many of each verdict."""
    parts: list[Content] = []
    for verdict in Verdict:
        count = sum(result.verdict is verdict for result in results)
        if count:
            text = f"{MARKS[verdict]} {count} {verdict.value}"
            parts.append(tag("span", text, class_=f"fl-verdict {_CLASSES[verdict]}"))
    if errors:
        parts.append(tag("span", f"! {errors} not asked", class_="fl-verdict fl-unsure"))
    return tag("p", parts or "Nothing was answered.", class_="fl-summary")


def _row(result: Result, link: str | None) -> Markup:
    statistics = result.statistics
    said = Said(result)
    title = " and ".join(
        [
            ", ".join(notion.title for notion in result.notions),
            *([] if result.fair is None else [f"the formula {result.fair}"]),
        ]
    )
    return tag(
        "tr",
        tag("td", verdict_sign(result.verdict)),
        tag("th", tag("code", result.assertion), _small(said.remark), scope="row"),
        tag("td", said.notion, title=title, data_head="fairness"),
        tag("td", f"{statistics.states:,}", class_="fl-count", data_head="states"),
        tag("td", said.transitions, class_="fl-count", data_head="transitions"),
        tag("td", f"{statistics.seconds:.3f}", class_="fl-count", data_head="seconds"),
        tag("td", None if link is None else tag("a", _run_word(result), href=f"#{link}")),
    )


def _run_word(result: Result) -> str:
    if result.verdict is Verdict.VIOLATED:
        return "counterexample"
    return "witness" if result.verdict is Verdict.HOLDS else "run"


def _error_row(assertion: str, problem: str) -> Markup:
    return tag(
        "tr",
        tag("td", tag("span", "! error", class_="fl-verdict fl-bad")),
        tag("th", tag("code", assertion), _small(problem), scope="row"),
        *(tag("td", "–", class_="fl-count" if number in (1, 2, 3) else None) for number in range(5)),
    )


def _small(text: str | None) -> Markup | None:
    return None if text is None else joined(" ", tag("span", f"({text})", class_="fl-quiet"))


def remark_list(results: Sequence[Result]) -> Markup | None:
    """What is to be said of all verdicts together."""
    lines = [*assumption_lines(results), *processes_lines(results), *reduction_lines(results)]
    if not lines:
        return None
    return tag("ul", line_items(lines), class_="fl-remarks")
