"""A result as JSON (docs/reference/json.md)."""

from __future__ import annotations

from typing import Any

from fairlead.checker.result import Result
from fairlead.present.sentences.result import Said


def result_json(result: Result) -> dict[str, Any]:
    """The result for programs."""
    data: dict[str, Any] = {
        "assertion": result.assertion,
        **({} if result.subject is None else result.subject.to_json()),
        "fairness": result.fairness.value,
        **({} if not result.also_under else {"also_under": [notion.value for notion in result.also_under]}),
        **({} if result.fair is None else {"fair": result.fair}),
        "verdict": result.verdict.value,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "seconds": round(result.statistics.seconds, 6),
        "memory_bytes": result.statistics.memory_bytes,
        "product_nodes": result.statistics.product_nodes,
        "evidence": None if result.evidence is None else result.evidence.to_json(),
    }
    if result.fault is not None:
        data["fault"] = result.fault.to_json()
    if result.is_shortest is not None:
        data["shortest"] = result.is_shortest
    if result.holds_in is not None:
        data |= {"holds_in": result.holds_in, "partly_in": result.partly_in}
    if result.optimum is not None:
        data["optimum"] = result.optimum
    if result.reason:
        data["reason"] = result.reason
    if result.phase:
        data["phase"] = result.phase
    if result.annotations:
        data["annotations"] = [str(annotated) for annotated in result.annotations]
    data |= _notes(result)
    reports = {
        "counters": result.counters,
        "symmetry": result.symmetry,
        "partial_order": result.partial_order,
        "variables": result.variables,
        "refused": result.refused,
        "auto": result.auto,
        "unfair_end": result.unfair_end,
        "further": result.further,
        "certificate": result.certified,
    }
    return data | {name: report.to_json() for name, report in reports.items() if report is not None}


def _notes(result: Result) -> dict[str, Any]:
    said = Said(result)
    note, reason = said.note, said.vacuity_note
    data: dict[str, Any] = {}
    if result.vacuity is not None and reason is None:  # since nothing is fair: the note is the reason
        data |= {"vacuous": True, "vacuous_reason": note}
        note = None
    elif result.is_vacuous:
        data |= {"vacuous": True, "vacuous_reason": reason}
    if result.vacuity is not None:
        data["vacuity"] = result.vacuity.to_json()
    return data if note is None else {**data, "note": note}
