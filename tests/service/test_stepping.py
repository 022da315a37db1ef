"""Sessions of the simulator in a process of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairlead.base.diagnostics import FairleadError
from fairlead.outcome.limits import Limits
from fairlead.service.documents import Workspace
from fairlead.service.jobs import Job, ResultEvent
from fairlead.service.requests import JobKind, Request, request
from fairlead.service.stepping import NotDone, State, Stepping, Why
from tests.support.processes import ends

MODEL = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
"""


def begun(text: str, **given: Any) -> tuple[Stepping, State | NotDone | Why]:
    workspace = Workspace()
    document = workspace.open(Path("/m/m.csp"), text)
    session = Stepping(request(workspace, document, JobKind.SESSION, **given))
    return session, session.begin()


def test_a_session_goes_where_it_is_told() -> None:
    session, state = begun(MODEL, shown=True)
    assert isinstance(state, State) and state.record["step"] == 0 and state.record["steps"] == []
    assert [one["event"] for one in state.record["enabled"]] == ["turn"]
    moved = [session.tell(command) for command in ("turn", "1", "back", "b")]
    assert all(isinstance(one, State) for one in moved)
    records = [one.record for one in moved if isinstance(one, State)]
    assert [(one["step"], one["kept"], len(one["steps"])) for one in records] == [
        (1, 0, 1),
        (2, 1, 1),
        (1, 1, 0),
        (2, 1, 1),
    ]
    last = moved[-1]
    assert isinstance(last, State) and last.shown is not None
    assert "fl-timeline" in last.shown.html and "after 2 steps" in last.shown.html and last.shown.text
    session.end()


def test_what_cannot_be_done_changes_nothing() -> None:
    session, _ = begun(MODEL)
    wrong = session.tell("b")
    assert isinstance(wrong, NotDone) and wrong.problems[0]["code"] == "usage"
    why = session.tell("why b")
    assert isinstance(why, Why) and why.record["kind"] == "why"
    state = session.tell("")
    assert isinstance(state, State) and state.record["step"] == 0
    assert isinstance(session.tell("turn\n\nturn"), NotDone)  # one line, and no such event
    session.end()
    assert isinstance(session.tell("turn"), NotDone)
    assert ends(session.pid)


def test_a_wrong_model_has_no_session() -> None:
    session, found = begun("P() = a -> ;\n", process="P()")
    assert isinstance(found, NotDone) and found.problems[0]["code"] == "syntax"
    assert isinstance(session.tell("a"), NotDone)


def test_a_run_can_be_followed() -> None:
    workspace = Workspace()
    document = workspace.open(Path("/m/m.csp"), MODEL)
    with Job(request(workspace, document, JobKind.CHECK)) as job:
        (result,) = [event.result for event in job.events() if isinstance(event, ResultEvent)]
    session, state = begun(MODEL, replay=result)
    assert isinstance(state, State) and state.record["replay"]["next_event"] == "turn"
    state = session.tell("next")
    assert isinstance(state, State) and state.record["step"] == 1
    session.end()


def test_limits_hold_for_each_command() -> None:
    text = "P() = a{while (true) {}} -> P() [] b -> P();\n"
    session, _ = begun(text, process="P()", limits=Limits(timeout=0.5))
    for _ in range(2):
        found = session.tell("b")
        assert isinstance(found, NotDone | State)
    session.end()


def test_a_session_is_no_job() -> None:
    with pytest.raises(FairleadError):
        Stepping(Request(JobKind.CHECK, "m.csp", MODEL))
