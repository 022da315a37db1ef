"""A report: results as a page that stands alone, or as the output of a notebook's cell."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from fairlead import __version__
from fairlead.drawing.svg import MOST_STATES
from fairlead.evidence.evidence import Evidence
from fairlead.records import dataclass
from fairlead.remarks import assumed_text, evidence_kind
from fairlead.report.evidence_block import Heading, evidence_block
from fairlead.report.markup import Content, Markup, joined, tag
from fairlead.report.page import Section, part, sections_markup, whole_page
from fairlead.report.verdicts import remark_list, summary, verdict_sign, verdict_table
from fairlead.report.words import sentence
from fairlead.result import Result


@dataclass(frozen=True)
class Report:
    """Results with what the page says about them.

    `details` are lines below the title, such as the options of the command; `notices` what the reader has to
    know before all else; `errors` the assertions that could not be asked, with the problem. `sections` come
    after the evidence.
    """

    results: tuple[Result, ...]
    title: str = "fairlead"
    details: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    sections: tuple[Section, ...] = ()

    def page(self) -> str:
        """A page that stands alone."""
        made = f"fairlead {__version__}, {datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"
        head = tag(
            "header",
            tag("h1", self.title),
            (tag("p", line, class_="fl-quiet") for line in (*self.details, made)),
        )
        return whole_page(f"{self.title} – fairlead", head, self._contents("e"))

    def __str__(self) -> str:
        return self.page()

    def _repr_html_(self) -> str:
        return part(self._contents(unique_name()))

    def _contents(self, prefix: str) -> Markup:
        blocks, links = _evidence(self.results, prefix)
        verdicts = joined(
            summary(self.results, len(self.errors)),
            verdict_table(self.results, links, self.errors),
            remark_list(self.results),
        )
        return joined(
            (tag("p", notice, class_="fl-notice", role="note") for notice in self.notices),
            Section(f"{prefix}-verdicts", "Verdicts", verdicts).markup(),
            blocks,
            sections_markup(self.sections),
        )


def html_report(results: Result | Iterable[Result], title: str = "fairlead") -> Report:
    """A report on results: its text is a page that stands alone, and in a notebook it shows itself."""
    found = (results,) if isinstance(results, Result) else tuple(results)
    return Report(found, title)


def result_part(result: Result) -> str:
    """One result as the output of a notebook's cell."""
    prefix = unique_name()
    blocks, _ = _evidence([result], prefix)
    head = tag("p", verdict_sign(result.verdict), " ", tag("strong", result.headline), class_="fl-headline")
    return part(head, remark_list([result]), blocks)


def unique_name() -> str:
    """A name that nothing else in a notebook has."""
    return f"fl{secrets.token_hex(5)}"


def _evidence(results: Sequence[Result], prefix: str) -> tuple[list[Markup], dict[int, str]]:
    """The evidence of all results, and where that of each one is."""
    blocks: list[Markup] = []
    links: dict[int, str] = {}
    for number, result in enumerate(results):
        for evidence, heading in _pieces(result):
            name = f"{prefix}{len(blocks) + 1}"
            links.setdefault(number, name)
            blocks.append(evidence_block(evidence, name, heading, too_large=_too_large(result, evidence)))
    return blocks, links


def _pieces(result: Result) -> Iterator[tuple[Evidence, Heading]]:
    """The evidence of a result under its headings."""
    if result.evidence is not None:
        heading = Heading(_title(evidence_kind(result), result), sentence(result.evidence, result))
        yield result.evidence, heading
    if result.unfair_end is not None:
        text = f"From the end of this run on, no execution is fair: {result.note}."
        yield result.unfair_end, Heading(_title("where fairness ends in", result), text)
    if result.counters is not None and result.counters.spurious is not None:
        text = "Counted processes have this run; no instance was found that does."
        yield result.counters.spurious, Heading(_title("run of counted processes against", result), text)


def _title(kind: str, result: Result) -> Content:
    assumed = tag("span", assumed_text(result), class_="fl-quiet")
    return joined(f"{kind[0].upper()}{kind[1:]} ", tag("code", result.assertion), assumed)


def _too_large(result: Result, evidence: Evidence) -> str | None:
    """How large the state graph is, where that is known already."""
    others = (result.symmetry, result.partial_order, result.counters)
    of_one_system = result.subject is not None and result.subject.kind != "refinement"
    states = result.statistics.states
    if evidence is not result.evidence or others != (None, None, None) or not of_one_system:
        return None
    if states <= MOST_STATES:
        return None
    return f"{states:,} states" if result.statistics.complete else f"more than {MOST_STATES} states"
