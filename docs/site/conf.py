"""How `make site` makes pages of the Markdown files: Sphinx, with MyST to read Markdown.

The source directory is the repository, so a link to an example or to CHANGELOG.md is right both in a view of
the repository and in the site. What the navigation lists, and in which order, is read from docs/index.md.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for the lexers beside this file

from lexers import LEXERS  # noqa: E402

project = "fairlead"
author = "the fairlead authors"

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "examples/**.md",
    "bench/README.md",
    "native/README.md",
    "tests/README.md",
]
exclude_patterns = [".*", "build", "dist", "src"]
nitpicky = True

myst_heading_anchors = 4  # the anchors of GitHub

html_theme = "furo"
html_title = "fairlead"
html_static_path = ["static"]
html_css_files = ["fairlead.css"]
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}  # the site opens at index.html, the manual is in docs/
html_copy_source = False
html_show_copyright = False

#: the kinds of pages, which are folders, and what the navigation calls them
KINDS = {
    "tutorial": "Tutorial",
    "course": "Course",
    "how-to": "How-to",
    "explanation": "Explanation",
    "reference": "Reference",
}
THEMES = sorted(path.parent.name for path in (HERE.parents[1] / "examples").glob("*/README.md"))
BESIDE = [
    "README",
    "examples/README",
    *(f"examples/{theme}/README" for theme in THEMES),
    "bench/README",
    "CONTRIBUTING",
    "SECURITY",
    "native/README",
    "tests/README",
    "CHANGELOG",
]


_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_FILE = re.compile(r"^<!-- file: (\S+) -->\n+```(\w+)\n", re.MULTILINE)


def navigation(index: str) -> str:
    """A hidden table of contents for each kind: its pages, in the order in which its section names them."""
    _, *parts = _SECTION.split(index)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    tables = []
    for kind, caption in KINDS.items():
        pages = dict.fromkeys(re.findall(rf"\]\(({kind}/[\w/-]+)\.md\)", sections[caption]))
        tables.append((caption, list(pages)))
    tables.append(("Beside the manual", [f"../{name}" for name in BESIDE]))
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"
        for caption, pages in tables
    )


def prepared(app: Sphinx, name: str, content: list[str]) -> None:
    """Adds what a view of the repository would show as text: the navigation, and names above files."""
    content[0] = _FILE.sub(r"```{code-block} \2\n:caption: \1\n\n", content[0])
    if name == root_doc:
        content[0] += navigation(content[0])


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", prepared)
    for name, lexer in LEXERS.items():
        app.add_lexer(name, lexer)
