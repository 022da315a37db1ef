"""Locks files between runs: the process that writes a file keeps others from it until it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InUse(Exception):
    """Another run holds the lock."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock, which is a file of this name; raises `InUse`, or `OSError` if there can be no such file.

    The system gives the lock back when the process ends. A file that a killed process left behind is locked
    by no process, and serves the next run. Where the system has no locks, every run gets one.
    """
    name = os.fspath(path)
    handle = _taken(name)
    try:
        yield
    finally:
        _give_back(handle, name)


def _taken(name: str) -> int:
    while True:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        try:
            if not _lock(handle):
                raise InUse
            if _is_there(handle, name):
                return handle
        except InUse:
            os.close(handle)
            raise
        except BaseException:
            _give_back(handle, name)
            raise
        os.close(handle)  # its owner has removed the file in the meantime


def _give_back(handle: int, name: str) -> None:
    """Single calls of the system, so that a signal finds next to no moment in between."""
    if os.name == "nt":  # open files cannot be removed there
        os.close(handle)
    try:
        os.unlink(name)  # noqa: PTH108 — that of Path is Python code, in which a signal could arrive
    except OSError:
        pass
    finally:
        if os.name != "nt":
            os.close(handle)


def _is_there(handle: int, name: str) -> bool:
    """Whether the file that was locked is the one that others will find."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(name))  # noqa: PTH116
    except FileNotFoundError:
        return False


def _lock(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
