"""Resumes altered checkpoints, each in a process of its own: `python -m tests.support.forging.resume FOLDER`.

The folder holds a model, the question and files `*.forged`. A line for each says how the command ended: its
exit status (or minus the signal), how much memory it took beyond what the interpreter has, and what it said.
A crash, a hang or too much memory of one does not keep the others from being tried.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path

SECONDS = 30


def main(folder: Path) -> None:
    """Tries all files of a folder."""
    if "FAIRLEAD_PACKAGE" in os.environ:
        import tests.sanitized.on_package  # noqa: F401 — the engine with sanitizers
    from fairlead.cli.main import run

    (model,) = folder.glob("model.*")
    arguments = ["check", str(model), *json.loads((folder / "question").read_text()), "--no-trace"]
    run([*arguments, "--quiet", "--max-states", "10"])  # everything that is needed is loaded before the forks
    for path in sorted(folder.glob("*.forged")):
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if child == 0:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                signal.alarm(SECONDS)
                os._exit(run([*arguments, "--threads", "1", "--max-memory", "64M", "--resume", str(path)]))
            _, status, usage = os.wait4(child, 0)
            said.seek(0)
            text = said.read().decode(errors="replace")
        took = usage.ru_maxrss - resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps([path.name, code, took // 1024, text]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
