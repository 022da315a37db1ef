"""Limits that the engine reaches, as those of a check."""

from __future__ import annotations

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.engine import _native

_LIMITS = {
    _native.Limit.MEMORY: LimitKind.MEMORY,
    _native.Limit.STATES: LimitKind.STATES,
    _native.Limit.TIME: LimitKind.TIME,
    _native.Limit.DISK: LimitKind.DISK,
}


def engine_limit(limit: _native.EngineLimit) -> Stopped:
    """A limit that the engine has reached, as one of the check."""
    return Stopped(_LIMITS[limit.args[0]])
