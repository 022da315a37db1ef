"""Puts the declarations of `#include`d files in their place, each file once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fairlead.base.diagnostics import InputError, Related
from fairlead.base.files import read_text
from fairlead.base.source import Source
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.syntax import Declaration, Include, Specification
from fairlead.lang.included_files import included_file


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
        path = included_file(declaration.path, declaration.span, main)
        if path not in met:
            met.add(path)
            waiting += reversed(_parse(path, declaration).declarations)
    return replace(specification, declarations=tuple(result))


def _parse(path: Path, include: Include) -> Specification:
    text = read_text(path, include.span)
    try:
        return parse_specification(Source(str(path), text, path))
    except InputError as error:
        related = Related("included here", include.span)
        first, *others = error.diagnostics
        raise InputError((replace(first, related=(*first.related, related)), *others)) from None
