"""The pages that are made of the texts of `fairlead explain`: `make docs` writes them."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import fairlead.present.explain
from fairlead.present.explain import PAGES, Kind, page, topic
from tests.support.docs.pages import answered, normalised, prepare
from tests.support.places import DOCS

HOME = Path(fairlead.present.explain.__file__).parent
TEXTS = {name: HOME / kind.value / f"{name}.md" for kind in Kind for name in kind.names}
_LINK = re.compile(r"\]\((\w[\w-]*\.md)")


def path_of(name: str) -> Path:
    """Where a page of the documentation is, or is to be: beside the first one that is made of texts."""
    first = next(DOCS.rglob(PAGES[Kind.CODE]))
    return next(DOCS.rglob(name), first.with_name(name))


def placed(kind: Kind) -> str:
    """A page with its links leading to where the pages are."""
    folder = path_of(PAGES[kind]).parent

    def link(match: re.Match[str]) -> str:
        return f"]({Path(os.path.relpath(path_of(match[1]), folder)).as_posix()}"

    return _LINK.sub(link, page(kind))


def main() -> None:
    """Writes the output of the examples into the texts, and then the pages."""
    home = Path.cwd()
    for path in [*TEXTS.values(), *HOME.glob("*/_*.md")]:
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as directory:
            prepare(Path(directory), text)
            os.chdir(directory)
            try:
                now = answered(text)
            finally:
                os.chdir(home)
        if normalised(now) != normalised(text):
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.name} has changed\n")
    topic.cache_clear()
    for kind in Kind:
        path_of(PAGES[kind]).write_text(placed(kind), encoding="utf-8")


if __name__ == "__main__":
    main()
