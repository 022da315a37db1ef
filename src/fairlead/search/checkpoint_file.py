"""The file of a checkpoint: a header, JSON, and the states as the engine packs them; signed as a whole.

The header says what the file is, with whose key it is signed, the signature, and how long the JSON is. The
signature (HMAC-SHA256) is of the header without the signature and of everything behind it. A checkpoint says
which states have been examined, and only another exploration could tell whether that is true. So a
file counts only if it was signed with the user's own key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.files import cannot_read
from fairlead.base.locking import InUse, locked
from fairlead.base.records import dataclass
from fairlead.base.user_key import key_file, user_key
from fairlead.base.writing import cannot_write

#: to be changed whenever files of before cannot be read any more
_MAGIC = b"fairlead checkpoint 4\n"
_PIECE = 1 << 20
_MARK, _SIGNATURE, _LENGTH = 16, 64, 20
#: what comes before the JSON: the mark of the key, the signature and a length, a line each
_HEADER = len(_MAGIC) + _MARK + 1 + _SIGNATURE + 1 + _LENGTH + 1


@dataclass(frozen=True)
class _Header:
    mark: bytes
    signature: bytes
    length: bytes

    @property
    def signed(self) -> bytes:
        """What of the header is signed."""
        return _MAGIC + self.mark + b"\n" + self.length + b"\n"

    def encoded(self) -> bytes:
        return _MAGIC + b"\n".join((self.mark, self.signature, self.length, b""))


def write_checkpoint(path: str, facts: object, save: Callable[[int], None]) -> None:
    """Writes a file: facts as JSON, and what `save` writes to a descriptor behind them.

    The file of before stays until the new one is whole; raises `OSError` if there is no new one.
    """
    import json  # rarely needed

    key = user_key()
    text = json.dumps(facts, separators=(",", ":")).encode()
    header = _Header(_mark(key), b"0" * _SIGNATURE, b"%0*d" % (_LENGTH, len(text)))
    beside = _beside(path)
    try:
        with _opened_anew(beside) as file:
            file.write(header.encoded() + text)
            file.flush()
            save(file.fileno())
            signature = _signature(key, header, file)
            file.seek(0)
            file.write(_Header(header.mark, signature, header.length).encoded())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def opened_checkpoint(path: str) -> Iterator[tuple[BinaryIO, Any]]:
    """A file whose signature is right, at the end of its facts, and these; raises `InputError` otherwise."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115 — errors of its users are not ours
    except OSError as error:
        raise cannot_read(path, error) from None
    with file:
        try:
            facts = _facts(file, path)
        except OSError as error:
            raise cannot_read(path, error) from None
        yield file, facts


@contextmanager
def claimed(path: str) -> Iterator[None]:
    """While inside, no other run writes checkpoints to this file; raises `InputError` if one does already.

    Two runs would not only overwrite what the other has saved: both write to the same file before it takes
    the place of the last one.
    """
    with ExitStack() as claim:
        try:
            claim.enter_context(locked(Path(f"{path}.lock")))
        except InUse:
            raise input_error(
                Code.FILE,
                f"cannot write '{path}': another run saves its checkpoints there",
                hint="name another file, or wait until that run has ended",
            ) from None
        except ValueError as error:
            raise cannot_write(path, error) from None
        except OSError:
            pass  # where no lock can be made no checkpoint can, and saving says so
        yield


def check_writable(path: str) -> None:
    """Complains early if a checkpoint cannot be written."""
    user_key()
    try:
        if Path(path).is_dir():
            raise IsADirectoryError(0, "it is a folder")
        with claimed(path):
            _opened_anew(_beside(path)).close()
            _beside(path).unlink()
    except OSError as error:
        raise cannot_write(path, error) from None


def damaged(path: str) -> InputError:
    """The error for a file that is not as it was written."""
    return refused(path, "it is damaged")


def refused(path: str, why: str, hint: str | None = None) -> InputError:
    """The error for a file that cannot be gone on from."""
    return input_error(Code.CHECKPOINT, f"'{path}' cannot be resumed: {why}", hint=hint)


def _facts(file: BinaryIO, path: str) -> Any:
    import hmac  # rarely needed
    import json

    start = file.read(_HEADER)
    if not start.startswith(_MAGIC):
        raise refused(path, "it is not a checkpoint, or it is of another version of fairlead")
    lines = start[len(_MAGIC) :].split(b"\n")
    if [len(line) for line in lines] != [_MARK, _SIGNATURE, _LENGTH, 0] or not lines[2].isdigit():
        raise damaged(path)
    header = _Header(*lines[:3])
    key = user_key()
    if header.mark != _mark(key):
        raise refused(
            path,
            "it was made by another user, or on another machine",
            f"if you trust its author, copy the key from there to '{key_file()}'",
        )
    if not hmac.compare_digest(_signature(key, header, file), header.signature):
        raise damaged(path)
    length = int(header.length)
    if length > os.fstat(file.fileno()).st_size - _HEADER:
        raise damaged(path)
    file.seek(_HEADER)
    try:
        return json.loads(file.read(length))
    except (ValueError, RecursionError):
        raise damaged(path) from None


def _signature(key: bytes, header: _Header, file: BinaryIO) -> bytes:
    """The signature of a file with this header."""
    import hmac  # rarely needed

    signing = hmac.new(key, header.signed, "sha256")
    file.seek(_HEADER)
    while piece := file.read(_PIECE):
        signing.update(piece)
    return signing.hexdigest().encode()


def _mark(key: bytes) -> bytes:
    """Distinguishes keys, and reveals nothing else about them."""
    import hmac  # rarely needed

    return hmac.new(key, b"fairlead checkpoint key", "sha256").hexdigest()[:_MARK].encode()


def _beside(path: str) -> Path:
    """Where a checkpoint is written before it takes the place of the last one."""
    return Path(f"{path}.tmp")


def _opened_anew(path: Path) -> BinaryIO:
    """A new file in the place of an old one; a link is not followed."""
    with suppress(FileNotFoundError):
        path.unlink()
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    return os.fdopen(handle, "w+b")
