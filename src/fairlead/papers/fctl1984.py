"""Contains the examples of Emerson and Lei (1984): CTL over fair paths."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.logic.fairness.notions import Fairness
from fairlead.papers.rows import Logic, Published, Question, Row, Table

_NONE = "none"
_STRONG, _WEAK, _IMPARTIAL = "strong, of processes", "weak, of processes", "impartial"
#: the fairness assumptions over a structure whose arcs are labelled with processes
_FAIR = {
    _NONE: None,
    _STRONG: "all processes p: strong(p)",
    _WEAK: "all processes p: weak(p)",
    _IMPARTIAL: "impartial",
}

# ---------------------------------------------------------------- example 1: a random number generator

_ENDS = "AF AX false"
_EXAMPLE_1 = "Section 4.3, Example 1"
_ARCS, _COPIES = "random numbers, Fig. 7b", "random numbers, Fig. 7c"
#: the same over the structure with copies, as the report writes them
_FAIR_IN_COPIES = {
    _NONE: None,
    _STRONG: "(GF en1 -> GF ex1) && (GF en2 -> GF ex2)",
    _WEAK: "(FG en1 -> GF ex1) && (FG en2 -> GF ex2)",
    _IMPARTIAL: "GF ex1 && GF ex2",
}
_FIGURE_7 = (
    "Figs. 7b and 7c are lost; they follow from the program in Fig. 7a and the encoding of Section "
    "4.2. The number x, which would make the graph infinite, is left out."
)


def _generator_rows() -> Iterator[Row]:
    for system, file, assumptions in (
        (_ARCS, "random_number_generator", _FAIR),
        (_COPIES, "random_number_generator_copies", _FAIR_IN_COPIES),
    ):
        for name, fair in assumptions.items():
            yield Row(
                system,
                None,
                f"every path ends: {_ENDS}",
                name,
                Question(
                    f"explicit_graphs/{file}.json",
                    _ENDS,
                    Fairness.NONE,
                    logic=Logic.CTL_FINITE_PATHS,
                    fair=fair,
                ),
                Published(_EXAMPLE_1, verdict=fair is not None),
                reconstruction=_FIGURE_7,
            )


# ---------------------------------------------------------------- example 2: mutual exclusion

_STARVES_NOT = "AG (T1 -> AF C1)"
_EXAMPLE_2 = "Section 4.3, Example 2"
_FIGURE_8 = (
    "Fig. 8 is lost; this graph has the eight combinations of regions without C1C2, and the path s0 s1 "
    "s4 s7 s1 … that the report names."
)
_NOT_WEAK = (
    "The report claims that weak fairness is enough. But on the path s1 s4 s7 s1 …, which it gives "
    "itself, process 1 cannot move in s7, where process 2 is in its critical region. So process 1 is "
    "not enabled all the time, and the path is weakly fair. Strong fairness is enough; so is weak "
    "fairness with a turn bit."
)
_TURN_BIT = "Not in the report: the same two processes with a turn bit."


def _region_rows() -> Iterator[Row]:
    stated = {_NONE: False, _WEAK: True}
    for name, fair in _FAIR.items():
        yield Row(
            "mutual exclusion, Fig. 8",
            None,
            _STARVES_NOT,
            name,
            Question(
                "explicit_graphs/critical_regions.json",
                _STARVES_NOT,
                Fairness.NONE,
                logic=Logic.CTL,
                fair=fair,
            ),
            Published(_EXAMPLE_2, stated[name]) if name in stated else None,
            reconstruction=_FIGURE_8,
            difference=_NOT_WEAK if name == _WEAK else None,
        )
    for name in (_NONE, _WEAK):
        yield Row(
            "… with a turn bit",
            None,
            _STARVES_NOT,
            name,
            Question(
                "explicit_graphs/critical_regions_turn.json",
                _STARVES_NOT,
                Fairness.NONE,
                logic=Logic.CTL,
                fair=_FAIR[name],
            ),
            remark=_TURN_BIT,
        )


TABLES = (
    Table(
        "fctl1984",
        "CTL over fair paths",
        "Emerson and Lei: Model checking under generalized fairness constraints. Technical report TR-84-20, "
        "University of Texas at Austin, 1984",
        "Claims of the two examples; no times are given. All path quantifiers are about fair paths.",
        (*_generator_rows(), *_region_rows()),
    ),
)
