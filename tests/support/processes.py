"""Whether processes are running, as the system sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended; where there is no /proc, none is."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Whether a process ends within twenty seconds."""
    return happens(lambda: not is_running(pid))


def happens(wanted: Callable[[], bool]) -> bool:
    """Whether something becomes so within twenty seconds."""
    for _ in range(1000):
        if wanted():
            return True
        time.sleep(0.02)
    return False


def children(pid: int) -> set[int]:
    """The processes that a process has started, directly or not, and that have not ended."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for path in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            fresh = {int(word) for word in path.read_text().split()} - found
            found |= fresh
            waiting += fresh
    return {child for child in found if is_running(child)}
