"""Defers signals for a moment, while an interruption would leave something that cannot be saved any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: the longest time in seconds for which signals wait: who presses Ctrl-C expects an answer
LONGEST = 0.5


class _Deferring:
    """Says whether now is a bad moment, and since when a signal waits for a better one."""

    is_bad_moment: Callable[[], bool] | None = None
    waiting_since: float | None = None


@contextmanager
def deferring(is_bad_moment: Callable[[], bool]) -> Iterator[None]:
    """While inside, a signal that arrives at a bad moment waits until it has passed, but not for long."""
    before, _Deferring.is_bad_moment = _Deferring.is_bad_moment, is_bad_moment
    try:
        yield
    finally:
        _Deferring.is_bad_moment = before


def must_wait() -> bool:
    """Whether a signal that has just arrived is to be sent again later."""
    is_bad = _Deferring.is_bad_moment
    if is_bad is None or not is_bad():
        _Deferring.waiting_since = None
        return False
    now = time.monotonic()
    if _Deferring.waiting_since is None:
        _Deferring.waiting_since = now
    if now - _Deferring.waiting_since < LONGEST:
        return True
    _Deferring.waiting_since = None
    return False
