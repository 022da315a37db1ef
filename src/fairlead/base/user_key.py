"""Keeps the secret key of the user, with which fairlead signs the files that it trusts."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from fairlead.base.diagnostics import Code, InputError, input_error

_NAME = "signing.key"
_BYTES = 32


def key_file() -> Path:
    """Where the key is kept: in the user's folder for what programs remember."""
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME"
    given = os.environ.get(variable, "")
    try:
        folder = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError:
        raise _unusable("there is no home folder") from None
    return folder / "fairlead" / _NAME


def user_key() -> bytes:
    """The key, made when it is asked for first; raises `InputError` if there can be none."""
    path = key_file()
    try:
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as error:
        raise _unusable(f"'{path}': {error.strerror}") from None


def _make(path: Path) -> None:
    """Makes a key under another name first: of two processes that do so at once, one is the first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    own = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        own.unlink()
    handle = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(os.urandom(_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(own, path)
        except FileExistsError:
            pass
        except OSError:  # there are file systems without links
            own.replace(path)
    finally:
        with suppress(FileNotFoundError):
            own.unlink()


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise _unusable(f"'{path}' is not a file")
        if os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & 0o077):
            raise _unusable(
                f"'{path}' must belong to you, and others must not be able to read or write it",
                f"chmod 600 '{path}'",
            )
        key = file.read(_BYTES + 1)
    if len(key) != _BYTES:
        raise _unusable(
            f"'{path}' is damaged",
            "remove it; a new key is then made, and files signed with the old one are no longer accepted",
        )
    return key


def _unusable(why: str, hint: str | None = None) -> InputError:
    hint = hint or "set XDG_STATE_HOME to a folder that belongs to you"
    return input_error(Code.FILE, f"there is no key to sign files with: {why}", hint=hint)
