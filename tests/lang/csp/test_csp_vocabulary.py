"""What names in formulas about a CSP# process mean, those in `enabled( )` and `executed( )` above all."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import Code, Diagnostic
from fairlead.lang.language import LoadedModel
from fairlead.model.assertion import FormulaText
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition
from tests.support.asking.vocabulary import complaint, loaded, named, shown, vocabulary

PHILOSOPHERS = """
#define N 3;
#define safe x == 0;
var x = 0;
channel c 1;
channel d 0;
Phil(i) = get.i -> eat.i{x = 1 - x;} -> Phil(i);
Sender() = c!1 -> d!2 -> Sender();
Receiver() = c?v -> d?w -> Receiver();
Unused() = get.7 -> Unused();
done() = finish -> Skip;
Twice() = Phil(0) ||| Phil(0) ||| Phil(1);
System() = (||| i:{0..N-1} @ Phil(i)) ||| Sender() ||| Receiver() ||| done();
Later() = start -> (Phil(0) ||| Phil(x));
#assert System() deadlockfree;
"""


def about_names(model: LoadedModel) -> list[Diagnostic]:
    """The warnings but those about processes that nobody starts."""
    return [warning for warning in model.warnings if warning.code is not Code.UNUSED]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Phil(0)", "process Phil(0)"),
        (" Phil ( 1+1 ) ", "process Phil(2)"),
        ("Phil(N-1)", "process Phil(2)"),
        ("Phil(0)#1", "process Phil(0)"),
        ("Sender", "process Sender()"),
        ("Sender()", "process Sender()"),
        ("process Sender", "process Sender()"),
        ("done", "process done()"),
        ('process "Phil(1)"', "process Phil(1)"),
        ("eat.0", "event eat.0"),
        ("eat.(N-1)", "event eat.2"),
        ("event eat.1", "event eat.1"),
        ('"c!1"', "event c!1"),
        ("c?1", "event c?1"),
        ("d.2", "event d.2"),
        ("terminate", "event terminate"),
    ],
)
def test_subjects(text: str, meaning: str) -> None:
    model = loaded(PHILOSOPHERS, "csp")
    assert shown(vocabulary(model).subject(text, None)) == meaning
    assert not about_names(model)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Phill(0)", "unknown-name: 'Phill(0)' is neither a process nor an event of the model"),
        (
            "Sendr",
            "unknown-name: 'Sendr' is neither a process nor an event of the model (did you mean 'Sender'?)",
        ),
        (
            "eatt.0",
            "unknown-name: 'eatt' is neither a process nor an event of the model (did you mean 'eat'?)",
        ),
        (
            "safe",
            "'safe' is neither a process nor an event of the model ('safe' is a proposition or a constant)",
        ),
        (
            "c",
            """'c' is neither a process nor an event of the model (what happens on a channel is written in""",
        ),
        ("c.1", "'c' is neither a process nor an event of the model (what happens on a channel"),
        ("eat", "arity: event 'eat' has 1 arguments in the model, 0 given"),
        ("Phil", "arity: process 'Phil' takes 1 argument, 0 given (for example 'Phil(0)')"),
        ("Sender(1)", "arity: process 'Sender' takes 0 arguments, 1 given (for example 'Sender()')"),
        ("Phil(x)", "unknown-name: no process of System() is called 'Phil(x)'"),
        ("Phil(y)", "unknown-name: "),
        ("Phil(0", "'Phil(0' is neither a process nor an event of the model"),
        ("Phil(,)", "formula: 'Phil(,)' is not a process"),
        (
            "System",
            "no process of System() is called 'System()' (its processes are Phil(0), Phil(1), Phil(2), Se",
        ),
        (
            "Phil(3)",
            "unknown-name: no process of System() is called 'Phil(3)' (its processes are Phil(0), Phil(1)",
        ),
        ("Unused()", "no process of System() is called 'Unused()'"),
        ("Phil(0)#2", "no process of System() is called 'Phil(0)#2'"),
        ("process eat.0", "no process of System() is called 'eat.0'"),
        ("event Sender", "'Sender' is neither a process nor an event of the model"),
    ],
)
def test_subjects_that_are_none(text: str, problem: str) -> None:
    assert problem in complaint(vocabulary(loaded(PHILOSOPHERS, "csp")), text)


def test_copies_of_a_process_are_processes_of_their_own() -> None:
    model = loaded(PHILOSOPHERS, "csp")
    names = vocabulary(model, "Twice()")
    assert shown(names.subject("Phil(0)#2", None)) == "process Phil(0)#2"
    assert shown(names.subject("Phil(0)#1", None)) == "process Phil(0)"
    assert shown(names.subject("Phil(1)", None)) == "process Phil(1)"
    assert not about_names(model)
    assert shown(names.subject("Phil(0)", None)) == "process Phil(0)"
    (warning,) = about_names(model)
    assert warning.message == "2 processes are called 'Phil(0)': this is the first of them"
    assert warning.hint == "write 'Phil(0)#1' if it is meant; the others are Phil(0)#2"


def test_the_process_asked_about_may_be_the_only_one() -> None:
    names = vocabulary(loaded(PHILOSOPHERS, "csp"), "Phil(1+1)")
    for text in ("Phil(2)", "Phil(1+1)", "Phil(N-1)"):
        assert shown(names.subject(text, None)) == "process Phil(1+1),Phil(2)"
    assert "(its processes are Phil(1+1))" in complaint(names, "Phil(1)")


def test_processes_that_are_created_later_can_be_named() -> None:
    names = vocabulary(loaded(PHILOSOPHERS, "csp"), "Later()")
    assert shown(names.subject("Later", None)) == "process Later()"
    assert shown(names.subject("Phil(0)", None)) == "process Phil(0)"
    assert shown(names.subject("Phil( x )", None)) == "process Phil(x)"
    assert "no process of Later() is called 'Sender()'" in complaint(names, "Sender")


def test_arguments_that_are_no_constants_are_named_as_they_were_written() -> None:
    model = loaded("var x; P(i) = a.i -> P(i); System() = ||| i:{0..1} @ P(x + i);", "csp")
    names = vocabulary(model, "System()")
    assert shown(names.subject("P(x+i)", None)) == "process P(x + i)"
    assert shown(names.subject("P(x + i)#2", None)) == "process P(x + i)#2"
    assert complaint(names, "P(x + j)") == ("unknown-name: unknown name 'j' (declare it, as in 'var j = 0;')")


def test_components_that_are_no_calls_can_be_named_by_their_text() -> None:
    model = loaded("P() = a -> P(); System() = P() ||| (b -> Skip);", "csp")
    names = vocabulary(model, "System()")
    assert isinstance(names.system, Network)
    system = NetworkSystem(names.system)
    (start,) = system.initial_states()
    (owner,) = next(step.processes for step in system.steps(start) if step.event == "b")
    assert shown(names.subject(f'"{owner}"', None)) == f"process {owner}"


def test_steps_have_the_processes_that_subjects_name() -> None:
    """Whatever takes part in a step of the systems above can be named, and means itself."""
    model = loaded(PHILOSOPHERS, "csp")
    for process in ("System()", "Twice()", "Later()"):
        names = vocabulary(model, process)
        assert isinstance(names.system, Network)
        system = NetworkSystem(names.system)
        pending = list(system.initial_states())
        seen = set(pending)
        owners = set()
        while pending:
            for step in system.steps(pending.pop()):
                owners |= step.processes
                if step.target not in seen:
                    seen.add(step.target)
                    pending.append(step.target)
        assert len(owners) >= 3
        for owner in owners:
            assert shown(names.subject(owner, None)) == f"process {owner}"


def test_names_in_formulas() -> None:
    names = vocabulary(loaded(PHILOSOPHERS, "csp"))
    assert shown(names.meaning(named("eat.0"))) == "event eat.0"
    assert shown(names.meaning(named('"c!1"'))) == "event c!1"
    proposition = names.meaning(named("safe"))
    assert isinstance(proposition, Proposition) and proposition.text == "safe"


def test_branching_questions() -> None:
    model = loaded(PHILOSOPHERS, "csp")
    question = model.branching(" AG\n  safe", None, True)
    assert (question.process, question.text, question.finite_paths) == (
        "System()",
        "System() |= AG safe",
        True,
    )
    assert isinstance(question.formula, FormulaText) and question.formula.text == " AG\n  safe"
    assert question.system is None and question.meanings is None
    assert model.vocabulary(question).system is model.system(None)
    assert model.branching("AG safe", "Phil(1)", False).text == "Phil(1) |= AG safe"
