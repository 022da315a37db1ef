"""Finds the files that models include."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path, PureWindowsPath

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.files import is_there, note_read
from fairlead.base.source import Span


def included_file(written: str, span: Span, main: Path) -> Path:
    """The file that a path at a place means; an `InputError` if there is none that may be included.

    A model is untrusted: what it includes must lie in or below the folder of its `main` file.
    """
    if not is_there(main):
        raise input_error(Code.FILE, "a model that is not a file cannot include others", span)
    folder = Path(span.source.name).resolve().parent
    path = find_included(written, folder, main.parent)
    if path is not None and path.is_relative_to(main.parent):
        return path
    if path is not None:
        raise input_error(
            Code.FILE,
            f"'{written}' lies outside of the model's folder",
            span,
            "a model may include only what is in its own folder or below",
        )
    note_read(folder / Path(*PureWindowsPath(written).parts))
    raise input_error(Code.FILE, f"there is no file '{written}' to include", span)


def find_included(written: str, folder: Path, root: Path) -> Path | None:
    """The file that a path means: next to the one that includes it, also if the path is of another machine.

    One in or below `root` is preferred; others must not be included.
    """
    found: Path | None = None
    foreign = PureWindowsPath(written)  # takes both kinds of separators
    for candidate in (folder / written, folder / Path(*foreign.parts), folder / foreign.name):
        with suppress(OSError, ValueError):  # a name no file can have
            if is_there(candidate):
                path = candidate.resolve()
                if path.is_relative_to(root):
                    return path
                found = found or path
    return found
