"""Jobs of the studio: they belong to it and not to a page, their verdicts stay, and limits are on."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from fairlead.outcome.limits import Limits
from fairlead.studio.folder import Refused
from fairlead.studio.memory import Memory
from fairlead.studio.sweeping import MOST_VALUES, values_of
from tests.support.studio.studios import HUGE, MODEL, asked, ended, socket, studio, until

LIBRARY = """\
from pathlib import Path

Path(__file__).with_name("ran").touch()


def twice(x: int) -> int:
    return 2 * x
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    (place / "m.csp").write_text(MODEL)
    (place / "huge.csp").write_text(HUGE)
    return place


def verdicts(client: TestClient, name: str = "m.csp") -> list[tuple[str, str]]:
    found = asked(client, "GET", "/api/questions", name=name)["questions"]
    results = [verdict["result"] for question in found for verdict in question["verdicts"]]
    return [(result["fairness"], result["verdict"]) for result in results]


def check(client: TestClient, **given: Any) -> dict[str, Any]:
    return ended(
        client, asked(client, "POST", "/api/jobs", {"name": "m.csp", "kind": "check", **given})["id"]
    )


def test_verdicts_stay_until_their_text_changes_and_when_the_studio_is_started_again(folder: Path) -> None:
    with studio(folder) as client:
        assert verdicts(client) == []
        done = check(client, question=0, fairness="none,esf")
        assert done["stage"] == "done" and done["results"] == 2
        assert verdicts(client) == [("none", "violated"), ("esf", "holds")]
    with studio(folder) as client:
        assert verdicts(client) == [("none", "violated"), ("esf", "holds")]
        commented = f"// a remark\n{MODEL.replace('#assert P() deadlockfree;', '')}"
        edit = {"name": "m.csp", "base": None}
        asked(client, "PUT", "/api/draft", {**edit, "text": commented})
        assert verdicts(client) == [("none", "violated"), ("esf", "holds")]
        asked(client, "PUT", "/api/draft", {**edit, "text": MODEL.replace("[on] b", "b")})
        assert verdicts(client) == []
        asked(client, "PUT", "/api/draft", {**edit, "text": MODEL})
        assert verdicts(client) == [("none", "violated"), ("esf", "holds")]


def test_a_run_is_shown_with_the_places_of_its_steps(folder: Path) -> None:
    with studio(folder) as client:
        check(client, question=0, fairness="none")
        found = asked(client, "GET", "/api/questions", name="m.csp")["questions"][0]["verdicts"][0]
        assert found["hasRun"] and "evidence" not in found["result"]
        query = {"basis": found["basis"], "fairness": "none", "assertion": "P() |= []<> b"}
        run = asked(client, "GET", "/api/run", **query)
        assert "fl-timeline" in run["html"] and run["result"]["evidence"]["loop"]
        assert {step["event"] for step in run["steps"]} == {"turn"}
        assert run["steps"][0]["places"][0]["line"] == 2
        assert client.get("/api/run", params={**query, "fairness": "esf"}).status_code == 404
        page = client.post("/api/share", json={"name": "m.csp", "verdicts": [query], "note": "<b>"})
        assert page.status_code == 200 and "fl-timeline" in page.text and "&lt;b&gt;" in page.text
        assert "<script src" not in page.text and "http://" not in page.text.replace("http://www.w3.org", "")


def test_a_job_goes_on_when_its_page_is_loaded_anew(folder: Path) -> None:
    """Pages come and go; the next one is told which jobs there are."""
    with studio(folder) as client:
        with socket(client, "/live") as page:
            assert page.receive_json() == {"jobs": []}
            job = asked(client, "POST", "/api/jobs", {"name": "huge.csp", "kind": "check"})["id"]
            assert page.receive_json()["job"]["id"] == job
        with socket(client, "/live") as page:
            jobs = page.receive_json()["jobs"]
            assert [one["id"] for one in jobs] == [job] and jobs[0]["stage"] in ("waiting", "running")
            told = until(page.receive_json, lambda event: event["job"]["progress"].get("states", 0) > 0)[
                "job"
            ]
            assert told["progress"]["phase"] and told["progress"]["rate"] > 0
            asked(client, "DELETE", f"/api/jobs/{job}")
            until(page.receive_json, lambda event: event.get("job", {}).get("stage") == "cancelled")


def test_ten_checks_at_once_and_one_that_is_cancelled(folder: Path) -> None:
    with studio(folder) as client:
        slow = asked(client, "POST", "/api/jobs", {"name": "huge.csp", "kind": "check"})["id"]
        begun: list[str] = []

        def begin(number: int) -> None:
            question = {"name": "m.csp", "kind": "check", "question": number % 2}
            begun.append(asked(client, "POST", "/api/jobs", question)["id"])

        threads = [threading.Thread(target=begin, args=(number,)) for number in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asked(client, "DELETE", f"/api/jobs/{slow}")
        assert ended(client, slow)["stage"] == "cancelled"
        found = [ended(client, job) for job in begun]
        assert [one["stage"] for one in found] == ["done"] * 10
        assert sorted(verdicts(client)) == [("none", "holds"), ("none", "violated")]
        asked(client, "DELETE", f"/api/jobs/{slow}")
        assert slow not in {one["id"] for one in asked(client, "GET", "/api/jobs")["jobs"]}


def test_what_was_interrupted_is_told_once(folder: Path) -> None:
    memory = Memory(folder.resolve(), folder.parent / "models-cache")
    about = {"name": "m.csp", "kind": "check", "title": "P() |= []<> b", "question": None, "fairness": None}
    memory.keep_job("job", about)
    with studio(folder) as client:
        jobs = asked(client, "GET", "/api/jobs")["jobs"]
        assert [(one["stage"], one["title"]) for one in jobs] == [("interrupted", "P() |= []<> b")]
        assert "was ended" in jobs[0]["message"]
    with studio(folder) as client:
        assert asked(client, "GET", "/api/jobs")["jobs"] == []


def test_damaged_memory_is_forgotten(folder: Path) -> None:
    with studio(folder) as client:
        check(client, question=0)
        asked(client, "PUT", "/api/draft", {"name": "m.csp", "text": "// other", "base": None})
    for file in (folder.parent / "models-cache").rglob("*.json"):
        for text in ("", "{", "[]", "7", json.dumps({"verdicts": 1, "text": 2})):
            file.write_text(text)
            with studio(folder) as client:
                assert asked(client, "GET", "/api/file", name="m.csp")["text"] == MODEL


def test_limits_are_on(folder: Path) -> None:
    with studio(folder, limits=Limits(max_states=500, timeout=30.0)) as client:
        asked_for = {"limits": {"states": 10**12, "timeout": 10**9}}
        done = ended(
            client,
            asked(client, "POST", "/api/jobs", {"name": "huge.csp", "kind": "check", **asked_for})["id"],
        )
        result = done["answer"]["record"]["results"][0]
        assert (result["verdict"], result["reason"]) == ("unknown", "max-states")


def test_advice_is_kept_with_its_question(folder: Path) -> None:
    with studio(folder) as client:
        done = ended(
            client,
            asked(client, "POST", "/api/jobs", {"name": "m.csp", "kind": "advise", "question": 0})["id"],
        )
        assert done["stage"] == "done" and done["answer"]["record"]["advice"]
    with studio(folder) as client:
        advice = asked(client, "GET", "/api/questions", name="m.csp")["questions"][0]["advice"]
        assert advice["sets"] and advice["title"].startswith("needs ")
        done = check(client, question=0, fairness="none", fair=advice["sets"][0]["formula"])
        assert [result["verdict"] for result in done["answer"]["record"]["results"]] == ["holds"]


def test_coverage_and_graphs_are_jobs_too(folder: Path) -> None:
    with studio(folder) as client:
        done = ended(client, asked(client, "POST", "/api/jobs", {"name": "m.csp", "kind": "coverage"})["id"])
        assert done["answer"]["record"]["coverage"]["states"] == 2
        wanted = {"name": "m.csp", "kind": "graph", "process": "P()", "picture": {"view": "auto"}}
        done = ended(client, asked(client, "POST", "/api/jobs", wanted)["id"])
        assert done["answer"]["record"]["states"] == 2 and "<svg" in done["answer"]["record"]["svg"]


def test_a_sweep_is_a_chart(folder: Path) -> None:
    (folder / "n.csp").write_text(
        "#define N 2;\nvar x = 0;\nP() = [x < N] up{x++;} -> P();\n#assert P() deadlockfree;\n"
    )
    with studio(folder) as client:
        wanted = {
            "name": "n.csp",
            "kind": "check",
            "question": 0,
            "sweep": {"constant": "N", "values": "1..3, 5"},
        }
        done = ended(client, asked(client, "POST", "/api/jobs", wanted)["id"])
        rows = done["answer"]["rows"]
        assert [(row["value"], row["states"], row["verdict"]) for row in rows] == [
            (value, int(value) + 1, "violated") for value in ("1", "2", "3", "5")
        ]
        assert "<svg" in done["answer"]["svg"] and verdicts(client, "n.csp") == []
        wanted["sweep"] = {"constant": "M", "values": "1"}
        done = ended(client, asked(client, "POST", "/api/jobs", wanted)["id"])
        assert done["stage"] == "refused" and "M" in done["message"]


@pytest.mark.parametrize("values", ["", "x", "5..1", "1..", f"0..{MOST_VALUES}", "1,,2", "9" * 30])
def test_values_that_make_no_sweep(values: str) -> None:
    with pytest.raises(Refused):
        values_of({"constant": "N", "values": values})


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "session"},
        {"kind": "simulate"},
        {"kind": "x"},
        {"kind": None},
        {"kind": "check", "name": "none.csp"},
        {"kind": "check", "name": None},
        {"kind": "check", "question": 7},
        {"kind": "check", "question": True},
        {"kind": "check", "question": 0, "text": "P() deadlockfree"},
        {"kind": "check", "fairness": "nonsense"},
        {"kind": "check", "fairness": 3},
        {"kind": "check", "fair": "x" * 20_000},
        {"kind": "check", "sweep": 4},
        {"kind": "graph", "replay": {"basis": "x"}},
    ],
)
def test_jobs_that_make_no_sense_are_refused(folder: Path, wrong: dict[str, Any]) -> None:
    with studio(folder) as client:
        answer = client.post("/api/jobs", json={"name": "m.csp", **wrong})
        assert 400 <= answer.status_code < 500 and answer.json()["message"]
        assert asked(client, "GET", "/api/jobs")["jobs"] == []


def test_python_runs_only_if_it_was_allowed(folder: Path) -> None:
    """Files must have been named when the studio was started; they are not run for models without them."""
    (folder / "lib.py").write_text(LIBRARY)
    model = '#import "lib";\nvar x = 1;\nP() = [x < 9] a{x = call(twice, x);} -> P();\n'
    model += "#assert P() deadlockfree;\n"
    (folder / "p.csp").write_text(model)
    with studio(folder) as client:
        done = ended(client, asked(client, "POST", "/api/jobs", {"name": "p.csp", "kind": "check"})["id"])
        assert done["stage"] == "refused" and "has not been allowed" in done["message"]
        given = {"name": "p.csp", "kind": "check", "python": [str(folder / "lib.py")]}
        assert ended(client, asked(client, "POST", "/api/jobs", given)["id"])["stage"] == "refused"
        assert not (folder / "ran").exists()
    with studio(folder, python=((folder / "lib.py").resolve(),)) as client:
        check(client, question=1)
        assert not (folder / "ran").exists()
        done = ended(client, asked(client, "POST", "/api/jobs", {"name": "p.csp", "kind": "check"})["id"])
        assert done["stage"] == "done" and (folder / "ran").exists()
