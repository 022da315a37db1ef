"""What can be exchanged, against the definition: all permutations, on the reference semantics."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.checker.questions import find, system_of
from fairlead.checker.strategies.symmetry import Symmetry
from fairlead.model.interchange import Interchange
from fairlead.model.labels import is_internal
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.model.tree import Configuration, has_ended
from fairlead.outcome.component import Component
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock
from fairlead.reduce.symmetry.detection import Detected, interchange_of
from fairlead.reduce.symmetry.renaming import Renaming
from fairlead.reduce.symmetry.verification import Asked
from fairlead.search.target import NetworkTarget
from tests.support.asking.models import formulas, small_case
from tests.support.generators.symmetry_models import random_numbered_model
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

CHUNKS = 4
SEEDS = range(80)
LONG_SEEDS = range(100_000, 103_000)
MOST_STATES = 400


def network_of(text: str) -> Network:
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return network


def detected(text: str) -> Detected:
    return interchange_of(network_of(text), Asked())


def reachable(system: NetworkSystem, limit: int) -> list[Configuration] | None:
    found: dict[State, None] = dict.fromkeys(system.initial_states())
    queue = list(found)
    for state in queue:
        for step in system.steps(state):
            if step.target not in found:
                found[step.target] = None
                queue.append(step.target)
        if len(queue) > limit:
            return None
    return [state for state in queue if isinstance(state, Configuration)]


def all_renamings(interchange: Interchange) -> Iterator[Renaming]:
    """Every permutation of every block."""
    rows = []
    for first, block in zip(interchange.first_members, interchange.blocks, strict=True):
        rows.append(list(permutations(range(first, first + len(block)))))
    for chosen in product(*rows):
        yield Renaming(interchange, tuple(member for row in chosen for member in row))


def steps_of(system: NetworkSystem, state: State) -> set[tuple[bool, State]]:
    return {(is_internal(step.event), step.target) for step in system.steps(state)}


def is_set_up(state: Configuration, interchange: Interchange) -> bool:
    """Before all processes are there, nothing is exchanged."""
    return type(state.tree) is type(interchange.tree) or has_ended(state.tree)


def check_by_definition(seed: int) -> bool:
    """Whether there was something to exchange; all claims are checked."""
    text = random_numbered_model(seed, most=3)
    network = network_of(text)
    interchange = interchange_of(network, Asked()).interchange
    if interchange is None:
        return False
    system = NetworkSystem(network)
    try:
        states = reachable(system, MOST_STATES)
    except fairlead.FairleadError:
        return False
    if states is None:
        return False
    renamings = list(all_renamings(interchange))
    steps = functools.cache(functools.partial(steps_of, system))
    orbits: dict[Configuration, int] = {}
    for number, state in enumerate(states):
        if not is_set_up(state, interchange):
            orbits.setdefault(state, number)
            continue
        for renaming in renamings:
            image = renaming.configuration(state)
            orbits.setdefault(image, orbits.get(state, number))
            expected = {
                (internal, renaming.configuration(target))
                for internal, target in steps(state)
                if isinstance(target, Configuration)
            }
            assert steps(image) == expected, f"seed {seed}\n{text}\n{state}\n{renaming.to}"
    target = NetworkTarget(replace(network, interchange=interchange), fairlead.Limits())
    graph = target.explore_all(Clock(fairlead.Limits()))
    explored = [target.state(graph, number) for number in range(graph.state_count)]
    seen = {orbits[state] for state in explored if isinstance(state, Configuration)}
    assert seen == set(orbits.values()), f"seed {seed}: every orbit is represented, and nothing else\n{text}"
    assert len(seen) <= len(explored) <= len(orbits), f"seed {seed}\n{text}"
    return True


WALKERS = """
#define N 2;
var x[N]:{{1..9}} = [{start}, {start}];
#define started (&& i:{{0..N-1}} @ (x[i] != {start}));
P(i) = {event}{{x[i] = 1;}} -> Q(i);
Q(i) = {event}{{x[i] = 2;}} -> {event}{{x[i] = 1;}} -> Q(i);
System() = ||| i:{{0..N-1}} @ P(i);
#assert System() |= <> started;
"""

EXCHANGE = """
#define N 2;
channel c 0;
P(i) = s.i -> X() [] t.i -> Y();
X() = c!0 -> Y() [] b -> X();
Y() = c?0 -> X();
System() = ||| i:{0..N-1} @ P(i);
#assert System() |= !([]<> b && <>[] (b -> X ("c.0" && X ("c.0" && X b))));
"""


def forced(text: str, notion: str) -> tuple[Verdict, Verdict]:
    """The verdict of the only assertion, and what would be found with symmetry all the same."""
    model = fairlead.loads(text)
    (question,) = model.assertions
    with pytest.raises(fairlead.InputError) as refused:
        model.check(question, notion, reduction="symmetry")
    assert refused.value.diagnostics[0].code is Code.SYMMETRY
    query = model._checker.questions.query(question, fairlead.Fairness(notion), None)
    network = system_of(query)
    assert isinstance(network, Network)
    symmetry = model._checker.strategy("symmetry")
    assert isinstance(symmetry, Symmetry)
    reduced = symmetry._reduced(query, network, fairlead.Limits())
    assert reduced.detected.interchange is not None
    found = find(query, reduced.target)
    return model.check(question, notion).verdict, found.verdict


@pytest.mark.parametrize("notion", ["pwf", "psf", "ewf", "esf", "impartial"])
def test_what_is_refused_would_be_answered_wrongly(notion: str) -> None:
    # which of two processes comes first in a representative is decided by hashing, so one start may do
    found = [forced(WALKERS.format(start=start, event="s.i"), notion) for start in range(3, 10)]
    assert (Verdict.HOLDS, Verdict.VIOLATED) in found


@pytest.mark.parametrize("annotation", ["wf", "sf"])
def test_annotations_would_be_answered_wrongly(annotation: str) -> None:
    event = f"{annotation}(s.i)"
    found = [forced(WALKERS.format(start=start, event=event), "none") for start in range(3, 10)]
    assert (Verdict.HOLDS, Verdict.VIOLATED) in found


def test_the_order_of_steps_would_be_answered_wrongly_under_global_fairness() -> None:
    assert forced(EXCHANGE, "sgf") == (Verdict.HOLDS, Verdict.VIOLATED)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exchanges_carry_steps_over_to_steps(chunk: int) -> None:
    seeds = some(SEEDS[chunk::CHUNKS])
    assert sum(check_by_definition(seed) for seed in seeds) > 10 or is_sample()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exchanges_carry_steps_over_to_steps_of_many_models(chunk: int) -> None:
    assert sum(check_by_definition(seed) for seed in LONG_SEEDS[chunk::CHUNKS]) > 100


@dataclass(frozen=True)
class Example:
    """A model whose processes are written by hand, and who of them can be exchanged."""

    name: str
    text: str
    groups: tuple[str, ...]
    reason: str = ""


SIDE_BY_SIDE = "#define N 3;\nSystem() = ||| i:{0..N-1} @ P(i);\n"
EXAMPLES = [
    Example("own element", "var x[N]; P(i) = a.i{x[i] = 1;} -> P(i);", ("P(0..2)",)),
    Example("kept number", "var turn; P(i) = [turn != i] a.i{turn = i;} -> P(i);", ("P(0..2)",)),
    Example("start breaks it", "var turn = 2; P(i) = [turn != i] a.i{turn = i;} -> P(i);", ("P(0..2)",)),
    Example("one is special", "var x[N]; P(i) = [i != 1] a.i{x[i] = 1;} -> P(i);", ("P(0, 2)",), "steps"),
    Example(
        "out of range", "var turn:{0..1}; P(i) = [turn != i] a.i{turn = i;} -> P(i);", ("P(0, 1)",), "range"
    ),
    Example("no element", "var x[2]; P(i) = a.i -> P1(i); P1(i) = b.i{x[i] = 1;} -> P(i);", ("P(0, 1)",)),
    Example("order", "var turn; P(i) = [turn <= i] a.i{turn = i;} -> P(i);", (), "'<='"),
    Example("next one", "var x[N]; P(i) = [x[(i + 1) % N] == 0] a.i{x[i] = 1;} -> P(i);", (), "'+'"),
    Example("sum", "var x[N]:{0..9}; P(i) = [x[0] + x[1] + x[2] < 4] a.i{x[i] = 1;} -> P(i);", ("P(0..2)",)),
    Example(
        "sum may overflow", "var x[N]; P(i) = [x[0] + x[1] + x[2] < 4] a.i{x[i] = 1;} -> P(i);", ("P(0, 1)",)
    ),
    Example(
        "quotient may fail", "var x[N]; P(i) = [x[0] > 1 && 2 / x[1] > x[2]] a.i{x[i] = 1;} -> P(i);", ()
    ),
    Example("fresh local", "var turn; P(i) = a.i{var k; turn = k; k = i; turn = k;} -> P(i);", ("P(1, 2)",)),
    Example("a label may fail", "var x[N]; P(i) = a.(1 / x[0]){x[i] = 1;} -> P(i);", ("P(1, 2)",)),
    Example("a label with a variable", "var x[N]; P(i) = a.x[i]{x[i] = 1;} -> P(i);", ("P(0..2)",)),
    Example("rows", "var m[N][N]; P(i) = [m[i][i] == 0] a.i{m[i][i] = 1;} -> P(i);", ("P(0..2)",)),
    Example(
        "a row as another", "var m[N][N]; P(i) = [m[i][0] == 0] a.i{m[i][0] = 1;} -> P(i);", ("P(0..2)",)
    ),
    Example("flat index", "var m[N][N]; P(i) = [m[i] == 0] a.i{m[i][i] = 1;} -> P(i);", ()),
    Example("forks", "P(i) = a.i -> (b.i -> Skip ||| c.i -> Skip);", (), "several"),
    Example("buffer", "channel c 2; P(i) = c!i -> P(i) [] c?y -> P(i);", (), "buffer"),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples(example: Example) -> None:
    found = detected(SIDE_BY_SIDE + example.text)
    assert found.groups == example.groups
    assert example.reason in " ".join(reason for _, reason in found.apart)


def test_numbers_of_two_kinds_that_meet_are_exchanged_together() -> None:
    text = """
        #define N 3;
        var x[N];
        var y[N];
        P(i) = [!(|| k:{0..N-1} @ (x[k] == 1 && y[k] == 1))] a.i{x[i] = 1;} -> P(i);
        Q(i) = b.i{y[i] = 1;} -> Q(i);
        System() = (||| i:{0..N-1} @ P(i)) ||| (||| i:{0..N-1} @ Q(i));
    """
    assert detected(text).groups == ("P(0..2), Q(0..2)",)
    assert detected(text.replace("k] == 1))] a", "0] == 1))] a")).groups == ("P(0..2)", "Q(1, 2)")
    assert detected(text.replace("&& y[k] == 1", "")).groups == ("P(0..2)", "Q(0..2)")


def test_what_is_named_is_told_apart() -> None:
    model = fairlead.loads(SIDE_BY_SIDE + "var x[N]; P(i) = a.i{x[i] = 1;} -> P(i);\n#define one x[1] == 1;")
    for formula in ("[]<> a.1", "[]<> executed(P(1))", "[] enabled(P(1))", "[] enabled(a.1)", "<> one"):
        found = model.check(model.formula(formula, "System()"), reduction="symmetry")
        assert found.symmetry is not None
        assert found.symmetry.groups == ("P(0, 2)",), formula


def test_whoever_is_waited_for_by_an_alphabet_is_special() -> None:
    text = """
        P(i) = h.i -> g.i -> P(i);
        T() = t -> T();
        #alphabet T {t, h.0};
        System() = P(0) || P(1) || P(2) || T();
    """
    assert detected(text).groups == ("P(1, 2)",)
    assert detected(text.replace("#alphabet T {t, h.0};", "")).groups == ("P(0..2)",)


def test_numbers_that_are_not_looked_at_do_not_matter() -> None:
    text = SIDE_BY_SIDE + "var last = 2; var x[N]; P(i) = [x[i] == 0] a.i{x[i] = 1;} -> P(i);"
    model = fairlead.loads(text)
    assert model.check("System() deadlockfree", reduction="symmetry").statistics.states == 4


@pytest.mark.parametrize("workers", [2, 3])
def test_threads_find_the_same_states(workers: int) -> None:
    model = "bench/models/petx.csp"
    path = ROOT / model

    def size(threads: int) -> tuple[int, int, object]:
        limits = fairlead.Limits(threads=threads)
        found = fairlead.load(path, {"N": 4}).check(
            "System() deadlockfree", reduction="symmetry", limits=limits
        )
        return found.statistics.states, found.statistics.transitions, found.verdict

    assert size(workers) == size(1)


# ---------------------------------------------------------------- evidence under strong global fairness


CLOSED = """
#define N 4; var cs = 0; var x[N];
P(i) = ask.i -> [cs == 0] enter.i{cs = 1; x[i] = 1;} -> leave.i{cs = 0; x[i] = 0;} -> P(i);
System() = ||| i:{0..N-1} @ P(i);
#define in cs == 1;
"""


def test_a_component_of_the_system_itself_is_shown() -> None:
    model = fairlead.loads(CLOSED)
    question = model.formula("<>[] !in")
    plain, found = (model.check(question, "sgf", reduction=how) for how in ("none", "symmetry"))
    assert found.evidence is not None and plain.evidence is not None
    assert found.evidence.component == plain.evidence.component
    assert found.statistics.states < plain.statistics.states
    stored = found.to_json()
    assert model.validate(stored) is None
    assert isinstance(stored["evidence"], dict)
    stored["evidence"]["component"]["states"] += 1
    assert model.validate(stored) is not None


def test_a_component_that_is_too_large_is_judged_in_part(tune: Tune) -> None:
    tune(judged_transitions=100)
    model = fairlead.loads(CLOSED)
    result = model.check(model.formula("<>[] !in"), "sgf", reduction="symmetry")
    assert result.verdict is Verdict.VIOLATED and result.evidence is not None
    assert result.evidence.component == Component(None, None)
    assert any("validated in part" in line for line in str(result).splitlines())
    assert model.validate(result.to_json()) is None


def test_short_loops_are_shown_as_loops() -> None:
    model = fairlead.loads(CLOSED)
    result = model.check(model.formula("<>[] !in"), "sgf", reduction="symmetry")
    assert result.evidence is not None and result.evidence.component is not None
    text = "var t = 0; P(i) = a.i{t = 1;} -> b.i{t = 0;} -> P(i); System() = ||| i:{0..1} @ P(i);"
    small = fairlead.loads(text + "#define up t == 1;")
    result = small.check(small.formula("<>[] up"), "sgf", reduction="symmetry")
    assert result.evidence is not None and result.evidence.component is None
    assert len(result.evidence.loop) >= 8  # two processes with two local states: each transition once


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_components_of_random_models(tune: Tune, chunk: int) -> None:
    """The evidence is that of the system itself: it was judged, and is judged again."""
    tune(longest_loop=0)
    judged = 0
    for seed in some(SEEDS[chunk::CHUNKS], 2):
        case = small_case(seed, random_numbered_model(seed), MOST_STATES)
        if case is None:
            continue
        model = fairlead.loads(case.text)
        for text in formulas(case, Random(seed), 3):
            try:
                result = model.check(model.formula(text, "System()"), "sgf", reduction="symmetry")
            except fairlead.InputError as error:
                assert error.diagnostics[0].code is Code.SYMMETRY
                continue
            if result.evidence is not None and result.evidence.component is not None:
                assert model.validate(json.loads(json.dumps(result.to_json()))) is None
                judged += 1
    assert judged or is_sample()
