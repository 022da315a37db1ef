"""The question of an entry: the model as its text says it, the assertion, and the fair executions.

Everything here is definition. The writer of a certificate and its checker have it in common, and so has the
search, as far as it speaks of the same things.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.base.files import read_text, recorded_reads
from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.certify.container import Rejected, list_in, number_in, text_in
from fairlead.certify.machines import PlainTools
from fairlead.certify.meanings import meanings_in
from fairlead.lang.language import LoadedModel
from fairlead.lang.registry import load_file
from fairlead.logic import ltl
from fairlead.logic.fairness.condition import Condition, InfinitelyOften
from fairlead.logic.fairness.demand import annotation_conjunct, subject_conjunct
from fairlead.logic.fairness.formula import Conjunct, FairnessFormula
from fairlead.logic.fairness.notions import Fairness, Subject, parse_fairness
from fairlead.logic.fairness.syntax import formula_of_notion, parse_fairness_formula
from fairlead.logic.ltl import TRUE, And, Atom, Constant, Formula, Iff, Implies, Not, Or
from fairlead.logic.parsing.parse import parse_branching, parse_ltl
from fairlead.logic.progress import progress_formula, progress_meanings
from fairlead.model.annotation import Annotated, Demand
from fairlead.model.assertion import (
    Assertion,
    EventAtom,
    Meaning,
    ProcessAtom,
    Progresses,
    Refinement,
    Refines,
    Satisfies,
    SatisfiesBranching,
    StepAtom,
)
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.system import System

# ---------------------------------------------------------------- the model


def digest_of(
    definitions: Mapping[str, str], processes: Mapping[str, str], text: str, main: Path, files: Iterable[Path]
) -> str:
    """Tells a model from others: what was chosen for it, its text, and the other files that were read."""
    found = hashlib.sha256(repr((sorted(definitions.items()), sorted(processes.items()))).encode())
    texts, folder = {"": text}, main.resolve().parent
    for path in sorted(file.resolve() for file in files):
        if path != main.resolve() and path.is_file():
            # files with functions may stand anywhere; others are in the folder of the model, or below
            name = path.relative_to(folder) if path.is_relative_to(folder) else path.name
            texts[str(name).replace("\\", "/")] = read_text(path)
    for name, content in sorted(texts.items()):
        found.update(repr((name, content)).encode(errors="backslashreplace"))
    return found.hexdigest()


@dataclass(frozen=True)
class ModelFile:
    """A model, as it is given to the checker."""

    path: Path
    definitions: Mapping[str, str]
    processes: Mapping[str, str]
    python: tuple[Path, ...] = ()

    def load(self) -> tuple[LoadedModel, str]:
        """The model, and its digest."""
        with recorded_reads() as reads:
            loaded = load_file(self.path, self.definitions, self.python, PlainTools, processes=self.processes)
        return loaded, digest_of(self.definitions, self.processes, read_text(self.path), self.path, reads)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True)
class Asked:
    """A question, with the notion of fairness and the fairness formula under which it is asked."""

    loaded: LoadedModel
    question: Assertion
    notion: Fairness
    fair: FairnessFormula | None
    claim: Mapping[str, Any]

    @classmethod
    def of(cls, loaded: LoadedModel, claim: Mapping[str, Any]) -> Asked:
        """What a certificate claims to hold."""
        try:
            question = _question(loaded, claim)
            if question.text != claim.get("assertion"):
                raise Rejected("an assertion is written otherwise than it is meant")
            notion = parse_fairness(text_in(claim.get("fairness")))
            if len(notion) != 1:
                raise Rejected("an assertion is certified under one notion of fairness")
            fair = claim.get("fair")
            formula = None if fair is None else parse_fairness_formula(Source("fairness", text_in(fair)))
            return cls(loaded, question, notion[0], formula, claim)
        except FairleadError as error:
            problem = error.diagnostics[0].message
            raise Rejected(f"what is claimed has no meaning in this model: {problem}") from None

    @property
    def proof(self) -> Mapping[str, Any]:
        """What the certificate gives as the reason."""
        found = self.claim.get("proof")
        if not isinstance(found, dict):
            raise Rejected("an assertion has no proof")
        return found

    @property
    def found(self) -> Network | ExplicitGraph:
        """The system that is asked about."""
        if self.fair is not None:
            return self.loaded.vocabulary(self.question, [self.fair.text]).system
        return self.question.own_system or self.loaded.system(self.question.process)

    @property
    def specification(self) -> Network | ExplicitGraph:
        """The system that a refinement compares with."""
        assert isinstance(self.question, Refines)
        return self.loaded.specification(self.question.specification)

    @property
    def sees_divergence(self) -> bool:
        """Whether a refinement compares divergences."""
        assert isinstance(self.question, Refines)
        return self.question.refinement is Refinement.FAILURES_DIVERGENCES

    def formula(self) -> tuple[Formula, dict[Atom, Meaning]]:
        """The formula of LTL that is asked for, with what its atoms mean."""
        question = self.question
        if isinstance(question, Progresses):
            return progress_formula(question.test), progress_meanings(question.test)
        assert isinstance(question, Satisfies | SatisfiesBranching)
        parse = parse_ltl if isinstance(question, Satisfies) else parse_branching
        text = question.formula
        formula = parse(text.source, text.start, text.end).formula
        atoms = ltl.atoms(formula)
        if question.meanings is not None:
            return formula, {atom: question.meanings[atom.text] for atom in atoms}
        return formula, meanings_in(self.loaded.vocabulary(question), atoms)

    def fairness_formulas(self) -> list[FairnessFormula]:
        """The formula that defines the notion, if one does, and the one that is asked for."""
        found = [] if self.fair is None else [self.fair]
        if self.notion.facts.formula is not None:
            found.insert(0, formula_of_notion(self.notion))
        return found

    @property
    def is_fair_choice(self) -> bool:
        """Whether it is asked under what progress is defined by."""
        return self.notion.is_global and self.fair is None

    def needs_facts(self, system: System) -> bool:
        """Whether the executions that count depend on which states can be reached."""
        return bool(system.annotation_kinds) or not all(one.is_closed for one in self.fairness_formulas())

    def conjuncts(self, facts: Facts) -> list[Conjunct]:
        """What the fairness formulas demand of a system."""
        found: list[Conjunct] = []
        own: dict[Atom, Meaning] = {}
        if self.fair is not None:
            vocabulary = self.loaded.vocabulary(self.question, [self.fair.text])
            own = meanings_in(vocabulary, self.fair.atoms)
        for formula in self.fairness_formulas():
            for conjunct in formula.conjuncts(sorted(facts.processes), sorted(facts.events)):
                meanings = {**own, **conjunct.meanings}
                found.append(Conjunct(conjunct.text, conjunct.condition, meanings))
        return found


def _question(loaded: LoadedModel, claim: Mapping[str, Any]) -> Assertion:
    formula = claim.get("ctl")
    if formula is not None:
        process = text_in(claim.get("process"))
        return loaded.branching(text_in(formula), process, claim.get("finite_paths") is True)
    return loaded.assertion(text_in(claim.get("assertion")))


# ---------------------------------------------------------------- the executions that count


@dataclass(frozen=True)
class Facts:
    """What occurs in the states that can be reached: processes, events, and annotations that are ready."""

    processes: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    annotated: frozenset[Annotated] = frozenset()

    def __or__(self, other: Facts) -> Facts:
        return Facts(
            self.processes | other.processes, self.events | other.events, self.annotated | other.annotated
        )


@dataclass(frozen=True)
class Demanded:
    """A condition on executions: what its atoms mean, or which acceptance set of the automaton it is."""

    condition: Condition
    meanings: Mapping[Atom, Meaning]
    mark: int | None = None


def demanded(asked: Asked, facts: Facts, sets: int, data: object) -> list[Demanded]:
    """The conditions that a certificate names, each of which fair violating executions satisfy."""
    conjuncts: list[Conjunct] | None = None
    found: list[Demanded] = []
    for row in list_in(data):
        match row:
            case ["mark", number] if number_in(number) < sets:
                found.append(acceptance(number))
            case ["subject", str(name)] if asked.notion.subject is not Subject.NOBODY:
                found.append(_of(fair_to(asked.notion, name)))
            case ["conjunct", number]:
                conjuncts = asked.conjuncts(facts) if conjuncts is None else conjuncts
                if number_in(number) >= len(conjuncts):
                    raise Rejected("the fairness formula has no such part")
                found.append(_of(conjuncts[number]))
            case ["annotation", str(kind), str(label)] if Annotated(label, kind) in facts.annotated:
                found.append(_of(annotation_conjunct(Annotated(label, kind))))
            case _:
                raise Rejected(f"nothing demands the condition {str(row)[:60]}")
    return found


def acceptance(mark: int) -> Demanded:
    """That a run of the automaton is accepting, as far as one of its acceptance sets is concerned."""
    return Demanded(InfinitelyOften(TRUE), {}, mark)


def fair_to(notion: Fairness, name: str) -> Conjunct:
    """What a notion demands for one event or process."""
    subject: StepAtom = EventAtom.of(name)
    if notion.subject is Subject.PROCESSES:
        subject = ProcessAtom(frozenset({name}))
    return subject_conjunct(notion.value, subject, Demand.STRONG if notion.is_strong else Demand.WEAK)


def _of(conjunct: Conjunct) -> Demanded:
    return Demanded(conjunct.condition, conjunct.meanings)


#: whether an atom is true at a position
Truth = Callable[[Meaning], bool]


def satisfies(predicate: Formula, meanings: Mapping[Atom, Meaning], truth: Truth) -> bool:
    """Whether a boolean combination of atoms is true at a position."""

    def value(node: Formula, parts: list[bool]) -> bool:
        match node:
            case Constant(known):
                return known
            case Atom():
                return truth(meanings[node])
            case Not():
                return not parts[0]
            case And():
                return parts[0] and parts[1]
            case Or():
                return parts[0] or parts[1]
            case Implies():
                return not parts[0] or parts[1]
            case Iff():
                return parts[0] is parts[1]
        raise AssertionError(node)

    return ltl.fold({}, predicate, value)


def sorted_atoms(found: Sequence[Atom]) -> dict[Atom, int]:
    """The number of each atom."""
    return {atom: place for place, atom in enumerate(found)}
