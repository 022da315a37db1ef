"""Lists the forms in which other programs read what `fairlead check` has found.

A format is a line here and a module in `present/ci/` with a function `render`, which makes the text of a
`Record`. The command line gets an option for it, and the help names it, without more being written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from fairlead.base.records import dataclass

if TYPE_CHECKING:
    from fairlead.present.record import Record


@dataclass(frozen=True)
class Format:
    """A form of report: its `name` is that of its option and of its module, `title` is for people."""

    name: str
    title: str

    @property
    def option(self) -> str:
        """The option that asks for it."""
        return f"--{self.name}"

    def render(self, record: Record) -> str:
        """The report as text."""
        text: str = import_module(f"fairlead.present.ci.{self.name}").render(record)
        return text


FORMATS = (
    Format("junit", "JUnit XML"),
    Format("sarif", "SARIF 2.1.0"),
)
