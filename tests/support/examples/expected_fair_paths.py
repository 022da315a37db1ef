"""What the examples of CTL over fair paths and of fairness formulas must answer.

Of the graphs after Emerson and Lei (1984), their report has the verdicts; those of the CSP# models were found
by hand: each file says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tests.support.examples.expected import Origin, Row, Size


class Logic(Enum):
    LTL = "ltl"
    CTL = "ctl"


@dataclass(frozen=True)
class Asked:
    """One formula about one example, under a notion of fairness or with a fairness formula.

    `holds_in` is the number of states where a formula of CTL holds, if that is known.
    """

    file: str
    formula: str
    holds: bool
    fair: str | None = None
    fairness: str | None = None
    finite_paths: bool = False
    logic: Logic = Logic.CTL
    holds_in: int | None = None

    @property
    def id(self) -> str:
        fair = self.fair or self.fairness or "none"
        return f"{self.file.rsplit('/', 1)[-1]}-{self.formula}-{fair}"


MUTUAL_EXCLUSION = "mutual_exclusion.csp"
WITH_TURN = "mutual_exclusion_turn.csp"
CRASHES = "crash_and_repair.csp"

WEAK_TO_P1 = "FG enabled(P1) -> GF executed(P1)"
STRONG_TO_P1 = "GF enabled(P1) -> GF executed(P1)"
NO_STARVATION = "AG (trying1 -> AF critical1)"
A_CHANCE = "AG (trying1 -> EF critical1)"
EXCLUSION = "AG !(critical1 && critical2)"
OVERTAKEN_ONCE = "AG (trying1 -> A(!critical2 W (critical1 || A(critical2 W A(!critical2 W critical1)))))"

# LTL under the named notions, as in `expected`.
ROWS = (
    *(
        Row(file, "System", None, formula, verdicts, size, Origin.COMPUTED)
        for file, size, liveness in (
            (MUTUAL_EXCLUSION, Size(8, 20), "N N N Y Y Y"),
            (WITH_TURN, Size(10, 24), "N Y Y Y Y Y"),
        )
        for formula, verdicts in (
            ("[] !(critical1 && critical2)", "Y Y Y Y Y Y"),
            ("[] (trying1 -> <> critical1)", liveness),
        )
    ),
    # One process that always moves: only strong fairness towards events gets a request granted.
    Row(CRASHES, "Server", None, "[]<> cs0", "N N N Y N Y", Size(6, 13), Origin.COMPUTED),
)

CRITICAL_REGION = (
    *(
        Asked(file, formula, True, fair=fair)
        for file in (MUTUAL_EXCLUSION, WITH_TURN)
        for formula in (EXCLUSION, A_CHANCE)
        for fair in (None, WEAK_TO_P1, STRONG_TO_P1, "impartial")
    ),
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, False),
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, False, fair=WEAK_TO_P1),
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, False, fair="all processes p: weak(p)"),
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, True, fair=STRONG_TO_P1, holds_in=8),
    # being fair to P2 alone does not help P1
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, False, fair="strong(P2)"),
    Asked(MUTUAL_EXCLUSION, NO_STARVATION, True, fair="strong(enter1)"),
    Asked(MUTUAL_EXCLUSION, OVERTAKEN_ONCE, False),
    Asked(WITH_TURN, NO_STARVATION, False),
    Asked(WITH_TURN, NO_STARVATION, True, fair=WEAK_TO_P1, holds_in=10),
    Asked(WITH_TURN, NO_STARVATION, True, fair="weak(enter1)"),
    Asked(WITH_TURN, NO_STARVATION, False, fair="weak(P2)"),
    Asked(WITH_TURN, OVERTAKEN_ONCE, True),
)

CRASHES_AND_REPAIRS = tuple(
    Asked(CRASHES, formula, holds, fair=fair, logic=logic)
    for fair, holds in (
        ("GF request && (FG !crash || GF repair)", True),
        ("GF request && FG !crash", True),
        ("GF request && GF repair", True),
        ("GF request", False),
        ("FG !crash || GF repair", False),
        ("strong(cs0) && GF request", False),  # while the server is down, cs0 is not even enabled
    )
    for formula, logic in (("[]<> cs0", Logic.LTL), ("AG AF cs0", Logic.CTL), ("A GF cs0", Logic.CTL))
)

GENERATOR = "random_number_generator.json"
ENDS = "AF AX false"

# "The program fairly terminates"; with idling no path ever ends.
RANDOM_NUMBERS = (
    Asked(GENERATOR, ENDS, False, finite_paths=True, holds_in=1),
    *(
        Asked(GENERATOR, ENDS, True, fairness=notion, finite_paths=True, holds_in=2)
        for notion in ("pwf", "psf", "impartial")
    ),
    *(
        Asked(GENERATOR, ENDS, True, fair=fair, finite_paths=True, holds_in=2)
        for fair in ("weak(P1) && weak(P2)", "strong(P1) && strong(P2)", "impartial", "weak(P2)")
    ),
    Asked(GENERATOR, ENDS, False, fair="strong(P1)", finite_paths=True),
    Asked(GENERATOR, ENDS, False, fairness="sgf", holds_in=0),
    Asked(GENERATOR, "AF !b", True, fairness="pwf", holds_in=2),
    Asked(GENERATOR, "AF !b", False, holds_in=1),
    # what the report says of this graph and of the critical regions is in fairlead.papers, and checked there
    Asked(
        "random_number_generator_copies.json",
        ENDS,
        False,
        fair="GF en1 -> GF ex1",
        finite_paths=True,
    ),
)

# In the graph as drawn, weak fairness of the processes is not enough; with a turn bit it is.
REGIONS = tuple(
    Asked(f"{file}.json", "AG (T1 -> AF C1)", holds, fair=fair)
    for file, fair, holds in (
        ("critical_regions", "all processes p: strong(p)", True),
        ("critical_regions", "impartial", True),
        ("critical_regions_turn", None, False),
        ("critical_regions_turn", "all processes p: weak(p)", True),
        ("critical_regions_turn", "all processes p: strong(p)", True),
        ("critical_regions_turn", "impartial", True),
    )
)

ASKED = (*CRITICAL_REGION, *CRASHES_AND_REPAIRS, *RANDOM_NUMBERS, *REGIONS)
