"""The systems of one model that are explored as they are, kept so that the next question finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.outcome.events import Reporter
from fairlead.outcome.limits import Limits
from fairlead.search.checkpoint import Checkpoints
from fairlead.search.target import Diving, Target, target_of


class Targets:
    """What was explored for one question serves the next one about the same system in the same limits."""

    def __init__(self, identity: Callable[[], str]) -> None:
        self._identity = identity
        self._known: dict[tuple[str, Limits, Checkpoints | None], Target] = {}

    def of(
        self,
        found: Network | ExplicitGraph,
        limits: Limits,
        reporter: Reporter | None,
        checkpoints: Checkpoints | None = None,
    ) -> Target:
        """The target of a system; `identity` tells the model from others in checkpoints."""
        key = (system_key(found), limits, checkpoints)
        if key not in self._known:
            if checkpoints is not None:
                checkpoints = replace(checkpoints, identity=self._identity())
            self._known[key] = target_of(found, limits, checkpoints=checkpoints)
        target = self._known[key]
        target.limits, target.reporter, target.diving, target.pause_at = limits, reporter, Diving(), None
        return target

    def clear(self) -> None:
        """Gives up all of them."""
        self._known.clear()


def system_key(system: Network | ExplicitGraph) -> str:
    """What distinguishes the systems of a model."""
    return system.name if isinstance(system, Network) else ""
