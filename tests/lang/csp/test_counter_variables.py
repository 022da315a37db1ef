"""Variables that count processes: `counter n = 0;`, and `counter` as the name that it may be elsewhere."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import InputError
from fairlead.base.source import Source
from fairlead.lang.csp.model import CspModel
from fairlead.model.network import Network, Variable
from fairlead.model.semantics import NetworkSystem
from fairlead.model.types import Type


def network(text: str) -> Network:
    return CspModel(Source("model.csp", text), {}).system("P()")


def variables(text: str) -> dict[str, Variable]:
    return {variable.name: variable for variable in network(text).variables}


def first_events(text: str) -> list[str]:
    system = NetworkSystem(network(text))
    (start,) = system.initial_states()
    return [step.event for step in system.steps(start)]


def complaint(text: str) -> tuple[str, str]:
    """The place that is complained about and what is said."""
    with pytest.raises(InputError) as caught:
        network(text)
    (problem,) = caught.value.diagnostics
    assert problem.span is not None
    return problem.span.text, problem.message


def test_a_counter_is_an_integer_variable_that_counts() -> None:
    found = variables(
        "#define N 2; var x = 1; counter n = 0; counter m:{0..N} = 1; counter z; P() = a -> P();"
    )
    assert [name for name, variable in found.items() if variable.is_counter] == ["n", "m", "z"]
    assert {variable.type for variable in found.values()} == {Type.INT}
    assert (found["m"].low, found["m"].high) == (0, 2)
    assert (found["n"].low, found["n"].size, found["n"].dimensions) == (None, 1, ())


def test_it_starts_and_changes_as_any_variable_does() -> None:
    system = NetworkSystem(network("counter n:{0..3} = 1; P() = [n < 2] up{n = n + 1;} -> P();"))
    (start,) = system.initial_states()
    (step,) = system.steps(start)
    assert (start.values, step.target.values) == ((1,), (2,))
    assert list(system.steps(step.target)) == []


@pytest.mark.parametrize(
    "text",
    [
        "P() = a -> Skip; counter n = 0; Q() = b -> Stop;",
        "P() = a -> Skip; ; counter n:{0..} = 0;",
        "counter n; P() = a -> Stop;",
        "counter counter = 0; P() = a{counter = counter + 1;} -> P();",
    ],
)
def test_a_declaration_is_found_wherever_one_may_stand(text: str) -> None:
    (found,) = variables(text).values()
    assert found.is_counter
    assert first_events(text) == ["a"]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("var counter = 0; P() = [counter == 0] a{counter++;} -> P();", ["a"]),
        ("var counter:{0..2}; P() = a{counter = counter + 1} -> P();", ["a"]),
        ("var counter[2]; P() = a{counter[0] = counter[1];} -> P();", ["a"]),
        ("P() = counter -> P();", ["counter"]),
        ("P() = counter.1 -> P() [] counter{} -> P();", ["counter.1", "counter"]),
        ("counter() = a -> counter(); P() = counter();", ["a"]),
        ("counter = a -> counter; P() = counter;", ["a"]),
        ("counter(i) = a.i -> counter(i); P() = counter(2);", ["a.2"]),
        ("P() = Skip; counter(); counter(i) = a -> Stop; counter2() = Skip; Q() = b -> Stop;", None),
        ("P() = Skip; counter; Q() = b -> Stop; counter() = a -> Stop;", ["a"]),
        ("#define counter 3; P() = a.counter -> P();", ["a.3"]),
        ("channel counter 1; P() = counter!1 -> P();", ["counter!1"]),
        ("P() = Q(2); Q(counter) = [counter < 3] a.counter -> Stop;", ["a.2"]),
    ],
)
def test_the_word_remains_a_name(text: str, events: list[str] | None) -> None:
    if events is None:
        assert complaint(text)[0] == "counter()"  # the process is called, with too few arguments
    else:
        assert first_events(text) == events
        assert not any(variable.is_counter for variable in network(text).variables)


@pytest.mark.parametrize(
    ("declaration", "place", "message"),
    [
        ("counter n[2];", "2", "one integer, not an array"),
        ("counter n = [1, 2];", "[1, 2]", "one integer, not an array"),
        ("counter n:{0..2} = *;", "*", "needs one initial value"),
        ("counter<Queue> n;", "n", "an integer, not a Queue"),
        ("counter n = true;", "true", "expected an integer"),
        ("counter n:{0..2} = 3;", "3", "outside {0..2}"),
        ("var n; counter n = 0;", "n", "declared twice"),
    ],
)
def test_what_cannot_count_is_refused(declaration: str, place: str, message: str) -> None:
    found, said = complaint(f"{declaration} P() = a -> P();")
    assert found == place
    assert message in said


def test_a_counter_takes_no_booleans() -> None:
    """Any other variable that is given both would hold both."""
    with pytest.raises(InputError, match="expected an integer"):
        first_events("counter n = 0; P() = a{n = true;} -> P();")


def test_a_missing_semicolon_before_a_counter_is_noticed() -> None:
    found, said = complaint("var x = 0 counter n = 0; P() = a -> P();")
    assert (found, said) == ("counter", "expected ';' after '0', found 'counter'")
