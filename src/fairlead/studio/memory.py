"""What the studio remembers between two runs: texts that were not saved, verdicts, and jobs under way.

It is kept in the user's cache directory, a file for each thing, so that whatever happens loses at most one.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.base.version import __version__
from fairlead.base.writing import write_whole
from fairlead.service.jobs import View
from fairlead.service.verdicts import REMEMBERED, Advised, Verdict

Json = dict[str, Any]


def cache_directory() -> Path:
    """Where programs keep what can be lost."""
    given = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given) / "fairlead" / "studio"
    try:
        return Path.home() / ".cache" / "fairlead" / "studio"
    except RuntimeError:  # no home directory
        return Path(tempfile.gettempdir()) / f"fairlead-studio-{os.getpid()}"


class Memory:
    """What is remembered about one folder of models. What cannot be read or written is forgotten."""

    def __init__(self, root: Path, cache: Path | None = None) -> None:
        name = sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:20]
        self._place = (cache or cache_directory()) / name

    # ------------------------------------------------------------ texts that were not saved

    def draft(self, name: str) -> Json | None:
        """The text of a model as it was last edited, and the version on disk that it began with."""
        found = self._read("drafts", name)
        return found if found is not None and isinstance(found.get("text"), str) else None

    def keep_draft(self, name: str, text: str, base: str | None) -> None:
        """Keeps a text that is not saved."""
        self._write("drafts", name, {"name": name, "text": text, "base": base})

    def drop_draft(self, name: str) -> None:
        """It is saved, or was given up."""
        with suppress(OSError):
            self._file("drafts", name).unlink()

    def drafts(self) -> Iterator[Json]:
        """All texts that are not saved."""
        yield from (found for found in self._all("drafts") if isinstance(found.get("text"), str))

    # ------------------------------------------------------------ verdicts

    def keep_verdicts(self, basis: str, verdicts: tuple[Verdict, ...], advised: Advised | None) -> None:
        """Keeps what is known about one question."""
        listed = [
            {
                "result": one.result,
                "shown": _view_json(one.shown),
                "texts": [[str(path), text] for path, text in one.texts],
            }
            for one in verdicts
        ]
        advice = None if advised is None else {"record": advised.record, "shown": _view_json(advised.shown)}
        self._write("verdicts", basis, {"version": __version__, "verdicts": listed, "advice": advice})
        self._prune()

    def verdicts(self, basis: str) -> tuple[tuple[Verdict, ...], Advised | None]:
        """What is known about a question; another version of the program may judge otherwise."""
        found = self._read("verdicts", basis)
        if found is None or found.get("version") != __version__:
            return (), None
        try:
            verdicts = tuple(
                Verdict(
                    one["result"],
                    View.of_json(one["shown"]),
                    tuple((Path(path), str(text)) for path, text in one["texts"]),
                )
                for one in found["verdicts"]
            )
            advice = found["advice"]
            advised = None if advice is None else Advised(advice["record"], View.of_json(advice["shown"]))
        except (KeyError, TypeError, ValueError):
            return (), None
        return verdicts, advised

    def _prune(self) -> None:
        """Keeps the last verdicts only."""
        with suppress(OSError):
            files = list((self._place / "verdicts").glob("*.json"))
            if len(files) > REMEMBERED:
                files.sort(key=lambda file: file.stat().st_mtime)
                for file in files[: len(files) - REMEMBERED]:
                    file.unlink()

    # ------------------------------------------------------------ jobs under way

    def keep_job(self, name: str, about: Json) -> None:
        """A job has begun."""
        self._write("jobs", name, about)

    def drop_job(self, name: str) -> None:
        """It has ended."""
        with suppress(OSError):
            self._file("jobs", name).unlink()

    def interrupted(self) -> list[Json]:
        """The jobs that had begun when the studio was ended; they are reported once."""
        found = list(self._all("jobs"))
        for file in self._files("jobs"):
            with suppress(OSError):
                file.unlink()
        return found

    # ------------------------------------------------------------ files

    def _file(self, kind: str, name: str) -> Path:
        return self._place / kind / f"{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}.json"

    def _files(self, kind: str) -> list[Path]:
        with suppress(OSError):
            return sorted((self._place / kind).glob("*.json"))
        return []

    def _all(self, kind: str) -> Iterator[Json]:
        for file in self._files(kind):
            found = _read(file)
            if found is not None:
                yield found

    def _read(self, kind: str, name: str) -> Json | None:
        return _read(self._file(kind, name))

    def _write(self, kind: str, name: str, data: Mapping[str, Any]) -> None:
        file = self._file(kind, name)
        with suppress(OSError, FairleadError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(file, json.dumps(data))


def _read(file: Path) -> Json | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _view_json(view: View | None) -> Json | None:
    if view is None:
        return None
    return {"text": view.text, "html": view.html, "files": list(view.files), "steps": list(view.steps)}
