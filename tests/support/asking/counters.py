"""Questions about models with equal processes, to be asked with and without counters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import fairlead
from fairlead.logic.fairness.notions import CLASSIC
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Assertion
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import STOP, Configuration, Leaf
from tests.support.asking.models import Case, formulas, random_formula
from tests.support.oracle.counters import Quotient

STATE_QUESTIONS = (
    "deadlockfree",
    "nonterminating",
    "divergencefree",
    "deterministic",
    "reaches goal",
    "reaches near && !goal",
    "reaches goal with min(x0)",
)
FAIR = ("GF near -> GF high", "GF enabled({0}) -> GF {0}", "FG enabled({0}) -> GF {0}", "GF {0}")


@dataclass(frozen=True)
class Question:
    """What is asked of System(), under which notion and which formula of fairness."""

    text: str
    notion: fairlead.Fairness = fairlead.Fairness.NONE
    fair: str | None = None
    is_branching: bool = False
    is_formula: bool = False

    def of(self, model: fairlead.Model) -> Assertion:
        """The question as a model has it."""
        if self.is_branching:
            return model.ctl(self.text, "System()")
        return model.formula(self.text, "System()") if self.is_formula else model.assertion(self.text)


def random_ctl(random: Random, atoms: Sequence[str], depth: int) -> str:
    """A formula of CTL."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(atoms)
    operator = random.choice(["AG", "EF", "AF", "EG", "AX", "EX", "!", "&&", "->", "AU", "EU"])
    left = random_ctl(random, atoms, depth - 1)
    if operator in ("!", "&&", "->"):
        return (
            f"!({left})" if operator == "!" else f"({left} {operator} {random_ctl(random, atoms, depth - 1)})"
        )
    if operator in ("AU", "EU"):
        return f"{operator[0]}({left} U {random_ctl(random, atoms, depth - 1)})"
    return f"{operator} ({left})"


def with_specification(case: Case, random: Random) -> str:
    """The text with a process Spec() that has some of the events of System()."""
    lines = []
    for name in ("Spec", "Spec1"):
        branches = [
            f"{label} -> {random.choice(['Spec()', 'Spec()', 'Spec1()', 'Skip'])}"
            for label in case.labels
            if label[0] in "abcd" and "!" not in label and "?" not in label
            if not label.startswith("c.") and random.random() < 0.85
        ]
        lines.append(f"{name}() = {' [] '.join(branches) or 'Skip'};")
    return case.text + "\n".join(lines) + "\n"


def random_questions(case: Case, random: Random) -> list[Question]:
    """Some questions of every kind; those about formulas under some of the notions."""
    found = [Question(f"System() {text}") for text in random.sample(STATE_QUESTIONS, 2)]
    if random.random() < 0.4:
        kind = random.choice(["", "<F>", "<FD>"])
        found.append(Question(f"System() refines{kind} Spec()"))
    notions = random.sample([*CLASSIC, fairlead.Fairness.PROCESS_WEAK, fairlead.Fairness.PROCESS_STRONG], 4)
    for text in formulas(case, random, 2):
        found += [Question(text, notion, is_formula=True) for notion in notions]
    atoms = atoms_of(case, random)
    for notion in notions[:2]:
        # what shows a nested formula under strong global fairness can be long
        depth = 0 if notion is fairlead.Fairness.STRONG_GLOBAL else 2
        text = f"{random.choice(['AG', 'EF', 'AF', 'EG'])} ({random_ctl(random, atoms, depth)})"
        found.append(Question(text, notion, is_branching=True))
    if random.random() < 0.3 and case.event_atoms:
        fair = random.choice(FAIR).format(random.choice(case.event_atoms))
        found.append(Question(random_formula(random, atoms, 2), notions[0], fair, is_formula=True))
    if random.random() < 0.15:
        found.append(Question(random_formula(random, atoms, 2), fairlead.Fairness.IMPARTIAL, is_formula=True))
    return found


def atoms_of(case: Case, random: Random) -> list[str]:
    """The propositions and some of the events."""
    return [*case.state_atoms, *random.sample(case.event_atoms, min(2, len(case.event_atoms)))]


# ---------------------------------------------------------------- the quotient as a system of its own


def quotient_graph(found: Quotient, model: fairlead.Model, network: Network) -> ExplicitGraph:
    """The quotient as a graph in which what stands in one local state is a process of its own."""
    system = NetworkSystem(network)
    numbers = {state: number for number, state in enumerate(found.known)}
    (start,) = found.initial
    transitions = {
        numbers[state]: tuple(
            Step(step.event, frozenset(map(str, step.leaves)), numbers[step.target]) for step in known[0]
        )
        for state, known in found.known.items()
    }
    propositions = {
        name: frozenset(
            number
            for (values, _), number in numbers.items()
            if system.holds(proposition, Configuration(values, Leaf(STOP, "System()")))
        )
        for name, proposition in model._loaded.propositions.items()
    }
    ended = frozenset(numbers[state] for state, known in found.known.items() if known[2])
    ready: dict[Annotated, set[int]] = {}
    for state, known in found.known.items():
        for item in known[4]:
            ready.setdefault(item, set()).add(numbers[state])
    annotations = {item: frozenset(states) for item, states in ready.items()}
    return ExplicitGraph(len(numbers), numbers[start], transitions, propositions, ended, annotations)
