"""Reads the text of a file, and says what is wrong if it cannot be read."""

from __future__ import annotations

from pathlib import Path

from fairlead.errors import Code, input_error


def read_text(path: Path) -> str:
    """The text of a UTF-8 file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise input_error(Code.FILE, f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise input_error(Code.FILE, f"'{path}' is not a UTF-8 text") from None
