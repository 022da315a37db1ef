"""An explicit graph as a model: its one process, its propositions and events."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fairlead.base.diagnostics import Code, Diagnostic, InputError, input_error, nearest
from fairlead.base.files import read_text
from fairlead.base.source import Source, Span
from fairlead.lang.explicit.read import GRAPH_SUFFIXES, read_graph
from fairlead.lang.explicit.vocabulary import GraphVocabulary
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    SIMPLE_QUESTIONS,
    Assertion,
    FormulaText,
    Reaches,
    Refinement,
    Refines,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.coverable import Definition
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Proposition

NAME = "graph"
_WORDS = "|".join([*SIMPLE_QUESTIONS, "reaches", "refines"])
_ASSERTION = re.compile(rf"\s*(?:\w+(?:\(\))?\s*)?(\|=|\b(?:{_WORDS})\b)")
_SPECIFICATION = re.compile(r"(?:<\s*(F|FD)\s*>)?\s*([^<\s].*)", re.DOTALL)


class GraphModel:
    """A model that is a graph. It asks nothing itself."""

    default_fairness = "none"

    def __init__(self, graph: ExplicitGraph) -> None:
        self._graph = graph
        self.assertions: tuple[Assertion, ...] = ()
        self.warnings: list[Diagnostic] = []
        self._vocabulary = GraphVocabulary(graph, self.warnings)

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """The graph as JSON, where an event is annotated in the states that have it."""
        from fairlead.lang.explicit.write import to_json

        ready = {
            annotated: frozenset(
                state
                for state, steps in self._graph.transitions.items()
                if any(step.event == annotated.label for step in steps)
            )
            for annotated in annotations
        }
        return to_json(replace(self._graph, annotations={**self._graph.annotations, **ready}))

    def coverable(self, processes: Sequence[str]) -> tuple[Definition, ...]:
        """None: a graph is not a text, only its events are counted."""
        return ()

    def assertion(self, text: str) -> Assertion:
        """`|= formula`, `deadlockfree` and similar words, `reaches p` or `refines other.aut`.

        A process name before it is ignored.
        """
        match = _ASSERTION.match(text)
        span = Source("assertion", text).span(0, len(text))
        if match is None:
            words = ", ".join(f"'{word}'" for word in SIMPLE_QUESTIONS)
            expected = f"'|= formula', 'reaches proposition', 'refines file', {words}"
            raise input_error(Code.SYNTAX, f"expected one of {expected}", span)
        rest = text[match.end() :].strip().rstrip(";").strip()
        if match[1] == "|=":
            return self.formula(rest, None)
        if match[1] in SIMPLE_QUESTIONS:
            if rest:
                raise input_error(Code.SYNTAX, f"nothing can follow '{match[1]}'", span)
            return SIMPLE_QUESTIONS[match[1]](NAME, f"{NAME} {match[1]}")
        if match[1] == "refines":
            found = _SPECIFICATION.fullmatch(rest)
            if found is None:
                raise input_error(
                    Code.SYNTAX, "expected a file after 'refines', 'refines<F>' or 'refines<FD>'", span
                )
            kind = Refinement(found[1] or "T")
            return Refines(NAME, f"{NAME} {kind.word} {found[2]}", kind, found[2])
        return self._reaches(rest, span)

    def _reaches(self, rest: str, span: Span) -> Reaches:
        if rest not in self._graph.propositions:
            if re.search(r"\swith\s+(min|max)\b", rest):
                problem = "a graph has no variables, so there is nothing to be minimal or maximal"
                raise input_error(Code.UNSUPPORTED, problem, span)
            raise input_error(
                Code.UNKNOWN_NAME,
                f"there is no proposition '{rest}'",
                hint=nearest(rest, self._graph.propositions),
            )
        return Reaches(NAME, f"{NAME} reaches {rest}", Proposition(rest, rest))

    def with_all_problems(self, error: InputError) -> InputError:
        """The error itself: a graph is read as a whole."""
        return error

    def process_name(self, process: str | None) -> str:
        """A graph has just one process."""
        return NAME

    def asked_of(self, process: str) -> tuple[Assertion, ...]:
        """Nothing."""
        return ()

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A formula about the graph."""
        source = Source("formula", text)
        return Satisfies(NAME, f"{NAME} |= {' '.join(text.split())}", FormulaText(source, 0, len(text)))

    def branching(self, text: str, process: str | None, finite_paths: bool) -> SatisfiesBranching:
        """A formula of CTL or CTL* about the graph."""
        formula = FormulaText(Source("formula", text), 0, len(text))
        return SatisfiesBranching(NAME, f"{NAME} |= {' '.join(text.split())}", formula, finite_paths)

    def vocabulary(self, question: Assertion, texts: Sequence[str] = ()) -> GraphVocabulary:
        """The names of the graph, whatever is asked."""
        return self._vocabulary

    def system(self, process: str | None) -> ExplicitGraph:
        """The graph."""
        return self._graph

    def presented(self, process: str | None) -> ExplicitGraph:
        """The same: nothing is left out."""
        return self.system(process)

    def reduced(
        self,
        process: str | None,
        visible: frozenset[str] | None,
        tick: Callable[[], None],
        most: int | None = None,
    ) -> None:
        """There are no parts that could be taken by themselves."""
        return

    def specification(self, name: str) -> ExplicitGraph:
        """The graph in another file."""
        path = Path(name)
        suffix = path.suffix.lower()
        if suffix not in GRAPH_SUFFIXES:
            known = " and ".join(GRAPH_SUFFIXES)
            raise input_error(Code.FILE, f"'{name}': a graph can refine another graph; known are {known}")
        return read_graph(Source(name, read_text(path), path), suffix)

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        """The listed propositions."""
        return {name: Proposition(name, name) for name in self._graph.propositions}
