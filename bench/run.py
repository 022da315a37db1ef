"""Run SPIN and fairlead side by side on the same systems and write a table of ratios.

usage: python bench/run.py [--quick] [--tool both|spin|fairlead] [--case NAME]... [--output DIR]

The two tools take turns, `--repeat` times; the best time of each counts. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from promela import MODELS

HERE = Path(__file__).resolve().parent


class Question(Enum):
    REACHABILITY = "reachability"
    LIVENESS = "liveness"


@dataclass(frozen=True)
class Case:
    """One system of one size and one question about it."""

    model: str
    size: int
    question: Question
    fairness: str = "none"
    depth: int = 1_000_000
    hash_bits: int = 20
    defines: tuple[tuple[str, int], ...] = ()  # further sizes of the model

    @property
    def name(self) -> str:
        kind = "reach" if self.question is Question.REACHABILITY else self.fairness
        further = "".join(f"-{name}{value}" for name, value in self.defines)
        return f"{self.model}{self.size}{further}-{kind}"

    @property
    def assertion(self) -> str:
        return ASSERTIONS[self.model, self.question]

    @property
    def init_states(self) -> tuple[int, int]:
        """How many states only SPIN and only fairlead have, before the system proper starts.

        SPIN makes all initial choices of lec and lecd in one atomic step from one extra state; the
        CSP# model has a configuration for every prefix of the choices.
        """
        choices = {"lec": 2, "lecd": 4}.get(self.model)
        if choices is None:
            return 0, 0
        return 1, (choices**self.size - 1) // (choices - 1)


ASSERTIONS = {
    # dp, lec and lecd have configurations without a next step, so "deadlockfree" would end early there:
    # their goals are never reached, and the search is exhaustive.
    ("dp", Question.REACHABILITY): "System() reaches eatsWithoutForks",
    ("ms", Question.REACHABILITY): "System() deadlockfree",
    ("pet", Question.REACHABILITY): "System() deadlockfree",
    ("rw", Question.REACHABILITY): "System() deadlockfree",
    ("lec", Question.REACHABILITY): "System() reaches miscounted",
    ("lecd", Question.REACHABILITY): "System() reaches miscounted",
    ("abp", Question.REACHABILITY): "System() deadlockfree",
    ("abph", Question.REACHABILITY): "System() deadlockfree",
    ("sliding", Question.REACHABILITY): "System() deadlockfree",
    ("relay", Question.REACHABILITY): "System() deadlockfree",
    ("sched", Question.REACHABILITY): "System() deadlockfree",
    ("bar", Question.REACHABILITY): "System() deadlockfree",
    ("dp", Question.LIVENESS): "System() |= []<> eating0",
    ("ms", Question.LIVENESS): "System() |= []<> working0",
    ("pet", Question.LIVENESS): "System() |= [] (trying0 -> <> critical0)",
    ("rw", Question.LIVENESS): "System() |= []<> reading",
    ("lec", Question.LIVENESS): "System() |= <>[] oneLeader",
    ("lecd", Question.LIVENESS): "System() |= <>[] oneLeader",
}

REACH, LIVE = Question.REACHABILITY, Question.LIVENESS

FULL = (
    Case("dp", 12, REACH, depth=4_000_000, hash_bits=23),
    Case("dp", 13, REACH, depth=8_000_000, hash_bits=25),
    Case("pet", 5, REACH, depth=1_000_000, hash_bits=21),
    Case("pet", 6, REACH, depth=10_000_000, hash_bits=25),
    Case("ms", 14, REACH, depth=2_000_000, hash_bits=21),
    Case("ms", 16, REACH, depth=4_000_000, hash_bits=23),
    Case("rw", 8, REACH, depth=4_000_000, hash_bits=23),
    Case("abp", 3, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 1), ("M", 2))),
    Case("abp", 2, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 4), ("M", 2))),
    Case("abp", 1, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 20), ("M", 4))),
    Case("abph", 3, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 1), ("M", 2))),
    Case("sliding", 5, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 5),)),
    Case("sliding", 3, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 7),)),
    Case("relay", 13, REACH, depth=4_000_000, hash_bits=22, defines=(("M", 2),)),
    Case("relay", 8, REACH, depth=4_000_000, hash_bits=22, defines=(("M", 5),)),
    Case("sched", 16, REACH, depth=4_000_000, hash_bits=22),
    Case("bar", 10, REACH, depth=4_000_000, hash_bits=22),
    Case("pet", 5, LIVE, "pwf", depth=10_000_000, hash_bits=23),
    Case("pet", 6, LIVE, "pwf", depth=60_000_000, hash_bits=26),
    Case("ms", 14, LIVE, "pwf", depth=10_000_000, hash_bits=23),
    Case("lecd", 5, LIVE, "ewf", depth=2_000_000, hash_bits=20),
    Case("lecd", 6, LIVE, "ewf", depth=10_000_000, hash_bits=22),
    Case("lec", 6, LIVE, "ewf", depth=1_000_000, hash_bits=20),
    Case("rw", 5, LIVE, "pwf", depth=2_000_000, hash_bits=20),
    Case("ms", 14, LIVE, "none", depth=4_000_000, hash_bits=22),
    Case("dp", 12, LIVE, "none", depth=4_000_000, hash_bits=23),
)

QUICK = (
    Case("dp", 9, REACH),
    Case("pet", 4, REACH),
    Case("ms", 10, REACH),
    Case("rw", 5, REACH),
    Case("abp", 2, REACH, defines=(("K", 1), ("M", 2))),
    Case("sliding", 3, REACH, defines=(("K", 3),)),
    Case("relay", 9, REACH, defines=(("M", 2),)),
    Case("sched", 10, REACH),
    Case("bar", 7, REACH),
    Case("pet", 4, LIVE, "pwf"),
    Case("lecd", 4, LIVE, "ewf"),
    Case("rw", 3, LIVE, "pwf"),
    Case("ms", 8, LIVE, "none"),
)


class RunError(Exception):
    """A tool could not be run, or its run does not count. The message says why."""


@dataclass(frozen=True)
class Measurement:
    """What one run of one tool said and cost."""

    verdict: str
    states: int
    transitions: int
    seconds: float
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    state_bytes: float

    @property
    def peak_bytes_per_state(self) -> float:
        return self.peak_bytes / self.states if self.states else 0.0


@dataclass(frozen=True)
class Process:
    """A finished child process: its output and its cost."""

    stdout: str
    stderr: str
    code: int
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int


def execute(command: Sequence[str | Path], folder: Path, timeout: float) -> Process:
    """Run a command in its own process and read its cost from the operating system."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.perf_counter()
        child = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=out, stderr=err)
        deadline = begin + timeout
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() > deadline:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                raise RunError(f"{Path(str(command[0])).name} ran longer than {timeout:.0f} s")
            time.sleep(0.002)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        rss_unit = 1 if sys.platform == "darwin" else 1024
        return Process(
            out.read(),
            err.read(),
            child.returncode,
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * rss_unit,
        )


class Spin:
    """A Promela model compiled once, run as often as wanted."""

    def __init__(self, case: Case, folder: Path, reduction: bool, timeout: float) -> None:
        self.case = case
        self.folder = folder
        self.timeout = timeout
        model = MODELS[case.model](case.size, **{name.lower(): value for name, value in case.defines})
        (folder / "model.pml").write_text(model.source(case.question is LIVE))
        begin = time.perf_counter()
        self._do(["spin", "-a", "model.pml"])
        self._do(["gcc", "-w", "-O2", *self._defines(model.processes, reduction), "-o", "pan", "pan.c"])
        self.compile_seconds = time.perf_counter() - begin

    def _defines(self, processes: int, reduction: bool) -> list[str]:
        defines = ["-DVECTORSZ=4096"]
        if self.case.question is REACH:
            defines += ["-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"]
        elif self.case.fairness == "none":
            defines += ["-DNOFAIR"]
        else:
            defines += [f"-DNFAIR={(processes + 6) // 4 + 1}"]
        if self.case.question is LIVE and not reduction:
            defines += ["-DNOREDUCE"]
        return defines

    def _do(self, command: list[str]) -> None:
        done = execute(command, self.folder, self.timeout)
        if done.code != 0:
            raise RunError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-300:]}")

    def run(self) -> Measurement:
        options = [f"-m{self.case.depth}", f"-w{self.case.hash_bits}"]
        if self.case.question is REACH:
            options.append("-E")
        else:
            options.append("-a")
            if self.case.fairness != "none":
                options.append("-f")
        done = execute(["./pan", *options], self.folder, self.timeout)
        return self._read(done)

    def _read(self, done: Process) -> Measurement:
        text = done.stdout + done.stderr
        if "max search depth too small" in text:
            raise RunError("SPIN's depth bound was too small: the run does not count")
        errors = re.search(r"errors: (\d+)", text)
        stored = re.search(r"([\d.e+]+) states, stored", text)
        transitions = re.search(r"([\d.e+]+) transitions \(=", text)
        if not (errors and stored and transitions):
            raise RunError(f"cannot read SPIN's output: {text.strip()[-300:]}")
        states = int(float(stored.group(1)))
        used = re.search(r"([\d.]+)\s+actual memory usage for states", text)
        # SPIN counts the initial state among its transitions; here it is left out.
        return Measurement(
            verdict="holds" if errors.group(1) == "0" else "violated",
            states=states,
            transitions=int(float(transitions.group(1))) - 1,
            seconds=done.wall_seconds,
            wall_seconds=done.wall_seconds,
            cpu_seconds=done.cpu_seconds,
            peak_bytes=done.peak_bytes,
            state_bytes=float(used.group(1)) * 2**20 / states if used and states else 0.0,
        )


@dataclass(frozen=True)
class Fairlead:
    """The command line of fairlead on one case."""

    case: Case
    program: str
    timeout: float

    def run(self) -> Measurement:
        command = [
            self.program,
            "check",
            str(HERE / "models" / f"{self.case.model}.csp"),
            self.case.assertion,
            "--fairness",
            self.case.fairness,
            "--json",
        ]
        for name, value in (("N", self.case.size), *self.case.defines):
            command += ["-D", f"{name}={value}"]
        done = execute(command, HERE, self.timeout)
        try:
            result = json.loads(done.stdout)["results"][0]
            if result["verdict"] == "unknown":
                raise RunError(f"gave up: {result.get('reason', 'verdict unknown')}")
            states = int(result["states"])
            return Measurement(
                verdict=str(result["verdict"]),
                states=states,
                transitions=int(result["transitions"]),
                seconds=float(result["seconds"]),
                wall_seconds=done.wall_seconds,
                cpu_seconds=done.cpu_seconds,
                peak_bytes=done.peak_bytes,
                state_bytes=float(result.get("memory_bytes") or 0) / states if states else 0.0,
            )
        except (ValueError, KeyError, IndexError, TypeError) as error:
            said = (done.stderr or done.stdout).strip()[-300:]
            raise RunError(f"cannot read fairlead's answer ({error!r}): {said}") from error


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
