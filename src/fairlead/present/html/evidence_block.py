"""One piece of evidence on a page: in a sentence, as a timeline, why it is fair, and in the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.evidence.faults import FaultReached
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.logic.wording import spelt
from fairlead.model.system import State
from fairlead.outcome.demonstration import Demonstration
from fairlead.present.html.markup import Content, Markup, joined, line_items, tag
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.reasons import fairness_tables, other_notions
from fairlead.present.html.small_graph import SmallGraph
from fairlead.present.html.strip import Caption, strip
from fairlead.present.html.timeline import timeline_of
from fairlead.present.sentences.runs import path_words, state_words, what_a_run_shows
from fairlead.present.text.evidence import SHOWN_BRANCHES

#: the name of a run that is not a branch of another
RUN = "The run, step by step"
#: deeper branches are not indented further
_DEEPEST = 6


@dataclass(frozen=True)
class Exhibit:
    """Evidence with its text: a title, a sentence about what it shows, and whether the question
    depends on fairness at all."""

    evidence: Evidence
    title: Content
    sentence: str
    depends_on_fairness: bool = True


def exhibit_block(
    exhibits: Sequence[Exhibit], name: str, graph: SmallGraph | str, text: ModelText | None = None
) -> Markup:
    """Everything there is to see of a run: once, with what each of the exhibits says about it.

    The exhibits have the same run. `name` is that of the block in the page; `graph` is the state graph, or
    why it is not drawn; `text` that of the model, where it is on the page.
    """
    first = exhibits[0].evidence
    drawn = graph.numbers if isinstance(graph, SmallGraph) else {}
    return tag(
        "section",
        tag("h2", exhibits[0].title, id=f"{name}-title"),
        tag("p", exhibits[0].sentence, class_="fl-lead"),
        _served(exhibits),
        _runs(exhibits, name, drawn, text),
        dict.fromkeys(_explanation(one.evidence) for one in exhibits),
        _graph(first, graph),
        class_="fl-evidence",
        id=name,
        aria_labelledby=f"{name}-title",
    )


def _served(exhibits: Sequence[Exhibit]) -> Markup | None:
    """What else the run is, if it is the evidence of several results."""
    if len(exhibits) == 1:
        return None
    known = {exhibits[0].sentence}
    items: list[Markup] = []
    for exhibit in exhibits[1:]:
        said = None if exhibit.sentence in known else tag("div", exhibit.sentence, class_="fl-quiet")
        items.append(tag("li", exhibit.title, said))
        known.add(exhibit.sentence)
    return tag("div", tag("p", "The same run is also:"), tag("ul", items), class_="fl-served")


def _runs(
    exhibits: Sequence[Exhibit], name: str, drawn: Mapping[State, int], text: ModelText | None
) -> Markup:
    evidence = exhibits[0].evidence
    if evidence.demonstration is not None:
        return joined(_branches(evidence, evidence.demonstration, name, drawn, text))
    loop_title = LOOP_TITLE if evidence.explanation is None else evidence.explanation.loop_title
    explained = evidence.explanation
    fails = explained.problem.span if isinstance(explained, FaultReached) else None
    caption = Caption(RUN, loop_title, fails)
    run = f"{name}-run"
    shown = _timeline(evidence, run, caption, drawn, text)
    reasons = dict.fromkeys(fairness_tables(exhibit.evidence, run) for exhibit in exhibits)
    is_one_of_many = explained is not None and explained.is_about_set
    asked = not is_one_of_many and any(exhibit.depends_on_fairness for exhibit in exhibits)
    return joined(shown, reasons, other_notions(evidence, run) if asked else None)


def _timeline(
    evidence: Evidence, name: str, caption: Caption, drawn: Mapping[State, int], text: ModelText | None
) -> Markup:
    timeline = timeline_of(evidence.system, evidence.run, evidence.offset)
    at_end = caption.run == RUN and not evidence.run.loop  # what a finite run shows is its last state
    return strip(timeline, name, caption, drawn, text=text, at_end=at_end)


def _branches(
    evidence: Evidence,
    demonstration: Demonstration,
    name: str,
    drawn: Mapping[State, int],
    text: ModelText | None,
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
            _timeline(run, f"{name}-run{number}", Caption(label), drawn, text),
            fairness_tables(run, f"{name}-run{number}"),
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
        tag("ul", line_items(lines)),
        class_="fl-meaning",
    )


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
