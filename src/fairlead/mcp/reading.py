"""The tools that show what comes with fairlead: explanations, the manual, examples."""

from __future__ import annotations

from fairlead.base.diagnostics import nearest
from fairlead.mcp.answers import Answer
from fairlead.mcp.schemas import of_object
from fairlead.mcp.tools import Arguments, Desk, Tool
from fairlead.present.explain import ALIASES, Kind, topics
from fairlead.service.hover import explained
from fairlead.service.manual import Page, example, examples, page, pages

#: a page that is longer is shown by its sections
_WHOLE_PAGE = 24_000
_HEADINGS = {
    Kind.CODE: "Codes of diagnostics",
    Kind.NOTION: "Notions of fairness",
    Kind.VERDICT: "Verdicts",
}


async def explain(desk: Desk, given: Arguments) -> Answer:
    """Explains a topic, or lists all."""
    if "topic" not in given:
        parts = [
            f"{_HEADINGS[kind]}:\n" + "\n".join(f"- {one.name}: {one.summary}" for one in topics((kind,)))
            for kind in Kind
        ]
        return Answer("\n\n".join(parts))
    name = given["topic"].strip().lower()
    name = name.partition("[")[2].rstrip("]") or name  # as it stands in messages: error[syntax]
    found = explained(name)
    if found is not None:
        return Answer(found)
    return _unknown("topic", name, [*(one for kind in Kind for one in kind.names), *ALIASES])


async def manual(desk: Desk, given: Arguments) -> Answer:
    """Shows a page of the manual or a section of it, or lists the pages."""
    if "page" not in given:
        lines = [f"- {one.name}: {one.title}" for one in pages()]
        return Answer("Pages of the manual:\n" + "\n".join(lines))
    found = page(given["page"])
    if found is None:
        return _unknown("page", given["page"], [one.name for one in pages()])
    if "section" in given:
        text = found.section(given["section"])
        return Answer(text) if text is not None else _unknown("section", given["section"], found.sections)
    return Answer(found.text if len(found.text) <= _WHOLE_PAGE else _contents(found))


def _contents(found: Page) -> str:
    """The beginning of a long page, and its sections."""
    beginning = found.text.partition("\n## ")[0].strip()
    sections = "\n".join(f"- {heading}" for heading in found.sections)
    return f"{beginning}\n\nSections of {found.name}, to be asked for one by one:\n{sections}"


async def example_models(desk: Desk, given: Arguments) -> Answer:
    """Shows an example, or lists all."""
    if "name" not in given:
        lines = [f"- {one.name}{': ' if one.about else ''}{one.about}" for one in examples()]
        return Answer("Example models:\n" + "\n".join(lines))
    found = example(given["name"])
    if found is None:
        return _unknown("name", given["name"], _names())
    return Answer(found.text)


def _names() -> list[str]:
    """The names of the examples, with their folders and without."""
    return [name for one in examples() for name in (one.name, one.name.partition("/")[2])]


def _unknown(what: str, name: str, known: list[str] | tuple[str, ...]) -> Answer:
    hint = nearest(name, known) or f"without a {what}, all are listed"
    return Answer(f"there is no {what} '{name}'\n  hint: {hint}", is_error=True)


TOOLS = (
    Tool(
        "explain",
        "Explain a code, a notion or a verdict",
        "Explain the code of a diagnostic (such as unknown-name), a notion of fairness (such as esf) or a "
        "verdict, with an example and what to do about it. Without a topic, all are listed.",
        of_object({"topic": {"type": "string"}}),
        explain,
    ),
    Tool(
        "manual",
        "Read the manual",
        "Read the language reference and the rest of the manual: reference/csp for CSP#, reference/fsp for "
        "FSP, reference/formulas for LTL and CTL, reference/notions for fairness. Without a page, all are "
        "listed; a long page answers with its sections, which are read one by one.",
        of_object({"page": {"type": "string"}, "section": {"type": "string"}}),
        manual,
    ),
    Tool(
        "examples",
        "Read example models",
        "Read example models: mutual exclusion, leader election, protocols and others. Each says what it is. "
        "Without a name, all are listed.",
        of_object({"name": {"type": "string"}}),
        example_models,
    ),
)
