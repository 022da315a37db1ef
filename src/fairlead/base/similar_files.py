"""Which file may have been meant by a path where there is none."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

#: folders deeper than this, and more files than this, are not examined
DEPTH = 3
MOST_FILES = 5000
#: how similar names must be
ALIKE = 0.75


def similar_file(path: Path) -> str | None:
    """A hint that names a file in the same folder with a similar name, or one of this name nearby."""
    found = _misspelt(path) or _elsewhere(path)
    return None if found is None else f"did you mean '{found}'?"


def _misspelt(path: Path) -> Path | None:
    try:
        names = [entry.name for entry in os.scandir(path.parent) if entry.is_file()]
    except OSError:
        return None
    stems = {Path(name).stem: name for name in names if Path(name).suffix.lower() == path.suffix.lower()}
    near = difflib.get_close_matches(path.stem, stems, n=1, cutoff=ALIKE)
    return path.parent / stems[near[0]] if near else None


def _elsewhere(path: Path) -> Path | None:
    """A file of the same name below the last folder of the path that is there."""
    folder = path.parent
    while not folder.is_dir():
        folder = folder.parent
    return next((found for found in _below(folder) if found.name == path.name), None)


def _below(folder: Path) -> Iterator[Path]:
    left = MOST_FILES
    for place, folders, files in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) >= DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        left -= len(files) + len(folders)
        if left < 0:
            return
        yield from (Path(place) / name for name in files)
