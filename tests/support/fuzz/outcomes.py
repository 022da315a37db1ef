"""What became of an input: read, refused, or a find."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from fairlead.base.diagnostics import FairleadError, InternalError
from tests.support.places import ROOT


class Outcome(Enum):
    """What happened; all but the first two are finds."""

    READ = "read"
    REFUSED = "refused"
    EXCEPTION = "exception"  # not ours: exit status 70
    INTERNAL = "internal"  # ours, and says that fairlead contradicted itself: exit status 70
    SIGNAL = "signal"
    OVERTIME = "overtime"
    MEMORY = "memory"

    @property
    def is_find(self) -> bool:
        """Whether it must not happen."""
        return self not in (Outcome.READ, Outcome.REFUSED)


@dataclass(frozen=True)
class Verdict:
    """An outcome, where it came from (the same for finds that are alike), and the whole story."""

    outcome: Outcome
    where: str = ""
    story: str = ""


def judged(work: Callable[[], object]) -> Verdict:
    """Does the work and says what became of it, as the command line would."""
    try:
        work()
    except InternalError as error:
        return _find(Outcome.INTERNAL, error)
    except (FairleadError, RecursionError, MemoryError):
        # the last two are a documented message and status of the command line
        return Verdict(Outcome.REFUSED)
    except Exception as error:
        return _find(Outcome.EXCEPTION, error)
    return Verdict(Outcome.READ)


def _find(outcome: Outcome, error: Exception) -> Verdict:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "fairlead" in frame.filename]
    last = frames[-1] if frames else None
    place = "?" if last is None else f"{short(last.filename)}:{last.name}"
    return Verdict(outcome, f"{type(error).__name__} in {place}", "".join(traceback.format_exception(error)))


def short(filename: str) -> str:
    """A file as it is called inside the package."""
    return filename.rpartition("fairlead/")[2]


def place_in_dump(dump: str) -> str:
    """Where a process was, from what `faulthandler` wrote: the innermost function of ours."""
    source = str(ROOT / "src")
    for line in dump.splitlines():
        if line.strip().startswith("File") and source in line:
            file, _, rest = line.strip()[6:].partition('"')
            return f"{short(Path(file).as_posix())}:{rest.rpartition(' in ')[2]}"
    return "?"
