"""The options of `fairlead check`, in groups."""

from __future__ import annotations

import math
from collections.abc import Iterator

import click

from fairlead.api.model import Model
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.checker.keywords import all_of
from fairlead.checker.options import MOST_CUTOFF, MOST_SEED, CheckOptions, Counters, Reduction
from fairlead.cli.groups import option_group
from fairlead.cli.options import DEFAULT_NOTION, FINITE_PATHS
from fairlead.lang.registry import SUFFIXES
from fairlead.logic.fairness.notions import CLASSIC, Fairness, parse_fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.limits import Limits
from fairlead.outcome.vacuity import VacuityCheck
from fairlead.search.checkpoint import EVERY, Checkpoints, check_checkpoints

# ---------------------------------------------------------------- the questions


@dataclass(frozen=True)
class QuestionOptions:
    """The questions, as they were given to the command."""

    assertion: tuple[str, ...]
    formulas: tuple[str, ...]
    branching: tuple[str, ...]
    finite_paths: bool
    states: bool
    language: str

    def check(self) -> None:
        """Refuses what is for formulas of branching time where there are none."""
        for name, given in (("--finite-paths", self.finite_paths), ("--states", self.states)):
            if given and not self.branching:
                raise input_error(Code.USAGE, f"{name} is for formulas given with --ctl")

    def questions(self, model: Model, process: str | None, *, may_be_none: bool) -> Iterator[Assertion]:
        """The questions; by default those of the model, about one process if it is given."""
        if not self.assertion and not self.formulas and not self.branching:
            wanted = model.assertions if process is None else model.asked_of(process)
            if not wanted and not may_be_none:
                raise input_error(
                    Code.USAGE,
                    "the model asserts nothing" + (f" about {process}" if process else ""),
                    hint="give a formula with --ltl or --ctl, or an assertion",
                )
            yield from wanted
        for text in self.assertion:
            yield model.asked(text)
        for text in self.formulas:
            yield model.formula(text, process)
        for text in self.branching:
            yield model.ctl(text, process, finite_paths=self.finite_paths)


question_options = option_group(
    QuestionOptions,
    "asking",
    click.argument("assertion", nargs=-1),
    click.option(
        "--ltl", "formulas", multiple=True, metavar="FORMULA", help="Check a formula. Can be repeated."
    ),
    click.option(
        "--ctl", "branching", multiple=True, metavar="FORMULA", help="Check a formula of CTL or CTL*."
    ),
    FINITE_PATHS,
    click.option("--states", is_flag=True, help="For --ctl: list the states where the formula holds."),
    click.option(
        "--language",
        type=click.Choice([suffix.removeprefix(".") for suffix in SUFFIXES]),
        default="csp",
        help="The language of a model on standard input ('-').",
    ),
)

# ---------------------------------------------------------------- which executions count


@dataclass(frozen=True)
class FairnessOptions:
    """Which executions count, as it was given to the command."""

    fairness: str | None
    conditions: tuple[str, ...]

    @property
    def notions(self) -> tuple[Fairness, ...] | None:
        """The notions that are asked for."""
        return None if self.fairness is None else parse_fairness(self.fairness)

    @property
    def fair(self) -> str | None:
        """The formula that all executions must satisfy."""
        return all_of(self.conditions)


fairness_options = option_group(
    FairnessOptions,
    "fair_to",
    click.option(
        "--fairness",
        metavar="NAME[,NAME…]|all",
        help=f"{', '.join(notion.value for notion in CLASSIC)}: event/process-level weak/strong, strong "
        f"global; {', '.join(notion.value for notion in Fairness if notion not in CLASSIC)}. "
        f"{DEFAULT_NOTION}",
    ),
    click.option(
        "--fair",
        "conditions",
        multiple=True,
        metavar="FORMULA",
        help="Consider only executions that satisfy this fairness formula: GF p and FG p joined by && || -> "
        "!, weak(x), strong(x), impartial, all processes p: … Can be repeated; all must be satisfied.",
    ),
)

# ---------------------------------------------------------------- how it is answered


def chosen_counters(counters: bool, cutoff: int | None) -> Counters | None:
    """How processes are counted, by the options --counters and --cutoff."""
    if not counters:
        if cutoff is not None:
            raise input_error(Code.USAGE, "--cutoff is for --counters")
        return None
    return Counters() if cutoff is None else Counters(cutoff)


@dataclass(frozen=True)
class StrategyOptions:
    """How questions are answered, as it was given to the command."""

    compositional: bool
    counters: bool
    cutoff: int | None
    reduction: str
    checkpoint: str | None
    checkpoint_every: float | None
    resume: str | None
    vacuity: bool | None
    shortest: bool
    seed: int
    counterexamples: int
    certificate: str | None

    def check(self, states: bool) -> None:
        """Refuses what cannot be used together; `states` if states are to be listed."""
        chosen_counters(self.counters, self.cutoff)
        options = self.options(None, Limits())
        if not options.is_reduction_chosen and self.counters and states:
            raise input_error(Code.USAGE, "--states lists states of the whole system: without --counters")
        options.check("--{}")
        if options.is_reduction_chosen and states:
            raise input_error(Code.USAGE, "--reduction and --states cannot be used together")

    def options(self, fair: str | None, limits: Limits) -> CheckOptions:
        """The same as a value that all front ends share."""
        return CheckOptions(
            fair,
            self.compositional,
            chosen_counters(self.counters, self.cutoff),
            Reduction(self.reduction),
            limits,
            self._checkpoints(),
            VacuityCheck.of(self.vacuity),
            self.shortest,
            self.seed,
            self.counterexamples,
            self.certificate,
        )

    def _checkpoints(self) -> Checkpoints | None:
        if self.checkpoint is None and self.resume is None:
            return None
        every = EVERY if self.checkpoint_every is None else self.checkpoint_every
        return Checkpoints(self.checkpoint, self.resume, every)

    def check_checkpoints(self) -> None:
        """Refuses checkpoints that cannot be read or written."""
        every = self.checkpoint_every
        if every is not None and (self.checkpoint is None or not math.isfinite(every)):
            raise input_error(Code.USAGE, "--checkpoint-every is for --checkpoint, and a number of seconds")
        checkpoints = self._checkpoints()
        if checkpoints is not None:
            check_checkpoints(checkpoints)


strategy_options = option_group(
    StrategyOptions,
    "answering",
    click.option(
        "--compositional",
        is_flag=True,
        help="Compose FSP processes part by part and minimise each part, where that preserves the answer.",
    ),
    click.option(
        "--counters",
        is_flag=True,
        help="Process counter abstraction: count how many identical processes are in each local state.",
    ),
    click.option(
        "--cutoff",
        type=click.IntRange(0, MOST_CUTOFF),
        metavar="K",
        help="For --counters and unboundedly many processes: count up to K in one place exactly, more as "
        "many (default 2).",
    ),
    click.option(
        "--reduction",
        type=click.Choice([reduction.value for reduction in Reduction]),
        default=Reduction.AUTO.value,
        help="Explore fewer states where that preserves the answer. auto (the default): in large systems, "
        "the cheapest reduction. none: the full state space. por: partial order reduction. symmetry: merge "
        "states that differ only by a permutation of symmetric processes. variables: merge states that "
        "differ only in values that are never read again, and treat a quantity that the question only sums "
        "up as a cost.",
    ),
    click.option(
        "--checkpoint",
        metavar="FILE",
        help="Save the explored states regularly, so that --resume can continue from them.",
    ),
    click.option(
        "--checkpoint-every",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="For --checkpoint: seconds between saves (default 600). A limit or Ctrl-C saves one too.",
    ),
    click.option("--resume", metavar="FILE", help="Continue from what --checkpoint has saved."),
    click.option(
        "--vacuity/--no-vacuity",
        default=None,
        help="Search for trivial reasons why a property holds (vacuity): in systems of any size, or never.",
    ),
    click.option(
        "--shortest",
        is_flag=True,
        help="Show finite runs only if they are shortest: no dives in large systems.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, MOST_SEED),
        metavar="N",
        default=0,
        help="Seed for the random choices of dives (default 0).",
    ),
    click.option(
        "--counterexamples",
        type=click.IntRange(min=1),
        metavar="K",
        default=1,
        help="Show up to K runs for each violation that differ in substance, not only in the order of "
        "independent steps.",
    ),
    click.option(
        "--certificate",
        metavar="FILE",
        help="Write evidence for all that holds, which 'fairlead certify' checks without the engine. The "
        "whole system is explored.",
    ),
)

# ---------------------------------------------------------------- what is shown


@dataclass(frozen=True)
class OutputOptions:
    """What the command shows and writes, as it was given."""

    trace: bool | None
    as_json: bool
    html: str | None
    quiet: bool
    verbose: bool
    plot: str | None
    watch: bool
    coverage: bool


output_options = option_group(
    OutputOptions,
    "output",
    click.option("--trace/--no-trace", default=None, help="Show every counterexample and witness, or none."),
    click.option(
        "--json", "as_json", is_flag=True, help="Write results as JSON, and nothing else, to stdout."
    ),
    click.option("--html", metavar="FILE", help="Write a page with the verdicts, and runs to step through."),
    click.option("--quiet", is_flag=True, help="Show only the verdicts: no progress, warnings or traces."),
    click.option(
        "--verbose",
        is_flag=True,
        help="Report on stderr how each question was answered and what took the time.",
    ),
    click.option(
        "--plot",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="With a range such as -D N=2..6: plot states and times against its values, as SVG.",
    ),
    click.option(
        "--watch", is_flag=True, help="Check again whenever the model or a file it includes is saved."
    ),
    click.option(
        "--coverage",
        is_flag=True,
        help="Count how often each event, branch and statement of the model is executed, and show those that "
        "never are, in up to 20,000 states of each process (or --max-states).",
    ),
)
