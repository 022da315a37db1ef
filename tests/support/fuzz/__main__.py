"""A fuzzing campaign, or an input of one again: `python -m tests.support.fuzz --help`.

Status 1 says that there are finds, of this campaign or an earlier one into the same folder.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from pathlib import Path

from tests.support.fuzz.coverage import PACKAGE, all_lines
from tests.support.fuzz.readers import READERS
from tests.support.fuzz.worker import Places, fuzz, watched

#: how long a reader is fed before it is another's turn
SLICE = 30.0


def main() -> int:
    """Feeds all readers in turn and reports executions, coverage and finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--reader", action="append", choices=sorted(READERS), default=None)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--replay", type=Path, metavar="FIND", help="read one input again, and say what happens"
    )
    given = parser.parse_args()
    if given.replay is not None:
        return replay(given.replay)
    names = given.reader or list(READERS)
    print(f"seed {given.seed}, {given.seconds:g} seconds, finds in {given.folder / 'finds'}", flush=True)
    with multiprocessing.Pool(given.jobs, maxtasksperchild=1) as pool:
        # each job has readers of its own, so that no two write to one corpus
        parts = [
            (names[job :: given.jobs], given.folder, given.seconds, given.seed) for job in range(given.jobs)
        ]
        counts: dict[str, int] = {}
        for part in pool.starmap(_campaign, parts):
            counts |= part
    return report(Places(given.folder), counts, given.seconds)


def replay(file: Path) -> int:
    """Reads an input that a campaign or the corpus kept, watched as there; the reader is in its name."""
    verdict = watched(READERS[file.name.partition("-")[0]], file.read_bytes())
    print(f"{verdict.outcome.value}: {verdict.where}\n{verdict.story}".rstrip().rstrip(":"))
    return 1 if verdict.outcome.is_find else 0


def _campaign(names: list[str], folder: Path, seconds: float, seed: int) -> dict[str, int]:
    places, end = Places(folder), time.monotonic() + seconds
    counts = dict.fromkeys(names, 0)
    turn = min(SLICE, seconds / max(1, len(names)))
    while time.monotonic() < end:
        for name in names:
            left = min(turn, end - time.monotonic())
            if left > 0:
                counts[name] += fuzz(READERS[name], places, left, seed + sum(counts.values()), _say)
    return counts


def _say(line: str) -> None:
    print(line, flush=True)


def report(places: Places, counts: dict[str, int], seconds: float) -> int:
    """Prints what was done and found, and writes it to a file beside the finds."""
    every = all_lines()
    reached = set[tuple[str, int]]().union(*(places.lines(name) for name in counts)) & every
    for name, count in counts.items():
        print(f"{name:12} {count:>9,} executions, {len(places.lines(name) & every):>6,} lines")
    total = sum(counts.values())
    print(
        f"{'all':12} {total:>9,} executions in {seconds:g} s, {len(reached):,} of {len(every):,} lines",
        end="",
    )
    print(f" ({len(reached) / len(every):.1%}) of {PACKAGE.name}'s readers")
    finds = sorted(path for path in places.finds.iterdir() if path.suffix != ".txt")
    for find in finds:
        said = find.with_suffix(".txt").read_text(encoding="utf-8").partition("\n")[0]
        print(f"find: {said}\n  {sys.executable} -m tests.support.fuzz --replay {find}")
    summary = {
        "seconds": seconds,
        "executions": counts,
        "lines": len(reached),
        "of": len(every),
        "finds": len(finds),
    }
    (places.folder / "report.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
