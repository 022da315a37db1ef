"""The evidence of results as blocks of a page: each run once, however many results it is the evidence of."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.checker.result import Result
from fairlead.evidence.evidence import Evidence
from fairlead.present.draw.svg import MOST_STATES
from fairlead.present.html.evidence_block import Exhibit, exhibit_block
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.small_graph import SmallGraph, small_graph
from fairlead.present.sentences.result import Said
from fairlead.present.sentences.runs import sentence
from fairlead.present.sentences.strategies import COUNTED_RUN


@dataclass(frozen=True)
class Blocks:
    """Blocks of evidence: by name their titles, and for each result, by its place, where its evidence is."""

    markup: list[Markup] = field(default_factory=list)
    titles: dict[str, Content] = field(default_factory=dict)
    links: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Shared:
    """A run with the results that it is the evidence of; `graph` says if it is known to be too large."""

    exhibits: list[Exhibit]
    results: list[int]
    graph: str | None


def evidence_blocks(results: Sequence[Result], prefix: str, text: ModelText) -> Blocks:
    """The evidence of all results; names in the page begin with the prefix."""
    blocks = Blocks()
    drawn = 0
    for shared in _shared(results):
        name = f"{prefix}{len(blocks.markup) + 1}"
        first = shared.exhibits[0]
        for number in shared.results:
            blocks.links.setdefault(number, name)
        blocks.titles[name] = first.title
        graph = shared.graph or small_graph(first.evidence.system)
        if isinstance(graph, SmallGraph):
            drawn += graph.graph.state_count
            graph = graph if drawn <= tuning().most_drawn else "there are enough pictures on this page"
        blocks.markup.append(exhibit_block(shared.exhibits, name, graph, text))
    return blocks


def _shared(results: Sequence[Result]) -> list[_Shared]:
    """The runs, each once, in the order of the results that they are first met for."""
    found: dict[Hashable, _Shared] = {}
    for number, result in enumerate(results):
        for role, exhibit in _exhibits(result):
            graph = _known_size(result, exhibit.evidence)
            key = (role, None if result.subject is None else result.subject.process, _look(exhibit.evidence))
            shared = found.setdefault(key, _Shared([], [], graph))
            shared.exhibits.append(exhibit)
            shared.results.append(number)
    return list(found.values())


def _look(evidence: Evidence) -> Hashable:
    """What a run looks like on a page: two that look the same are shown once."""
    run, explained = evidence.run, evidence.explanation
    states = [run.start, *(step.target for step in (*run.stem, *run.loop))]
    seen: dict[Hashable, str] = {}
    for state in states:
        if state not in seen:
            seen[state] = repr(evidence.system.describe(state))
    return (
        tuple(seen[state] for state in states),
        tuple((step.event, step.processes) for step in (*run.stem, *run.loop)),
        len(run.stem),
        None if explained is None else (type(explained), explained.loop_title, explained.is_about_set),
        evidence.demonstration,
        evidence.component,
    )


def _exhibits(result: Result) -> Iterator[tuple[str, Exhibit]]:
    """The evidence of a result, each piece with the part that it plays."""
    depends = result.subject is None or result.subject.kind in ("ltl", "ctl")
    for kind, evidence in Said(result).shown:
        told = sentence(evidence, result)
        yield "evidence", Exhibit(evidence, exhibit_title(kind, result), told, depends)
    if result.unfair_end is not None:
        told = f"From the end of this run on, no execution is fair: {Said(result).note}."
        yield "end", Exhibit(result.unfair_end, exhibit_title("where fairness ends, for", result), told)
    if result.counters is not None and result.counters.spurious is not None:
        told = "Counted processes have this run; no instance was found that does."
        yield "counted", Exhibit(result.counters.spurious, exhibit_title(COUNTED_RUN, result), told)


def exhibit_title(kind: str, result: Result) -> Content:
    """What a run is, of which question, and under which assumptions."""
    assumed = tag("span", Said(result).assumed, class_="fl-quiet")
    return joined(f"{kind[0].upper()}{kind[1:]} ", tag("code", result.assertion), assumed)


def _known_size(result: Result, evidence: Evidence) -> str | None:
    """That the state graph is too large, where that is known already."""
    others = (result.symmetry, result.partial_order, result.counters, result.variables, result.symbolic)
    of_one_system = result.subject is not None and result.subject.kind != "refinement"
    states = result.statistics.states
    own = (result.evidence, *result.counterexamples)
    if all(evidence is not one for one in own) or any(others) or not of_one_system:
        return None
    if states <= MOST_STATES:
        return None
    size = f"{states:,} states" if result.statistics.complete else f"more than {MOST_STATES} states"
    return f"it has {size}"
