"""Computes the coverage of a loaded model: of which processes, and with which places in the text."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.lang.language import LoadedModel
from fairlead.outcome.coverage import Coverage
from fairlead.outcome.events import Reporter
from fairlead.outcome.limits import Limits
from fairlead.search.coverage import CoverageCount


def coverage_of(
    loaded: LoadedModel, process: str | Sequence[str] | None, limits: Limits, reporter: Reporter | None
) -> Coverage:
    """The coverage of processes; if None, of those that the model asks about, or of its only one."""
    asked = [process] if isinstance(process, str) else process
    if asked is None:
        asked = [name for assertion in loaded.assertions for name in assertion.processes]
    names = list(dict.fromkeys(map(loaded.process_name, asked))) or [loaded.process_name(None)]
    count = CoverageCount(limits, reporter)
    for name in names:
        count.add(name, loaded.system(name))
    return count.coverage(loaded.coverable(names))
