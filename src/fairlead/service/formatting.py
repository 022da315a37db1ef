"""Formats a document: arranges its blanks."""

from __future__ import annotations

from fairlead.lang.editing import Extent
from fairlead.service.documents import Document, Workspace
from fairlead.service.rename import Edit


def formatting(workspace: Workspace, document: Document) -> tuple[Edit, ...]:
    """The edits that put the blanks of a document in order; none if it cannot be read, or all is well."""
    editing = workspace.editing(document)
    if editing is None:
        return ()
    text = editing.formatted(document.text)
    if text == document.text:
        return ()
    old, new = document.text.split("\n"), text.split("\n")
    if len(old) != len(new):
        return (Edit(document.path, Extent(0, len(document.text)), text),)
    edits: list[Edit] = []
    start = 0
    for before, after in zip(old, new, strict=True):
        if before != after:
            edits.append(Edit(document.path, Extent(start, start + len(before)), after))
        start += len(before) + 1
    return tuple(edits)
