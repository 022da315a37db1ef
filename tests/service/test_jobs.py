"""Jobs: the records are those of the commands; progress, limits, cancelling, and parents that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairlead.outcome.events import Progress
from fairlead.outcome.limits import Limits
from fairlead.service.documents import Workspace
from fairlead.service.jobs import Event, Job, Outcome, ResultEvent, Status
from fairlead.service.requests import JobKind, Request, request
from tests.support.processes import ends, is_running

MODEL = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
#assert P() deadlockfree;
"""
#: more states than anyone waits for
HUGE = """\
var a[9]:{0..9};
Count(i) = [a[i] < 9] up.i{a[i] = a[i] + 1;} -> Count(i) [] [a[i] > 0] down.i{a[i] = a[i] - 1;} -> Count(i);
All() = ||| i:{0..8} @ Count(i);
#assert All() deadlockfree;
"""


def outcome_of(tmp_path: Path, text: str, kind: JobKind, **given: Any) -> tuple[Outcome, list[Event]]:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", text)
    heard: list[Event] = []
    with Job(request(workspace, document, kind, **given)) as job:
        return job.outcome(heard.append), heard


def command(tmp_path: Path, *arguments: str) -> Any:
    path = tmp_path / "m.csp"
    path.write_text(MODEL)
    name, *rest = arguments
    found = subprocess.run(
        [sys.executable, "-m", "fairlead", name, str(path.resolve()), *rest],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(found.stdout)


def without_times(data: Any) -> Any:
    """A record without what differs from run to run."""
    if isinstance(data, dict):
        left_out = ("seconds", "memory_bytes")
        return {name: without_times(value) for name, value in data.items() if name not in left_out}
    return [without_times(item) for item in data] if isinstance(data, list) else data


def test_a_check_gives_what_the_command_writes(tmp_path: Path) -> None:
    found, heard = outcome_of(tmp_path, MODEL, JobKind.CHECK, fairness="none,esf")
    assert found.status is Status.DONE
    expected = command(tmp_path, "check", "--json", "--fairness", "none,esf")
    assert without_times(found.record) == without_times(expected)
    assert [event.result["verdict"] for event in heard if isinstance(event, ResultEvent)] == [
        "violated",
        "holds",
        "holds",
    ]
    assert any(isinstance(event, Progress) for event in heard)


def test_advice_and_a_graph_are_those_of_the_commands(tmp_path: Path) -> None:
    advice, _ = outcome_of(tmp_path, MODEL, JobKind.ADVISE, questions=("1",))
    assert without_times(advice.record) == without_times(command(tmp_path, "advise", "1", "--json"))
    graph, _ = outcome_of(tmp_path, MODEL, JobKind.GRAPH, values=True)
    assert graph.record == command(tmp_path, "graph", "--values")


def test_coverage_is_that_of_the_command(tmp_path: Path) -> None:
    found, _ = outcome_of(tmp_path, MODEL, JobKind.COVERAGE)
    assert found.record is not None
    assert found.record["coverage"] == command(tmp_path, "check", "--json", "--coverage")["coverage"]


def test_a_simulation_goes_where_the_commands_lead(tmp_path: Path) -> None:
    found, _ = outcome_of(tmp_path, MODEL, JobKind.SIMULATE, commands=("turn", "b"))
    assert found.record is not None
    assert found.record["schema"] == "fairlead/simulate/1" and found.record["step"] == 2
    assert [step["event"] for step in found.record["steps"]] == ["turn", "b"]
    wrong, _ = outcome_of(tmp_path, MODEL, JobKind.SIMULATE, commands=("b",))
    assert wrong.status is Status.REFUSED and wrong.message


def test_a_document_counts_as_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "part.csp").write_text("Q() = a -> Q();\n")
    workspace = Workspace()
    workspace.open(tmp_path / "part.csp", "Q() = a -> Stop;\n")  # not saved
    document = workspace.open(tmp_path / "m.csp", '#include "part.csp";\n#assert Q() deadlockfree;\n')
    with Job(request(workspace, document, JobKind.CHECK)) as job:
        found = job.outcome()
    assert found.record is not None and found.record["results"][0]["verdict"] == "violated"


def test_a_wrong_model_is_refused_with_its_problems(tmp_path: Path) -> None:
    found, _ = outcome_of(tmp_path, "P() = a -> ;\n", JobKind.CHECK)
    assert found.status is Status.REFUSED and found.record is not None
    assert found.record["errors"][0]["code"] == "syntax" and found.record["results"] == []


def test_limits_hold(tmp_path: Path) -> None:
    limits = Limits(max_states=1000, timeout=60)
    found, _ = outcome_of(tmp_path, HUGE, JobKind.CHECK, limits=limits)
    assert found.record is not None and found.record["results"][0]["verdict"] == "unknown"


def test_a_job_is_cancelled_whatever_it_does(tmp_path: Path) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", HUGE)
    job = Job(request(workspace, document, JobKind.CHECK, limits=Limits(timeout=600)))
    events = job.events()
    while True:
        event = next(events)
        if isinstance(event, Progress) and event.states:
            break
    job.cancel()
    assert list(events) is not None
    assert job.outcome().status is Status.CANCELLED
    job.cancel()  # once more changes nothing


def test_a_job_can_be_cancelled_before_it_has_begun(tmp_path: Path) -> None:
    workspace = Workspace()
    job = Job(request(workspace, workspace.open(tmp_path / "m.csp", HUGE), JobKind.CHECK))
    job.cancel()
    assert job.outcome().status is Status.CANCELLED


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
def test_a_killed_parent_leaves_no_process_behind(tmp_path: Path) -> None:
    asked = Request(JobKind.CHECK, str(tmp_path / "m.csp"), HUGE, limits=Limits(timeout=600))
    program = (
        "import sys, time\n"
        "from fairlead.service.jobs import Job\n"
        "from fairlead.service.requests import Request\n"
        "job = Job(Request.of_line(sys.argv[1]))\n"
        "next(event for event in job.events() if event.states)\n"
        "print(job.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, asked.to_line()], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert is_running(child)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert ends(child)
    assert list(tmp_path.iterdir()) == []


def test_modules_beside_the_model_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    found, _ = outcome_of(tmp_path, MODEL, JobKind.CHECK)
    assert found.status is Status.DONE


def test_requests_survive_the_way() -> None:
    asked = Request(JobKind.SIMULATE, "m.csp", "é\n", ("1",), commands=("a", "b"), limits=Limits(timeout=1.5))
    assert Request.of_line(asked.to_line()) == asked
