"""Reads the text of a file whatever its encoding and its line ends."""

from __future__ import annotations

import codecs
import os
import stat
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from fairlead.base.allowance import check_limits
from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Span

#: no file that is larger is read
LARGEST_FILE = 1 << 30
_PART = 1 << 20
#: opens a pipe without a writer, without waiting; systems without this mode have no such pipes
_AT_ONCE: int = getattr(os, "O_NONBLOCK", 0)
#: milliseconds between two looks at the limits while nothing is there to be read
_LOOK_EVERY = 50
_BEGINNINGS = frozenset(string.printable.encode())  # what a text can begin with


def cannot_read(
    path: object, error: OSError, asked: Span | None = None, hint: str | None = None
) -> InputError:
    """The error for a file that cannot be read; `asked` is the place that names it."""
    return input_error(Code.FILE, f"cannot read '{path}': {error.strerror}", asked, hint)


def not_utf8(name: str) -> InputError:
    """The error for a file, or another source, that has other bytes."""
    return input_error(Code.FILE, f"{name} is not a UTF-8 text")


#: what a file was like when it was examined; None if it was not there
Stamp = tuple[int, int, int] | None
_reads: ContextVar[dict[Path, Stamp] | None] = ContextVar("_reads", default=None)


def stamp_of(path: Path) -> Stamp:
    """Tells whether a file has changed: when it was written, how long it is, and which file it is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@contextmanager
def recorded_reads() -> Iterator[dict[Path, Stamp]]:
    """Collects the files that are read inside, or were to be read, as they were just before that."""
    reads: dict[Path, Stamp] = {}
    token = _reads.set(reads)
    try:
        yield reads
    finally:
        _reads.reset(token)
        around = _reads.get()
        if around is not None:  # who records around this block hears of them too
            around.update({path: stamp for path, stamp in reads.items() if path not in around})


def note_read(path: Path) -> None:
    """Adds a file to those that are recorded, be it there or not."""
    reads = _reads.get()
    if reads is not None:
        reads.setdefault(path, stamp_of(path))


#: texts that stand for those of files, by the resolved paths
_overlay: ContextVar[Mapping[Path, str] | None] = ContextVar("_overlay", default=None)


@contextmanager
def overlaid(texts: Mapping[Path, str]) -> Iterator[None]:
    """Lets texts stand for those of files inside, such as what an editor has not saved yet."""
    token = _overlay.set(texts)
    try:
        yield
    finally:
        _overlay.reset(token)


def is_there(path: Path) -> bool:
    """Whether there is a file to read, or a text that stands for it."""
    return _overlaid(path) is not None or (_is_allowed(path) and path.is_file())


def _overlaid(path: Path) -> str | None:
    texts = _overlay.get()
    return texts.get(path.resolve()) if texts else None


@dataclass(frozen=True)
class Confinement:
    """What may be read: what is in a folder, wherever links lead, and some files besides."""

    folder: Path
    files: frozenset[Path] = frozenset()

    def allows(self, path: Path) -> bool:
        """Whether a file may be read; one that cannot be found may not."""
        try:
            found = path.resolve()
        except (OSError, RuntimeError, ValueError):  # links in a circle, or a name that no file can have
            return False
        return found.is_relative_to(self.folder) or found in self.files


_confinement: ContextVar[Confinement | None] = ContextVar("_confinement", default=None)


@contextmanager
def confined(to: Confinement | None) -> Iterator[None]:
    """Inside, other files cannot be read, and it is not told whether they are there."""
    token = _confinement.set(to)
    try:
        yield
    finally:
        _confinement.reset(token)


def _is_allowed(path: Path) -> bool:
    confinement = _confinement.get()
    return confinement is None or confinement.allows(path)


def _check_allowed(path: Path, descriptor: int | None, asked: Span | None) -> None:
    """Refuses a file outside of the confinement; one that is open must be the one that the path names.

    A link could be exchanged between the look at where it leads and the opening.
    """
    if _confinement.get() is None:
        return
    is_plain = descriptor is None or stat.S_ISREG(os.fstat(descriptor).st_mode)
    is_same = descriptor is None or os.path.samestat(os.fstat(descriptor), path.resolve().stat())
    if not (_is_allowed(path) and is_plain and is_same):
        raise input_error(Code.FILE, f"'{path}' is not a file in the folder that may be read", asked)


def read_utf8(path: Path) -> str:
    """The text of a file that must be UTF-8, perhaps with a mark at its beginning."""
    note_read(path)
    try:
        return _read(path, None).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise cannot_read(path, error) from None
    except UnicodeDecodeError:
        raise not_utf8(f"'{path}'") from None


def read_text(path: Path, asked: Span | None = None) -> str:
    """The text of a file, with a newline at the end of each line; `asked` is the place that names it.

    Models are written in ASCII, whatever their comments are written in. So a file that is neither UTF-8 nor
    UTF-16 is taken as Latin-1: its comments may then read strangely, the rest is as it was meant.
    """
    note_read(path)
    standing = _overlaid(path)
    if standing is not None:
        return standing
    try:
        data = _read(path, asked)
    except OSError as error:
        hint = None
        if isinstance(error, FileNotFoundError):
            from fairlead.base.similar_files import similar_file  # rarely needed

            hint = similar_file(path)
        raise cannot_read(path, error, asked, hint) from None
    text = data.decode(_encoding(data), errors="replace")
    if "\0" in text:
        raise input_error(Code.FILE, f"'{path}' is not a text", asked)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read(path: Path, asked: Span | None) -> bytes:
    """The bytes of a file, within the limits: a device may have no end, and a pipe may have no writer."""
    _check_allowed(path, None, asked)
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | getattr(os, "O_BINARY", 0))
    try:
        _check_allowed(path, descriptor, asked)
        return read_stream(descriptor, f"'{path}'", asked)
    finally:
        os.close(descriptor)


def read_stream(descriptor: int, name: str, asked: Span | None = None) -> bytes:
    """All bytes of an open file, within the limits, also while none come."""
    may_wait = _AT_ONCE != 0 and not stat.S_ISREG(os.fstat(descriptor).st_mode)
    parts: list[bytes] = []
    size = 0
    while True:
        if may_wait:
            _await(descriptor)
        part = os.read(descriptor, _PART)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        check_limits()
        if size > LARGEST_FILE:
            raise input_error(Code.FILE, f"{name} has more than {LARGEST_FILE >> 20} MB", asked)


def _await(descriptor: int) -> None:
    """Waits until there is something to read, or the end."""
    import select  # not needed for files

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while not poll.poll(_LOOK_EVERY):
        check_limits()


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    first = data[:2]
    if first.count(0) == 1 and max(first) in _BEGINNINGS:
        return "utf-16-le" if first[1] == 0 else "utf-16-be"  # ASCII written as UTF-16, without a mark
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig"
