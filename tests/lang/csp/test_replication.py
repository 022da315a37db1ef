"""Copies of a process: any number of them, numbers chosen from outside, and many of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, InputError
from fairlead.base.source import Source
from fairlead.lang.csp.elaborate.positions import PositionTable
from fairlead.lang.csp.model import CspModel
from fairlead.lang.registry import load_text
from fairlead.lang.replication import Number, parse_process_numbers, read_number
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Leaf, Parallel, Sequel, Tree, Unbounded
from fairlead.reduce.tools import ReducingTools
from tests.support.asking.vocabulary import complaint, vocabulary

PROCESSES = """
Reader() = read -> Reader();
Writer(i) = write.i -> Writer(i);
Pair() = Reader() ||| Writer(0);
"""


def model(system: str, **processes: str) -> CspModel:
    return CspModel(Source("model.csp", f"{PROCESSES}System() = {system};"), {}, processes=processes)


def tree(system: str, **processes: str) -> Tree:
    network = model(system, **processes).system("System()")
    return network.behaviour.compose(network.root, network.name, network.initial_values[0])


def components(system: str, **processes: str) -> list[str]:
    """The components of an interleaving; any number of them as `name from least: process`."""
    found = tree(system, **processes)
    if isinstance(found, Leaf):
        return [found.process]
    assert isinstance(found, Parallel) and found.alphabets is None
    shown = []
    for part in found.components:
        assert isinstance(part, Leaf | Unbounded)
        if isinstance(part, Unbounded):
            shown.append(f"{part.name} from {part.least}: {part.leaf.process}")
        else:
            shown.append(part.process)
    return shown


def problem(action: Callable[[], object]) -> Diagnostic:
    with pytest.raises(FairleadError) as caught:
        action()
    (found,) = caught.value.diagnostics
    return found


# ---------------------------------------------------------------- any number


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("||| {..} @ Reader()", ["Reader from 1: Reader()"]),
        ("||| {..} @ Writer(3)", ["Writer from 1: Writer(3)"]),
        ("||| {..} @ (read -> Stop)", ["read -> Stop from 1: read -> Stop 5:24"]),
        (
            "Writer(1) ||| (||| {..} @ Reader()) ||| (||| {..} @ Writer(2))",
            ["Writer(1)", "Reader from 1: Reader()", "Writer from 1: Writer(2)"],
        ),
        ("Reader() ||| (||| {..} @ Reader())", ["Reader()", "Reader from 1: Reader()#2"]),
    ],
)
def test_any_number_is_a_component_of_the_interleaving(system: str, expected: list[str]) -> None:
    assert components(system) == expected


def test_any_number_behind_other_operators_is_an_interleaving_by_itself() -> None:
    before = tree("(||| {..} @ Reader()); Writer(0)")
    assert isinstance(before, Sequel)
    beside = tree("(||| {..} @ Reader()) || Writer(0)")
    assert isinstance(beside, Parallel) and beside.alphabets == (
        frozenset({"read"}),
        frozenset({"write.0"}),
    )
    for part in (before.first, beside.components[0]):
        assert isinstance(part, Parallel)
        assert [type(component) for component in part.components] == [Unbounded]


def test_compositions_are_refused() -> None:
    found = problem(lambda: tree("||| {..} @ Pair()"))
    assert found.code is Code.COUNTERS and found.span is not None and found.span.text == "Pair()"
    assert "each is a composition" in found.message


def test_loading_needs_no_number_but_steps_do() -> None:
    text = f"{PROCESSES}System() = ||| {{..}} @ Reader();\n#assert System() |= []<> read;"
    loaded = CspModel(Source("model.csp", text), {})
    (assertion,) = loaded.assertions
    loaded.vocabulary(assertion)
    system = NetworkSystem(loaded.system("System()"))
    found = problem(lambda: [list(system.steps(state)) for state in system.initial_states()])
    assert (found.code, found.message) == (Code.COUNTERS, "there are unboundedly many processes 'Reader'")


def test_no_formula_names_one_of_any_number() -> None:
    names = vocabulary(model("Writer(1) ||| (||| {..} @ Reader())"), "System()")
    assert "no formula can name one" in complaint(names, "Reader()")
    assert names.subject("Writer(1)", None).processes == {"Writer(1)"}
    names = vocabulary(model("Reader() ||| (||| {..} @ Reader())"), "System()")
    assert names.subject("Reader()", None).processes == {"Reader()"}


# ---------------------------------------------------------------- chosen numbers


@pytest.mark.parametrize(
    ("system", "number", "expected"),
    [
        ("||| {5} @ Reader()", "2", ["Reader()", "Reader()#2"]),
        ("||| {0} @ Reader()", "2", ["Reader()", "Reader()#2"]),
        ("||| {..} @ Reader()", "2", ["Reader()", "Reader()#2"]),
        ("||| x:{1..5} @ Reader()", "2", ["Reader()", "Reader()#2"]),
        ("||| x:{1, 7} @ Reader()", "1", ["Reader()"]),
        ("||| {5} @ Reader()", "inf", ["Reader from 1: Reader()"]),
        ("||| x:{1..5} @ Reader()", "3..inf", ["Reader from 3: Reader()"]),
        ("||| {..} @ Reader()", "4 .. inf", ["Reader from 4: Reader()"]),
        ("Reader() ||| (||| {5} @ Reader())", "1", ["Reader()", "Reader()#2"]),
        (
            "(||| {..} @ Reader()) ||| (||| x:{1..9} @ Writer(x)) ||| (||| {3} @ Reader())",
            "1",
            ["Reader()", *(f"Writer({number})" for number in range(1, 10)), "Reader()#2"],
        ),
    ],
)
def test_a_chosen_number_replaces_the_one_in_the_text(system: str, number: str, expected: list[str]) -> None:
    assert components(system, Reader=number) == expected


def test_copies_that_differ_take_the_first_values() -> None:
    assert components("||| x:{3..9} @ Writer(x)", Writer="2") == ["Writer(3)", "Writer(4)"]
    assert components("||| x:{7, 5, 6} @ Writer(x)", Writer="2") == ["Writer(7)", "Writer(5)"]
    assert components("||| x:{7, 5} @ Writer(x)", Writer="2") == ["Writer(7)", "Writer(5)"]


def test_alphabets_are_those_of_the_copies_there_are() -> None:
    found = tree("(||| x:{3..9} @ Writer(x)) || (write.3 -> write.9 -> Stop)", Writer="2")
    assert isinstance(found, Parallel)
    assert found.alphabets == (frozenset({"write.3", "write.4"}), frozenset({"write.3", "write.9"}))


def test_copies_of_a_composition_can_have_a_chosen_number() -> None:
    assert components("||| {9} @ Pair()", Pair="2") == ["Reader()", "Writer(0)", "Reader()#2", "Writer(0)#2"]


@pytest.mark.parametrize(
    ("number", "code", "place", "message"),
    [
        ("3", Code.USAGE, "x:{1..2}", "there are 2 values of 'x' for 3 processes 'Writer'"),
        ("inf", Code.COUNTERS, "Writer(x)", "any number of processes 'Writer': they differ in 'x'"),
    ],
)
def test_copies_that_differ_are_as_many_as_their_index_has_values(
    number: str, code: Code, place: str, message: str
) -> None:
    found = problem(lambda: tree("||| x:{1..2} @ Writer(x)", Writer=number))
    assert found.code is code and message in found.message
    assert found.span is not None and found.span.text == place


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("||| {2} @ Reader()", "Writer"),
        ("Reader() ||| Reader()", "Reader"),
        ("|| x:{1..2} @ Reader()", "Reader"),
        ("||| x:{1..2}; y:{1..2} @ Reader()", "Reader"),
        ("||| {2} @ (Reader() ||| Writer(1))", "Reader"),
    ],
)
def test_a_number_of_what_is_not_replicated_is_refused(system: str, name: str) -> None:
    found = problem(lambda: model(system, **{name: "2"}))
    assert found.code is Code.USAGE
    assert found.message == f"--processes {name}=…: the model has no copies of a process '{name}'"


def test_a_name_that_is_nearly_right_is_pointed_out() -> None:
    assert problem(lambda: model("||| {2} @ Reader()", Reder="2")).hint == "did you mean 'Reader'?"


@pytest.mark.parametrize("suffix", [".lts", ".aut", ".json"])
def test_only_one_language_has_copies(suffix: str) -> None:
    def load() -> None:
        load_text("P = (a -> P).", f"model{suffix}", suffix, {}, (), ReducingTools, processes={"P": "2"})

    found = problem(load)
    assert (found.code, found.message) == (
        Code.USAGE,
        "--processes: only CSP# models have replicated processes",
    )


# ---------------------------------------------------------------- the text of numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5", Number(5, False)),
        ("inf", Number(1, True)),
        ("1..inf", Number(1, True)),
        (" 12 ..inf ", Number(12, True)),
    ],
)
def test_numbers_are_read(text: str, number: Number) -> None:
    assert read_number("Reader", text) == number


@pytest.mark.parametrize(
    "text", ["", "x", "0", "-1", "0..inf", "1..5", "inf..3", "5inf", "1.5", "infinity", "9" * 5000]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    found = problem(lambda: read_number("Reader", text))
    assert found.code is Code.USAGE
    assert found.message.startswith(f"--processes Reader={text}: ")


def test_numbers_of_several_processes_are_told_apart() -> None:
    assert parse_process_numbers("Reader=inf, Writer = 5,W=3..inf") == {
        "Reader": "inf",
        "Writer": "5",
        "W": "3..inf",
    }


@pytest.mark.parametrize("text", ["", "Reader", "=3", "Reader=3,", "Reader=3,Reader=4", "Reader=x"])
def test_a_list_of_numbers_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_process_numbers(text)
    assert caught.value.diagnostics[0].code is Code.USAGE


# ---------------------------------------------------------------- many copies


@pytest.mark.parametrize("system", ["||| {3000} @ Reader()", "||| x:{1..3000} @ Reader()"])
def test_copies_that_do_not_differ_are_elaborated_once(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[int] = []
    local_state = PositionTable.local_state
    monkeypatch.setattr(
        PositionTable, "local_state", lambda table, frames: met.append(1) or local_state(table, frames)
    )
    names = components(system)
    assert len(met) < 10
    assert (len(names), names[0], names[-1]) == (3000, "Reader()", "Reader()#3000")


def test_there_is_a_limit_to_copies() -> None:
    found = problem(lambda: tree("||| {..} @ Reader()", Reader="99999999"))
    assert (found.code, found.message) == (Code.LIMIT, "more than 1048576 copies of a process")
