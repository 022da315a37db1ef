"""Writing files whole: a reader sees the old file or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fairlead.base.diagnostics import Code, InputError, input_error


def write_whole(path: Path, text: str) -> None:
    """Writes a file through a temporary one in its folder; writes directly if it is not a plain file."""
    try:
        data = text.encode("utf-8", errors="backslashreplace")
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        _replace(path.resolve(), data)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: object, error: OSError | ValueError) -> InputError:
    """The error for a file that cannot be written; `ValueError` is for names that no file can have."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return input_error(Code.FILE, f"cannot write '{path}': {reason}")


def check_writable(path: Path) -> None:
    """Refuses a file that `write_whole` could not write, before there is anything to write."""
    try:
        if path.exists() and (path.is_dir() or not os.access(path, os.W_OK)):
            number = 21 if path.is_dir() else 13
            raise OSError(number, os.strerror(number))
        if not path.exists() or path.is_file():
            import tempfile  # slow to import

            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; it takes the place of the old one when everything inside has been written."""
    try:
        with _replacing(path.resolve()) as file:
            yield file
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def _replace(path: Path, data: bytes) -> None:
    with _replacing(path) as file:
        file.write(data)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, os.strerror(13))
    import tempfile  # slow to import

    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # not every disk that is full says so earlier
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else _usual_mode())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _usual_mode() -> int:
    """The mode of a new file: a temporary one is for its owner alone."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask
