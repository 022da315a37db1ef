"""A report: results as a page that stands alone, or as the output of a notebook's cell."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from fairlead.base.arguments import Expected, checked
from fairlead.base.diagnostics import counted
from fairlead.base.display import in_one_line
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.base.version import __version__
from fairlead.checker.result import Result
from fairlead.evidence.evidence import Evidence
from fairlead.present.draw.svg import MOST_STATES
from fairlead.present.html.evidence_block import Exhibit, exhibit_block
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.page import Section, part, sections_markup, whole_page
from fairlead.present.html.small_graph import SmallGraph, small_graph
from fairlead.present.html.verdicts import remark_list, summary, verdict_sign, verdict_table
from fairlead.present.sentences.result import Said
from fairlead.present.sentences.runs import sentence
from fairlead.present.sentences.strategies import COUNTED_RUN


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
    sections: tuple[Section | Markup, ...] = ()

    def page(self) -> str:
        """A page that stands alone."""
        made = f"fairlead {__version__}, {datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"
        head = tag(
            "header",
            tag("h1", self.title),
            (tag("p", line, class_="fl-quiet") for line in (*self.details, made)),
        )
        return whole_page(f"{self.title} – fairlead", head, self._contents("e"))

    def __repr__(self) -> str:
        return in_one_line(f"<Report '{self.title}' with {counted(len(self.results), 'result')}>")

    def __str__(self) -> str:
        return self.page()

    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, whole or not at all."""
        from fairlead.base.writing import write_whole  # seldom needed

        write_whole(Path(path), self.page())

    def _repr_html_(self) -> str:
        return part(self._contents(unique_name()))

    def _contents(self, prefix: str) -> Markup:
        blocks, links, titles = _evidence(self.results, prefix)
        if not self.results and not self.errors and self.sections:  # there are sections instead
            return sections_markup(self.sections)
        verdicts = joined(
            summary(self.results, len(self.errors)),
            verdict_table(self.results, links, self.errors),
            remark_list(self.results),
        )
        return joined(
            (tag("p", notice, class_="fl-notice", role="note") for notice in self.notices),
            Section(f"{prefix}-verdicts", "Verdicts", verdicts).markup(),
            _contents_list(titles),
            blocks,
            sections_markup(self.sections),
        )


@checked({"results": Expected("a Result, or several of them", (Result, Iterable))})
def html_report(results: Result | Iterable[Result], title: str = "fairlead") -> Report:
    """A report on results: its text is a page that stands alone, and in a notebook it shows itself."""
    found = (results,) if isinstance(results, Result) else tuple(results)
    return Report(found, title)


def result_part(result: Result) -> str:
    """One result as the output of a notebook's cell."""
    prefix = unique_name()
    blocks, _, _ = _evidence([result], prefix)
    head = tag(
        "p", verdict_sign(result.verdict), " ", tag("strong", Said(result).headline), class_="fl-headline"
    )
    return part(head, remark_list([result]), blocks)


def unique_name() -> str:
    """A name that nothing else in a notebook has."""
    return f"fl{secrets.token_hex(5)}"


def _contents_list(titles: dict[str, Content]) -> Markup | None:
    """Links to all runs, if there are several."""
    if len(titles) < 2:
        return None
    items = (tag("li", tag("a", title, href=f"#{name}")) for name, title in titles.items())
    return tag("nav", tag("h2", "Runs"), tag("ol", items), class_="fl-contents", aria_label="Runs")


def _evidence(
    results: Sequence[Result], prefix: str
) -> tuple[list[Markup], dict[int, str], dict[str, Content]]:
    """The evidence of all results, where that of each one is, and the titles of the blocks."""
    blocks: list[Markup] = []
    links: dict[int, str] = {}
    titles: dict[str, Content] = {}
    drawn = 0
    for number, result in enumerate(results):
        for exhibit in _exhibits(result):
            name = f"{prefix}{len(blocks) + 1}"
            links.setdefault(number, name)
            titles[name] = exhibit.title
            graph = _known_size(result, exhibit.evidence) or small_graph(exhibit.evidence.system)
            if isinstance(graph, SmallGraph):
                drawn += graph.graph.state_count
                graph = graph if drawn <= tuning().most_drawn else "there are enough pictures on this page"
            blocks.append(exhibit_block(exhibit, name, graph))
    return blocks, links, titles


def _exhibits(result: Result) -> Iterator[Exhibit]:
    """The evidence of a result."""
    depends = result.subject is None or result.subject.kind in ("ltl", "ctl")
    for kind, evidence in Said(result).shown:
        yield Exhibit(evidence, _title(kind, result), sentence(evidence, result), depends)
    if result.unfair_end is not None:
        text = f"From the end of this run on, no execution is fair: {Said(result).note}."
        yield Exhibit(result.unfair_end, _title("where fairness ends, for", result), text)
    if result.counters is not None and result.counters.spurious is not None:
        text = "Counted processes have this run; no instance was found that does."
        yield Exhibit(result.counters.spurious, _title(COUNTED_RUN, result), text)


def _title(kind: str, result: Result) -> Content:
    assumed = tag("span", Said(result).assumed, class_="fl-quiet")
    return joined(f"{kind[0].upper()}{kind[1:]} ", tag("code", result.assertion), assumed)


def _known_size(result: Result, evidence: Evidence) -> str | None:
    """That the state graph is too large, where that is known already."""
    others = (result.symmetry, result.partial_order, result.counters, result.variables)
    of_one_system = result.subject is not None and result.subject.kind != "refinement"
    states = result.statistics.states
    if evidence is not result.evidence or any(others) or not of_one_system:
        return None
    if states <= MOST_STATES:
        return None
    size = f"{states:,} states" if result.statistics.complete else f"more than {MOST_STATES} states"
    return f"it has {size}"
