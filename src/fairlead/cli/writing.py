"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from fairlead.errors import Code, input_error


def write_whole(name: str, text: str) -> None:
    """Writes a file beside its place and moves it there, so that it is there as a whole or not at all."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe: there is nothing to put in its place
            path.write_text(text, encoding="utf-8")
            return
        _replace(path.resolve(), text)
    except OSError as error:
        raise input_error(Code.FILE, f"cannot write '{name}': {error.strerror}") from None


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        beside.write_text(text, encoding="utf-8")
        beside.chmod(_mode(path))
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
