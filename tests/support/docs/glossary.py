"""Links the first use of each term of the glossary on a page, and wraps long lines: `make docs` does both.

A page writes `lasso`, and the link is `[lasso]` (or `[lassos][lasso]`); its address is at the foot of the
page. Uses in code, headings, tables and other links do not count.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from tests.support.docs.pages import PAGES
from tests.support.docs.prose import running_text, wrapped
from tests.support.places import DOCS, ROOT

GLOSSARY = DOCS / "reference" / "glossary.md"
#: pages made of texts in the code, which cannot know where the glossary is
GENERATED = {
    DOCS / "reference" / name for name in ("diagnostics.md", "notions.md", "verdicts.md", "papers.md")
}
#: the pages whose terms are links: the manual, and where a newcomer arrives
LINKED = [
    *(page for page in PAGES if page.is_relative_to(DOCS) and page not in {GLOSSARY, *GENERATED}),
    ROOT / "README.md",
    ROOT / "examples" / "README.md",
]
#: words that everybody knows, or that mean other things too
PLAIN = {
    "component", "event", "eventually", "iff", "infinitely often", "process", "product", "progress", "state",
    "trace", "verdict",
}  # fmt: skip
#: how else a term is written, as regular expressions
FORMS = {
    "acceptance condition": ["acceptance conditions?", "acceptance sets?"],
    "bisimulation": ["bisimulations?", "bisimilar"],
    "büchi automaton": ["Büchi automat(?:on|a)"],
    "certificate": ["certificates?"],
    "divergence": ["divergence", "diverges?"],
    "engaged": ["engaged", "engages?"],
    "impartiality": ["impartiality", "impartial"],
    "justice and compassion": ["justice", "compassion"],
    "on-the-fly search": ["on-the-fly", "on the fly"],
    "starvation": ["starvation", "starves?", "starved"],
    "strong fairness": ["strong fairness", "strongly fair"],
    "strongly connected component": ["strongly connected components?", "SCCs?"],
    "terminal component": ["terminal components?", "terminal sets?"],
    "vacuity": ["vacuity", "vacuous(?:ly)?"],
    "weak fairness": ["weak fairness", "weakly fair"],
    "witness": ["witness(?:es)?"],
}
_DEFINITION = re.compile(r"^\[[^\]]+\]: \S*glossary\.md#\S+\n?", re.MULTILINE)


def terms() -> dict[str, str]:
    """The terms of the glossary in lower case, with their anchors."""
    headings = re.findall(r"^## (.+)$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        heading.lower(): re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings
    }


def _pattern(term: str) -> str:
    forms = FORMS.get(term, [re.escape(term) + "s?"])
    return "|".join(form.replace("\\ ", " ").replace(" ", r"\s+") for form in forms)


def linked(text: str, address: str) -> str:
    """A page whose first uses of terms are links, and no others; `address` leads to the glossary."""
    known = {term: anchor for term, anchor in terms().items() if term not in PLAIN}
    text = _unlinked(text, known)
    by_group = {f"t{number}": term for number, term in enumerate(sorted(known, key=len, reverse=True))}
    choices = "|".join(f"(?P<{group}>{_pattern(term)})" for group, term in by_group.items())
    anywhere = re.compile(rf"(?<![\w-])(?:{choices})(?![\w-])", re.IGNORECASE)
    first: dict[str, tuple[int, int]] = {}
    for match in anywhere.finditer(running_text(text)):
        first.setdefault(by_group[str(match.lastgroup)], match.span())
    for term, (start, end) in sorted(first.items(), key=lambda item: item[1], reverse=True):
        said = text[start:end]
        # `[term]: …` at the start of a paragraph or item would be read as an address
        short = " ".join(said.lower().split()) == term and not text.startswith((":", "("), end)
        link = f"[{said}]" if short else f"[{said}][{term}]"
        text = text[:start] + link + text[end:]
    text = wrapped(text)
    if first:
        addresses = (f"[{term}]: {address}#{known[term]}\n" for term in sorted(first))
        text = f"{text.rstrip()}\n\n{''.join(addresses)}"
    return text


def _unlinked(text: str, known: dict[str, str]) -> str:
    """The page without links to the glossary's terms and without their addresses."""
    found = [term for term in known if re.search(rf"^\[{re.escape(term)}\]: ", text, re.MULTILINE)]
    text = _DEFINITION.sub("", text).rstrip() + "\n"
    for term in found:
        spaced = re.escape(term).replace("\\ ", r"\s+")
        text = re.sub(rf"\[([^\[\]]+)\]\[{spaced}\]", r"\1", text, flags=re.IGNORECASE)
        text = re.sub(rf"(?<!\])\[({spaced})\](?![\[(:])", r"\1", text, flags=re.IGNORECASE)
    return text


def address_from(page: Path) -> str:
    """How a page leads to the glossary."""
    return Path(os.path.relpath(GLOSSARY, page.parent)).as_posix()


def revised(page: Path) -> str:
    """The text of a page with its lines wrapped and, in the manual, its terms linked."""
    text = page.read_text(encoding="utf-8")
    return linked(text, address_from(page)) if page in LINKED else wrapped(text)


def main() -> None:
    """Wraps the lines of all pages, and writes the links into those of the manual."""
    for page in PAGES:
        if page in GENERATED:
            continue
        if (now := revised(page)) != page.read_text(encoding="utf-8"):
            page.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{page.relative_to(ROOT)} has changed\n")


if __name__ == "__main__":
    main()
