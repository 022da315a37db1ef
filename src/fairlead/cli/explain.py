"""`fairlead explain`: what a diagnostic code, a notion of fairness or a verdict means, with an example."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import click

from fairlead.base.diagnostics import Code, input_error, nearest
from fairlead.present.explain import ALIASES, Kind, Topic, table_rows, topic, topics

_HEADINGS = {Kind.CODE: "Diagnostic codes", Kind.NOTION: "Notions of fairness", Kind.VERDICT: "Answers"}
_FENCE = re.compile(
    r"^(?:<!-- (?:file|wrong): (?P<name>\S+) -->\n+)?```\w+\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
_WIDEST = 100


@click.command()
@click.argument("topic", metavar="[TOPIC]", required=False)
def explain(topic: str | None) -> int:
    """Explain TOPIC: a code such as 'unknown-name', a notion such as 'esf', a verdict or an exit status.

    Without TOPIC all of them are listed.
    """
    width = min(_WIDEST, max(40, click.get_current_context().terminal_width or _terminal_width()))
    lines = _listed(width) if topic is None else explained_lines(_found(topic), width)
    click.echo("\n".join(lines))
    return 0


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def _found(name: str) -> Topic:
    # as it stands in a message, perhaps: error[syntax]
    bare = re.sub(r"^(?:error|warning)?\[(.*)\]$", r"\1", name.strip().lower()).replace("_", "-")
    try:
        return topic(bare)
    except KeyError:
        names = [name for kind in Kind for name in kind.names]
        raise input_error(
            Code.USAGE,
            f"there is no topic '{name}' to explain",
            hint=nearest(bare, [*names, *ALIASES]) or "'fairlead explain' lists the topics",
        ) from None


def _listed(width: int) -> Iterator[str]:
    yield "fairlead explain TOPIC shows what it means, with an example, and what to do about it."
    for kind in Kind:
        yield ""
        yield click.style(f"{_HEADINGS[kind]}", bold=True)
        found = topics((kind,))
        column = max(len(each.name) for each in found) + 4
        for each in found:
            text = plain(each.summary)
            yield from textwrap.wrap(
                text, width, initial_indent=f"  {each.name:<{column - 2}}", subsequent_indent=" " * column
            )


def explained_lines(found: Topic, width: int) -> Iterator[str]:
    """A topic for the terminal: paragraphs wrapped, models and commands as they are."""
    yield f"{click.style(found.name, bold=True)}: {plain(found.summary)}"
    end = 0
    for fence in _FENCE.finditer(found.body):
        yield from _prose(found, found.body[end : fence.start()], width)
        yield ""
        if fence["name"]:
            yield f"  {click.style(fence['name'], bold=True)}:"
        yield from (f"    {line}".rstrip() for line in fence["body"].splitlines())
        end = fence.end()
    yield from _prose(found, found.body[end:], width)


def _prose(found: Topic, text: str, width: int) -> Iterator[str]:
    for paragraph in re.split(r"\n{2,}", text.strip()):
        if not paragraph:
            continue
        yield ""
        if paragraph.startswith("|"):
            yield from _table(found)
        elif paragraph.startswith("See also "):
            yield from textwrap.wrap(_see(paragraph), width)
        else:
            yield from (_stressed(line) for line in textwrap.wrap(plain(paragraph, stress=True), width))


def _table(found: Topic) -> Iterator[str]:
    rows = table_rows(found)
    width = max(len(first) for first, _ in rows)
    for first, second in rows:
        yield f"  {first:>{width}}  {plain(second)}"


def _see(text: str) -> str:
    """What to read besides: topics by their names, and pages."""
    names = ", ".join(re.findall(r"(?<!\[)`([\w-]+)`", text))
    pages = ", ".join(f"{link[1]} ({link[2]})" for link in _LINK.finditer(" ".join(text.split())))
    parts = [f"fairlead explain {names}" if names else "", f"in the documentation {pages}" if pages else ""]
    return "See also: " + "; ".join(filter(None, parts))


def plain(text: str, *, stress: bool = False) -> str:
    """Markdown as plain text; what is stressed can be kept marked."""
    text = _LINK.sub(r"\1", " ".join(text.split())).replace("\\*", "*").replace("\\|", "|")
    text = re.sub(r"(?<!\*)\*([^*\s][^*]*)\*(?!\*)", r"\1", text)
    return text if stress else text.replace("**", "")


def _stressed(line: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", lambda match: click.style(match[1], bold=True), line).replace("**", "")
