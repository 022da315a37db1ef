"""What names of FSP mean in formulas that are not in its notation."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import Code, InputError
from fairlead.lang.language import Vocabulary
from fairlead.model.assertion import AtomText, Satisfies
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.meaning import meaning_holds
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from tests.support.asking.vocabulary import complaint, loaded, named, shown, vocabulary

READERS = """
const N = 2
range R = 1..N
set Moves = {acquire, release}
fluent READING[i:R] = <reader[i].acquire, reader[i].release>
fluent OPEN = <open, close> initially 1
fluent DOOR[d:{front, back}] = <d.open, d.close>
fluent NEVER = <never, ever>
READER = (acquire -> release -> READER).
DOOR(K=1) = (open[K] -> shut -> DOOR).
GATE = (open -> close -> GATE).
IDLE = (wait -> IDLE).
||LOCK = ({reader[R]}::READER || GATE).
||S = (reader[i:R]:READER || DOOR(2) || GATE || GATE || {x,y}::IDLE || z::IDLE).
assert FAIR = []<>reader[1].acquire
"""


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("reader[1]:READER", "process reader.1:READER"),
        ("reader.1:READER", "process reader.1:READER"),
        ("reader[ N ] : READER", "process reader.2:READER"),
        ("reader[1..2]:READER", "process reader.1:READER,reader.2:READER"),
        ("reader[R]:READER", "process reader.1:READER,reader.2:READER"),
        ("reader[2..9]:READER", "process reader.2:READER"),
        ("process DOOR( N )", "process DOOR(2)"),
        ("GATE#1", "process GATE"),
        ("GATE#2", "process GATE#2"),
        ("{x,y}::IDLE", "process {x,y}::IDLE"),
        ("{x, y}::IDLE", "process {x,y}::IDLE"),
        ("z::IDLE", "process z::IDLE"),
        ("open", "event open"),
        ("event open", "event open"),
        ("reader[1].acquire", "event reader.1.acquire"),
        ("reader.1.acquire", "event reader.1.acquire"),
        ('"reader[N].acquire"', "event reader.2.acquire"),
        ("reader[1..2].acquire", "event reader.1.acquire,reader.2.acquire"),
        ("reader[R].Moves", "event reader.1.acquire,reader.1.release,reader.2.acquire,reader.2.release"),
        ("{open, close}", "event close,open"),
    ],
)
def test_subjects(text: str, meaning: str) -> None:
    model = loaded(READERS, "lts")
    assert shown(vocabulary(model, "S").subject(text, None)) == meaning
    assert not model.warnings


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "READER",
            "unknown-name: no process of ||S is called 'READER' (its processes are reader.1:",
        ),
        ("S", "unknown-name: no process of ||S is called 'S'"),
        ("DOOR", "unknown-name: no process of ||S is called 'DOOR'"),
        ("reader[3]:READER", "unknown-name: no process of ||S is called 'reader[3]:READER'"),
        ("GATE#3", "unknown-name: no process of ||S is called 'GATE#3'"),
        ("process open", "unknown-name: no process of ||S is called 'open'"),
        (
            "GTAE",
            "unknown-name: 'GTAE' is neither a process nor an event of the model (did you mean",
        ),
        ("OPEN", "type: 'OPEN' is a fluent, not a process or an action"),
        ("FAIR", "unknown-name: 'FAIR' is neither a process nor an event of the model"),
        ("open ->", "syntax: "),
        ("!open", "formula: '!open' is neither an action nor a fluent"),
        ("reader[M].acquire", "unknown-name: "),
    ],
)
def test_subjects_that_are_none(text: str, problem: str) -> None:
    assert complaint(vocabulary(loaded(READERS, "lts"), "S"), text).startswith(problem)


def test_copies_of_a_process_are_processes_of_their_own() -> None:
    model = loaded(READERS, "lts")
    assert shown(vocabulary(model, "S").subject("GATE", None)) == "process GATE"
    (warning,) = model.warnings
    assert (warning.code, warning.message) == (
        Code.NAME_CLASH,
        "2 processes are called 'GATE': this is the first of them",
    )


def test_processes_of_other_targets() -> None:
    model = loaded(READERS, "lts")
    assert shown(vocabulary(model, "LOCK").subject("{reader[R]}::READER", None)) == (
        "process {reader.1,reader.2}::READER"
    )
    assert shown(vocabulary(model, "READER").subject("READER", None)) == "process READER"
    assert shown(vocabulary(model, "DOOR(3)").subject("DOOR(3)", None)) == "process DOOR(3)"
    everything = loaded("P = (a -> P). Q = (b -> Q).", "lts")
    assert shown(vocabulary(everything).subject("Q", None)) == "process Q"


def test_steps_have_the_processes_that_subjects_name() -> None:
    names = vocabulary(loaded(READERS, "lts"), "S")
    assert isinstance(names.system, Network)
    system = NetworkSystem(names.system)
    (start,) = system.initial_states()
    owners = {process for step in system.steps(start) for process in step.processes}
    assert len(owners) == 7
    for owner in owners:
        assert shown(names.subject(owner, None)) == f"process {owner}"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("open", "event open"),
        ("reader.1.acquire", "event reader.1.acquire"),
        ("reader.(3-1).acquire", "event reader.2.acquire"),
        ('"reader[1].acquire"', "event reader.1.acquire"),
        ('"reader[i:1..2].acquire"', "event reader.1.acquire,reader.2.acquire"),
        ('"{open,close}"', "event close,open"),
        ('"reader[1].Moves"', "event reader.1.acquire,reader.1.release"),
    ],
)
def test_actions_in_formulas(text: str, meaning: str) -> None:
    model = loaded(READERS, "lts")
    assert shown(vocabulary(model, "S").meaning(named(text))) == meaning
    assert not model.warnings


@pytest.mark.parametrize("text", ["opne", "reader.7.acquire", "Moves"])
def test_actions_that_never_happen(text: str) -> None:
    model = loaded(READERS, "lts")
    for ask in (lambda names: names.meaning(named(text)), lambda names: names.subject(text, None)):
        ask(vocabulary(model, "S"))
        warning = model.warnings.pop()
        assert warning.code is Code.NO_EFFECT
        assert warning.message.startswith("no process of ||S has the action ")
        assert warning.message.endswith(": it never happens")
        assert not model.warnings


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("WRITING", "'WRITING' is neither a fluent nor a set of actions"),
        ("FAIR", "'FAIR' is neither a fluent nor a set of actions"),
        ("READING", "fluent 'READING' has 1 indices"),
        ("READING.3", "there is no fluent 'READING.3'"),
        ('"READING[1] && OPEN"', "is neither an action nor a fluent"),
    ],
)
def test_names_that_mean_nothing(text: str, problem: str) -> None:
    names = vocabulary(loaded(READERS, "lts"), "S", [text])
    with pytest.raises(InputError, match=problem) as caught:
        names.meaning(named(text))
    assert caught.value.diagnostics[0].span == named(text).span


def test_states_cannot_be_compared() -> None:
    names = vocabulary(loaded(READERS, "lts"), "S")
    with pytest.raises(InputError, match="no variables that could be compared"):
        names.meaning(AtomText("x == 1", False, True))


# ---------------------------------------------------------------- fluents


def values_after(names: Vocabulary, text: str, actions: list[str]) -> list[bool]:
    """The truth of a name at the start and after each of some actions."""
    assert isinstance(names.system, Network)
    system = NetworkSystem(names.system)
    meaning = names.meaning(named(text))
    (state,) = system.initial_states()
    at: State = state
    found = [meaning_holds(system, meaning, at, None)]
    for action in actions:
        step = next(step for step in system.steps(at) if step.event == action)
        at = step.target
        found.append(meaning_holds(system, meaning, at, step))
    return found


WALK = ["reader.1.acquire", "reader.2.acquire", "reader.1.release", "open", "reader.2.release", "close"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("OPEN", "1111110"),
        ("READING.1", "0110000"),
        ("READING.N", "0011100"),
        ('"READING[2]"', "0011100"),
        ("READING.(1+1)", "0011100"),
        ('"READING[1..2]"', "0111100"),
        ('"READING[R]"', "0111100"),
        ("NEVER", "0000000"),
    ],
)
def test_fluents_are_part_of_the_state(text: str, values: str) -> None:
    model = loaded(READERS, "lts")
    names = vocabulary(model, "S", [f"AG (EF {text} -> AF open)"])
    assert values_after(names, text, WALK) == [value == "1" for value in values]


def watched(system: Network | ExplicitGraph | None) -> list[str]:
    assert isinstance(system, Network)
    return [variable.name for variable in system.variables]


@pytest.mark.parametrize(
    ("text", "fluents"),
    [
        ("AG open", []),
        ("AG OPEN", ["OPEN"]),
        ("A[READING.2 U OPEN]", ["READING.2", "OPEN"]),
        ("E[OPEN U E[READING.1 U open]]", ["OPEN", "READING.1"]),
        ('AG !"READING[1]" && AF READING . 2', ["READING.1", "READING.2"]),
        ("AG DOOR.back", ["DOOR.back"]),
        ('AG "DOOR[{back}]"', ["DOOR.back"]),
        ("AG READING /* which? */ . 1", ["READING.1", "READING.2"]),
        ("AG READING", ["READING.1", "READING.2"]),
        ("AG OPENED", []),
        ("AG open.OPEN", ["OPEN"]),
    ],
)
def test_the_system_of_a_branching_question_has_its_fluents(text: str, fluents: list[str]) -> None:
    model = loaded(READERS, "lts")
    question = model.branching(text, "S", True)
    assert watched(question.system) == fluents
    assert (question.process, question.text) == ("||S", f"||S |= {text}")
    assert question.finite_paths and question.meanings is None
    assert model.vocabulary(question).system is question.system


def test_without_fluents_the_system_is_the_plain_one() -> None:
    model = loaded(READERS, "lts")
    assert model.branching("AG open", "S", False).system is model.system("S")


def test_fluents_of_a_fairness_formula_come_after_those_of_the_question() -> None:
    model = loaded(READERS, "lts")
    question = model.formula("[](READING[2] -> <>OPEN)", "S")
    assert isinstance(question, Satisfies) and question.meanings is not None
    assert watched(question.system) == ["READING.2", "OPEN"]
    names = model.vocabulary(question, ["GF READING.1 && FG !OPEN"])
    assert watched(names.system) == ["READING.2", "OPEN", "READING.1"]
    # the meanings that the question brings along hold in the larger system too
    assert names.meaning(named("READING.2")) == question.meanings["READING.2"]
    assert names.meaning(named("OPEN")) == question.meanings["OPEN"]
    assert values_after(names, "READING.1", WALK)[1]
    assert model.vocabulary(question).system is question.system


def test_progress_has_names_too() -> None:
    model = loaded("P = (a -> P | b -> P). fluent A = <a, b> progress X = {a}", "lts")
    question = model.assertion("P progress X")
    names = model.vocabulary(question, ["GF A"])
    assert watched(names.system) == ["A"]
    assert shown(names.subject("P", None)) == "process P"
