"""Vacuity against brute force: which parts of random formulas can be left out, and what is said about it."""

from __future__ import annotations

from random import Random

import pytest

import fairlead
from fairlead import Verdict
from fairlead.base.source import Source
from fairlead.checker.result import Result
from fairlead.logic import ltl, mutants
from fairlead.logic.parsing.parse import parse_branching, parse_ltl
from fairlead.outcome.vacuity import ConstantAtom, VacuityKind
from tests.support.oracle.branching import Branching
from tests.support.oracle.branching_questions import (
    Case,
    random_ctl_question,
    random_ctl_star_question,
    random_linear_question,
)
from tests.support.oracle.formulas import Formula as OracleFormula
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.graphs import Graph
from tests.support.oracle.lasso_semantics import holds as holds_on_word
from tests.support.oracle.vacuity import is_consequent_or_operand, largest, unneeded
from tests.support.oracle.verdict import random_case, verdict
from tests.support.sampling import some

SEEDS = range(200)
LONG_SEEDS = range(1000, 6000)
CHUNKS = 10

_NAMES: dict[type[ltl.Formula], str] = {
    ltl.Not: "not", ltl.Next: "X", ltl.Eventually: "F", ltl.Always: "G", ltl.Exists: "E", ltl.ForAll: "A",
    ltl.And: "and", ltl.Or: "or", ltl.Implies: "implies", ltl.Iff: "iff",
    ltl.Until: "U", ltl.Release: "R", ltl.WeakUntil: "W",
}  # fmt: skip


def for_oracle(formula: ltl.Formula, graph: Graph) -> OracleFormula:
    """A formula that was read, as the oracle has it."""
    match formula:
        case ltl.Constant(value):
            return ("true",) if value else ("false",)
        case ltl.Atom(text, ltl.AtomKind.ENABLED | ltl.AtomKind.EXECUTED as kind):
            return (kind.value, text)
        case ltl.Atom(text):
            return ("prop" if text in graph.props else "event", text)
    return (_NAMES[type(formula)], *(for_oracle(part, graph) for part in ltl.children(formula)))


class Asked:
    """One question that holds, with what the oracle says about other formulas under the same fairness."""

    def __init__(self, where: str, graph: Graph, formula: ltl.Formula, oracle: Branching) -> None:
        self.where = where
        self.graph = graph
        self.formula = formula
        self.oracle = oracle
        self.seen = for_oracle(formula, graph)
        self.is_linear = not any(
            isinstance(node, ltl.Exists | ltl.ForAll) for node in ltl.subformulas(formula)
        )

    def holds(self, f: OracleFormula) -> bool:
        return self.oracle.verdict(("A", f) if self.is_linear else f)

    def judge(self, thorough: Result, usual: Result) -> str:
        """Judges what is said with and without --vacuity; what it is."""
        parts = unneeded(self.seen, self.holds)
        for result in (thorough, usual):
            self.judge_claim(result)
        if thorough.vacuity is not None and thorough.vacuity.kind in (
            VacuityKind.NO_FAIR_EXECUTION,
            VacuityKind.TAUTOLOGY,
        ):
            assert usual.vacuity == thorough.vacuity, self.where
            return thorough.vacuity.kind.value
        # the library looks at conjuncts one by one, and from below; that must not change what is found
        assert (thorough.vacuity is not None) == bool(parts), (self.where, parts)
        trivial = {path for path in largest(parts) if is_consequent_or_operand(self.seen, path)}
        if trivial:
            assert usual.is_vacuous, (self.where, trivial)
        if usual.vacuity is None:
            return "none" if thorough.vacuity is None else "stronger"
        assert usual.vacuity.is_trivial and thorough.vacuity is not None, self.where
        return usual.vacuity.kind.value

    def judge_claim(self, result: Result) -> None:
        """What is claimed is so: by the oracle, and by the words that the formula is about."""
        vacuity = result.vacuity
        if vacuity is None:
            return
        match vacuity.kind:
            case VacuityKind.NO_FAIR_EXECUTION:
                assert not self.oracle.verdict(("E", ("X", ("true",)))), self.where
            case VacuityKind.TAUTOLOGY:
                if self.is_linear and vacuity.detail is None:
                    self.judge_tautology()
            case _:
                assert vacuity.stronger is not None and vacuity.part is not None
                assert self.holds(for_oracle(self.read(vacuity.stronger), self.graph)), self.where
                self.read(vacuity.part) if self.is_linear else None
        if vacuity.condition is not None and vacuity.kind is VacuityKind.ANTECEDENT:
            never = ("G", ("not", for_oracle(self.read(vacuity.condition), self.graph)))
            assert self.oracle.verdict(("A", never)), self.where
        for atom in vacuity.atoms:
            self.judge_atom(atom)

    def judge_tautology(self) -> None:
        """Random words have no reason to satisfy a formula that is not true of all."""
        rng = Random(self.where)
        atoms = ltl.atoms(self.formula)
        for _ in range(50):
            letters = [rng.getrandbits(len(atoms) or 1) for _ in range(6)]
            cut = rng.randrange(5)
            assert holds_on_word(self.formula, atoms, letters[:cut], letters[cut:]), self.where

    def judge_atom(self, atom: ConstantAtom) -> None:
        """By looking at every position that can be reached."""
        f = for_oracle(self.read(atom.text), self.graph)
        everywhere = Branching(self.graph, self.oracle.assumption)
        count = len(everywhere.where(f))
        assert count == (len(everywhere.positions) if atom.value else 0), (self.where, atom)

    def read(self, text: str) -> ltl.Formula:
        source = Source("formula", text)
        try:
            return (parse_ltl if self.is_linear else parse_branching)(source).formula
        except fairlead.InputError:  # a condition in branching time may be about paths
            return parse_ltl(source).formula


def ask(model: fairlead.Model, question: object, **how: object) -> tuple[Result, Result, Result]:
    results = [model.check(question, vacuity=extent, **how) for extent in (True, None, False)]
    assert len({result.verdict for result in results}) == 1
    return results[0], results[1], results[2]


def check_case(seed: int, case: Case, is_linear: bool) -> str:
    where = f"seed {seed}{case}"
    model = fairlead.loads(case.model, "json")
    question = model.formula(case.text) if is_linear else model.ctl(case.text, finite_paths=case.finite_paths)
    thorough, usual, off = ask(model, question, fairness=case.assumption.notion, fair=case.fair)
    if thorough.verdict is not Verdict.HOLDS:
        assert thorough.vacuity is None and usual.vacuity is None and off.vacuity is None, where
        return "violated"
    read = parse_ltl if is_linear else parse_branching
    formula = read(Source("formula", case.text)).formula
    kind = Asked(where, case.graph, formula, case.oracle()).judge(thorough, usual)
    assert (off.vacuity is None) == (kind != VacuityKind.NO_FAIR_EXECUTION.value), where
    return kind


def check_notion(seed: int) -> None:
    """Under the named notions: exactly the parts that brute force finds can be left out."""
    graph, formula, notion = random_case(seed)
    if not verdict(graph, formula, notion):
        return
    model = fairlead.loads(graph.to_json(), "json")
    text = formula_text(formula)

    def holds(mutant: ltl.Formula) -> bool:
        plain = mutants.without_constants(mutant)
        if isinstance(plain, ltl.Constant):
            return plain.value
        return bool(model.check(model.formula(str(plain)), notion, vacuity=False))

    parsed = parse_ltl(Source("formula", text)).formula
    found = {part.path for part in mutants.unneeded(parsed, holds, trivial=False)}
    expected = largest(unneeded(formula, lambda f: verdict(graph, f, notion)))
    assert found == expected, (seed, text, notion)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_parts_of_random_formulas(chunk: int) -> None:
    for seed in SEEDS[chunk::CHUNKS]:
        check_notion(seed)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_said_of_random_formulas(chunk: int) -> None:
    for seed in some(SEEDS[chunk::CHUNKS]):
        check_case(seed, random_linear_question(seed), is_linear=True)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_said_in_branching_time(chunk: int) -> None:
    for seed in some(SEEDS[chunk::CHUNKS]):
        case = random_ctl_star_question(seed) if seed % 5 == 0 else random_ctl_question(seed)
        check_case(seed, case, is_linear=False)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_much_that_is_said(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_notion(seed)
        check_case(seed, random_linear_question(seed), is_linear=True)
        case = random_ctl_star_question(seed) if seed % 5 == 0 else random_ctl_question(seed)
        check_case(seed, case, is_linear=False)


def test_every_kind_occurs() -> None:
    """The random cases would show little if some kind of reason never came up."""
    linear = {check_case(seed, random_linear_question(seed), is_linear=True) for seed in range(120)}
    branching = {check_case(seed, random_ctl_question(seed), is_linear=False) for seed in range(120)}
    kinds = {kind.value for kind in VacuityKind} | {"none", "violated"}
    assert linear == kinds
    assert branching == kinds
