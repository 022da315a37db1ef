"""Run SPIN and fairlead side by side on the same systems and write a table of ratios.

usage: python bench/run.py [--quick] [--tool both|spin|fairlead] [--case NAME]... [--output DIR]

The two tools take turns, `--repeat` times; the best time of each counts. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cases import FULL, QUICK, REACH, Case
from tools import Fairlead, Measurement, RunError, Spin

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    """The best run of each tool on one case; None where a tool was not asked or failed."""

    case: Case
    compile_seconds: float | None
    spin: Measurement | None
    fairlead: Measurement | None
    problems: tuple[str, ...]


def better(best: Measurement | None, new: Measurement) -> Measurement:
    return new if best is None or new.seconds < best.seconds else best


def agreement(case: Case, spin: Measurement, fairlead: Measurement) -> tuple[str, ...]:
    """What the two tools should agree on and do not."""
    problems = []
    if case.question is REACH:
        only_spin, only_fairlead = case.init_states
        proper_spin, proper_fairlead = spin.states - only_spin, fairlead.states - only_fairlead
        if proper_spin != proper_fairlead:
            problems.append(f"states differ: SPIN {proper_spin}, fairlead {proper_fairlead}")
        if case.init_states == (0, 0) and spin.transitions != fairlead.transitions:
            problems.append(f"transitions differ: SPIN {spin.transitions}, fairlead {fairlead.transitions}")
    elif spin.verdict != fairlead.verdict:
        problems.append(f"verdicts differ: SPIN {spin.verdict}, fairlead {fairlead.verdict}")
    return tuple(problems)


def measure(case: Case, options: argparse.Namespace) -> Row:
    """Let the tools take turns on one case."""
    spin_best: Measurement | None = None
    fairlead_best: Measurement | None = None
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="fairlead-bench-") as folder:
        spin: Spin | None = None
        fairlead: Fairlead | None = None
        if options.tool != "fairlead":
            try:
                spin = Spin(case, Path(folder), options.reduction, options.timeout)
            except RunError as failure:
                problems.append(str(failure))
        compile_seconds = spin.compile_seconds if spin else None
        if options.tool != "spin":
            fairlead = Fairlead(case, options.fairlead, options.timeout)
        for _ in range(options.repeat):
            if spin:
                try:
                    spin_best = better(spin_best, spin.run())
                except RunError as failure:
                    problems.append(f"SPIN: {failure}")
                    spin = None
            if fairlead:
                try:
                    fairlead_best = better(fairlead_best, fairlead.run())
                except RunError as failure:
                    problems.append(f"fairlead: {failure}")
                    fairlead = None
    if spin_best and fairlead_best:
        problems += agreement(case, spin_best, fairlead_best)
    return Row(case, compile_seconds, spin_best, fairlead_best, tuple(problems))


COLUMNS = (
    "case",
    "verdict",
    "states SPIN",
    "states fairlead",
    "transitions SPIN",
    "transitions fairlead",
    "SPIN s",
    "fairlead s",
    "fairlead / SPIN",
    "spin+gcc s",
    "all: fairlead / SPIN",
    "CPU s SPIN",
    "CPU s fairlead",
    "B/state SPIN",
    "B/state fairlead",
    "peak MB SPIN",
    "peak MB fairlead",
)


def cells(row: Row) -> list[str]:
    spin, fairlead = row.spin, row.fairlead

    def both(form: str, attribute: str) -> list[str]:
        return [format(getattr(side, attribute), form) if side else "–" for side in (spin, fairlead)]

    ratio = overall = "–"
    if spin and fairlead and row.compile_seconds is not None:
        ratio = f"{fairlead.seconds / max(spin.seconds, 1e-6):.2f}"
        overall = f"{fairlead.wall_seconds / (spin.wall_seconds + row.compile_seconds):.2f}"
    # A never-reached goal has its own word for "no": what matters there is that the search was exhaustive.
    said = spin or fairlead
    verdict = "exhaustive" if row.case.question is REACH else (said.verdict if said else "–")
    peak = [f"{side.peak_bytes / 2**20:.0f}" if side else "–" for side in (spin, fairlead)]
    return [
        row.case.name,
        verdict,
        *both("d", "states"),
        *both("d", "transitions"),
        *both(".3f", "seconds"),
        ratio,
        f"{row.compile_seconds:.2f}" if row.compile_seconds is not None else "–",
        overall,
        *both(".2f", "cpu_seconds"),
        *both(".0f", "state_bytes"),
        *peak,
    ]


def table(rows: Sequence[Row]) -> str:
    lines = ["| " + " | ".join(COLUMNS) + " |", "| --- | --- |" + " ---: |" * (len(COLUMNS) - 2)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    notes = [f"- {row.case.name}: {problem}" for row in rows for problem in row.problems]
    if notes:
        lines += ["", "Problems:", "", *notes]
    return "\n".join(lines) + "\n"


def tool_version(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return "not found"
    said = (done.stdout or done.stderr).strip()
    return said.splitlines()[0] if said and done.returncode == 0 else "unknown"


def circumstances(options: argparse.Namespace) -> str:
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}; "
        f"Python {platform.python_version()}; "
        f"{tool_version(['spin', '-V'])}; {tool_version(['gcc', '--version'])}; "
        f"fairlead {tool_version([options.fairlead, '--version'])}; best of {options.repeat}; "
        f"SPIN's partial order reduction {'on' if options.reduction else 'off'} for liveness."
    )


def write_results(rows: Sequence[Row], options: argparse.Namespace) -> None:
    options.output.mkdir(parents=True, exist_ok=True)
    about = circumstances(options)
    (options.output / "results.md").write_text(f"{about}\n\n{table(rows)}")
    data = [
        {
            "case": row.case.name,
            "assertion": row.case.assertion,
            "fairness": row.case.fairness,
            "compile_seconds": row.compile_seconds,
            "spin": asdict(row.spin) if row.spin else None,
            "fairlead": asdict(row.fairlead) if row.fairlead else None,
            "problems": row.problems,
        }
        for row in rows
    ]
    document = {"circumstances": about, "rows": data}
    (options.output / "results.json").write_text(json.dumps(document, indent=2) + "\n")


def find_fairlead() -> str:
    beside = Path(sys.executable).parent / "fairlead"
    return str(beside) if beside.exists() else "fairlead"


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="SPIN and fairlead on the same systems, side by side.")
    parser.add_argument("--quick", action="store_true", help="small sizes, under a minute")
    parser.add_argument("--tool", choices=("both", "spin", "fairlead"), default="both")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case, e.g. dp12-reach")
    parser.add_argument("--repeat", type=int, default=3, help="how often each tool runs; the best run counts")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds for one run")
    parser.add_argument("--reduction", action="store_true", help="let SPIN reduce in liveness cases")
    parser.add_argument("--fairlead", default=find_fairlead(), help="the fairlead program")
    parser.add_argument("--output", type=Path, default=HERE / "results", help="folder for the table")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def main() -> int:
    options = read_options()
    if options.tool != "fairlead" and not (shutil.which("spin") and shutil.which("gcc")):
        print("SPIN or gcc is missing: run bench/install_spin.sh, or use --tool fairlead", file=sys.stderr)
        return 2
    if options.tool != "spin" and not shutil.which(options.fairlead):
        print(f"no program '{options.fairlead}': install fairlead, or use --tool spin", file=sys.stderr)
        return 2
    chosen = list(QUICK if options.quick else FULL)
    if options.case:
        known = {case.name: case for case in (*QUICK, *FULL)}
        unknown = [name for name in options.case if name not in known]
        if unknown:
            print(f"no such case: {', '.join(unknown)}; known: {', '.join(sorted(known))}", file=sys.stderr)
            return 2
        chosen = [known[name] for name in options.case]
    rows = []
    for case in chosen:
        print(f"{case.name} …", file=sys.stderr, flush=True)
        rows.append(measure(case, options))
        write_results(rows, options)
    print(table(rows))
    return 1 if any(row.problems for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
