"""Groups of processes that are counted rather than distinguished."""

from __future__ import annotations

from fairlead.base.records import dataclass
from fairlead.model.tree import LocalState

#: why a process is in no group
NONE_LIKE_IT = "there is no other process like it"


@dataclass(frozen=True)
class Group:
    """Processes that are counted.

    `process` is the name of their `Counted` node, `members` the names of the processes, `states` where each
    of them starts, and `representative` what they are all taken for in the counted network.
    """

    process: str
    members: tuple[str, ...]
    states: tuple[LocalState, ...]
    representative: LocalState
