"""One question answered in every way there is, and by brute force: all answers must agree.

The brute-force answer comes from the reference semantics and the oracles. Finite evidence is followed once
more, and lengths are compared with breadth-first search wherever a run is said to be a shortest one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import fairlead
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.base.tuning import tuned
from fairlead.model.assertion import Optimum, ReachesOptimum
from fairlead.model.evaluation import Fault
from fairlead.model.labels import IDLE
from fairlead.model.tree import Configuration
from fairlead.outcome.finding import Verdict
from tests.support.asking.faults import without_fault
from tests.support.generators.mixed_models import Mixed, Question
from tests.support.oracle.best_cost import TooLarge, Unbounded, best_cost
from tests.support.oracle.brute_force import MOST_JUDGED, BruteForce, Expected
from tests.support.steps import compare_network

NOTIONS = ("none", "ewf", "esf", "pwf", "psf", "sgf")
MAX_STATES = 1000
#: dives, batches, depth-first search and reductions begin at once
EAGER = {
    "first_dives_at": 1, "first_dive": 3, "dive_part": 1, "unguided_dive_part": 1, "small_system": 2,
    "shortest_dive": 5, "first_batch": 3, "auto_whole": 2, "auto_sample": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Way:
    """How a question is answered: options, number of threads, thresholds; with a model of its own or not."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1
    tuning: Mapping[str, int] = field(default_factory=dict)
    is_fresh: bool = False
    max_states: int = MAX_STATES


WHOLE = {"reduction": "none"}
PLAIN = Way("plain", WHOLE)


def ways(random: Random) -> list[Way]:
    """All ways besides the plain one."""
    found = [Way("threads", WHOLE, threads=3), Way("counters", {"counters": True})]
    for reduction in ("por", "symmetry", "variables", "auto"):
        options = {"reduction": reduction}
        found.append(Way(reduction, options))
        found.append(Way(f"{reduction}, threads", options, threads=3, is_fresh=True))
        few = random.randrange(1, 60)
        found.append(Way(f"{reduction}, few states", options, is_fresh=True, max_states=few))
        seed = {"seed": random.randrange(1000)}
        found.append(Way(f"{reduction}, eager", {**options, **seed}, 1, EAGER, is_fresh=True))
    for threads in (1, 3):
        options = {**WHOLE, "seed": random.randrange(1000)}
        found.append(Way(f"dives, {threads} threads", options, threads, EAGER, is_fresh=True))
    forgetful = {**EAGER, "most_kept": random.randrange(20)}
    found.append(Way("forgetful", WHOLE, 1, forgetful, is_fresh=True))
    found.append(Way("shortest", {**WHOLE, "shortest": True}, 1, EAGER, is_fresh=True))
    found.append(
        Way("variables, shortest", {"shortest": True, "reduction": "variables"}, 1, EAGER, is_fresh=True)
    )
    return found


# ---------------------------------------------------------------- comparing


class Disagreement(AssertionError):
    """Two answers that cannot both be right."""


Answer = fairlead.Result | Fault | None


@dataclass
class Comparison:
    """The questions about one model; what was seen is counted."""

    mixed: Mixed
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.model = fairlead.loads(self.mixed.text)
        self.known: BruteForce | None = None
        self.random = Random(self.mixed.seed)

    def run(self, share: float = 1.0) -> None:
        """All questions, each in a share of the ways."""
        with tuned(least_work=1):
            self._run(share)

    def _run(self, share: float) -> None:
        try:
            self.known = BruteForce(self.model, "System()")
        except Fault:  # before the first step
            self.seen["fails at once"] += 1
        except (InputError, LimitReached):  # an alphabet is not known, or processes are inside processes
            return
        self.seen["models"] += 1
        self.seen["whole"] += self.known is not None and self.known.is_whole
        self.seen["faulty"] += self.known is None or bool(self.known.explored.faults)
        if self.known is not None and self.known.explored.is_complete and self.random.random() < 0.3:
            self.seen["step relations"] += 1
            try:
                compare_network(self.known.network, self.known.explored)
            except AssertionError as problem:
                raise Disagreement(
                    f"seed {self.mixed.seed}: steps: {problem}\n{self.mixed.text}"
                ) from problem
        is_large = self.known is not None and not self.known.explored.is_complete
        share = share / 3 if is_large else share
        for question in self.mixed.questions:
            if self.random.random() < (0.8 if is_large else 0.4):
                continue
            notions = ["none"]
            if question.formula is not None:
                notions = ["none", *self.random.sample(NOTIONS[1:], self.random.randrange(2))]
            for notion in notions:
                try:
                    self._compare(question, notion, share)
                except Fault:
                    raise
                except InputError:
                    self.seen["not asked"] += 1
                    break

    def _compare(self, question: Question, notion: str, share: float) -> None:
        asked = self.model.assertion(question.text)
        plain = self._answer(PLAIN, question, notion)
        expected = None
        if self.known is not None and self.known.is_whole:
            try:
                expected = self.known.expected(asked, question, notion)
            except Fault:  # of the question
                self.seen["question fails"] += 1
        self._judge(PLAIN, question, notion, plain, plain, expected)
        for way in ways(self.random):
            if self.random.random() < share:
                found = self._answer(way, question, notion)
                self._judge(way, question, notion, found, plain, expected)
        if isinstance(asked, ReachesOptimum):
            self._compare_cost(asked, question)

    def _answer(self, way: Way, question: Question, notion: str) -> Answer:
        model = fairlead.Model(self.model._loaded, self.model.name, {}) if way.is_fresh else self.model
        limits = fairlead.Limits(max_states=way.max_states, threads=way.threads)
        try:
            with tuned(**way.tuning):
                return without_fault(model.check(question.text, notion, limits=limits, **way.options))
        except Fault as fault:
            return fault
        except LimitReached:
            return None
        except InputError:
            if way is PLAIN:
                raise
            return None
        except Exception as problem:
            raise self._disagreement(
                way, question, notion, f"{type(problem).__name__}: {problem}"
            ) from problem

    def _disagreement(self, way: Way, question: Question, notion: str, what: str) -> Disagreement:
        return Disagreement(
            f"seed {self.mixed.seed}: {question.text} ({notion}), {way}: {what}\n{self.mixed.text}"
        )

    def _judge(
        self,
        way: Way,
        question: Question,
        notion: str,
        found: Answer,
        plain: Answer,
        expected: Expected | None,
    ) -> None:
        def wrong(what: str) -> Disagreement:
            return self._disagreement(way, question, notion, what)

        if found is None or plain is None:
            self.seen[f"refused {way.name}"] += found is None
            return
        if isinstance(found, Fault) or isinstance(plain, Fault):
            self._judge_fault(way, question, notion, found, plain, expected)
            return
        self.seen["answers"] += 1
        if found.verdict is Verdict.UNKNOWN:
            self.seen["unknown"] += 1
            if found.evidence is not None:
                raise wrong("unknown with evidence")
            return
        if plain.verdict is not Verdict.UNKNOWN:
            self.seen["compared"] += 1
            if (found.verdict, found.optimum) != (plain.verdict, plain.optimum):
                raise wrong(f"{found.verdict} {found.optimum}, not {plain.verdict} {plain.optimum}")
        if expected is not None:
            self.seen["judged"] += 1
            if found.verdict is not expected.verdict or found.optimum != expected.optimum:
                raise wrong(f"{found.verdict} {found.optimum}, by brute force {expected}")
        self._count(way, found)
        self._judge_run(way, question, notion, found, plain, expected)

    def _count(self, way: Way, found: fairlead.Result) -> None:
        self.seen[f"{found.verdict.value} {way.name}"] += 1
        if found.partial_order is not None:
            self.seen["por reduced"] += found.partial_order.problem is None
        if found.variables is not None:
            self.seen["variables reduced"] += 1
            self.seen["cost"] += found.variables.cost is not None
            self.seen["dead"] += bool(found.variables.dead)
        if found.symmetry is not None:
            self.seen["symmetric"] += bool(found.symmetry.groups)
        if found.counters is not None:
            self.seen["counted"] += bool(found.counters.merged)

    def _judge_run(
        self,
        way: Way,
        question: Question,
        notion: str,
        found: fairlead.Result,
        plain: fairlead.Result | Fault,
        expected: Expected | None,
    ) -> None:
        if found.evidence is None:
            return
        run = found.evidence.run
        length = len(run.stem)
        if isinstance(run.start, Configuration) and self.known is not None and found.counters is None:
            state = run.start
            for step in (*run.stem, *run.loop):
                if step.event == IDLE:
                    break
                if step not in self.known.system.steps(state):
                    raise self._disagreement(way, question, notion, f"{step} is not possible")
                assert isinstance(step.target, Configuration)
                state = step.target
            self.seen["followed"] += 1
        self._judge_length(way, question, notion, found, plain)
        if expected is None or expected.length is None or run.loop:
            return
        self.seen["lengths"] += 1
        if length < expected.length:
            raise self._disagreement(way, question, notion, f"{length} steps, shorter than {expected.length}")
        if found.is_shortest and length > expected.length:
            raise self._disagreement(way, question, notion, f"{length} steps, shortest {expected.length}")
        self.seen["longer"] += length > expected.length
        if way.options.get("shortest") and found.is_shortest is False:
            raise self._disagreement(way, question, notion, "not known to be shortest")

    def _judge_length(
        self,
        way: Way,
        question: Question,
        notion: str,
        found: fairlead.Result,
        plain: fairlead.Result | Fault,
    ) -> None:
        """Of bad prefixes, which brute force does not measure."""
        if (
            isinstance(plain, Fault)
            or plain.evidence is None
            or found.evidence is None
            or not plain.is_shortest
        ):
            return
        if found.evidence.run.loop or plain.evidence.run.loop:
            return
        more = len(found.evidence.run.stem) - len(plain.evidence.run.stem)
        self.seen["prefix lengths"] += 1
        if more < 0 or (found.is_shortest and more > 0):
            raise self._disagreement(
                way, question, notion, f"{more} more steps, shortest: {found.is_shortest}"
            )

    def _judge_fault(
        self,
        way: Way,
        question: Question,
        notion: str,
        found: Answer,
        plain: Answer,
        expected: Expected | None,
    ) -> None:
        """A fault is met by both, unless an answer with evidence is found before, or a limit reached."""
        self.seen["faults"] += 1

        def is_excused(answer: Answer) -> bool:
            return isinstance(answer, fairlead.Result) and (
                answer.evidence is not None or answer.verdict is Verdict.UNKNOWN
            )

        if self.known is not None and self.known.is_whole and expected is not None:
            raise self._disagreement(way, question, notion, f"{found} {plain}: nothing goes wrong")
        if isinstance(found, Fault) and isinstance(plain, Fault):
            return
        if isinstance(found, Fault) and question.formula is not None:
            return  # the product may have fewer states than the system; there is a fault, as was seen
        other = plain if isinstance(found, Fault) else found
        # a product may have fewer states than the system
        on_the_fly = question.formula is not None and "small_system" in way.tuning
        if not is_excused(other) and not on_the_fly:
            raise self._disagreement(way, question, notion, f"{found!r}, but {plain!r}"[:600])

    def _compare_cost(self, asked: ReachesOptimum, question: Question) -> None:
        """With the sums of steps, where the whole system may have no end."""
        found = self._answer(Way("variables", {"reduction": "variables"}), question, "none")
        if not isinstance(found, fairlead.Result) or found.variables is None or found.variables.cost is None:
            return
        assert self.known is not None
        slot = next(one.slot for one in self.known.network.variables if one.name == "cost")
        try:
            best = best_cost(
                self.known.system,
                slot,
                asked.goal,
                maximise=(asked.objective.optimum is Optimum.MAX),
                most=MOST_JUDGED,
            )
        except (TooLarge, InputError, LimitReached):
            return
        self.seen["costs judged"] += 1
        if found.verdict is Verdict.UNKNOWN:
            if not isinstance(best, Unbounded) and found.reason == "unbounded":
                raise self._disagreement(PLAIN, question, "none", f"unbounded, but {best}")
            self.seen["unbounded"] += isinstance(best, Unbounded)
            return
        if isinstance(best, Unbounded) or found.optimum != best:
            raise self._disagreement(PLAIN, question, "none", f"best cost {found.optimum}, not {best}")
