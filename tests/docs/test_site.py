"""The site is built without a warning, has every page, and needs nothing from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from sphinx.search.en import SearchEnglish

from tests.support.docs.glossary import GLOSSARY
from tests.support.docs.pages import PAGES
from tests.support.places import DOCS, ROOT


def test_the_site(tmp_path: Path) -> None:
    """What `make site` builds; one test, so that it is built once."""
    site = tmp_path / "html"
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(tmp_path / "doctrees"), "-c", "docs/site"]
    command = [sys.executable, "-m", "sphinx", *options, ".", str(site)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    every_page_is_there(site)
    search_is_a_script(site)
    search_finds_each_term_where_it_is_explained(site)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        nothing_is_loaded_from_elsewhere(page, text)
        links_lead_somewhere(page, text)


def every_page_is_there(site: Path) -> None:
    for page in PAGES:
        assert (site / page.relative_to(ROOT)).with_suffix(".html").is_file(), page
    assert "url=docs/index.html" in (site / "index.html").read_text(encoding="utf-8")
    index = (site / "docs" / "index.html").read_text(encoding="utf-8")
    navigation = index.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    for page in DOCS.glob("*/*.md"):
        assert f'href="{page.relative_to(DOCS).with_suffix(".html").as_posix()}"' in navigation, page


def search_is_a_script(site: Path) -> None:
    """Browsers load scripts from `file://`, but fetch nothing from there."""
    assert (site / "searchindex.js").read_text(encoding="utf-8").startswith("Search.setIndex(")
    assert 'src="searchindex.js' in (site / "search.html").read_text(encoding="utf-8")


def search_finds_each_term_where_it_is_explained(site: Path) -> None:
    """What the script of the search page does: it intersects the pages of the stems of all words."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    language = SearchEnglish({})
    entries = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(entries) > 40
    for entry in entries:
        term, _, explanation = entry.partition("\n")
        found = set(index["docnames"])
        for word in filter(language.word_filter, language.split(term.lower())):
            pages = [index[kind].get(language.stem(word), []) for kind in ("terms", "titleterms")]
            found &= {
                index["docnames"][number]
                for numbers in pages
                for number in (numbers if isinstance(numbers, list) else [numbers])
            }
        pointed = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", explanation.partition("*Explained in*")[2])
        targets = {(GLOSSARY.parent / name).resolve().relative_to(ROOT) for name in pointed}
        assert {target.with_suffix("").as_posix() for target in targets} <= found, term


def nothing_is_loaded_from_elsewhere(page: Path, text: str) -> None:
    loaded = re.findall(r'<(?:script|img|iframe)[^>]*src="([^"]+)"', text)
    loaded += re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"', text)
    assert not [name for name in loaded if "//" in name], page


def links_lead_somewhere(page: Path, text: str) -> None:
    for target in re.findall(r'href="([^"#?]+)(?:[#?][^"]*)?"', text):
        assert ":" in target or (page.parent / target).exists(), f"{page} links to {target}"
