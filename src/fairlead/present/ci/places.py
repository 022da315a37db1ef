"""Places in files as SARIF has them: names relative to a folder, lines, columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairlead.base.records import dataclass
from fairlead.base.source import Span

#: readers put the folder of the sources in its place
SOURCES = "%SRCROOT%"


@dataclass(frozen=True)
class Places:
    """Where the model is; what stands in no file is put at its beginning, since viewers want a place."""

    model: str
    folder: Path

    def physical(self, span: Span | None) -> dict[str, Any]:
        """The place of a span, or of the model as a whole."""
        if span is None or span.source.path is None:
            return {"artifactLocation": self.artifact(Path(self.model)), "region": {"startLine": 1}}
        end_line, end_column = span.end_position
        region = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": end_line,
            "endColumn": end_column,
        }
        return {"artifactLocation": self.artifact(span.source.path), "region": region}

    def location(self, span: Span | None, message: str | None = None) -> dict[str, Any]:
        """A location, with a message about it."""
        said = {} if message is None else {"message": {"text": message}}
        return {"physicalLocation": self.physical(span), **said}

    @property
    def artifact_name(self) -> str:
        """The file of the model, as it is called in the report."""
        return str(self.artifact(Path(self.model))["uri"])

    def artifact(self, path: Path) -> dict[str, Any]:
        """A file: relative to the folder if it is below it."""
        absolute = Path(os.path.normpath(self.folder / path))
        if not absolute.is_relative_to(self.folder):
            return {"uri": absolute.as_uri()}
        return {"uri": quote(os.fsencode(absolute.relative_to(self.folder).as_posix())), "uriBaseId": SOURCES}
