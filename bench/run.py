"""Run SPIN and fairlead side by side on the same systems and write tables of ratios.

usage: python -m bench [--quick] [--part PART]... [--case NAME]... [--docs] [--output DIR]

What is compared takes turns, `--repeat` times; the best run of each counts. See bench/README.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.cases import FULL, PARTS, QUICK
from bench.measuring import Case, Entrant, Outcome, Rules, Runner, Session
from bench.ours import ROOT, OurEntrant, Program, find_program, inspect, prepared
from bench.programs import RunError
from bench.report import Results, circumstances, from_json, to_markdown, write_docs, write_files
from bench.spin import Spin, SpinEntrant


@dataclass(frozen=True)
class Tools:
    """Makes entrants ready. Without SPIN, or without fairlead, those of the other take part alone."""

    program: Program | None
    spin: bool
    timeout: float

    def prepare(self, entrant: Entrant, folder: Path) -> Runner | None:
        """The entrant as something that runs; None if it does not take part."""
        match entrant:
            case SpinEntrant() if self.spin:
                return Spin(entrant, folder, self.timeout)
            case OurEntrant() if self.program is not None:
                return prepared(entrant, self.program, self.timeout)
            case _:
                return None


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="SPIN and fairlead on the same systems, side by side."
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute or two; ratios must hold")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; can be repeated")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case, such as dp12-reach")
    parser.add_argument("--list", action="store_true", help="list the cases and end")
    parser.add_argument("--tool", choices=("both", "spin", "fairlead"), default="both")
    parser.add_argument(
        "--repeat", type=int, help="how often each runs (3, with --quick 2); the best run counts"
    )
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds for one run")
    parser.add_argument("--long-run", type=float, default=60.0, help="a run of more seconds is not repeated")
    parser.add_argument("--fairlead", default=find_program(), help="the fairlead program")
    parser.add_argument("--output", type=Path, default=ROOT / "bench" / "results", help="folder for results")
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="results.json of another run"
    )
    parser.add_argument("--docs", action="store_true", help="write the page of the manual and its charts too")
    options = parser.parse_args(arguments)
    if options.repeat is None:
        options.repeat = 2 if options.quick else 3
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """The cases that were asked for; an unknown name is an error."""
    cases = QUICK if options.quick else FULL
    if options.case:
        known = {case.name: case for case in (*QUICK, *FULL)}
        unknown = [name for name in options.case if name not in known]
        if unknown:
            raise RunError(f"no such case: {', '.join(unknown)}; --list shows all")
        return [known[name] for name in options.case]
    return [case for case in cases if not options.part or case.part in options.part]


def spin_is_there() -> bool:
    """Whether SPIN and gcc can be run; they are installed if they are missing."""
    if shutil.which("spin") and shutil.which("gcc"):
        return True
    done = subprocess.run(["sh", str(ROOT / "bench" / "install_spin.sh")], stdout=sys.stderr, check=False)
    return done.returncode == 0


def measured(options: argparse.Namespace) -> Results:
    """Runs the cases; what is known so far is kept in files all the time."""
    cases = chosen_cases(options)
    load = os.getloadavg()[0]
    if options.tool != "fairlead" and not spin_is_there():
        raise RunError("SPIN or gcc is missing; --tool fairlead measures without them")
    program = inspect(options.fairlead) if options.tool != "spin" else None
    tools = Tools(program, options.tool != "fairlead", options.timeout)
    rules = Rules(options.repeat, options.timeout, options.long_run)
    session = Session(tools.prepare, rules, lambda message: print(message, file=sys.stderr, flush=True))
    outcomes: list[Outcome] = []
    results = Results("", options.quick, ())
    for case in cases:
        outcomes.append(session.measure(case))
        about = circumstances(options.fairlead, options.repeat, load)
        results = Results(about, options.quick, tuple(outcomes))
        write_files(results, options.output)
    return results


def verdict(results: Results) -> int:
    """The exit code: 1 when a tool failed, they disagree, or a ratio of the short run does not hold."""
    failed = any(outcome.problems for outcome in results.outcomes)
    missed = results.quick and any(one.met is False for one in results.judgements())
    return 1 if failed or missed else 0


def main(arguments: Sequence[str] | None = None) -> int:
    options = read_options(arguments)
    try:
        if options.list:
            for case in chosen_cases(options):
                print(f"{case.part:16}  {case.name:28}  {', '.join(one.label for one in case.entrants)}")
            return 0
        if options.source:
            results = from_json(options.source.read_text(encoding="utf-8"))
        else:
            results = measured(options)
    except RunError as failure:
        print(failure, file=sys.stderr)
        return 2
    print(to_markdown(results))
    if options.docs:
        write_docs(results)
    return verdict(results)
