"""What each tool answers, and that it is what the commands answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run
from fairlead.present.explain import Kind
from fairlead.service.manual import examples, pages
from tests.support.mcp.agent import Agent, agent, words
from tests.support.places import DOCS, EXAMPLES

LAMP = """\
var on = false;
Lamp() = [!on] switch{on = true;} -> Lamp() [] [on] off{on = false;} -> Lamp() [] hum -> Lamp();
#assert Lamp() deadlockfree;
#assert Lamp() |= []<> switch;
"""


@pytest.fixture(scope="module", autouse=True)
def lamp(folder: Path) -> Path:
    (folder / "lamp.csp").write_text(LAMP)
    shutil.copy(EXAMPLES / "mutual_exclusion" / "peterson.csp", folder)
    return folder / "lamp.csp"


#: what differs from run to run
VARYING = ("seconds", "memory_bytes")


def without_times(record: Any) -> Any:
    if isinstance(record, dict):
        return {name: without_times(value) for name, value in record.items() if name not in VARYING}
    return [without_times(one) for one in record] if isinstance(record, list) else record


def test_the_tools_say_what_they_take(asked: Agent) -> None:
    tools = asked.do(asked.client.list_tools()).tools
    assert {tool.name for tool in tools} == {
        "check", "advise", "diagnose", "simulate", "explain", "manual", "examples",
    }  # fmt: skip
    for tool in tools:
        assert tool.title and tool.description and tool.description.endswith(".")
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None and tool.annotations.read_only_hint
    assert "model checker" in (asked.client.instructions or "")


def test_clients_of_the_older_protocol_are_answered(folder: Path) -> None:
    with agent(folder, mode="legacy") as old:
        assert old.client.protocol_version < "2026"
        assert "holds" in old.text("check", file="lamp.csp", assertions=["1"])


# ---------------------------------------------------------------- check


@pytest.mark.parametrize("fairness", [None, "sgf"])
def test_check_answers_what_the_command_answers(
    asked: Agent,
    folder: Path,
    fairness: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    options = [] if fairness is None else ["--fairness", fairness]
    assert run(["check", "lamp.csp", "--json", *options]) in (0, 1)
    expected = json.loads(capsys.readouterr().out)
    given = {} if fairness is None else {"fairness": fairness}
    found = asked.call("check", file="lamp.csp", evidence=True, **given).structured_content
    assert without_times(found) == without_times(expected)


def test_runs_are_in_the_text_and_if_wanted_in_the_record(asked: Agent) -> None:
    answer = asked.call("check", file="lamp.csp", assertions=["2"])
    (result,) = answer.structured_content["results"]
    assert result["verdict"] == "violated" and "evidence" not in result
    assert "loop (repeats for ever):" in words(answer) and "hum" in words(answer)
    assert not answer.is_error


def test_a_model_is_given_as_text_in_each_language(asked: Agent) -> None:
    assert "holds" in asked.text("check", text=LAMP, assertions=["Lamp() deadlockfree"])
    assert "P" in asked.text("check", text="P = (a -> P | b -> STOP).\n", language="lts")
    aut = 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'
    assert "holds" in asked.text("check", text=aut, language="aut", assertions=["system deadlockfree"])


def test_constants_have_other_values(asked: Agent) -> None:
    counted = []
    for size in ("2", "3"):
        answer = asked.call("check", file="peterson.csp", definitions={"N": size}, assertions=["1"])
        counted.append(answer.structured_content["results"][0]["states"])
    assert counted[0] < counted[1]


def test_a_text_can_include_files_of_the_folder(asked: Agent, folder: Path) -> None:
    text = '#include "lamp.csp";\n#assert Lamp() |= []<> off;\n'
    assert asked.text("check", text=text).count("[none]") == 3


def test_one_wrong_assertion_leaves_the_others(asked: Agent) -> None:
    answer = asked.call("check", file="lamp.csp", assertions=["Lamp() |= []<> of", "1"])
    assert "error[unknown-name]" in words(answer) and "hint: did you mean 'off'?" in words(answer)
    assert "Lamp() deadlockfree  [none]  holds" in words(answer)
    assert not answer.is_error
    alone = asked.call("check", file="lamp.csp", assertions=["Lamp() |= []<> of"])
    assert alone.is_error


def test_a_limit_makes_a_verdict_unknown(asked: Agent) -> None:
    answer = asked.call("check", file="lamp.csp", assertions=["1"], max_states=1)
    assert answer.structured_content["results"][0]["verdict"] == "unknown" and not answer.is_error


# ---------------------------------------------------------------- advise, diagnose, simulate


def test_advice_says_which_fairness_and_a_check_under_it_holds(asked: Agent) -> None:
    answer = asked.call("advise", file="lamp.csp", assertions=["2"])
    (advice,) = answer.structured_content["advice"]
    for needed in advice["sets"]:
        assert needed["formula"] in words(answer)
        under = asked.call("check", file="lamp.csp", assertions=["2"], fair=needed["formula"])
        assert under.structured_content["results"][0]["verdict"] == "holds"
    assert advice["sets"]


def test_problems_have_places_codes_and_hints(asked: Agent) -> None:
    answer = asked.call("diagnose", text="P() = a{y = 2;} -> Q();\n#assert P() deadlockfree;\n")
    codes = [problem["code"] for problem in answer.structured_content["problems"]]
    assert codes == ["unknown-name", "unknown-name"]
    assert "text1.csp:1:" in words(answer) and "  1 | P() = a{y = 2;} -> Q();" in words(answer)
    assert words(asked.call("diagnose", file="lamp.csp")) == "No problems."


def test_steps_lead_to_a_state(asked: Agent) -> None:
    answer = asked.call("simulate", file="lamp.csp", process="Lamp()", commands=["switch", "1"], trace=True)
    assert [step["event"] for step in answer.structured_content["steps"]] == ["switch", "off"]
    assert "on = false" in words(answer)
    assert "steps" not in asked.call("simulate", file="lamp.csp", process="Lamp()").structured_content


def test_it_is_said_why_an_event_is_not_enabled(asked: Agent) -> None:
    answer = asked.call("simulate", file="lamp.csp", process="Lamp()", why="off")
    assert answer.structured_content["why"]["event"] == "off"
    assert "[on] is false" in words(answer)


def test_a_command_that_makes_no_sense_is_refused(asked: Agent) -> None:
    answer = asked.call("simulate", file="lamp.csp", process="Lamp()", commands=["dance"])
    assert answer.is_error and "'dance' is neither a command nor an enabled event" in words(answer)


# ---------------------------------------------------------------- what is read


def test_each_topic_is_explained(asked: Agent) -> None:
    listed = asked.text("explain")
    for name in (name for kind in Kind for name in kind.names):
        assert f"- {name}: " in listed
    assert asked.text("explain", topic="error[syntax]") == asked.text("explain", topic="syntax")
    assert "did you mean 'esf'" in asked.text("explain", topic="esff")


def test_each_page_is_read_section_by_section(asked: Agent) -> None:
    listed = asked.text("manual")
    names = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    shown = {name for name in names if name.count("/") == 1}
    assert {line[2:].partition(":")[0] for line in listed.splitlines()[1:]} == shown
    assert asked.text("manual", page="verdicts").startswith("# Verdicts")
    long = asked.text("manual", page="reference/csp")
    assert "## Words and names" not in long and "- Channels" in long
    assert asked.text("manual", page="csp", section="`channels`").startswith("### Channels")
    assert asked.call("manual", page="csp", section="Chanels").is_error
    assert asked.call("manual", page="../README").is_error


def test_sections_make_up_their_pages() -> None:
    """Headings of one level, each with all below it, are the page from its first of them on."""
    for page in pages():
        level = "\n## "
        tops = [part.partition("\n")[0] for part in ("\n" + page.text).split(level)[1:]]
        # a heading inside a block is none
        found = [heading for heading in page.sections if heading in tops]
        if len(set(found)) == len(tops) == len(found):
            joined = "".join("".join(str(page.section(heading)).split()) for heading in found)
            assert "".join(page.text.split()).endswith(joined), page.name


def test_each_example_is_read_and_can_be_checked(asked: Agent) -> None:
    listed = asked.text("examples")
    for one in examples():
        assert f"- {one.name}" in listed
        assert (EXAMPLES / one.name).read_text(encoding="utf-8") == one.text
    text = asked.text("examples", name="peterson.csp")
    assert "holds" in asked.text("check", text=text, fairness="pwf")
    assert "did you mean" in asked.text("examples", name="petersen.csp")
