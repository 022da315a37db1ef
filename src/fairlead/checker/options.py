"""How a question is to be answered: one value for the command line, Python and every other front end."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.records import dataclass
from fairlead.outcome.limits import Limits
from fairlead.outcome.vacuity import VacuityCheck
from fairlead.search.checkpoint import Checkpoints
from fairlead.search.target import Diving

DEFAULT_CUTOFF = 2
#: the engine counts processes with 32 bits; exploring that many is out of reach
MOST_CUTOFF = 1_000_000
#: seeds are numbers of 32 bits
MOST_SEED = (1 << 32) - 1


class Reduction(Enum):
    """A way to explore fewer states without changing the answer; the value is its name for users.

    AUTO leaves the choice to fairlead, and NONE explores all states.
    """

    AUTO = "auto"
    NONE = "none"
    PARTIAL_ORDER = "por"
    SYMMETRY = "symmetry"
    VARIABLES = "variables"


def parse_reduction(name: str | Reduction) -> Reduction:
    """The reduction with a name."""
    try:
        return Reduction(name)
    except ValueError:
        known = ", ".join(reduction.value for reduction in Reduction)
        raise input_error(Code.USAGE, f"unknown reduction '{name}'; known are {known}") from None


def exclusive(first: str, second: str) -> InputError:
    """The error for two options that exclude each other."""
    return input_error(Code.USAGE, f"{first} and {second} cannot be used together")


@dataclass(frozen=True)
class Counters:
    """How processes are counted: exactly, or where there are unboundedly many, up to the cutoff.

    With `forking`, a process that is the only one of its kind is counted too if it may become several.
    """

    cutoff: int = DEFAULT_CUTOFF
    forking: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.cutoff <= MOST_CUTOFF:
            raise input_error(Code.USAGE, f"the cutoff must be from 0 to {MOST_CUTOFF}")


@dataclass(frozen=True)
class CheckOptions:
    """How a question is answered.

    - `fair`: a formula that executions must satisfy besides the notion; without a notion, it stands
      alone.
    - `compositional`: processes are composed part by part, each part minimised at once, where that keeps the
      answer. A violation is searched for in the whole system all the same.
    - `counters`: identical processes are counted instead of distinguished. Only then may there be any number.
    - `reduction`: fewer states are examined, where that keeps the answer; in large systems, by default.
    - `limits`: what the check may use. `checkpoints`: where what was explored is saved, and resumed from.
    - `vacuity`: whether trivial reasons are searched for if the assertion holds.
    - `shortest`: a finite run that is shown is a shortest one. Otherwise dives may find a longer one earlier;
      `seed` is where their random choices come from.
    - `certificate`: the file to which evidence is written for what holds; the whole system is explored.
    - `counterexamples`: up to so many runs are shown of a violation, which differ in substance.
    """

    fair: str | None = None
    compositional: bool = False
    counters: Counters | None = None
    reduction: Reduction = Reduction.AUTO
    limits: Limits = field(default_factory=Limits)
    checkpoints: Checkpoints | None = None
    vacuity: VacuityCheck = VacuityCheck.IF_CHEAP
    shortest: bool = False
    seed: int = 0
    counterexamples: int = 1
    certificate: str | None = None

    @property
    def strategy(self) -> str:
        """The strategy that is asked for, by the name of its module in `strategies/`."""
        if self.counters is not None:
            return "counters"
        if self.compositional:
            return "compositional"
        if self.counterexamples > 1 and not self.is_reduction_chosen:
            return "whole"
        if self.reduction is Reduction.NONE or (self.reduction is Reduction.AUTO and self.checkpoints):
            return "whole"
        return self.reduction.name.lower()

    @property
    def is_reduction_chosen(self) -> bool:
        """Whether just one reduction is asked for."""
        return self.reduction not in (Reduction.AUTO, Reduction.NONE)

    @property
    def diving(self) -> Diving:
        """The dives that are allowed."""
        return Diving(not self.shortest, self.seed)

    @property
    def conflict(self) -> tuple[str, str] | None:
        """Two options that cannot be used together, if there are such."""
        chosen = {
            "reduction": self.is_reduction_chosen,
            "counters": self.counters is not None,
            "compositional": self.compositional,
            "checkpoint": self.checkpoints is not None and self.checkpoints.save is not None,
            "resume": self.checkpoints is not None and self.checkpoints.resume is not None,
        }
        names = [name for name, is_chosen in chosen.items() if is_chosen]
        if self.counterexamples > 1 and names:
            return "counterexamples", names[0]
        if "reduction" in names or names[:2] == ["counters", "compositional"]:
            return (names[0], names[1]) if len(names) > 1 else None
        return None

    def check(self, spelling: str = "'{}'") -> None:
        """Raises `InputError` if options cannot be used together; `spelling` is how an option is written."""
        if self.conflict is not None:
            first, second = map(spelling.format, self.conflict)
            raise exclusive(first, second)
        if self.shortest and self.reduction is Reduction.PARTIAL_ORDER:
            first, second = map(spelling.format, ("shortest", "reduction"))
            raise input_error(
                Code.USAGE,
                f"{first} and {second} {self.reduction.value} cannot be used together: with fewer steps, a "
                "shortest run is not known",
            )
        if self.counterexamples < 1:
            count = spelling.format("counterexamples")
            raise input_error(Code.USAGE, f"{count} must be at least 1, not {self.counterexamples}")
        if self.seed < 0 or self.seed > MOST_SEED:
            raise input_error(Code.USAGE, f"the seed must be from 0 to {MOST_SEED}, not {self.seed}")
        if self.checkpoints is not None and self.strategy != "whole":
            raise input_error(Code.USAGE, "checkpoints are for whole systems, explored as they are")
