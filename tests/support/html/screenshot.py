"""Takes the picture of docs/how-to/report.md again: `python -m tests.support.html.screenshot`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import fairlead
from tests.support.html.browser import browsing
from tests.support.places import ROOT


def main() -> None:
    """Writes docs/screenshots/report.png."""
    model = fairlead.load(ROOT / "examples" / "mutual_exclusion" / "peterson.csp")
    results = model.check_all(["System() |= []<> cs.0", "System() deadlockfree"], "none,pwf")
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        page = Path(folder) / "report.html"
        page.write_text(str(fairlead.html_report(results, "peterson.csp")), encoding="utf-8")
        browser.resize(1200, 860, 0.75)
        browser.open(page)
        browser.run("document.querySelectorAll('header, nav').forEach((part) => part.remove())")
        browser.run("document.querySelector('table').focus()")
        browser.run("document.querySelector('#e1-run-5').click(); window.scrollTo(0, 30)")
        browser.screenshot(ROOT / "docs" / "screenshots" / "report.png")


if __name__ == "__main__":
    sys.exit(main())
