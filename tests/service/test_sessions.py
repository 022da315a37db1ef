"""Sessions that are told more than commands: conditions, watched expressions, what is near."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import fairlead
from fairlead.service.documents import Workspace
from fairlead.service.requests import JobKind, request
from fairlead.service.stepping import NotDone, State, Stepping, Why

MODEL = """\
var x = 0;
var a[2];
P() = [x < 3] up{x = x + 1; a[0] = x;} -> P() [] [x > 0] down{x = x - 1;} -> P();
Q() = P() ||| tick -> Skip;
#assert Q() deadlockfree;
"""
FSP = "SWITCH = (on -> off -> SWITCH).\n||S = SWITCH.\n"


def begun(text: str = MODEL, name: str = "m.csp", process: str = "Q()") -> Stepping:
    workspace = Workspace()
    document = workspace.open(Path("/m") / name, text)
    session = Stepping(request(workspace, document, JobKind.SESSION, process=process))
    assert isinstance(session.begin(), State)
    return session


def told(session: Stepping, given: Any) -> dict[str, Any]:
    answer = session.tell(given if isinstance(given, str) else json.dumps(given))
    assert not isinstance(answer, NotDone), answer
    return answer.record


def refused(session: Stepping, given: Any) -> str:
    answer = session.tell(given if isinstance(given, str) else json.dumps(given))
    assert isinstance(answer, NotDone)
    return answer.message


def test_expressions_are_watched_in_every_state() -> None:
    session = begun()
    record = told(session, {"watch": ["x", "x + a[0]", "x == 2", "up", "1/x"]})
    values = {one["text"]: one.get("value", one.get("problem")) for one in record["watched"]}
    assert values == {"x": "0", "x + a[0]": "0", "x == 2": False, "up": False, "1/x": values["1/x"]}
    assert "zero" in values["1/x"]
    record = told(session, "up")
    assert [one["value"] for one in record["watched"]] == ["1", "2", False, True, "1"]
    record = told(session, {"commands": ["up", "down", "up"]})
    assert [one["value"] for one in record["watched"]][:3] == ["2", "4", True]
    assert (record["step"], record["kept"], len(record["steps"])) == (4, 1, 3)
    assert refused(session, {"watch": ["nothing"]}) and refused(session, {"watch": ["<> x == 1"]})
    assert told(session, "state")["watched"]  # what was watched before still is
    session.end()


def test_random_steps_until_a_condition_is_met() -> None:
    session = begun()
    record = told(session, {"until": "x == 3", "most": 5000})
    assert record["state"]["variables"]["x"] == 3
    assert all(step["state"]["variables"]["x"] != 3 for step in record["steps"][:-1])
    record = told(session, {"until": "down", "most": 5000})
    assert record["steps"][-1]["event"] == "down"
    before = record["step"]
    assert told(session, {"until": "x == 7", "most": 50})["step"] == before + 50
    for wrong in (
        {"until": "x =="},
        {"until": "x == 1", "most": 0},
        {"until": "[] x == 1"},
        {"until": 3},
        "{",
    ):
        assert refused(session, wrong)
    session.end()


def test_actions_are_conditions_in_fsp() -> None:
    session = begun(FSP, "m.lts", "||S")
    record = told(session, {"until": "off", "most": 10})
    assert [step["event"] for step in record["steps"]] == ["on", "off"]
    session.end()


def test_what_is_near_is_what_steps_lead_to() -> None:
    """Compared with the states that are found one step at a time, on the reference semantics."""
    session = begun()
    generator = random.Random(5)
    for _ in range(6):
        record = told(session, f"random {generator.randint(1, 4)}")
        most = generator.randint(1, 12)
        answer = session.tell(json.dumps({"near": most}))
        assert isinstance(answer, Why)
        found = answer.record
        simulation = fairlead.simulate(fairlead.loads(MODEL, "csp"), "Q()")
        from fairlead.simulation.value import take

        for step in record["steps"] if record["kept"] == 0 else []:
            simulation = take(simulation, step["event"])
        assert found["nodes"][0]["state"] == record["state"]
        assert len(found["nodes"]) <= most
        described = {node["id"]: node["state"] for node in found["nodes"]}
        assert len({json.dumps(state) for state in described.values()}) == len(described)
        enabled = {one["event"] for one in record["enabled"]}
        leaving = {event for source, _, event in found["edges"] if source == 0}
        assert leaving <= enabled and (leaving == enabled or 0 in found["open"])
        for source, target, event in found["edges"]:
            before, after = described[source]["variables"]["x"], described[target]["variables"]["x"]
            assert after - before == {"up": 1, "down": -1}.get(event, 0)
    session.end()


def test_what_is_not_enabled_says_why() -> None:
    session = begun()
    record = told(session, "")
    assert [(one["event"], one["process"]) for one in record["disabled"]] == [("down", "P()")]
    assert "x > 0" in record["disabled"][0]["because"]
    session.end()
