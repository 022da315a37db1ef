"""What a process does that answers an editor for hours."""

from __future__ import annotations

import gc

#: answers make tens of thousands of values that refer to each other in no circle
_MOST_FRESH = 200_000


def settle() -> None:
    """Keeps the collector of cyclic garbage from pausing answers; called once, when all is loaded.

    What is there now stays, so that the collector need not look at it, and it looks at the rest rarely.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_MOST_FRESH, 10, 20)
