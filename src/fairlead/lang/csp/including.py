"""Puts the declarations of `#include`d files in their place, each file once."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PureWindowsPath

from fairlead.base.diagnostics import Code, InputError, Related, input_error
from fairlead.base.files import is_there, note_read, read_text
from fairlead.base.source import Source
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.syntax import Declaration, Include, Specification


def with_included(specification: Specification) -> Specification:
    """A specification in which every `#include` is replaced by what the file declares.

    A file that was met before, this one among them, adds nothing more; so files can include each other.
    A model is untrusted: what it includes must lie in or below its own folder.
    """
    main = Path(specification.source.name).resolve()
    met = {main}
    result: list[Declaration] = []
    waiting = list(reversed(specification.declarations))
    while waiting:
        declaration = waiting.pop()
        if not isinstance(declaration, Include):
            result.append(declaration)
            continue
        path = _find(declaration, main)
        if path not in met:
            met.add(path)
            waiting += reversed(_parse(path, declaration).declarations)
    return replace(specification, declarations=tuple(result))


def _find(include: Include, main: Path) -> Path:
    """The file meant; an `InputError` if there is none that may be included."""
    if not is_there(main):
        raise input_error(Code.FILE, "a model that is not a file cannot include others", include.span)
    folder = Path(include.span.source.name).resolve().parent
    path = find_included(include.path, folder, main.parent)
    if path is not None and path.is_relative_to(main.parent):
        return path
    if path is not None:
        raise input_error(
            Code.FILE,
            f"'{include.path}' lies outside of the model's folder",
            include.span,
            "a model may include only what is in its own folder or below",
        )
    note_read(folder / Path(*PureWindowsPath(include.path).parts))
    raise input_error(Code.FILE, f"there is no file '{include.path}' to include", include.span)


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


def _parse(path: Path, include: Include) -> Specification:
    text = read_text(path, include.span)
    try:
        return parse_specification(Source(str(path), text, path))
    except InputError as error:
        related = Related("included here", include.span)
        first, *others = error.diagnostics
        raise InputError((replace(first, related=(*first.related, related)), *others)) from None
