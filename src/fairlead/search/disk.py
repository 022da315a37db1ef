"""Room on disk for what does not fit into the memory of a check."""

from __future__ import annotations

import os

from fairlead.base.diagnostics import Code, input_error
from fairlead.engine import _native
from fairlead.outcome.limits import Limits

#: so much of what is free on a disk is left to others, unless a limit is given
_SPARED = 0.05


def engine_context(limits: Limits, least_work: int) -> _native.Context:
    """The engine's memory, threads and file for a check under limits."""
    context = _native.Context(limits.memory(), limits.workers, least_work)
    if limits.disk is not None:
        file = _nameless_file(limits.disk)
        context.use_disk(
            file, limits.disk_limit if limits.disk_limit is not None else _free_room(limits.disk)
        )
    return context


def check_disk(limits: Limits) -> None:
    """Complains early if states cannot be written where they should."""
    if limits.disk is not None:
        os.close(_nameless_file(limits.disk))


def _nameless_file(folder: str) -> int:
    """A new file in a folder, which is gone when the process is, whatever ends it."""
    if not _native.DISK_IS_OFFERED:
        raise input_error(Code.UNSUPPORTED, "states can be kept on disk on Linux only")
    import tempfile  # rarely needed

    try:
        # it may never have had a name; if it did, that is removed before anything is written
        with tempfile.TemporaryFile(dir=folder) as file:
            return os.dup(file.fileno())
    except OSError as error:
        raise input_error(Code.FILE, f"no file can be made in {folder}: {error.strerror}") from None


def _free_room(folder: str) -> int:
    import shutil  # rarely needed

    return int(shutil.disk_usage(folder).free * (1 - _SPARED))
