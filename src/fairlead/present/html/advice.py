"""Advice as a page: verdicts under the notions, sets of assumptions, and the runs that show why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.advice.advice import Advice, AssumptionSet
from fairlead.evidence.evidence import Evidence
from fairlead.present.html.evidence_block import Exhibit, exhibit_block
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.page import Contents, Section, sections_markup
from fairlead.present.html.report import Report, unique_name
from fairlead.present.html.small_graph import small_graph
from fairlead.present.html.verdicts import verdict_sign
from fairlead.present.sentences.runs import sentence
from fairlead.present.text.advice import conclusion_lines, how_known, set_remarks


def advice_report(advice: Sequence[Advice], title: str = "fairlead", details: tuple[str, ...] = ()) -> Report:
    """A page with what was found out about each question."""
    sections = tuple(
        section
        for number, one in enumerate(advice, 1)
        for section in _sections(one, f"a{number}", ModelText(f"a{number}-text"))
    )
    return Report((), title, details, sections=sections)


def advice_contents(advice: Advice) -> Contents:
    """Advice as a part of a page."""
    prefix = unique_name()
    text = ModelText(f"{prefix}-text")
    return Contents(sections_markup(tuple(_sections(advice, prefix, text))), text.files)


def _sections(advice: Advice, prefix: str, text: ModelText) -> Iterator[Section | Markup]:
    """The sufficient assumptions, and then the runs."""
    assumed = None if advice.fair is None else tag("span", f" with {advice.fair}", class_="fl-quiet")
    body = joined(
        tag("p", tag("code", advice.assertion), assumed),
        _notion_table(advice),
        (tag("p", line, class_="fl-lead") for line in conclusion_lines(advice)),
        tag("ol", (_set_item(found, advice.fair) for found in advice.sets)) if advice.sets else None,
    )
    yield Section(prefix, "Which fairness is needed", body)
    for number, (title, evidence) in enumerate(_runs(advice), 1):
        exhibit = Exhibit(evidence, title, sentence(evidence))
        yield exhibit_block([exhibit], f"{prefix}-run{number}", small_graph(evidence.system), text)
    listing = text.section()
    if listing is not None:
        yield listing


def _runs(advice: Advice) -> Iterator[tuple[str, Evidence]]:
    if advice.best is not None:
        for without in advice.best.why:
            yield f"Counterexample {without.title}", without.evidence
    if advice.survivor is not None:
        yield "A violation that is strongly fair to every event and every process", advice.survivor
    if advice.prefix is not None:
        yield "A finite run that violates it", advice.prefix


def _notion_table(advice: Advice) -> Markup:
    heads = (tag("th", head, scope="col") for head in ("fairness", "verdict", "how it is known"))
    rows = (
        tag(
            "tr",
            tag("td", verdict.notion.value, title=verdict.notion.title),
            tag("td", verdict_sign(verdict.verdict)),
            tag("td", how_known(verdict), class_="fl-quiet"),
        )
        for verdict in advice.notions
    )
    return tag("div", tag("table", tag("thead", tag("tr", *heads)), tag("tbody", rows)), class_="fl-scroll")


def _set_item(found: AssumptionSet, assumed: str | None) -> Markup:
    remarks: list[Content] = [tag("li", line) for line in set_remarks(found, assumed)]
    return tag("li", tag("code", found.text), tag("ul", remarks) if remarks else None)
