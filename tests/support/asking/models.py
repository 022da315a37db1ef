"""Questions about random models, and their answers in a form that can be compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from random import Random

import fairlead
from fairlead.checker.result import Result
from fairlead.lang.csp import syntax
from fairlead.model.annotation import Annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step
from fairlead.outcome.vacuity import VacuityKind
from fairlead.present.sentences.vacuity import atom_words
from tests.support.generators.csp_rewriting import declarations_of

REFINEMENTS = ("", "<F>", "<FD>")
#: labels that a formula can name without further ado
NAMEABLE = re.compile(r"[A-Za-z_]\w*(\[\d+\])?([.!?]\d+)*")
#: propositions about the variable that every random model has
PROPOSITIONS = "#define near x0 == 1;\n#define high x0 > 0;\n"

Answer = tuple[str, object]


@dataclass(frozen=True)
class Case:
    """A random model that is small and runs without faults, with its graph."""

    seed: int
    text: str
    graph: ExplicitGraph

    @property
    def labels(self) -> list[str]:
        """The visible events of System()."""
        return [name for name in sorted(events_of(self.graph)) if not name.startswith("τ")]

    @property
    def state_atoms(self) -> list[str]:
        """The propositions, but for those that turned out to be constant."""
        return sorted(self.graph.propositions)

    @property
    def event_atoms(self) -> list[str]:
        """Events as formulas name them, `terminate` left out."""
        found = [name for name in self.labels if NAMEABLE.fullmatch(name) and name != "terminate"]
        return [f'"{name}"' for name in found]


def events_of(graph: ExplicitGraph) -> set[str]:
    return {step.event for steps in graph.transitions.values() for step in steps}


def small_case(seed: int, text: str, max_states: int) -> Case | None:
    """The case of a text whose process System() has not more states and no faults."""
    text += PROPOSITIONS
    try:
        graph = fairlead.loads(text).graph("System()", limits=fairlead.Limits(max_states=max_states))
    except fairlead.FairleadError:
        return None
    return Case(seed, text, graph)


def reference_graph(model: fairlead.Model, process: str) -> ExplicitGraph:
    """The graph of a process as the reference semantics gives it, without the engine."""
    network = model._loaded.system(process)
    assert isinstance(network, Network)
    system = NetworkSystem(network)
    (start,) = system.initial_states()
    numbers: dict[State, int] = {start: 0}
    queue: list[State] = [start]
    transitions: dict[int, list[Step]] = {}
    for state in queue:
        steps = transitions[numbers[state]] = []
        for step in system.steps(state):
            if step.target not in numbers:
                numbers[step.target] = len(queue)
                queue.append(step.target)
            steps.append(replace(step, target=numbers[step.target]))
    propositions = {
        name: frozenset(numbers[state] for state in queue if system.holds(proposition, state))
        for name, proposition in model._loaded.propositions.items()
    }
    ended = frozenset(numbers[state] for state in queue if system.has_terminated(state))
    ready: dict[Annotated, set[int]] = {}
    for state in queue:
        for item in system.ready(state):
            ready.setdefault(item, set()).add(numbers[state])
    annotations = {item: frozenset(states) for item, states in ready.items()}
    return ExplicitGraph(len(queue), 0, transitions, propositions, ended, annotations)


# ---------------------------------------------------------------- answers


def answer(
    model: fairlead.Model, question: str, notion: fairlead.Fairness, limits: fairlead.Limits
) -> Answer:
    """The verdict, and the optimum if one was asked for; or the code of the error."""
    try:
        result = model.check(question, notion, limits=limits)
    except fairlead.InputError as error:
        return ("error", error.diagnostics[0].code)
    return (result.verdict.value, result.optimum)


def agree(one: Answer, other: Answer) -> bool:
    """An answer that was not found within the limits agrees with every other."""
    return one == other or "unknown" in (one[0], other[0])


# ---------------------------------------------------------------- questions


def questions_about_states() -> list[str]:
    """What can be asked of single states and transitions."""
    questions = ["deadlockfree", "nonterminating", "deterministic", "divergencefree", "reaches near && !goal"]
    questions += ["reaches goal", "reaches goal with min(x0)", "reaches high with max(x0 * 2)"]
    return [f"System() {question}" for question in questions]


def refinement_questions(case: Case, random: Random, pairs: int) -> list[str]:
    """Refinement in all three models between some processes of the model."""
    calls = processes(case)
    found = [*permutations(calls, 2)]
    chosen = random.sample(found, min(pairs, len(found)))
    return [f"{one} refines{kind} {other}" for one, other in chosen for kind in REFINEMENTS]


def processes(case: Case) -> dict[str, set[str]]:
    """The small processes of a model that run without faults, with arguments that fit, and their events."""
    model = fairlead.loads(case.text)
    found: dict[str, set[str]] = {}
    for node in declarations_of(case.text):
        if isinstance(node, syntax.ProcessDefinition):
            for arguments in product(("1", "true"), repeat=len(node.parameters)):
                call = f"{node.name}({', '.join(arguments)})"
                try:
                    graph = model.graph(call, limits=fairlead.Limits(max_states=300))
                except fairlead.FairleadError:
                    continue
                found[call] = events_of(graph)
                break
    return found


def formulas(case: Case, random: Random, count: int) -> list[str]:
    """Random formulas, and some of well-known shapes, about the states and events of a case."""
    atoms = [*case.state_atoms, *random.sample(case.event_atoms, min(3, len(case.event_atoms)))]
    atoms += ["terminate"] if "terminate" in case.labels else []
    shapes: Sequence[Callable[[str, str], str]] = (
        lambda p, q: f"[]<> {p}",
        lambda p, q: f"<>[] !{p}",
        lambda p, q: f"[] ({p} -> <> {q})",
        lambda p, q: f"<>[] ({p} -> X !{q})",
        lambda p, q: f"([]<> {p}) -> ([]<> {q})",
    )
    found = []
    for number in range(count):
        if number % 2:
            found.append(random_formula(random, atoms, 3))
        else:
            found.append(random.choice(shapes)(random.choice(atoms), random.choice(atoms)))
    return found


def random_formula(random: Random, atoms: Sequence[str], depth: int) -> str:
    """A formula of any shape."""
    if depth == 0 or random.random() < 0.15:
        return random.choice(atoms)
    operator = random.choice(["!", "X", "[]", "<>", "[]<>", "&&", "||", "->", "U", "W", "R"])
    left = random_formula(random, atoms, depth - 1)
    if operator in ("!", "X", "[]", "<>", "[]<>"):
        return f"({operator} {left})"
    return f"({left} {operator} {random_formula(random, atoms, depth - 1)})"


def insensitive_formulas(case: Case, random: Random, count: int) -> list[str]:
    """Formulas that do not change where a step that changes no proposition and has no name is put in.

    Without X, such a step matters only to what an event makes true at one position. So here an event is
    either waited for (`<> a`, `!a U b`), or it triggers (`a -> …`), and a position without events satisfies
    what is demanded of all positions. `[] (p -> <> a)` is no such formula: the step into a position may
    satisfy it, and after one more step there it is violated.
    """
    shapes: list[Callable[[str, str, str, str], str]] = [
        lambda p, q, a, b: f"[]<> {p}",
        lambda p, q, a, b: f"<>[] {p}",
        lambda p, q, a, b: f"[] ({p} -> <> {q})",
        lambda p, q, a, b: f"{p} U {q}",
        lambda p, q, a, b: f"([]<> {p}) -> ({p} W {q})",
    ]
    if case.event_atoms:
        shapes += [
            lambda p, q, a, b: f"[]<> {a}",
            lambda p, q, a, b: f"<>[] !{a}",
            lambda p, q, a, b: f"([]<> {a}) -> ([]<> {b})",
            lambda p, q, a, b: f"[] ({a} -> <> {b})",
            lambda p, q, a, b: f"[] ({a} -> <> {p})",
            lambda p, q, a, b: f"[] ({a} -> ([] {p} || <> {q}))",
            lambda p, q, a, b: f"[]<> ({a} && {p})",
            lambda p, q, a, b: f"(!{a}) U {b}",
            lambda p, q, a, b: f"(!{a}) W {p}",
            lambda p, q, a, b: f"<>[] {p} -> []<> {a}",
        ]
    events = case.event_atoms or [""]
    return [
        random.choice(shapes)(*random.choices(case.state_atoms, k=2), *random.choices(events, k=2))
        for _ in range(count)
    ]


def known_reason(result: Result) -> object:
    """A trivial reason that can be told in smaller systems too, but for what else may have been meant."""
    vacuity = result.vacuity
    told = (VacuityKind.NO_FAIR_EXECUTION, VacuityKind.TAUTOLOGY, VacuityKind.PROPOSITION)
    if vacuity is None or vacuity.kind not in told:
        return None
    return vacuity.kind, vacuity.part, vacuity.stronger, tuple(map(atom_words, vacuity.atoms))
