"""What pan prints is read as it is meant; recorded from SPIN 6.5.2."""

from __future__ import annotations

import pytest

from tests.support.promela.pan_report import Unreached, UnreadableReport, Violation, read_report

WHOLE = """
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (not selected)
\tassertion violations\t+
\tcycle checks       \t- (disabled by -DSAFETY)
\tinvalid end states\t+

State-vector 28 byte, depth reached 11, errors: 0
        7 states, stored
       13 states, matched
       20 transitions (= stored+matched)
        5 atomic steps
hash conflicts:         0 (resolved)

unreached in proctype A
\tmodel.pml:3, state 9, "-end-"
\t(1 of 9 states)
unreached in claim never_0
\tmodel.pml:5, state 4, "((x==2))"
\tmodel.pml:5, state 7, "-end-"
\t(2 of 7 states)

pan: elapsed time 0 seconds
"""

TWO_ERRORS = """pan:1: assertion violated (x
<2) (at depth 4)
pan: wrote model.pml1.trail
pan:2: invalid end state (at depth -1)
pan: wrote model.pml2.trail

State-vector 28 byte, depth reached 5, errors: 2
   1.5e+06 states, stored (1.6e+06 visited)
        3 states, matched
   1500003 transitions (= stored+matched)
        0 atomic steps
"""

CUT = """error: max search depth too small

State-vector 20 byte, depth reached 9, errors: 0
       10 states, stored
        1 states, matched
       11 transitions (= stored+matched)
        0 atomic steps
"""


def test_numbers() -> None:
    report = read_report(WHOLE)
    assert (report.errors, report.stored, report.matched, report.transitions) == (0, 7, 13, 20)
    assert (report.edges, report.atomic_steps, report.depth) == (19, 5, 11)
    assert report.is_complete and report.violations == ()


def test_unreached_statements() -> None:
    assert read_report(WHOLE).unreached == (
        Unreached("A", "model.pml", 3, 9, "-end-"),
        Unreached("claim never_0", "model.pml", 5, 4, "((x==2))"),
        Unreached("claim never_0", "model.pml", 5, 7, "-end-"),
    )


def test_errors_and_large_numbers() -> None:
    report = read_report(TWO_ERRORS)
    assert report.violations == (
        Violation("assertion violated (x <2)", 4),
        Violation("invalid end state", -1),
    )
    assert report.kinds() == ["assertion", "invalid end state"]
    assert report.errors == 2 and report.stored == 1_500_000


def test_a_search_that_was_cut_short_is_no_answer() -> None:
    assert read_report(CUT).cut_short == "max search depth too small"
    assert not read_report(CUT).is_complete


@pytest.mark.parametrize("text", ["", "pan: error: no such option", "depth reached 3, errors: 0"])
def test_what_is_not_a_report(text: str) -> None:
    with pytest.raises(UnreadableReport):
        read_report(text)
