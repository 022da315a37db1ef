"""One piece of evidence on a page: in a sentence, as a timeline, why it is fair, and in the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.logic.wording import spelt
from fairlead.model.system import State
from fairlead.outcome.demonstration import Demonstration
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.reasons import fairness_tables, other_notions
from fairlead.present.html.small_graph import SmallGraph
from fairlead.present.html.strip import Caption, strip
from fairlead.present.html.timeline import timeline_of
from fairlead.present.sentences.runs import path_words, state_words, what_a_run_shows
from fairlead.present.text.evidence import SHOWN_BRANCHES

#: what a run is called that is no branch of another
RUN = "The run, step by step"
#: deeper branches are no further indented
_DEEPEST = 6


@dataclass(frozen=True)
class Exhibit:
    """Evidence with what is said about it: a title, what it shows in a sentence, and whether what is asked
    depends on fairness at all."""

    evidence: Evidence
    title: Content
    sentence: str
    depends_on_fairness: bool = True


def exhibit_block(exhibit: Exhibit, name: str, graph: SmallGraph | str) -> Markup:
    """Everything there is to see of a piece of evidence.

    `name` is that of the block in the page; `graph` is the state graph, or why it is not drawn.
    """
    evidence = exhibit.evidence
    drawn = graph.numbers if isinstance(graph, SmallGraph) else {}
    return tag(
        "section",
        tag("h2", exhibit.title, id=f"{name}-title"),
        tag("p", exhibit.sentence, class_="fl-lead"),
        _runs(exhibit, name, drawn),
        _explanation(evidence),
        _graph(evidence, graph),
        class_="fl-evidence",
        id=name,
        aria_labelledby=f"{name}-title",
    )


def _runs(exhibit: Exhibit, name: str, drawn: Mapping[State, int]) -> Markup:
    evidence = exhibit.evidence
    if evidence.demonstration is not None:
        return joined(_branches(evidence, evidence.demonstration, name, drawn))
    loop_title = LOOP_TITLE if evidence.explanation is None else evidence.explanation.loop_title
    caption = Caption(RUN, loop_title)
    shown = _timeline(evidence, f"{name}-run", caption, drawn)
    is_one_of_many = evidence.explanation is not None and evidence.explanation.is_about_set
    if is_one_of_many or not exhibit.depends_on_fairness:
        return shown
    return joined(shown, other_notions(evidence, f"{name}-run"))


def _timeline(evidence: Evidence, name: str, caption: Caption, drawn: Mapping[State, int]) -> Markup:
    timeline = timeline_of(evidence.system, evidence.run, evidence.offset)
    at_end = caption.run == RUN and not evidence.run.loop  # what a finite run shows is its last state
    return joined(strip(timeline, name, caption, drawn, at_end=at_end), fairness_tables(evidence, name))


def _branches(
    evidence: Evidence, demonstration: Demonstration, name: str, drawn: Mapping[State, int]
) -> Iterator[Markup]:
    """Each run under what it shows, indented below the one that it hangs from."""
    yield tag("p", "Shown at the start: ", tag("code", spelt(demonstration.formula)))
    path = path_words(evidence)
    branches = list(demonstration.all_branches())
    for number, placed in enumerate(branches[:SHOWN_BRANCHES], 1):
        formula = placed.branch.formula
        where = f"{state_words(placed.offset)}: " if placed.depth else ""
        label = f"{where}{what_a_run_shows(formula, path)}"
        run = evidence.of_branch(placed.branch, placed.offset)
        yield tag(
            "section",
            tag("h3", tag("code", spelt(formula))),
            tag("p", label[0].upper() + label[1:]),
            _timeline(run, f"{name}-run{number}", Caption(label), drawn),
            class_=f"fl-branch fl-depth{min(placed.depth, _DEEPEST)}",
        )
    if len(branches) > SHOWN_BRANCHES:
        more = counted(len(branches) - SHOWN_BRANCHES, "more run")
        yield tag("p", f"… {more} are left out ({ALL_WITH_JSON})", class_="fl-remark")


def _explanation(evidence: Evidence) -> Markup | None:
    if evidence.explanation is None:
        return None
    lines = list(evidence.explanation.lines())
    if not lines:
        return None
    return tag(
        "div",
        tag("h3", "What it shows"),
        tag("ul", (tag("li", line.strip(), class_=_indent(line)) for line in lines)),
        class_="fl-meaning",
    )


def _indent(line: str) -> str | None:
    return "fl-deeper" if line.startswith(" ") else None


def _graph(evidence: Evidence, graph: SmallGraph | str) -> Markup:
    if isinstance(graph, str):
        return tag("p", f"The state graph is not drawn: {graph}.", class_="fl-remark")
    terminal = isinstance(evidence.explanation, TerminalSetReached)
    picture = graph.picture("state graph", evidence.run, terminal=terminal, component=evidence.component)
    return tag(
        "figure",
        tag("figcaption", tag("h3", "State graph, with the run in it")),
        tag("div", picture, class_="fl-graph"),
    )
