"""What a client can choose: limits of jobs, and how verdicts are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.outcome.limits import Limits, size_of
from fairlead.service.requests import DEFAULT_LIMITS


class Display(StrEnum):
    """Where verdicts can be shown."""

    LENSES = "lenses"
    HINTS = "hints"
    DIAGNOSTICS = "diagnostics"


@dataclass(frozen=True)
class Settings:
    """The choices of a client; `verdicts` is None if it leaves to the server where they are shown."""

    limits: Limits = DEFAULT_LIMITS
    verdicts: frozenset[Display] | None = None

    def changed(self, given: object) -> Settings:
        """The settings with what a client gives, which is a mapping; what makes no sense changes nothing."""
        if not isinstance(given, Mapping):
            return self
        limits = limits_of(given.get("limits"), self.limits)
        return Settings(limits, _displays(given.get("verdicts"), self.verdicts))


def limits_of(given: object, others: Limits) -> Limits:
    """Limits as clients name them, `timeout`, `maxMemory` and `maxStates`; null means unlimited."""
    if not isinstance(given, Mapping):
        return others
    found: dict[str, Any] = {}
    if "timeout" in given:
        found["timeout"] = given["timeout"]
    if "maxStates" in given:
        found["max_states"] = given["maxStates"]
    if "maxMemory" in given:
        memory = given["maxMemory"]
        found["max_memory"] = size_of(memory) if isinstance(memory, str) else memory
    try:
        return replace(others, **found)
    except FairleadError:
        return others


def _displays(given: object, others: frozenset[Display] | None) -> frozenset[Display] | None:
    if not isinstance(given, list):
        return others
    return frozenset(display for display in Display if display.value in given)
