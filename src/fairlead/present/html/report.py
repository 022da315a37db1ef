"""A report: results as a page that stands alone, or as the output of a notebook's cell."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from fairlead.base.arguments import Expected, checked
from fairlead.base.diagnostics import counted
from fairlead.base.display import in_one_line
from fairlead.base.records import dataclass
from fairlead.base.version import __version__
from fairlead.checker.result import Result
from fairlead.present.html.exhibits import Blocks, evidence_blocks
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.model_text import ModelText, main_text
from fairlead.present.html.page import Contents, Section, part, sections_markup, whole_page
from fairlead.present.html.verdicts import matrix_table, remark_list, summary, verdict_sign, verdict_table
from fairlead.present.matrix import Answered, answered_by, matrix_of
from fairlead.present.sentences.result import Said


@dataclass(frozen=True)
class Report:
    """Results with what the page says about them.

    `details` are lines below the title, such as the options of the command; `notices` what the reader has to
    know before all else; `errors` the assertions that could not be asked, with the problem. `sections` come
    after the evidence. `answered` are the questions with the notions under which they were asked; if it is
    empty, this is read off the results.
    """

    results: tuple[Result, ...]
    title: str = "fairlead"
    details: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    sections: tuple[Section | Markup, ...] = ()
    answered: tuple[Answered, ...] = ()

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
        from fairlead.base.writing import write_whole  # rarely needed

        write_whole(Path(path), self.page())

    def _repr_html_(self) -> str:
        return part(self._contents(unique_name()))

    def _contents(self, prefix: str) -> Markup:
        if not self.results and not self.errors and self.sections:  # there are sections instead
            return sections_markup(self.sections)
        text = ModelText(f"{prefix}-text", main_text(self.results))
        blocks = evidence_blocks(self.results, prefix, text)
        verdicts = Section(f"{prefix}-verdicts", "Verdicts", self._verdicts(blocks))
        listing = text.section()
        after = [*self.sections, *([] if listing is None else [listing])]
        named = [(section.name, section.title) for section in after if isinstance(section, Section)]
        return joined(
            (tag("p", notice, class_="fl-notice", role="note") for notice in self.notices),
            _contents_list([(verdicts.name, verdicts.title), *blocks.titles.items(), *named]),
            verdicts.markup(),
            blocks.markup,
            sections_markup(after),
        )

    def _verdicts(self, blocks: Blocks) -> Markup:
        matrix = matrix_of(self.answered or answered_by(self.results))
        by_result = {id(self.results[number]): name for number, name in blocks.links.items()}
        return joined(
            summary(self.results, len(self.errors)),
            None if matrix is None else matrix_table(matrix, by_result),
            verdict_table(self.results, blocks.links, self.errors),
            remark_list(self.results),
        )


@checked({"results": Expected("a Result, or several of them", (Result, Iterable))})
def html_report(results: Result | Iterable[Result], title: str = "fairlead") -> Report:
    """A report on results: its text is a page that stands alone, and in a notebook it shows itself."""
    found = (results,) if isinstance(results, Result) else tuple(results)
    return Report(found, title)


def result_contents(result: Result) -> Contents:
    """One result with its evidence."""
    prefix = unique_name()
    text = ModelText(f"{prefix}-text", main_text([result]))
    blocks = evidence_blocks([result], prefix, text)
    listing = text.section()
    head = tag(
        "p", verdict_sign(result.verdict), " ", tag("strong", Said(result).headline), class_="fl-headline"
    )
    body = joined(head, remark_list([result]), blocks.markup, None if listing is None else listing.markup())
    return Contents(body, text.files)


def unique_name() -> str:
    """A name that nothing else in a notebook has."""
    return f"fl{secrets.token_hex(5)}"


def _contents_list(entries: Sequence[tuple[str, Content]]) -> Markup | None:
    """Links to the parts of the page, if there are several besides the verdicts."""
    if len(entries) < 3:
        return None
    items = (tag("li", tag("a", title, href=f"#{name}")) for name, title in entries)
    return tag("nav", tag("h2", "Contents"), tag("ol", items), class_="fl-contents", aria_label="Contents")
