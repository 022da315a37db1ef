"""Every kind of question says everything about itself, and nobody else switches on the kind."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest

from fairlead.checker.kinds import all_kinds, kind_named, kind_of
from fairlead.checker.kinds.kind import Display, FairnessRole, FormulaRole, Kind, Reductions
from fairlead.checker.result import subject_of
from fairlead.model import assertion as questions
from fairlead.model.assertion import Assertion, DeadlockFree, SimpleAssertion

SOURCE = Path(__file__).parents[2] / "src" / "fairlead"
KINDS = {kind.type: kind for kind in all_kinds()}
TYPES = [
    found
    for found in vars(questions).values()
    if isinstance(found, type) and issubclass(found, Assertion) and found not in (Assertion, SimpleAssertion)
]


@pytest.mark.parametrize("asked", TYPES, ids=lambda asked: asked.__name__)
def test_every_question_has_a_kind(asked: type[Assertion]) -> None:
    assert kind_named(asked.kind).type is asked


def test_every_kind_has_a_question() -> None:
    assert set(KINDS) == set(TYPES)
    assert kind_of(DeadlockFree("P()", "P() deadlockfree")) is KINDS[DeadlockFree]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.type.__name__)
def test_no_field_is_missing(kind: Kind[Assertion]) -> None:
    for record, expected in (
        (kind, Kind),
        (kind.display, Display),
        (kind.fairness, FairnessRole),
        (kind.formula, FormulaRole),
        (kind.reductions, Reductions),
    ):
        assert isinstance(record, expected)
        for field in dataclasses.fields(record):
            assert hasattr(record, field.name), f"{kind.type.__name__} has no {field.name}"
    for needed in (kind.find, kind.claim, kind.reductions.partial_order, kind.reductions.symmetry):
        assert callable(needed)
    assert kind.display.asks[0].isupper() and not kind.display.asks.endswith(".")
    assert kind.display.violation.endswith(".")
    assert kind.type.__doc__
    # a kind whose fairness can be chosen reads a formula, or can be said as one
    if kind.fairness.chosen:
        assert kind.formula != FormulaRole()


def test_kinds_of_one_name_are_shown_alike() -> None:
    """JSON and SARIF know kinds by their names: optimal reachability is reachability."""
    by_name: dict[str, Kind[Assertion]] = {}
    for kind in KINDS.values():
        first = by_name.setdefault(kind.name, kind)
        assert (kind.display.asks, kind.display.violation) == (first.display.asks, first.display.violation)


def test_the_subject_of_a_simple_question() -> None:
    subject = subject_of(DeadlockFree("||SYSTEM", "||SYSTEM deadlockfree"))
    assert (subject.process, subject.kind, subject.name) == ("SYSTEM", "deadlock", None)


# ---------------------------------------------------------------- nobody else

#: where a question is made, or its type is what the code is about
MAKERS = {
    "model/assertion.py",
    "lang/csp/model.py",
    "lang/fsp/model.py",
    "lang/explicit/model.py",
    "lang/promela/model.py",
    "api/model.py",
    "api/questions.py",
    "checker/context.py",
    "search/progress.py",
}


#: the checker of certificates knows nothing of the checker and its kinds: it says itself what questions mean
CERTIFY = "certify/"


def switches(path: Path) -> list[str]:
    """The places of a file that look at the type of a question."""
    names = {asked.__name__ for asked in TYPES}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "fairlead.model.assertion"
        for alias in node.names
        if alias.name in names
    }
    found: list[str] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("isinstance"), args=[_, kinds]):
                looked_at = {name.id for name in ast.walk(kinds) if isinstance(name, ast.Name)}
            case ast.MatchClass(cls=ast.Name(name)):
                looked_at = {name}
            case ast.Dict(keys=keys):
                looked_at = {key.id for key in keys if isinstance(key, ast.Name)}
            case _:
                continue
        found += [f"{path.relative_to(SOURCE)}:{node.lineno}" for name in looked_at & imported]
    return found


def test_nobody_else_switches_on_the_kind() -> None:
    everywhere = [place for path in sorted(SOURCE.rglob("*.py")) for place in switches(path)]
    assert [place for place in everywhere if not place.startswith(CERTIFY)] == []


def test_only_kinds_and_makers_know_the_types_of_questions() -> None:
    names = {asked.__name__ for asked in TYPES}
    knowing = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "fairlead.model.assertion"
        and names & {alias.name for alias in node.names}
    }
    others = {path for path in knowing if not path.startswith(("checker/kinds/", CERTIFY))} - MAKERS
    assert others <= {"lang/language.py", "cli/graph.py"}  # they name a type in a signature
