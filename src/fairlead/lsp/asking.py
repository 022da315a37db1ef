"""Answers our own requests: questions with their verdicts, processes, and explanations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairlead.lang.editing import SymbolKind
from fairlead.lsp.lenses import json_range, title
from fairlead.lsp.orders import mapping, text, uri_of
from fairlead.lsp.runs import place, run
from fairlead.lsp.session import Feature, Features, Session
from fairlead.lsp.values import range_of
from fairlead.service.documents import Document
from fairlead.service.hover import explained
from fairlead.service.verdicts import Verdict, asked, basis_of_all


def questions(session: Session, given: Any) -> dict[str, Any]:
    """What a document asks, with the last verdicts; `others` are those that belong to no place."""
    document = session.document(uri_of(mapping(given)))
    found = []
    for one in asked(session.workspace, document):
        verdicts = session.verdicts.of(one.basis)
        advised = session.verdicts.advice(one.basis)
        found.append(
            {
                "text": one.question.text,
                "range": json_range(range_of(document, one.question.at)),
                "hasFormula": one.question.has_formula,
                "underWay": session.work.under_way[one.basis] > 0,
                "verdicts": _verdicts(verdicts),
                "advice": None if advised is None else advised.record,
            }
        )
    others = session.verdicts.of(basis_of_all(session.workspace, document))
    return {"questions": found, "others": _verdicts(others)}


def _verdicts(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    return [
        {
            "title": title(verdict, verdicts),
            "hasRun": verdict.has_run,
            "result": {name: value for name, value in verdict.result.items() if name != "evidence"},
        }
        for verdict in verdicts
    ]


def processes(session: Session, given: Any) -> list[dict[str, Any]]:
    """The processes that can be simulated or drawn, by their names in assertions; those asked about first."""
    document = session.document(uri_of(mapping(given)))
    asked_about = " ".join(one.question.text for one in asked(session.workspace, document))
    found = list(_processes(session, document))
    found.sort(key=lambda process: process["name"] not in asked_about)
    return found


def _processes(session: Session, document: Document) -> Iterator[dict[str, Any]]:
    analysis = session.workspace.analysis(document)
    for symbol in () if analysis is None else analysis.symbols:
        is_csp = document.suffix == ".csp"
        if symbol.kind is SymbolKind.PROCESS and not symbol.parameters:
            name = f"{symbol.name}()" if is_csp else symbol.name
        elif symbol.kind is SymbolKind.COMPOSITE:
            name = f"||{symbol.name}"
        else:
            continue
        yield {"name": name, "range": json_range(range_of(document, symbol.name_at))}


def explain(session: Session, given: Any) -> str | None:
    """What `fairlead explain` says about a notion of fairness, a code or a verdict, in Markdown."""
    return explained(text(mapping(given), "name") or "")


FEATURES: Features = (
    Feature("fairlead/questions", questions),
    Feature("fairlead/processes", processes),
    Feature("fairlead/explain", explain),
    Feature("fairlead/run", run),
    Feature("fairlead/place", place),
)
