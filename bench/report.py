"""Results as files: JSON, Markdown, charts, and the generated parts of docs/explanation/performance.md."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from bench.aims import AIMS, QUICK_AIMS, Aim, Judgement, judged
from bench.growth import charts
from bench.measuring import Measurement, Outcome
from bench.ours import ROOT
from bench.programs import first_line
from bench.tables import aims_table, problems, sections
from fairlead.present.draw.plot import to_svg

PAGE = ROOT / "docs" / "explanation" / "performance.md"
PLOTS = ROOT / "docs" / "plots"


@dataclass(frozen=True)
class Results:
    """All of one run: the circumstances in words, and what was measured."""

    about: str
    quick: bool
    outcomes: tuple[Outcome, ...]

    @property
    def aims(self) -> tuple[Aim, ...]:
        return QUICK_AIMS if self.quick else AIMS

    def judgements(self) -> list[Judgement]:
        """The aims beside what was measured."""
        return judged(self.aims, self.outcomes)


def processor() -> str:
    """The processor's name as the system tells it."""
    try:
        said = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        said = None
    return " ".join(said.group(1).split()) if said else platform.machine()


def load_note(before: float, after: float, cores: int) -> str:
    """Whether others used the machine at the same time; the benchmark itself keeps all cores busy at most."""
    busiest = max(before, after)
    if before < 0.5:
        return "nothing else running at the start"
    words = "other work going on" if busiest > cores + 0.5 or before > 0.5 * cores else "little else running"
    return f"{words} (load {before:.1f} before, {after:.1f} after)"


def circumstances(program: str, repeat: int, load_before: float, cpu_count: int | None = None) -> str:
    """The machine and the tools in words."""
    cores = cpu_count or os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = re.sub(r"^fairlead\s+", "", first_line([program, "--version"]))
    return (
        f"{date.today():%Y-%m-%d}; {cores} cores of {processor()}, {memory:.0f} GB, {platform.system()}; "
        f"{load_note(load_before, os.getloadavg()[0], cores)}; {first_line(['spin', '-V'])}; "
        f"{first_line(['gcc', '--version'])}; Python {platform.python_version()}; fairlead {version}; "
        f"best of {repeat}, taking turns"
    )


def to_json(results: Results) -> str:
    """The results for other programs, and for `--from`."""
    document = {
        "about": results.about,
        "quick": results.quick,
        "outcomes": [asdict(outcome) for outcome in results.outcomes],
        "aims": [
            {
                "work": one.aim.work,
                "against": one.aim.against,
                "aim": one.aim.shown,
                "met": one.met,
                "figures": {figure.name: figure.ratio.value for figure in one.figures},
            }
            for one in results.judgements()
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def from_json(text: str) -> Results:
    """Results that were written by `to_json`."""
    document = json.loads(text)
    outcomes = []
    for entry in document["outcomes"]:
        measured = {label: Measurement(**fields) for label, fields in entry["measured"].items()}
        outcomes.append(Outcome(**{**entry, "measured": measured, "problems": tuple(entry["problems"])}))
    return Results(document["about"], document["quick"], tuple(outcomes))


def to_markdown(results: Results, level: int = 2) -> str:
    """All tables, with the aims first."""
    marks = "#" * level
    parts = [f"{results.about}.\n", f"{marks} Aims\n", aims_table(results.judgements())]
    for heading, table in sections(results.outcomes):
        parts += [f"{marks} {heading}\n", table]
    wrong = problems(results.outcomes)
    if wrong:
        parts += [f"{marks} Problems\n", "\n".join(f"- {line}" for line in wrong) + "\n"]
    return "\n".join(parts)


def write_files(results: Results, folder: Path) -> None:
    """results.json, results.md and the charts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(to_json(results), encoding="utf-8")
    (folder / "results.md").write_text(to_markdown(results), encoding="utf-8")
    write_charts(results.outcomes, folder)


def write_charts(outcomes: Sequence[Outcome], folder: Path) -> list[str]:
    """The charts as files; gives their names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, chart in charts(outcomes).items():
        (folder / f"{name}.svg").write_text(to_svg(chart), encoding="utf-8")
        names.append(name)
    return names


def between_markers(page: str, part: str, text: str) -> str:
    """The page with another text between `<!-- generated: PART -->` and `<!-- end: PART -->`."""
    begin, end = f"<!-- generated: {part} -->", f"<!-- end: {part} -->"
    first, last = page.find(begin), page.find(end)
    if first < 0 or last < first:
        raise ValueError(f"no place for {part} in the page")
    return f"{page[: first + len(begin)]}\n\n{text.strip()}\n\n{page[last:]}"


def write_docs(results: Results) -> None:
    """The generated parts of docs/explanation/performance.md and its charts."""
    page = PAGE.read_text(encoding="utf-8")
    names = write_charts(results.outcomes, PLOTS)
    pictures = charts(results.outcomes)
    page = between_markers(page, "machine", f"{results.about}.")
    page = between_markers(page, "aims", aims_table(results.judgements()))
    shown = "\n\n".join(f"![{pictures[name].title}](../plots/{name}.svg)" for name in names)
    page = between_markers(page, "plots", shown)
    tables = [f"### {heading}\n\n{table}" for heading, table in sections(results.outcomes)]
    page = between_markers(page, "tables", "\n".join(tables))
    PAGE.write_text(page, encoding="utf-8")
