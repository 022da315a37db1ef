"""What process counters cost and save, as ratios measured in one run.

    python bench/counters.py [--part NAME]... [--repeat 3] [--limit 300]

The parts are `growth`, `spin`, `overhead` and `paper`; see bench/README.md. What is compared takes turns, and
the best run of each counts. The exit code is 1 when a verdict is wrong or a run failed.
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from cases import LIVE, Case
from fm2009 import FOLDER, LE, LINES, NOTIONS, Line
from run import find_fairlead
from tools import Asked, Measurement, RunError, Spin, TooLong, ask

HERE = Path(__file__).resolve().parent
EXAMPLES = FOLDER.parent

#: models in which nothing is symmetric: file, assertion, size
ASYMMETRIC = (
    ("peterson.csp", "System() |= []<> cs.0", 5),
    ("dining_philosophers.csp", "MixedCollege() |= []<> eat.0", 11),
    ("milner_scheduler.csp", "Scheduler() |= []<> work.0", 14),
)
#: leader election with a detector for each node: size, SPIN's depth bound and the bits of its hash table
ELECTIONS = ((5, 2_000_000, 20), (6, 10_000_000, 22), (7, 60_000_000, 25))

Run = Callable[[], Measurement]

#: what stands for a run that took longer than it was given
TOO_LONG = Measurement("too long", 0, 0, math.inf, math.inf, math.inf, 0, 0.0)


def fastest(old: Measurement | None, new: Measurement) -> Measurement:
    """The least time of the check and the least time of the whole command."""
    if old is None:
        return new
    seconds, wall = min(old.seconds, new.seconds), min(old.wall_seconds, new.wall_seconds)
    return replace(new, seconds=seconds, wall_seconds=wall)


class Bench:
    """Measures, and remembers what went wrong."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.problems: list[str] = []

    def asking(self, asked: Asked) -> Run:
        return lambda: ask(self.options.fairlead, asked, self.options.limit)

    def best(self, name: str, runs: dict[str, Run]) -> dict[str, Measurement | None]:
        """The best run of each, None for those that failed; they take turns. One too long is not repeated."""
        found: dict[str, Measurement | None] = dict.fromkeys(runs)
        waiting = dict(runs)
        for _ in range(self.options.repeat):
            for side, run in list(waiting.items()):
                print(f"{name}: {side} …", file=sys.stderr, flush=True)
                try:
                    found[side] = fastest(found[side], run())
                except TooLong:
                    del waiting[side]
                    found[side] = found[side] or TOO_LONG
                except RunError as failure:
                    del waiting[side]
                    found[side] = None
                    self.problems.append(f"{name}, {side}: {failure}")
        return found

    def expect(self, name: str, measured: Measurement | None, holds: bool | None) -> None:
        """Notes a verdict that is not the known one."""
        known = {True: "holds", False: "violated", None: None}[holds]
        if measured and measured is not TOO_LONG and known not in (None, measured.verdict):
            self.problems.append(f"{name}: {measured.verdict}")

    def seconds(self, measured: Measurement | None) -> str:
        if measured is None:
            return "failed"
        return f"> {self.options.limit:.0f}" if measured is TOO_LONG else f"{measured.seconds:.3f}"


def growth(bench: Bench) -> Iterator[str]:
    """LE with ten times as many nodes."""
    yield "| fairness | LE(1,000) s | LE(10,000) s | ratio | ratio in the paper |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    lines = {line.processes: line for line in LINES if line.system is LE}
    small, large = lines[1_000], lines[10_000]
    for place, notion in enumerate(NOTIONS):
        if notion == "none":
            continue
        asked = {line.name: bench.asking(question(line, notion)) for line in (small, large)}
        found = bench.best(f"growth {notion}", asked)
        first, second = found[small.name], found[large.name]
        bench.expect(f"{small.name} {notion}", first, True)
        bench.expect(f"{large.name} {notion}", second, True)
        ratio = f"{second.seconds / first.seconds:.1f}" if first and second and first is not TOO_LONG else "–"
        theirs = (large.seconds[place] or 0) / (small.seconds[place] or 1)
        yield f"| {notion} | {bench.seconds(first)} | {bench.seconds(second)} | {ratio} | {theirs:.1f} |"


def spin(bench: Bench) -> Iterator[str]:
    """Leader election with a detector for each node, beside SPIN under its weak fairness."""
    yield "| nodes | SPIN -f s | fairlead s | times faster | whole command, times faster |"
    yield "| ---: | ---: | ---: | ---: | ---: |"
    assertion = "Network() |= <>[] oneLeader"
    for nodes, depth, bits in ELECTIONS:
        name = f"lecd{nodes}"
        with tempfile.TemporaryDirectory(prefix="fairlead-bench-") as folder:
            case = Case("lecd", nodes, LIVE, "ewf", depth=depth, hash_bits=bits)
            try:
                twin = Spin(case, Path(folder), False, bench.options.limit)
            except RunError as failure:
                bench.problems.append(f"{name}: {failure}")
                continue
            asked = Asked(FOLDER / "leader_detectors.csp", assertion, "ewf", {"N": nodes}, ("--counters",))
            found = bench.best(name, {"SPIN": twin.run, "fairlead": bench.asking(asked)})
        theirs, ours = found["SPIN"], found["fairlead"]
        bench.expect(f"{name}, SPIN", theirs, True)
        bench.expect(f"{name}, fairlead", ours, True)
        ratio = whole = "–"
        if ours and theirs and ours is not TOO_LONG:
            spent = min(theirs.seconds, bench.options.limit)
            at_least = "> " if theirs is TOO_LONG else ""
            ratio = f"{at_least}{spent / max(ours.seconds, 1e-6):.0f}"
            whole = f"{at_least}{(spent + twin.compile_seconds) / ours.wall_seconds:.0f}"
        yield f"| {nodes} | {bench.seconds(theirs)} | {bench.seconds(ours)} | {ratio} | {whole} |"


def overhead(bench: Bench) -> Iterator[str]:
    """Models in which nothing is symmetric, without and with counters."""
    yield "| model | N | without s | with s | ratio | whole command: without s | with s | ratio |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for file, assertion, size in ASYMMETRIC:
        plain = Asked(EXAMPLES / file, assertion, "psf", {"N": size})
        counted = Asked(plain.model, plain.assertion, plain.fairness, plain.sizes, ("--counters",))
        found = bench.best(
            f"overhead {file}", {"without": bench.asking(plain), "with": bench.asking(counted)}
        )
        before, after = found["without"], found["with"]
        for side, measured in found.items():
            bench.expect(f"{file}, {side} counters", measured, True)
        cells = [bench.seconds(before), bench.seconds(after), "–", "–", "–", "–"]
        if before and after and TOO_LONG not in (before, after):
            cells[2] = f"{after.seconds / before.seconds:.2f}"
            cells[3:5] = f"{before.wall_seconds:.3f}", f"{after.wall_seconds:.3f}"
            cells[5] = f"{after.wall_seconds / before.wall_seconds:.2f}"
        yield f"| {file} | {size} | {' | '.join(cells)} |"


def paper(bench: Bench) -> Iterator[str]:
    """The table of the paper, with the seconds that are printed there in brackets."""
    yield "| system | " + " | ".join(f"{notion} | s (paper)" for notion in NOTIONS) + " |"
    yield "| --- |" + " --- | ---: |" * len(NOTIONS)
    for line in LINES:
        cells = []
        for notion, known, theirs in zip(NOTIONS, line.verdicts, line.seconds, strict=True):
            name = f"{line.name} {notion}"
            measured = bench.best(name, {"fairlead": bench.asking(question(line, notion))})["fairlead"]
            bench.expect(name, measured, known)
            cells.append(measured.verdict if measured else "?")
            cells.append(f"{bench.seconds(measured)} ({'not feasible' if theirs is None else theirs})")
        yield f"| {line.name} | {' | '.join(cells)} |"


def question(line: Line, notion: str) -> Asked:
    """What is asked for one entry of the paper's table."""
    return Asked(line.system.model, line.system.assertion, notion, line.sizes, line.options)


PARTS = {"growth": growth, "spin": spin, "overhead": overhead, "paper": paper}


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What process counters cost and save.")
    parser.add_argument("--part", action="append", choices=tuple(PARTS), help="only this part")
    parser.add_argument("--repeat", type=int, default=3, help="how often each runs; the best run counts")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one run")
    parser.add_argument("--fairlead", default=find_fairlead(), help="the fairlead program")
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def spin_is_there() -> bool:
    """Whether SPIN and gcc can be run; they are installed if they are missing."""
    if shutil.which("spin") and shutil.which("gcc"):
        return True
    done = subprocess.run(["sh", str(HERE / "install_spin.sh")], stdout=sys.stderr, check=False)
    return done.returncode == 0


def main() -> int:
    options = read_options()
    parts = options.part or list(PARTS)
    if "spin" in parts and not spin_is_there():
        return 2
    bench = Bench(options)
    for part in parts:
        measure = PARTS[part]
        print(f"## {part}: {measure.__doc__}\n", flush=True)
        for row in measure(bench):
            print(row, flush=True)
        print()
    for problem in bench.problems:
        print(f"problem: {problem}")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())
